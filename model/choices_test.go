package model_test

import (
	"slices"
	"strings"
	"testing"

	"interleave/model"
	"interleave/spec"
)

// TestChoices: every answer to every choice is a step of its own, and all are of one fairness class. What need not
// happen, and how often what may, is as the algorithm says.
func TestChoices(t *testing.T) {
	type state struct{ Dice, Asked uint8 }
	m := &spec.Algorithm[state, bool]{
		Name: "x/dice", Receive: func(*state, *spec.Proc[bool], spec.ID, bool) {},
		Actions: []spec.Action[state, bool]{
			{Name: "throw", Times: 1, Do: func(s *state, p *spec.Proc[bool]) {
				if s.Dice = uint8(p.Choose(2)); s.Dice == 1 {
					s.Dice += uint8(p.Choose(3))
				}
			}},
			{Name: "ask", Request: spec.OneOf([]uint8{4, 5}, func(s *state, p *spec.Proc[bool], v uint8) { s.Asked = v }), Times: 1, Together: true},
			{Name: "clear", Fair: true, When: func(s state) bool { return s.Asked > 0 }, Do: func(s *state, _ *spec.Proc[bool]) { s.Asked = 0 }},
		},
	}
	for _, c := range []struct {
		times int
		first string // the steps out of the beginning
		then  string // the steps after the last of them
	}{
		{0, "throw, choosing 0; throw, choosing 1 0; throw, choosing 1 1; throw, choosing 1 2; ask 4; ask 5",
			"throw, choosing 0; throw, choosing 1 0; throw, choosing 1 1; throw, choosing 1 2; clear"},
		{2, "throw, choosing 0; throw, choosing 1 0; throw, choosing 1 1; throw, choosing 1 2; ask 4; ask 5",
			"throw, choosing 0; throw, choosing 1 0; throw, choosing 1 1; throw, choosing 1 2; ask 4; ask 5; clear"},
	} {
		r, err := model.NewReference(m, model.Config{N: 1, Times: c.times})
		if err != nil {
			t.Fatal(err)
		}
		texts := func(s model.State) string {
			var list []string
			for _, step := range r.Steps(s) {
				list = append(list, r.Describe(step.Event))
				if optional := step.Event.Step.Action < 2; step.Unfair != optional {
					t.Errorf("%s need not happen: %v", list[len(list)-1], step.Unfair)
				}
			}
			return strings.Join(list, "; ")
		}
		begin := r.Initial()[0]
		if got := texts(begin); got != c.first {
			t.Errorf("times %d: %s\nwant %s", c.times, got, c.first)
		}
		steps := r.Steps(begin)
		if got := texts(steps[len(steps)-1].After); got != c.then {
			t.Errorf("times %d, then: %s\nwant %s", c.times, got, c.then)
		}
		if !r.Quiescent(begin) || r.Quiescent(steps[len(steps)-1].After) {
			t.Errorf("times %d: only what is fair has to happen", c.times)
		}
		one, _ := r.FairnessOf(begin, steps[0])
		for _, step := range steps[1:4] {
			if other, _ := r.FairnessOf(begin, step); other != one {
				t.Errorf("%+v and %+v are answers to one choice, and of two classes", one, other)
			}
		}
		thrown := steps[0].After
		if again := slices.ContainsFunc(r.Steps(thrown), func(s model.Step) bool { return s.Event.Step.Action == 0 }); again != (c.times == 2) {
			t.Errorf("times %d: it throws again: %v", c.times, again)
		}
	}
}
