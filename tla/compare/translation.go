package compare

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"interleave/model"
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
	order, err := places(m.Variables(), p.Variables)
	if err != nil {
		return nil, err
	}
	x := newComparison(m, o)
	x.begin = func() (out []outcome, err error) {
		err = p.Initial(func(s []value.Value) bool {
			out = append(out, outcome{image: arrange(s, order)})
			return true
		})
		return out, err
	}
	x.steps = func(from *pairState) (out []outcome, err error) {
		back := make([]value.Value, len(order))
		for i, j := range order {
			back[j] = from.image[i]
		}
		err = p.Next(back, func(deed string, s []value.Value) bool {
			out = append(out, outcome{deed, arrange(s, order), model.State{}})
			return true
		})
		return out, err
	}
	return &x.Result, x.run(ctx)
}

// places returns the index of each of some names among others.
func places(names, others []string) ([]int, error) {
	at := map[string]int{}
	for i, n := range others {
		at[n] = i
	}
	order := make([]int, len(names))
	for i, n := range names {
		j, ok := at[n]
		if !ok || len(names) != len(others) {
			return nil, errors.New("the module has other variables than its algorithm: is its translation up to date?")
		}
		order[i] = j
	}
	return order, nil
}

func arrange(s []value.Value, order []int) []value.Value {
	out := make([]value.Value, len(order))
	for i, j := range order {
		out[i] = value.Explicit(s[j])
	}
	return out
}
