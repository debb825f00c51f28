package explore

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sort"

	"interleave/explore/scc"
)

// Graph is what a search has explored: states by number, and the steps between them, which it
// computes again whenever they are asked for. Only one goroutine may use it.
type Graph struct {
	sys         System
	pool        *pool // of the search
	store       *store
	disk        *disk      // in place of the store, if the search went on on disk
	folder      *folder    // removed by Close
	parentLog   *parentLog // in place of the store, if that is lossy
	walked      walked     // the path walked last along the parent log
	levels      []int      // number of the first state of each depth
	forward     bool       // no step leads to the same or an earlier level
	expanded    int        // the states with lower numbers were expanded
	transitions int        // steps out of those
	whole       bool       // the search is exhausted
}

// Close removes what the search left on disk, if anything. The graph must not be used afterwards.
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
	case g.parentLog != nil:
		return g.parentLog.count
	}
	return g.store.count
}

// State returns the words of state n, to be read only. It panics with a
// *DiskError if the state is on disk and cannot be read.
func (g *Graph) State(n int) []uint64 {
	if g.parentLog != nil {
		return g.walked.state(g, n)
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

// Contradiction is what a Graph panics with if its system behaves differently from before.
type Contradiction string

// nowhere is the target of a step to a state that was not expanded, since the search ended early.
const nowhere = noState

// targets appends to out the targets of the steps of an expansion: numbers of states, or nowhere.
// Several goroutines may call it.
func (g *Graph) targets(steps *Steps, out []uint32) []uint32 {
	first := len(out)
	out = g.store.findAll(steps.States, out)
	for i, n := range out[first:] {
		if int(n) < g.expanded {
			continue
		}
		if g.whole {
			panic(Contradiction("a step leads to a state that the search has not found"))
		}
		out[first+i] = nowhere
	}
	return out
}

// target returns the number of the target of a step, or -1 if that was not expanded. Several goroutines may call it.
func (g *Graph) target(words []uint64) int {
	n := g.store.find(words, Hash(words))
	switch {
	case n >= 0 && n < g.expanded:
		return n
	case g.whole:
		panic(Contradiction("a step leads to a state that the search has not found"))
	}
	return -1
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

// Levels returns how many states were found at each depth.
func (g *Graph) Levels() []int {
	var counts []int
	for depth := range g.levels {
		if lo, hi := g.level(depth); hi > lo {
			counts = append(counts, hi-lo)
		}
	}
	return counts
}

// expand returns the steps out of state n. They are valid until the next call.
// The state was expanded before, so nothing in it is left to learn.
func (g *Graph) expand(n int) *Steps { return g.expandWords(g.store.state(n)) }

func (g *Graph) expandWords(words []uint64) *Steps {
	return g.pool.workers[0].again(words, ^uint64(0)) // marks are not needed any more
}

// Path is a run of the system from an initial state: States[0] is initial and
// Actions[i] leads from States[i] to States[i+1]. States are numbers.
type Path struct {
	States  []int
	Actions []Action
}

// Path returns the path to state n along the parents of the search. It is a shortest one, and
// always the same.
func (g *Graph) Path(n int) Path {
	if g.parentLog != nil {
		g.walked.walk(g, n)
		return Path{States: slices.Clone(g.walked.States), Actions: slices.Clone(g.walked.Actions)}
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

// ErrOnDisk says that a question needs all states in memory, but the search went on on disk;
// ErrNotKept, that a lossy store has not kept them.
var (
	ErrOnDisk  = errors.New("the states are on disk")
	ErrNotKept = errors.New("the states are not kept")
	ErrMemory  = scc.ErrMemory // a question needed more memory than it was given
)

// Forward reports whether the search found that every step leads to a deeper
// state, so that there is no cycle.
func (g *Graph) Forward() bool { return g.forward }

// Cycles reports whether the graph has a cycle. The search that made the graph must be
// exhausted. Memory limits the bytes used on top of the graph; 0: no limit. The error is that of
// ctx if it ends first, ErrMemory, ErrOnDisk or ErrNotKept.
func (g *Graph) Cycles(ctx context.Context, memory int64) (bool, error) {
	if g.parentLog != nil {
		return false, ErrNotKept
	}
	if g.forward {
		return false, nil
	}
	if g.disk != nil {
		return false, ErrOnDisk
	}
	c := &scc.Search{Nodes: g.States(), Follow: g.follow, Memory: memory}
	c.Found = func(_ []uint32, cyclic bool) error {
		if cyclic {
			return errCycle
		}
		return nil
	}
	err := c.Run(ctx)
	if err == errCycle {
		return true, nil
	}
	return false, err
}

// errCycle ends the search for components.
var errCycle = errors.New("there is a cycle")

// follow appends the successors of a state.
func (g *Graph) follow(n int, out []uint32) []uint32 {
	return g.targets(g.expand(n), out)
}

// Recovery finds the states from which a goal can be reached. A state that was not expanded counts as one out of which
// all steps were left out. The error is that of ctx, if it ends first, ErrMemory, ErrOnDisk or ErrNotKept.
//
// Predecessors are not listed. The states are looked at from the last to the first, again and again until nothing is
// new. Since most steps lead to a deeper state, one such pass decides most states. Where the others lead is kept for the
// next pass, if there is memory. What is found is the same in any order, so it does not depend on the workers.
func (g *Graph) Recovery(ctx context.Context, o RecoveryOptions) (*Recovery, error) {
	switch {
	case g.parentLog != nil:
		return nil, ErrNotKept
	case g.disk != nil:
		return nil, ErrOnDisk
	case o.Memory > 0 && bytesOfSets(g.expanded) > o.Memory:
		return nil, ErrMemory
	}
	r := &recovery{
		RecoveryOptions: o, graph: g, known: ^(1 << o.Goal), reach: newNumbers(g.expanded), open: newNumbers(g.expanded), cut: newNumbers(g.expanded),
		waiting: make([][]uint32, (g.expanded+keptTogether-1)/keptTogether),
	}
	for more := true; more; r.known = ^uint64(0) {
		var err error
		if more, err = r.pass(ctx); err != nil {
			return nil, err
		}
	}
	found := &Recovery{First: -1}
	for n := range g.expanded {
		switch {
		case r.reach.has(n):
		case r.open.has(n):
			found.Open++
			found.Cut = found.Cut || r.cut.has(n)
		default:
			if found.Lost++; found.First < 0 {
				found.First = n
			}
		}
	}
	return found, nil
}
