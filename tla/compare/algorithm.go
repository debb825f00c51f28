package compare

import (
	"context"
	"fmt"
	"slices"

	"interleave/model"
	"interleave/tla"
	"interleave/tla/eval"
	"interleave/tla/value"
)

// Direction says which of the two sides may do more than the other.
type Direction uint8

// Directions of a comparison.
const (
	Both       Direction = iota // neither: a bisimulation
	GoRefines                   // the module: each step of the algorithm is one of the module's
	TLARefines                  // the algorithm: each step of the module is one of the algorithm's
)

// Options of a comparison. The zero value compares everything, both ways.
type Options struct {
	Direction Direction
	MaxStates int // 0: no limit
}

// Result is what a comparison found.
type Result struct {
	Config     model.Config
	States     int  // of the algorithm, reached and compared
	Images     int  // of the module
	Steps      int  // of the algorithm
	Complete   bool // nothing is left to compare
	Difference *Difference
}

// Difference is a shortest run after which one side can do what the other cannot.
type Difference struct {
	Variables []string
	Run       []Moment      // how the state was reached where they part; empty: they begin differently
	ByGo      bool          // the algorithm can do it
	Deed      string        // in the words of the side that can
	After     []value.Value // where it leads
	Nearest   []value.Value // the state nearest to it to which the other side can go; nil: none
}

// Moment is a state of a run, and by what it was reached.
type Moment struct {
	Deed  string // in the words of the algorithm; empty: in the beginning
	TLA   string // in those of the module
	State []value.Value
}

// Algorithm compares a module, under its configuration, with a Go algorithm.
func Algorithm(ctx context.Context, m *tla.Model, p *Pair, o Options) (*Result, error) {
	c, err := p.World(m)
	if err != nil {
		return nil, err
	}
	if len(m.Config.Constraints)+len(m.Config.ActionLimits) > 0 {
		return nil, fmt.Errorf("%s: a module with constraints is not compared", m.Config.File)
	}
	reference, err := model.NewReference(p.Machine, c)
	if err != nil {
		return nil, err
	}
	x := &comparison{
		Result: Result{Config: c}, options: o, model: m, pair: p, evaluator: m.Evaluator(), reference: reference,
		places: map[uint64][]int{}, images: map[uint64][]int{},
	}
	return &x.Result, x.run(ctx)
}

// comparison is one in the making: a breadth-first search of the algorithm.
type comparison struct {
	Result
	options   Options
	model     *tla.Model
	pair      *Pair
	evaluator *eval.Evaluator
	reference *model.Reference
	found     []pairState
	places    map[uint64][]int // in found, by the hash of the image
	images    map[uint64][]int // in found, one for each different image
}

// pairState is a state on both sides, and how it was reached.
type pairState struct {
	state model.State
	image []value.Value
	from  int // in found; -1: in the beginning
	deed  string
	tla   string
}

// outcome is a state that a side can go to.
type outcome struct {
	deed  string
	image []value.Value
	state model.State
}

func (x *comparison) run(ctx context.Context) error {
	ours, err := x.imagesOf(x.reference.Initial())
	if err != nil {
		return err
	}
	theirs, err := x.initial()
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
		if ours, err = x.steps(at); err != nil {
			return err
		}
		if theirs, err = x.next(x.found[at].image); err != nil {
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

func (x *comparison) imagesOf(states []model.State) ([]outcome, error) {
	var out []outcome
	for _, s := range states {
		image, err := x.image(s)
		if err != nil {
			return nil, err
		}
		out = append(out, outcome{image: image, state: s})
	}
	return out, nil
}

// image is the module's state that a state of the algorithm is.
func (x *comparison) image(s model.State) ([]value.Value, error) {
	named := x.pair.State(s)
	var image []value.Value
	for _, name := range x.model.Variables() {
		v, ok := named[name]
		if !ok {
			return nil, fmt.Errorf("the mapping of %s says nothing of the variable %s", x.pair.Module, name)
		}
		image = append(image, v)
	}
	if len(named) != len(image) {
		return nil, fmt.Errorf("the mapping of %s tells of %d variables, and the module has %d", x.pair.Module, len(named), len(image))
	}
	return image, nil
}

// steps are those of the algorithm.
func (x *comparison) steps(at int) ([]outcome, error) {
	var out []outcome
	for _, s := range x.reference.Steps(x.found[at].state) {
		deed := x.reference.Deed(s.Event)
		if p := s.Event.Process; p != 0 {
			deed = fmt.Sprintf("process %v: %s", p, deed)
		}
		if s.Panic != "" {
			return nil, fmt.Errorf("%s panics: %s", deed, s.Panic)
		}
		image, err := x.image(s.After)
		if err != nil {
			return nil, err
		}
		out = append(out, outcome{deed, image, s.After})
	}
	return out, nil
}

func (x *comparison) initial() (out []outcome, err error) {
	err = x.evaluator.Initial(func(state []value.Value) bool {
		out = append(out, outcome{image: explicit(state)})
		return true
	})
	return out, err
}

// next are the steps of the module.
func (x *comparison) next(image []value.Value) (out []outcome, err error) {
	err = x.evaluator.Next(image, func(part int, args, next []value.Value) bool {
		t := tla.Trace{States: [][]value.Value{nil, nil}, Steps: []tla.Step{x.model.Step(part, slices.Clone(args))}}
		out = append(out, outcome{deed: t.Label(1), image: explicit(next)})
		return true
	})
	return out, err
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
		d := &Difference{Variables: x.model.Variables(), Run: x.runTo(at), ByGo: byGo, Deed: o.deed, After: o.image}
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
		if slices.ContainsFunc(x.places[h], func(i int) bool {
			return same(x.found[i].image, o.image) && x.found[i].state.Equal(o.state)
		}) {
			continue
		}
		named := ""
		if i := slices.IndexFunc(theirs, func(p outcome) bool { return same(o.image, p.image) }); i >= 0 {
			named = theirs[i].deed
		} else if x.options.Direction == TLARefines {
			continue // the module does not go there
		}
		if !slices.ContainsFunc(x.images[h], func(i int) bool { return same(x.found[i].image, o.image) }) {
			x.images[h] = append(x.images[h], len(x.found))
			x.Images++
		}
		x.places[h] = append(x.places[h], len(x.found))
		x.found = append(x.found, pairState{o.state, o.image, from, o.deed, named})
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
