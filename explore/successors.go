package explore

import (
	"slices"
	"sync"
)

// successors is what questions about runs need to know of a state: its marks, and the steps out of
// it, in the order of the Expander.
type successors struct {
	marks uint64
	cut   bool // a step was left out
	edges []edge
}

// edge is a step without its action.
type edge struct {
	to    uint32 // state, or nowhere
	class uint32 // number of its class; 0: no fairness is owed to it
}

// successorCache computes the successors of each expanded state of a graph. Every question asks for most
// of them more than once, so they are kept if there is memory.
type successorCache struct {
	graph     *Graph
	fair      Fairness
	ignored   uint64               // marks that no question asks for
	expanders []*expander          // one for each worker
	kept      []successorsOfStates // of keptTogether states each; nil: they are not kept

	mutex   sync.Mutex       // protects the fields below, while successors are computed
	numbers map[Class]uint32 // of classes, from 1 on
	owed    []Strength       // to each class, by number
}

// expander computes successors on one goroutine.
type expander struct {
	*successorCache
	worker *worker
	known  map[Class]uint32 // those of the numbers that it has met
	look   []edge           // of the state computed last
	to     []uint32         // the targets of these
	edges  []edge           // of several states
}

// successorsOfStates is the successors of several consecutive states.
type successorsOfStates struct {
	marks [keptTogether]uint64
	cut   [keptTogether]bool
	ends  [keptTogether]uint32 // of the edges of each
	edges []edge
}

const (
	keptTogether   = 1024
	successorBytes = 8 + 1 + 4 // of each state
	edgeBytes      = 8
)

func newSuccessorCache(g *Graph, fair Fairness, asked uint64) *successorCache {
	o := &successorCache{graph: g, fair: fair, ignored: ^asked, numbers: map[Class]uint32{}, owed: []Strength{Unfair}}
	for _, w := range g.pool.workers {
		o.expanders = append(o.expanders, &expander{successorCache: o, worker: w, known: map[Class]uint32{}})
	}
	return o
}

// bytes is how much memory it takes to keep all of them.
func (o *successorCache) bytes() int64 {
	return successorBytes*int64(o.graph.expanded+keptTogether) + edgeBytes*int64(o.graph.transitions)
}

// keep computes all of them, with all workers. Now and then it calls pause with how many are
// known, and ends if that returns an error.
func (o *successorCache) keep(pause func(known int) error) error {
	blocks := (o.graph.expanded + keptTogether - 1) / keptTogether
	kept := make([]successorsOfStates, blocks)
	const together = batchStates / keptTogether
	for first := 0; first < blocks; first += together {
		if err := pause(first * keptTogether); err != nil {
			return err
		}
		o.graph.pool.each(min(together, blocks-first), func(w *worker, i int) {
			o.expanders[w.number].find(&kept[first+i], (first+i)*keptTogether)
		})
	}
	o.kept = kept
	return nil
}

// find computes the successors of consecutive states from first on.
func (o *expander) find(some *successorsOfStates, first int) {
	o.edges = o.edges[:0]
	for i := range min(keptTogether, o.graph.expanded-first) {
		look := o.of(first + i)
		some.marks[i], some.cut[i] = look.marks, look.cut
		o.edges = append(o.edges, look.edges...)
		some.ends[i] = uint32(len(o.edges))
	}
	some.edges = slices.Clone(o.edges)
}

// of returns the successors of a state, valid until the next call.
func (o *successorCache) of(state int) successors {
	if o.kept == nil {
		return o.expanders[0].of(state)
	}
	some, i := &o.kept[state/keptTogether], state%keptTogether
	first := uint32(0)
	if i > 0 {
		first = some.ends[i-1]
	}
	return successors{some.marks[i], some.cut[i], some.edges[first:some.ends[i]]}
}

// of computes the successors of a state, valid until the next call.
func (o *expander) of(state int) successors {
	words := o.graph.State(state)
	steps := o.worker.again(words, o.ignored)
	look := successors{cut: steps.Cut, edges: o.look[:0]}
	for _, m := range steps.Marks {
		if !m.OnStep {
			look.marks |= 1 << m.Bit
		}
	}
	o.to = o.graph.targets(steps, o.to[:0])
	for i, a := range steps.Actions {
		look.edges = append(look.edges, edge{o.to[i], o.class(words, a)})
	}
	for _, a := range steps.Dead {
		look.edges = append(look.edges, edge{nowhere, o.class(words, a)})
	}
	o.look = look.edges
	return look
}

// class returns the number of the class of a step, 0 if no fairness is owed to it.
func (o *expander) class(words []uint64, a Action) uint32 {
	c, s := o.fair(words, a)
	if s == Unfair {
		return 0
	}
	n, known := o.known[c]
	if !known {
		n = o.number(c, s)
		o.known[c] = n
	}
	return n
}

// number returns the number of a class to which fairness is owed. It depends on which worker
// meets which class first; no result about runs does.
func (o *successorCache) number(c Class, s Strength) uint32 {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	n, known := o.numbers[c]
	if !known {
		n = uint32(len(o.owed))
		o.numbers[c], o.owed = n, append(o.owed, s)
	}
	return n
}

// action returns the action of an edge out of a state, given by its place.
func (o *successorCache) action(state, i int) Action { return o.graph.expand(state).Actions[i] }
