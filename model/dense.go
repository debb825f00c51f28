package model

import (
	"math/bits"
	"slices"

	"interleave/explore"
)

// dense packs a state of a flat system with two words into one word. Where messages are passed
// on unchanged, as round a ring, each is in one inbox at a time. So a message has the number of
// the inbox that it is in, instead of a bit for each inbox that it may be in.
//
// It is not known before the search that no message is ever in two inboxes. The first step to
// a state where one is cannot be packed so; from then on the search uses the bits (see Learn).
//
// A world has this form if all processes are live, and do nothing but start and receive
// messages.
type dense struct {
	locals  []resettled
	octets  []octet // of the local states, which come first in the word
	letters []roaming
	options [mostGroups][64][]denseLeap // by group of the flat system, option and local state
	lost    bool                        // a message was in two inboxes
}

// resettled is a local state.
type resettled struct {
	field      // in the flat state
	shift uint // in the one word
}

// octet says what local states eight bits of the word are, by their value.
type octet [256][mostGroups]uint64

// roaming is a message and the inboxes that it may be in.
type roaming struct {
	content any
	shift   uint // of the number of the inbox, and which bits it has
	mask    uint64
	in      [mostPlaces]parcels
	places  int
	all     parcels // of in
}

const mostPlaces = 1 << 4 // of a message; the first is none

// denseLeap is a leap.
type denseLeap struct {
	action explore.Action
	change uint64  // of the one word, to be added modulo 2
	clash  parcels // messages that must not be there: they would be twice
	how    how
}

// condense returns how s packs its states into one word; nil if it cannot.
func (s *System) condense(f *flat) *dense {
	if s.config.Crashes > 0 || s.config.Start == LeaderDown || s.stepwise {
		return nil
	}
	d := &dense{}
	for i := range s.tables {
		d.locals = append(d.locals, resettled{field: *s.layout.local(i)})
		d.roam(s, i)
	}
	if !d.layOut() {
		return nil
	}
	for k, g := range f.groups {
		for o := range g.options[:g.size] {
			for _, l := range g.options[o].leaps {
				if l.how == offered {
					return nil
				}
				d.options[k][o] = append(d.options[k][o], d.leap(&l))
			}
		}
	}
	return d
}

// roam notes where the messages to process i+1 are.
func (d *dense) roam(s *System, i int) {
	inbox := s.layout.inbox(i)
	for k, letter := range s.tables[i].inOrder() {
		content := s.tables[i].letters.values[letter].Message
		at := slices.IndexFunc(d.letters, func(r roaming) bool { return r.content == content })
		if at < 0 {
			at = len(d.letters)
			d.letters = append(d.letters, roaming{content: content, places: 1})
		}
		r := &d.letters[at]
		if r.places++; r.places > mostPlaces {
			return // and layOut gives up
		}
		place := &r.in[r.places-1]
		place[inbox.word] = inbox.place(1 << k)
		r.all = r.all.or(*place)
	}
}

// layOut gives each local state and message some bits of the one word; false if they do
// not suffice.
func (d *dense) layOut() bool {
	used := uint(0)
	for i := range d.locals {
		l := &d.locals[i]
		l.shift = used
		used += uint(bits.Len64(l.mask))
	}
	d.octets = make([]octet, (used+7)/8)
	for i := range d.locals {
		d.spell(&d.locals[i])
	}
	for i := range d.letters {
		r := &d.letters[i]
		if r.places > mostPlaces {
			return false
		}
		r.shift, r.mask = used, 1<<bits.Len(uint(r.places-1))-1
		used += uint(bits.Len64(r.mask))
	}
	return used <= 64
}

// spell enters a local state into the octets, bit by bit.
func (d *dense) spell(l *resettled) {
	for k := range uint(bits.Len64(l.mask)) {
		at := l.shift + k
		for value := range d.octets[at/8] {
			if value>>(at%8)&1 != 0 {
				d.octets[at/8][value][l.word] |= l.field.place(1 << k)
			}
		}
	}
}

// leap returns a leap of the flat system.
func (d *dense) leap(l *leap) denseLeap {
	leap := denseLeap{action: l.action, how: l.how, change: d.packLocals(l.change)}
	for i := range d.letters {
		r := &d.letters[i]
		taken, sent := r.all.and(l.change), r.all.and(l.sends)
		if taken == (parcels{}) && sent == (parcels{}) {
			continue
		}
		from, one := r.place(taken)
		to, another := r.place(sent)
		if !one || !another {
			leap.how = unusual
		}
		leap.change ^= uint64(from^to) << r.shift
		if from == 0 {
			leap.clash = leap.clash.or(r.all)
		}
	}
	return leap
}

// place returns the number of the inbox that a message is in, in the words of the
// flat state; false if it is in several.
func (r *roaming) place(in parcels) (number int, one bool) {
	number = slices.Index(r.in[:r.places], in)
	return max(number, 0), number >= 0
}

func (d *dense) packLocals(words parcels) uint64 {
	word := uint64(0)
	for i := range d.locals {
		l := &d.locals[i]
		word |= uint64(l.get(words[:])) << l.shift
	}
	return word
}

// pack packs a flat state; false if a message is in two inboxes.
func (d *dense) pack(words parcels) (uint64, bool) {
	word := d.packLocals(words)
	for i := range d.letters {
		r := &d.letters[i]
		number, one := r.place(words.and(r.all))
		if !one {
			return 0, false
		}
		word |= uint64(number) << r.shift
	}
	return word, true
}

// unpack returns the flat state that was packed into a word.
func (d *dense) unpack(word uint64) (p parcels) {
	p[0], p[1] = d.unpackTwo(word)
	return p
}

// unpackTwo is unpack, not by way of an array: that is returned in memory and read back at
// once, which waits until all that was written before has arrived in the cache.
func (d *dense) unpackTwo(word uint64) (first, second uint64) {
	for i := range d.octets {
		locals := &d.octets[i][word>>(8*i&63)&0xff]
		first |= locals[0]
		second |= locals[1]
	}
	for i := range d.letters {
		r := &d.letters[i]
		in := &r.in[word>>(r.shift&63)&r.mask&(mostPlaces-1)]
		first |= in[0]
		second |= in[1]
	}
	return first, second
}

// repack writes to dst the flat state that src was.
func (d *dense) repack(dst, src []uint64) {
	words := d.unpack(src[0])
	copy(dst, words[:])
}

// expandDense is Expand for a dense system.
func (x *expander) expandDense(d *dense, word uint64) bool {
	x.flatWords[0], x.flatWords[1] = d.unpackTwo(word)
	x.words = x.flatWords[:]
	f, out := x.sys.flat, x.out
	actions, states := len(out.Actions), len(out.States)
	var options [mostGroups]uint64
	x.loadFlat(f, &options)
	usual := true
	for k, g := range f.groups {
		usual = usual && x.denseLeaps(g, &d.options[k], options[k]&^g.crashes, word)
	}
	if usual {
		return true
	}
	out.Actions, out.States, out.Quiet = out.Actions[:actions], out.States[:states], true
	return x.expandRows() && x.packFrom(d, states)
}

// denseLeaps adds the steps of some options of a group, unless one is left to the
// tables.
func (x *expander) denseLeaps(g *group, leaps *[64][]denseLeap, options, word uint64) bool {
	out, own, w0, w1 := x.out, x.words[g.word], x.words[0], x.words[len(x.words)-1]
	actions, states := out.Actions, out.States
	for ; options != 0; options &= options - 1 {
		o := bits.TrailingZeros64(options) & 63
		l := &leaps[o][own>>(g.options[o].local.shift&63)&g.options[o].local.mask]
		if l.how != plain && l.how != hopping || w0&l.clash[0]|w1&l.clash[1] != 0 {
			return false
		}
		out.Quiet = false
		actions = append(actions, l.action)
		states = append(states, word^l.change)
	}
	out.Actions, out.States = actions, states
	return true
}

// packFrom packs the flat states that out has from some word on.
func (x *expander) packFrom(d *dense, from int) bool {
	flat := x.out.States[from:]
	for k := range len(flat) / mostGroups {
		word, one := d.pack(parcels(flat[k*mostGroups:]))
		if !one {
			if x.learning {
				d.lost = true
			}
			return false
		}
		flat[k] = word
	}
	x.out.States = x.out.States[:from+len(flat)/mostGroups]
	return true
}
