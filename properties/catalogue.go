package properties

import (
	"fmt"
	"slices"
	"strings"

	"interleave/model"
	"interleave/spec"
)

// Catalogue is what is known by name about a family of algorithms; package election has that of
// elections. It is a value that is passed in, so that this package needs to know no family. In the
// zero Catalogue an algorithm has what any owes: see Standard.
type Catalogue struct {
	// Standard returns the properties to check when none are named, each with a note if it does not
	// count towards the verdict.
	Standard func(m spec.Machine, c model.Config) (props []Property, notes map[string]string)

	// Named returns the property with a name.
	Named func(m spec.Machine, name string) (Property, bool)

	// Check refuses a machine whose claims and promises do not go with the names.
	Check func(m spec.Machine) error
}

func (k Catalogue) standard(m spec.Machine, c model.Config) (props []Property, notes map[string]string) {
	if k.Standard == nil {
		return Standard(m), nil
	}
	return k.Standard(m, c)
}

// Standard returns the properties to check of an algorithm of no family when none are named: NoDeadlock, or
// what it promises of those that mean the same for every algorithm; and its Own.
func Standard(m spec.Machine) (props []Property) {
	promises := m.Traits().Promises
	if promises == nil {
		props = append(props, NoDeadlock)
	}
	for _, p := range ofAny {
		if slices.ContainsFunc(promises, func(name string) bool { return strings.EqualFold(name, p.Name) }) {
			props = append(props, p)
		}
	}
	return append(props, Own(m)...)
}

// scope says what was checked, if that is only what any algorithm owes, and how to write more.
func scope(m spec.Machine, checked []Property) string {
	names := []string{NoPanic.Name}
	for _, p := range checked {
		if !slices.ContainsFunc(ofAny, func(q Property) bool { return q.Name == p.Name }) {
			return ""
		}
		names = append(names, p.Name)
	}
	return fmt.Sprintf("%s has no properties of its own, so only %s were checked: docs/properties.md shows how to write some", m.Traits().Name, strings.Join(names, ", "))
}

func (k Catalogue) check(m spec.Machine) error {
	if k.Check == nil {
		return nil
	}
	return k.Check(m)
}

// Find returns the property with a name: one of those given, of the machine's Own, or the Named one. In the
// zero Catalogue those are named that mean the same for every algorithm.
func (k Catalogue) Find(m spec.Machine, name string, props ...Property) (Property, error) {
	for _, p := range slices.Concat(props, Own(m)) {
		if p.Name == name {
			return p, nil
		}
	}
	if k.Named != nil {
		if p, ok := k.Named(m, name); ok {
			return p, p.Suits(m)
		}
	} else if i := slices.IndexFunc(ofAny, func(p Property) bool { return p.Name == name }); i >= 0 {
		return ofAny[i], nil
	}
	return Property{}, fmt.Errorf("there is no property %q", name)
}
