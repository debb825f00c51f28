package tla_test

import (
	"context"
	"testing"

	"interleave/tla"
)

// TestRing pins what TLC finds for Chang and Roberts' algorithm of 3 nodes: 137
// distinct states, 227 generated, which are the initial states and the steps, and
// 10 levels.
func TestRing(t *testing.T) {
	m, err := tla.Open("testdata/Ring.tla", "testdata/Ring.cfg")
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 3} {
		r, err := m.Check(context.Background(), tla.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		s := r.Stats
		if s.States != 137 || s.Initial+s.Transitions != 227 || s.Depth+1 != 10 || r.Verdict() != tla.Holds {
			t.Errorf("%v: %+v", r.Verdict(), s)
		}
	}
}
