package lock

import (
	"fmt"

	"interleave/spec"
)

// Properties are what both variants are meant to have.
var Properties = []spec.Property{
	spec.Invariant("exclusion", "at most one client has the lock", func(w spec.World) error {
		if held := holders(w); held.Len() > 1 {
			return fmt.Errorf("%v have the lock", held)
		}
		return nil
	}),
	spec.Quiescent("served", "in the end, no live client waits for the lock if the server is up", func(w spec.World) error {
		for p, s := range spec.States[State](w) {
			if s.Asked && w.Live().Has(server) {
				return fmt.Errorf("client %v waits for the lock", p)
			}
		}
		return nil
	}),
	spec.Cover("used", "some client has the lock", func(w spec.World) bool { return holders(w) != 0 }),
}

// holders returns the live clients that have the lock.
func holders(w spec.World) (some spec.Set) {
	for p, s := range spec.States[State](w) {
		if s.Holds {
			some = some.With(p)
		}
	}
	return some
}
