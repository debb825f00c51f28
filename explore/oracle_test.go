package explore

import (
	"context"
	"slices"

	"pgregory.net/rapid"
)

// walk is what the search of a drawing must find, found the obvious way.
type walk struct {
	*drawing
	order []int // states, in the order in which they are met
	first int   // how many of them are initial
	depth map[int]int
	from  map[int]int // the state where each was met first
}

func newWalk(d *drawing) *walk {
	w := &walk{drawing: d, depth: map[int]int{}, from: map[int]int{}}
	meet := func(s, from, depth int) {
		if _, met := w.depth[s]; !met {
			w.order = append(w.order, s)
			w.depth[s], w.from[s] = depth, from
		}
	}
	for _, s := range d.initial {
		meet(s, -1, 0)
	}
	w.first = len(w.order)
	for i := 0; i < len(w.order); i++ {
		for _, a := range d.arrows[w.order[i]] {
			meet(a.to, w.order[i], w.depth[w.order[i]]+1)
		}
	}
	return w
}

// depths returns the depth of the deepest state.
func (w *walk) depths() int {
	if len(w.order) == 0 {
		return 0
	}
	return w.depth[w.order[len(w.order)-1]]
}

// counts returns the statistics of a search that found and expanded so many
// states.
func (w *walk) counts(states, expanded int) Stats {
	c := Stats{Initial: min(w.first, states), States: states, Expanded: expanded, Frontier: states - expanded}
	for _, s := range w.order[:states] {
		c.Depth = w.depth[s]
	}
	for _, s := range w.order[:expanded] {
		quiet := 1
		for _, a := range w.arrows[s] {
			c.Transitions++
			c.Fired[a.action.Kind()]++
			if a.action.Kind() != uint8(failure) {
				quiet = 0
			}
		}
		c.Quiet += quiet
	}
	return c
}

// found returns the first bearer of each mark.
func (w *walk) found() (marks uint64, found [64]Found) {
	for n, s := range w.order {
		for _, m := range w.marks[s] {
			if marks>>m.Bit&1 == 0 {
				marks |= 1 << m.Bit
				found[m.Bit] = Found{State: n, Depth: w.depth[s], OnStep: m.OnStep, Action: m.Action}
			}
		}
	}
	return marks, found
}

// path returns the path to state number n by which it was met first.
func (w *walk) path(n int) Path {
	p := Path{States: []int{n}, Actions: []Action{}}
	for s := w.order[n]; w.from[s] >= 0; s = w.from[s] {
		from := w.from[s]
		i := slices.IndexFunc(w.arrows[from], func(a arrow) bool { return a.to == s })
		p.States = slices.Insert(p.States, 0, slices.Index(w.order, from))
		p.Actions = slices.Insert(p.Actions, 0, w.arrows[from][i].action)
	}
	return p
}

// cyclic takes away, again and again, a state that no step leads to: some stay
// if there is a cycle.
func (w *walk) cyclic() bool {
	into := map[int]int{}
	for _, s := range w.order {
		for _, a := range w.arrows[s] {
			into[a.to]++
		}
	}
	free := slices.DeleteFunc(slices.Clone(w.order), func(s int) bool { return into[s] > 0 })
	taken := 0
	for ; len(free) > 0; taken++ {
		s := free[0]
		free = free[1:]
		for _, a := range w.arrows[s] {
			if into[a.to]--; into[a.to] == 0 {
				free = append(free, a.to)
			}
		}
	}
	return taken < len(w.order)
}

// agree checks all of an exhausted search of d.
func agree(t rapid.TB, d *drawing, r *Result) {
	t.Helper()
	w := newWalk(d)
	if r.Outcome != Exhausted {
		t.Fatalf("the search ended: %v", r.Outcome)
	}
	if r.Stats.Loss != (Loss{}) {
		t.Errorf("an exact search has lost %+v", r.Stats.Loss)
	}
	if r.Stats.Frontier > 0 {
		t.Errorf("%d states were not expanded", r.Stats.Frontier)
	}
	w.agree(t, r, len(w.order))
	if marks, found := w.found(); r.Marks != marks || r.found != found {
		t.Errorf("marks %x %v, want %x %v", r.Marks, r.found, marks, found)
	}
	if ok, _ := r.Graph.Cycles(context.Background(), 0); ok != w.cyclic() {
		t.Errorf("a cycle: %v", ok)
	}
}

// agree checks what a search found that ended with so many states.
func (w *walk) agree(t rapid.TB, r *Result, states int) {
	t.Helper()
	got := r.Stats
	got.Bytes, got.Width, got.Elapsed = 0, 0, 0
	if want := w.counts(states, got.Expanded); got != want {
		t.Fatalf("%+v\nwant %+v", got, want)
	}
	if got := statesOf(r); !slices.Equal(got, w.order[:states]) {
		t.Fatalf("states %v, want %v", got, w.order)
	}
	for n := 0; n < states; n += 1 + states/5 {
		if got, want := r.Graph.Path(n), w.path(n); !slices.Equal(got.States, want.States) || !slices.Equal(got.Actions, want.Actions) {
			t.Errorf("path to state %d: %v, want %v", n, got, want)
		}
	}
}

// statesOf returns the states of a search of a drawing, by number.
func statesOf(r *Result) []int {
	p := packings[r.Graph.sys.(*drawing).packing]
	var states []int
	for n := range r.Graph.States() {
		states = append(states, int(p.state(r.Graph.State(n))))
	}
	return states
}
