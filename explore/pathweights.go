package explore

import (
	"context"
	"errors"
	"slices"

	"interleave/explore/scc"
)

// Extremes are the least and the greatest weight of a run, given a weight of each step.
type Extremes struct {
	// Most is the weight of the heaviest run, and MostPath such a run. If
	// Unbounded, no run is the heaviest: MostPath ends in a loop that weighs
	// something, back to the state numbered as its last.
	Most      int
	MostPath  Path
	Unbounded bool

	// Least is the weight of the lightest run that ends in a quiet state, and
	// LeastPath such a run. If Ends is false, there is no such state.
	Least     int
	LeastPath Path
	Ends      bool
}

// Extremes weighs the runs of a graph that is wholly explored. Weights are not negative. Memory
// limits the bytes used on top of the graph; 0: no limit. The error is that of ctx if it ends
// first, ErrMemory, ErrOnDisk, or ErrNotKept.
func (g *Graph) Extremes(ctx context.Context, weight func(Action) int, memory int64) (Extremes, error) {
	w := &weigher{ctx: ctx, graph: g, weight: weight, memory: memory}
	var e Extremes
	switch {
	case g.disk != nil:
		return e, ErrOnDisk
	case g.parentLog != nil:
		return e, ErrNotKept
	}
	if g.States() == 0 {
		return e, ctx.Err()
	}
	if err := w.keep(); err != nil {
		return e, err
	}
	err := w.extremes(&e)
	if err == ErrMemory && w.kept != nil { // they took most of it
		w.kept, w.held, e = nil, 0, Extremes{}
		err = w.extremes(&e)
	}
	return e, err
}

func (w *weigher) extremes(e *Extremes) error {
	if err := w.least(e); err != nil {
		return err
	}
	return w.most(e)
}

type weigher struct {
	ctx    context.Context
	graph  *Graph
	weight func(Action) int
	memory int64 // bytes that it may take; 0: no limit
	held   int64 // bytes that it takes

	kept  []arcsOfStates // of keptTogether states each; nil: they are not kept
	asked int            // how often arcs were asked for
	last  []arc          // those computed last
	to    []uint32       // the targets of these
}

// hold counts that many bytes more, or less, as taken, and fails if that is too much.
func (w *weigher) hold(bytes int64) error {
	if w.held += bytes; w.memory > 0 && w.held > w.memory {
		return ErrMemory
	}
	return nil
}

// least finds a lightest run to a quiet state by Dijkstra's algorithm, with a list of states for
// each weight.
func (w *weigher) least(e *Extremes) error {
	g := w.graph
	before := w.held
	defer func() { w.held = before }()
	if err := w.hold(8 * int64(g.States())); err != nil {
		return err
	}
	best := make([]int32, g.States()) // weight plus 1, or 0
	from := make([]uint32, g.States())
	_, first := g.level(0)
	lists := [][]uint32{nil}
	for n := range first {
		best[n], from[n] = 1, uint32(n)
		lists[0] = append(lists[0], uint32(n))
	}
	for at := 0; at < len(lists); at++ {
		for len(lists[at]) > 0 {
			last := len(lists[at]) - 1
			n := int(lists[at][last])
			lists[at] = lists[at][:last]
			if int(best[n]) != at+1 {
				continue // a lighter path was found in the meantime
			}
			arcs, quiet, err := w.arcs(n)
			switch {
			case err != nil:
				return err
			case quiet:
				e.Least, e.Ends, e.LeastPath = at, true, w.back(n, from)
				return nil
			}
			for _, a := range arcs {
				heavy := best[n] + a.weight
				if best[a.to] != 0 && best[a.to] <= heavy {
					continue
				}
				best[a.to], from[a.to] = heavy, uint32(n)
				for len(lists) < int(heavy) {
					lists = append(lists, nil)
				}
				list := &lists[heavy-1]
				before := cap(*list)
				*list = append(*list, a.to)
				if err := w.hold(4 * int64(cap(*list)-before)); err != nil {
					return err
				}
			}
		}
		w.held -= 4 * int64(cap(lists[at]))
		lists[at] = nil
	}
	return nil
}

// back returns the path to n along from, in which an initial state is its own predecessor.
func (w *weigher) back(n int, from []uint32) Path {
	p := Path{States: []int{n}}
	for m := int(from[n]); m != n; n, m = m, int(from[m]) {
		p.States = append(p.States, m)
		p.Actions = append(p.Actions, w.lightest(m, n))
	}
	slices.Reverse(p.States)
	slices.Reverse(p.Actions)
	return p
}

// lightest returns the lightest step from m to n.
func (w *weigher) lightest(m, n int) Action {
	arcs, _, _ := w.arcs(m)
	best := -1
	for i, a := range arcs {
		if int(a.to) == n && (best < 0 || a.weight < arcs[best].weight) {
			best = i
		}
	}
	return w.action(m, best)
}

// most finds a heaviest run. It takes the strongly connected components one by one, each after
// those that it leads to.
func (w *weigher) most(e *Extremes) (err error) {
	if err := w.hold(4 * int64(w.graph.States())); err != nil {
		return err
	}
	m := &heaviest{weigher: w, weight: make([]int32, w.graph.States())}
	switch err := m.weighAll(); {
	case m.loops:
		e.Unbounded = true
		e.MostPath, err = w.lasso(m)
		return err
	case err != nil:
		return err
	}
	m.parts = nil
	_, first := w.graph.level(0)
	start := 0
	for n := range first {
		if m.weight[n] > m.weight[start] {
			start = n
		}
	}
	e.Most = int(m.weight[start])
	e.MostPath, err = w.forth(start, func(n int, a arc) bool { return m.weight[n] == a.weight+m.weight[a.to] },
		func(n int) bool { return m.weight[n] == 0 })
	return err
}

// heaviest has the weight of the heaviest run from each state of the components found so far.
type heaviest struct {
	*weigher
	parts  *scc.Search // nil where every step leads forward
	weight []int32

	loops      bool // a step weighs something inside a component
	loop       arc  // which one
	loopFrom   int
	loopPlace  int      // among the arcs of that state
	loopStates []uint32 // of that component
}

// errLoop ends the search for components.
var errLoop = errors.New("a loop weighs something")

// weighAll weighs each component after those that it leads to. If every step leads forward, these
// are single states, in descending order of their numbers.
func (m *heaviest) weighAll() error {
	if m.graph.forward {
		for n := m.graph.States() - 1; n >= 0; n-- {
			if err := m.weigh([]uint32{uint32(n)}, false); err != nil {
				return err
			}
		}
		return nil
	}
	m.parts = &scc.Search{Nodes: m.graph.States(), Follow: m.follow, Found: m.weigh}
	if m.memory > 0 {
		m.parts.Memory = max(1, m.memory-m.held)
	}
	return m.parts.Run(m.ctx)
}

// within reports whether two states are in the same component, where a step leads from the first
// to the second.
func (m *heaviest) within(n, to uint32) bool { return m.parts != nil && m.parts.Together(n, to) }

// weigh weighs a component. All its states have the weight of the heaviest way out of it, unless
// a step inside weighs something.
func (m *heaviest) weigh(states []uint32, _ bool) error {
	most := int32(0)
	for _, n := range states {
		arcs, _, err := m.arcs(int(n))
		if err != nil {
			return err
		}
		for i, a := range arcs {
			if !m.within(n, a.to) {
				most = max(most, a.weight+m.weight[a.to])
			} else if a.weight > 0 {
				m.loops, m.loop, m.loopFrom, m.loopPlace, m.loopStates = true, a, int(n), i, slices.Clone(states)
				return errLoop
			}
		}
	}
	for _, n := range states {
		m.weight[n] = most
	}
	return nil
}

// forth returns a shortest path from start to a goal, along the allowed steps. There must be one.
func (w *weigher) forth(start int, allowed func(m int, a arc) bool, goal func(n int) bool) (Path, error) {
	if err := w.hold(8 * int64(w.graph.States())); err != nil {
		return Path{}, err
	}
	came := make([]uint32, w.graph.States()) // from which state, plus 1; 0: not met
	came[start] = uint32(start) + 1
	for queue := []uint32{uint32(start)}; len(queue) > 0; queue = queue[1:] {
		n := int(queue[0])
		if goal(n) {
			return w.along(came, start, n, allowed), nil
		}
		arcs, _, err := w.arcs(n)
		if err != nil {
			return Path{}, err
		}
		for _, a := range arcs {
			if came[a.to] == 0 && allowed(n, a) {
				came[a.to] = uint32(n) + 1
				queue = append(queue, a.to)
			}
		}
	}
	panic(Contradiction("there is no path where there must be one"))
}

// along returns the path from start to n, given the state from which each was first met.
func (w *weigher) along(came []uint32, start, n int, allowed func(m int, a arc) bool) Path {
	p := Path{States: []int{n}}
	for ; n != start; n = p.States[len(p.States)-1] {
		from := int(came[n] - 1)
		arcs, _, _ := w.arcs(from)
		at := slices.IndexFunc(arcs, func(a arc) bool { return int(a.to) == n && allowed(from, a) })
		p.States, p.Actions = append(p.States, from), append(p.Actions, w.action(from, at))
	}
	slices.Reverse(p.States)
	slices.Reverse(p.Actions)
	return p
}

// lasso returns a path to the loop that weighs something, and once around it.
func (w *weigher) lasso(m *heaviest) (Path, error) {
	u := m.loopFrom
	p := w.graph.Path(u)
	states := map[uint32]bool{}
	for _, n := range m.loopStates {
		states[n] = true
	}
	inside := func(_ int, a arc) bool { return states[a.to] }
	home, err := w.forth(int(m.loop.to), inside, func(n int) bool { return n == u })
	if err != nil {
		return Path{}, err
	}
	p.States = append(p.States, home.States...)
	p.Actions = append(append(p.Actions, w.action(u, m.loopPlace)), home.Actions...)
	return p, nil
}

// arc is a step to a state, and its weight. The place of an arc among those of its state is that
// of the step.
type arc struct {
	to     uint32
	weight int32
}

// arcsOfStates are the arcs of several consecutive states.
type arcsOfStates struct {
	quiet [keptTogether]bool
	ends  [keptTogether]uint32 // of the arcs of each
	arcs  []arc
}

// arcsBytes is what keeping the arcs of all states takes.
func (w *weigher) arcsBytes() int64 {
	const ofState, ofArc = 1 + 4, 8
	return ofState*int64(w.graph.States()+keptTogether) + ofArc*int64(w.graph.transitions)
}

// keep computes the arcs of all states, with all workers, and keeps them, since each is asked for
// several times. It does not if they would take more than half of the memory.
func (w *weigher) keep() error {
	g := w.graph
	if w.memory > 0 && w.arcsBytes() > w.memory/2 {
		return nil
	}
	blocks := (g.States() + keptTogether - 1) / keptTogether
	kept := make([]arcsOfStates, blocks)
	const together = batchStates / keptTogether
	for first := 0; first < blocks; first += together {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		g.pool.each(min(together, blocks-first), func(of *worker, i int) {
			w.find(&kept[first+i], of, (first+i)*keptTogether)
		})
	}
	w.kept = kept
	return w.hold(w.arcsBytes())
}

// find computes the arcs of consecutive states from first on.
func (w *weigher) find(some *arcsOfStates, of *worker, first int) {
	var arcs []arc
	var to []uint32
	for i := range min(keptTogether, w.graph.States()-first) {
		arcs, to, some.quiet[i] = w.append(arcs, to, of, first+i)
		some.ends[i] = uint32(len(arcs))
	}
	some.arcs = slices.Clone(arcs)
}

// append appends the arcs of state n, which a worker computes, and reports whether the state is
// quiet. It uses the memory of to.
func (w *weigher) append(arcs []arc, to []uint32, of *worker, n int) ([]arc, []uint32, bool) {
	steps := of.again(w.graph.State(n), ^uint64(0)) // marks are not needed
	to = w.graph.targets(steps, to[:0])
	for i, a := range steps.Actions {
		arcs = append(arcs, arc{to[i], int32(w.weight(a))})
	}
	return arcs, to, steps.Quiet
}

// arcs returns the arcs of state n, valid until the next call, and reports whether the state is
// quiet. It fails when the context has ended.
func (w *weigher) arcs(n int) (arcs []arc, quiet bool, err error) {
	if w.asked++; w.asked%batchStates == 0 {
		err = w.ctx.Err()
	}
	if w.kept == nil {
		w.last, w.to, quiet = w.append(w.last[:0], w.to, w.graph.pool.workers[0], n)
		return w.last, quiet, err
	}
	some, i := &w.kept[n/keptTogether], n%keptTogether
	first := uint32(0)
	if i > 0 {
		first = some.ends[i-1]
	}
	return some.arcs[first:some.ends[i]], some.quiet[i], err
}

// follow appends the states that state n leads to.
func (w *weigher) follow(n int, out []uint32) []uint32 {
	arcs, _, _ := w.arcs(n) // the context is checked elsewhere
	for _, a := range arcs {
		out = append(out, a.to)
	}
	return out
}

// action is the action of an arc of state n, given by its place.
func (w *weigher) action(n, place int) Action { return w.graph.expand(n).Actions[place] }
