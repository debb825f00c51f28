package compare

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"interleave/tla"
	"interleave/tla/interpret"
	"interleave/tla/value"
)

// Translation compares the translation in a module with its algorithm as package
// interpret runs it. In the Result, the interpreted algorithm takes the place of the Go
// code.
func Translation(ctx context.Context, file string, m *tla.Model, o Options) (*Result, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p, err := interpret.New(file, string(text), m.Config, func(name string) (string, string, error) {
		other := filepath.Join(filepath.Dir(file), name+".tla")
		text, err := os.ReadFile(other)
		return other, string(text), err
	})
	if err != nil {
		return nil, err
	}
	order, missing := indices(m.Variables(), p.Variables)
	if missing >= 0 || len(order) != len(p.Variables) {
		return nil, errors.New("the module has other variables than its algorithm: is its translation up to date?")
	}
	x := newComparison(m, o, &interpreted{p, order})
	return &x.Result, x.run(ctx)
}

// interpreted is the side of an algorithm that is interpreted.
type interpreted struct {
	*interpret.Program
	order []int // of the module's variables among its own
}

func (x *interpreted) begin() (out []outcome, err error) {
	err = x.Initial(func(s []value.Value) bool {
		out = append(out, outcome{image: arrange(s, x.order)})
		return true
	})
	return out, err
}

func (x *interpreted) steps(from *pairState) (out []outcome, err error) {
	own := make([]value.Value, len(x.order))
	for i, j := range x.order {
		own[j] = from.image[i]
	}
	err = x.Next(own, func(deed string, s []value.Value) bool {
		out = append(out, outcome{deed: deed, image: arrange(s, x.order)})
		return true
	})
	return out, err
}

func arrange(s []value.Value, order []int) []value.Value {
	out := make([]value.Value, len(order))
	for i, j := range order {
		out[i] = value.Explicit(s[j])
	}
	return out
}
