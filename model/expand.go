package model

import (
	"slices"

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
	env    Env
	live   spec.Set
	out    *explore.Steps

	watcher
}

// Expand adds the steps out of words and the marks to out. The order of the
// steps is that of Reference.Steps.
func (x *expander) Expand(words []uint64, out *explore.Steps) bool {
	x.load(words)
	x.out, out.Quiet = out, true
	maySomeCrash := x.mayCrash()
	for i, t := range x.sys.tables {
		up := t.local[x.locals[i]].Status
		mayCrash := maySomeCrash && up != Down
		if !x.offers(t, i, maySomeCrash) || up == Up && !x.deliveries(t, i, mayCrash) {
			return false
		}
		if mayCrash && !x.crash(x.sys.doing(Crash, t.id, 0), i, x.words, t.local[x.locals[i]].down) {
			return false
		}
		if x.sys.mishaps && !x.befall(t, i, up == Down) {
			return false
		}
	}
	if x.sys.config.Partitions > 0 && !x.divisions() {
		return false
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
	if x.sys.hasEnv {
		x.env = x.sys.envs.values[x.sys.layout.env().get(words)]
	}
}

func (x *expander) mayCrash() bool {
	if x.sys.config.Recoveries > 0 {
		return x.env.Crashes < uint8(x.sys.config.Crashes)
	}
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
		e := t.offers[local][k].event
		if !x.mayHappen(t, i, e) {
			continue
		}
		m, ok := x.offered(t, local, k)
		if !ok || !x.step(t, i, m, x.boxes[i], mayCrash) {
			return false
		}
	}
	return true
}

// offered returns the number of the move of an offer.
func (x *expander) offered(t *tables, local uint32, k int) (int32, bool) {
	if x.sys.traits.Oracle {
		return x.asked(t, oracleStep{local: local, number: uint32(k), live: x.live}, t.offers[local][k].event)
	}
	if m := t.offers[local][k].move; m != unlearned || !x.learning {
		return m - 1, m != unlearned
	}
	m := x.sys.learnMove(t, local, x.live, t.offers[local][k].event, 0)
	t.offers[local][k].move = m + 1 // the offers may have moved
	return m, true
}

// delivered returns the number of the move that takes a letter.
func (x *expander) delivered(t *tables, local, letter uint32) (int32, bool) {
	if m := entry(t.receive[local], letter); m != unlearned && !x.sys.traits.Oracle {
		return m - 1, true
	}
	e := t.letters.values[letter]
	event := spec.Event{Kind: spec.Receive, From: e.From, Message: e.Message}
	if x.sys.traits.Oracle {
		return x.asked(t, oracleStep{local: local, letter: true, number: letter, live: x.live}, event)
	}
	if !x.learning {
		return 0, false
	}
	m := x.sys.learnMove(t, local, x.live, event, letter)
	setEntry(&t.receive[local], letter, uint32(m))
	return m, true
}

// asked returns the number of a move that depends on who is live.
func (x *expander) asked(t *tables, o oracleStep, e spec.Event) (int32, bool) {
	m, ok := t.oracle[o]
	if ok || !x.learning {
		return m, ok
	}
	letter := uint32(0)
	if o.letter {
		letter = o.number
	}
	m = x.sys.learnMove(t, o.local, o.live, e, letter)
	t.oracle[o] = m
	return m, true
}

// deliveries adds the steps in which process i+1 receives a message.
func (x *expander) deliveries(t *tables, i int, mayCrash bool) bool {
	box := x.boxes[i]
	for k := range t.choices[box] {
		m, ok := x.delivered(t, x.locals[i], t.choices[box][k].letter)
		if !ok {
			return false
		}
		if t.moves[m].refused {
			continue
		}
		rest, ok := x.rest(t, box, k)
		if !ok || !x.step(t, i, m, rest, mayCrash) {
			return false
		}
	}
	return true
}

// rest returns the inbox without what the k-th choice takes from it.
func (x *expander) rest(t *tables, box uint32, k int) (uint32, bool) {
	c := t.choices[box][k]
	if c.rest == unlearned {
		if !x.learning {
			return 0, false
		}
		c.rest = int32(x.sys.numberInbox(t, t.inbox[box].content.without(int(c.place)))) + 1
		t.choices[box][k].rest = c.rest
	}
	return uint32(c.rest - 1), true
}

// mayHappen reports whether the world lets process i+1 handle e now.
func (x *expander) mayHappen(t *tables, i int, e spec.Event) bool {
	switch e.Kind {
	case spec.Recover:
		return x.env.Recoveries < uint8(x.sys.config.Recoveries)
	case spec.Notice:
		return x.leaderless(t.local[x.locals[i]].leader)
	case spec.Timeout:
		return x.mayExpire(t, i, e.Timer)
	case spec.Suspect:
		if x.live.Has(e.Peer) {
			return x.env.Suspicions < uint8(x.sys.config.Suspicions)
		}
		return x.sys.config.Detector != Flushed || !t.inbox[x.boxes[i]].senders.Has(e.Peer)
	case spec.Restore:
		return x.live.Has(e.Peer)
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
	return !x.sys.noticesLate || !x.inFlightFrom(spec.SetOf(leader))
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
		if !x.live.Has(other.id) {
			continue
		}
		if other.inbox[x.boxes[j]].holdsUp[timer].Has(t.id) || other.local[x.locals[j]].owing[timer].Has(t.id) {
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
	action, env, fair := m.action, x.env, true
	switch e := spec.EventKind(action >> eventShift & 0xf); {
	case e == spec.Recover:
		env.Recoveries++
		fair = false
	case e == spec.Suspect && x.live.Has(spec.ID(action>>argShift&0xff)):
		env.Suspicions++
		fair = false
		action = action&^0xff | explore.Action(x.sys.kinds.falsely)
	}
	if fair {
		x.out.Quiet = false
	}
	if m.beyond {
		return true
	}
	if m.panic != "" {
		x.out.Marks = append(x.out.Marks, explore.Mark{Bit: PanicMark, OnStep: true, Action: action})
		return true
	}
	next := x.out.Add(action, x.words)
	if !x.setEnv(next, env) {
		return false
	}
	at := len(x.out.States) - len(next)
	x.sys.layout.inbox(i).change(next, x.boxes[i], box)
	for k := range m.sends {
		if k > 0 && mayCrash && x.sys.config.Split {
			if !x.crash(x.sys.cutAction(action, k), i, next, t.local[m.to].down) {
				return false
			}
			next = x.out.States[at : at+len(next)] // may have moved
		}
		if !x.send(&m.sends[k], t.id, next) {
			return false
		}
	}
	x.sys.layout.local(i).change(next, x.locals[i], m.to)
	if m.broken != 0 {
		markBroken(x.out, m.broken, action)
	}
	return true
}

// setEnv sets the environment of next, a successor of the state at hand.
func (x *expander) setEnv(next []uint64, env Env) bool {
	if !x.sys.hasEnv || env == x.env {
		return true
	}
	number, ok := x.sys.envs.numbers[env]
	if !ok {
		if !x.learning {
			return false
		}
		number, _ = x.sys.envs.number(env)
	}
	field := x.sys.layout.env()
	field.change(next, field.get(next), number)
	return true
}

// send puts a message into its receiver's inbox in next, unless the receiver
// is down, and for good, or on the other side of a divided network.
func (x *expander) send(m *sending, from spec.ID, next []uint64) bool {
	to, letter := m.to, m.letter
	if to == spec.NextLive {
		to = spec.NextOnRing(x.sys.ring, from, x.live)
		letter = m.letters[to-1]
	}
	if x.env.parts(from, to) || x.sys.config.Recoveries == 0 && !x.live.Has(to) {
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
func (x *expander) crash(a explore.Action, i int, s []uint64, down uint32) bool {
	next := x.out.Add(a, s)
	local, inbox := x.sys.layout.local(i), x.sys.layout.inbox(i)
	local.change(next, local.get(next), down)
	if x.sys.config.Recoveries == 0 {
		inbox.change(next, inbox.get(next), 0)
		return true
	}
	env := x.env
	if x.sys.hasEnv { // s may be in the middle of a recovery
		env = x.sys.envs.values[x.sys.layout.env().get(s)]
	}
	env.Crashes++
	return x.setEnv(next, env)
}

// befall adds what may happen to the messages that may be next to arrive at
// process i+1.
func (x *expander) befall(t *tables, i int, down bool) bool {
	box := x.boxes[i]
	for k := range t.choices[box] {
		letter := t.choices[box][k].letter
		rest, ok := x.rest(t, box, k)
		if !ok {
			return false
		}
		if down {
			x.out.Quiet = false
			x.sys.layout.inbox(i).change(x.out.Add(x.sys.doing(Drop, t.id, letter)|receiving, x.words), box, rest)
		}
		if x.env.Losses < uint8(x.sys.config.Losses) {
			next := x.out.Add(x.sys.doing(Lose, t.id, letter)|receiving, x.words)
			x.sys.layout.inbox(i).change(next, box, rest)
			env := x.env
			env.Losses++
			if !x.setEnv(next, env) {
				return false
			}
		}
		if x.env.Duplicates < uint8(x.sys.config.Duplicates) && !x.duplicate(t, i, k) {
			return false
		}
	}
	return true
}

// duplicate adds the step that copies what the k-th choice of an inbox takes.
func (x *expander) duplicate(t *tables, i, k int) bool {
	box, c := x.boxes[i], t.choices[x.boxes[i]][k]
	if c.more == unlearned {
		if !x.learning {
			return false
		}
		content := t.inbox[box].content
		more := slices.Insert(slices.Clone(content), int(c.place), content[c.place])
		c.more = int32(x.sys.numberInbox(t, more)) + 1
		t.choices[box][k].more = c.more
	}
	next := x.out.Add(x.sys.doing(Copy, t.id, c.letter)|receiving, x.words)
	x.sys.layout.inbox(i).change(next, box, uint32(c.more-1))
	env := x.env
	env.Duplicates++
	return x.setEnv(next, env)
}

// receiving marks the letter in the action of a deed as that of a message.
const receiving = explore.Action(spec.Receive) << eventShift

// divisions adds the steps in which the network divides or heals.
func (x *expander) divisions() bool {
	env := x.env
	if env.Side != 0 {
		x.out.Quiet = false
		env.Side = 0
		return x.setEnv(x.out.Add(x.sys.doing(Heal, 0, 0), x.words), env)
	}
	if env.Partitions >= uint8(x.sys.config.Partitions) {
		return true
	}
	env.Partitions++
	for _, env.Side = range x.sys.sides {
		if !x.setEnv(x.out.Add(x.sys.doing(Divide, 0, uint32(env.Side)), x.words), env) {
			return false
		}
	}
	return true
}
