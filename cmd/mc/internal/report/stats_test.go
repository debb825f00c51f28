package report

import (
	"testing"

	"interleave/explore"
)

// TestLeft: that a search ended early is told even where it happens to have left nothing.
func TestLeft(t *testing.T) {
	for _, c := range []struct {
		outcome  explore.Outcome
		frontier int
		want     string
	}{
		{explore.Stopped, 1, "not everything: stopped; 1 state found but not expanded"},
		{explore.TimeLimit, 2000, "not everything: time ran out; 2,000 states found but not expanded"},
		{explore.Stopped, 0, "perhaps not everything: stopped"},
		{explore.DepthLimit, 4, "not everything: depth limit reached; 4 states 3 steps away found but not looked at"},
		{explore.StateLimit, 0, "not everything: state limit reached"}, // there was no room for the next
	} {
		if got := Left(c.outcome.String(), c.frontier, 3); got != c.want {
			t.Errorf("%v with %d states left: %q", c.outcome, c.frontier, got)
		}
	}
}
