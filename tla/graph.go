package tla

import (
	"fmt"

	"interleave/tla/eval"
	"interleave/tla/value"
)

// Variables returns the names of the variables, in the order in which a state
// lists their values.
func (m *Model) Variables() []string { return m.spec.Variables }

// Evaluator yields the initial states and the steps of the model. Only one goroutine
// may use it. Constraints are not applied.
func (m *Model) Evaluator() *eval.Evaluator { return m.machine.Evaluator() }

// Step identifies a part of the next-state relation, and its arguments.
func (m *Model) Step(part int, args []value.Value) Step {
	return Step{part, m.machine.Parts[part].Name, args}
}

// Constant returns what the configuration gives to a constant.
func (m *Model) Constant(name string) (value.Value, error) {
	for _, c := range m.Config.Constants {
		switch {
		case c.Name != name:
		case c.By != "":
			return m.spec.Constant(c.By)
		default:
			return c.Value, nil
		}
	}
	return nil, fmt.Errorf("%s gives no value to the constant %s", m.Config.File, name)
}
