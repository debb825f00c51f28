package compiled

import (
	"interleave/model"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLayout packs values, and packs them anew as their number grows.
func TestLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 2*model.MaxN+1).Draw(t, "fields")
		counts := rapid.SliceOfN(rapid.IntRange(1, 1<<20), n, n).Draw(t, "counts")
		values := make([]uint32, n)
		inOrder := rapid.Bool().Draw(t, "in order")
		old := newLayout(counts, rapid.Bool().Draw(t, "all local states are known"), inOrder)
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
		l := newLayout(grown, false, inOrder)
		if !l.holds(grown) || !l.holds(counts) || l.width > n || l.width != newLayout(grown, false, !inOrder).width {
			t.Fatalf("%v does not fit into %+v", grown, l)
		}
		packed := make([]uint64, l.width)
		packed[0] = 99 // whatever was there
		l.repacking(&old)(packed, words)
		check(l, packed)
	})
}

// TestLayoutOverflow: a count one past what a field has room for does not fit.
func TestLayoutOverflow(t *testing.T) {
	l := newLayout([]int{3, 200, 3, 200}, false, false)
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

// TestLayoutEven: unless the processes keep their order, all inboxes have room to grow. The
// counts are those of a ring of queues on which N=11 elect, after one and a half million states.
func TestLayoutEven(t *testing.T) {
	counts := []int{9, 141, 9, 127, 9, 108, 9, 84, 9, 57, 9, 33, 9, 17, 9, 9, 9, 5, 9, 3, 9, 151}
	grown := []int{9, 1025, 9, 512, 9, 256, 9, 128, 9, 64, 9, 64, 9, 32, 9, 16, 9, 8, 9, 4, 9, 1024}
	if l := newLayout(counts, true, false); l.width != 2 || l.apart || !l.holds(grown) {
		t.Errorf("%+v does not hold %v", l, grown)
	}
	if l := newLayout(counts, true, true); l.width != 2 || l.holds(grown) {
		t.Errorf("in order, %+v holds %v", l, grown)
	}
	inOrder := newLayout(grown, true, true)
	for i := 2; i < len(grown); i += 2 {
		if inOrder.fields[i].word < inOrder.fields[i-2].word {
			t.Errorf("process %d is before the one before", i/2+1)
		}
	}
	full := []int{1 << 4, 1 << 30, 1 << 4, 1 << 26, 1 << 4, 1 << 18, 1 << 4, 1 << 17, 1 << 4, 1 << 17} // 128 bits, which fit in order alone
	for i, f := range newLayout(full, true, false).fields {
		if f.mask != uint64(full[i]-1) || f.shift+uint(bits.Len64(f.mask)) > 64 {
			t.Errorf("field %d, of %d values, is %+v", i, full[i], f)
		}
	}
}

// TestLayoutApart: fields part where that spares a word.
func TestLayoutApart(t *testing.T) {
	powers := func(sizes ...int) (counts []int) {
		for _, n := range sizes {
			counts = append(counts, 1<<n)
		}
		return counts
	}
	for _, c := range []struct {
		sizes []int
		width int
		apart bool
	}{
		{[]int{3, 18, 4, 18, 4, 18, 5, 18, 4, 18, 3, 18, 3, 18}, 3, false},
		{[]int{3, 19, 4, 19, 4, 19, 5, 19, 4, 19, 3, 19, 3, 19}, 3, true},
		{[]int{3, 21, 4, 21, 4, 21, 5, 21, 4, 21, 3, 21, 3, 21}, 3, true},
		{[]int{3, 22, 4, 22, 4, 22, 5, 22, 4, 22, 3, 22, 3, 22}, 4, false},
		{[]int{30, 12, 30, 12, 10, 30}, 2, true},
		{[]int{31, 11, 11, 11}, 1, false},
		{[]int{31, 11, 11, 12}, 2, false},
	} {
		if l := newLayout(powers(c.sizes...), true, false); l.width != c.width || l.apart != c.apart {
			t.Errorf("%v: %d words, apart: %v, want %d, %v", c.sizes, l.width, l.apart, c.width, c.apart)
		}
	}
}
