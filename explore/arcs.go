package explore

import "slices"

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
