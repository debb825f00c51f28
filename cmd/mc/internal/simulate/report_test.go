package simulate

import "testing"

// TestAtLeast: what is said to be a lower bound is one, and nothing is certain.
func TestAtLeast(t *testing.T) {
	for p, want := range map[float64]string{0: "0", 0.9999: "0.99", 0.125: "0.12", 0.00019: "0.00019", 1.0 / 3e6: "3.3e-07"} {
		if got := atLeast(p); got != want {
			t.Errorf("%g: %s", p, got)
		}
	}
}
