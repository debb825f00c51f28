package model

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLayout packs values, and packs them anew as their number grows.
func TestLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 2 * rapid.IntRange(1, MaxN).Draw(t, "processes")
		counts := rapid.SliceOfN(rapid.IntRange(1, 1<<20), n, n).Draw(t, "counts")
		values := make([]uint32, n)
		old := newLayout(counts, rapid.Bool().Draw(t, "all local states are known"))
		words := make([]uint64, old.width)
		for i, f := range old.fields {
			values[i] = uint32(rapid.IntRange(0, counts[i]-1).Draw(t, "value"))
			f.change(words, 0, 7&uint32(f.mask))
			f.change(words, 7&uint32(f.mask), values[i])
		}
		check := func(l layout, words []uint64) {
			for i, f := range l.fields {
				if got := f.get(words); got != values[i] {
					t.Fatalf("field %d is %d, want %d", i, got, values[i])
				}
			}
		}
		check(old, words)
		grown := slices.Clone(counts)
		for i := range grown {
			grown[i] *= rapid.IntRange(1, 1<<10).Draw(t, "growth")
		}
		l := newLayout(grown, false)
		if !l.holds(grown) || !l.holds(counts) || l.width > n {
			t.Fatalf("%v does not fit into %+v", grown, l)
		}
		packed := make([]uint64, l.width)
		packed[0] = 99 // whatever was there
		l.repack(&old, packed, words)
		check(l, packed)
	})
}

// TestLayoutOverflow: a count one past what a field has room for does not fit.
func TestLayoutOverflow(t *testing.T) {
	l := newLayout([]int{3, 200, 3, 200}, false)
	if l.width != 1 || !l.holds([]int{3, 200, 3, 200}) {
		t.Fatalf("%+v", l)
	}
	for i, f := range l.fields {
		counts := []int{1, 1, 1, 1}
		counts[i] = int(f.mask) + 1
		if !l.holds(counts) {
			t.Errorf("field %d does not hold %v", i, counts)
		}
		counts[i]++
		if l.holds(counts) {
			t.Errorf("field %d holds %v", i, counts)
		}
	}
}
