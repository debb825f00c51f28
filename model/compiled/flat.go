package compiled

import (
	"math/bits"
	"slices"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// flat is the form of a system in which the number of an inbox is a bit set of the messages in
// it. So the messages in flight are bits of a state, which also list what may happen next, and a
// step changes a few bits that depend on the local state of one process alone. All steps come
// from one loop over the bits of a word or two. What this loop reads fits the first-level cache,
// which the rows of a search do not (BenchmarkSearch, classic/n=8).
//
// A world has this form if messages are sets; if everything that a process may do is known before
// the search, depends on no other process and is not up to a choice; if whatever is possible has to
// happen some time; if the environment is no part of a state; and if nothing waits for a message that is
// refused. A state with an unusual step is expanded by rows.
type flat struct {
	*LocalSteps
	layout   layout
	version  int // of the layout
	groups   []*wordGroup
	inboxes  [model.MaxN]wordPair          // where the inbox of each process is in a state
	internal [model.MaxN][][]guardedAction // by process, local state and internal action
	from     [model.MaxN]wordPair          // where in a state the messages from each process are
}

// wordGroup is the processes of one word of a state. Their options are the bits of one number. For
// each process in turn, these are its internal actions, the messages that it may receive, in the order of
// inboxes, and its crash. The messages are at the same distances from one another as in the word.
type wordGroup struct {
	word    int
	turn    int    // by how many bits to rotate the inboxes to get options
	locals  uint64 // masks out all but the local states
	members []member
	options [64]option
	size    int
	crashes uint64 // those of the options that are crashes
	guarded bool   // some option has a guard
}

// member is one process of a group.
type member struct {
	local     field
	first     int // option: its internal actions
	summaries []summary
	guards    []guard // of its first option, by local state
}

// knownSummary is the summary of the local states of a group. An expander remembers it, since few
// others are met between two states with the same one. The zero value is right, too: it is that
// of local states 0, in which all processes are down.
type knownSummary struct {
	summary
	locals uint64              // the local states, in the word
	absent *[model.MaxN]uint64 // by member: messages that prevent its first option; nil if there are no guards
}

const knownSummaries = 1 << 10

// summary is what the local state of one process, or those of several, says.
type summary struct {
	live   spec.Set
	view   uint64
	always uint64 // options that take no message and are possible
	takes  uint64 // messages that may be received, at their bits in a state
}

// option is one thing that one process may do.
type option struct {
	process int
	local   field
	steps   []flatStep // by local state
}

// flatStep is an option in one local state.
type flatStep struct {
	action explore.Action
	loses  wordPair // messages in flight that are removed
	change wordPair // bits of the state to be flipped
	sends  wordPair // messages to be set, except those to processes that are down
	how    how
}

// how says how an option is expanded.
type how uint8

const (
	unusual    how = iota // expand the state by rows
	guardedHow            // check which internal actions the world lets happen
	ifAllLive             // as the flatStep says, if all processes are live
	plain                 // what the flatStep says
	crashing              // as the flatStep says; it is a failure
)

// usual reports whether the flatStep says what happens; all is whether all processes are live.
func (h how) usual(all bool) bool { return h >= plain || h == ifAllLive && all }

// Bounds on the inboxes and groups of a flat system.
const mostSubsets, mostGroups = 1 << 13, 2

// newFlat returns the flat form of a system, with that version of the layout; nil if there is none.
func newFlat(s *LocalSteps, l layout, version int) *flat {
	subsets := 0
	for _, t := range s.tables {
		subsets += 1 << min(len(t.Messages.Values), 20)
	}
	if s.config.Network != model.Set || s.traits.Oracle || s.refusing || s.hasEnv || l.width > mostGroups || l.apart || subsets > mostSubsets {
		return nil
	}
	for _, t := range s.tables {
		if slices.ContainsFunc(t.Moves, func(m Move) bool { return m.others > 0 }) {
			return nil
		}
	}
	if slices.ContainsFunc(s.traits.Actions, func(act spec.ActionTraits) bool { return !act.Fair }) {
		return nil
	}
	for _, t := range s.tables {
		t.numberSubsets()
	}
	f := &flat{LocalSteps: s, layout: l, version: version}
	for i := range s.tables {
		inbox := l.inbox(i)
		f.inboxes[i][inbox.word] = inbox.mask << inbox.shift
		for p := range s.tables {
			f.from[p] = f.places(i, func(in *inboxInfo) bool { return in.senders.Has(spec.ID(p + 1)) }).or(f.from[p])
		}
		if !f.add(i) {
			return nil
		}
	}
	return f
}

// add adds process i+1 to the group of its word; false if its options do not fit.
func (f *flat) add(i int) bool {
	t := f.tables[i]
	order := t.inOrder()
	local, inbox := *f.layout.local(i), f.layout.inbox(i)
	if local.word == len(f.groups) {
		f.groups = append(f.groups, &wordGroup{word: local.word, turn: 1 - int(inbox.shift)})
	}
	g := f.groups[local.word]
	first, end := int(inbox.shift)-1+g.turn, int(inbox.shift)+g.turn+len(order)+1
	if first < g.size || end > 64 {
		return false
	}
	options := g.options[first:end]
	for k := range options {
		options[k] = option{i, local, make([]flatStep, len(t.Info))}
	}
	m := member{local: local, first: first}
	for local := range t.Info {
		st := f.summary(i, uint32(local), options, order)
		internal := f.guardedActions(i, uint32(local))
		guard := guard{}
		switch first := &options[0].steps[local]; {
		case len(internal) == 1 && internal[0].told(f.layout.width):
			*first, guard = internal[0].flatStep, internal[0].guard
			st.always |= 1
		case len(internal) > 0:
			first.how = guardedHow
			st.always |= 1
		}
		st.always <<= first
		f.internal[i] = append(f.internal[i], internal)
		m.summaries, m.guards = append(m.summaries, st), append(m.guards, guard)
		g.guarded = g.guarded || guard != unguarded
	}
	g.size, g.crashes, g.locals = end, g.crashes|1<<(end-1), g.locals|local.place(uint32(local.mask))
	g.members = append(g.members, m)
	return true
}

// summary returns the summary of a local state of process i+1, and fills in its options for that.
// The order is that of messages in inboxes.
func (f *flat) summary(i int, local uint32, options []option, order []uint32) summary {
	t := f.tables[i]
	info := &t.Info[local]
	st := summary{view: info.viewAt(i, len(f.tables))}
	if info.Status == model.Down {
		return st
	}
	st.live = spec.SetOf(t.ID)
	if info.Fails {
		crash := flatStep{action: f.Doing(model.Crash, t.ID, 0), how: crashing}
		crash.alter(f.layout.local(i), local^info.Down)
		inbox := f.layout.inbox(i)
		crash.loses[inbox.word] = inbox.mask << inbox.shift
		options[len(options)-1].steps[local], st.always = crash, 1<<(len(options)-1)
	}
	if info.Status == model.Booting {
		return st
	}
	for k, message := range order {
		m := &t.Moves[t.receive.at(local, message)-1]
		if m.Refused {
			continue
		}
		l := f.flatStep(i, local, m)
		l.alter(f.layout.inbox(i), 1<<k)
		options[1+k].steps[local] = l
		st.takes |= f.layout.inbox(i).place(1 << k)
	}
	return st
}

// flatStep returns a move of process i+1 in a local state. It does not remove the message that
// the move takes.
func (f *flat) flatStep(i int, local uint32, m *Move) flatStep {
	l := flatStep{action: m.Action, how: plain}
	if m.deadEnd || m.Broken != 0 {
		l.how = unusual
		return l
	}
	l.alter(f.layout.local(i), local^m.To)
	for _, send := range m.Sends {
		to, message := send.To, send.ID
		if to == spec.NextLive {
			l.how = ifAllLive
			to = spec.NextOnRing(f.ring, spec.ID(i+1), f.all)
			message = send.IDs[to-1]
		}
		inbox, k := f.layout.inbox(int(to-1)), slices.Index(f.tables[to-1].inOrder(), message)
		l.sends[inbox.word] |= inbox.place(1 << k)
	}
	return l
}

// alter adds the change of a field to l.
func (l *flatStep) alter(f *field, change uint32) { l.change[f.word] ^= f.place(change) }

// expand does what expander.expand does, in a flat system. If it returns false, the state is to be expanded by
// rows.
func (f *flat) expand(x *expander) bool {
	actions, states := len(x.out.Actions), len(x.out.States)
	var options [mostGroups]uint64
	f.load(x, &options)
	mayCrash := x.left(model.Crashes)
	if x.cutsLeft() {
		return false
	}
	open := wordPair{^uint64(0), ^uint64(0)}
	for down := x.all &^ x.live; down != 0; down &= down - 1 {
		inbox := &f.inboxes[bits.TrailingZeros64(uint64(down))&(model.MaxN-1)]
		open[0] &^= inbox[0]
		open[1] &^= inbox[1]
	}
	for k, g := range f.groups {
		if !mayCrash {
			options[k] &^= g.crashes
		}
		if !f.addSteps(x, g, options[k], &open) {
			x.out.Actions, x.out.States, x.out.Quiet = x.out.Actions[:actions], x.out.States[:states], true
			return false
		}
	}
	return true
}

// load computes what the steps out of a state depend on, and the options in it.
func (f *flat) load(x *expander, options *[mostGroups]uint64) {
	if x.summaries == nil {
		x.summaries = make([][knownSummaries]knownSummary, len(f.groups))
	}
	live, views := spec.Set(0), uint64(0)
	for k, g := range f.groups {
		word := x.words[g.word]
		locals := word & g.locals
		at := &x.summaries[k][locals*0x9e3779b97f4a7c15>>32%knownSummaries]
		if at.locals != locals {
			at.summary, at.locals = g.look(locals), locals
			if g.guarded {
				at.heed(f, g)
			}
		}
		live |= at.live
		views |= at.view
		options[k] = at.always | bits.RotateLeft64(word&at.takes, g.turn)
		if at.absent != nil {
			options[k] &^= at.prevented(g, word)
		}
	}
	x.live, x.views, x.allLive, x.summed = live, views, live == x.all, false
}

// look returns the summary of local states, which are given in the word of the group.
func (g *wordGroup) look(locals uint64) (all summary) {
	for i := range g.members {
		m := &g.members[i]
		st := &m.summaries[locals>>m.local.shift&m.local.mask]
		all.live |= st.live
		all.view |= st.view
		all.always |= st.always
		all.takes |= st.takes
	}
	return all
}

// heed takes out the options whose guards ask for others to be down, if these are live, and
// records which messages the guards ask to be absent. All processes are in the group.
func (k *knownSummary) heed(f *flat, g *wordGroup) {
	if k.absent == nil {
		k.absent = new([model.MaxN]uint64)
	}
	for i := range g.members {
		m := &g.members[i]
		guard := &m.guards[k.locals>>m.local.shift&m.local.mask]
		if guard.down&k.live != 0 {
			k.always &^= 1 << m.first
		}
		k.absent[i] = guard.absent[g.word]
		for p := range (guard.silent &^ k.live).All() {
			k.absent[i] |= f.from[p-1][g.word]
		}
	}
}

// prevented returns the options that messages in flight prevent. It has no branch that depends on
// these.
func (k *knownSummary) prevented(g *wordGroup, word uint64) (options uint64) {
	for i := range g.members {
		met := word & k.absent[i&(model.MaxN-1)]
		options |= (met | -met) >> 63 << (g.members[i].first & 63)
	}
	return options
}

// addSteps adds the steps of some options of a group. Messages to processes that are down are
// not in open.
func (f *flat) addSteps(x *expander, g *wordGroup, options uint64, open *wordPair) bool {
	if len(x.words) == 1 {
		return f.addStepsNarrow(x, g, options, open)
	}
	out := x.out
	w0, w1, own := x.words[0], x.words[1], x.words[g.word]
	open0, open1 := open[0], open[1]
	actions, states := out.Actions, out.States
	acts := how(0) // 0 while nothing but failures can happen
	for ; options != 0; options &= options - 1 {
		o := &g.options[bits.TrailingZeros64(options)&63]
		l := &o.steps[own>>(o.local.shift&63)&o.local.mask]
		switch {
		case l.how.usual(x.allLive):
		case l.how == guardedHow:
			out.Actions, out.States = actions, states
			if !f.addInternal(x, o.process, open) {
				return false
			}
			actions, states = out.Actions, out.States
			continue
		default:
			return false
		}
		acts |= l.how ^ crashing
		actions = append(actions, l.action)
		states = append(states, w0&^l.loses[0]^l.change[0]|l.sends[0]&open0, w1&^l.loses[1]^l.change[1]|l.sends[1]&open1)
	}
	out.Actions, out.States = actions, states
	out.Quiet = out.Quiet && acts == 0
	return true
}

// addStepsNarrow is addSteps for states of one word: most of the time is spent here.
func (f *flat) addStepsNarrow(x *expander, g *wordGroup, options uint64, open *wordPair) bool {
	out, word, open0 := x.out, x.words[0], open[0]
	n := len(out.Actions)
	actions, states := room(out.Actions, options), room(out.States, options)
	acts := how(0)
	for ; options != 0; options &= options - 1 {
		o := &g.options[bits.TrailingZeros64(options)&63]
		l := &o.steps[word>>(o.local.shift&63)&o.local.mask]
		switch {
		case l.how.usual(x.allLive):
		case l.how == guardedHow:
			out.Actions, out.States = actions[:n], states[:n]
			if !f.addInternal(x, o.process, open) {
				return false
			}
			n = len(out.Actions)
			actions, states = room(out.Actions, options), room(out.States, options)
			continue
		default:
			return false
		}
		acts |= l.how ^ crashing
		actions[n] = l.action
		states[n] = word&^l.loses[0] ^ l.change[0] | l.sends[0]&open0
		n++
	}
	out.Actions, out.States = actions[:n], states[:n]
	out.Quiet = out.Quiet && acts == 0
	return true
}

// room returns s with room for as many more elements as there are options.
func room[T any](s []T, options uint64) []T {
	n := len(s) + bits.OnesCount64(options)
	return slices.Grow(s, n-len(s))[:n]
}
