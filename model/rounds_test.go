package model_test

import (
	"slices"
	"testing"

	"interleave/model"
	"interleave/spec"
)

// follower follows the largest process, which tells everybody once, until that
// is reported to have crashed.
var follower = &spec.Algorithm[spec.ID, bool]{
	Name: "x/follower",
	Round: func(leader *spec.ID, p *spec.Proc[bool], in []spec.Received[bool]) {
		switch largest := p.All().Max(); {
		case p.ID == largest && *leader == spec.None:
			*leader = p.ID
			p.Broadcast(p.Others(), true)
		case len(in) > 0:
			*leader = largest
		}
	},
	Suspect: func(leader *spec.ID, _ *spec.Proc[bool], q spec.ID) {
		if *leader == q {
			*leader = spec.None
		}
	},
	Election: &spec.Election[spec.ID, bool]{Leader: func(leader spec.ID) spec.ID { return leader }},
}

// TestReportsAreRepeated: the last words of a process are read in the round in
// which its crash is reported first, and after the report; so another must
// come.
func TestReportsAreRepeated(t *testing.T) {
	r, err := model.NewReference(follower, model.Config{N: 2, Network: model.Rounds, Detector: model.Perfect, Crashes: 1})
	if err != nil {
		t.Fatal(err)
	}
	steps := r.Steps(r.Initial()[0])
	lastWords := slices.IndexFunc(steps, func(s model.Step) bool {
		return slices.ContainsFunc(s.Event.Parts, func(p model.Part) bool { return p.Process == 2 && p.Cut == 1 })
	})
	s := steps[lastWords].After
	for _, want := range []spec.ID{2, spec.None} {
		if steps = r.Steps(s); len(steps) == 0 {
			t.Fatalf("%+v is at rest", s)
		}
		s = steps[0].After
		if got := r.World(s).Leader(1); got != want {
			t.Errorf("process 1 follows %v, want %v", got, want)
		}
	}
	if !r.Quiescent(s) {
		t.Errorf("%+v is not at rest", s)
	}
}
