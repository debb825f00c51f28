package explore

import (
	"encoding/binary"
	"slices"
	"sort"
)

// parentLog says by which step each state was met first, in about a byte for each, in the order of
// their numbers. A search expands states by number, so the parents come in order, too, and only
// the distance from one to the next is stored.
type parentLog struct {
	count int
	last  int // parent of the last state
	pages []parentPage
}

// parentPage can be read without the pages before it.
type parentPage struct {
	entries []byte
	first   int // number of the first state
	parent  int // of the state before
}

const (
	parentPageBytes = 1 << 12
	parentBytes     = 2 * binary.MaxVarintLen64 // of a parent, at most
)

// parentEdge is how a state was met: by a step of its parent, which is numbered within its level; or,
// with noParent, as one of the states that Initial yields, counted by step.
type parentEdge struct{ parent, step uint32 }

const noParent = 1<<32 - 1

// follow adds the parents of the new states of a chunk that are numbered below count. The level of
// their parents begins with number base.
func (t *parentLog) follow(c *chunk, base, count int) {
	for i, number := range c.numbers {
		if number == noState || int(number) >= count {
			continue
		}
		parent := -1
		if b := c.births[i]; b.parent != noParent {
			parent = base + int(b.parent)
		}
		t.add(parent, int(c.births[i].step))
	}
}

// add adds the next state, whose parent has no lower number than that of the state before; -1 if
// it is initial. The lowest two bits say how much higher. If both are set it is 3 or more, and
// the excess over 3 follows.
func (t *parentLog) add(parent, step int) {
	if t.count == 0 {
		t.last = parent
	}
	if n := len(t.pages); n == 0 || len(t.pages[n-1].entries)+parentBytes > parentPageBytes {
		t.pages = append(t.pages, parentPage{entries: make([]byte, 0, parentPageBytes), first: t.count, parent: t.last})
	}
	p := &t.pages[len(t.pages)-1]
	later := parent - t.last
	p.entries = binary.AppendUvarint(p.entries, uint64(step)<<2|uint64(min(later, 3)))
	if later >= 3 {
		p.entries = binary.AppendUvarint(p.entries, uint64(later-3))
	}
	t.last = parent
	t.count++
}

// parent returns how state n was met.
func (t *parentLog) parent(n int) (parent, step int) {
	p := t.pages[sort.Search(len(t.pages), func(i int) bool { return t.pages[i].first > n })-1]
	parent = p.parent
	for i := p.first; i <= n; i++ {
		code, size := binary.Uvarint(p.entries)
		p.entries = p.entries[size:]
		later := code & 3
		if later == 3 {
			more, size := binary.Uvarint(p.entries)
			p.entries = p.entries[size:]
			later += more
		}
		parent += int(later)
		step = int(code >> 2)
	}
	return parent, step
}

func (t *parentLog) bytes() int64 {
	const pageBytes = parentPageBytes + 40
	return int64(len(t.pages)) * pageBytes
}

// walked is a path, and the words of its states.
type walked struct {
	Path
	words [][]uint64
}

// state returns the words of state n.
func (w *walked) state(g *Graph, n int) []uint64 {
	at, ok := slices.BinarySearch(w.States, n) // numbers increase along a path
	if !ok {
		w.walk(g, n)
		at = len(w.States) - 1
	}
	return w.words[at]
}

// walk follows the path by which state n was met first, from its beginning.
func (w *walked) walk(g *Graph, n int) {
	var states, steps []int
	for n >= 0 {
		parent, step := g.parentLog.parent(n)
		states, steps = append(states, n), append(steps, step)
		n = parent
	}
	slices.Reverse(states)
	slices.Reverse(steps)
	*w = walked{Path: Path{States: states, Actions: []Action{}}, words: [][]uint64{initialAt(g.sys, steps[0])}}
	for i, step := range steps[1:] {
		width := g.sys.Width()
		out := g.expandWords(w.words[i])
		if step >= len(out.Actions) {
			panic(Contradiction("a state has fewer steps than before"))
		}
		w.Actions = append(w.Actions, out.Actions[step])
		w.words = append(w.words, slices.Clone(out.States[step*width:(step+1)*width]))
	}
}

// initialAt returns the initial state that a system yields at the given place.
func initialAt(sys System, place int) (words []uint64) {
	sys.Initial(func(s []uint64) bool {
		if place == 0 {
			words = slices.Clone(s)
		}
		place--
		return words == nil
	})
	if words == nil {
		panic(Contradiction("there are fewer initial states than before"))
	}
	return words
}
