package explore

import "interleave/explore/ltl"

// product is a graph whose runs are those of a system that an automaton
// accepts, but for fairness. Its nodes are numbered state*size + q, where q is
// the state that the automaton is in when it reads what the state bears.
type product struct {
	graph *Graph
	fair  Fairness
	auto  *ltl.Automaton
	size  int
	atoms []uint8 // the mark that says whether an atom is true
	known uint64  // what is no mark of an atom

	// The node at hand.
	words []uint64
	steps *Steps
	to    []int // state by step, where it was looked up
}

func newProduct(g *Graph, fair Fairness, a *ltl.Automaton, atoms []uint8) *product {
	p := &product{graph: g, fair: fair, auto: a, size: len(a.States), atoms: atoms, known: ^uint64(0)}
	for _, bit := range atoms {
		p.known &^= 1 << bit
	}
	return p
}

// nodes is how many there are. Where the search ended early, what was not expanded
// has none.
func (p *product) nodes() int { return p.graph.expanded * p.size }

// initial yields the nodes where a run may begin, those among them that do not
// match included.
func (p *product) initial(yield func(node int) bool) {
	_, end := p.graph.level(0)
	for n := range min(end, p.graph.expanded) {
		for _, q := range p.auto.Initial {
			if !yield(n*p.size + q) {
				return
			}
		}
	}
}

// at makes a node the one at hand, and reports whether the automaton can read
// there what the state bears. If not, no run goes through it.
func (p *product) at(node int) (matches bool) {
	p.words = p.graph.State(node / p.size)
	p.steps = p.graph.expandFor(p.words, p.known)
	p.to = p.to[:0]
	q := &p.auto.States[node%p.size]
	letter := p.letter()
	return letter&q.True == q.True && letter&q.False == 0
}

// letter returns which atoms are true of the state at hand.
func (p *product) letter() (letter uint64) {
	for _, m := range p.steps.Marks {
		for i, bit := range p.atoms {
			if m.Bit == bit && !m.OnStep {
				letter |= 1 << i
			}
		}
	}
	return letter
}

// targets returns the state that each step leads to; -1: one without nodes.
func (p *product) targets() []int {
	for i := len(p.to); i < len(p.steps.Actions); i++ {
		p.to = append(p.to, p.graph.target(p.steps, i))
	}
	return p.to
}

// rests reports whether a fair run may stay in the state at hand: nothing is
// possible there to which fairness is owed.
func (p *product) rests() bool {
	if p.steps.Cut {
		return false
	}
	for _, a := range p.steps.Actions {
		if _, s := p.fair(p.words, a); s != Unfair {
			return false
		}
	}
	return true
}

// possible returns the classes of what is possible in the state at hand, by
// what is owed to them.
func (p *product) possible() (weak, strong classes) {
	for _, a := range p.steps.Actions {
		switch c, s := p.fair(p.words, a); s {
		case Weak:
			weak = weak.with(c)
		case Strong:
			strong = strong.with(c)
		}
	}
	return weak, strong
}

// acceptance is the set of all acceptance sets of the automaton.
func (p *product) acceptance() uint64 { return 1<<p.auto.Accepting - 1 }

// everything is the automaton that accepts every run.
var everything = &ltl.Automaton{Initial: []int{0}, States: []ltl.State{{Next: []int{0}}}}
