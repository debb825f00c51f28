package model

import (
	"slices"
	"testing"

	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/spec"
	"interleave/spec/ble"
	"interleave/spec/bully"
	"interleave/spec/tokenring"
)

// settledPlainly is stabilize, with nothing remembered.
func settledPlainly(r *Reference, s State) State {
	for range maxStabilizing {
		next, ok := arrival(r, s)
		if !ok {
			break
		}
		s = next
	}
	return s
}

// TestSettleRemembers: what is remembered of one state is never taken for
// another, in any world.
func TestSettleRemembers(t *testing.T) {
	testsize.Alone(t)
	for _, row := range []struct {
		machine spec.Machine
		config  Config
	}{
		{ble.Mended, Config{N: 2, Timers: Any, Bound: 2, Crashes: 1, Recoveries: 1}},
		{ble.Mended, Config{N: 3, Timers: Any, Bound: 1, Network: Bag, Crashes: 1, Split: true}},
		{ble.Mended, Config{N: 2, Timers: Any, Bound: 2, Partitions: 1, Losses: 1}},
		{bully.Published, Config{N: 3, Crashes: 1, Split: true}},
		{bully.Mended, Config{N: 2, Crashes: 1, Timers: Timed, Delta: 1, Durations: "T_ok=2,T_coord=6,notice=3"}},
		{tokenring.Mended, Config{N: 3, Crashes: 1}},
	} {
		seen := 0
		look := func(w *World) bool {
			seen++
			s := w.source.Plain()
			settled := w.Stabilize()
			plain := *settled.reference
			plain.cache = nil
			if got, want := settled.source.Plain(), settledPlainly(&plain, s); !got.Equal(want) {
				t.Errorf("%s, %+v:\n%s settles to\n%s, and is said to settle to\n%s", row.machine.Traits().Name, row.config, s.Key(), want.Key(), got.Key())
			}
			if settled != w.Stabilize() {
				t.Error("what was asked for is worked out twice")
			}
			return t.Failed()
		}
		var s explore.System
		var err error
		s, err = NewInterpreted(row.machine, row.config, []Watch{{State: look}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := explore.Search(t.Context(), s, explore.Options{Workers: 1, MaxStates: 5_000, Stop: 1}); err != nil {
			t.Fatal(err)
		}
		if seen < 100 {
			t.Errorf("%s, %+v: looked at %d states", row.machine.Traits().Name, row.config, seen)
		}
	}
}

// TestNeverSilent: where messages go to and fro for longer than a round after stabilization
// may last, it ends after as many, whatever is remembered of states on the way.
func TestNeverSilent(t *testing.T) {
	testsize.Alone(t)
	const length = maxStabilizing + 5
	m := &spec.Algorithm[int, int]{
		Name: "x/pingpong",
		Start: func(_ *int, p *spec.Proc[int]) {
			if p.ID == 1 {
				p.Send(2, length)
			}
		},
		Receive: func(s *int, p *spec.Proc[int], from spec.ID, m int) {
			if *s = m; m > 0 {
				p.Send(from, m-1)
			}
		},
		Election: &spec.Election[int, int]{Leader: func(int) spec.ID { return spec.None }},
	}
	r, err := NewReference(m, Config{N: 2})
	if err != nil {
		t.Fatal(err)
	}
	way := []State{r.Initial()[0]}
	for range 20 {
		next, ok := arrival(r, way[len(way)-1])
		if !ok {
			t.Fatal("it falls silent")
		}
		way = append(way, next)
	}
	slices.Reverse(way) // the first come last
	for i, s := range way {
		want := settledPlainly(r, s)
		if got := r.World(s).Stabilize().source.Plain(); !got.Equal(want) {
			t.Errorf("%d steps from the start it settles to %s, want %s", len(way)-1-i, got.Key(), want.Key())
		}
	}
	slices.Reverse(way) // the first come first, so that the others were passed before
	if r, err = NewReference(m, Config{N: 2}); err != nil {
		t.Fatal(err)
	}
	for i, s := range way[:3] {
		want := settledPlainly(r, s)
		if got := r.World(s).Stabilize().source.Plain(); !got.Equal(want) {
			t.Errorf("%d steps from the start it then settles to %s, want %s", i, got.Key(), want.Key())
		}
	}
	if end := settledPlainly(r, way[len(way)-1]); len(end.Inboxes[0])+len(end.Inboxes[1]) > 0 {
		t.Error("no state here falls silent")
	}
}
