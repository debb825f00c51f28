package compiled

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
	"interleave/spec/tokenring"
)

// TestExpanderForgets: what an expander remembers fits one layout, and when that
// changes, the same steps lead to the same states in the new one.
func TestExpanderForgets(t *testing.T) {
	asking := *changroberts.Detecting
	asking.Name, asking.Oracle = "x/asking", true
	for _, m := range []spec.Machine{bully.Mended, &asking} {
		s, err := New(m, model.Config{N: 3, Crashes: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := explore.Search(context.Background(), s, explore.Options{MaxStates: 1000})
		if err != nil {
			t.Fatal(err)
		}
		states := make([]model.State, r.Stats.Expanded)
		for n := range states {
			states[n] = s.State(r.Graph.State(n))
		}
		x := newExpander(s, false)
		expand := func(state model.State) (actions []explore.Action, after []model.State) {
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
			after   []model.State
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
			s.layout = newLayout(counts, false, false)
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

// TestApart: a search in a layout that is apart finds what one finds in which the two
// numbers of a process are together.
func TestApart(t *testing.T) {
	most := 20_000
	if testing.Short() {
		most = 4000
	}
	for _, c := range []struct {
		m      spec.Machine
		config model.Config
	}{
		{bully.Mended, model.Config{N: 3, Crashes: 1, Split: true}},
		{bully.Mended, model.Config{N: 3, Crashes: 1, Network: model.Set, Timers: model.Just}},
		{bully.Mended, model.Config{N: 3, Crashes: 1, Recoveries: 1, Network: model.Bag}},
		{changroberts.Detecting, model.Config{N: 3, Crashes: 1, Detector: model.Perfect, Losses: 1}},
		{tokenring.Mended, model.Config{N: 3, Crashes: 1}},
	} {
		search := func(apart bool) (*System, *explore.Result) {
			settled := model.Watch{State: func(w *model.World) bool { return w.Idle(1) && w.Leader(1) == 3 }} // which goes by the local state
			s, err := New(c.m, c.config, []model.Watch{settled})
			if err != nil {
				t.Fatal(err)
			}
			if counts := []int{1 << 12, 1 << 22, 1 << 12, 1 << 22, 1 << 12, 1 << 22, 1 << 10}; apart {
				s.layout = newLayout(counts[:len(s.layout.fields)], false, false)
				s.version++
			}
			r, err := explore.Search(t.Context(), s, explore.Options{Workers: 2, MaxStates: most})
			if err != nil || s.layout.apart != apart {
				t.Fatalf("%s, %+v: apart: %v, %v", c.m.Traits().Name, c.config, s.layout.apart, err)
			}
			return s, r
		}
		s, together := search(false)
		split, apart := search(true)
		a, b := together.Stats, apart.Stats
		if a.States != b.States || a.Transitions != b.Transitions || a.Depth != b.Depth || a.Quiet != b.Quiet || a.Fired != b.Fired || apart.Marks != 1 || together.Found(0) != apart.Found(0) {
			t.Errorf("%s, %+v: together %+v, apart %+v", c.m.Traits().Name, c.config, a, b)
		}
		for n := range min(a.States, b.States) {
			if x, y := s.State(together.Graph.State(n)), split.State(apart.Graph.State(n)); !reflect.DeepEqual(x, y) {
				t.Fatalf("%s, %+v: state %d is %+v, apart %+v", c.m.Traits().Name, c.config, n, x, y)
			}
		}
	}
}

// TestApartIsNotFlat: a flat system reads the two numbers of a process from one word.
func TestApartIsNotFlat(t *testing.T) {
	for _, apart := range []bool{false, true} {
		s, err := New(bully.Mended, model.Config{N: 3, Network: model.Set, Timers: model.Just}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.flat, s.layout.apart = nil, apart
		if s.flatten(); (s.flat == nil) != apart {
			t.Errorf("apart: %v, flat: %v", apart, s.flat != nil)
		}
	}
}
