package dd

import (
	"context"
	"math/bits"
)

// collectFirst is how many nodes are held before the first collection; collectGrowth is how many
// times as many before the next. What is freed may have to be made again, so a long search should
// collect seldom.
var collectFirst, collectGrowth = 1 << 21, 2

// housekeeping keeps tables large enough and memory within its limit.
func (f *Forest) housekeeping() {
	if f.err == nil {
		f.err = context.Cause(f.ctx)
	}
	if f.live >= f.next {
		f.collect()
		if f.limit == 0 || f.Bytes() < f.limit/2 {
			f.next *= collectGrowth
		} else {
			f.next = max(f.next, f.live/4*5)
		}
	}
	if 2*f.live > len(f.unique) && f.room(len(f.unique)*4) {
		f.rehash(2 * len(f.unique))
	}
	if len(f.cache) < min(maxCache, 2*f.live) && f.room(4*len(f.cache)*bytesPerEntry) {
		old := f.cache
		f.tidy(2 * len(old) * bytesPerEntry)
		f.cache = make([]entry, 2*len(old))
		for _, e := range old {
			if e.op != 0 {
				f.cache[f.slot(e.op, e.a, e.b)] = e
			}
		}
	}
	if f.err == nil && f.Most > 0 && f.Created > f.Most {
		f.err = ErrNodes
	}
	tooMany := len(f.nodes) >= 1<<31 || len(f.arcs) >= 1<<31
	crowded := 8*f.live > 7*len(f.unique) // if it could not grow
	if f.err == nil && (tooMany || crowded || !f.room(0)) {
		f.err = ErrMemory
	}
}

func (f *Forest) rehash(size int) {
	if size == len(f.unique) {
		clear(f.unique)
	} else {
		f.unique = nil // so that old and new are not in memory at once
		f.tidy(4 * size)
		f.unique = make([]Set, size)
	}
	mask := uint64(size - 1)
	for s := range f.nodes {
		if n := &f.nodes[s]; n.size == 0 || n.free {
			continue
		}
		slot := hashArcs(f.level(Set(s)), f.arcsOf(Set(s))) & mask
		for f.unique[slot] != Empty {
			slot = (slot + 1) & mask
		}
		f.unique[slot] = Set(s)
	}
}

// collect frees the nodes that nothing holds, and makes the arcs contiguous.
func (f *Forest) collect() {
	f.Swept++
	for _, r := range f.rows {
		for _, a := range r.arcs {
			f.markFrom(a.child)
		}
		for _, s := range r.seen {
			f.markFrom(s)
		}
	}
	for _, s := range f.pins {
		f.markFrom(s)
	}
	for s := range f.kept {
		f.markFrom(s)
	}
	f.compact()
	for i := range f.cache {
		if e := &f.cache[i]; f.nodes[e.a].free || f.nodes[e.b].free || f.nodes[e.result].free {
			*e = entry{}
		}
	}
	f.rehash(len(f.unique))
}

// compact frees the nodes that are not marked and makes the arcs of the others contiguous, in
// place. Meanwhile the first arc of a node has the number of the node as its value, and the node
// has the value of that arc as its first.
func (f *Forest) compact() {
	heads := make([]uint64, len(f.arcs)/64+1) // a bit for each first arc
	for s := range f.nodes {
		n := &f.nodes[s]
		switch {
		case n.mark:
			n.mark = false
			first := n.first
			heads[first/64] |= 1 << (first % 64)
			n.first, f.arcs[first].value = f.arcs[first].value, uint32(s)
		case n.size > 0 && !n.free:
			n.free, n.size = true, 0
			f.unused = append(f.unused, Set(s))
			f.live--
		}
	}
	end := uint32(0)
	for word, left := range heads {
		for ; left != 0; left &= left - 1 {
			first := uint32(word*64 + bits.TrailingZeros64(left))
			n := &f.nodes[f.arcs[first].value]
			f.arcs[first].value, n.first = n.first, end
			copy(f.arcs[end:], f.arcs[first:first+n.size])
			end += n.size
		}
	}
	f.arcs = f.arcs[:end]
}

func (f *Forest) markFrom(s Set) {
	if n := &f.nodes[s]; n.mark || n.size == 0 {
		return
	}
	f.nodes[s].mark = true
	for _, a := range f.arcsOf(s) {
		f.markFrom(a.child)
	}
}
