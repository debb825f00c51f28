package diagram_test

import (
	"fmt"
	"math/big"
	"testing"

	"interleave/explore"
	"interleave/explore/dd"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/model/diagram"
	"interleave/spec"
)

// What a process of the journal handled last. Late: a message after its timer expired.
const (
	_ = iota
	started
	noticed
	received
	expired
	suspected
	restored
	recovered
	late
)

// journal has a process remember what kind of event it handled last, and follow process 1 only
// if a message came late. Process 1 sends two messages, and 2 one.
var journal = &spec.Algorithm[int, int]{
	Name: "x/journal",
	Init: func(_ *int, p *spec.Proc[int]) { p.SetTimer(0) },
	Start: func(s *int, p *spec.Proc[int]) {
		*s = started
		for m := range int(3 - p.ID) {
			p.Send(3-p.ID, m)
		}
	},
	Receive: func(s *int, _ *spec.Proc[int], _ spec.ID, _ int) {
		if *s == expired {
			*s = late
			return
		}
		*s = received
	},
	Timeout: func(s *int, _ *spec.Proc[int], _ spec.Timer) { *s = expired },
	Suspect: func(s *int, _ *spec.Proc[int], _ spec.ID) { *s = suspected },
	Restore: func(s *int, _ *spec.Proc[int], _ spec.ID) { *s = restored },
	Recover: func(s *int, _ *spec.Proc[int]) { *s = recovered },
	Election: &spec.Election[int, int]{
		Notice: func(s *int, _ *spec.Proc[int]) { *s = noticed },
		Leader: func(s int) spec.ID {
			if s == late {
				return 1
			}
			return spec.None
		},
	},
	Rules: []spec.TimerRule[int, int]{{Name: "T"}},
}

// stepQuestions are conditions on steps, by name: each kind of step of each process has one that
// is true of no other kind.
func stepQuestions() (names []string, are []func(before, after *model.World) bool) {
	add := func(name string, is func(before, after *model.World) bool) {
		names, are = append(names, name), append(are, is)
	}
	same := func(before, after *model.World) bool {
		return before.State(1) == after.State(1) && before.State(2) == after.State(2)
	}
	for p := range spec.UpTo(2).All() {
		for code := started; code <= late; code++ {
			add(fmt.Sprintf("%v handles %d", p, code), func(before, after *model.World) bool {
				return before.State(p) != code && after.State(p) == code
			})
		}
		crashes := func(before, after *model.World) bool { return before.Live().Has(p) && !after.Live().Has(p) }
		add(fmt.Sprintf("%v crashes", p), func(before, after *model.World) bool {
			return crashes(before, after) && len(after.Inbox(3-p)) == len(before.Inbox(3-p))
		})
		if p == 1 { // process 2 sends only one message
			add("1 crashes midway", func(before, after *model.World) bool {
				return crashes(before, after) && len(after.Inbox(2)) > len(before.Inbox(2))
			})
		}
		add(fmt.Sprintf("a message to %v is lost", p), func(before, after *model.World) bool {
			return before.Live().Has(p) && same(before, after) && len(after.Inbox(p)) < len(before.Inbox(p))
		})
		add(fmt.Sprintf("a message to %v vanishes", p), func(before, after *model.World) bool {
			return !before.Live().Has(p) && same(before, after) && len(after.Inbox(p)) < len(before.Inbox(p))
		})
		add(fmt.Sprintf("a message to %v is copied", p), func(before, after *model.World) bool {
			return same(before, after) && len(after.Inbox(p)) > len(before.Inbox(p))
		})
		add(fmt.Sprintf("%v comes to follow", p), func(before, after *model.World) bool {
			return before.Leader(p) == spec.None && after.Leader(p) == 1
		})
	}
	add("the end", func(_, after *model.World) bool { return after.Quiescent() })
	add("not the end", func(_, after *model.World) bool { return !after.Quiescent() })
	add("after the end", func(before, _ *model.World) bool { return before.Quiescent() })
	add("before the end", func(before, _ *model.World) bool { return !before.Quiescent() })
	return names, are
}

// TestSteps: a condition on steps is asked of every kind of step, by the tables, without, and by
// diagrams, and they agree with the reference; of the diagrams also in how many states there is
// such a step.
func TestSteps(t *testing.T) {
	testsize.Alone(t)
	names, are := stepQuestions()
	ever := make([]bool, len(names))
	for _, c := range []model.Config{
		{Crashes: 1, Split: true, Recoveries: 1},
		{Crashes: 1, Detector: model.Eventual, Suspicions: 1},
		{Crashes: 1, Losses: 1},
		{Duplicates: 1},
	} {
		c.N, c.Network, c.Timers = 2, model.Bag, model.Any
		want := stepsOf(t, c, are)
		for i, n := range want {
			ever[i] = ever[i] || n > 0
		}
		watches := make([]model.Watch, len(are))
		for i, is := range are {
			watches[i].Step = is
		}
		sys, err := compiled.New(journal, c, watches)
		if err != nil {
			t.Fatal(err)
		}
		direct, err := model.NewInterpreted(journal, c, watches)
		if err != nil {
			t.Fatal(err)
		}
		for how, s := range map[string]explore.System{"tables": sys, "no tables": direct} {
			r, err := explore.Search(t.Context(), s, explore.Options{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			for i, name := range names {
				if got := r.Marks>>i&1 != 0; got != (want[i] > 0) {
					t.Errorf("%+v, %s: %q is found: %v, want %d times", c, how, name, got, want[i])
				}
			}
		}
		y, err := diagram.New(t.Context(), sys.LocalSteps, diagram.Form{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		all := y.Forest.Keep(y.Reach(dd.Chain))
		for i, name := range names {
			found, err := y.FindStep(all, are[i])
			if n := y.Forest.Count(found); err != nil || n.Cmp(big.NewInt(int64(want[i]))) != 0 {
				t.Errorf("%+v, diagrams: %q in %v states, want %d: %v", c, name, n, want[i], err)
			}
		}
	}
	for i, name := range names {
		if !ever[i] {
			t.Errorf("%q: never", name)
		}
	}
}

// stepsOf returns how many reachable states have a step for which each condition is true.
func stepsOf(t *testing.T, c model.Config, are []func(before, after *model.World) bool) []int {
	t.Helper()
	r, err := model.NewReference(journal, c)
	if err != nil {
		t.Fatal(err)
	}
	counts := make([]int, len(are))
	met, open := map[string]bool{}, r.Initial()
	for len(open) > 0 {
		s := open[0]
		if open = open[1:]; met[s.Key()] {
			continue
		}
		met[s.Key()] = true
		happens := make([]bool, len(are))
		for step := range r.EachStep(s) {
			before, after := r.World(s), r.World(step.After)
			for i, is := range are {
				happens[i] = happens[i] || is(before, after)
			}
			open = append(open, step.After)
		}
		for i := range are {
			if happens[i] {
				counts[i]++
			}
		}
	}
	return counts
}

// TestBudgets: of each fault there are as many in a run as the world has, and no more: a fault
// costs one. Diagrams reach the same number of states.
func TestBudgets(t *testing.T) {
	for _, row := range []struct {
		config model.Config
		most   map[string]int // by kind of step
	}{
		{model.Config{Losses: 2}, map[string]int{"lose": 2}},
		{model.Config{Duplicates: 2}, map[string]int{"copy": 2}},
		{model.Config{Partitions: 2}, map[string]int{"divide": 2, "heal": 2}},
		{model.Config{Crashes: 2}, map[string]int{"crash": 2}},
		{model.Config{Crashes: 2, Recoveries: 2}, map[string]int{"crash": 2, "recover": 2}},
		{model.Config{Crashes: 2, Recoveries: 1}, map[string]int{"crash": 2, "recover": 1}},
		{model.Config{Crashes: 2, Split: true}, map[string]int{"crash": 2, "crash between sends": 1}},
		{model.Config{Detector: model.Eventual, Suspicions: 2}, map[string]int{"suspect falsely": 2}},
	} {
		c := row.config
		c.N, c.Timers = 2, model.Any
		sys, err := compiled.New(journal, c, nil)
		if err != nil {
			t.Fatal(err)
		}
		direct, err := model.NewInterpreted(journal, c, nil)
		if err != nil {
			t.Fatal(err)
		}
		states := 0
		for how, s := range map[string]interface {
			explore.System
			Kinds() []string
		}{"tables": sys, "no tables": direct} {
			r, err := explore.Search(t.Context(), s, explore.Options{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			states = r.Stats.States
			for kind, most := range row.most {
				e, err := r.Graph.Extremes(t.Context(), func(a explore.Action) int {
					if s.Kinds()[a.Kind()] == kind {
						return 1
					}
					return 0
				}, 0)
				if err != nil || e.Unbounded || e.Most != most {
					t.Errorf("%+v, %s: %d times %s, without end: %v, %v; want %d", c, how, e.Most, kind, e.Unbounded, err, most)
				}
			}
		}
		y, err := diagram.New(t.Context(), sys.LocalSteps, diagram.Form{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if n := y.Forest.Count(y.Reach(dd.Chain)); n.Cmp(big.NewInt(int64(states))) != 0 {
			t.Errorf("%+v: diagrams reach %v states, want %d", c, n, states)
		}
	}
}
