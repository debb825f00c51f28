package ltl

import "slices"

// Conjuncts returns the formulas whose conjunction is f; f alone, if it is not a conjunction.
func (f *Formula) Conjuncts() []*Formula {
	if f.op != and {
		return []*Formula{f}
	}
	var all []*Formula
	for _, g := range f.args {
		all = append(all, g.Conjuncts()...)
	}
	return all
}

// Temporal reports whether f depends on more than the first letter.
func (f *Formula) Temporal() bool {
	switch f.op {
	case always, eventually, until, release, weakUntil, leadsTo:
		return true
	}
	return slices.ContainsFunc(f.args, (*Formula).Temporal)
}

// Tail reports whether the form of f shows that its truth does not depend on any finite beginning
// of the word.
func (f *Formula) Tail() bool {
	switch f.op {
	case eventually:
		return f.args[0].op == always
	case always:
		return f.args[0].op == eventually
	case not, and, or, implies, iff:
		for _, g := range f.args {
			if !g.Tail() {
				return false
			}
		}
		return true
	}
	return f.op == truth || f.op == falsity
}

// Rests reports whether a run of the automaton that reads a letter forever,
// from some point on, may be accepted.
func (a *Automaton) Rests(letter uint64) bool {
	for q := range a.States {
		if a.States[q].Reads(letter) && a.restsAt(q, letter) {
			return true
		}
	}
	return false
}

// restsAt reports whether such a run may be accepted in a cycle through state q.
func (a *Automaton) restsAt(q int, letter uint64) bool {
	ahead := a.reach(q, letter)
	accepted, home := uint64(0), false
	for r := range ahead {
		if a.reach(r, letter)[q] {
			accepted |= a.States[r].Accept
			home = true
		}
	}
	return home && accepted == 1<<a.Accepting-1
}

// reach returns the states that a state leads to by reading a letter, once or
// more.
func (a *Automaton) reach(q int, letter uint64) map[int]bool {
	met := map[int]bool{}
	for queue := []int{q}; len(queue) > 0; queue = queue[1:] {
		for _, r := range a.States[queue[0]].Next {
			if !met[r] && a.States[r].Reads(letter) {
				met[r] = true
				queue = append(queue, r)
			}
		}
	}
	return met
}
