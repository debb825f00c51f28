package model_test

import (
	"testing"

	"interleave/model"
	"interleave/spec"
)

// TestEachStepIsLazy: whoever stops at the first step has a handler called for it and no more,
// however many messages are in flight, and a state that has to go on is known by its first step.
func TestEachStepIsLazy(t *testing.T) {
	sink := &spec.Algorithm[int, int]{
		Name: "x/sink", Election: &spec.Election[int, int]{Leader: func(int) spec.ID { return spec.None }},
		Receive: func(s *int, _ *spec.Proc[int], _ spec.ID, m int) { *s = m },
	}
	r, err := model.NewReference(sink, model.Config{N: 2, Network: model.Bag, Losses: 1, Duplicates: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Initial()[0]
	for m := range 100 {
		s.Inboxes[0] = append(s.Inboxes[0], model.Envelope{From: 2, Message: m})
	}
	r.HandlerCalls = 0
	for range r.EachStep(s) {
		break
	}
	if r.Quiescent(s) || r.HandlerCalls != 2 {
		t.Errorf("%d calls; quiescent: %v", r.HandlerCalls, r.Quiescent(s))
	}
	seen := 0
	for step := range r.EachStep(s) {
		if want := r.Steps(s)[seen]; r.Describe(step.Event) != r.Describe(want.Event) || !step.After.Equal(want.After) {
			t.Fatalf("step %d is %s, want %s", seen, r.Describe(step.Event), r.Describe(want.Event))
		}
		if seen++; seen == 250 { // among the mishaps
			break
		}
	}
	if seen != 250 || len(r.Steps(s)) != 300 {
		t.Errorf("%d of %d steps", seen, len(r.Steps(s)))
	}
}
