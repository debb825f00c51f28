package compiled

import (
	"math/bits"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// watcher evaluates a system's watches for one expander. Most watches look only at the views
// of processes: who is up, who begins of its own accord, and whom each follows. Few look at
// messages in flight. So results are remembered by views, and those of watches that look at
// more by local states. Only watches that have looked into an inbox are asked every time.
type watcher struct {
	before, after             model.World
	beforeSource, afterSource packed

	byViews  []remembered // direct-mapped
	viewKeys []uint64     // of byViews

	byLocals  []remembered // direct-mapped
	localKeys []uint64     // of byLocals: the words of the state, with the inboxes masked out
	key       []uint64
	version   int // of the layout that byLocals is for

	seen [64]model.ReadSet // by watch asked in all states: what it looked at beyond the views
}

const memorySize = 1 << 12

// remembered is the answers of watches for states that are alike in some way.
type remembered struct {
	quiet bool
	known uint64 // watches whose answer is known
	marks uint64 // those of them that are true
}

// viewBits is how many bits the view of each of n processes takes.
func viewBits(n int) uint { return uint(bits.Len(uint(2*(n+1) + 1))) }

// view is the view of a process in a local state.
func (l *LocalInfo) view() uint64 {
	switch {
	case l.Status == model.Down:
		return 0
	case l.Initiator:
		return uint64(2*l.Leader + 2)
	}
	return uint64(2*l.Leader + 1)
}

// viewAt returns the view at the place of process i+1 in a number that has the views of all n processes; 0 if these do
// not fit.
func (l *LocalInfo) viewAt(i, n int) uint64 {
	width := viewBits(n)
	if width*uint(n) > 64 {
		return 0
	}
	return l.view() << (width * uint(i))
}

// watch adds the marks of a state whose steps are in out, and of these steps. The views of all
// processes are one number; 0 if they do not fit. They say nothing if a process follows one that
// does not exist.
func (w *watcher) watch(s *System, words []uint64, views uint64, out *explore.Steps) {
	if len(s.watches) == 0 {
		return
	}
	ask := (1<<len(s.watches) - 1) &^ out.Known
	var marks uint64
	var alike *remembered
	if views != 0 && !s.unknownLeader {
		alike = w.recallViews(views, out.Quiet)
		marks, ask = alike.answer(ask)
	}
	if ask != 0 || s.stepwise {
		marks |= w.judge(s, words, ask, alike, out.Quiet)
	}
	for marks &^= out.Known; marks != 0; marks &= marks - 1 {
		out.Marks = append(out.Marks, explore.Mark{Bit: uint8(bits.TrailingZeros64(marks))})
	}
	if s.stepwise {
		w.watchSteps(s, out)
	}
}

func (r *remembered) remember(watch int, answer bool) {
	r.known |= 1 << watch
	if answer {
		r.marks |= 1 << watch
	}
}

// answer returns those of the watches in ask that are true, and those that are not known.
func (r *remembered) answer(ask uint64) (marks, left uint64) {
	return r.marks & ask, ask &^ r.known
}

// judge returns those of the watches in ask that are true, and remembers the answers.
func (w *watcher) judge(s *System, words []uint64, ask uint64, alike *remembered, quiet bool) uint64 {
	told := w.recall(s, words, quiet)
	marks, ask := told.answer(ask)
	if ask != 0 || s.stepwise {
		w.look(s, &w.before, &w.beforeSource, words)
		w.before.SetQuiescent(quiet)
		marks |= w.ask(s.watches, ask, told, alike, quiet)
	}
	return marks
}

// recallViews returns where answers by views belong.
func (w *watcher) recallViews(views uint64, quiet bool) *remembered {
	if w.byViews == nil {
		w.byViews, w.viewKeys = make([]remembered, memorySize), make([]uint64, memorySize)
	}
	at := views * 0x9e3779b97f4a7c15 >> 32 % memorySize
	place := &w.byViews[at]
	if w.viewKeys[at] != views || place.quiet != quiet {
		w.viewKeys[at] = views
		*place = remembered{quiet: quiet}
	}
	return place
}

// recall returns where answers by the local states of a state belong.
func (w *watcher) recall(s *System, words []uint64, quiet bool) *remembered {
	if w.byLocals == nil || w.version != s.version {
		w.byLocals, w.version = make([]remembered, memorySize), s.version
		w.localKeys, w.key = make([]uint64, memorySize*len(words)), make([]uint64, len(words))
	}
	for i, mask := range s.layout.locals {
		w.key[i] = words[i] & mask
	}
	at := int(explore.Hash(w.key) % memorySize)
	place, key := &w.byLocals[at], w.localKeys[at*len(words):][:len(words)]
	same := place.quiet == quiet
	for i, word := range w.key {
		same = same && key[i] == word
		key[i] = word
	}
	if !same {
		*place = remembered{quiet: quiet}
	}
	return place
}

// ask evaluates some watches on w.before and returns those that are true. It remembers answers
// that depend only on local states, or only on views.
func (w *watcher) ask(watches []model.Watch, which uint64, told, alike *remembered, quiet bool) uint64 {
	var marks uint64
	for i, watch := range watches {
		if which>>i&1 == 0 {
			continue
		}
		yes := false
		w.before.Unread()
		if watch.State != nil && (!watch.Quiescent || quiet) {
			yes = watch.State(&w.before)
		}
		if yes {
			marks |= 1 << i
		}
		if !w.before.LookedInside() {
			told.remember(i, yes)
		}
		reads := w.before.Reads()
		if w.before.LookedOn() {
			reads |= model.ReadInboxes
		}
		if !watch.Quiescent {
			w.seen[i%len(w.seen)] |= reads
		}
		if alike != nil && reads == 0 {
			alike.remember(i, yes)
		}
	}
	return marks
}

func (w *watcher) watchSteps(s *System, out *explore.Steps) {
	width := s.layout.width
	for k, a := range out.Actions {
		w.look(s, &w.after, &w.afterSource, out.States[k*width:(k+1)*width])
		for i, watch := range s.watches {
			if watch.Step != nil && out.Known>>i&1 == 0 && watch.Step(&w.before, &w.after) {
				out.Marks = append(out.Marks, explore.Mark{Bit: uint8(i), OnStep: true, Action: a})
			}
		}
	}
}

// look makes world the view of a packed state.
func (w *watcher) look(s *System, world *model.World, source *packed, words []uint64) {
	*source = packed{s, words}
	world.Open(s.reference, len(s.tables), source)
	for i, t := range s.tables {
		local := &t.Info[s.layout.local(i).get(words)]
		world.Add(t.ID, &local.Local, local.Leader)
	}
}

// packed is a packed state as the source of a World.
type packed struct {
	sys   *System
	words []uint64
}

// Local is the local state of a process.
func (p *packed) Local(id spec.ID) model.Local {
	i := int(id) - 1
	return p.sys.tables[i].Locals.Values[p.sys.layout.local(i).get(p.words)]
}

// Inbox is the messages in flight to a process.
func (p *packed) Inbox(id spec.ID) model.Inbox {
	i := int(id) - 1
	return p.sys.tables[i].inbox[p.sys.layout.inbox(i).get(p.words)].content
}

// Plain is the state as plain values.
func (p *packed) Plain() model.State { return p.sys.state(p.words) }
