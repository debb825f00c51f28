package explore

import (
	"context"
	"math/bits"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawings makes graphs of a few states, which shrink to the smallest that fails.
func drawings(t *rapid.T) *drawing {
	n := rapid.IntRange(1, 12).Draw(t, "states")
	states := rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 4)
	d := blank(n)
	d.initial = states.Draw(t, "initial")
	for s := range n {
		for i, to := range states.Draw(t, "steps") {
			kind := rapid.SampledFrom([]Action{0, advance, failure}).Draw(t, "kind")
			d.arrows[s] = append(d.arrows[s], arrow{kind | Action(i)<<8, to})
		}
	}
	for _, s := range states.Draw(t, "bearers") {
		d.marks[s] = append(d.marks[s], Mark{
			Bit:    rapid.SampledFrom([]uint8{0, 1, 63}).Draw(t, "bit"),
			OnStep: rapid.Bool().Draw(t, "on step"),
			Action: Action(rapid.Byte().Draw(t, "action")),
		})
	}
	for _, s := range states.Draw(t, "lessons") {
		d.lessons[s] = true
	}
	d.every = rapid.IntRange(0, 3).Draw(t, "every")
	d.packing = rapid.IntRange(0, len(packings)-1).Draw(t, "packing")
	return d
}

// scatters makes graphs of some thousand states, of which a level is several
// chunks.
func scatters(t *rapid.T) *drawing {
	n := rapid.IntRange(1, 3000).Draw(t, "states")
	return scatter(rapid.Uint64().Draw(t, "seed"), n,
		rapid.IntRange(0, n).Draw(t, "initial"),
		rapid.SampledFrom([]int{0, 0, 1, n}).Draw(t, "back"),
		rapid.SampledFrom([]int{1, 10, n}).Draw(t, "forth"))
}

func TestSmallGraphs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawings(t)
		agree(t, d, mustSearch(t, d, Options{}))
	})
}

func TestGraphs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := scatters(t)
		r := mustSearch(t, d, Options{})
		agree(t, d, r)
		for _, workers := range []int{2, 8} {
			same(t, r, mustSearch(t, d, Options{Workers: workers}))
		}
	})
}

// TestWorkersChangeNothing searches a graph with a level of several batches, to
// the end and up to limits.
func TestWorkersChangeNothing(t *testing.T) {
	few := scale{chunk: 128}
	states := 2 * few.batchStates()
	d := scatter(1, states, states, states, states)
	d.every = 400
	w := newWalk(d)
	if w.first <= few.batchStates() {
		t.Fatalf("only %d initial states", w.first)
	}
	d.marks[w.order[w.first-1]] = []Mark{{Bit: 63}}
	d.marks[w.order[0]] = []Mark{{Bit: 62}} // long before the end of a batch, all of which is counted
	for _, o := range []Options{{}, {MaxStates: 2777}, {MaxStates: w.first + 777}, {MaxDepth: 1}, {Stop: 1 << 63}, {Stop: 1 << 62}} {
		for _, d := range []*drawing{d, d.learnt()} { // which one worker expands at once, and chunk by chunk
			one := mustSearchAt(t, d, o, few)
			if one.Outcome == Exhausted {
				agree(t, d, one)
			}
			for _, o.Workers = range []int{2, 8} {
				same(t, one, mustSearchAt(t, d, o, few))
			}
			o.Workers = 0
		}
	}
}

// TestIgnore: what is not looked for is not found, and ends nothing.
func TestIgnore(t *testing.T) {
	d := draw("a", "ab bc").bear('b', Mark{Bit: 3}, Mark{Bit: 4}).bear('c', Mark{Bit: 3})
	if r := mustSearch(t, d, Options{Ignore: 1 << 3, Stop: 1 << 3}); r.Outcome != Exhausted || r.Marks != 1<<4 {
		t.Errorf("%v, marks %x", r.Outcome, r.Marks)
	}
}

// TestCube searches a graph of which all is known in closed form.
func TestCube(t *testing.T) {
	const dimension = 15
	d := cube(dimension)
	corner := 1<<dimension - 1
	d.marks[corner] = []Mark{{Bit: 5}}
	r := mustSearch(t, d, Options{Workers: 8})
	same(t, r, mustSearch(t, d, Options{Workers: 2}))
	s := r.Stats
	if s.States != 1<<dimension || s.Transitions != dimension<<(dimension-1) || s.Depth != dimension || s.Quiet != 1 {
		t.Errorf("%d states, %d transitions, depth %d, %d quiet", s.States, s.Transitions, s.Depth, s.Quiet)
	}
	for kind, n := range s.Fired {
		if kind < dimension && n != 1<<(dimension-1) || kind >= dimension && n != 0 {
			t.Errorf("%d steps of kind %d", n, kind)
		}
	}
	if ok, _ := r.Graph.Cycles(context.Background(), 0); ok {
		t.Error("it cycles")
	}
	if got := r.Found(5); got.State != corner || got.Depth != dimension {
		t.Errorf("the far corner is state %+v", got)
	}
	if p := r.Graph.Path(corner); len(p.Actions) != dimension {
		t.Errorf("path to the far corner %v", p)
	}
}

// TestForward: that all steps lead forward is seen by the way, so that no cycle
// need be sought.
func TestForward(t *testing.T) {
	for edges, forward := range map[string]bool{
		"ab ac bd cd de":       true,
		"aa ab ac bb bd cd dd": false,
		"ab ac bd cd dd":       false,
		"ab ac bc":             false,
		"ab bc ca":             false,
		"ab bc ad dc":          true,
		"ab bc ad de eb":       false,
	} {
		if got := mustSearch(t, draw("a", edges), Options{}).Graph.forward; got != forward {
			t.Errorf("%s: forward %v", edges, got)
		}
	}
	for _, workers := range []int{1, 2} { // a step that a limit keeps from being looked at may lead back
		if mustSearch(t, draw("a", "ab aa"), Options{MaxStates: 1, Workers: workers}).Graph.forward {
			t.Errorf("forward, as far as a limit let %d workers see", workers)
		}
	}
}

// same checks that two searches of one drawing learned and found the same in all but the
// time, the memory and the disk that it took.
func same(t rapid.TB, a, b *Result) {
	t.Helper()
	x, y := a.Stats, b.Stats
	x.Bytes, x.Disk, x.Elapsed, y.Bytes, y.Disk, y.Elapsed = 0, 0, 0, 0, 0, 0
	if x != y || a.Outcome != b.Outcome || a.Marks != b.Marks || a.found != b.found || a.Graph.forward != b.Graph.forward {
		t.Fatalf("%v %+v\nand %v %+v", a.Outcome, a.Stats, b.Outcome, b.Stats)
	}
	if x, y := a.Graph.sys.(*drawing).taught, b.Graph.sys.(*drawing).taught; !slices.Equal(x, y) {
		t.Fatalf("learned in turn: %v\nand %v", x, y)
	}
	for n := range a.Graph.States() {
		if x, y := a.Graph.State(n), b.Graph.State(n); !slices.Equal(x, y) {
			t.Fatalf("state %d is %x and %x", n, x, y)
		}
	}
	if x, y := pathsOf(a), pathsOf(b); !reflect.DeepEqual(x, y) {
		t.Errorf("paths %v and %v", x, y)
	}
}

// pathsOf returns the paths to the first bearer of each mark, and a cycle.
func pathsOf(r *Result) []Path {
	var paths []Path
	for marks := r.Marks; marks != 0; marks &= marks - 1 {
		paths = append(paths, r.Graph.Path(r.Found(uint8(bits.TrailingZeros64(marks))).State))
	}
	return paths
}
