package dd

import "interleave/explore/ltl"

// Graph is a graph of vectors, as needed for questions about infinite runs. The caller keeps its
// sets.
type Graph struct {
	States  Set // all that can be reached
	Initial Set
	Steps   []*Event
	Cycle   []*Event // those of the steps that may be part of a cycle
	Cut     Set      // states beyond which runs are not followed: a run may stay in none of them
	Rests   Set      // states where no step to which fairness is owed is possible: a run may stay
	Classes []*Class // to which fairness is owed, if a run may cycle where they are possible
	Stocks  []*Stock
}

// Class is a set of steps to which fairness is owed as a whole.
type Class struct {
	Steps    []*Event // those that may be part of a cycle
	Possible Set      // the states in which some step of it is possible
	Strong   bool     // see explore.Strength
}

// Stock is something that a run takes from infinitely often only if it puts something there
// infinitely often.
type Stock struct {
	Takes []*Event // no other stock has these
	Puts  []*Event
}

// steps returns all events, including rest.
func (g *Graph) steps() []*Event { return append([]*Event{rest}, g.Steps...) }

// Runs knows in which states of a graph a fair run may stay forever, and from which it comes
// there by steps of cycles.
type Runs struct {
	forest *Forest
	graph  *Graph
	stay   Set // kept
}

// FairRuns finds the states in which a fair run may stay; none if the forest failed.
func FairRuns(f *Forest, g *Graph) *Runs {
	return &Runs{forest: f, graph: g, stay: f.Keep(g.staying(f, g.States, g.Rests))}
}

// Cycles reports whether some fair run stays in a set of states, which is kept, and never comes
// to rest; false if the forest failed.
func (g *Graph) Cycles(f *Forest, among Set) bool { return g.staying(f, among, Empty) != Empty }

// staying returns the states of among from which a fair run inside it makes only steps of cycles,
// or comes to rest in rests. Both sets are kept.
func (g *Graph) staying(f *Forest, among, rests Set) Set {
	p := newProduct(f, g, rests, everything, nil)
	defer p.close()
	z := nodes{f.Keep(f.Minus(among, g.Cut))}
	defer p.dropNodes(z)
	p.fair(z)
	return z[0]
}

// Accepted describes the fair runs that an automaton accepts.
type Accepted struct {
	Stem  [][]uint32 // a shortest way to where such a run may stay
	State int        // of the automaton, at the end of Stem
	Stay  Set        // the states in which such runs may stay, and some on the way there; it is kept
}

// Accepts reports whether an automaton accepts some fair run; the answer means nothing if the
// forest failed. Bit i of the letter of a vector is whether it is in atoms[i].
func (r *Runs) Accepts(a *ltl.Automaton, atoms []Set) bool {
	p, z := r.accepted(a, atoms)
	defer p.close()
	defer p.dropNodes(z)
	return p.reaches(z)
}

// accepted returns the product, and its nodes from which a fair run is accepted, as computed by
// fair.
func (r *Runs) accepted(a *ltl.Automaton, atoms []Set) (*product, nodes) {
	f := r.forest
	p := newProduct(f, r.graph, r.graph.Rests, a, atoms)
	z := p.noNodes(len(a.States))
	for q := range z {
		f.Replace(&z[q], f.Intersect(p.reads[q], r.stay))
	}
	p.fair(z)
	return p, z
}

// Accepted describes the fair runs that an automaton accepts, as in Accepts; nil if there is
// none, or the forest failed.
func (r *Runs) Accepted(a *ltl.Automaton, atoms []Set) *Accepted {
	f := r.forest
	p, z := r.accepted(a, atoms)
	defer p.close()
	defer p.dropNodes(z)
	if !p.reaches(z) {
		return nil
	}
	found := &Accepted{Stay: f.Keep(Empty)}
	for _, s := range z {
		f.Replace(&found.Stay, f.Union(found.Stay, s))
	}
	if found.Stem, found.State = p.path(z); found.Stem == nil {
		f.Drop(found.Stay)
		return nil
	}
	return found
}

// fair reduces z to the nodes from which an accepted fair run stays inside z and makes only
// steps of cycles; to nothing, if there is no such run.
//
// It removes nodes until each that is left can reach, inside z: another node; a node of each
// acceptance set; for each weakly fair class, a step of it or a node where none is possible;
// and, if a strongly fair class is possible in the node, a step of that class. A component of
// what is left from which no other can be reached then has all of these inside, so a run that
// goes round in it is fair and accepted (E. A. Emerson, C.-L. Lei, 1986; Y. Kesten, A. Pnueli,
// L. Raviv: Algorithmic verification of linear temporal logic specifications, 1998). A stock
// is such a condition on steps: steps that take from it are kept only where one that puts into
// it can still be reached.
func (p *product) fair(z nodes) {
	p.stocked = map[*Event]nodes{}
	defer func() {
		for _, n := range p.stocked {
			p.dropNodes(n)
		}
		p.stocked = nil
	}()
	for p.err == nil {
		old := p.copyNodes(z)
		p.trim(z)
		for k := range p.auto.Accepting {
			p.accept(z, k)
		}
		for _, c := range p.graph.Classes {
			p.heed(z, c)
		}
		same := equalNodes(old, z)
		for _, s := range p.graph.Stocks {
			same = !p.restock(z, s) && same
		}
		p.dropNodes(old)
		if same {
			return
		}
	}
	for q := range z {
		p.Replace(&z[q], Empty)
	}
}

func equalNodes(a, b nodes) bool {
	for q := range a {
		if a[q] != b[q] {
			return false
		}
	}
	return true
}

// cycle returns the events that a run may repeat.
func (p *product) cycle() []*Event { return append([]*Event{rest}, p.graph.Cycle...) }

// trim removes nodes from z, again and again, from which no step of a cycle, or rest, leads into
// z.
func (p *product) trim(z nodes) {
	for p.err == nil {
		some := p.stepping(z, p.cycle())
		same := equalNodes(some, z)
		p.become(z, some)
		if same {
			return
		}
	}
}

// become replaces the nodes of z by the other ones, and drops those.
func (p *product) become(z, other nodes) {
	for q := range z {
		p.Replace(&z[q], other[q])
	}
	p.dropNodes(other)
}

// accept removes the nodes from z from which no path inside z leads to a node of an acceptance
// set.
func (p *product) accept(z nodes, set int) {
	goal := p.noNodes(len(z))
	for q := range z {
		if p.auto.States[q].Accept>>set&1 != 0 {
			p.Replace(&goal[q], z[q])
		}
	}
	p.lead(goal, z, p.cycle())
	p.become(z, goal)
}

// heed removes the nodes from z from which no run inside z can be fair to a class.
func (p *product) heed(z nodes, c *Class) {
	without := p.copyNodes(z)
	for q := range z {
		p.Replace(&without[q], p.Minus(z[q], c.Possible))
	}
	if equalNodes(without, z) {
		p.dropNodes(without)
		return
	}
	goal := p.stepping(z, c.Steps)
	if !c.Strong {
		p.unite(goal, without)
	}
	p.lead(goal, z, p.cycle())
	p.unite(goal, without) // for a weak class they are there already
	p.dropNodes(without)
	p.become(z, goal)
}

// restock lets the steps that take from a stock be repeated only at nodes from which a run inside
// z may still put something there. It reports whether these are fewer nodes than before.
func (p *product) restock(z nodes, s *Stock) (fewer bool) {
	stocked := p.stepping(z, s.Puts)
	p.lead(stocked, z, p.cycle())
	for _, e := range s.Takes {
		before, some := p.stocked[e]
		if !some {
			before = z
		}
		if equalNodes(before, stocked) {
			continue
		}
		p.dropNodes(p.stocked[e])
		p.stocked[e] = p.copyNodes(stocked)
		fewer = true
	}
	p.dropNodes(stocked)
	return fewer
}

// unite adds nodes to others.
func (p *product) unite(to, more nodes) {
	for q := range to {
		p.Replace(&to[q], p.Union(to[q], more[q]))
	}
}

// everything is the automaton that accepts every run.
var everything = &ltl.Automaton{Initial: []int{0}, States: []ltl.State{{Next: []int{0}}}}
