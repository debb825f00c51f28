package compiled

import (
	"math/bits"
	"slices"

	"interleave/explore"
	"interleave/model"
)

// dense packs a state of a flat system with two words into one word. Where messages are passed
// on unchanged, as round a ring, each is in one inbox at a time. So a message has the number of
// the inbox that it is in, instead of a bit for each inbox that it may be in.
//
// It is not known before the search that no message is ever in two inboxes. The first step to
// a state where one is cannot be packed so; from then on the search uses the bits (see Learn).
//
// A world has this form if all processes are live, and what each may do besides receiving is at
// most one thing, at any time.
type dense struct {
	flat     *flat
	locals   []denseLocal
	octets   []octet // of the local states, which come first in the word
	messages []denseMessage
	options  [mostGroups][64][]denseStep // by group of the flat system, option and local state
	lost     bool                        // a message was in two inboxes
}

// denseLocal is where the local state of a process is.
type denseLocal struct {
	field      // in the flat state
	shift uint // in the one word
}

// octet has, for each value of eight bits of the word, the local states in the flat state.
type octet [256][mostGroups]uint64

// denseMessage is a message and the inboxes that it may be in.
type denseMessage struct {
	content any
	shift   uint // where the number of the inbox is in the one word
	mask    uint64
	in      [mostPlaces]wordPair
	places  int
	all     wordPair // all of in
}

const mostPlaces = 1 << 4 // inboxes of a message, of which the first means none

// denseStep is a flatStep in the one word.
type denseStep struct {
	action explore.Action
	change uint64   // bits of the one word to be flipped
	clash  wordPair // if one of these is in the flat state, a message would be in two inboxes
	how    how
}

// newDense returns the dense form of a flat system; nil if it has none.
func newDense(f *flat) *dense {
	if f.config.Crashes > 0 || f.config.Start == model.LeaderDown {
		return nil
	}
	d := &dense{flat: f}
	for i := range f.tables {
		d.locals = append(d.locals, denseLocal{field: *f.layout.local(i)})
		d.addMessages(i)
	}
	if !d.layOut() {
		return nil
	}
	for k, g := range f.groups {
		for o := range g.options[:g.size] {
			for _, l := range g.options[o].steps {
				if l.how == guardedHow {
					return nil
				}
				d.options[k][o] = append(d.options[k][o], d.step(&l))
			}
		}
	}
	return d
}

// addMessages records where the messages to process i+1 are.
func (d *dense) addMessages(i int) {
	inbox := d.flat.layout.inbox(i)
	for k, message := range d.flat.tables[i].inOrder() {
		content := d.flat.tables[i].Messages.Values[message].Message
		at := slices.IndexFunc(d.messages, func(r denseMessage) bool { return r.content == content })
		if at < 0 {
			at = len(d.messages)
			d.messages = append(d.messages, denseMessage{content: content, places: 1})
		}
		r := &d.messages[at]
		if r.places++; r.places > mostPlaces {
			return // and layOut gives up
		}
		place := &r.in[r.places-1]
		place[inbox.word] = inbox.place(1 << k)
		r.all = r.all.or(*place)
	}
}

// layOut assigns bits of the one word to each local state and message; false if there are too
// few.
func (d *dense) layOut() bool {
	used := uint(0)
	for i := range d.locals {
		l := &d.locals[i]
		l.shift = used
		used += uint(bits.Len64(l.mask))
	}
	d.octets = make([]octet, (used+7)/8)
	for i := range d.locals {
		d.fillOctets(&d.locals[i])
	}
	for i := range d.messages {
		r := &d.messages[i]
		if r.places > mostPlaces {
			return false
		}
		r.shift, r.mask = used, 1<<bits.Len(uint(r.places-1))-1
		used += uint(bits.Len64(r.mask))
	}
	return used <= 64
}

// fillOctets enters a local state into the octets, bit by bit.
func (d *dense) fillOctets(l *denseLocal) {
	for k := range uint(bits.Len64(l.mask)) {
		at := l.shift + k
		for value := range d.octets[at/8] {
			if value>>(at%8)&1 != 0 {
				d.octets[at/8][value][l.word] |= l.field.place(1 << k)
			}
		}
	}
}

// step returns a flatStep in the one word.
func (d *dense) step(l *flatStep) denseStep {
	step := denseStep{action: l.action, how: l.how, change: d.packLocals(l.change)}
	for i := range d.messages {
		r := &d.messages[i]
		taken, sent := r.all.and(l.change), r.all.and(l.sends)
		if taken == (wordPair{}) && sent == (wordPair{}) {
			continue
		}
		from, one := r.place(taken)
		to, another := r.place(sent)
		if !one || !another {
			step.how = unusual
		}
		step.change ^= uint64(from^to) << r.shift
		if from == 0 {
			step.clash = step.clash.or(r.all)
		}
	}
	return step
}

// place returns the number of the inbox that a message is in, given its bits in the flat state;
// false if it is in several.
func (r *denseMessage) place(in wordPair) (number int, one bool) {
	number = slices.Index(r.in[:r.places], in)
	return max(number, 0), number >= 0
}

func (d *dense) packLocals(words wordPair) uint64 {
	word := uint64(0)
	for i := range d.locals {
		l := &d.locals[i]
		word |= uint64(l.get(words[:])) << l.shift
	}
	return word
}

// pack packs a flat state; false if a message is in two inboxes.
func (d *dense) pack(words wordPair) (uint64, bool) {
	word := d.packLocals(words)
	for i := range d.messages {
		r := &d.messages[i]
		number, one := r.place(words.and(r.all))
		if !one {
			return 0, false
		}
		word |= uint64(number) << r.shift
	}
	return word, true
}

// unpack returns the flat state that was packed into a word.
func (d *dense) unpack(word uint64) (p wordPair) {
	p[0], p[1] = d.unpackTwo(word)
	return p
}

// unpackTwo is unpack, but not by way of an array. That would be returned in memory and read back
// at once, which waits until everything written before has arrived in the cache.
func (d *dense) unpackTwo(word uint64) (first, second uint64) {
	for i := range d.octets {
		locals := &d.octets[i][word>>(8*i&63)&0xff]
		first |= locals[0]
		second |= locals[1]
	}
	for i := range d.messages {
		r := &d.messages[i]
		in := &r.in[word>>(r.shift&63)&r.mask&(mostPlaces-1)]
		first |= in[0]
		second |= in[1]
	}
	return first, second
}

// repack writes the flat state of src to dst.
func (d *dense) repack(dst, src []uint64) {
	words := d.unpack(src[0])
	copy(dst, words[:])
}

// expand does what expander.expand does, in a dense system.
func (d *dense) expand(x *expander, word uint64) bool {
	x.flatWords[0], x.flatWords[1] = d.unpackTwo(word)
	x.words = x.flatWords[:]
	f, out := d.flat, x.out
	actions, states := len(out.Actions), len(out.States)
	var options [mostGroups]uint64
	f.load(x, &options)
	usual := true
	for k, g := range f.groups {
		usual = usual && d.addSteps(x, g, &d.options[k], options[k]&^g.crashes, word)
	}
	if usual {
		return true
	}
	out.Actions, out.States, out.Quiet = out.Actions[:actions], out.States[:states], true
	return x.expandRows() && d.packFrom(x, states)
}

// addSteps adds the steps of some options of a group. It returns false if one of them is
// unusual.
func (d *dense) addSteps(x *expander, g *wordGroup, steps *[64][]denseStep, options, word uint64) bool {
	out, own, w0, w1 := x.out, x.words[g.word], x.words[0], x.words[len(x.words)-1]
	actions, states := out.Actions, out.States
	for ; options != 0; options &= options - 1 {
		o := bits.TrailingZeros64(options) & 63
		l := &steps[o][own>>(g.options[o].local.shift&63)&g.options[o].local.mask]
		if l.how != plain && l.how != ifAllLive || w0&l.clash[0]|w1&l.clash[1] != 0 {
			return false
		}
		out.Quiet = false
		actions = append(actions, l.action)
		states = append(states, word^l.change)
	}
	out.Actions, out.States = actions, states
	return true
}

// packFrom packs the flat states that out has from a word on.
func (d *dense) packFrom(x *expander, from int) bool {
	flat := x.out.States[from:]
	for k := range len(flat) / mostGroups {
		word, one := d.pack(wordPair(flat[k*mostGroups:]))
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
