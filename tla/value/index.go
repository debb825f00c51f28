package value

// Index tells whether values are elements of a set by their hashes. It takes a while to
// make, and is for who asks about one set again and again.
type Index struct {
	of    *Set
	table []uint32 // of places among the elements, and 1, at or after where the hash says; 0: free
}

// NewIndex returns the index of a set.
func NewIndex(of *Set) *Index {
	size := 8
	for size < 2*len(of.Elems) {
		size *= 2
	}
	x := &Index{of, make([]uint32, size)}
	for i, v := range of.Elems {
		h := Hash(v) >> 32
		for *x.at(h) != 0 {
			h++
		}
		*x.at(h) = uint32(i + 1)
	}
	return x
}

func (x *Index) at(h uint64) *uint32 { return &x.table[h&uint64(len(x.table)-1)] }

// Contains is Contains of the set, for an explicit value.
func (x *Index) Contains(v Value) bool {
	for h := Hash(v) >> 32; *x.at(h) != 0; h++ {
		if Same(x.of.Elems[*x.at(h)-1], v) {
			return true
		}
	}
	return false
}

// ContainsPair is Contains for the tuple of two explicit values, which is not made.
func (x *Index) ContainsPair(pair [2]Value) bool {
	hash := hashTuple(pair[:])
	for h := hash >> 32; *x.at(h) != 0; h++ {
		t, ok := x.of.Elems[*x.at(h)-1].(*Tuple)
		if ok && Hash(t) == hash && len(t.Elems) == 2 && Same(t.Elems[0], pair[0]) && Same(t.Elems[1], pair[1]) {
			return true
		}
	}
	return false
}
