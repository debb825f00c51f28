package model

import (
	"interleave/explore"
	"interleave/spec"
)

// watcher evaluates a system's watches for one expander. Few watches look at
// messages in flight, and many states share the local states of all processes;
// so what the watches say is remembered by these, but for the watches that did
// look into an inbox.
type watcher struct {
	before, after             World
	beforeSource, afterSource packed

	memory  []remembered // direct-mapped by local states
	keys    []uint64     // of memory: the words of the state, with the inboxes masked out
	version int          // of the layout that memory goes by
	seen    sight        // by watches that are asked in all states, beyond who is live, begins, and follows whom
	key     []uint64
}

const memorySize = 1 << 12

// remembered is what the watches say of states with certain local states.
type remembered struct {
	used    bool
	quiet   bool
	marks   uint64 // watches that are true
	unknown uint64 // watches that depend on inboxes, too
}

// watch adds the marks of a state whose steps are in out, and of these steps.
func (w *watcher) watch(s *System, words []uint64, out *explore.Steps) {
	if len(s.watches) == 0 {
		return
	}
	told := w.recall(s, words, out.Quiet)
	marks, ask := told.marks, ^uint64(0)
	if told.used {
		ask = told.unknown
	}
	told.used = true
	if ask&^out.Known != 0 || s.stepwise {
		w.look(s, &w.before, &w.beforeSource, words)
		w.before.quiescent = out.Quiet
		marks |= w.ask(s.watches, ask&^out.Known, told)
	}
	for i := range s.watches {
		if marks&^out.Known>>i&1 != 0 {
			out.Marks = append(out.Marks, explore.Mark{Bit: uint8(i)})
		}
	}
	if s.stepwise {
		w.watchSteps(s, out)
	}
}

// recall returns the place where what is known of a state's local states
// belongs; it is not used if that is nothing yet.
func (w *watcher) recall(s *System, words []uint64, quiet bool) *remembered {
	if w.memory == nil || w.version != s.version {
		w.memory, w.version = make([]remembered, memorySize), s.version
		w.keys, w.key = make([]uint64, memorySize*len(words)), make([]uint64, len(words))
	}
	for i, mask := range s.layout.locals {
		w.key[i] = words[i] & mask
	}
	at := int(explore.Hash(w.key) % memorySize)
	place, key := &w.memory[at], w.keys[at*len(words):][:len(words)]
	same := place.used && place.quiet == quiet
	for i, word := range w.key {
		same = same && key[i] == word
		key[i] = word
	}
	if !same {
		*place = remembered{quiet: quiet}
	}
	return place
}

// ask evaluates some watches on w.before, remembers the answers that depend on
// local states only, and returns those that are true.
func (w *watcher) ask(watches []Watch, which uint64, told *remembered) uint64 {
	var marks uint64
	for i, watch := range watches {
		if which>>i&1 == 0 || watch.State == nil || watch.Quiescent && !w.before.quiescent {
			continue
		}
		w.before.looked, w.before.lookedInside, w.before.lookedOn = 0, false, false
		if watch.State(&w.before) {
			marks |= 1 << i
		}
		if w.before.lookedInside {
			told.unknown |= 1 << i
			w.before.looked |= inboxes
		}
		if w.before.lookedOn {
			w.before.looked |= inboxes
		}
		if !watch.Quiescent {
			w.seen |= w.before.looked
		}
	}
	told.marks |= marks &^ told.unknown
	return marks
}

func (w *watcher) watchSteps(s *System, out *explore.Steps) {
	width := s.layout.width
	for k, a := range out.Actions {
		w.look(s, &w.after, &w.afterSource, out.States[k*width:(k+1)*width])
		w.after.unsure = true
		for i, watch := range s.watches {
			if watch.Step != nil && out.Known>>i&1 == 0 && watch.Step(&w.before, &w.after) {
				out.Marks = append(out.Marks, explore.Mark{Bit: uint8(i), OnStep: true, Action: a})
			}
		}
	}
}

// look makes world the view of a packed state.
func (w *watcher) look(s *System, world *World, source *packed, words []uint64) {
	*source = packed{s, words}
	world.reference, world.traits, world.n, world.source = s.reference, &s.traits, len(s.tables), source
	world.live, world.initiators, world.quiescent, world.unsure = 0, 0, false, false
	for i, t := range s.tables {
		local := &t.local[s.layout.local(i).get(words)]
		world.add(t.id, &local.Local, local.leader)
	}
}

// packed is a packed state as the source of a World.
type packed struct {
	sys   *System
	words []uint64
}

func (p *packed) local(id spec.ID) Local {
	i := int(id) - 1
	return p.sys.tables[i].locals.values[p.sys.layout.local(i).get(p.words)]
}

func (p *packed) inbox(id spec.ID) Inbox {
	i := int(id) - 1
	return p.sys.tables[i].inbox[p.sys.layout.inbox(i).get(p.words)].content
}

func (p *packed) state() State { return p.sys.State(p.words) }
