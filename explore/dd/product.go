package dd

import "interleave/explore/ltl"

// product is the product of a Graph and an automaton. A node is a vector, and the state in which
// the automaton reads the letter of the vector. Its accepted runs are those of the Graph that the
// automaton accepts, fair or not.
type product struct {
	*Forest
	graph *Graph
	rests Set // where a run may stay
	auto  *ltl.Automaton
	reads nodes // all nodes

	stocked map[*Event]nodes // the nodes at which an event may be repeated, if not all
}

// nodes is a set of nodes of a product: vectors, by state of the automaton. The sets are kept.
type nodes []Set

// rest is the event of a step that stays where it is.
var rest *Event

func (p *product) noNodes(size int) nodes {
	n := make(nodes, size)
	for q := range n {
		n[q] = p.Keep(Empty)
	}
	return n
}

func (p *product) copyNodes(of nodes) nodes {
	n := make(nodes, len(of))
	for q := range n {
		n[q] = p.Keep(of[q])
	}
	return n
}

func (p *product) dropNodes(n nodes) {
	for _, s := range n {
		p.Drop(s)
	}
}

// newProduct returns the product of a graph and an automaton that reads letters:
// bit i says whether a vector is in atoms[i]. A run may stay at rests.
func newProduct(f *Forest, g *Graph, rests Set, a *ltl.Automaton, atoms []Set) *product {
	p := &product{Forest: f, graph: g, rests: rests, auto: a}
	p.reads = p.noNodes(len(a.States))
	for q := range p.reads {
		read := &p.reads[q]
		f.Replace(read, g.States)
		for i, s := range atoms {
			if a.States[q].True>>i&1 != 0 {
				f.Replace(read, f.Intersect(*read, s))
			}
			if a.States[q].False>>i&1 != 0 {
				f.Replace(read, f.Minus(*read, s))
			}
		}
	}
	return p
}

// close drops what the product keeps.
func (p *product) close() { p.dropNodes(p.reads) }

// before returns the vectors of s from which an event, or rest, leads into a set, where the
// automaton is in state q.
func (p *product) before(e *Event, s Set, q int, into Set) Set {
	if e == rest {
		return p.Intersect(s, p.Intersect(p.rests, into))
	}
	if at, some := p.stocked[e]; some {
		s = p.Intersect(s, at[q])
	}
	return p.Source(e, s, into)
}

// after returns the vectors that an event, or rest, leads to from those of s.
func (p *product) after(e *Event, s Set) Set {
	if e == rest {
		return p.Intersect(s, p.rests)
	}
	return p.Image(e, s)
}

// ahead returns the vectors of n at which a run may be after a step, if the automaton is in state
// q before it.
func (p *product) ahead(n nodes, q int) Set {
	all := p.Keep(Empty)
	for _, r := range p.auto.States[q].Next {
		p.Replace(&all, p.Union(all, n[r]))
	}
	p.Drop(all)
	return all
}

// behind returns, for each state of the automaton, the vectors of n from which a step may lead to
// that state.
func (p *product) behind(n nodes) nodes {
	all := p.noNodes(len(n))
	for q, s := range n {
		for _, r := range p.auto.States[q].Next {
			p.Replace(&all[r], p.Union(all[r], s))
		}
	}
	return all
}

// stepping returns the nodes of z from which one of the events leads into z.
func (p *product) stepping(z nodes, events []*Event) nodes {
	some := p.noNodes(len(z))
	for q := range z {
		if z[q] == Empty {
			continue
		}
		ahead := p.Keep(p.ahead(z, q))
		for _, e := range events {
			p.Replace(&some[q], p.Union(some[q], p.before(e, z[q], q, ahead)))
		}
		p.Drop(ahead)
	}
	return some
}

// lead adds to goal the nodes of z from which the events lead to it inside z.
func (p *product) lead(goal, z nodes, events []*Event) {
	for more := true; more && p.err == nil; {
		more = false
		for _, e := range events {
			for q := range z {
				if goal[q] == z[q] {
					continue
				}
				ahead := p.Keep(p.ahead(goal, q))
				after := p.Union(goal[q], p.before(e, z[q], q, ahead))
				p.Drop(ahead)
				if after != goal[q] {
					p.Replace(&goal[q], after)
					more = true
				}
			}
		}
	}
}

// first returns the nodes where a run may begin.
func (p *product) first() nodes {
	n := p.noNodes(len(p.reads))
	for _, q := range p.auto.Initial {
		p.Replace(&n[q], p.Intersect(p.graph.Initial, p.reads[q]))
	}
	return n
}

// reaches reports whether some run leads to one of the nodes of goal.
func (p *product) reaches(goal nodes) bool {
	seen := p.first()
	defer func() { p.dropNodes(seen) }()
	for more := true; more && p.err == nil; {
		if p.meet(seen, goal) >= 0 {
			return true
		}
		more = false
		for _, e := range p.graph.steps() {
			behind := p.behind(seen)
			for q := range seen {
				ahead := p.Intersect(p.after(e, behind[q]), p.reads[q])
				if after := p.Union(seen[q], ahead); after != seen[q] {
					p.Replace(&seen[q], after)
					more = true
				}
			}
			p.dropNodes(behind)
		}
	}
	return false
}

// meet returns a state of the automaton for which a and b have a vector in common; -1 if there is
// none.
func (p *product) meet(a, b nodes) int {
	for q := range a {
		if p.Intersect(a[q], b[q]) != Empty {
			return q
		}
	}
	return -1
}

// path returns a shortest path to one of the nodes of goal: its vectors, none twice in a row, and
// the state of the automaton at the end. It is nil if there is none, or if the forest failed.
func (p *product) path(goal nodes) (path [][]uint32, q int) {
	layers := []nodes{p.first()}
	seen := p.copyNodes(layers[0])
	defer func() {
		for _, n := range append(layers, seen) {
			p.dropNodes(n)
		}
	}()
	for p.err == nil {
		last := layers[len(layers)-1]
		if q := p.meet(last, goal); q >= 0 {
			return p.back(layers, p.Intersect(last[q], goal[q]), q), q
		}
		next := p.noNodes(len(last))
		layers = append(layers, next)
		behind := p.behind(last)
		found := false
		for q := range next {
			for _, e := range p.graph.steps() {
				ahead := p.Intersect(p.after(e, behind[q]), p.reads[q])
				p.Replace(&next[q], p.Union(next[q], p.Minus(ahead, seen[q])))
			}
			p.Replace(&seen[q], p.Union(seen[q], next[q]))
			found = found || next[q] != Empty
		}
		if p.dropNodes(behind); !found {
			break
		}
	}
	return nil, 0
}

// back returns a path through the layers to a vector of goal in the last layer, where the
// automaton is in state q.
func (p *product) back(layers []nodes, goal Set, q int) [][]uint32 {
	path := make([][]uint32, len(layers))
	for i := len(layers) - 1; i >= 0; i-- {
		if path[i] = p.Some(goal); path[i] == nil {
			return nil
		}
		if i > 0 {
			goal, q = p.previous(layers[i-1], path[i], q)
		}
	}
	kept := path[:1]
	for _, v := range path[1:] {
		if !equal(v, kept[len(kept)-1]) {
			kept = append(kept, v)
		}
	}
	return kept
}

// previous returns some vectors of a layer from which a step leads to a vector, and the state of
// the automaton there, if it is in state q afterwards.
func (p *product) previous(layer nodes, vector []uint32, q int) (Set, int) {
	here := p.Keep(p.Single(vector))
	defer p.Drop(here)
	for r := range layer {
		for _, to := range p.auto.States[r].Next {
			if to != q {
				continue
			}
			for _, e := range p.graph.steps() {
				if s := p.before(e, layer[r], r, here); s != Empty {
					return s, r
				}
			}
		}
	}
	return Empty, 0
}

func equal(a, b []uint32) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
