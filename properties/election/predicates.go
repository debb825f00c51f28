package election

import (
	"fmt"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// Predicates are what a formula about an election can be about.
var Predicates = properties.Predicates{
	OfStates: []properties.Property{LeaderIsTop, LeaderIsTopOrCrashed, WinnerIsTop, OneLeader, LeaderTookPart, Agreement, AgreementOnTop, TopWon, properties.NoDeadlock, CanElect},
	Alias:    unaliased,
	OfProcess: map[string]func(w *model.World, p spec.ID) error{
		"knows": knowsLeader,
		"leads": func(w *model.World, p spec.ID) error {
			if w.Leader(p) == p {
				return nil
			}
			return fmt.Errorf("process %v does not follow itself", p)
		},
	},
}

// Formula states that a formula is true of every fair run. The text is also the name of the
// property.
func Formula(text string) (properties.Property, error) { return Predicates.Formula(text) }

// temporal returns a property of runs that comes with this package.
func temporal(name, doc, formula string) properties.Property {
	p, err := Predicates.Temporal(name, doc, formula, nil)
	if err != nil {
		panic(err)
	}
	return p
}

// OfStates lists the names of properties that are predicates of states.
func OfStates() (names []string) {
	for _, p := range Predicates.OfStates {
		names = append(names, p.Name)
	}
	return names
}
