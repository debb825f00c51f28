package simulate

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"

	"interleave/explore"
	"interleave/internal/cell"
	"interleave/model"
	"interleave/spec"
)

// meaning is what is known of a step from its action.
type meaning struct {
	thread uint32
	of     spec.ID
	event  uint64 // a hash, the same in all tables
}

// meaning returns what is known of step k out of the state.
func (w *walker) meaning(k int) meaning {
	a := w.out.Actions[k]
	if !w.tables { // where an action means something only in its state
		return w.meaningOf(a)
	}
	m, known := w.meanings[a]
	if !known {
		m = w.meaningOf(a)
		w.meanings[a] = m
	}
	return m
}

func (w *walker) meaningOf(a explore.Action) meaning {
	e := w.sys.Event(w.words, a)
	m := meaning{of: e.Process, event: hash(e)}
	switch {
	case e.Action.HasStep() && e.Step.Kind == spec.Receive:
		m.thread = 1<<16 | uint32(e.Step.From)<<8 | uint32(e.Process)
	default:
		m.thread = uint32(e.Process)<<8 | uint32(a.Kind())
	}
	return m
}

// hash returns a number for a value that has JSON. It is used to count, and two that are the same lose one.
func hash(v any) uint64 {
	h := fnv.New64a()
	if err := json.NewEncoder(h).Encode(v); err != nil {
		panic(fmt.Sprintf("simulate: a plain value has no JSON: %v", err))
	}
	return h.Sum64()
}

// local is what is known of a local state.
type local struct{ whole, view uint64 }

// local returns what is known of the local state of a process with a number.
func (w *walker) local(p spec.ID, number uint32) local {
	known := &w.locals[p]
	for int(number) >= len(*known) {
		*known = append(*known, local{})
	}
	l := &(*known)[number]
	if l.whole == 0 {
		value := w.sys.Local(p, number)
		*l = local{hash(value) | 1, w.viewOf(p, value)}
	}
	return *l
}

// viewOf returns a hash of what is seen of a process in a local state: whether it is up, whom it follows, and the views of
// the properties; all of it where nobody is followed and there are no views.
func (w *walker) viewOf(p spec.ID, l model.Local) uint64 {
	if !w.traits.Elects && !slices.ContainsFunc(w.watches, func(watch model.Watch) bool { return watch.View != nil }) {
		return hash(l)
	}
	seen := []any{p, l.Status, l.Initiator}
	if w.traits.Elects && l.Status != model.Down {
		seen = append(seen, w.traits.Leader(l.State))
	}
	for _, watch := range w.watches {
		if watch.View != nil && l.State != nil {
			seen = append(seen, fmt.Sprintf("%v", cell.Try(watch.View(cell.Value(l.State)))))
		}
	}
	return hash(seen)
}

// sight is something that a run met, and after how many steps.
type sight struct {
	hash uint64
	step int
	view bool
}

// mostSeen bounds what is kept of local steps, and of views.
const mostSeen = 1 << 19

// look notes the view of the state, if it is new to the walker.
func (w *walker) look(r *result) {
	w.numbers = w.sys.Locals(w.words, w.numbers[:0])
	view := uint64(0)
	for i, number := range w.numbers {
		view = view*31 + w.local(spec.ID(i+1), number).view
	}
	w.see(r, sight{view, w.step, true})
}

// see notes what a run meets, if it is new to the walker.
func (w *walker) see(r *result, s sight) {
	if _, seen := w.seen[s.hash]; seen {
		return
	}
	if len(w.seen) >= 2*mostSeen {
		clear(w.seen)
	}
	w.seen[s.hash] = struct{}{}
	r.fresh = append(r.fresh, s)
}

// mark notes the local step that is taken: step k out of the state.
func (w *walker) mark(r *result, k int) {
	m := w.meaning(k)
	h := m.event
	if m.of != spec.None {
		h = h*31 + w.local(m.of, w.numbers[m.of-1]).whole
	}
	w.see(r, sight{h, w.step + 1, false})
}

// coverage is what all runs have met.
type coverage struct {
	seen   map[uint64]struct{}
	counts [2]int // local steps, and views
	points []point
	stride int
	corpus [][]uint16
	turn   int
}

// point is what was met by so many runs.
type point struct {
	runs   int
	counts [2]int
}

const mostPoints, mostCorpus = 1 << 10, 1 << 10

func newCoverage() *coverage { return &coverage{seen: map[uint64]struct{}{}, stride: 1} }

// add notes what the next run met.
func (c *coverage) add(runs int, r *result) {
	news := 0
	for _, s := range r.fresh {
		kind := 0
		if s.view {
			kind = 1
		}
		if _, known := c.seen[s.hash]; known || c.counts[kind] == mostSeen {
			continue
		}
		c.seen[s.hash] = struct{}{}
		c.counts[kind]++
		news = s.step
	}
	if news > 0 && r.choices != nil {
		c.keep(slices.Clone(r.choices[:news]))
	}
	if runs%c.stride == 0 {
		c.points = append(c.points, point{runs, c.counts})
	}
	if len(c.points) == mostPoints {
		for i := range mostPoints / 2 {
			c.points[i] = c.points[2*i+1]
		}
		c.points, c.stride = c.points[:mostPoints/2], 2*c.stride
	}
}

// keep adds to the corpus, in place of the oldest if it is full.
func (c *coverage) keep(prefix []uint16) {
	if len(c.corpus) < mostCorpus {
		c.corpus = append(c.corpus, prefix)
		return
	}
	c.corpus[c.turn%mostCorpus] = prefix
	c.turn++
}

// late returns how many local steps and views were first met in the last tenth of so many runs.
func (c *coverage) late(runs int) [2]int {
	before := [2]int{}
	for _, p := range c.points {
		if 10*p.runs <= 9*runs {
			before = p.counts
		}
	}
	return [2]int{c.counts[0] - before[0], c.counts[1] - before[1]}
}
