package explore

import "interleave/explore/ltl"

// product is a graph whose runs are those of a system that an automaton accepts, fair or not. Its
// nodes are numbered state*size + q, where q is the state of the automaton that reads the letter
// of the state.
type product struct {
	*successorCache
	auto  *ltl.Automaton
	size  int
	atoms []uint8 // the mark of each atom

	look         successors // of the current node
	weak, strong classes    // results of possible
}

func newProduct(o *successorCache, a *ltl.Automaton, atoms []uint8) *product {
	return &product{successorCache: o, auto: a, size: len(a.States), atoms: atoms}
}

// nodes is how many nodes there are. If the search ended early, states that were not expanded
// have none.
func (p *product) nodes() int { return p.graph.expanded * p.size }

// initial yields the nodes where a run may begin, including those where the automaton cannot read
// the letter.
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

// at makes a node the current one, and reports whether the automaton can read the letter of its
// state. If not, no run goes through it.
func (p *product) at(node int) (matches bool) {
	p.look = p.of(node / p.size)
	q := &p.auto.States[node%p.size]
	letter := p.letter()
	return letter&q.True == q.True && letter&q.False == 0
}

// letter returns which atoms are true in the current state.
func (p *product) letter() (letter uint64) {
	for i, bit := range p.atoms {
		letter |= p.look.marks >> bit & 1 << i
	}
	return letter
}

// rests reports whether a fair run may stay in the current state: no step to which fairness is
// owed is possible there.
func (p *product) rests() bool {
	if p.look.cut {
		return false
	}
	for _, s := range p.look.edges {
		if s.class != 0 {
			return false
		}
	}
	return true
}

// possible returns the classes of the steps that are possible in the current state, by the
// fairness owed to them. Both are valid until the next call.
func (p *product) possible() (weak, strong classes) {
	p.weak, p.strong = p.weak[:0], p.strong[:0]
	for _, s := range p.look.edges {
		switch p.owed[s.class] {
		case Weak:
			p.weak = p.weak.with(s.class)
		case Strong:
			p.strong = p.strong.with(s.class)
		}
	}
	return p.weak, p.strong
}

// acceptance is the set of all acceptance sets of the automaton.
func (p *product) acceptance() uint64 { return 1<<p.auto.Accepting - 1 }

// everything is the automaton that accepts every run.
var everything = &ltl.Automaton{Initial: []int{0}, States: []ltl.State{{Next: []int{0}}}}
