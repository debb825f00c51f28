package explore

import (
	"context"
	"errors"
	"iter"
	"sort"
)

// Graph is what a search has explored: states by number, and the steps between
// them, computed anew each time. One goroutine may use it.
type Graph struct {
	sys      System
	store    *store
	disk     *disk   // in place of the store, if the search went on on disk
	folder   *folder // to be removed
	trail    *trail  // in place of the store, if that is lossy
	walked   walked  // along the trail, the last time
	levels   []int   // number of the first state of each depth
	forward  bool    // no step leads to the same or an earlier level
	expander Expander
	steps    Steps
}

// Close removes what the search left on disk, if anything. The graph must not
// be used after.
func (g *Graph) Close() error {
	if g.folder == nil {
		return nil
	}
	f := g.folder
	g.folder = nil
	return f.remove()
}

// States is the number of states.
func (g *Graph) States() int {
	switch {
	case g.disk != nil:
		return g.disk.count
	case g.trail != nil:
		return g.trail.count
	}
	return g.store.count
}

// State returns the words of state n, to be read only. It panics with a
// *DiskError if the state is on disk and cannot be read.
func (g *Graph) State(n int) []uint64 {
	if g.trail != nil {
		return g.retraced(n)
	}
	if g.disk == nil {
		return g.store.state(n)
	}
	depth := g.depthOf(n)
	words, err := g.disk.at(g.disk.levels[depth], n-g.levels[depth])
	if err != nil {
		panic(err)
	}
	return words
}

// at yields the states at a depth, by number.
func (g *Graph) at(depth int) iter.Seq2[int, []uint64] {
	lo, hi := g.level(depth)
	if g.disk != nil {
		return g.disk.numbered(g.disk.levels[depth], lo)
	}
	return func(yield func(int, []uint64) bool) {
		for n := lo; n < hi && yield(n, g.store.state(n)); n++ {
		}
	}
}

// Contradiction is what a Graph panics with if its system does not do again
// what it did before.
type Contradiction string

// number returns the number of a state that a step leads to.
func (g *Graph) number(words []uint64) int {
	n := g.store.find(words, Hash(words))
	if n < 0 {
		panic(Contradiction("a step leads to a state that the search has not found"))
	}
	return n
}

// depthOf returns the depth of state n.
func (g *Graph) depthOf(n int) int {
	return max(0, sort.Search(len(g.levels), func(d int) bool { return g.levels[d] > n })-1)
}

// level returns the range of numbers of the states at a depth.
func (g *Graph) level(depth int) (lo, hi int) {
	if depth+1 < len(g.levels) {
		return g.levels[depth], g.levels[depth+1]
	}
	return g.levels[depth], g.States()
}

// expand returns the steps out of state n. They are valid until the next call.
// The state was expanded before, so nothing in it is left to learn.
func (g *Graph) expand(n int) *Steps { return g.expandWords(g.store.state(n)) }

func (g *Graph) expandWords(words []uint64) *Steps {
	if g.expander == nil {
		g.expander = g.sys.Expander()
	}
	g.steps.Reset()
	g.steps.Known = ^uint64(0) // marks are of no interest any more
	if !g.expander.Expand(words, &g.steps) {
		panic(Contradiction("a state that was expanded has become unknown"))
	}
	return &g.steps
}

// Path is a run of the system from an initial state: States[0] is initial and
// Actions[i] leads from States[i] to States[i+1]. States are numbers.
type Path struct {
	States  []int
	Actions []Action
}

// Path returns the path to state n along the parents of the search: a shortest
// one, and always the same.
func (g *Graph) Path(n int) Path {
	if g.trail != nil {
		return g.retrace(n)
	}
	depth := g.depthOf(n)
	p := Path{States: make([]int, depth+1), Actions: make([]Action, depth)}
	p.States[depth] = n
	for d := depth; d > 0; d-- {
		p.States[d-1], p.Actions[d-1] = g.parent(p.States[d], d)
	}
	return p
}

// parent returns the lowest-numbered state at depth-1 with a step to n, and
// the first such step.
func (g *Graph) parent(n, depth int) (int, Action) {
	child, width := g.State(n), g.store.width
	for m, words := range g.at(depth - 1) {
		steps := g.expandWords(words)
		for i, a := range steps.Actions {
			if equal(steps.States[i*width:(i+1)*width], child) {
				return m, a
			}
		}
	}
	panic(Contradiction("a state has no parent in the level before it"))
}

// ErrOnDisk says that a question takes all states in memory, and the search
// went on on disk; ErrNotKept, that a lossy store has not kept them.
var (
	ErrOnDisk  = errors.New("the states are on disk")
	ErrNotKept = errors.New("the states are not kept")
)

// Cycle returns a path whose last state equals an earlier one, or false if the
// graph has no cycle. The search that made the graph must be exhausted. The
// error is that of ctx, if it ends first, or ErrOnDisk, or ErrNotKept.
func (g *Graph) Cycle(ctx context.Context) (Path, bool, error) {
	if g.trail != nil {
		return Path{}, false, ErrNotKept
	}
	if g.forward {
		return Path{}, false, nil
	}
	if g.disk != nil {
		return Path{}, false, ErrOnDisk
	}
	d := &depthFirst{ctx: ctx, graph: g, mark: make([]uint8, g.store.count)}
	lo, hi := g.level(0)
	for n := lo; n < hi; n++ {
		if d.mark[n] == unseen && d.visit(n) {
			return d.lasso(), true, nil
		}
		if err := ctx.Err(); err != nil {
			return Path{}, false, err // visit may have given up, and left its stack
		}
	}
	return Path{}, false, nil
}

// depthFirst looks for a state that can reach itself.
type depthFirst struct {
	ctx   context.Context
	graph *Graph
	seen  int // states so far
	mark  []uint8
	stack []frame
	edges []edge // of the frames on the stack, one after the other
}

type frame struct{ state, next, end int } // edges[next:end] are still to be followed

type edge struct {
	action Action
	to     uint32
}

const (
	unseen  uint8 = iota
	onStack       // the frames, from the root down, are a path
	done
)

// visit searches from n; it stops with true when the last edge followed, which
// lies just before the top frame's next, leads to a state on the stack. It
// gives up when the context ends.
func (d *depthFirst) visit(n int) bool {
	d.push(n)
	for len(d.stack) > 0 {
		if d.seen%batchStates == 0 && d.ctx.Err() != nil {
			return false
		}
		top := &d.stack[len(d.stack)-1]
		if top.next == top.end {
			d.mark[top.state] = done
			d.stack = d.stack[:len(d.stack)-1]
			continue
		}
		to := int(d.edges[top.next].to)
		top.next++
		switch d.mark[to] {
		case onStack:
			return true
		case unseen:
			d.push(to)
		}
	}
	return false
}

func (d *depthFirst) push(n int) {
	d.mark[n] = onStack
	d.seen++
	if len(d.stack) > 0 {
		d.edges = d.edges[:d.stack[len(d.stack)-1].end]
	} else {
		d.edges = d.edges[:0]
	}
	begin := len(d.edges)
	g := d.graph
	steps := g.expand(n)
	for i, a := range steps.Actions {
		words := steps.States[i*g.store.width : (i+1)*g.store.width]
		to := g.number(words)
		d.edges = append(d.edges, edge{a, uint32(to)})
	}
	d.stack = append(d.stack, frame{n, begin, len(d.edges)})
}

// lasso returns the stack as a path, closed by the edge that visit stopped at
// and led to by a shortest path.
func (d *depthFirst) lasso() Path {
	last := d.stack[len(d.stack)-1]
	target := int(d.edges[last.next-1].to)
	var loop Path
	for _, f := range d.stack {
		if f.state != target && len(loop.States) == 0 {
			continue
		}
		loop.States = append(loop.States, f.state)
		loop.Actions = append(loop.Actions, d.edges[f.next-1].action)
	}
	p := d.graph.Path(target)
	p.States = append(p.States, append(loop.States[1:], target)...)
	p.Actions = append(p.Actions, loop.Actions...)
	return p
}
