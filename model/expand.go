package model

import (
	"interleave/explore"
	"interleave/spec"
)

// expander computes steps out of packed states by the tables alone. If it is
// learning, it fills in what the tables lack.
type expander struct {
	sys      *System
	learning bool

	// The state at hand.
	words  []uint64
	locals [MaxN]uint32
	boxes  [MaxN]uint32
	live   spec.Set
	out    *explore.Steps

	watcher
}

// Expand adds the steps out of words and the marks to out. The order of the
// steps is that of Reference.Steps.
func (x *expander) Expand(words []uint64, out *explore.Steps) bool {
	x.load(words)
	x.out, out.Quiet = out, true
	mayCrash := x.mayCrash()
	for i, t := range x.sys.tables {
		local := &t.local[x.locals[i]]
		if local.Status == Down {
			continue
		}
		if !x.offers(t, i, mayCrash) || local.Status == Up && !x.deliveries(t, i, mayCrash) {
			return false
		}
		if mayCrash {
			x.crash(crashAction(x.sys.kinds.crash, t.id), i, x.words)
		}
	}
	if !x.learning {
		x.watch(x.sys, x.words, x.out)
	}
	return true
}

// load reads the fields of a state.
func (x *expander) load(words []uint64) {
	x.words, x.live = words, 0
	for i, t := range x.sys.tables {
		x.locals[i] = x.sys.layout.local(i).get(words)
		x.boxes[i] = x.sys.layout.inbox(i).get(words)
		if t.local[x.locals[i]].Status != Down {
			x.live |= 1 << i
		}
	}
}

func (x *expander) mayCrash() bool {
	down := (x.sys.all &^ x.live).Len()
	if x.sys.config.Start == LeaderDown {
		down--
	}
	return down < x.sys.config.Crashes
}

// offers adds the steps of process i+1 that take no message.
func (x *expander) offers(t *tables, i int, mayCrash bool) bool {
	local := x.locals[i]
	for k := range t.offers[local] {
		o := &t.offers[local][k]
		if !x.mayHappen(t, i, o.event) {
			continue
		}
		if o.move == unlearned {
			if !x.learning {
				return false
			}
			m := x.sys.learnMove(t, local, o.event, 0)
			t.offers[local][k].move = m + 1 // o may have moved
			o = &t.offers[local][k]
		}
		if !x.step(t, i, o.move-1, x.boxes[i], mayCrash) {
			return false
		}
	}
	return true
}

// deliveries adds the steps in which process i+1 receives a message.
func (x *expander) deliveries(t *tables, i int, mayCrash bool) bool {
	local, box := x.locals[i], x.boxes[i]
	for k := range t.choices[box] {
		c := t.choices[box][k]
		m := entry(t.receive[local], c.letter)
		if m == unlearned {
			if !x.learning {
				return false
			}
			e := t.letters.values[c.letter]
			m = x.sys.learnMove(t, local, spec.Event{Kind: spec.Receive, From: e.From, Message: e.Message}, c.letter) + 1
			setEntry(&t.receive[local], c.letter, uint32(m-1))
		}
		if t.moves[m-1].refused {
			continue
		}
		if c.rest == unlearned {
			if !x.learning {
				return false
			}
			c.rest = int32(x.sys.numberInbox(t, t.inbox[box].content.without(int(c.place)))) + 1
			t.choices[box][k].rest = c.rest
		}
		if !x.step(t, i, m-1, uint32(c.rest-1), mayCrash) {
			return false
		}
	}
	return true
}

// mayHappen reports whether the world lets process i+1 handle e now.
func (x *expander) mayHappen(t *tables, i int, e spec.Event) bool {
	switch e.Kind {
	case spec.Notice:
		return x.leaderless(t.local[x.locals[i]].leader)
	case spec.Timeout:
		return x.mayExpire(t, i, e.Timer)
	case spec.Suspect:
		return !x.live.Has(e.Peer) &&
			(x.sys.config.Detector == Perfect || !t.inbox[x.boxes[i]].senders.Has(e.Peer))
	}
	return true
}

func (x *expander) leaderless(leader spec.ID) bool {
	if leader == spec.None {
		return true
	}
	if x.live.Has(leader) {
		return false
	}
	waits := x.sys.config.Timers == Flush && len(x.sys.traits.Rules) > 0
	return !waits || !x.inFlightFrom(spec.SetOf(leader))
}

func (x *expander) inFlightFrom(senders spec.Set) bool {
	for i, t := range x.sys.tables {
		if t.inbox[x.boxes[i]].senders&senders != 0 {
			return true
		}
	}
	return false
}

func (x *expander) mayExpire(t *tables, i int, timer spec.Timer) bool {
	rule := &x.sys.traits.Rules[timer]
	timing := x.sys.config.Timers
	if timing == Any || timing == Mixed && !rule.Elects {
		return true
	}
	silent := t.local[x.locals[i]].silent[timer]
	if rule.AllDown && silent&x.live != 0 {
		return false
	}
	for j, other := range x.sys.tables {
		if other.inbox[x.boxes[j]].holdsUp[timer].Has(t.id) {
			return false
		}
	}
	return timing == Just || !x.inFlightFrom(silent&^x.live)
}

// step adds the step in which process i+1 makes a move that leaves box as its
// inbox, and those in which a crash cuts it short.
func (x *expander) step(t *tables, i int, number int32, box uint32, mayCrash bool) bool {
	m := &t.moves[number]
	if m.refused {
		return true
	}
	x.out.Quiet = false
	if m.panic != "" {
		x.out.Marks = append(x.out.Marks, explore.Mark{Bit: PanicMark, OnStep: true, Action: m.action})
		return true
	}
	next := x.out.Add(m.action, x.words)
	at := len(x.out.States) - len(next)
	x.sys.layout.inbox(i).change(next, x.boxes[i], box)
	for k := range m.sends {
		if k > 0 && mayCrash && x.sys.config.Split {
			x.crash(x.sys.cutAction(m.action, k), i, next)
			next = x.out.States[at : at+len(next)] // may have moved
		}
		if !x.send(&m.sends[k], t.id, next) {
			return false
		}
	}
	x.sys.layout.local(i).change(next, x.locals[i], m.to)
	return true
}

// send puts a message into its receiver's inbox in next, unless the receiver
// is down.
func (x *expander) send(m *sending, from spec.ID, next []uint64) bool {
	to, letter := m.to, m.letter
	if to == spec.NextLive {
		to = spec.NextOnRing(x.sys.ring, from, x.live)
		letter = m.letters[to-1]
	}
	if !x.live.Has(to) {
		return true
	}
	t, field := x.sys.tables[to-1], x.sys.layout.inbox(int(to-1))
	box := field.get(next)
	after := entry(t.insert[box], letter)
	if after == unlearned {
		if !x.learning {
			return false
		}
		id := x.sys.numberInbox(t, t.inbox[box].content.with(x.sys.config.Network, t.letters.values[letter]))
		setEntry(&t.insert[box], letter, id)
		after = int32(id) + 1
	}
	field.change(next, box, uint32(after-1))
	return true
}

// crash adds a step to the state s but with process i+1 down.
func (x *expander) crash(a explore.Action, i int, s []uint64) {
	next := x.out.Add(a, s)
	local, inbox := x.sys.layout.local(i), x.sys.layout.inbox(i)
	local.change(next, local.get(next), 0)
	inbox.change(next, inbox.get(next), 0)
}
