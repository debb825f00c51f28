package election

import (
	"fmt"
	"slices"
	"strings"

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
func Formula(text string) (properties.Property, error) { return formula(text, nil) }

// FormulaOf is Formula of an algorithm, whose own properties of states may be atoms, too.
func FormulaOf(m spec.Machine, text string) (properties.Property, error) {
	return formula(text, properties.OwnOfStates(m))
}

func formula(text string, own []properties.Property) (properties.Property, error) {
	p, err := Predicates.Formula(text, own...)
	if err != nil {
		return p, err
	}
	return p.For(func(t spec.Traits) error {
		for _, atom := range p.Atoms() {
			switch {
			case slices.ContainsFunc(own, func(p properties.Property) bool { return p.Name == atom }):
			case !t.Elects && ofElection(atom):
				return fmt.Errorf("the formula %q: %s is said of elections, and %s elects nobody: leave it out", text, atom, t.Name)
			case t.Elects && t.Wins == spec.Anyone && ofTop(unaliased(atom)):
				return fmt.Errorf("the formula %q: %s is about the process that ought to win, and %s may elect any: leave it out", text, atom, t.Name)
			}
		}
		return nil
	}), nil
}

// ofElection reports whether a predicate is about who is elected.
func ofElection(atom string) bool {
	word, _, _ := strings.Cut(atom, "(")
	if Predicates.OfProcess[word] != nil {
		return true
	}
	p, ok := common(atom)
	return ok && p.Name != properties.NoDeadlock.Name
}

// temporal returns a property of runs that comes with this package.
func temporal(name, doc, formula string) properties.Property {
	p, err := Predicates.Temporal(name, doc, formula, nil)
	if err != nil {
		panic(err)
	}
	return p
}

// PredicatesOf lists what a formula about an algorithm can speak of, as Predicates.Names.
func PredicatesOf(m spec.Machine) []string {
	t := m.Traits()
	return slices.DeleteFunc(Predicates.Names(), func(name string) bool {
		return !t.Elects && ofElection(name) || t.Wins == spec.Anyone && ofTop(name)
	})
}

// OfStates lists the names of properties that are predicates of states.
func OfStates() (names []string) {
	for _, p := range Predicates.OfStates {
		names = append(names, p.Name)
	}
	return names
}
