package model

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"interleave/explore"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
)

// TestExpanderForgets: what an expander remembers fits one layout, and when that
// changes, the same steps lead to the same states in the new one.
func TestExpanderForgets(t *testing.T) {
	asking := *changroberts.Detecting
	asking.Name, asking.Oracle = "x/asking", true
	for _, m := range []spec.Machine{bully.Mended, &asking} {
		s, err := NewSystem(m, Config{N: 3, Crashes: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := explore.Search(context.Background(), s, explore.Options{MaxStates: 1000})
		if err != nil {
			t.Fatal(err)
		}
		states := make([]State, r.Stats.Expanded)
		for n := range states {
			states[n] = s.State(r.Graph.State(n))
		}
		x := &expander{sys: s}
		expand := func(state State) (actions []explore.Action, after []State) {
			var out explore.Steps
			if !x.Expand(s.pack(state), &out) {
				t.Fatal("an expanded state is not learned")
			}
			for next := range slices.Chunk(out.States, s.Width()) {
				after = append(after, s.State(next))
			}
			return out.Actions, after
		}
		type steps struct {
			actions []explore.Action
			after   []State
		}
		var before []steps
		for _, state := range states {
			actions, after := expand(state)
			before = append(before, steps{actions, after})
		}
		wider := s.counts()
		for i := range wider {
			wider[i] = wider[i]<<3 + i
		}
		for _, counts := range [][]int{wider, {1 << 30, 1 << 12, 1 << 30, 1 << 12, 1 << 10, 1 << 30}} {
			s.layout = newLayout(counts, false)
			s.version++
			for n, state := range states {
				if actions, after := expand(state); !reflect.DeepEqual(steps{actions, after}, before[n]) {
					t.Fatalf("%s: in a new layout the steps out of %+v lead elsewhere", m.Traits().Name, state)
				}
			}
		}
		if !s.layout.apart {
			t.Error("no layout was apart")
		}
	}
}
