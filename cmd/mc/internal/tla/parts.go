package tla

import (
	"fmt"
	"slices"

	"interleave/explore"
	"interleave/tla"
	"interleave/tla/eval"
)

// neverPart is what is told of a part of the next-state relation of which no step was
// found: which one of the definition, unless that has no other.
type neverPart struct{ name, place, which string }

func (p neverPart) String() string {
	if p.which == "" {
		return p.name
	}
	return p.name + ", " + p.which
}

// neverPossible lists the parts of the next-state relation of which no step was found,
// if all were looked for. Where another part of the same definition is possible, it is
// told by its own place; and where it is possible itself for another use of the
// definition, by the use.
func neverPossible(r *tla.Report) (all []neverPart) {
	if r.Missed.Verdict != explore.Verified {
		return nil
	}
	type use struct{ own, used eval.Place }
	possible := map[any]bool{}
	for i, part := range r.Parts {
		if r.Fired[i] {
			possible[part.Place], possible[part.Own], possible[use{part.Own, part.Used}] = true, true, true
		}
	}
	for i, part := range r.Parts {
		told := neverPart{name: part.Name, place: part.Place.String()}
		switch {
		case r.Fired[i] || possible[use{part.Own, part.Used}]:
			continue
		case possible[part.Own]:
			told.which = fmt.Sprintf("the part at %v as used at %v", part.Own, part.Used)
		case possible[part.Place]:
			told.which = fmt.Sprintf("the part at %v", part.Own)
		}
		if !slices.Contains(all, told) {
			all = append(all, told)
		}
	}
	return all
}
