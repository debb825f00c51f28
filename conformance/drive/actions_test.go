package drive

import (
	"strings"
	"testing"

	"interleave/model"
	"interleave/spec"
)

type poll struct{ Asked, Answer int }

// polls asks the other process with a number, and answers as it likes.
func polls(number func(int) int, answer func(p *spec.Proc[int]) int) spec.Machine {
	return &spec.Algorithm[poll, int]{
		Name: "odd/poll",
		Receive: func(s *poll, p *spec.Proc[int], from spec.ID, m int) {
			if m < 10 {
				p.Send(from, 10*answer(p)+m)
				return
			}
			s.Answer = m
		},
		Actions: []spec.Action[poll, int]{
			{Name: "ask", Times: 1, Request: spec.OneOf([]int{1, 2}, func(s *poll, p *spec.Proc[int], n int) {
				s.Asked = n
				p.Send(3-p.ID, number(n))
			})},
			{Name: "forget", Fair: true, When: func(s poll) bool { return s.Answer > 0 }, Do: func(s *poll, p *spec.Proc[int]) {
				if s.Asked == 1 {
					p.Refuse()
					return
				}
				s.Answer = 0
			}},
		},
	}
}

// TestActions: processes do the actions that they are told to do, and choose what they are told to choose.
func TestActions(t *testing.T) {
	same := func(n int) int { return n }
	chooses := func(p *spec.Proc[int]) int { return 1 + p.Choose(3) }
	honest := polls(same, chooses)
	for name, c := range map[string]struct {
		real spec.Machine
		want Verdict
		what string
	}{
		"honest":          {honest, Agrees, ""},
		"another value":   {polls(func(int) int { return 1 }, chooses), Unexpected, "send 1 of ask 2: expected 2 to"},
		"no choice":       {polls(same, func(*spec.Proc[int]) int { return 1 }), Unexpected, "what it chooses: expected [0], found []"},
		"another choice":  {polls(same, func(p *spec.Proc[int]) int { return 1 + p.Choose(2) }), Unexpected, "what it chooses: expected [2], found [1]"},
		"one more choice": {polls(same, func(p *spec.Proc[int]) int { return 1 + p.Choose(3) + p.Choose(1) }), Unexpected, "what it chooses: expected [0], found [0 0]"},
	} {
		r, err := Cover(t.Context(), honest, model.Config{N: 2}, Options{Real: c.real})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.want || c.want != Agrees && !strings.Contains(r.Disagreement.Error(), c.what) {
			t.Errorf("%s: %v, and %v is wanted: %v\n%s", name, r.Verdict, c.want, r.Disagreement, told(r))
		}
		if c.want == Agrees && (len(r.Uncovered) > 0 || r.Classes.Total < 20 || r.Refusals.Covered != r.Refusals.Total || r.Refusals.Total == 0) {
			t.Errorf("%s: %+v\n%s", name, r, told(r))
		}
	}
}
