package execution

import (
	"errors"
	"fmt"
	"testing"

	"interleave/conformance/captures"
	"interleave/internal/cell"
	"interleave/spec"
	"interleave/spec/lock"
	"interleave/spec/paxos"
)

// TestShown: what a capture does not show is hidden from a property, and one that panics is false.
func TestShown(t *testing.T) {
	for _, m := range []spec.Machine{lock.Published, paxos.SingleDecree} { // the latter remembers something when it is down
		r, err := anyTime(m, 2)
		if err != nil {
			t.Fatal(err)
		}
		up := r.Initial()[0].Locals[0].State
		all := r.World(stateOf([]captures.Standing{{Up: true, State: up}, {}}))
		for what, row := range map[string]struct {
			holds  func(w spec.World) error
			hidden bool
			says   string
		}{
			"who is up":        {func(w spec.World) error { return fmt.Errorf("%v", w.Live()) }, false, "{1}"},
			"a state":          {func(w spec.World) error { return fmt.Errorf("%v", cell.Try(w.State(1)) == up) }, false, "true"},
			"one that is down": {func(w spec.World) error { return fmt.Errorf("%v", w.State(2)) }, m.Traits().Stable != nil, "<nil>"},
			"messages":         {func(w spec.World) error { w.InFlight(); return nil }, true, ""},
			"rest":             {func(w spec.World) error { w.Quiescent(); return nil }, true, ""},
			"a start":          {func(w spec.World) error { w.Started(1); return nil }, true, ""},
			"a panic":          {func(spec.World) error { panic("no") }, false, "the property panics: no at safety_test.go:"},
			"a hidden panic":   {func(w spec.World) error { w.InFlight(); panic("no") }, true, ""},
		} {
			err := shown(spec.Invariant("it", "", row.holds), m, all)
			if errors.Is(err, captures.ErrHidden) != row.hidden || !row.hidden && (err == nil || len(err.Error()) < len(row.says) || err.Error()[:len(row.says)] != row.says) {
				t.Errorf("%s: %s: %v", m.Traits().Name, what, err)
			}
		}
	}
}
