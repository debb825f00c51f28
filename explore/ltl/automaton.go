package ltl

import (
	"math/bits"
	"slices"
)

// Limits on a translation, which gives up beyond them.
const (
	maxTemporal = 64      // distinct untils and releases, so that a set of them is one word
	maxWays     = 1 << 13 // ways to meet several terms at once
	maxEdges    = 1 << 17
)

// Automaton is a generalised Büchi automaton with labels on states. A run of it
// on a word starts in an initial state, reads a letter in each state that it
// visits, and is accepted if it visits each acceptance set infinitely often;
// with no such set, every infinite run is accepted.
type Automaton struct {
	Initial   []int
	States    []State
	Accepting int // number of acceptance sets
}

// State is a state of an Automaton. Atoms are bits of a letter.
type State struct {
	True, False uint64 // atoms that the letter read here must have, and must not have
	Next        []int
	Accept      uint64 // the acceptance sets that the state is in
}

// Reads reports whether the state reads a letter.
func (s *State) Reads(letter uint64) bool {
	return letter&s.True == s.True && letter&s.False == 0
}

// Automaton returns an automaton that accepts exactly the words on which f
// holds. Bit i of a letter is the atom named atoms[i]; all atoms of f must be
// among them. It returns nil if f is too large to translate: the number of
// states may be exponential in its size.
func (f *Formula) Automaton(atoms []string) *Automaton {
	if len(atoms) > maxAtoms {
		panic("ltl: more than 64 atoms")
	}
	for _, name := range f.Atoms() {
		if !slices.Contains(atoms, name) {
			panic("ltl: atom " + name + " has no number")
		}
	}
	t := &tableau{terms: newTerms(), ways: map[term][]way{}, numbers: map[way]int{}, after: map[uint64][]int{}}
	a := t.build(t.of(f, atoms))
	if t.tooLarge {
		return nil
	}
	a.reduce()
	return a
}

// tableau makes states from terms.
type tableau struct {
	*terms
	temporal []term         // untils and releases, numbered
	ways     map[term][]way // to meet a term
	states   []way
	numbers  map[way]int      // of states
	after    map[uint64][]int // the next states, by what a state leaves to be met
	edges    int
	tooLarge bool
}

// way is one way to meet a term at a position: the atoms that the letter there must have and must
// not have, and the set of temporal terms that the rest of the word must meet. An until is in
// this set only if its end is postponed. A way is a state of the automaton.
type way struct{ has, lacks, rest uint64 }

func (w way) and(v way) way {
	return way{w.has | v.has, w.lacks | v.lacks, w.rest | v.rest}
}

// within reports whether v requires all that w requires.
func (w way) within(v way) bool { return w.and(v) == v }

// build returns the automaton of a term.
func (t *tableau) build(x term) *Automaton {
	a := &Automaton{Initial: t.visit(t.meet(x))}
	for i := 0; i < len(t.states) && !t.tooLarge; i++ {
		w := t.states[i]
		if _, ok := t.after[w.rest]; !ok {
			t.after[w.rest] = t.visit(t.meetAll(w.rest))
		}
		next := t.after[w.rest]
		t.edges += len(next)
		t.tooLarge = t.tooLarge || t.edges > maxEdges
		a.States = append(a.States, State{True: w.has, False: w.lacks, Next: next})
	}
	for number, x := range t.temporal {
		if t.nodes[x].op != until {
			continue
		}
		for i := range a.States {
			if t.states[i].rest>>number&1 == 0 {
				a.States[i].Accept |= 1 << a.Accepting
			}
		}
		a.Accepting++
	}
	return a
}

// visit returns the states of ways, and adds new ones.
func (t *tableau) visit(ways []way) []int {
	numbers := make([]int, len(ways))
	for i, w := range ways {
		n, ok := t.numbers[w]
		if !ok {
			n = len(t.states)
			t.numbers[w] = n
			t.states = append(t.states, w)
		}
		numbers[i] = n
	}
	return numbers
}

// meet returns the ways to meet a term. None of them requires all that another one requires.
func (t *tableau) meet(x term) []way {
	if known, ok := t.ways[x]; ok || t.tooLarge {
		return known
	}
	var ways []way
	switch n := t.nodes[x]; n.op {
	case truth:
		ways = []way{{}}
	case atom:
		ways = []way{{has: 1 << n.a}}
	case not:
		ways = []way{{lacks: 1 << n.a}}
	case and:
		ways = t.both(t.meet(n.a), t.meet(n.b))
	case or:
		ways = least(t.meet(n.a), t.meet(n.b))
	case until: // b holds; or a holds, and the until from the next position on
		ways = least(t.meet(n.b), t.both(t.meet(n.a), []way{{rest: t.set(x)}}))
	case release: // b holds; and a holds, or the release from the next position on
		ways = t.both(t.meet(n.b), least(t.meet(n.a), []way{{rest: t.set(x)}}))
	}
	t.ways[x] = ways
	return ways
}

// meetAll returns the ways to meet all of a set of temporal terms.
func (t *tableau) meetAll(set uint64) []way {
	ways := []way{{}}
	for ; set != 0 && !t.tooLarge; set &= set - 1 {
		ways = t.both(ways, t.meet(t.temporal[bits.TrailingZeros64(set)]))
	}
	return ways
}

// set returns the set of one temporal term.
func (t *tableau) set(x term) uint64 {
	i := slices.Index(t.temporal, x)
	if i < 0 {
		i = len(t.temporal)
		t.temporal = append(t.temporal, x)
		t.tooLarge = t.tooLarge || i >= maxTemporal
	}
	return 1 << i
}

// both returns the ways that are one of v and one of w at once.
func (t *tableau) both(v, w []way) []way {
	var ways []way
	for _, x := range v {
		for _, y := range w {
			if z := x.and(y); z.has&z.lacks == 0 {
				ways = append(ways, z)
			}
		}
		if len(ways) > maxWays {
			t.tooLarge = true
			return nil
		}
	}
	return least(ways, nil)
}

// least returns the ways of v and w, without those that require all that another one requires.
func least(v, w []way) []way {
	var kept []way
	for _, x := range slices.Concat(v, w) {
		if slices.ContainsFunc(kept, func(y way) bool { return y.within(x) }) {
			continue
		}
		kept = slices.DeleteFunc(kept, x.within)
		kept = append(kept, x)
	}
	return kept
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
