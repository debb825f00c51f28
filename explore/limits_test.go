package explore

import (
	"context"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"interleave/internal/testsize"
)

// TestOutcomes: nothing is claimed before a search has ended, and each way to
// end has words of its own.
func TestOutcomes(t *testing.T) {
	var r Result
	if r.Outcome != Unfinished {
		t.Errorf("a search that was not done ended: %v", r.Outcome)
	}
	words := map[string]bool{}
	for o := Unfinished; o <= Depleted; o++ {
		words[o.String()] = true
	}
	if len(words) != int(Depleted)+1 || words[""] {
		t.Errorf("words for outcomes: %v", words)
	}
}

// TestLighten: many workers leave the rest to few where memory is short, and find the same.
func TestLighten(t *testing.T) {
	const workers = 4
	alone := mustSearch(t, cube(18), Options{Workers: 1})
	for memory, left := range map[int64]int{0: workers, 1 << 30: workers, 20 << 20: mostInPipeline} {
		if testing.Short() && memory != 20<<20 {
			continue
		}
		r := mustSearch(t, cube(18), Options{Workers: workers, Memory: memory})
		if n := len(r.Graph.pool.workers); n != left {
			t.Errorf("within %d bytes %d workers are left, want %d", memory, n, left)
		}
		if got, want := r.Stats, alone.Stats; got.States != want.States || got.Transitions != want.Transitions || got.Depth != want.Depth || got.Quiet != want.Quiet {
			t.Errorf("within %d bytes: %+v, want %+v", memory, got, want)
		}
		for n := range 1000 {
			if !slices.Equal(r.Graph.State(n), alone.Graph.State(n)) {
				t.Fatalf("within %d bytes state %d is another", memory, n)
			}
		}
	}
}

// hoarding is a drawing whose expanders hold memory.
type hoarding struct {
	*drawing
	each int64
}

type hoarder struct {
	Expander
	holds int64
}

func (h hoarding) Expander() Expander { return hoarder{h.drawing.Expander(), h.each} }
func (h hoarder) Held() int64         { return h.holds }

// TestHoard: what expanders hold is within the limit on memory, too, and is not of the states.
func TestHoard(t *testing.T) {
	const memory = 8 << 20
	var few int64
	for each, want := range map[int64]Outcome{0: Exhausted, memory / 4: Exhausted, memory * 3 / 4: MemoryLimit} {
		r, err := Search(t.Context(), hoarding{cube(10), each}, Options{Workers: 2, Memory: memory})
		if err != nil || r.Outcome != want {
			t.Errorf("%d bytes are held by each of two, of %d: %v, want %v", each, memory, r.Outcome, want)
		}
		if want == Exhausted && few != 0 && few != r.Stats.Bytes {
			t.Errorf("the states take %d bytes or %d", few, r.Stats.Bytes)
		} else if want == Exhausted {
			few = r.Stats.Bytes
		}
	}
	d := cube(10)
	d.size = memory / 2
	if r, err := Search(t.Context(), d, Options{Workers: 2, Memory: memory}); err != nil || r.Outcome != Exhausted {
		t.Errorf("the system holds %d bytes of %d, whoever works on it: %v, %v", d.size, memory, r.Outcome, err)
	}
}

// TestMaxStates: the states kept are the first of those that there are.
func TestMaxStates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := scatters(t)
		w := newWalk(d)
		limit := rapid.IntRange(1, len(w.order)+2).Draw(t, "limit")
		r := mustSearch(t, d, Options{MaxStates: limit, Workers: 2})
		if want := limited(StateLimit, limit < len(w.order)); r.Outcome != want {
			t.Errorf("%v at %d of %d states", r.Outcome, r.Stats.States, len(w.order))
		}
		w.agree(t, r, min(limit, len(w.order)))
	})
}

// TestMaxDepth: states at the limit are expanded, those one step on only found.
func TestMaxDepth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := scatters(t)
		w := newWalk(d)
		limit := rapid.IntRange(1, w.depths()+2).Draw(t, "limit")
		r := mustSearch(t, d, Options{MaxDepth: limit, Workers: 2})
		if want := limited(DepthLimit, limit < w.depths()); r.Outcome != want {
			t.Errorf("%v at depth %d of %d", r.Outcome, r.Stats.Depth, w.depths())
		}
		kept, expanded := 0, 0
		for _, depth := range w.depth {
			if depth <= limit+1 {
				kept++
			}
			if depth <= limit {
				expanded++
			}
		}
		if r.Stats.Expanded != expanded {
			t.Errorf("%d states expanded, want %d", r.Stats.Expanded, expanded)
		}
		w.agree(t, r, kept)
	})
}

// limited returns the outcome of a search that reaches a limit, or does not.
func limited(limit Outcome, reached bool) Outcome {
	if reached {
		return limit
	}
	return Exhausted
}

// TestStop: the search ends soon after it met a mark that it was to stop at,
// and remembers what a search of everything would.
func TestStop(t *testing.T) {
	d := cube(12)
	bearer := 1<<12 - 1<<6 // far enough up for most states to be left out
	d.marks[1], d.marks[bearer] = []Mark{{Bit: 3}}, []Mark{{Bit: 4, OnStep: true, Action: 99}}
	all := mustSearch(t, d, Options{Stop: 1 << 5})
	agree(t, d, all)
	for _, workers := range []int{1, 2, 8} {
		r := mustSearch(t, d, Options{Stop: 1<<4 | 1<<5, Workers: workers})
		if r.Outcome != Stopped || r.Stats.Frontier == 0 || r.Stats.States >= all.Stats.States {
			t.Errorf("%v: %+v", r.Outcome, r.Stats)
		}
		if r.Marks != 1<<3|1<<4 || r.found != all.found {
			t.Errorf("marks %x: %v, want %v", r.Marks, r.found, all.found)
		}
		if p := r.Graph.Path(r.Found(4).State); len(p.Actions) != 6 {
			t.Errorf("path to the mark: %v", p)
		}
		newWalk(d).agree(t, r, r.Stats.States)
		states := map[int]bool{}
		for _, s := range statesOf(r) {
			states[s] = true
		}
		for _, s := range statesOf(r)[:r.Stats.Expanded] {
			for _, a := range d.arrows[s] {
				if !states[a.to] {
					t.Errorf("state %d is expanded, and state %d not found", s, a.to)
				}
			}
		}
	}
}

// TestMemory: states and table never take more than the limit, if it allows for
// the table that a search begins with; the more they may take the more is found.
func TestMemory(t *testing.T) {
	testsize.Alone(t)
	d := cube(15)
	w := newWalk(d)
	all := mustSearch(t, d, Options{})
	states := 0
	for limit := newStore(1).bytes(); limit <= all.Stats.Bytes; limit += all.Stats.Bytes / 5 {
		r := mustSearch(t, d, Options{Memory: limit})
		if held := r.Graph.store.bytes(); held > limit {
			t.Errorf("limit %d: %d bytes in states and table", limit, held)
		}
		if r.Outcome != MemoryLimit || r.Stats.States < states || r.Stats.States == all.Stats.States {
			t.Errorf("limit %d: %v at %d states, after %d", limit, r.Outcome, r.Stats.States, states)
		}
		w.agree(t, r, r.Stats.States)
		states = r.Stats.States
	}
	for limit := int64(100_000); limit < all.Stats.Bytes; limit += 200_000 {
		alone := mustSearch(t, d, Options{Memory: limit})
		for _, workers := range []int{2, 8} {
			crowd := mustSearch(t, d, Options{Memory: limit, Workers: workers})
			if alone.Outcome != crowd.Outcome || alone.Stats.States != crowd.Stats.States || alone.Stats.Bytes != crowd.Stats.Bytes {
				t.Errorf("limit %d: %+v with one worker, %+v with %d", limit, alone.Stats, crowd.Stats, workers)
			}
		}
	}
	if r := mustSearch(t, d, Options{Memory: 2 * all.Stats.Bytes}); r.Outcome != Exhausted {
		t.Errorf("%v, with memory to spare", r.Outcome)
	}
}

// TestMemoryOfSystem: what the system holds counts, too.
func TestMemoryOfSystem(t *testing.T) {
	d := draw("a", "ab")
	d.size = 1 << 40
	if r := mustSearch(t, d, Options{Memory: 1 << 40}); r.Outcome != MemoryLimit || r.Stats.States != 0 {
		t.Errorf("%v with %d states", r.Outcome, r.Stats.States)
	}
}

// TestWithinLevel: a search that has a reason to end does not finish the level,
// and the first reason counts, even if the context ends as well.
func TestWithinLevel(t *testing.T) {
	d := blank(batchStates + 2)
	for s := range batchStates + 1 {
		d.initial = append(d.initial, s)
	}
	d.arrows[0] = []arrow{{advance, batchStates + 1}}
	d.marks[0] = []Mark{{Bit: 0}}
	for want, o := range map[Outcome]Options{
		StateLimit:  {MaxStates: batchStates + 1},
		Stopped:     {Stop: 1},
		Interrupted: {},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		o.Progress = func(Stats) { cancel() }
		r, err := Search(ctx, d, o)
		if err != nil || r.Outcome != want || r.Stats.Expanded != batchStates {
			t.Errorf("%v after %d states, want %v", r.Outcome, r.Stats.Expanded, want)
		}
	}
}

// TestCycleCancelled: a look for a cycle that is cut short does not say that
// there is none.
func TestCycleCancelled(t *testing.T) {
	wide := blank(batchStates + 2) // its cycle is closed by the last state of all
	wide.initial = []int{0}
	for s := range batchStates + 1 {
		wide.arrows[0] = append(wide.arrows[0], arrow{Action(s), s + 1})
	}
	wide.arrows[batchStates+1] = []arrow{{advance, 0}}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, d := range map[string]*drawing{"wide": wide, "no cycle": draw("ab", "bc ca")} {
		g := mustSearch(t, d, Options{}).Graph
		if ok, err := g.Cycles(cancelled, 0); ok || err != context.Canceled {
			t.Errorf("%s, cancelled: %v, %v", name, ok, err)
		}
		if ok, err := g.Cycles(t.Context(), 0); ok != (d == wide) || err != nil {
			t.Errorf("%s: %v, %v", name, ok, err)
		}
	}
	forward := mustSearch(t, draw("a", "ab"), Options{}).Graph
	if ok, err := forward.Cycles(cancelled, 0); ok || err != nil {
		t.Errorf("no look is needed: %v, %v", ok, err)
	}
}

func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, d := range []*drawing{draw("a", ""), draw("a", "ab ba"), cube(10)} {
		r, err := Search(ctx, d, Options{})
		if err != nil || r.Outcome != Interrupted {
			t.Errorf("%v, %v", r.Outcome, err)
		}
		newWalk(d).agree(t, r, r.Stats.States)
	}
}

// TestCancelledDuring: whenever it happens, even when all states are expanded,
// an interrupted search says so.
func TestCancelledDuring(t *testing.T) {
	const dimension = 10
	d := cube(dimension)
	for call := 1; call <= dimension+2; call++ {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		r, err := Search(ctx, d, Options{Progress: func(s Stats) {
			if calls++; calls == call {
				cancel()
			}
		}})
		cancel()
		want := Interrupted
		if calls < call {
			want = Exhausted
		}
		if err != nil || r.Outcome != want || calls > call {
			t.Errorf("cancelled in call %d of %d: %v, %v", call, calls, r.Outcome, err)
		}
		newWalk(d).agree(t, r, r.Stats.States)
	}
}

// TestProgress: the counts given on the way only grow, up to the last.
func TestProgress(t *testing.T) {
	var last Stats
	r := mustSearch(t, cube(10), Options{Progress: func(s Stats) {
		if s.States < last.States || s.Expanded <= last.Expanded || s.Depth < last.Depth || s.Frontier != s.States-s.Expanded {
			t.Errorf("%+v\nafter %+v", s, last)
		}
		last = s
	}})
	if last.Expanded != r.Stats.Expanded || last.Transitions != r.Stats.Transitions {
		t.Errorf("last %+v\nresult %+v", last, r.Stats)
	}
}

// TestMemoryOfRepacking: states that grow wider may go beyond the limit, which
// ends the search at once; paths are still to be had.
func TestMemoryOfRepacking(t *testing.T) {
	const states = 40_000
	d := blank(states)
	for s := range states {
		d.initial = append(d.initial, s)
		d.arrows[s] = []arrow{{advance, (s + 1) % states}}
	}
	limit := mustSearch(t, d, Options{}).Stats.Bytes * 5 / 4
	d.lessons[states-1], d.every = true, 1 // which widens states from one word to two
	r := mustSearch(t, d, Options{Memory: limit})
	if r.Outcome != MemoryLimit || r.Stats.Width != 2 || r.Stats.States != states {
		t.Errorf("%v: %+v", r.Outcome, r.Stats)
	}
	if p := r.Graph.Path(states - 1); len(p.States) != 1 {
		t.Errorf("%+v", p)
	}
}

// TestStoppedBeyondLimit: what the search was to stop at is told rather than a
// limit that the same batch of states goes beyond.
func TestStoppedBeyondLimit(t *testing.T) {
	d := draw("a", "ab").bear('a', Mark{Bit: 0})
	for _, workers := range []int{0, 2, 3} {
		if r := mustSearch(t, d, Options{Stop: 1, MaxStates: 1, Workers: workers}); r.Outcome != Stopped || r.Stats.States != 1 {
			t.Errorf("%d workers: %v, %+v", workers, r.Outcome, r.Stats)
		}
	}
}

// TestFilterForgets: an empty filter remembers nothing, not even zeros.
func TestFilterForgets(t *testing.T) {
	f := newFilter()
	for _, zero := range [][]uint64{{0}, {0, 0}, {0, 0, 0}, {0}} {
		f.forget()
		if f.seen(zero, Hash(zero)) {
			t.Error("it remembers what it has not seen")
		}
		if !f.seen(zero, Hash(zero)) {
			t.Error("it does not remember what it has seen")
		}
		f.forget()
	}
}

// TestOutOfTime: a search that a deadline has ended says so, on disk, too.
func TestOutOfTime(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	for _, o := range []Options{{}, {Spill: t.TempDir()}} {
		r, err := searchAt(ctx, cube(10), o, tiny)
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome != TimeLimit {
			t.Errorf("%v", r.Outcome)
		}
		r.Graph.Close()
	}
}

// TestCancelledWhileLearning: a search that learns forever ends with its
// context.
func TestCancelledWhileLearning(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d := &dunce{drawing: draw("a", "ab"), after: 3, cancel: cancel}
	r, err := Search(ctx, d, Options{})
	if err != nil || r.Outcome != Interrupted || r.Stats.States != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// dunce learns nothing, and is interrupted after some lessons.
type dunce struct {
	*drawing
	after  int
	cancel func()
}

func (d *dunce) Learn([][]uint64) (Repack, error) {
	if d.after--; d.after == 0 {
		d.cancel()
	}
	return nil, nil
}

func (d *dunce) Expander() Expander { return d }

func (d *dunce) Expand([]uint64, *Steps) bool { return false }
func (d *dunce) Held() int64                  { return 0 }

// TestSqueezed: when memory grows short, states are taken in one by one. That
// keeps the other limits, and sees that steps lead back.
func TestSqueezed(t *testing.T) {
	const states, last = 5000, 4999
	d := blank(states)
	d.initial = []int{0}
	for to := 1; to < states; to++ {
		d.arrows[0] = append(d.arrows[0], arrow{advance | Action(to)<<8, to})
	}
	for to := range states {
		d.arrows[last] = append(d.arrows[last], arrow{advance | Action(to)<<8, to})
	}
	all := mustSearch(t, d, Options{})
	for _, workers := range []int{1, 2, 8} {
		r := mustSearch(t, d, Options{Memory: all.Stats.Bytes, Workers: workers})
		same(t, all, r)
		if ok, _ := r.Graph.Cycles(context.Background(), 0); r.Outcome != Exhausted || !ok {
			t.Errorf("%v, and a cycle: %v", r.Outcome, ok)
		}
		for _, most := range []int{1, 2, 4096} {
			r := mustSearch(t, d, Options{Memory: all.Stats.Bytes - 1, MaxStates: most, Workers: workers})
			if r.Outcome != StateLimit || r.Stats.States != most {
				t.Errorf("%v at %d states, and %d are allowed", r.Outcome, r.Stats.States, most)
			}
		}
	}
}
