package explore

import "slices"

// arc is a step to a state, and what it weighs. Which step it is, its place among the arcs
// of its state tells.
type arc struct {
	to     uint32
	weight int32
}

// arcsOfStates are the arcs of some states in a row.
type arcsOfStates struct {
	quiet [keptTogether]bool
	ends  [keptTogether]uint32 // of the arcs of each
	arcs  []arc
}

// arcsBytes is what keeping the arcs of all states takes.
func (g *Graph) arcsBytes() int64 {
	const ofState, ofArc = 1 + 4, 8
	return ofState*int64(g.States()+keptTogether) + ofArc*int64(g.transitions)
}

// keep keeps the arcs of all states, which are each asked for several times: the whole
// crew finds them out. It does not if that takes more than half of the memory.
func (w *weigher) keep() error {
	g := w.graph
	if w.memory > 0 && g.arcsBytes() > w.memory/2 {
		return nil
	}
	blocks := (g.States() + keptTogether - 1) / keptTogether
	kept := make([]arcsOfStates, blocks)
	const together = batchStates / keptTogether
	for first := 0; first < blocks; first += together {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		g.crew.each(min(together, blocks-first), func(of *worker, i int) {
			w.find(&kept[first+i], of, (first+i)*keptTogether)
		})
	}
	w.kept = kept
	return w.hold(g.arcsBytes())
}

// find finds out the arcs of some states in a row.
func (w *weigher) find(some *arcsOfStates, of *worker, first int) {
	var arcs []arc
	var to []uint32
	for i := range min(keptTogether, w.graph.States()-first) {
		arcs, to, some.quiet[i] = w.append(arcs, to, of, first+i)
		some.ends[i] = uint32(len(arcs))
	}
	some.arcs = slices.Clone(arcs)
}

// append appends the arcs of state n, as a worker finds them out, and reports whether that
// is quiet. It uses the memory of to.
func (w *weigher) append(arcs []arc, to []uint32, of *worker, n int) ([]arc, []uint32, bool) {
	steps := of.again(w.graph.State(n), ^uint64(0)) // marks are of no interest
	to = w.graph.targets(steps, to[:0])
	for i, a := range steps.Actions {
		arcs = append(arcs, arc{to[i], int32(w.weight(a))})
	}
	return arcs, to, steps.Quiet
}

// arcs returns the arcs of state n, valid until the next call, and reports whether that is
// quiet. It fails when the context ends.
func (w *weigher) arcs(n int) (arcs []arc, quiet bool, err error) {
	if w.asked++; w.asked%batchStates == 0 {
		err = w.ctx.Err()
	}
	if w.kept == nil {
		w.last, w.to, quiet = w.append(w.last[:0], w.to, w.graph.crew.workers[0], n)
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
	arcs, _, _ := w.arcs(n) // whether to go on is asked elsewhere
	for _, a := range arcs {
		out = append(out, a.to)
	}
	return out
}

// action is what is done along an arc of state n, by its place.
func (w *weigher) action(n, place int) Action { return w.graph.expand(n).Actions[place] }
