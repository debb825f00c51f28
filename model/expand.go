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

	lanes   [MaxN]lane // by process
	asks    map[oracleRow]*row
	version int // of the layout that the fields are of

	// The state at hand.
	words  []uint64
	at     [MaxN]*row // not of a flat system
	env    Env
	next   Env // of the step at hand
	live   spec.Set
	cuts   bool // a crash may cut a step short
	all    bool // are live
	faces  uint64
	locals [MaxN]uint32    // of a flat system
	met    []bool          // in a flat system, the inboxes of each process: those that some state had
	first  int             // process, less 1, that is expanded alone
	busy   [MaxN + 1]uint8 // the processes that may have a step, without gaps
	doing  int             // how many they are
	out    *explore.Steps

	summed   bool                     // the following are known
	inFlight spec.Set                 // those from whom something is on its way
	held     [spec.MaxTimers]spec.Set // by timer: those whose expiry is not justified

	hopsFor spec.Set // live processes for which hops is known
	hops    [MaxN]spec.ID

	watcher
}

// lane is what an expander needs for every state of one process: where its
// numbers are in a state, and the rows that it remembers.
type lane struct {
	pair       field
	bits       uint   // of a pair that are of the local state
	first      uint64 // all ones if the pair is in the first word, else 0
	rows       rows
	tables     *tables
	local, box field
}

// Expand adds the steps out of words and the marks to out. The order of the
// steps is that of Reference.Steps.
func (x *expander) Expand(words []uint64, out *explore.Steps) bool {
	x.words, x.out, out.Quiet = words, out, true
	if f := x.sys.flat; (f == nil || f.version != x.sys.version || !x.expandFlat(f)) && !x.expandRows() {
		return false
	}
	if !x.learning {
		x.watch(x.sys, words, x.faces, out)
	}
	return true
}

// expandRows adds the steps out of the state at hand by the rows of the tables.
func (x *expander) expandRows() bool {
	if !x.load() {
		return false
	}
	mayCrash := x.mayCrash()
	x.cuts = mayCrash && x.sys.config.Split
	switch {
	case mayCrash || x.sys.mishaps:
		for i := range x.sys.tables {
			if !x.steps(i) || !x.befall(i, mayCrash) {
				return false
			}
		}
	case x.sys.reduction != nil && x.ample():
		if !x.steps(x.first) {
			return false
		}
	default:
		for _, i := range x.busy[:x.doing] {
			if !x.steps(int(i)) {
				return false
			}
		}
	}
	return x.sys.config.Partitions == 0 || x.divisions()
}

// steps adds the steps of process i+1.
func (x *expander) steps(i int) bool {
	r := x.at[i]
	if len(r.offers) > 0 && !x.offers(x.sys.tables[i], i, r) {
		return false
	}
	return x.strides(i, r)
}

// befall adds what may happen to process i+1 and to the messages on their way
// to it.
func (x *expander) befall(i int, mayCrash bool) bool {
	t, r := x.sys.tables[i], x.at[i]
	if mayCrash && r.status != Down && !x.crash(x.sys.doing(Crash, t.id, 0), i, x.words, t.local[r.local].down) {
		return false
	}
	return !x.sys.mishaps || x.mishaps(t, i, r)
}

// load looks up all that is known of a state.
func (x *expander) load() bool {
	s := x.sys
	if x.version != s.version || x.lanes[0].tables == nil {
		x.fit()
	}
	if s.traits.Oracle {
		x.live = x.liveNow()
	}
	live, faces, busy := spec.Set(0), uint64(0), 0
	lanes := x.lanes[:len(s.tables)]
	for i := range lanes {
		l := &lanes[i]
		pair := l.pair.all(x.words)
		r := l.row(pair)
		if r == nil || r.pair != pair || s.traits.Oracle {
			if r = x.row(i, pair); r == nil {
				return false
			}
		}
		x.at[i] = r
		live |= r.live
		faces |= r.face
		x.busy[busy] = uint8(i)
		busy += r.busy
	}
	x.live, x.faces, x.doing, x.summed = live, faces, busy, false
	if s.hasEnv {
		x.env = s.envs.values[s.layout.env().get(x.words)]
		x.next = x.env
	}
	x.all = live == s.all
	return true
}

// fit makes x fit the layout of the system.
func (x *expander) fit() {
	l := &x.sys.layout
	x.version, x.asks = x.sys.version, nil
	for i, t := range x.sys.tables {
		lane := lane{tables: t, local: *l.local(i), box: *l.inbox(i), pair: l.pair(i)}
		lane.bits = lane.box.shift - lane.local.shift
		if lane.pair.word == 0 {
			lane.first = ^uint64(0)
		}
		x.lanes[i] = lane
	}
}

func (x *expander) liveNow() spec.Set {
	live := spec.Set(0)
	for i, t := range x.sys.tables {
		if t.local[x.lanes[i].local.get(x.words)].Status != Down {
			live |= 1 << i
		}
	}
	return live
}

func (x *expander) mayCrash() bool {
	if x.sys.config.Crashes == 0 {
		return false
	}
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
func (x *expander) offers(t *tables, i int, r *row) bool {
	for _, k := range r.offers {
		e := t.offers[r.local][k].event
		if !x.mayHappen(t, r.local, r.box, e) {
			continue
		}
		m, ok := x.offered(t, r.local, k)
		if !ok {
			return false
		}
		move := &t.moves[m]
		if move.refused {
			continue
		}
		action := move.action
		switch falsely := e.Kind == spec.Suspect && x.live.Has(e.Peer); {
		case falsely:
			x.next.Suspicions++
			action = action&^0xff | explore.Action(x.sys.reference.kinds.falsely)
		case e.Kind == spec.Recover:
			x.next.Recoveries++
		default:
			x.out.Quiet = false
		}
		if !x.take(i, move, action, r.box) {
			return false
		}
		x.next = x.env
	}
	return true
}

// strides adds the steps of process i+1 that the world always lets happen.
func (x *expander) strides(i int, r *row) bool {
	if len(r.strides) == 0 {
		return true
	}
	x.out.Quiet = false
	if len(x.words) <= 2 {
		return x.stridesNarrow(i, r)
	}
	for k := range r.strides {
		st := &r.strides[k]
		if !x.take(i, st.move, st.action, x.lanes[i].rest(r, st)) {
			return false
		}
	}
	return true
}

// stridesNarrow is strides for states of one word or two: it is where most
// of the time goes, and keeps them in registers.
func (x *expander) stridesNarrow(i int, r *row) bool {
	out, first, wide := x.out, x.lanes[i].first, len(x.words) == 2
	w0, w1 := x.words[0], x.words[len(x.words)-1]
	for k := range r.strides {
		st := &r.strides[k]
		if st.to == several {
			if !x.take(i, st.move, st.action, x.lanes[i].rest(r, st)) {
				return false
			}
			continue
		}
		v0, v1 := w0^st.change&first, w1^st.change&^first
		if st.to != nobody && (x.all || x.reaches(int(st.to))) {
			to, box := &x.lanes[st.to], x.at[st.to].box
			after := uint32(to.tables.insert.at(box, st.letter) - 1)
			if after == never {
				var ok bool
				if after, ok = x.inserted(int(st.to), box, st.letter); !ok {
					return false
				}
			}
			change := to.box.place(box ^ after)
			v0 ^= change & to.first
			v1 ^= change &^ to.first
		}
		out.Actions = append(out.Actions, st.action)
		if out.States = append(out.States, v0); wide {
			out.States = append(out.States, v1)
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
	if m := t.receive.at(local, letter); m != unlearned && !x.sys.traits.Oracle {
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
	t.receive.set(local, letter, m+1)
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
	return uint32(c.rest - 1), x.fits(int(t.id-1), uint32(c.rest-1))
}

// mayHappen reports whether the world lets t's process, of which the numbers are
// given, handle e now.
func (x *expander) mayHappen(t *tables, local, box uint32, e spec.Event) bool {
	switch e.Kind {
	case spec.Recover:
		return x.env.Recoveries < uint8(x.sys.config.Recoveries)
	case spec.Notice:
		return x.leaderless(t.local[local].leader)
	case spec.Timeout:
		return x.mayExpire(t, local, e.Timer)
	case spec.Suspect:
		if x.live.Has(e.Peer) {
			return x.env.Suspicions < uint8(x.sys.config.Suspicions)
		}
		return x.sys.config.Detector != Flushed || !t.inbox[box].senders.Has(e.Peer)
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
	x.sum()
	return x.inFlight&senders != 0
}

func (x *expander) mayExpire(t *tables, local uint32, timer spec.Timer) bool {
	rule := &x.sys.traits.Rules[timer]
	timing := x.sys.config.Timers
	if timing == Any || timing == Mixed && !rule.Elects {
		return true
	}
	silent := t.local[local].silent[timer]
	if rule.AllDown && silent&x.live != 0 {
		return false
	}
	if x.sum(); x.held[timer].Has(t.id) {
		return false
	}
	return timing == Just || !x.inFlightFrom(silent&^x.live)
}

// sum gathers what the world looks at before a timer may expire.
func (x *expander) sum() {
	if x.summed {
		return
	}
	x.summed, x.inFlight = true, 0
	held := x.held[:len(x.sys.traits.Rules)]
	clear(held)
	for i, t := range x.sys.tables {
		local := &t.local[x.sys.layout.local(i).get(x.words)]
		in := &t.inbox[x.sys.layout.inbox(i).get(x.words)]
		x.inFlight |= in.senders
		if local.Status == Down {
			continue
		}
		for timer := range held {
			held[timer] |= in.holdsUp[timer] | local.owing[timer]
		}
	}
}

// take adds the step in which process i+1 makes a move that leaves rest as its
// inbox, and those in which a crash cuts it short.
func (x *expander) take(i int, m *move, action explore.Action, rest uint32) bool {
	if m.odd {
		if !m.beyond {
			x.out.Marks = append(x.out.Marks, explore.Mark{Bit: PanicMark, OnStep: true, Action: action})
		}
		x.out.Cut = x.out.Cut || x.next == x.env // else it is one that need not happen
		return true
	}
	next := x.out.Add(action, x.words)
	if x.next != x.env && !x.setEnv(next, x.next) {
		return false
	}
	at := len(x.out.States) - len(next)
	x.lanes[i].box.change(next, x.at[i].box, rest)
	for k := range m.sends {
		if k > 0 && x.cuts {
			if !x.crash(x.sys.cutAction(action, k), i, next, m.down) {
				return false
			}
			next = x.out.States[at : at+len(next)] // may have moved
		}
		if !x.send(&m.sends[k], spec.ID(i+1), next) {
			return false
		}
	}
	x.lanes[i].local.change(next, x.at[i].local, m.to)
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

// send puts a message on its way.
func (x *expander) send(m *sending, from spec.ID, next []uint64) bool {
	to, letter := m.to, m.letter
	if to == spec.NextLive {
		to = x.hop(from)
		letter = m.letters[to-1]
	}
	return x.env.parts(from, to) || x.deliver(int(to-1), letter, next)
}

// deliver puts a letter into the inbox of process i+1 in next, unless that is
// down, and for good.
func (x *expander) deliver(i int, letter uint32, next []uint64) bool {
	if !x.reaches(i) {
		return true
	}
	box := x.lanes[i].box.get(next)
	after, ok := x.inserted(i, box, letter)
	if ok {
		x.lanes[i].box.change(next, box, after)
	}
	return ok
}

// never is what is one less than unlearned.
const never = 1<<32 - 1

// reaches reports whether what is sent to process i+1 gets into its inbox.
func (x *expander) reaches(i int) bool {
	return x.live>>i&1 != 0 || x.sys.config.Recoveries > 0
}

// inserted returns an inbox of process i+1 with a letter.
func (x *expander) inserted(i int, box, letter uint32) (uint32, bool) {
	t := x.sys.tables[i]
	after := t.insert.at(box, letter)
	if after == unlearned {
		if !x.learning {
			return 0, false
		}
		id := x.sys.numberInbox(t, t.inbox[box].content.with(x.sys.config.Network, t.letters.values[letter]))
		after = int32(id) + 1
		t.insert.set(box, letter, after)
	}
	return uint32(after - 1), x.fits(i, uint32(after-1))
}

// fits reports whether the number of an inbox of process i+1 fits into its field.
// Until the layout is widened, which comes next, there is nothing to be learned
// from a step into which it does not.
func (x *expander) fits(i int, box uint32) bool {
	return !x.learning || uint64(box) <= x.lanes[i].box.mask
}

// hop returns the next live process on the ring.
func (x *expander) hop(from spec.ID) spec.ID {
	if x.hopsFor != x.live {
		x.hopsFor = x.live
		for p := range x.live.All() {
			x.hops[p-1] = spec.NextOnRing(x.sys.ring, p, x.live)
		}
	}
	if !x.live.Has(from) { // it is about to recover
		return spec.NextOnRing(x.sys.ring, from, x.live)
	}
	return x.hops[from-1]
}
