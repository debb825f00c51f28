package explore

import (
	"math"
	"slices"
	"testing"

	"interleave/internal/testsize"
)

// TestForetell: the levels of a cube, a bell, tell early how many states there are; others
// tell what they can.
func TestForetell(t *testing.T) {
	const dimension = 24
	levels := []int{0}
	for k, size := 0, 1; k <= dimension; k++ {
		levels = append(levels, levels[k]+size)
		size = size * (dimension - k) / (k + 1)
		got := estimateStates(levels)
		switch whole := 1 << dimension; {
		case k < 2 && got != levels[k+1]:
			t.Errorf("of %v: %d states", levels, got)
		case k >= dimension/3 && (got < whole/2 || got > whole*2), k > dimension*2/3 && (got < whole*9/10 || got > whole*11/10):
			t.Errorf("after level %d: %d states, of %d", k, got, whole)
		}
	}
	for _, c := range []struct {
		levels []int
		want   int
	}{
		{[]int{0}, 0},
		{[]int{0, 1, 3, 8, 24}, 96}, // faster and faster
		{[]int{0, 1, 2, 4, 8}, 32},
		{[]int{0, 100, 200, 300, 400}, 400}, // as ever
		{[]int{0, 90, 100, 101, 102}, 102},  // about to end
		{[]int{0, 1 << 10, 1 << 20, 1<<29 + 1<<28}, maxStates},
	} {
		if got := estimateStates(c.levels); got != c.want {
			t.Errorf("of %v: %d states, want %d", c.levels, got, c.want)
		}
	}
}

// TestMakeRoom: a large table grows as far as is foretold, but not too fast, and holds the
// same.
func TestMakeRoom(t *testing.T) {
	const start = 48 << 10 / 64 * 512 // as many states as fill regions of the least large size
	all := make([]uint64, start+start/8)
	for s := range all {
		all[s] = uint64(s)
	}
	rows := []struct{ foretold, times int }{{0, 2}, {start * 5 / 2, 4}, {start * 3 / 2, 2}, {start * 5, 8}, {maxStates, 8}}
	if !testsize.All() {
		rows = rows[:2]
	}
	for _, c := range rows {
		r := newRegister(0, 3)
		r.batch.foretold = c.foretold
		for states := range slices.Chunk(all, batchStates/4) {
			r.batch.begin(len(states), math.MaxInt64)
			r.batch.grow()
			r.add(t, false, maxStates, slices.Collect(slices.Chunk(states, chunkStates))...)
		}
		for i := range r.regions {
			if size := len(r.regions[i].slots); size != c.times*largeRegion {
				t.Fatalf("with %d states foretold region %d has %d slots", c.foretold, i, size)
			}
		}
		r.check(t)
	}
}

// TestGrowsBetweenBatches: two workers lose nothing where the store grows amid a level, while
// what was expanded ahead waits.
func TestGrowsBetweenBatches(t *testing.T) {
	const dimension = 19
	r := mustSearch(t, cube(dimension), Options{Workers: 2})
	if s := r.Stats; s.States != 1<<dimension || s.Transitions != dimension<<(dimension-1) || len(r.Graph.store.regions[0].slots) <= largeRegion {
		t.Errorf("%d states, %d transitions, %d slots in a region", s.States, s.Transitions, len(r.Graph.store.regions[0].slots))
	}
}

// TestLargeMemory: what is foretold takes no room from states, nor more than the limit, and
// none for states beyond one on them.
func TestLargeMemory(t *testing.T) {
	testsize.Test(t)
	d := cube(20)
	limits := []int64{10 << 20, 13 << 20, 14 << 20}
	if !testsize.All() {
		limits = limits[1:2]
	}
	for _, limit := range limits {
		r := mustSearch(t, d, Options{Memory: limit})
		held, least := r.Graph.store.bytes(), int(limit/(8+mostSlotBytes))
		if r.Outcome != MemoryLimit || held > limit || r.Stats.States < least {
			t.Errorf("limit %d: %v with %d bytes and %d states, at least %d", limit, r.Outcome, held, r.Stats.States, least)
		}
	}
	r := mustSearch(t, d, Options{MaxStates: 600_000})
	if slots := len(r.Graph.store.regions[0].slots); r.Outcome != StateLimit || slots != 2*largeRegion {
		t.Errorf("%v with %d slots in a region", r.Outcome, slots)
	}
}
