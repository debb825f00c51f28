package explore

import (
	"context"
	"errors"
	"slices"

	"interleave/explore/scc"
)

// Extremes says how little and how much a run can weigh, given a weight of
// each step.
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

// Extremes weighs the runs of a graph that is wholly explored. Weights are not
// negative. The error is that of ctx, if it ends first, or ErrOnDisk, or
// ErrNotKept.
func (g *Graph) Extremes(ctx context.Context, weight func(Action) int) (Extremes, error) {
	w := &weigher{ctx: ctx, graph: g, weight: weight}
	var e Extremes
	switch {
	case g.disk != nil:
		return e, ErrOnDisk
	case g.trail != nil:
		return e, ErrNotKept
	}
	if g.States() == 0 {
		return e, ctx.Err()
	}
	if err := w.least(&e); err != nil {
		return e, err
	}
	return e, w.most(&e)
}

type weigher struct {
	ctx    context.Context
	graph  *Graph
	weight func(Action) int
	count  int      // states expanded
	to     []uint32 // where the steps of the last one lead
}

// arc is a step to a state, and what it weighs.
type arc struct {
	action Action
	to     uint32
	weight int32
}

// arcs appends the steps out of state n, and reports whether n is quiet. It
// fails when the context ends.
func (w *weigher) arcs(out []arc, n int) (arcs []arc, quiet bool, err error) {
	if w.count++; w.count%batchStates == 0 {
		err = w.ctx.Err()
	}
	steps := w.graph.expand(n)
	w.to = w.graph.targets(steps, w.to[:0])
	for i, a := range steps.Actions {
		out = append(out, arc{a, w.to[i], int32(w.weight(a))})
	}
	return out, steps.Quiet, err
}

// least finds a lightest run to a quiet state: Dijkstra's algorithm, with a
// list of states for each weight.
func (w *weigher) least(e *Extremes) error {
	g := w.graph
	best := make([]int32, g.States()) // weight plus 1, or 0
	from := make([]uint32, g.States())
	_, first := g.level(0)
	lists := [][]uint32{nil}
	for n := range first {
		best[n], from[n] = 1, uint32(n)
		lists[0] = append(lists[0], uint32(n))
	}
	var buffer []arc
	for at := 0; at < len(lists); at++ {
		for len(lists[at]) > 0 {
			last := len(lists[at]) - 1
			n := int(lists[at][last])
			lists[at] = lists[at][:last]
			if int(best[n]) != at+1 {
				continue // a lighter way was found meanwhile
			}
			arcs, quiet, err := w.arcs(buffer[:0], n)
			buffer = arcs
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
				lists[heavy-1] = append(lists[heavy-1], a.to)
			}
		}
	}
	return nil
}

// back returns the path to n along from, in which an initial state comes from
// itself.
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
	arcs, _, _ := w.arcs(nil, m)
	var best *arc
	for i, a := range arcs {
		if int(a.to) == n && (best == nil || a.weight < best.weight) {
			best = &arcs[i]
		}
	}
	return best.action
}

// most finds a heaviest run. The states are taken one strongly connected
// component after the other, each after those that it leads to.
func (w *weigher) most(e *Extremes) (err error) {
	m := &heaviest{weigher: w, weight: make([]int32, w.graph.States())}
	m.parts = &scc.Search{Nodes: w.graph.States(), Follow: w.graph.follow, Found: m.weigh}
	switch err := m.parts.Run(w.ctx); {
	case m.loop != nil:
		e.Unbounded = true
		e.MostPath, err = w.lasso(m)
		return err
	case err != nil:
		return err
	}
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

// heaviest knows the weight of the heaviest run from each state of the
// components found so far.
type heaviest struct {
	*weigher
	parts  *scc.Search
	weight []int32

	loop       *arc // a step that weighs something inside a component
	loopFrom   int
	loopStates []uint32 // of that component
}

// errLoop ends the search for components.
var errLoop = errors.New("a loop weighs something")

// weigh weighs a component: all its states are as heavy as the heaviest way out
// of it, unless a step inside weighs something.
func (m *heaviest) weigh(states []uint32, _ bool) error {
	most := int32(0)
	for _, n := range states {
		arcs, _, err := m.arcs(nil, int(n))
		if err != nil {
			return err
		}
		for i, a := range arcs {
			if !m.parts.Together(n, a.to) {
				most = max(most, a.weight+m.weight[a.to])
			} else if a.weight > 0 {
				m.loop, m.loopFrom, m.loopStates = &arcs[i], int(n), slices.Clone(states)
				return errLoop
			}
		}
	}
	for _, n := range states {
		m.weight[n] = most
	}
	return nil
}

// forth returns a shortest path from a state to one that is a goal, along the
// steps that are allowed. There must be one.
func (w *weigher) forth(start int, allowed func(m int, a arc) bool, goal func(n int) bool) (Path, error) {
	type step struct {
		from   int
		action Action
	}
	came := map[int]step{start: {from: start}}
	for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		if goal(n) {
			p := Path{States: []int{n}}
			for n != start {
				p.Actions = append(p.Actions, came[n].action)
				n = came[n].from
				p.States = append(p.States, n)
			}
			slices.Reverse(p.States)
			slices.Reverse(p.Actions)
			return p, nil
		}
		arcs, _, err := w.arcs(nil, n)
		if err != nil {
			return Path{}, err
		}
		for _, a := range arcs {
			if _, met := came[int(a.to)]; !met && allowed(n, a) {
				came[int(a.to)] = step{n, a.action}
				queue = append(queue, int(a.to))
			}
		}
	}
	panic(Contradiction("there is no path where there must be one"))
}

// lasso returns a path to the heavy loop that was found, and once around it.
func (w *weigher) lasso(m *heaviest) (Path, error) {
	u, heavy := m.loopFrom, *m.loop
	p := w.graph.Path(u)
	states := map[uint32]bool{}
	for _, n := range m.loopStates {
		states[n] = true
	}
	inside := func(_ int, a arc) bool { return states[a.to] }
	home, err := w.forth(int(heavy.to), inside, func(n int) bool { return n == u })
	if err != nil {
		return Path{}, err
	}
	p.States = append(p.States, home.States...)
	p.Actions = append(append(p.Actions, heavy.action), home.Actions...)
	return p, nil
}
