package properties

import (
	"fmt"

	"interleave/model"
	"interleave/spec"
)

// Catalogue is what is known by name about a family of algorithms; package election has that of
// elections. It is a value that is passed in, so that this package needs to know no family. In the
// zero Catalogue an algorithm has the claims that it makes itself.
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
		return Own(m), nil
	}
	return k.Standard(m, c)
}

func (k Catalogue) check(m spec.Machine) error {
	if k.Check == nil {
		return nil
	}
	return k.Check(m)
}

// Find returns the property with a name: one of those given, or the Named one.
func (k Catalogue) Find(m spec.Machine, name string, props ...Property) (Property, error) {
	for _, p := range props {
		if p.Name == name {
			return p, nil
		}
	}
	if k.Named != nil {
		if p, ok := k.Named(m, name); ok {
			return p, nil
		}
	}
	return Property{}, fmt.Errorf("there is no property %q", name)
}
