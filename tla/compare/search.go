package compare

import (
	"context"
	"slices"

	"interleave/model"
	"interleave/tla"
	"interleave/tla/eval"
	"interleave/tla/value"
)

// side is what one side of a comparison can do.
type side interface {
	begin() ([]outcome, error)
	steps(from *pairState) ([]outcome, error)
}

// module is the side of a module.
type module struct {
	*tla.Model
	evaluator *eval.Evaluator
}

func (m module) begin() (out []outcome, err error) {
	err = m.evaluator.Initial(func(state []value.Value) bool {
		out = append(out, outcome{image: explicit(state)})
		return true
	})
	return out, err
}

func (m module) steps(from *pairState) (out []outcome, err error) {
	err = m.evaluator.Next(from.image, func(part int, next []value.Value) bool {
		t := tla.Trace{States: [][]value.Value{nil, nil}, Steps: []tla.Step{m.Step(part, m.evaluator.Args())}}
		out = append(out, outcome{deed: t.Label(1), image: explicit(next)})
		return true
	})
	return out, err
}

func newComparison(m *tla.Model, o Options, ours side) *comparison {
	return &comparison{options: o, ours: ours, module: module{m, m.Evaluator()}}
}

// comparison is a comparison in progress: a breadth-first search of the side that is
// compared with a module.
type comparison struct {
	Result
	options Options
	ours    side
	module  module
	states
}

// states are the states that were found, in order.
type states struct {
	found  []pairState
	places map[uint64][]int // in found, by the hash of the image
}

// pairState is a state of both sides, and how it was reached.
type pairState struct {
	state model.State
	image []value.Value
	from  int // in found; -1: in the beginning
	deed  string
	tla   string
}

// place returns where a state, whose image has hash h, is in found, or -1; and whether a
// state of the same image is there.
func (s *states) place(h uint64, o outcome) (at int, image bool) {
	for _, i := range s.places[h] {
		if same(s.found[i].image, o.image) {
			if image = true; s.found[i].state.Equal(o.state) {
				return i, true
			}
		}
	}
	return -1, image
}

// add adds a state, whose image has hash h, and returns its place.
func (s *states) add(h uint64, p pairState) int {
	if s.places == nil {
		s.places = map[uint64][]int{}
	}
	at := len(s.found)
	s.places[h], s.found = append(s.places[h], at), append(s.found, p)
	return at
}

// outcome is a state to which a side can go.
type outcome struct {
	deed  string
	image []value.Value
	state model.State
}

func (x *comparison) run(ctx context.Context) error {
	ours, err := x.ours.begin()
	if err != nil {
		return err
	}
	theirs, err := x.module.begin()
	if err != nil {
		return err
	}
	if x.Difference = x.part(-1, ours, theirs); x.Difference != nil {
		return nil
	}
	x.enter(-1, ours, theirs)
	for at := 0; at < len(x.found); at++ {
		if ctx.Err() != nil || x.options.MaxStates > 0 && at >= x.options.MaxStates {
			return nil
		}
		if ours, err = x.ours.steps(&x.found[at]); err != nil {
			return err
		}
		if theirs, err = x.module.steps(&x.found[at]); err != nil {
			return err
		}
		x.States++
		x.Steps += len(ours)
		if x.Difference = x.part(at, ours, theirs); x.Difference != nil {
			return nil
		}
		x.enter(at, ours, theirs)
	}
	x.Complete = true
	return nil
}

func explicit(state []value.Value) []value.Value {
	out := make([]value.Value, len(state))
	for i, v := range state {
		out[i] = value.Explicit(v)
	}
	return out
}

// part returns what one side can do in a state and the other cannot.
func (x *comparison) part(at int, ours, theirs []outcome) *Difference {
	if x.options.Direction != TLARefines {
		if d := x.only(at, ours, theirs, true); d != nil {
			return d
		}
	}
	if x.options.Direction != GoRefines {
		return x.only(at, theirs, ours, false)
	}
	return nil
}

func (x *comparison) only(at int, one, other []outcome, byGo bool) *Difference {
	for _, o := range one {
		if slices.ContainsFunc(other, func(p outcome) bool { return same(o.image, p.image) }) {
			continue
		}
		d := &Difference{Variables: x.module.Variables(), Run: x.runTo(at), ByGo: byGo, Deed: o.deed, After: o.image}
		best := len(o.image) + 1
		for _, p := range other {
			if n := distance(o.image, p.image); n < best {
				best, d.Nearest = n, p.image
			}
		}
		return d
	}
	return nil
}

// runTo returns how a state was reached.
func (x *comparison) runTo(at int) []Moment {
	var run []Moment
	for ; at >= 0; at = x.found[at].from {
		s := x.found[at]
		run = append(run, Moment{s.deed, s.tla, s.image})
	}
	slices.Reverse(run)
	return run
}

// enter adds the states that are new.
func (x *comparison) enter(from int, ours, theirs []outcome) {
	for _, o := range ours {
		h := hash(o.image)
		at, image := x.place(h, o)
		if at >= 0 {
			continue
		}
		named := ""
		if i := slices.IndexFunc(theirs, func(p outcome) bool { return same(o.image, p.image) }); i >= 0 {
			named = theirs[i].deed
		} else if x.options.Direction == TLARefines {
			continue // the module does not go there
		}
		if !image {
			x.Images++
		}
		x.add(h, pairState{o.state, o.image, from, o.deed, named})
	}
}

func same(a, b []value.Value) bool { return distance(a, b) == 0 }

// distance counts the variables that differ.
func distance(a, b []value.Value) int {
	n := 0
	for i := range a {
		if value.Compare(a[i], b[i]) != 0 {
			n++
		}
	}
	return n
}

func hash(state []value.Value) uint64 {
	h := uint64(14695981039346656037)
	for _, v := range state {
		h = (h ^ value.Hash(v)) * 1099511628211
	}
	return h
}
