package compiled

import (
	"slices"
	"testing"

	"interleave/explore"
	"interleave/internal/testsize"
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

// TestWatcherRemembers compares what is remembered of states and steps with what each watch says when it is
// asked, in all states of a world, whatever part of the world the watch looks at.
func TestWatcherRemembers(t *testing.T) {
	testsize.Alone(t)
	state := func(w *model.World) any { return w.State(1) }
	looks := map[string]func(w *model.World) bool{
		"views":     func(w *model.World) bool { return w.Leader(1) == w.Top() },
		"local":     func(w *model.World) bool { return state(w) == state(w.Kept()) && w.Idle(1) },
		"status":    func(w *model.World) bool { return w.Started(2) && w.Leader(2) == 2 },
		"kept":      func(w *model.World) bool { return w.Kept().Idle(2) && w.Kept().Started(1) },
		"inbox":     func(w *model.World) bool { return len(w.Inbox(2)) > 1 },
		"quiescent": func(w *model.World) bool { return w.Live().Len() == 2 && w.Quiescent() },
	}
	var watches []model.Watch
	var names []string
	for name, look := range looks {
		watches = append(watches, model.Watch{State: look}, model.Watch{Step: func(before, after *model.World) bool { return look(before) != look(after) }},
			model.Watch{Step: func(_, after *model.World) bool { return look(after) }})
		names = append(names, name+" of a state", name+" of a step", name+" after a step")
	}
	c := model.Config{N: 3, Crashes: 1, Recoveries: 1, Timers: model.Any, Network: model.Set}
	s, err := New(bully.Mended, c, watches)
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Search(t.Context(), s, explore.Options{MaxStates: 30_000})
	if err != nil {
		t.Fatal(err)
	}
	x, seen := newExpander(s, false), map[string]int{}
	var out explore.Steps
	for n := range r.Stats.Expanded {
		words := r.Graph.State(n)
		if out.Reset(); !x.Expand(words, &out) {
			t.Fatal("an expanded state lacks something")
		}
		var want []explore.Mark
		var before, after model.World
		var beforeSource, afterSource packed
		ask := func(world *model.World, source *packed, words []uint64) *model.World {
			x.look(s, world, source, words)
			return world
		}
		for i, w := range watches {
			if w.State != nil && w.State(ask(&before, &beforeSource, words)) {
				want = append(want, explore.Mark{Bit: uint8(i)})
				seen[names[i]]++
			}
		}
		for k, a := range out.Actions {
			next := out.States[k*s.layout.width:][:s.layout.width]
			for i, w := range watches {
				if w.Step != nil && w.Step(ask(&before, &beforeSource, words), ask(&after, &afterSource, next)) {
					want = append(want, explore.Mark{Bit: uint8(i), OnStep: true, Action: a})
					seen[names[i]]++
				}
			}
		}
		if !slices.Equal(out.Marks, want) {
			t.Fatalf("state %d has the marks %v, not %v; the watches are %q", n, out.Marks, want, names)
		}
	}
	for _, name := range names {
		if seen[name] == 0 {
			t.Errorf("%s is never true", name)
		}
	}
}
