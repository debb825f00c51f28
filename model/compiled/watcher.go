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
	opened                    bool // before is the view of the state that is watched

	byViews, byLocals           memory // of states; locals are the words of the state, with the inboxes masked out
	stepsByViews, stepsByLocals memory // of steps, by the same of both their states
	key                         []uint64
	version                     int // of the layout that the locals are in

	seen [64]model.ReadSet // by watch asked in all states: what it looked at beyond the views
}

// memory remembers answers for states or steps that are alike in some way, by a key of some words.
// It is direct-mapped, and grows where it has to forget much. An entry is a key and what is
// remembered, side by side, since one that is not in the cache takes longer than most watches.
type memory struct {
	entries []uint64
	size    int // of an entry
	places  int // a power of two
	forgot  int // since it grew
}

const leastMemory, mostMemory = 1 << 12, 1 << 15

// remembered is the watches whose answer is known for states that are alike in some way, and those
// of them that are true.
type remembered [2]uint64

const quietBit = 1 << 63 // in what is known: the states are quiet; see model.PanicMark

// recall returns where answers by a key belong, for states that are quiet or not. The keys of one
// memory are all of one length.
func (m *memory) recall(key []uint64, quiet bool) *remembered {
	if m.forgot >= m.places && m.places < mostMemory {
		*m = memory{places: max(leastMemory, 4*m.places), size: len(key) + len(remembered{})}
		m.entries = make([]uint64, m.places*m.size)
	}
	at := int(explore.Hash(key)) & (m.places - 1)
	entry := m.entries[at*m.size:][:m.size]
	r := (*remembered)(entry[len(key):])
	known := uint64(0)
	if quiet {
		known = quietBit
	}
	same := r[0]&quietBit == known
	for i, word := range key {
		same = same && entry[i] == word
		entry[i] = word
	}
	if !same {
		if r[0]&^quietBit != 0 {
			m.forgot++
		}
		*r = remembered{known, 0}
	}
	return r
}

func (r *remembered) remember(watch int, answer bool) {
	r[0] |= 1 << watch
	if answer {
		r[1] |= 1 << watch
	}
}

// answer returns those of the watches in ask that are true, and those that are not known.
func (r *remembered) answer(ask uint64) (marks, left uint64) { return r[1] & ask, ask &^ r[0] }

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
	if w.opened = false; s.unknownLeader {
		views = 0
	}
	ask := (1<<len(s.watches) - 1) &^ out.Known
	var marks uint64
	var alike *remembered
	if views != 0 {
		alike = w.byViews.recall([]uint64{views}, out.Quiet)
		marks, ask = alike.answer(ask)
	}
	if ask != 0 {
		marks |= w.judge(s, words, ask, alike, out.Quiet)
	}
	for marks &^= out.Known; marks != 0; marks &= marks - 1 {
		out.Marks = append(out.Marks, explore.Mark{Bit: uint8(bits.TrailingZeros64(marks))})
	}
	if ask := s.onSteps &^ out.Known; ask != 0 {
		w.watchSteps(s, words, views, ask, out)
	}
}

// judge returns those of the watches in ask that are true, and remembers the answers.
func (w *watcher) judge(s *System, words []uint64, ask uint64, alike *remembered, quiet bool) uint64 {
	told := w.byLocals.recall(w.localsOf(s, words), quiet)
	marks, ask := told.answer(ask)
	if ask != 0 {
		w.open(s, words, quiet)
		marks |= w.ask(s.watches, ask, told, alike, quiet)
	}
	return marks
}

// localsOf returns the local states of some states as one key, valid until the next call.
func (w *watcher) localsOf(s *System, states ...[]uint64) []uint64 {
	if w.version != s.version {
		w.byLocals, w.stepsByLocals, w.version = memory{}, memory{}, s.version
	}
	w.key = w.key[:0]
	for _, words := range states {
		for i, mask := range s.layout.locals {
			w.key = append(w.key, words[i]&mask)
		}
	}
	return w.key
}

// open makes before the view of the state that is watched, once.
func (w *watcher) open(s *System, words []uint64, quiet bool) {
	if !w.opened {
		w.look(s, &w.before, &w.beforeSource, words)
		w.before.SetQuiescent(quiet)
		w.opened = true
	}
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
		reads, beside := w.before.Reads(), w.before.ReadsBesideViews()
		if w.before.LookedOn() {
			reads, beside = reads|model.ReadInboxes, beside|model.ReadInboxes
		}
		if !watch.Quiescent {
			w.seen[i%len(w.seen)] |= beside
		}
		if alike != nil && reads == 0 {
			alike.remember(i, yes)
		}
	}
	return marks
}

// watchSteps adds the marks of steps out of a state: those of the watches in ask.
func (w *watcher) watchSteps(s *System, words []uint64, views, ask uint64, out *explore.Steps) {
	width := s.layout.width
	for k, a := range out.Actions {
		next := out.States[k*width:][:width]
		marks, left := uint64(0), ask
		var alike *remembered
		if views != 0 {
			alike = w.stepsByViews.recall([]uint64{views, viewsAfter(s, words, next, views)}, false)
			marks, left = alike.answer(ask)
		}
		if left != 0 {
			marks |= w.judgeStep(s, words, next, left, alike, out.Quiet)
		}
		for ; marks != 0; marks &= marks - 1 {
			out.Marks = append(out.Marks, explore.Mark{Bit: uint8(bits.TrailingZeros64(marks)), OnStep: true, Action: a})
		}
	}
}

// viewsAfter returns the views of a state that follows another one, whose views are given.
func viewsAfter(s *System, words, next []uint64, views uint64) uint64 {
	changed := uint64(0)
	for i, mask := range s.layout.locals {
		changed |= (words[i] ^ next[i]) & mask
	}
	if changed == 0 {
		return views
	}
	for i, t := range s.tables {
		local := s.layout.local(i)
		if from, to := local.get(words), local.get(next); from != to {
			views ^= t.Info[from].viewAt(i, len(s.tables)) ^ t.Info[to].viewAt(i, len(s.tables))
		}
	}
	return views
}

// judgeStep returns those of the watches in ask that are true of a step, and remembers answers that
// depend only on the local states of its states, or only on their views.
func (w *watcher) judgeStep(s *System, words, next []uint64, ask uint64, alike *remembered, quiet bool) uint64 {
	told := w.stepsByLocals.recall(w.localsOf(s, words, next), false)
	marks, ask := told.answer(ask)
	if ask == 0 {
		return marks
	}
	w.open(s, words, quiet)
	w.look(s, &w.after, &w.afterSource, next)
	for ; ask != 0; ask &= ask - 1 {
		i := bits.TrailingZeros64(ask)
		w.before.Unread()
		w.after.Unread()
		yes := s.watches[i].Step(&w.before, &w.after)
		if yes {
			marks |= 1 << i
		}
		if w.before.LookedInside() || w.after.LookedInside() || w.before.LookedOn() || w.after.LookedOn() {
			continue
		}
		told.remember(i, yes)
		if alike != nil && w.before.Reads()|w.after.Reads() == 0 {
			alike.remember(i, yes)
		}
	}
	return marks
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

// Value is what a process remembers, as a property sees it.
func (p *packed) Value(id spec.ID) any {
	i := int(id) - 1
	return p.sys.tables[i].Info[p.sys.layout.local(i).get(p.words)].value
}

// Inbox is the messages in flight to a process.
func (p *packed) Inbox(id spec.ID) model.Inbox {
	i := int(id) - 1
	return p.sys.tables[i].inbox[p.sys.layout.inbox(i).get(p.words)].content
}

// Plain is the state as plain values.
func (p *packed) Plain() model.State { return p.sys.state(p.words) }
