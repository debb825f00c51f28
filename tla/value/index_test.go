package value

import (
	"testing"

	"pgregory.net/rapid"
)

// TestIndex: an index knows the elements of its set, and nothing else.
func TestIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small := func(name string) Value { return Int(rapid.IntRange(0, 4).Draw(t, name)) }
		pair := func() [2]Value { return [2]Value{small("first"), NewSet([]Value{small("second")})} }
		elems := rapid.SliceOfN(rapid.Custom(value), 0, 20).Draw(t, "elements")
		for range 15 {
			p := pair()
			elems = append(elems, NewTuple(p[:]...))
		}
		s := NewSet(elems)
		x := NewIndex(s)
		for _, v := range append([]Value{value(t), small("v")}, s.Elems...) {
			if x.Contains(v) != Contains(s, v) {
				t.Fatalf("%s \\in %s: the index says %v", Format(v), Format(s), x.Contains(v))
			}
			p := pair()
			if x.ContainsPair(p) != Contains(s, NewTuple(p[:]...)) {
				t.Fatalf("<<%s, %s>> \\in %s: the index says %v", Format(p[0]), Format(p[1]), Format(s), x.ContainsPair(p))
			}
		}
	})
}
