package catalog

import (
	"slices"
	"strings"
	"testing"

	"interleave/spec"
)

func TestCatalog(t *testing.T) {
	var names []string
	for _, m := range Machines {
		if err := m.Validate(); err != nil {
			t.Error(err)
		}
		traits := m.Traits()
		if traits.Doc == "" || traits.Source == "" || !strings.Contains(traits.Name, "/") {
			t.Errorf("%q lacks a doc, a source or a variant", traits.Name)
		}
		if !traits.Handles.Has(spec.Receive) && !traits.Handles.Has(spec.Round) {
			t.Errorf("%s receives nothing", traits.Name)
		}
		names = append(names, traits.Name)
	}
	if slices.Sort(names); len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("a name stands twice in %v", names)
	}
	for alias, name := range Aliases {
		if !slices.Contains(names, name) || slices.Contains(names, alias) {
			t.Errorf("alias %s of %s leads nowhere, or hides a name", alias, name)
		}
	}
}

// TestMutants looks at the names: each is its own, and tells the original.
func TestMutants(t *testing.T) {
	machines, seen := map[string]bool{}, map[string]bool{}
	for _, m := range Machines {
		machines[m.Traits().Name] = true
	}
	for _, m := range Mutants {
		if err := m.Validate(); err != nil {
			t.Error(err)
		}
		name := m.Traits().Name
		if original, mutant := spec.Original(name); !machines[original] || mutant == "" {
			t.Errorf("%s is no mutant of any of Machines", name)
		}
		if seen[name] {
			t.Errorf("%s stands there twice", name)
		}
		seen[name] = true
	}
}
