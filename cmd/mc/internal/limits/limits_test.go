package limits

import (
	"math"
	"testing"
)

// TestHeap: the collector keeps within --mem, but for the least that any run takes; without
// a limit it has none.
func TestHeap(t *testing.T) {
	for memory, want := range map[int64]int64{0: math.MaxInt64, 1: 16 << 20, 30 << 20: 16 << 20, 36 << 20: 18 << 20, 80 << 20: 50 << 20, 8 << 30: 7<<30 - 20<<20} {
		if have := Heap(memory); have != want {
			t.Errorf("of %d: %d, not %d", memory, have, want)
		}
	}
}
