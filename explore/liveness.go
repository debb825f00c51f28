package explore

import (
	"context"
	"slices"

	"interleave/explore/scc"
)

// FairRuns knows in which states of a graph a fair run may stay forever. These are the
// states where it may come to rest, as no class of steps that is owed fairness is possible,
// and the states of the components in which it may cycle.
//
// Fairness is judged on components. If some part of a strongly connected component is weakly
// fair, so is the whole component: it has more states in which a class is not possible, and
// more steps to be taken. With strong fairness, a class that is possible in a component but
// never taken inside it rules out the states where it is possible, and the rest falls into
// components again (E. A. Emerson, C.-L. Lei: Modalities for model checking, 1987;
// O. Lichtenstein, A. Pnueli, 1985).
type FairRuns struct {
	outlooks *successorCache
	stay     *nodes // by number of state
	cycles   bool
	options  RunOptions
}

// RunOptions say which runs are fair, and limit what the search for them may take.
type RunOptions struct {
	Fair     Fairness
	Atoms    uint64     // the marks that formulas may ask for, a bit for each; 0: all
	Memory   int64      // bytes, on top of the graph; 0: no limit
	Progress func(Look) // called now and then
}

// Look says how far one pass over the states of a graph has come. There are several passes, one
// after the other.
type Look struct {
	For        string // what is looked for
	States, Of int    // looked at so far, and in all; nodes, in a product with an automaton
}

const (
	lookForSteps  = "where steps lead"
	lookForRests  = "where runs may rest"
	lookForCycles = "runs that cycle"
	lookForSuch   = "runs that the property is about"
	lookForCycle  = "the cycle of the run found"
)

// FairRuns finds the states in which a fair run may stay. If the search that made the graph
// did not end Exhausted, these are only some of them: runs are looked for among the expanded
// states, for which it is known what is possible. The error is that of ctx, if it ends first,
// ErrMemory, ErrOnDisk or ErrNotKept.
func (g *Graph) FairRuns(ctx context.Context, o RunOptions) (*FairRuns, error) {
	switch {
	case g.parentLog != nil:
		return nil, ErrNotKept
	case g.disk != nil:
		return nil, ErrOnDisk
	}
	if o.Atoms == 0 {
		o.Atoms = ^uint64(0)
	}
	r := &FairRuns{outlooks: newSuccessorCache(g, o.Fair, o.Atoms), options: o}
	if err := r.keep(ctx); err != nil {
		return nil, err
	}
	f, err := newFinder(ctx, lookForCycles, newProduct(r.outlooks, everything, nil), r.options)
	if err != nil {
		return nil, err
	}
	if err := f.searchAll(); err != nil {
		return nil, err
	}
	r.stay, r.cycles = f.found, f.cycles
	return r, nil
}

// keep keeps the successors of all states, unless they take more than half of the memory, or few of
// them are asked for more than once.
func (r *FairRuns) keep(ctx context.Context) error {
	o := &r.options
	if g := r.outlooks.graph; g.forward || o.Memory > 0 && r.outlooks.bytes() > o.Memory/2 {
		return nil
	}
	if o.Memory > 0 {
		o.Memory -= r.outlooks.bytes()
	}
	return r.outlooks.keep(func(known int) error { return o.pause(ctx, Look{lookForSteps, known, r.outlooks.graph.expanded}) })
}

// Cycle reports whether some fair run never comes to rest; after a search that is
// not exhausted, whether one is known.
func (r *FairRuns) Cycle() bool { return r.cycles }

// finder finds the nodes of a product in which a fair run may stay forever and
// be accepted.
type finder struct {
	*product
	ctx     context.Context
	looking string // Look.For
	found   *nodes
	cycles  bool // some of them are in a component where a run may go on moving
	options RunOptions
	luck    *luck // nil: answers may be chosen at will
}

// newFinder fails if the memory is not enough for sets of nodes.
func newFinder(ctx context.Context, looking string, p *product, o RunOptions) (*finder, error) {
	f := &finder{ctx: ctx, looking: looking, product: p, options: o}
	if f.spare(0) < 0 {
		return nil, scc.ErrMemory
	}
	f.found = newNodes(p.nodes())
	return f, nil
}

// spare returns how much memory is left beside sets of nodes, when that many nodes are listed; 0
// if there is no limit, and -1 if none is left.
func (f *finder) spare(listed int) int64 {
	if f.options.Memory == 0 {
		return 0
	}
	if left := f.options.Memory - 3*nodeBytes(f.nodes()) - 8*int64(listed) - f.luck.bytes(); left > 0 {
		return left
	}
	return -1
}

// searchAll searches all nodes. If every step leads forward, a run can only rest.
func (f *finder) searchAll() error {
	if !f.graph.forward {
		err := f.search(allNodes(f.nodes()))
		f.found.settle()
		return err
	}
	for n := range f.nodes() {
		if f.at(n); f.rests() {
			f.found.add(n)
		}
		if err := f.options.pause(f.ctx, Look{lookForRests, n, f.nodes()}); err != nil {
			return err
		}
	}
	f.found.settle()
	return nil
}

// pause reports progress now and then, and returns the error of the context.
func (o *RunOptions) pause(ctx context.Context, l Look) error {
	if l.States%(4*batchStates) != 0 {
		return nil
	}
	if o.Progress != nil && l.States > 0 {
		o.Progress(l)
	}
	return ctx.Err()
}

// search searches only the nodes in scope.
func (f *finder) search(scope *nodes) error {
	p, err := f.parts(scope)
	if err != nil {
		return err
	}
	p.Found = func(members []uint32, cyclic bool) error {
		if !cyclic {
			return nil
		}
		return f.judge(&component{finder: f, scope: scope, members: members, parts: p})
	}
	return p.Run(f.ctx)
}

// parts is a search for the components of some nodes, which it numbers by rank.
type parts struct {
	scc.Search
	list func(rank int) int
}

// parts returns the search for the components of the nodes in scope.
func (f *finder) parts(scope *nodes) (*parts, error) {
	memory := f.spare(scope.listed())
	if memory < 0 {
		return nil, scc.ErrMemory
	}
	p := &parts{scc.Search{Nodes: scope.count, Memory: memory}, scope.numbers()}
	p.Follow = func(i int, out []uint32) []uint32 {
		f.options.pause(f.ctx, Look{f.looking, p.Seen(), scope.count}) // the context is checked elsewhere
		return f.follow(p.list(i), scope, out)
	}
	return p, nil
}

// follow appends the ranks in scope of the successors of a node, including itself if a run may
// rest there.
func (f *finder) follow(node int, scope *nodes, out []uint32) []uint32 {
	if !f.at(node) || f.look.cut {
		return out
	}
	next := f.auto.States[node%f.size].Next
	for i, s := range f.look.edges {
		if !f.bars(node, i) {
			out = f.enter(out, s.to, next, scope)
		}
	}
	if f.rests() {
		out = f.enter(out, uint32(node/f.size), next, scope)
	}
	return out
}

// enter appends the ranks in scope of the nodes of a state; nowhere has none.
func (f *finder) enter(out []uint32, state uint32, next []int, scope *nodes) []uint32 {
	if state == nowhere {
		return out
	}
	for _, q := range next {
		if n := int(state)*f.size + q; scope.has(n) {
			out = append(out, uint32(scope.rank(n)))
		}
	}
	return out
}

// judge adds those nodes of a component in which a fair run may stay.
func (f *finder) judge(c *component) error {
	switch owed, fair := c.judge(); {
	case fair && f.luck != nil && c.bar():
		return c.retry()
	case fair:
		for _, m := range c.members {
			f.found.add(c.parts.list(int(m)))
		}
		f.cycles = f.cycles || c.moves
	case !owed.empty():
		return f.search(c.lacking(owed))
	}
	return nil
}

// component is a strongly connected component of the nodes in a scope.
type component struct {
	*finder
	scope   *nodes
	members []uint32 // ranks in the scope
	parts   *parts
	moves   bool // a step leads from one of its nodes to one of its nodes

	taken  classes  // classes of the steps inside
	inside []uint32 // of stays
}

// judge reports whether a fair run may stay in the component and be accepted. If not, it may
// still stay among those nodes of the component where none of the owed classes is possible, if
// any are owed.
func (c *component) judge() (owed classes, fair bool) {
	accepted := uint64(0)
	var always, ever classes // possible everywhere, to which weak fairness is owed; possible somewhere, and strong
	for i, m := range c.members {
		node := c.parts.list(int(m))
		c.at(node)
		accepted |= c.auto.States[node%c.size].Accept
		weak, strong := c.possible()
		if ever = ever.union(strong); i == 0 {
			always = slices.Clone(weak)
		}
		always = always.only(weak)
		c.take(m)
	}
	always, ever = always.without(c.taken), ever.without(c.taken)
	if accepted != c.acceptance() || !always.empty() {
		return nil, false
	}
	return ever, ever.empty()
}

// take records the classes of those steps from the current node, of the given rank, that stay
// inside.
func (c *component) take(rank uint32) {
	for i, s := range c.look.edges {
		if !c.stays(rank, i, s) {
			continue
		}
		c.moves = true
		if s.class != 0 {
			c.taken = c.taken.with(s.class)
		}
	}
}

// stays reports whether an edge from a node of the given rank stays inside, and is not barred.
func (c *component) stays(rank uint32, i int, s edge) bool {
	node := c.parts.list(int(rank))
	if c.bars(node, i) {
		return false
	}
	c.inside = c.enter(c.inside[:0], s.to, c.auto.States[node%c.size].Next, c.scope)
	return slices.ContainsFunc(c.inside, func(n uint32) bool { return c.parts.Together(n, rank) })
}

// lacking returns the nodes of the component where none of the given classes is possible.
func (c *component) lacking(some classes) *nodes {
	var rest []int
	for _, m := range c.members {
		node := c.parts.list(int(m))
		c.at(node)
		if _, strong := c.possible(); !strong.meets(some) {
			rest = append(rest, node)
		}
	}
	return fewNodes(c.nodes(), rest)
}
