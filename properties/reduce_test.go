package properties_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/catalog"
	"interleave/spec/changroberts"
)

// TestReducedAgrees compares reduced searches with full ones in small worlds of
// every algorithm: verdicts, and how many messages runs send.
func TestReducedAgrees(t *testing.T) {
	limit := 20_000
	if testing.Short() {
		limit = 2_000
	}
	smaller := 0
	for _, m := range catalog.Machines {
		for _, c := range worldsOfQueues(m) {
			smaller += reducedAgrees(t, m, c, limit)
		}
	}
	if smaller == 0 {
		t.Error("nothing was left out anywhere")
	}
}

// worldsOfQueues returns the worlds of the ladder of an algorithm, as far as a
// reduction may be possible there, also with timers that expire at will.
func worldsOfQueues(m spec.Machine) []model.Config {
	var worlds []model.Config
	for _, c := range properties.Ladder(m) {
		c.Bound = min(c.Bound, 1)
		for _, timers := range []model.Timing{c.Timers, model.Any} {
			if c.Timers = timers; c.Network == model.FIFO && c.HasTables() && c.Check(m) == nil {
				worlds = append(worlds, c)
			}
		}
	}
	return worlds
}

func reducedAgrees(t *testing.T, m spec.Machine, c model.Config, limit int) (smaller int) {
	t.Helper()
	standard, _ := properties.Standard(m, c)
	standard = slices.DeleteFunc(standard, func(p properties.Property) bool { return strings.HasPrefix(p.Name, "LE") }) // slow, and of steps
	for _, props := range [][]properties.Property{standard, {properties.SSelf, properties.SUniq, properties.QAgree, properties.QMax, properties.T, properties.M}} {
		full := verify(t, m, c, props, properties.Options{Continue: true, MaxStates: limit})
		if full.Stats.Outcome != explore.Exhausted.String() {
			return smaller
		}
		less := verify(t, m, c, props, properties.Options{Continue: true, MaxStates: limit, Reduce: true})
		if less.Stats.States > full.Stats.States {
			t.Errorf("%s %+v: %d states, and %d in full", m.Traits().Name, c, less.Stats.States, full.Stats.States)
		}
		if less.Stats.States < full.Stats.States {
			smaller++
		}
		for i, want := range full.Findings {
			got := less.Findings[i]
			if got.Verdict != want.Verdict || want.Messages != nil && got.Messages.String() != want.Messages.String() {
				t.Errorf("%s %+v, %s: %s is %v %s, and %v %s in full", m.Traits().Name, c, less.Stats.Reduction, want.Name, got.Verdict, got.Why, want.Verdict, want.Why)
			}
		}
	}
	return smaller
}

// TestReductionPays: on a ring of queues hardly any order makes a difference.
func TestReductionPays(t *testing.T) {
	c := model.Config{N: 7, Ring: []spec.ID{7, 6, 5, 4, 3, 2, 1}}
	props := []properties.Property{properties.SSelf, properties.SUniq, properties.QAgree, properties.QMax, properties.T}
	full := verify(t, changroberts.Textbook, c, props, properties.Options{})
	less := verify(t, changroberts.Textbook, c, props, properties.Options{Reduce: true})
	if less.Verdict != properties.Verified || less.Stats.States*6 > full.Stats.States {
		t.Errorf("%v (%s): %d states, and %d in full", less.Verdict, less.Stats.Reduction, less.Stats.States, full.Stats.States)
	}
}

// TestReducedLeadsNowhere: a process whose only step is beyond the bound, or
// panics, does not keep the others from theirs.
func TestReducedLeadsNowhere(t *testing.T) {
	nobody := properties.Invariant("nobody", "nobody follows 1", func(w *model.World) error {
		if w.Leader(2) == 1 {
			return errors.New("process 2 does")
		}
		return nil
	})
	for name, start := range map[string]func(s *int){"beyond": func(s *int) { *s = 2 }, "panics": func(*int) { panic("no") }} {
		m := odd(name, func(a *oddState) {
			a.Measure = func(s int) int { return s }
			a.Leader = func(s int) spec.ID { return spec.ID(s) }
			a.Start = func(s *int, p *oddProc) {
				if *s = 1; p.ID == 1 {
					start(s)
				}
			}
		})
		for _, initiators := range []spec.Set{spec.SetOf(1), spec.SetOf(2)} {
			c := model.Config{N: 2, Bound: 1, Initiators: model.Initiators{Only: initiators}}
			r := verify(t, m, c, []properties.Property{nobody}, properties.Options{Continue: true, Reduce: true})
			if f := finding(t, r, "nobody"); f.Verdict != properties.Violated {
				t.Errorf("%s, initiators %v: %v", name, initiators, f.Verdict)
			}
		}
	}
}
