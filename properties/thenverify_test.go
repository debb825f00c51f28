package properties_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/modeltest"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/catalog"
)

// thenVerify is what a simulation says of one property, and the simulation.
func thenVerify(t *testing.T, m spec.Machine, c model.Config, p properties.Property, o properties.SimulateOptions) (properties.Finding, *properties.Simulation) {
	t.Helper()
	s := simulate(t, m, c, o, p)
	if s.Findings[0].Name != p.Name {
		t.Fatalf("%+v", s.Findings)
	}
	if f := s.Findings[0]; f.Verdict == properties.Violated {
		if _, _, reason, err := properties.Replay(m, f.Trace, p); err != nil || reason != f.Why {
			t.Errorf("%s: %v: %s, and not %s", p.Name, err, reason, f.Why)
		}
	}
	return s.Findings[0], s
}

// TestThenVerify: from suspicious states of small worlds a search finds what one from the beginning does, and what that
// does not know it does not know either.
func TestThenVerify(t *testing.T) {
	found, open := 0, 0
	for _, row := range recoverables {
		a := taken(row.most)
		a.Properties = []spec.Property{spec.Recoverable("goal", "the goal can be reached", row.goal)}
		row.world.N = 2
		for _, o := range []properties.SimulateOptions{{}, {Direct: true}, {Workers: 3}} {
			o.Runs, o.ThenVerify = 200, 1000
			f, s := thenVerify(t, a, row.world, properties.Own(a)[0], o)
			if (f.Verdict == properties.Violated) != (row.verdict == properties.Violated) {
				t.Errorf("%s, %+v: %v: %s", row.name, o, f.Verdict, f.Why)
			}
			if f.Verdict == properties.Violated {
				found++
				continue
			}
			if s.Verdict == properties.Violated { // a handler panics
				continue
			}
			if s.Ahead.Whole != s.Ahead.States || s.Ahead.States == 0 {
				t.Errorf("%s: of %d suspicious states %d are known", row.name, s.Ahead.States, s.Ahead.Whole)
			}
			if (f.Why != "") != (row.verdict == properties.Inconclusive) {
				t.Errorf("%s: %v is said of what is %v", row.name, f.Why, row.verdict)
			}
			if f.Why != "" {
				open++
			}
		}
	}
	if found == 0 || open == 0 {
		t.Errorf("%d are found, %d open", found, open)
	}
}

// TestThenVerifyLimits: a search that a limit ends decides nothing, unless what it saw is closed.
func TestThenVerifyLimits(t *testing.T) {
	goal := func(first, second int) properties.Property {
		return properties.Of(spec.Recoverable("goal", "", at(first, second)))
	}
	o := properties.SimulateOptions{Runs: 16, Steps: 1, ThenVerify: 2}
	if f, s := thenVerify(t, taken(5), model.Config{N: 2}, goal(9, 9), o); f.Verdict == properties.Violated || !strings.Contains(f.Why, "it is not known of ") || s.Ahead.Whole > 0 {
		t.Errorf("a limit ends the search: %v: %s", f.Verdict, f.Why)
	}
	o.ThenVerify = 100
	if f, s := thenVerify(t, taken(5), model.Config{N: 2}, goal(9, 9), o); f.Verdict != properties.Violated || f.Depth != 0 {
		t.Errorf("all is seen: %v after %d steps: %s, %+v", f.Verdict, f.Depth, f.Why, s)
	}
	if f, s := thenVerify(t, taken(5), model.Config{N: 2}, goal(1, -2), o); f.Verdict != properties.Violated || f.Depth != 2 || s.AheadSteps == 0 {
		t.Errorf("the search goes on to where there is no way back: %v after %d steps, %d of them ahead: %s", f.Verdict, f.Depth, s.AheadSteps, f.Why)
	}
	crashed := properties.Recoverable("crashed", "", func(w *model.World) bool { return w.Live().Len() < 2 })
	if f, _ := thenVerify(t, taken(1), model.Config{N: 2, Crashes: 1}, crashed, o); f.Verdict != properties.Violated || f.Depth != 0 {
		t.Errorf("only a crash leads there: %v after %d steps: %s", f.Verdict, f.Depth, f.Why)
	}
	for _, most := range []int{-1, properties.MostThenVerify + 1} {
		if _, err := properties.Simulate(t.Context(), taken(5), model.Config{N: 2}, nil, properties.SimulateOptions{ThenVerify: most}); err == nil || !strings.Contains(err.Error(), "then verify: ") {
			t.Error(err)
		}
	}
}

// TestThenVerifySmallest: what is out of reach from the beginning is found to be so, and where too few states are looked at
// to know, the report says that a smaller run may do.
func TestThenVerifySmallest(t *testing.T) {
	m, c := worldOf(t, "chang-roberts/classic", "n=5 initiators=1,2,3,4,5")
	never := properties.Recoverable("never", "", func(*model.World) bool { return false })
	for most, known := range map[int]bool{10_000: true, 600: false} {
		o := properties.SimulateOptions{Runs: 16, Seed: 1, ThenVerify: most}
		if f, s := thenVerify(t, m, c, never, o); f.Verdict != properties.Violated || (f.Depth == 0) != known || s.CutOff == known {
			t.Errorf("%d states are looked at: %v after %d steps, cut off: %t: %s", most, f.Verdict, f.Depth, s.CutOff, f.Why)
		}
	}
}

// TestThenVerifySafety: runs that end too early are searched on, through states and steps and what monitors remember.
func TestThenVerifySafety(t *testing.T) {
	fourth := spec.Monitored("fourth", "nobody does anything a fourth time", uint8(0), func(v uint8, s spec.Step) (uint8, error) {
		if s.Process == 1 {
			v++
		}
		if v == 4 {
			return v, errors.New("a fourth time")
		}
		return v, nil
	})
	for _, p := range []properties.Property{
		properties.Invariant("state", "", func(w *model.World) error {
			if w.State(1) == uint8(4) {
				return errors.New("a fourth time")
			}
			return nil
		}),
		properties.EveryStep("step", "", func(before, after *model.World) error {
			if before.State(1) != after.State(1) && after.State(1) == uint8(4) {
				return errors.New("a fourth time")
			}
			return nil
		}),
		properties.Of(fourth),
	} {
		o := properties.SimulateOptions{Runs: 16, Steps: 2}
		a := taken(5)
		if p.Name == "fourth" {
			a.Properties = []spec.Property{fourth}
		}
		if f, _ := thenVerify(t, a, model.Config{N: 2}, p, o); f.Verdict == properties.Violated {
			t.Errorf("%s is violated within 2 steps", p.Name)
		}
		o.ThenVerify = 100
		for _, o.Direct = range []bool{false, true} {
			if f, s := thenVerify(t, a, model.Config{N: 2}, p, o); f.Verdict != properties.Violated || f.Depth != 4 || s.AheadSteps == 0 || s.RunSteps < f.Depth {
				t.Errorf("%s: %v after %d steps, %d of them ahead: %s", p.Name, f.Verdict, f.Depth, s.AheadSteps, f.Why)
			}
		}
	}
	o := properties.SimulateOptions{Runs: 16, Steps: 2, ThenVerify: 100}
	if s := simulate(t, taken(10), model.Config{N: 2}, o, []properties.Property{}...); s.Verdict != properties.Violated || s.Findings[len(s.Findings)-1].Name != properties.NoPanic.Name {
		t.Errorf("a panic ahead: %+v", s.Findings)
	}
}

// TestThenVerifyElections: of the elections of the catalogue in small worlds, what is found to be out of reach is so, and
// of most where a search finds that, so do runs.
func TestThenVerifyElections(t *testing.T) {
	t.Parallel()
	testsize.Alone(t)
	lost, worlds, missed := 0, 0, []string{}
	for _, m := range catalog.Machines {
		if election.Electable.Suits(m) != nil || m.Traits().Handles.Has(spec.Round) {
			continue
		}
		for _, c := range modeltest.FaultyWorlds(m) {
			if c.N = 2; c.Timers == model.Timed || c.Check(m) != nil {
				continue
			}
			if worlds++; worlds%testsize.Of(60, 60, 5) > 0 {
				continue
			}
			r := verify(t, m, c, []properties.Property{election.Electable}, properties.Options{MaxStates: 10_000})
			f, _ := thenVerify(t, m, c, election.Electable, properties.SimulateOptions{Runs: 100, Seed: 1, ThenVerify: 2_000})
			switch {
			case f.Verdict != properties.Violated && r.Verdict == properties.Violated:
				missed = append(missed, m.Traits().Name)
			case f.Verdict == properties.Violated && r.Verdict == properties.Verified:
				t.Errorf("%s, %+v: %s", m.Traits().Name, c, f.Why)
			case f.Verdict == properties.Violated:
				lost++
			}
		}
	}
	t.Logf("%d are found, and not in %v", lost, missed)
	if lost < 10 || len(missed) > lost/10 {
		t.Errorf("%d are found, and not in %v", lost, missed)
	}
}

// TestThenVerifyRepeats: the report is the same with any number of workers, and whatever tables they keep.
func TestThenVerifyRepeats(t *testing.T) {
	for _, row := range []struct {
		name, axes string
		verdict    properties.Verdict
	}{
		{"bully/published", "n=4 crashes=1 split=true", properties.Violated},
		{"bully/mended", "n=4 crashes=1", properties.Inconclusive},
	} {
		m, c := worldOf(t, row.name, row.axes)
		var texts []string
		for _, o := range []properties.SimulateOptions{{}, {Workers: 8}, properties.SimulateOptions{}.Forgetting()} {
			o.Runs, o.Seed, o.ThenVerify = 40, 2, 300
			s := simulate(t, m, c, o, election.Electable)
			if s.Verdict != row.verdict {
				t.Errorf("%s: %v", row.name, s.Verdict)
			}
			out, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(out))
		}
		if len(slices.Compact(texts)) > 1 {
			t.Errorf("%s: with one worker\n%s\nor not\n%s", row.name, texts[0], texts[1])
		}
	}
}
