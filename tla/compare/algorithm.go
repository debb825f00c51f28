package compare

import (
	"context"
	"fmt"

	"interleave/model"
	"interleave/tla"
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
	Complete   bool // everything was compared
	Difference *Difference
}

// Difference is a shortest run after which one side can do something that the other
// cannot.
type Difference struct {
	Variables []string
	Run       []Moment      // the run to the state where they differ; empty: they begin differently
	ByGo      bool          // the algorithm can do it
	Deed      string        // in the terms of the side that can
	After     []value.Value // where it leads
	Nearest   []value.Value // the nearest state to which the other side can go; nil: none
}

// Moment is a state of a run, and the step that led to it.
type Moment struct {
	Deed  string // in the terms of the algorithm; empty: in the beginning
	TLA   string // in the terms of the module
	State []value.Value
}

// Algorithm compares a module, under its configuration, with a Go algorithm.
func Algorithm(ctx context.Context, m *tla.Model, p *Pair, o Options) (*Result, error) {
	a, err := newAlgorithm(m, p)
	if err != nil {
		return nil, err
	}
	x := newComparison(m, o, a)
	x.Config = a.reference.Config()
	return &x.Result, x.run(ctx)
}

// algorithm is the side of the Go code.
type algorithm struct {
	model     *tla.Model
	pair      *Pair
	reference *model.Reference
}

// newAlgorithm returns the algorithm that a pair compares with a module.
func newAlgorithm(m *tla.Model, p *Pair) (*algorithm, error) {
	c, err := p.World(m)
	if err != nil {
		return nil, err
	}
	if err := comparable(m); err != nil {
		return nil, err
	}
	reference, err := model.NewReference(p.Machine, c)
	return &algorithm{m, p, reference}, err
}

func (x *algorithm) begin() ([]outcome, error) {
	var out []outcome
	for _, s := range x.reference.Initial() {
		image, err := x.image(s)
		if err != nil {
			return nil, err
		}
		out = append(out, outcome{image: image, state: s})
	}
	return out, nil
}

// image returns the module's state that corresponds to a state of the algorithm.
func (x *algorithm) image(s model.State) ([]value.Value, error) {
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

func (x *algorithm) steps(from *pairState) ([]outcome, error) {
	var out []outcome
	for _, s := range x.reference.Steps(from.state) {
		deed := x.reference.DescribeStep(s.Event)
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
