package plan

import "testing"

// TestWorkers: there are no more workers than the memory has room for, and as many as are
// wanted where there is no limit.
func TestWorkers(t *testing.T) {
	for _, c := range []struct {
		wanted int
		memory int64
		want   int
	}{{64, 0, 64}, {64, 100 << 20, 2}, {1, 100 << 20, 1}, {64, 1 << 30, 10}, {8, 8 << 30, 8}} {
		q := Question{Workers: c.wanted, Memory: c.memory}
		if n := q.workers(); n != c.want {
			t.Errorf("of %d workers within %d bytes there are %d, want %d", c.wanted, c.memory, n, c.want)
		}
	}
}
