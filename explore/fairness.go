package explore

// Strength is how fair a run has to be to the steps of a class.
type Strength uint8

const (
	Unfair Strength = iota // not at all: they may be put off forever
	Weak                   // if from some point on one is possible at every moment, one happens, again and again
	Strong                 // if one is possible again and again, one happens, again and again
)

func (s Strength) String() string { return [...]string{"unfair", "weak", "strong"}[s] }

// Class is a set of steps to which fairness is owed as a whole. The number means something to the
// System only.
type Class uint64

// Fairness returns the class of a step out of a state, and which fairness is owed to that. All
// steps of a class are owed the same. Several goroutines may call it.
type Fairness func(state []uint64, a Action) (Class, Strength)

// classes is a set of classes, by the numbers that successors gives them.
type classes []uint64

func (c classes) has(n uint32) bool { return int(n/64) < len(c) && c[n/64]>>(n%64)&1 != 0 }

func (c classes) with(n uint32) classes {
	for int(n/64) >= len(c) {
		c = append(c, 0)
	}
	c[n/64] |= 1 << (n % 64)
	return c
}

func (c classes) empty() bool {
	for _, word := range c {
		if word != 0 {
			return false
		}
	}
	return true
}

// meets reports whether the two sets have a class in common.
func (c classes) meets(d classes) bool {
	for i := range min(len(c), len(d)) {
		if c[i]&d[i] != 0 {
			return true
		}
	}
	return false
}

// within reports whether d has all classes of c.
func (c classes) within(d classes) bool {
	for i, word := range c {
		if i < len(d) {
			word &^= d[i]
		}
		if word != 0 {
			return false
		}
	}
	return true
}

// without removes the classes of a set, in place.
func (c classes) without(gone classes) classes {
	for i := range min(len(c), len(gone)) {
		c[i] &^= gone[i]
	}
	return c
}

// only removes all classes that are not in a set, in place.
func (c classes) only(kept classes) classes {
	for i := range c {
		if i < len(kept) {
			c[i] &= kept[i]
		} else {
			c[i] = 0
		}
	}
	return c
}

// union adds the classes of a set, in place if there is room.
func (c classes) union(more classes) classes {
	for i, word := range more {
		if i == len(c) {
			c = append(c, 0)
		}
		c[i] |= word
	}
	return c
}
