package twophasecommit

import (
	"fmt"

	"interleave/spec"
)

// Properties are what both variants are meant to have; Published lacks no-needless-block.
var Properties = []spec.Property{
	spec.Invariant("atomicity", "no process commits if one aborts", func(w spec.World) error {
		if c, a := in(w, Committed), in(w, Aborted); c != 0 && a != 0 {
			return fmt.Errorf("%v committed, and %v aborted", c, a)
		}
		return nil
	}),
	spec.Invariant("unanimity", "no process commits unless all participants have voted yes", func(w spec.World) error {
		if c, not := in(w, Committed), in(w, Working).Without(coordinator); c != 0 && not != 0 {
			return fmt.Errorf("%v committed, and %v has not voted", c, not)
		}
		return nil
	}),
	spec.Quiescent("no-needless-block", "in the end, a live process waits only if all do", func(w spec.World) error {
		wait := in(w, Waiting, Prepared) & w.Live()
		if not := w.Live() &^ wait; wait != 0 && not != 0 {
			return fmt.Errorf("%v waits for the outcome, and %v could tell it", wait, not)
		}
		return nil
	}),
	spec.Quiescent("all-up-all-decided", "in the end, no process waits if all are up", func(w spec.World) error {
		if wait := in(w, Waiting, Prepared); wait != 0 && w.Live().Len() == w.N() {
			return fmt.Errorf("all are up, and %v waits for the outcome", wait)
		}
		return nil
	}),
	spec.Cover("commits", "all processes have committed", func(w spec.World) bool { return in(w, Committed).Len() == w.N() }),
	spec.Cover("aborts", "all processes have aborted", func(w spec.World) bool { return in(w, Aborted).Len() == w.N() }),
}

// in returns the processes that are in one of some phases, by what is stable if they are down.
func in(w spec.World, phases ...Phase) (some spec.Set) {
	for p := range spec.UpTo(w.N()).All() {
		s, known := w.State(p).(State)
		for _, f := range phases {
			if known && s.Phase == f {
				some = some.With(p)
			}
		}
	}
	return some
}
