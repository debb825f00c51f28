package explore

import (
	"slices"
	"testing"
)

// TestInsert puts candidates into gaps at the beginning, in the middle, two at one place, and at the end.
func TestInsert(t *testing.T) {
	for _, width := range []int{1, 3} {
		states := func(values ...uint64) (c *chunk) {
			c = &chunk{width: width}
			for _, v := range values {
				c.add(slices.Repeat([]uint64{v}, width), v)
			}
			return c
		}
		c := states(10, 20, 30)
		c.unlearned, c.gaps = []int{1, 2, 3, 4, 5}, []int{0, 2, 2, 2, 3}
		c.insert(states(1, 2, 21, 22, 31), []int{2, 3, 3, 4, 5})
		want := states(1, 2, 10, 20, 21, 22, 30, 31)
		if !slices.Equal(c.hashes, want.hashes) || !slices.Equal(c.states, want.states) || len(c.unlearned)+len(c.gaps) > 0 {
			t.Errorf("width %d: %v, %v", width, c.hashes, c.states)
		}
	}
}
