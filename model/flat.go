package model

import (
	"math/bits"
	"slices"

	"interleave/explore"
	"interleave/spec"
)

// flat is the form of a system in which the number of an inbox is a bit set of the messages
// in it. The bits of what is in flight are then also the list of what may happen next, and a
// step changes a few bits of a state, depending on the local state of one process alone. So
// all steps come from one loop over the bits of a word or two. What this loop reads fits the
// first-level cache, which the rows of a search do not (BenchmarkSearch, classic/n=8).
//
// A world has this form if messages are sets, if all that a process may do is known before
// the search and depends on no other process, if the environment is no part of a state, and
// if nothing waits for a message that is refused. States with an unusual step are left to the
// tables.
type flat struct {
	version int // of the layout
	groups  []*group
	inboxes [MaxN]parcels      // where the inbox of each process is in a state
	offers  [MaxN][][]offering // by process, local state and offer
	from    [MaxN]parcels      // where in a state the messages from each process are
}

// group is the processes of one word of a state. Their options are the bits of one
// number: of each process in turn, what it begins or is offered, the messages that it
// may receive, in the order of inboxes, and its crash. The messages are as far from
// one another as in the word.
type group struct {
	word    int
	turn    int    // from the bits of the inboxes to the options
	locals  uint64 // masks out all but the local states
	flanks  []flank
	options [64]option
	size    int
	crashes uint64 // the options that are crashes
}

// flank is what a group knows of one process.
type flank struct {
	local   field
	stances []stance
}

// glance is what the local states of a group say of it. Few others are met between two
// states in which they are the same, so an expander remembers it. The empty one is that
// of local states 0, in which all are down.
type glance struct {
	stance
	locals uint64 // the local states, in the word
}

const glances = 1 << 10

// stance is a local state.
type stance struct {
	live   spec.Set
	face   uint64
	always uint64 // options that take no message
	takes  uint64 // messages that are options, where they are in a state
}

// option is one thing that one process may do.
type option struct {
	process int
	local   field
	leaps   []leap // by local state
}

// leap is an option in one local state.
type leap struct {
	action explore.Action
	loses  parcels // what was under way and does not stay
	change parcels // of the words of a state, to be added modulo 2
	sends  parcels // to be set, but for what is sent to those who are down
	how    how
}

// how says what is to be done about an option.
type how uint8

const (
	unusual  how = iota // leave the state to the tables
	offered             // look which of the offers the world lets happen
	hopping             // what the leap says, if all are live
	plain               // what the leap says
	crashing            // that, and it is a failure
)

// usual reports whether what happens is what the leap says, if all are live or not.
func (h how) usual(all bool) bool { return h >= plain || h == hopping && all }

// Bounds on what a flat system may have: inboxes, and groups.
const mostSubsets, mostGroups = 1 << 13, 2

// flatten makes s flat if it can be.
func (s *System) flatten() {
	subsets := 0
	for _, t := range s.tables {
		subsets += 1 << min(len(t.letters.values), 20)
	}
	if s.config.Network != Set || s.traits.Oracle || s.refusing || s.hasEnv || s.layout.width > mostGroups || s.layout.apart || subsets > mostSubsets {
		return
	}
	for _, t := range s.tables {
		s.numberSubsets(t)
	}
	f := &flat{version: s.version}
	for i := range s.tables {
		inbox := s.layout.inbox(i)
		f.inboxes[i][inbox.word] = inbox.mask << inbox.shift
		for p := range s.tables {
			f.from[p] = s.places(i, func(in *inboxInfo) bool { return in.senders.Has(spec.ID(p + 1)) }).or(f.from[p])
		}
		if !f.add(s, i) {
			return
		}
	}
	s.flat = f
	if len(f.groups) == mostGroups {
		s.dense = s.condense(f)
	}
}

// numberSubsets numbers every inbox of t's process as the set of its messages.
func (s *System) numberSubsets(t *tables) {
	order := t.inOrder()
	for set := range 1 << len(order) {
		var in Inbox
		for k, letter := range order {
			if set>>k&1 != 0 {
				in = append(in, t.letters.values[letter])
			}
		}
		if s.numberInbox(t, in) != uint32(set) {
			panic("model: an inbox was numbered before")
		}
	}
}

// inOrder returns the letters in the order of inboxes.
func (t *tables) inOrder() []uint32 {
	order := make([]uint32, len(t.letters.values))
	for letter := range order {
		order[letter] = uint32(letter)
	}
	slices.SortFunc(order, func(a, b uint32) int { return compareEnvelopes(t.letters.values[a], t.letters.values[b]) })
	return order
}

// add adds process i+1 to the group of its word; false if its options do not fit in.
func (f *flat) add(s *System, i int) bool {
	t := s.tables[i]
	order := t.inOrder()
	local, inbox := *s.layout.local(i), s.layout.inbox(i)
	if local.word == len(f.groups) {
		f.groups = append(f.groups, &group{word: local.word, turn: 1 - int(inbox.shift)})
	}
	g := f.groups[local.word]
	first, end := int(inbox.shift)-1+g.turn, int(inbox.shift)+g.turn+len(order)+1
	if first < g.size || end > 64 {
		return false
	}
	options := g.options[first:end]
	for k := range options {
		options[k] = option{i, local, make([]leap, len(t.local))}
	}
	fl := flank{local: local}
	for local := range t.local {
		st := s.stance(i, uint32(local), options, order)
		st.always <<= first
		fl.stances = append(fl.stances, st)
		f.offers[i] = append(f.offers[i], s.offerings(i, uint32(local)))
	}
	g.size, g.crashes, g.locals = end, g.crashes|1<<(end-1), g.locals|local.place(uint32(local.mask))
	g.flanks = append(g.flanks, fl)
	return true
}

// stance returns a local state of process i+1 whose letters in the order of
// inboxes are given, and enters what its options are there.
func (s *System) stance(i int, local uint32, options []option, order []uint32) stance {
	t := s.tables[i]
	info := &t.local[local]
	st := stance{face: s.face(i, info)}
	if info.Status == Down {
		return st
	}
	crash := leap{action: s.doing(Crash, t.id, 0), how: crashing}
	crash.alter(s.layout.local(i), local^info.down)
	inbox := s.layout.inbox(i)
	crash.loses[inbox.word] = inbox.mask << inbox.shift
	options[len(options)-1].leaps[local] = crash
	st.live, st.always = spec.SetOf(t.id), 1<<(len(options)-1)
	offers := t.offers[local]
	if info.Status == Booting {
		if start := &t.moves[offers[0].move-1]; !start.refused {
			options[0].leaps[local] = s.leap(i, local, start)
			st.always |= 1
		}
		return st
	}
	if len(offers) > 0 {
		options[0].leaps[local].how = offered
		st.always |= 1
	}
	for k, letter := range order {
		m := &t.moves[t.receive.at(local, letter)-1]
		if m.refused {
			continue
		}
		l := s.leap(i, local, m)
		l.alter(s.layout.inbox(i), 1<<k)
		options[1+k].leaps[local] = l
		st.takes |= s.layout.inbox(i).place(1 << k)
	}
	return st
}

// leap returns a move of process i+1 in a local state; a message that it takes
// stays.
func (s *System) leap(i int, local uint32, m *move) leap {
	l := leap{action: m.action, how: plain}
	if m.odd || m.broken != 0 {
		l.how = unusual
		return l
	}
	l.alter(s.layout.local(i), local^m.to)
	for _, send := range m.sends {
		to, letter := send.to, send.letter
		if to == spec.NextLive {
			l.how = hopping
			to = spec.NextOnRing(s.ring, spec.ID(i+1), s.all)
			letter = send.letters[to-1]
		}
		inbox, k := s.layout.inbox(int(to-1)), slices.Index(s.tables[to-1].inOrder(), letter)
		l.sends[inbox.word] |= inbox.place(1 << k)
	}
	return l
}

// alter adds the change of a field to that of the leap.
func (l *leap) alter(f *field, change uint32) { l.change[f.word] ^= f.place(change) }

// expandFlat is Expand for a flat system. False: the state is to be left to the
// tables.
func (x *expander) expandFlat(f *flat) bool {
	actions, states := len(x.out.Actions), len(x.out.States)
	var options [mostGroups]uint64
	x.loadFlat(f, &options)
	mayCrash := x.mayCrash()
	if mayCrash && x.sys.config.Split {
		return false
	}
	open := parcels{^uint64(0), ^uint64(0)}
	for down := x.sys.all &^ x.live; down != 0; down &= down - 1 {
		inbox := &f.inboxes[bits.TrailingZeros64(uint64(down))&(MaxN-1)]
		open[0] &^= inbox[0]
		open[1] &^= inbox[1]
	}
	for k, g := range f.groups {
		if !mayCrash {
			options[k] &^= g.crashes
		}
		if !x.leaps(f, g, options[k], &open) {
			x.out.Actions, x.out.States, x.out.Quiet = x.out.Actions[:actions], x.out.States[:states], true
			return false
		}
	}
	return true
}

// loadFlat looks up all that is known of a state, and the options in it.
func (x *expander) loadFlat(f *flat, options *[mostGroups]uint64) {
	if x.glances == nil {
		x.glances = make([][glances]glance, len(f.groups))
	}
	live, faces := spec.Set(0), uint64(0)
	for k, g := range f.groups {
		word := x.words[g.word]
		locals := word & g.locals
		at := &x.glances[k][locals*0x9e3779b97f4a7c15>>32%glances]
		if at.locals != locals {
			*at = glance{g.look(locals), locals}
		}
		live |= at.live
		faces |= at.face
		options[k] = at.always | bits.RotateLeft64(word&at.takes, g.turn)
	}
	x.live, x.faces, x.all, x.summed = live, faces, live == x.sys.all, false
}

// look returns what some local states, in the word of the group, say of it.
func (g *group) look(locals uint64) (all stance) {
	for i := range g.flanks {
		fl := &g.flanks[i]
		st := &fl.stances[locals>>fl.local.shift&fl.local.mask]
		all.live |= st.live
		all.face |= st.face
		all.always |= st.always
		all.takes |= st.takes
	}
	return all
}

// leaps adds the steps of some options of a group.
func (x *expander) leaps(f *flat, g *group, options uint64, open *parcels) bool {
	if len(x.words) == 1 {
		return x.leapsNarrow(f, g, options, open)
	}
	out := x.out
	w0, w1, own := x.words[0], x.words[1], x.words[g.word]
	open0, open1 := open[0], open[1]
	actions, states := out.Actions, out.States
	acts := how(0) // 0 while nothing but failures can happen
	for ; options != 0; options &= options - 1 {
		o := &g.options[bits.TrailingZeros64(options)&63]
		l := &o.leaps[own>>(o.local.shift&63)&o.local.mask]
		switch {
		case l.how.usual(x.all):
		case l.how == offered:
			out.Actions, out.States = actions, states
			if !x.flatOffers(f, o.process, open) {
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

// leapsNarrow is leaps where a state has one word: it is where most of the time goes.
func (x *expander) leapsNarrow(f *flat, g *group, options uint64, open *parcels) bool {
	out, word, open0 := x.out, x.words[0], open[0]
	n := len(out.Actions)
	actions, states := room(out.Actions, options), room(out.States, options)
	acts := how(0)
	for ; options != 0; options &= options - 1 {
		o := &g.options[bits.TrailingZeros64(options)&63]
		l := &o.leaps[word>>(o.local.shift&63)&o.local.mask]
		switch {
		case l.how.usual(x.all):
		case l.how == offered:
			out.Actions, out.States = actions[:n], states[:n]
			if !x.flatOffers(f, o.process, open) {
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

// room returns a slice with room for as many more as there are options.
func room[T any](s []T, options uint64) []T {
	n := len(s) + bits.OnesCount64(options)
	return slices.Grow(s, n-len(s))[:n]
}
