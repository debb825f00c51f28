package names

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"interleave/cmd/mc/internal/ui"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
)

// Property returns the property of a name that a machine can be asked for.
func (ms Table) Property(m spec.Machine, name string) (properties.Property, bool) {
	for _, p := range ms.Own {
		if strings.EqualFold(p.Name, name) {
			return p, true
		}
	}
	return election.Named(m, name)
}

// FindProperties returns the properties of the given names that a machine can
// be asked for, nil for none.
func (ms Table) FindProperties(m spec.Machine, names []string) ([]properties.Property, error) {
	var props []properties.Property
	for _, name := range names {
		name = strings.TrimSpace(name)
		p, ok := ms.Property(m, name)
		if !ok {
			if isFormula(name) {
				return nil, formulaError(m, name)
			}
			all := ms.PropertyNames(m)
			return nil, ui.Hint(fmt.Errorf("there is no property %q", name), ui.Suggest(name, all, "there are "+strings.Join(append(all, election.Examples(m)...), ", ")+" and the like"))
		}
		if !slices.ContainsFunc(props, func(q properties.Property) bool { return p.Name == q.Name }) {
			props = append(props, p)
		}
	}
	return props, nil
}

// PropertyNames returns the names of the properties that a machine can be asked for.
func (ms Table) PropertyNames(m spec.Machine) []string {
	var names []string
	for _, p := range slices.Concat(ms.Own, properties.Own(m), election.All) {
		if p.Suits(m) == nil {
			names = append(names, p.Name)
		}
	}
	return names
}

// isFormula reports whether a name that is none is meant as a formula.
func isFormula(name string) bool {
	word, _, isOfOne := strings.Cut(name, "(")
	if isOfOne {
		return !election.Numbered(word)
	}
	return strings.ContainsAny(name, "[]<>!&|~= □◇¬∧∨→↔↝") || slices.Contains(election.Predicates.Names(), name) ||
		slices.Contains(election.Predicates.Names(), name+"(p)")
}

// formulaError says what is wrong with a formula, and what its atoms may have
// meant.
func formulaError(m spec.Machine, text string) error {
	const remedy = "mc help formulas shows the syntax"
	_, err := election.FormulaOf(m, text)
	var unknown *properties.AtomError
	if !errors.As(err, &unknown) {
		return ui.Hint(err, remedy)
	}
	_, number, isOfOne := strings.Cut(unknown.Atom, "(")
	if !isOfOne {
		number = "1)"
	}
	var known []string
	for _, name := range election.PredicatesOf(m) {
		known = append(known, strings.Replace(name, "(p)", "("+number, 1))
	}
	for _, p := range properties.OwnOfStates(m) {
		known = append(known, p.Name)
	}
	if slices.Contains(known, unknown.Atom) {
		return ui.Hint(err, remedy)
	}
	return ui.Hint(err, ui.Suggest(unknown.Atom, known, remedy))
}
