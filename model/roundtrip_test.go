package model_test

import (
	"errors"
	"testing"

	"interleave/model"
	"interleave/model/modeltest"
	"interleave/spec"
)

// sender is a machine of which process 1 sends a message to process 2.
func sender[M comparable](message M) spec.Machine {
	return &spec.Algorithm[bool, M]{
		Name: "sender", Doc: "one sends, one hears", Source: "none",
		Start: func(_ *bool, p *spec.Proc[M]) {
			if p.ID == 1 {
				p.Send(2, message)
			}
		},
		Receive:  func(s *bool, _ *spec.Proc[M], _ spec.ID, _ M) { *s = true },
		Election: &spec.Election[bool, M]{Leader: func(bool) spec.ID { return spec.None }},
	}
}

// TestRecordKept: no trace is made of a run with a message that JSON does not keep: it would
// be one of another run.
func TestRecordKept(t *testing.T) {
	even := func(v any) any { return v.(int) &^ 1 }
	for name, c := range map[string]struct {
		kept    bool
		machine spec.Machine
	}{
		"what is left out": {false, modeltest.Forgetful{Machine: sender(3), Message: even}},
		"what is not":      {true, modeltest.Forgetful{Machine: sender(4), Message: even}},
		"words with signs": {true, sender("<&>\u2028\x00\"")},
	} {
		r, err := model.NewReference(c.machine, model.Config{N: 2})
		if err != nil {
			t.Fatal(err)
		}
		var events []model.Event
		s := r.Initial()[0]
		for steps := r.Steps(s); len(steps) > 0; steps = r.Steps(s) {
			events = append(events, steps[0].Event)
			s = steps[0].After
		}
		trace, _, err := model.Record(r, r.Initial()[0], events)
		if lost := (*model.RoundTripError)(nil); (err == nil) != c.kept || err != nil && !errors.As(err, &lost) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && len(trace.Steps) != 3 {
			t.Errorf("%s: %d steps", name, len(trace.Steps))
		}
	}
}
