package properties

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Undecided is not a property: among those given to Test, TestBounded or Verify, it names
// properties that may stay undecided. One that does then does not count, and the report says so; a
// violation counts all the same. Without other properties beside it, the Standard ones are checked:
//
//	election.TestBounded(t, mine.Algorithm, world, properties.Undecided("leader-eventually", "termination"))
func Undecided(names ...string) Property {
	return Property{Name: "undecided", undecided: append([]string{}, names...)}
}

// splitUndecided returns the properties without those that are Undecided, and the names in these.
// Properties are nil, for the Standard ones, if there are no others.
func splitUndecided(all []Property) (props []Property, names []string) {
	if !slices.ContainsFunc(all, Property.isUndecided) {
		return all, nil
	}
	for _, p := range all {
		if p.isUndecided() {
			names = append(names, p.undecided...)
		} else {
			props = append(props, p)
		}
	}
	return props, names
}

func (p Property) isUndecided() bool { return p.undecided != nil }

// namesOf returns the names of properties as these write them, or an error if one is not among them.
func namesOf(props []Property, names []string) (known []string, err error) {
	for _, name := range names {
		at := slices.IndexFunc(props, func(p Property) bool { return strings.EqualFold(p.Name, name) })
		if at < 0 {
			return nil, fmt.Errorf("the property %q is to stay undecided, and is not checked: %s", name, nearest(name, props))
		}
		known = append(known, props[at].Name)
	}
	return known, nil
}

// nearest asks for the property whose name is most like a given one, or lists them all.
func nearest(name string, props []Property) string {
	best, distance := "", 1+max(1, len(name)/3)
	var all []string
	for _, p := range props {
		all = append(all, p.Name)
		if d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(p.Name)); d < distance {
			best, distance = p.Name, d
		}
	}
	if best == "" {
		return "those checked are " + strings.Join(all, ", ")
	}
	return fmt.Sprintf("did you mean %s?", best)
}

// excuse notes which of the properties that may stay undecided do.
func (r *Report) excuse() {
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Verdict == Inconclusive && f.Note == "" && slices.Contains(r.MayStay, f.Name) {
			f.Note = mayStay
		}
	}
}

const mayStay = "does not count: it may stay undecided, as was asked"

// NeedNotStay lists the properties that were to stay undecided, and are decided.
func (r *Report) NeedNotStay() (names []string) {
	for _, f := range r.Findings {
		if f.Verdict != Inconclusive && slices.Contains(r.MayStay, f.Name) {
			names = append(names, f.Name)
		}
	}
	return names
}

// BoundLeaves lists the properties that count and are undecided since the world or the search is
// bounded, so that no search could decide them there.
func (r *Report) BoundLeaves() (names []string) {
	for _, f := range r.Findings {
		if f.cutShort && f.Verdict == Inconclusive && f.Counts() {
			names = append(names, f.Name)
		}
	}
	return names
}
