package dd

import (
	"cmp"
	"math/bits"
	"slices"
)

// table holds nodes, each once.
type table struct {
	nodes  []node
	arcs   []arc
	unused []Set // nodes that are free
	unique []Set // by hash of level and arcs; Empty: free
	live   int
}

// arc leads from a node, for a value, to its child.
type arc struct {
	value uint32
	child Set
}

// node says where its arcs are. They are in order of their values.
type node struct {
	first uint32
	size  uint32
	level uint16
	free  bool // between collections: unused
	mark  bool // during one: in use
}

func (t *table) level(s Set) int { return int(t.nodes[s].level) }

func (t *table) arcsOf(s Set) []arc {
	n := &t.nodes[s]
	return t.arcs[n.first : n.first+n.size]
}

func hashArcs(level int, arcs []arc) uint64 {
	h := uint64(level)*0x9e3779b97f4a7c15 + 1
	for _, a := range arcs {
		h = (h ^ uint64(a.value)<<32 ^ uint64(a.child)) * 0xd6e8feb86659fd93
		h ^= h >> 29
	}
	return h ^ h>>32
}

func sameArcs(a, b []arc) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// full reports whether a new node with that many arcs needs more memory.
func (t *table) full(arcs int) bool {
	return len(t.arcs)+arcs > cap(t.arcs) || len(t.unused) == 0 && len(t.nodes) == cap(t.nodes)
}

// place stores a new node.
func (t *table) place(level int, arcs []arc) Set {
	n := node{first: uint32(len(t.arcs)), size: uint32(len(arcs)), level: uint16(level)}
	t.arcs = append(t.arcs, arcs...)
	if k := len(t.unused); k > 0 {
		s := t.unused[k-1]
		t.unused = t.unused[:k-1]
		t.nodes[s] = n
		return s
	}
	t.nodes = append(t.nodes, n)
	return Set(len(t.nodes) - 1)
}

// visit adds the nodes of a set to those seen.
func (t *table) visit(s Set, seen map[Set]bool) {
	if seen[s] || s == Empty || s == end {
		return
	}
	seen[s] = true
	for _, a := range t.arcsOf(s) {
		t.visit(a.child, seen)
	}
}

// Size returns the number of nodes of a set.
func (t *table) Size(s Set) int {
	seen := map[Set]bool{}
	t.visit(s, seen)
	return len(seen)
}

// child returns the child of a set for a value, or Empty.
func (t *table) child(s Set, value uint32) Set {
	arcs := t.arcsOf(s)
	i, ok := slices.BinarySearchFunc(arcs, arc{value: value}, compareArcs)
	if !ok {
		return Empty
	}
	return arcs[i].child
}

func sortArcs(arcs []arc) {
	if !slices.IsSortedFunc(arcs, compareArcs) {
		slices.SortFunc(arcs, compareArcs)
	}
}

func compareArcs(a, b arc) int { return cmp.Compare(a.value, b.value) }

// compact frees the nodes that are not marked and makes the arcs of the others contiguous, in
// place. Meanwhile the first arc of a node has the number of the node as its value, and the node
// has the value of that arc as its first.
func (t *table) compact() {
	heads := make([]uint64, len(t.arcs)/64+1) // a bit for each first arc
	for s := range t.nodes {
		n := &t.nodes[s]
		switch {
		case n.mark:
			n.mark = false
			first := n.first
			heads[first/64] |= 1 << (first % 64)
			n.first, t.arcs[first].value = t.arcs[first].value, uint32(s)
		case n.size > 0 && !n.free:
			n.free, n.size = true, 0
			t.unused = append(t.unused, Set(s))
			t.live--
		}
	}
	end := uint32(0)
	for word, left := range heads {
		for ; left != 0; left &= left - 1 {
			first := uint32(word*64 + bits.TrailingZeros64(left))
			n := &t.nodes[t.arcs[first].value]
			t.arcs[first].value, n.first = n.first, end
			copy(t.arcs[end:], t.arcs[first:first+n.size])
			end += n.size
		}
	}
	t.arcs = t.arcs[:end]
}

func (t *table) markFrom(s Set) {
	if n := &t.nodes[s]; n.mark || n.size == 0 {
		return
	}
	t.nodes[s].mark = true
	for _, a := range t.arcsOf(s) {
		t.markFrom(a.child)
	}
}
