package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/ui"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
)

// machines are the algorithms that this mc knows, and the properties that it knows
// besides those of package properties.
type machines struct {
	list    []spec.Machine
	aliases map[string]string
	mutants []spec.Machine
	own     []properties.Property
}

// newMachines keeps the mutants among the given machines apart.
func newMachines(list []spec.Machine, aliases map[string]string, own ...properties.Property) machines {
	ms := machines{aliases: aliases, own: slices.Clone(own)}
	for i, p := range ms.own {
		ms.own[i].Doc, ms.own[i].Source = oneLine(p.Doc), oneLine(p.Source)
	}
	for _, m := range list {
		if _, mutant := spec.Original(m.Traits().Name); mutant != "" {
			ms.mutants = append(ms.mutants, m)
		} else {
			ms.list = append(ms.list, m)
		}
	}
	return ms
}

// oneLine returns a text with blanks for its line breaks, as spec.Traits has texts of algorithms.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// check refuses names that mean more than one thing or do not print, and properties without one.
func (ms machines) check() error {
	for _, name := range ms.all() {
		if strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) }) {
			return fmt.Errorf("the name %q has a character that does not print: leave it out, or no report could show the name on its line", name)
		}
	}
	taken := map[string]bool{}
	for _, m := range slices.Concat(ms.list, ms.mutants) {
		name := m.Traits().Name
		if full, alias := ms.aliases[name]; taken[name] || alias && full != name {
			return fmt.Errorf("two algorithms can be meant by %q: rename one, or leave it out", name)
		}
		taken[name], taken[family(name)] = true, true
	}
	for i, p := range ms.own {
		switch {
		case p.Name == "":
			return fmt.Errorf("property %d of the program has no name: make it by properties.Invariant and the like", i+1)
		case strings.Contains(p.Name, ",") || strings.TrimSpace(p.Name) != p.Name:
			return fmt.Errorf("no --property can ask for %q: leave commas, and blanks at the ends, out of the name", p.Name)
		}
		twice := func(q properties.Property) bool { return strings.EqualFold(q.Name, p.Name) }
		known := func(m spec.Machine) bool { _, ok := election.Named(m, p.Name); return ok }
		if election.Reserved(p.Name) || slices.ContainsFunc(ms.own[:i], twice) || slices.ContainsFunc(ms.list, known) {
			return fmt.Errorf("two properties can be meant by %q: rename that of the program", p.Name)
		}
	}
	return nil
}

// all returns the names that a program gives, to algorithms and to properties.
func (ms machines) all() []string {
	names := slices.Collect(maps.Keys(ms.aliases))
	for _, m := range slices.Concat(ms.list, ms.mutants) {
		names = append(names, m.Traits().Name)
	}
	for _, p := range ms.own {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return names
}

// find returns the machine of a name, an alias, or a family's bare name.
func (ms machines) find(name string) (spec.Machine, error) {
	if full, ok := ms.aliases[name]; ok {
		name = full
	}
	for _, m := range ms.list {
		if full := m.Traits().Name; full == name || family(full) == name {
			return m, nil
		}
	}
	if original, mutant := spec.Original(name); mutant != "" {
		return ms.findMutant(original, mutant)
	}
	if ms.isFamily(family(name)) {
		return nil, ui.Hint(fmt.Errorf("%s has no variant %q", family(name), strings.TrimPrefix(name, family(name)+"/")),
			ui.Suggest(name, ms.names(), "it has "+strings.Join(ms.variants(family(name)), ", ")))
	}
	return nil, ui.Hint(fmt.Errorf("there is no algorithm %q", name), ui.Suggest(name, ms.names(), "mc list shows the algorithms; those of a module of your own are known to the mc of that module"))
}

// findMutant returns a mutant of the machine that is named, or an alias or
// family's bare name of it.
func (ms machines) findMutant(original, mutant string) (spec.Machine, error) {
	m, err := ms.find(original)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, candidate := range ms.mutantsOf(m) {
		_, name := spec.Original(candidate.Traits().Name)
		if name == mutant {
			return candidate, nil
		}
		names = append(names, name)
	}
	return nil, ui.Hint(fmt.Errorf("%s has no mutant %q", m.Traits().Name, mutant),
		ui.Suggest(mutant, names, "mc mutants "+original+" shows those there are"))
}

func (ms machines) isFamily(name string) bool { return len(ms.variants(name)) > 0 }

// variants returns the full names of a family.
func (ms machines) variants(name string) []string {
	var full []string
	for _, m := range ms.list {
		if n := m.Traits().Name; family(n) == name {
			full = append(full, n)
		}
	}
	return full
}

// names returns everything that find would find.
func (ms machines) names() []string {
	var names []string
	for alias := range ms.aliases {
		names = append(names, alias)
	}
	for _, m := range ms.list {
		names = append(names, m.Traits().Name, family(m.Traits().Name))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// aliasesOf returns the aliases of a machine, sorted.
func (ms machines) aliasesOf(full string) []string {
	var names []string
	for alias, name := range ms.aliases {
		if name == full {
			names = append(names, alias)
		}
	}
	slices.Sort(names)
	return names
}

func family(name string) string {
	family, _, _ := strings.Cut(name, "/")
	return family
}

// property returns the property of a name that a machine can be asked for.
func (ms machines) property(m spec.Machine, name string) (properties.Property, bool) {
	for _, p := range ms.own {
		if strings.EqualFold(p.Name, name) {
			return p, true
		}
	}
	return election.Named(m, name)
}

// findProperties returns the properties of the given names that a machine can
// be asked for, nil for none.
func (ms machines) findProperties(m spec.Machine, names []string) ([]properties.Property, error) {
	var props []properties.Property
	for _, name := range names {
		name = strings.TrimSpace(name)
		p, ok := ms.property(m, name)
		if !ok {
			if isFormula(name) {
				return nil, formulaError(name)
			}
			all := ms.propertyNames(m)
			return nil, ui.Hint(fmt.Errorf("there is no property %q", name), ui.Suggest(name, all, "there are "+strings.Join(all, ", ")+", messages-bounded(9), complete-within(3), agreement-within(3) and the like"))
		}
		if !slices.ContainsFunc(props, func(q properties.Property) bool { return p.Name == q.Name }) {
			props = append(props, p)
		}
	}
	return props, nil
}

func (ms machines) propertyNames(m spec.Machine) []string {
	var names []string
	for _, p := range slices.Concat(ms.own, properties.Claims(m), election.All) {
		names = append(names, p.Name)
	}
	return names
}

// complete tells a shell what an argument that names an algorithm may be.
func (ms machines) complete(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return ms.names(), cobra.ShellCompDirectiveNoFileComp
}

// mutated returns the algorithm that is named, or all that have mutants.
func (ms machines) mutated(args []string) ([]spec.Machine, error) {
	if len(args) == 0 {
		all := slices.DeleteFunc(slices.Clone(ms.list), func(m spec.Machine) bool { return ms.mutantsOf(m) == nil })
		if len(all) == 0 {
			return nil, ui.Hint(errors.New("no algorithm here has mutants"), howToPlant)
		}
		return all, nil
	}
	m, err := ms.find(args[0])
	if err != nil {
		return nil, err
	}
	if ms.mutantsOf(m) == nil {
		return nil, ui.Hint(fmt.Errorf("%s has no mutants", m.Traits().Name), howToPlant)
	}
	return []spec.Machine{m}, nil
}

// mutantsOf returns the mutants of a machine.
func (ms machines) mutantsOf(m spec.Machine) []spec.Machine {
	var out []spec.Machine
	for _, mutant := range ms.mutants {
		if original, _ := spec.Original(mutant.Traits().Name); original == m.Traits().Name {
			out = append(out, mutant)
		}
	}
	return out
}

const howToPlant = "the method Mutant of spec.Algorithm makes one, and an mc of your own takes it beside the algorithm (docs/tutorial.md)"

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
func formulaError(text string) error {
	const remedy = "mc help formulas shows the syntax"
	_, err := election.Formula(text)
	var unknown *properties.AtomError
	if !errors.As(err, &unknown) {
		return ui.Hint(err, remedy)
	}
	_, number, isOfOne := strings.Cut(unknown.Atom, "(")
	if !isOfOne {
		number = "1)"
	}
	var known []string
	for _, name := range election.Predicates.Names() {
		known = append(known, strings.Replace(name, "(p)", "("+number, 1))
	}
	if slices.Contains(known, unknown.Atom) {
		return ui.Hint(err, remedy)
	}
	return ui.Hint(err, ui.Suggest(unknown.Atom, known, remedy))
}
