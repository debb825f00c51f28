package explore

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// ample is a scale at which a store omits nothing of a small graph.
var ample = scale{print: printBits, array: 16 << 20}

// mustLose searches d with a lossy store.
// lossless checks that a lossy search found what a search by the obvious way
// does, up to so many states.
func (w *walk) lossless(t rapid.TB, r *Result, states int) {
	t.Helper()
	got := r.Stats
	if got.Loss.Omitted > 1e-3 || got.Loss.Omitted <= 0 && states > 0 {
		t.Errorf("%+v", got.Loss)
	}
	got.Bytes, got.Width, got.Elapsed, got.Loss = 0, 0, 0, Loss{}
	if want := w.counts(states, got.Expanded); got != want {
		t.Fatalf("%+v\nwant %+v", got, want)
	}
	for n := 0; n < states; n += 1 + states/5 {
		w.checkPath(t, r, n)
		if got, want := r.Graph.Path(n), w.path(n); !slices.Equal(got.States, want.States) || !slices.Equal(got.Actions, want.Actions) {
			t.Errorf("path to state %d: %v, want %v", n, got, want)
		}
	}
}

// checkPath checks that the path to state n is one of steps, from an initial
// state.
func (w *walk) checkPath(t rapid.TB, r *Result, n int) {
	t.Helper()
	p := r.Graph.Path(n)
	at := make([]int, len(p.States))
	for i, n := range p.States {
		at[i] = drawn(r, n)
	}
	if len(p.Actions) != r.Graph.depthOf(n) || p.States[len(p.Actions)] != n || !slices.Contains(w.initial, at[0]) {
		t.Errorf("path to state %d, at depth %d: %v, from %d", n, r.Graph.depthOf(n), p, at[0])
	}
	for i, a := range p.Actions {
		if !slices.Contains(w.arrows[at[i]], arrow{a, at[i+1]}) {
			t.Errorf("path to state %d: there is no step %v from %d to %d", n, a, at[i], at[i+1])
		}
	}
}

// drawn returns the state of a drawing that has a number in a search.
func drawn(r *Result, n int) int {
	return int(packings[r.Graph.sys.(*drawing).packing].state(r.Graph.State(n)))
}

// lossyStores draws one of them.
func lossyStores(t *rapid.T) Store { return rapid.SampledFrom([]Store{Compact, Bits}).Draw(t, "store") }

// TestLossyFindsAll: with bits enough, a lossy search finds the same states, at
// the same places, as an exact one. But it does not claim so.
func TestLossyFindsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.Custom(func(t *rapid.T) *drawing {
			if rapid.Bool().Draw(t, "small") {
				return drawings(t)
			}
			return scatters(t)
		}).Draw(t, "graph")
		d.apart, d.packing = true, rapid.SampledFrom([]int{0, 3, 4}).Draw(t, "packing apart")
		w := newWalk(d)
		o := Options{Store: lossyStores(t), Workers: rapid.IntRange(1, 3).Draw(t, "workers")}
		r := mustSearchAt(t, d, o, ample)
		if r.Outcome != Depleted || r.Stats.Frontier != 0 {
			t.Errorf("%v: %+v", r.Outcome, r.Stats)
		}
		w.lossless(t, r, len(w.order))
		if marks, found := w.found(); r.Marks != marks || r.found != found {
			t.Errorf("marks %x %v, want %x %v", r.Marks, r.found, marks, found)
		}
		if _, err := r.Graph.Cycles(t.Context(), 0); err != ErrNotKept {
			t.Errorf("a look for cycles: %v", err)
		}
		if _, err := r.Graph.Extremes(t.Context(), func(Action) int { return 1 }, 0); err != ErrNotKept {
			t.Errorf("a look for extremes: %v", err)
		}
	})
}

// TestLossyLimits: a lossy search ends where an exact one does.
func TestLossyLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := scatters(t)
		d.apart, d.packing = true, 0
		w := newWalk(d)
		store := lossyStores(t)
		limit := rapid.IntRange(1, len(w.order)+2).Draw(t, "states")
		r := mustSearchAt(t, d, Options{Store: store, MaxStates: limit, Workers: 2}, ample)
		if limit < len(w.order) && r.Outcome != StateLimit || limit >= len(w.order) && r.Outcome != Depleted {
			t.Errorf("%v at %d of %d states", r.Outcome, r.Stats.States, len(w.order))
		}
		w.lossless(t, r, min(limit, len(w.order)))
		limit = rapid.IntRange(1, w.depths()+2).Draw(t, "depth")
		r = mustSearchAt(t, d, Options{Store: store, MaxDepth: limit}, ample)
		if limit < w.depths() && r.Outcome != DepthLimit || limit >= w.depths() && r.Outcome != Depleted {
			t.Errorf("%v at depth %d of %d", r.Outcome, r.Stats.Depth, w.depths())
		}
		w.lossless(t, r, r.Stats.States)
		if len(w.order) > 0 && d.marks[w.order[0]] != nil {
			bit := d.marks[w.order[0]][0].Bit
			if r := mustSearchAt(t, d, Options{Store: store, Stop: 1 << bit}, ample); r.Outcome != Stopped || r.Found(bit).State != 0 {
				t.Errorf("%v at %+v", r.Outcome, r.Found(bit))
			}
		}
	})
}

// TestLossyWorkers: what a lossy search omits does not depend on the workers.
func TestLossyWorkers(t *testing.T) {
	few := scale{chunk: 128, print: 16, array: 1 << 13}
	states := 2 * few.batchStates()
	d := scatter(1, states, states, states, states)
	d.every, d.apart, d.packing = 4000, true, 0
	all := mustSearch(t, d, Options{}).Stats.States
	for _, store := range []Store{Compact, Bits} {
		for _, o := range []Options{{}, {MaxStates: 2777}, {MaxDepth: 1}} {
			o.Store = store
			one := mustSearchAt(t, d, o, few)
			if o.MaxStates == 0 && one.Stats.States > all*99/100 {
				t.Errorf("nothing is omitted: %+v", one.Stats)
			}
			for _, o.Workers = range []int{2, 8} {
				many := mustSearchAt(t, d, o, few)
				x, y := one.Stats, many.Stats
				x.Elapsed, y.Elapsed = 0, 0
				if x != y || one.Outcome != many.Outcome || one.Marks != many.Marks || one.found != many.found {
					t.Errorf("one worker: %v %+v\n%d workers: %v %+v", one.Outcome, x, o.Workers, many.Outcome, y)
				}
				for n := 0; n < x.States; n += x.States / 7 {
					if a, b := drawn(one, n), drawn(many, n); a != b {
						t.Errorf("state %d is %d and %d", n, a, b)
					}
				}
			}
		}
	}
}

// TestLossyOmits: with too few bits states are omitted, and the search says how
// many are expected to be. Those found are real, and so are the ways to them.
func TestLossyOmits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := scatters(t)
		d.apart, d.packing = true, 0
		w := newWalk(d)
		sc := scale{print: uint(rapid.IntRange(6, 16).Draw(t, "print")), array: int64(rapid.IntRange(1, 2000).Draw(t, "array"))}
		r := mustSearchAt(t, d, Options{Store: lossyStores(t)}, sc)
		if r.Outcome != Depleted || r.Stats.States > len(w.order) {
			t.Errorf("%v: %d of %d states", r.Outcome, r.Stats.States, len(w.order))
		}
		if r.Stats.States < len(w.order) && r.Stats.Loss.Omitted < 1e-12 {
			t.Errorf("%d of %d states were found, and nothing seems to be omitted: %+v", r.Stats.States, len(w.order), r.Stats.Loss)
		}
		met := map[int]bool{}
		for n := 0; n < r.Stats.States; n += 1 + r.Stats.States/5 {
			w.checkPath(t, r, n)
			s := drawn(r, n)
			if depth, ok := w.depth[s]; !ok || depth > r.Graph.depthOf(n) || met[s] {
				t.Errorf("state %d at depth %d: reachable %v, at %d; met before %v", s, r.Graph.depthOf(n), ok, depth, met[s])
			}
			met[s] = true
		}
		for marks := r.Marks; marks != 0; marks &= marks - 1 {
			bit := uint8(bitOf(marks))
			f := r.Found(bit)
			if !slices.Contains(d.marks[drawn(r, f.State)], Mark{bit, f.OnStep, f.Action}) {
				t.Errorf("state %d bears no mark %d", drawn(r, f.State), bit)
			}
		}
	})
}

func bitOf(marks uint64) int { return int(math.Log2(float64(marks & -marks))) }

// TestLossyOdds: of states that only Initial yields, so that none is hidden
// behind another, as many are omitted as expected.
func TestLossyOdds(t *testing.T) {
	const states = 1 << 17
	packings := []int{0, 3, 4}
	if testing.Short() {
		packings = packings[1:2]
	}
	for _, packing := range packings {
		d := blank(states)
		d.packing = packing
		for s := range states {
			d.initial = append(d.initial, s)
		}
		for _, row := range []struct {
			store Store
			scale
		}{
			{Compact, scale{print: 30}},
			{Compact, scale{print: 24}},
			{Compact, scale{print: 16}},
			{Bits, scale{array: states * 20 / 8}},
			{Bits, scale{array: states * 5 / 8}},
			{Bits, scale{array: states / 8}},
		} {
			r := mustSearchAt(t, d, Options{Store: row.store}, row.scale)
			omitted, l := float64(states-r.Stats.States), r.Stats.Loss
			if last := r.Stats.States - 1; drawn(r, last) < last {
				t.Errorf("packing %d, %v %+v: state %d is %d, and comes before", packing, row.store, row.scale, last, drawn(r, last))
			}
			// The last state is known only up to 1/(1-Mistake) more, and fingerprints
			// of 24 bits use 255 of 256 values in a bucket.
			slack := 5*math.Sqrt(l.Omitted+1) + l.Omitted/50 + 5/(1-l.Mistake)
			if math.Abs(omitted-l.Omitted) > slack && row.print != 16 {
				t.Errorf("packing %d, %v %+v: %v omitted, %v expected", packing, row.store, row.scale, omitted, l.Omitted)
			}
			if c := l.Coverage(r.Stats.States); math.Abs(c-float64(r.Stats.States)/states) > slack/states && row.print != 16 {
				t.Errorf("packing %d, %v %+v: covers %v of %d, found %d", packing, row.store, row.scale, c, states, r.Stats.States)
			}
			if row.print == 16 && (l.Omitted < omitted/2 || l.Coverage(r.Stats.States) > .99) {
				t.Errorf("every fingerprint is taken: %+v", l)
			}
			if any := l.Any(); any < 0 || any > 1 || l.Omitted > 10 && any < .999 {
				t.Errorf("%v are expected, any with %v", l.Omitted, any)
			}
		}
	}
}

// TestLossyOfOneHash: a store of hashes cannot tell states apart that have the
// same.
func TestLossyOfOneHash(t *testing.T) {
	d := blank(32)
	d.packing = 1
	for s := range d.arrows {
		d.initial = append(d.initial, s)
	}
	for _, store := range []Store{Compact, Bits} {
		if r := mustSearchAt(t, d, Options{Store: store}, ample); r.Stats.States != 2 || r.Outcome != Depleted {
			t.Errorf("%v: %d of 2 hashes, %v", store, r.Stats.States, r.Outcome)
		}
	}
}

// TestLossyMemory: a lossy search keeps to its memory, of which an array of bits
// takes half.
func TestLossyMemory(t *testing.T) {
	d := cube(16)
	for _, store := range []Store{Compact, Bits} {
		for _, limit := range []int64{1, 1 << 20, 3 << 20, 4 << 20} {
			one := mustSearchAt(t, d, Options{Store: store, Memory: limit}, standardScale)
			if one.Outcome == Depleted && (one.Stats.Bytes > limit || one.Stats.States < 65000) || one.Outcome != Depleted && one.Outcome != MemoryLimit {
				t.Errorf("%v, limit %d: %v, %+v", store, limit, one.Outcome, one.Stats)
			}
			if (one.Outcome == Depleted) != (limit >= 4<<20) && store == Compact {
				t.Errorf("%v, limit %d: %v, %+v", store, limit, one.Outcome, one.Stats)
			}
			if many := mustSearchAt(t, d, Options{Store: store, Memory: limit, Workers: 4}, standardScale); many.Stats.States != one.Stats.States || many.Stats.Bytes != one.Stats.Bytes {
				t.Errorf("%+v\nor with four workers %+v", one.Stats, many.Stats)
			}
		}
		if _, err := Search(t.Context(), d, Options{Store: store, Spill: t.TempDir()}); err == nil {
			t.Error("it spills what it has not")
		}
	}
}

// TestLossyInterrupted: whenever it happens, an interrupted search says so.
func TestLossyInterrupted(t *testing.T) {
	d := cube(10)
	for call := 1; call <= 10; call++ {
		calls := 0
		ctx, cancel := context.WithCancel(t.Context())
		r, err := Search(ctx, d, Options{Store: Compact, Progress: func(s Stats) {
			if calls++; calls == call {
				cancel()
			}
		}})
		cancel()
		if err != nil || r.Outcome != Interrupted {
			t.Errorf("%v, %v", r.Outcome, err)
		}
	}
	d.refusal = fmt.Errorf("too much to learn")
	d.lessons[0] = true
	if _, err := Search(t.Context(), d, Options{Store: Compact}); err != d.refusal {
		t.Errorf("%v", err)
	}
}

// TestTrail: what is added is read again.
func TestTrail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		later := rapid.OneOf(rapid.IntRange(0, 5), rapid.IntRange(0, 1<<31))
		steps := rapid.OneOf(rapid.IntRange(0, 70), rapid.IntRange(0, 1<<32-1))
		all := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]int { return [2]int{later.Draw(t, "later"), steps.Draw(t, "step")} }), 1, 50).Draw(t, "births")
		repeat := rapid.IntRange(1, 200).Draw(t, "times")
		var tr parentLog
		var want [][2]int
		parent := -1
		for range repeat {
			for _, b := range all {
				if len(want) > 0 {
					parent += b[0]
				}
				tr.add(parent, b[1])
				want = append(want, [2]int{parent, b[1]})
			}
		}
		for n := 0; n < len(want); n += 1 + len(want)/50 {
			if p, s := tr.parent(n); [2]int{p, s} != want[n] {
				t.Fatalf("state %d: %d %d, want %v", n, p, s, want[n])
			}
		}
	})
}

// TestBucket compares a bucket with a map.
func TestBucket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bucket
		model := map[uint64]bool{}
		near := rapid.Uint64Range(1, 1<<40-1).Draw(t, "near")
		some := rapid.OneOf(rapid.Uint64Range(1, 30), rapid.Uint64Range(near, 1<<40-1), rapid.Uint64Range(1, 1<<40-1), rapid.Uint64Range(1<<40-30, 1<<40-1))
		for _, print := range rapid.SliceOf(some).Draw(t, "prints") {
			if added := b.add(print); added == model[print] {
				t.Fatalf("%x: added %v", print, added)
			}
			model[print] = true
			if b.count != len(model) {
				t.Fatalf("%d of %d", b.count, len(model))
			}
		}
	})
}

// BenchmarkStores searches a graph of a million states.
func BenchmarkStores(b *testing.B) {
	d := cube(20)
	for _, store := range []Store{Exact, Compact, Bits} {
		b.Run(store.String(), func(b *testing.B) {
			for b.Loop() {
				r, err := Search(b.Context(), d, Options{Store: store})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Stats.Bytes)/float64(r.Stats.States), "B/state")
				b.ReportMetric(float64(r.Stats.States)/r.Stats.Elapsed.Seconds(), "states/s")
				b.ReportMetric(r.Stats.Loss.Omitted, "omitted")
			}
		})
	}
}
