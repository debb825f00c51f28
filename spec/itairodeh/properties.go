package itairodeh

import (
	"fmt"

	"interleave/spec"
)

// Properties are what both variants are meant to have.
var Properties = []spec.Property{
	spec.Invariant("at-most-one-wins", "at most one process wins", func(w spec.World) error {
		if won := winners(w); won.Len() > 1 {
			return fmt.Errorf("%v have won", won)
		}
		return nil
	}),
	spec.Quiescent("one-wins", "in the end, if there is one, exactly one process has won", func(w spec.World) error {
		if won := winners(w); won.Len() != 1 {
			return fmt.Errorf("%d processes have won", won.Len())
		}
		return nil
	}),
}

func winners(w spec.World) (some spec.Set) {
	for p, s := range spec.States[State](w) {
		if s.Standing == Won {
			some = some.With(p)
		}
	}
	return some
}
