package spec_test

import (
	"strings"
	"testing"

	"interleave/spec"
	"interleave/spec/catalog"
)

// TestWhere: every handler of the catalogue has a name in the package of its
// algorithm, and what is no handler has none.
func TestWhere(t *testing.T) {
	found := 0
	for _, m := range catalog.Machines {
		traits := m.Traits()
		family, _, _ := strings.Cut(traits.Name, "/")
		folder := "interleave/spec/" + strings.ReplaceAll(family, "-", "") + "."
		for kind := spec.Start; kind <= spec.Recover; kind++ {
			if kind == spec.Act && !traits.Handles.Has(kind) {
				continue // there is nothing to ask about
			}
			place := traits.Where(spec.Event{Kind: kind})
			switch {
			case kind == spec.Init:
			case !traits.Handles.Has(kind):
				if place != (spec.Place{}) {
					t.Errorf("%s handles no %v, and that is at %v", traits.Name, kind, place)
				}
			case !strings.HasPrefix(place.Function, folder) || strings.HasSuffix(place.Function, "-fm"):
				t.Errorf("%s: %v is at %+v", traits.Name, kind, place)
			default:
				found++
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d handlers", found)
	}
}
