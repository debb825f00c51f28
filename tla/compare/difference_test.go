package compare

import (
	"slices"
	"testing"

	"interleave/model"
	"interleave/tla"
	"interleave/tla/value"
)

// distinguishes wants the difference in a result to be one: both sides can take
// its run, and only the side that is named can go where it leads.
func distinguishes(t *testing.T, m *tla.Model, p *Pair, r *Result) {
	t.Helper()
	d := r.Difference
	if d == nil {
		return
	}
	reference, err := model.NewReference(p.Machine, r.Config)
	if err != nil {
		t.Fatal(err)
	}
	a := &algorithm{m, p, reference}
	x := newComparison(m, Options{}, nil)
	ours, err := a.begin()
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := x.module.begin()
	if err != nil {
		t.Fatal(err)
	}
	for i, moment := range d.Run {
		ours, theirs = those(ours, moment.State), those(theirs, moment.State)
		if len(ours) == 0 || len(theirs) == 0 {
			t.Fatalf("state %d of the run: %d states of the algorithm are that, %d of the module", i, len(ours), len(theirs))
		}
		var next []outcome
		for _, o := range ours {
			steps, err := a.steps(&pairState{state: o.state})
			if err != nil {
				t.Fatal(err)
			}
			next = append(next, steps...)
		}
		ours = next
		if theirs, err = x.module.steps(&pairState{image: moment.State}); err != nil {
			t.Fatal(err)
		}
	}
	byGo, byModule := len(those(ours, d.After)) > 0, len(those(theirs, d.After)) > 0
	if byGo != d.ByGo || byModule == d.ByGo {
		t.Errorf("the algorithm can do it: %v, the module: %v; and by Go it is said to be: %v", byGo, byModule, d.ByGo)
	}
}

func those(some []outcome, image []value.Value) []outcome {
	return slices.DeleteFunc(slices.Clone(some), func(o outcome) bool { return !same(o.image, image) })
}
