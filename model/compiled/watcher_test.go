package compiled

import (
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
	"interleave/spec/bully"
)

// TestWatcherForgets: what is remembered goes by the words of a state, and a
// new layout gives them another meaning.
func TestWatcherForgets(t *testing.T) {
	asked := 0
	s, err := New(bully.Mended, model.Config{N: 3}, []model.Watch{{State: func(*model.World) bool { asked++; return false }}})
	if err != nil {
		t.Fatal(err)
	}
	s.Initial(func(words []uint64) bool {
		var w watcher
		for range 3 {
			w.watch(s, words, 0, &explore.Steps{})
		}
		if asked != 1 {
			t.Errorf("asked %d times about the same local states", asked)
		}
		s.version++
		w.watch(s, words, 0, &explore.Steps{})
		if asked != 2 {
			t.Errorf("asked %d times, the last in a new layout", asked)
		}
		return true
	})
}

// TestStableSeesMessages: what comes once nothing fails any more depends on messages in flight, here
// on one that is refused or lost, though the processes are the same with it and without. So no
// answer about that is taken for an answer in another state.
func TestStableSeesMessages(t *testing.T) {
	refuses := odd("refuses", func(a *oddAlgorithm) {
		a.Init = func(_ *int, p *oddProc) {
			if p.ID == 1 {
				p.SetTimer(0)
			}
		}
		a.Timeout = func(s *int, p *oddProc, _ spec.Timer) {
			*s = 1
			p.Send(2, 0)
		}
		a.Rules = []spec.TimerRule[int, int]{{Name: "T"}}
	})
	lost := func(w *model.World) bool { return w.State(1) == 1 && len(w.Inbox(2)) == 0 }
	watches := []model.Watch{
		{State: func(w *model.World) bool {
			_, alone := w.Locals()
			return alone && w.State(1) == 1
		}},
		{State: func(w *model.World) bool {
			_, alone := w.Locals()
			return alone && len(w.Inbox(2)) > 0
		}},
		{State: func(w *model.World) bool { return lost(w.Stabilize()) }},
		{State: func(w *model.World) bool {
			for _, later := range w.StableRounds(1) {
				return lost(later)
			}
			return false
		}},
	}
	c := model.Config{N: 2, Losses: 1, Timers: model.Any}
	s, err := New(refuses, c, watches)
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Search(t.Context(), s, explore.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range watches {
		if seen := r.Marks>>i&1 != 0; seen != (i != 1) {
			t.Errorf("watch %d sees that the message is lost: %v", i, seen)
		}
	}
}
