package compiled

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/spec/catalog"
)

// TestFlatIsRows expands every state of flat systems by the steps and by the
// tables.
func TestFlatIsRows(t *testing.T) {
	flats := 0
	for _, m := range catalog.Machines {
		for _, c := range []model.Config{
			{N: 3, Network: model.Set, Initiators: model.Initiators{Any: true}},
			{N: 3, Network: model.Set, Crashes: 1, Timers: model.Just},
			{N: 3, Network: model.Set, Crashes: 2, Timers: model.Any, Split: true},
			{N: 3, Network: model.Set, Crashes: 1, Timers: model.Flush},
			{N: 2, Network: model.Set, Crashes: 1}, // where some send to whoever is next, and that one may be down
			{N: 3, Network: model.Set, Start: model.LeaderDown},
			{N: 2, Network: model.Set, Crashes: 1, Detector: model.Flushed, Initiators: model.Initiators{Any: true}},
			{N: 4, Network: model.Set, Crashes: 1, Detector: model.Perfect, Start: model.LeaderDown},
			{N: 8, Network: model.Set},                                                                          // in two words
			{N: 6, Network: model.Set, Initiators: model.Initiators{Any: true}, Crashes: 1, Timers: model.Just}, // likewise
		} {
			s, err := New(m, c, nil)
			if err != nil || s.flat == nil {
				continue
			}
			flats++
			s.dense = nil // see TestDenseSteps
			for _, g := range s.flat.groups {
				if all := g.look(0); all != (summary{}) {
					t.Errorf("%s: the local states 0 say %+v", m.Traits().Name, all)
				}
			}
			t.Run(fmt.Sprint(m.Traits().Name, c), func(t *testing.T) { compareFlat(t, s) })
		}
	}
	if flats < 10 {
		t.Errorf("only %d systems are flat", flats)
	}
}

func compareFlat(t *testing.T, s *System) {
	most := testsize.Of(1_000, 4_000, 20_000)
	r, err := explore.Search(context.Background(), s, explore.Options{MaxStates: most})
	if err != nil {
		t.Fatal(err)
	}
	x := newExpander(s, false)
	for n := range r.Stats.Expanded {
		words := r.Graph.State(n)
		var steps, rows explore.Steps
		x.words, x.out, steps.Quiet = words, &steps, true
		if !s.flat.expand(x) {
			continue
		}
		views, live := x.views, x.live
		learned := newExpander(s, true)
		learned.words, learned.out = words, &rows
		if rows.Quiet = true; !learned.expandRows() {
			t.Fatalf("state %d cannot be learned", n)
		}
		same := slices.Equal(steps.Actions, rows.Actions) && slices.Equal(steps.States, rows.States) && steps.Quiet == rows.Quiet
		if !same || views != learned.views || live != learned.live {
			t.Fatalf("%+v has\n%+v by steps,\n%+v by rows", s.State(words), steps, rows)
		}
	}
}

// TestFlatNeedsRoom: where the options of two processes would be the same bits, or one
// the 65th, the tables are used.
func TestFlatNeedsRoom(t *testing.T) {
	s, err := New(catalog.Machines[0], model.Config{N: 2, Network: model.Set}, nil)
	if err != nil || s.flat == nil {
		t.Fatalf("not flat: %v", err)
	}
	messages := uint(len(s.tables[0].Messages.Values))
	for _, c := range []struct {
		room, second uint // bits for a local state, and where the second inbox is
		flat         bool
	}{
		{1, 2 + messages, false},
		{2, 4 + messages, true},
		{1, 64 - messages, false},
		{2, 64 - messages, true},
	} {
		s.flat, s.layout.fields = nil, []field{
			{shift: 0, mask: 1<<c.room - 1}, {shift: c.room, mask: 1<<messages - 1},
			{shift: c.second - c.room, mask: 1<<c.room - 1}, {shift: c.second, mask: 1<<messages - 1},
		}
		s.flatten()
		if flat := s.flat != nil; flat != c.flat {
			t.Errorf("%+v: flat %t", c, flat)
		}
	}
}
