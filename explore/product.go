package explore

import (
	"context"
	"slices"

	"interleave/explore/ltl"
)

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

// productPath is a path through a product.
type productPath []productEdge

// productEdge is a step of a path to a node. The first edge of a path may have no step: then the path begins
// at its node.
type productEdge struct {
	node   int
	edge   int    // its index among the edges of the state before
	class  uint32 // of the edge; 0: no fairness is owed to it
	rest   bool   // the run stays where it is
	begins bool
}

// pathSearch looks for a shortest path to a goal, breadth-first.
type pathSearch struct {
	*product
	inside func(node int) bool       // nil: anywhere
	bars   func(node, edge int) bool // reports whether an edge is not to be taken; may be nil
	node   func(node int) bool       // reports whether the current node is a goal
	step   func(class uint32) bool   // reports whether a step inside is one; may be nil
}

type queued struct {
	productEdge
	parent int
}

// from returns a shortest path from one of some nodes to a goal; nil if there is none. With again,
// a node where the path begins is a goal only if the path comes back to it.
func (h *pathSearch) from(ctx context.Context, begin []int, again bool) (productPath, error) {
	met := newNodes(h.nodes())
	var queue []queued
	add := func(e queued) {
		if !met.has(e.node) && (h.inside == nil || h.inside(e.node)) {
			met.add(e.node)
			queue = append(queue, e)
		}
	}
	for _, n := range begin {
		if add(queued{productEdge{node: n, begins: true}, -1}); again {
			met.drop(n)
		}
	}
	for i := 0; i < len(queue); i++ {
		if i%batchStates == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e := queue[i]
		if !h.at(e.node) {
			continue
		}
		if (!e.begins || !again) && h.node(e.node) {
			return pathBack(queue, i), nil
		}
		goal := -1
		h.edges(e.node, func(to productEdge) {
			if h.bars != nil && !to.rest && h.bars(e.node, to.edge) {
				return
			}
			if h.ends(to) && goal < 0 { // even if it leads to a node that was met
				goal = len(queue)
				queue = append(queue, queued{to, i})
			}
			add(queued{to, i})
		})
		if goal >= 0 {
			return pathBack(queue, goal), nil
		}
	}
	return nil, nil
}

// ends reports whether an edge is a step that is a goal.
func (h *pathSearch) ends(to productEdge) bool {
	return h.step != nil && !to.rest && h.inside(to.node) && h.step(to.class)
}

// edges yields the edges from the current node. Resting, if possible, is first.
func (p *product) edges(node int, yield func(to productEdge)) {
	next := p.auto.States[node%p.size].Next
	if p.rests() {
		for _, q := range next {
			yield(productEdge{node: node - node%p.size + q, rest: true})
		}
	}
	for i, s := range p.look.edges {
		if s.to == nowhere {
			continue
		}
		for _, q := range next {
			yield(productEdge{node: int(s.to)*p.size + q, edge: i, class: s.class})
		}
	}
}

// pathBack returns the path that ends with entry i of a queue.
func pathBack(queue []queued, i int) productPath {
	var t productPath
	for ; i >= 0; i = queue[i].parent {
		t = append(t, queue[i].productEdge)
	}
	slices.Reverse(t)
	return t
}

// path returns the states and actions of a path that starts in state from. It leaves out edges that
// rest, and the state from itself, unless the path has an edge that begins.
func (p *product) path(t productPath, from int) (path Path) {
	for _, h := range t {
		to := h.node / p.size
		if h.rest {
			continue
		}
		if !h.begins {
			path.Actions = append(path.Actions, p.action(from, h.edge))
		}
		path.States = append(path.States, to)
		from = to
	}
	return path
}
