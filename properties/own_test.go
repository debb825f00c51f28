package properties_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// till is a till of process 1: it gives out what clients ask for, until it has given 2.
type till struct{ Given, Got uint8 }

// tillWith is an algorithm without leaders that has the properties. It gives out too much if it is greedy.
func tillWith(greedy bool, props ...spec.Property) *spec.Algorithm[till, bool] {
	return &spec.Algorithm[till, bool]{
		Name: "test/till", Doc: "gives out 2", Source: "this test",
		Actions: []spec.Action[till, bool]{{
			Name: "ask", Times: 1, Request: spec.OneOf([]bool{true}, func(_ *till, p *spec.Proc[bool], _ bool) { p.Send(1, true) }),
		}},
		Receive: func(s *till, p *spec.Proc[bool], from spec.ID, _ bool) {
			switch {
			case p.ID != 1 || from == 1 && s.Given > 0:
				s.Got++
			case s.Given < 2 || greedy:
				s.Given++
				if from == 1 {
					s.Got++
					return
				}
				p.Send(from, true)
			}
		},
		Properties: props,
	}
}

// TestPropertiesOfAlgorithm: the properties that an algorithm brings along are judged, of every form.
func TestPropertiesOfAlgorithm(t *testing.T) {
	given := func(w spec.World) (n int) {
		for p, s := range spec.States[till](w) {
			if p == 1 {
				n = int(s.Given)
			}
		}
		return n
	}
	props := []spec.Property{
		spec.Invariant("not-too-much", "at most 2 are given", func(w spec.World) error {
			if n := given(w); n > 2 {
				return fmt.Errorf("%d are given", n)
			}
			return nil
		}),
		spec.Quiescent("all-arrived", "nothing is in flight at the end", func(w spec.World) error {
			for m := range w.InFlight() {
				return fmt.Errorf("%v is on its way to %v", m.Message, m.To)
			}
			return nil
		}),
		spec.EveryStep("never-back", "what is given is not taken back", func(before, after spec.World) error {
			if given(after) < given(before) {
				return errors.New("it was")
			}
			return nil
		}),
		spec.Cover("gives", "somebody gets something", func(w spec.World) bool { return given(w) > 0 }),
		spec.Recoverable("gives-to-all", "two can always be given", func(w spec.World) bool { return given(w) >= 2 }),
		spec.Temporal("asked-gets", "what is given stays given", "[](some => []some)", map[string]func(spec.World) error{"some": func(w spec.World) error {
			if given(w) == 0 {
				return errors.New("nothing is given")
			}
			return nil
		}}),
	}
	for _, greedy := range []bool{false, true} {
		m := tillWith(greedy, props...)
		r, err := properties.Verify(context.Background(), m, model.Config{N: 3}, nil, properties.Options{Continue: true})
		if err != nil {
			t.Fatal(err)
		}
		if want := len(props) + 1; len(r.Findings) != want || r.Findings[0].Name != properties.NoDeadlock.Name || r.Scope != "" {
			t.Errorf("greedy %v: %d findings, want %d; scope %q", greedy, len(r.Findings), want, r.Scope)
		}
		for _, f := range r.Findings {
			want := properties.Verified
			if greedy && f.Name == "not-too-much" {
				want = properties.Violated
			}
			if f.Verdict != want {
				t.Errorf("greedy %v: %s is %v, want %v", greedy, f.Name, f.Verdict, want)
			}
		}
	}
}

// TestMonitor: a monitor sees what no state shows, by every engine that takes it, and a counterexample replays.
func TestMonitor(t *testing.T) {
	twice := spec.Monitored("once-each", "no process gets something twice", [4]bool{}, func(v [4]bool, s spec.Step) ([4]bool, error) {
		before, _ := s.Before.(till)
		after, _ := s.After.(till)
		switch {
		case after.Got == before.Got:
			return v, nil
		case v[s.Process]:
			return v, fmt.Errorf("process %v gets something again", s.Process)
		}
		v[s.Process] = true
		return v, nil
	})
	for _, c := range []model.Config{{N: 3}, {N: 2, Crashes: 1, Split: true, Recoveries: 1}, {N: 2, Network: model.Bag, Duplicates: 1}} {
		var first *properties.Report
		for _, o := range []properties.Options{{}, {Direct: true}, {Workers: 3}, {Engine: properties.Auto}, {Reduce: true}} {
			o.Continue = true
			r, err := properties.Verify(context.Background(), tillWith(false, twice), c, nil, o)
			if err != nil {
				t.Fatal(err)
			}
			want := properties.Verified
			if c.Duplicates > 0 {
				want = properties.Violated
			}
			at := slices.IndexFunc(r.Findings, func(f properties.Finding) bool { return f.Name == "once-each" })
			if at < 0 || r.Findings[at].Verdict != want {
				t.Errorf("%+v, %+v: %+v", c, o, r.Findings)
			}
			if first == nil {
				first = r
			} else if r.Stats.States != first.Stats.States || r.Stats.Transitions != first.Stats.Transitions {
				t.Errorf("%+v: %d states and %d steps, not %d and %d", o, r.Stats.States, r.Stats.Transitions, first.Stats.States, first.Stats.Transitions)
			}
		}
	}
}

// TestCutMonitor: what a step outputs that a crash cuts short is not observed, though a crash that nobody counts changes nothing else
// of the environment.
func TestCutMonitor(t *testing.T) {
	said := spec.Monitored("said", "whoever was told suspects nobody before something was output", false, func(said bool, s spec.Step) (bool, error) {
		if s.Event.Kind == spec.Suspect && s.Process == 2 && s.Before.(bool) && !said {
			return said, errors.New("nothing was output")
		}
		return said || len(s.Outputs) > 0, nil
	})
	m := &spec.Algorithm[bool, int]{
		Name: "test/cut-monitor", Doc: "says something when all is sent", Source: "this test",
		Start: func(_ *bool, p *spec.Proc[int]) {
			if p.ID == 1 {
				p.Send(2, 1)
				p.Send(2, 2)
				p.Output(7)
			}
		},
		Receive:    func(told *bool, _ *spec.Proc[int], _ spec.ID, _ int) { *told = true },
		Suspect:    func(*bool, *spec.Proc[int], spec.ID) {},
		Properties: []spec.Property{said},
	}
	for _, o := range []properties.Options{{}, {Direct: true}, {Engine: properties.Explicit}} {
		for recoveries := range 2 {
			r := verify(t, m, model.Config{N: 2, Crashes: 1, Recoveries: recoveries, Split: true, Detector: model.Perfect}, properties.Own(m), o)
			if r.Verdict != properties.Violated || r.Findings[0].Depth != 4 {
				t.Errorf("%+v, %d recoveries: %v in %d steps", o, recoveries, r.Verdict, r.Findings[0].Depth)
			}
		}
	}
}

// TestForgetfulMonitor: a monitor that does not answer the same to the same is an error.
func TestForgetfulMonitor(t *testing.T) {
	n := 0
	m := tillWith(false, spec.Monitored("odd", "nothing", 0, func(v int, _ spec.Step) (int, error) { n++; return n, nil }))
	if _, err := properties.Verify(context.Background(), m, model.Config{N: 2}, nil, properties.Options{MaxStates: 1000}); err == nil || !strings.Contains(err.Error(), "the monitor of odd") {
		t.Error(err)
	}
	type hidden struct{ N *chan int }
	if err := tillWith(false, spec.Monitored("odd", "nothing", hidden{}, func(v hidden, _ spec.Step) (hidden, error) { return v, nil })).Validate(); err == nil ||
		!strings.Contains(err.Error(), "*the value of its monitor.N is a chan int") {
		t.Error(err)
	}
}

// TestUnreadableFormula: a formula that cannot be read is an error of the check, in one sentence.
func TestUnreadableFormula(t *testing.T) {
	m := tillWith(false, spec.Temporal("odd", "nothing", "[](", nil))
	_, err := properties.Verify(context.Background(), m, model.Config{N: 2}, nil, properties.Options{})
	if err == nil || !strings.Contains(err.Error(), `the property odd: the formula "[]("`) {
		t.Error(err)
	}
	for want, p := range map[string]spec.Property{
		`the property "a" has no State`: {Name: "a"}, `the property "b" has no Step`: {Name: "b", Form: spec.EverySteps}, `the property "c" has no Formula`: {Name: "c", Form: spec.Runs},
	} {
		if err := tillWith(false, p).Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// TestPromisesOfAny: an algorithm of no family is checked for what it promises of that which means the same everywhere,
// and for what is its own, whether or not it promises that.
func TestPromisesOfAny(t *testing.T) {
	own := spec.Invariant("own", "nothing is wrong", func(spec.World) error { return nil })
	for _, row := range []struct {
		promises []string
		want     string
	}{
		{nil, "[no-deadlock own]"}, {[]string{}, "[own]"}, {[]string{"Termination"}, "[termination own]"}, {[]string{"own", "no-deadlock"}, "[no-deadlock own]"},
	} {
		m := tillWith(false, own)
		m.Promises = row.promises
		var names []string
		for _, p := range properties.Standard(m) {
			names = append(names, p.Name)
		}
		if got := fmt.Sprint(names); got != row.want {
			t.Errorf("%q: %s; want %s", row.promises, got, row.want)
		}
	}
}

// TestFindOwn: without a catalogue, what an algorithm brings along and what any owes are known by name.
func TestFindOwn(t *testing.T) {
	m := tillWith(false, spec.Invariant("own", "nothing is wrong", func(spec.World) error { return nil }))
	for name, want := range map[string]bool{"own": true, "termination": true, "given": true, "agreement": false} {
		p, err := properties.Catalogue{}.Find(m, name, properties.Invariant("given", "nothing is wrong", func(*model.World) error { return nil }))
		if (err == nil) != want || want && p.Name != name {
			t.Errorf("%s: %q, %v", name, p.Name, err)
		}
	}
}

// TestMutantsOfThree: a formula about a process that a small world lacks is no reason not to look for mutants there.
func TestMutantsOfThree(t *testing.T) {
	props := []spec.Property{
		spec.Temporal("third", "process 3 stays", "[]up(3)", nil),
		spec.Invariant("not-too-much", "at most 2 are given", func(w spec.World) error {
			for p, s := range spec.States[till](w) {
				if p == 1 && s.Given > 2 {
					return fmt.Errorf("%d are given", s.Given)
				}
			}
			return nil
		}),
	}
	greedy := tillWith(true, props...)
	greedy.Name += "~greedy"
	deaths, err := properties.KillMutants(t.Context(), tillWith(false, props...), []spec.Machine{greedy}, properties.Options{MaxStates: 10_000})
	if err != nil || !deaths[0].Killed {
		t.Errorf("%+v, %v", deaths, err)
	}
}
