package properties

import (
	"fmt"
	"slices"
	"strings"

	"interleave/spec"
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
	if !slices.ContainsFunc(all, isUndecided) {
		return all, nil
	}
	for _, p := range all {
		if isUndecided(p) {
			names = append(names, p.undecided...)
		} else {
			props = append(props, p)
		}
	}
	return props, names
}

func isUndecided(p Property) bool { return p.undecided != nil }

// namesOf returns the names of properties as these write them, or an error if one is not among
// them. A property may have other names, which the Catalogue knows.
func (k Catalogue) namesOf(m spec.Machine, props []Property, names []string) (known []string, err error) {
	for _, name := range names {
		if p, err := k.Find(m, name, props...); err == nil {
			name = p.Name
		}
		at := slices.IndexFunc(props, func(p Property) bool { return strings.EqualFold(p.Name, name) })
		if at < 0 {
			var all []string
			for _, p := range props {
				all = append(all, p.Name)
			}
			return nil, fmt.Errorf("the property %q is to stay undecided, and is not checked: those checked are %s", name, strings.Join(all, ", "))
		}
		known = append(known, props[at].Name)
	}
	return known, nil
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
// bounded, so that no search could decide them there. A Recoverable may be decided within a larger bound.
func (r *Report) BoundLeaves() (names []string) {
	for _, f := range r.Findings {
		if f.cutShort && f.Verdict == Inconclusive && f.Counts() && f.Kind != RecoverableKind {
			names = append(names, f.Name)
		}
	}
	return names
}
