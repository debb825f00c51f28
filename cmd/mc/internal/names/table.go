// Package names finds the algorithms and the properties of a program by their names.
package names

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
)

// Table are the algorithms that this mc knows, and the properties that it knows
// besides those of package properties.
type Table struct {
	Algorithms []spec.Machine
	aliases    map[string]string
	mutants    []spec.Machine
	Own        []properties.Property
}

// New keeps the mutants among the given machines apart.
func New(list []spec.Machine, aliases map[string]string, own ...properties.Property) Table {
	ms := Table{aliases: aliases, Own: slices.Clone(own)}
	for i, p := range ms.Own {
		ms.Own[i].Doc, ms.Own[i].Source = oneLine(p.Doc), oneLine(p.Source)
	}
	for _, m := range list {
		if _, mutant := spec.Original(m.Traits().Name); mutant != "" {
			ms.mutants = append(ms.mutants, m)
		} else {
			ms.Algorithms = append(ms.Algorithms, m)
		}
	}
	return ms
}

// Elect reports whether any of the algorithms elects somebody.
func (ms Table) Elect() bool {
	return slices.ContainsFunc(ms.Algorithms, func(m spec.Machine) bool { return m.Traits().Elects })
}

// oneLine returns a text with blanks for its line breaks, as spec.Traits has texts of algorithms.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Check refuses names that mean more than one thing or do not print, and properties without one.
func (ms Table) Check() error {
	for _, name := range ms.all() {
		if strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) }) {
			return fmt.Errorf("the name %q has a character that does not print: leave it out, or no report could show the name on its line", name)
		}
	}
	taken := map[string]bool{}
	for _, m := range slices.Concat(ms.Algorithms, ms.mutants) {
		name := m.Traits().Name
		if full, alias := ms.aliases[name]; taken[name] || alias && full != name {
			return fmt.Errorf("two algorithms can be meant by %q: rename one, or leave it out", name)
		}
		taken[name], taken[Family(name)] = true, true
	}
	for i, p := range ms.Own {
		switch {
		case p.Name == "":
			return fmt.Errorf("property %d of the program has no name: make it by properties.Invariant and the like", i+1)
		case strings.Contains(p.Name, ",") || strings.TrimSpace(p.Name) != p.Name:
			return fmt.Errorf("no --property can ask for %q: leave commas, and blanks at the ends, out of the name", p.Name)
		}
		twice := func(q properties.Property) bool { return strings.EqualFold(q.Name, p.Name) }
		known := func(m spec.Machine) bool { _, ok := election.Named(m, p.Name); return ok }
		if election.Reserved(p.Name) || slices.ContainsFunc(ms.Own[:i], twice) || slices.ContainsFunc(ms.Algorithms, known) {
			return fmt.Errorf("two properties can be meant by %q: rename that of the program", p.Name)
		}
	}
	return nil
}

// all returns the names that a program gives, to algorithms and to properties.
func (ms Table) all() []string {
	names := slices.Collect(maps.Keys(ms.aliases))
	for _, m := range slices.Concat(ms.Algorithms, ms.mutants) {
		names = append(names, m.Traits().Name)
	}
	for _, p := range ms.Own {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return names
}
