package gotest

import (
	"regexp"
	"strings"
	"testing"

	"interleave/internal/testsize"
	"interleave/model"
	"interleave/spec"
	"interleave/spec/object/objecttest"
)

// TestCode: a run of existing code is repeated from its boot, by who knows no object yet. Code that does otherwise passes,
// not what cannot be tried. What stands for an object is not in the test.
func TestCode(t *testing.T) {
	testsize.Alone(t)
	r, err := model.NewReference(objecttest.Forgetful, model.Config{N: 2, Network: model.Set})
	if err != nil {
		t.Fatal(err)
	}
	state := r.Initial()[0]
	var events []model.Event
	for _, kind := range []spec.EventKind{spec.Act, spec.Receive, spec.Receive} {
		for started := false; !started; {
			steps := r.Steps(state)
			step := steps[0] // a start
			for _, other := range steps {
				if other.Event.Step.Kind == kind {
					step, started = other, true
					break
				}
			}
			events, state = append(events, step.Event), step.After
		}
	}
	trace, run, err := model.Record(r, r.Initial()[0], events)
	if err != nil {
		t.Fatal(err)
	}
	trace.Property, trace.Reason = "committed-is-kept", "a test says so"
	text, err := Test{Machine: "Forgetful"}.Write(objecttest.Forgetful, r, trace, run)
	if err != nil {
		t.Fatal(err)
	}
	if digest := regexp.MustCompile(`"[0-9a-f]{32}"|Text`).FindString(string(text)); digest != "" {
		t.Errorf("it has %s:\n%s", digest, text)
	}
	out := ran(t, map[string]string{
		"same":    string(text),
		"another": strings.Replace(string(text), ".Forgetful", ".Store", 1),
		"untried": strings.Replace(string(text), "trace.Algorithm = machine.Traits().Name", `trace.Algorithm = "of nobody"`, 1),
	})
	if strings.Count(out, "committed-is-kept is violated: a test says so") != 1 || !strings.Contains(out, "ok  \tcounterexample/another") || !strings.Contains(out, "FAIL\tcounterexample/untried") {
		t.Errorf("%s\n%s", out, text)
	}
}
