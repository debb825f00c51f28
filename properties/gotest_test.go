package properties_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
)

// counter counts up without end, so that a world has to bound it.
var counter = odd("counter", func(a *oddState) {
	a.Init = func(_ *int, p *oddProc) { p.SetTimer(0) }
	a.Timeout = func(s *int, p *oddProc, _ spec.Timer) { *s++; p.SetTimer(0) }
	a.Rules = []oddRule{{Name: "T"}}
	a.Measure = func(s int) int { return s }
})

// gates are tests to be run in a process of their own, since some have to fail, by name.
var gates = func() map[string]func(*testing.T) {
	bounded := model.Config{N: 1, Timers: model.Any, Bound: 2}
	never := properties.Eventually("never", "it never holds", func(*model.World) error { return errors.New("no") })
	fine := properties.Invariant("fine", "it always holds", func(*model.World) error { return nil })
	quiet := odd("quiet", func(*oddState) {})
	resting := properties.Quiescent("resting", "it never holds", func(*model.World) error { return errors.New("no") })
	step := properties.EveryStep("step", "it never holds", func(_, _ *model.World) error { return errors.New("no") })
	return map[string]func(*testing.T){
		"bounded":  func(t *testing.T) { election.TestBounded(t, counter, bounded, fine, never) },
		"standard": func(t *testing.T) { election.TestBounded(t, counter, bounded) },
		"named": func(t *testing.T) {
			election.TestBounded(t, counter, bounded, fine, never, properties.Undecided("NEVER"))
		},
		"all named": func(t *testing.T) { election.TestBounded(t, counter, bounded, never, properties.Undecided("never")) },
		"unknown":   func(t *testing.T) { election.TestBounded(t, counter, bounded, never, properties.Undecided("nevr")) },
		"decided": func(t *testing.T) {
			election.Test(t, quiet, model.Config{N: 2}, fine, properties.Undecided("fine"))
		},
		"violated": func(t *testing.T) {
			election.Test(t, quiet, model.Config{N: 2}, fine, never, properties.Undecided("never"))
		},
		"vacuous": func(t *testing.T) {
			leads := properties.LeadsTo("leads", "what never happens leads to anything", func(*model.World) error { return errors.New("no") }, func(*model.World) error { return nil })
			election.Test(t, quiet, model.Config{N: 2}, fine, leads)
		},
		"restless": func(t *testing.T) { election.TestBounded(t, counter, bounded, fine, resting) },
		"restless, named": func(t *testing.T) {
			election.TestBounded(t, counter, bounded, fine, resting, properties.Undecided("resting"))
		},
		"still":   func(t *testing.T) { election.Test(t, quiet, model.Config{N: 2}, fine, step) },
		"nothing": func(t *testing.T) { election.Test(t, quiet, model.Config{N: 2}, []properties.Property{}...) },
	}
}()

// TestGates: a test passes only what was decided, or what it names, and a pass says what it
// assumed and found.
func TestGates(t *testing.T) {
	for gate, want := range map[string][]string{
		"bounded":         {"--- FAIL", "never INCONCLUSIVE: the bound cuts runs short", "a bounded world cannot decide never: leave them out, or name them with properties.Undecided"},
		"standard":        {"--- FAIL", "a bounded world cannot decide agreement, agreement-on-top, leader-eventually, no-deadlock, termination:"},
		"named":           {"--- PASS", "failures    none", "fine   BOUNDED", "never  INCONCLUSIVE", "does not count: it may stay undecided", "3 distinct states, 2 transitions", "\n          BOUNDED: the world bounds"},
		"all named":       {"--- FAIL", "INCONCLUSIVE: no property that was checked counts"},
		"unknown":         {"--- FAIL", `the property "nevr" is to stay undecided, and is not checked: those checked are never`},
		"decided":         {"--- PASS", "suspicious: may stay undecided, and need not: they are decided: fine", "fine  VERIFIED"},
		"violated":        {"--- FAIL", "never VIOLATED"},
		"vacuous":         {"--- FAIL", "leads INCONCLUSIVE: it holds, but says nothing", "may stay undecided"},
		"restless":        {"--- FAIL", "resting INCONCLUSIVE: it holds, but says nothing: no state that was found is quiescent", "a bounded world cannot decide resting"},
		"restless, named": {"--- PASS", "resting  INCONCLUSIVE"},
		"still":           {"--- FAIL", "step INCONCLUSIVE: it holds, but says nothing: nothing ever happens"},
		"nothing":         {"--- FAIL", "no property that was checked counts"},
	} {
		t.Run(gate, func(t *testing.T) {
			t.Parallel()
			c := exec.Command(os.Args[0], "-test.run=^TestGate$", "-test.v")
			c.Env = append(os.Environ(), "GATE="+gate)
			out, err := c.CombinedOutput()
			if passes := want[0] == "--- PASS"; passes != (err == nil) {
				t.Errorf("it ends with %v", err)
			}
			for _, text := range want {
				if !strings.Contains(string(out), text) {
					t.Errorf("%q is not said:\n%s", text, out)
				}
			}
		})
	}
}

// TestGate is a gate of TestGates.
func TestGate(t *testing.T) {
	if gate := gates[os.Getenv("GATE")]; gate != nil {
		gate(t)
	}
}

// TestUndecidedElsewhere: who asks for a property that is none is told so.
func TestUndecidedElsewhere(t *testing.T) {
	err := election.Check(counter, model.Config{N: 1, Bound: 1}, []properties.Property{properties.Undecided("termination")})
	if err == nil || !strings.Contains(err.Error(), "properties.Undecided is for") {
		t.Error(err)
	}
}
