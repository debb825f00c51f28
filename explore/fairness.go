package explore

import "slices"

// Strength is how fair a run has to be to the steps of a class.
type Strength uint8

const (
	Unfair Strength = iota // not at all: they may be put off for ever
	Weak                   // if from some point on one is possible at every moment, one happens, again and again
	Strong                 // if one is possible again and again, one happens, again and again
)

func (s Strength) String() string { return [...]string{"unfair", "weak", "strong"}[s] }

// Class is a set of steps to which fairness is owed as a whole; the number is
// the System's own affair.
type Class uint64

// Fairness tells to which class a step out of a state belongs, and what is owed
// to that. All steps of a class are owed the same.
type Fairness func(state []uint64, a Action) (Class, Strength)

// classes is a set of classes, in ascending order.
type classes []Class

func (c classes) has(x Class) bool {
	_, found := slices.BinarySearch(c, x)
	return found
}

func (c classes) with(x Class) classes {
	if at, found := slices.BinarySearch(c, x); !found {
		return slices.Insert(c, at, x)
	}
	return c
}

// without takes the classes of a set away, in place.
func (c classes) without(gone classes) classes { return slices.DeleteFunc(c, gone.has) }

// only keeps the classes of a set, in place.
func (c classes) only(kept classes) classes {
	return slices.DeleteFunc(c, func(x Class) bool { return !kept.has(x) })
}

func (c classes) union(more classes) classes {
	for _, x := range more {
		c = c.with(x)
	}
	return c
}
