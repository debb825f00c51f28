package names

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/ui"
	"interleave/spec"
)

// Find returns the machine of a name, an alias, or a family's bare name.
func (ms Table) Find(name string) (spec.Machine, error) {
	if full, ok := ms.aliases[name]; ok {
		name = full
	}
	for _, m := range ms.Algorithms {
		if full := m.Traits().Name; full == name || Family(full) == name {
			return m, nil
		}
	}
	if original, mutant := spec.Original(name); mutant != "" {
		return ms.findMutant(original, mutant)
	}
	if ms.IsFamily(Family(name)) {
		return nil, ui.Hint(fmt.Errorf("%s has no variant %q", Family(name), strings.TrimPrefix(name, Family(name)+"/")),
			ui.Suggest(name, ms.names(), "it has "+strings.Join(ms.Variants(Family(name)), ", ")))
	}
	return nil, ui.Hint(fmt.Errorf("there is no algorithm %q", name), ui.Suggest(name, ms.names(), "mc list shows the algorithms; those of a module of your own are known to the mc of that module"))
}

// findMutant returns a mutant of the machine that is named, or an alias or
// family's bare name of it.
func (ms Table) findMutant(original, mutant string) (spec.Machine, error) {
	m, err := ms.Find(original)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, candidate := range ms.MutantsOf(m) {
		_, name := spec.Original(candidate.Traits().Name)
		if name == mutant {
			return candidate, nil
		}
		names = append(names, name)
	}
	return nil, ui.Hint(fmt.Errorf("%s has no mutant %q", m.Traits().Name, mutant),
		ui.Suggest(mutant, names, "mc mutants "+original+" shows those there are"))
}

// IsFamily reports whether some algorithm is of a family.
func (ms Table) IsFamily(name string) bool { return len(ms.Variants(name)) > 0 }

// Variants returns the full names of a family.
func (ms Table) Variants(name string) []string {
	var full []string
	for _, m := range ms.Algorithms {
		if n := m.Traits().Name; Family(n) == name {
			full = append(full, n)
		}
	}
	return full
}

// names returns everything that find would find.
func (ms Table) names() []string {
	var names []string
	for alias := range ms.aliases {
		names = append(names, alias)
	}
	for _, m := range ms.Algorithms {
		names = append(names, m.Traits().Name, Family(m.Traits().Name))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// AliasesOf returns the aliases of a machine, sorted.
func (ms Table) AliasesOf(full string) []string {
	var names []string
	for alias, name := range ms.aliases {
		if name == full {
			names = append(names, alias)
		}
	}
	slices.Sort(names)
	return names
}

// Family returns the family of a full name.
func Family(name string) string {
	family, _, _ := strings.Cut(name, "/")
	return family
}

// Complete tells a shell what an argument that names an algorithm may be.
func (ms Table) Complete(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return ms.names(), cobra.ShellCompDirectiveNoFileComp
}

// Mutated returns the algorithm that is named, or all that have mutants.
func (ms Table) Mutated(args []string) ([]spec.Machine, error) {
	if len(args) == 0 {
		all := slices.DeleteFunc(slices.Clone(ms.Algorithms), func(m spec.Machine) bool { return ms.MutantsOf(m) == nil })
		if len(all) == 0 {
			return nil, ui.Hint(errors.New("no algorithm here has mutants"), howToPlant)
		}
		return all, nil
	}
	m, err := ms.Find(args[0])
	if err != nil {
		return nil, err
	}
	if ms.MutantsOf(m) == nil {
		return nil, ui.Hint(fmt.Errorf("%s has no mutants", m.Traits().Name), howToPlant)
	}
	return []spec.Machine{m}, nil
}

// MutantsOf returns the mutants of a machine.
func (ms Table) MutantsOf(m spec.Machine) []spec.Machine {
	var out []spec.Machine
	for _, mutant := range ms.mutants {
		if original, _ := spec.Original(mutant.Traits().Name); original == m.Traits().Name {
			out = append(out, mutant)
		}
	}
	return out
}

const howToPlant = "the method Mutant of spec.Algorithm makes one, and an mc of your own takes it beside the algorithm (docs/tutorial.md)"
