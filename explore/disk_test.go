package explore

import (
	"context"
	"errors"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"interleave/internal/testsize"
)

// tiny is a scale at which small graphs make many runs.
var tiny = scale{states: 50, block: 100, runs: 2}

// scales draws scales from tiny ones on.
func scales(t *rapid.T) scale {
	return scale{
		states: rapid.SampledFrom([]int{1, 2, 7, 50, 1000}).Draw(t, "in store"),
		block:  rapid.SampledFrom([]int{1, 40, 100, 64 << 10}).Draw(t, "block"),
		runs:   rapid.IntRange(2, 16).Draw(t, "runs"),
	}
}

// mustSpill searches d, on disk as soon as the store is full at a scale. The
// folder is empty when all is closed.
func mustSpill(t rapid.TB, d *drawing, o Options, sc scale) (*Result, func()) {
	t.Helper()
	dir, err := os.MkdirTemp("", "spill-")
	if err != nil {
		t.Fatal(err)
	}
	o.Spill = dir
	r, err := searchAt(context.Background(), d.fresh(), o, sc)
	if err != nil {
		t.Fatal(err)
	}
	return r, func() {
		if err := errors.Join(r.Graph.Close(), os.Remove(dir)); err != nil {
			t.Errorf("something is left on disk: %v", err)
		}
	}
}

// spilled checks that a search on disk found what one in memory did: the same
// states in each level, all counts, and each mark at its depth.
func spilled(t rapid.TB, d *drawing, memory, disk *Result) {
	t.Helper()
	x, y := memory.Stats, disk.Stats
	if x.States > 0 && (y.Disk == 0) != (disk.Graph.disk == nil) {
		t.Errorf("%d bytes on disk", y.Disk)
	}
	x.Bytes, x.Elapsed, x.Width, y.Bytes, y.Elapsed, y.Width, y.Disk = 0, 0, 0, 0, 0, 0, 0
	if x != y || memory.Outcome != disk.Outcome || memory.Marks != disk.Marks {
		t.Fatalf("on disk %v %+v marks %x\nin memory %v %+v marks %x", disk.Outcome, y, disk.Marks, memory.Outcome, x, memory.Marks)
	}
	if a, b := memory.Graph.forward, disk.Graph.forward; a != b {
		t.Errorf("forward in memory %v, on disk %v", a, b)
	}
	if !slices.Equal(memory.Graph.levels, disk.Graph.levels) {
		t.Fatalf("levels in memory begin at %v, on disk at %v", memory.Graph.levels, disk.Graph.levels)
	}
	a, b := statesOf(memory), statesOf(disk)
	for depth := range memory.Graph.levels {
		lo, hi := memory.Graph.level(depth)
		slices.Sort(a[lo:hi])
		slices.Sort(b[lo:hi])
	}
	if !slices.Equal(a, b) {
		t.Fatalf("states on disk %v, in memory %v", b, a)
	}
	checkBearers(t, d, memory, disk)
}

// checkBearers checks that the first bearer of each mark bears it, at the right
// depth, and that a shortest path of steps leads there.
func checkBearers(t rapid.TB, d *drawing, memory, disk *Result) {
	t.Helper()
	for marks := disk.Marks; marks != 0; marks &= marks - 1 {
		bit := uint8(bits.TrailingZeros64(marks))
		found := disk.Found(bit)
		if found.Depth != memory.Found(bit).Depth {
			t.Errorf("mark %d: on disk at depth %d, in memory at %d", bit, found.Depth, memory.Found(bit).Depth)
		}
		bearer := spelt(disk, found.State)
		if !slices.Contains(d.marks[bearer], Mark{Bit: bit, OnStep: found.OnStep, Action: found.Action}) {
			t.Errorf("mark %d: state %d does not bear it", bit, bearer)
		}
		if p := checkPath(t, d, disk, found.State); len(p.Actions) != found.Depth {
			t.Errorf("mark %d: a path of %d steps, at depth %d", bit, len(p.Actions), found.Depth)
		}
	}
	for n := 0; n < disk.Graph.States(); n += 1 + disk.Graph.States()/4 {
		if p := checkPath(t, d, disk, n); len(p.Actions) != disk.Graph.depthOf(n) {
			t.Errorf("path to state %d: %v", n, p)
		}
	}
}

// checkPath checks that the path to state n is one of steps from an initial
// state, and returns it.
func checkPath(t rapid.TB, d *drawing, r *Result, n int) Path {
	t.Helper()
	p := r.Graph.Path(n)
	if p.States[len(p.States)-1] != n || !slices.Contains(d.initial, spelt(r, p.States[0])) {
		t.Errorf("path %v does not lead from an initial state to %d", p, n)
	}
	for i, a := range p.Actions {
		if from, to := spelt(r, p.States[i]), spelt(r, p.States[i+1]); !slices.Contains(d.arrows[from], arrow{a, to}) {
			t.Errorf("path %v: no step %d leads from %d to %d", p, a, from, to)
		}
	}
	return p
}

// spelt returns the state of a drawing that has a number.
func spelt(r *Result, n int) int {
	return int(packings[r.Graph.sys.(*drawing).packing].state(r.Graph.State(n)))
}

func TestSpillSmallGraphs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawings(t)
		r, done := mustSpill(t, d, Options{}, scales(t))
		defer done()
		spilled(t, d, mustSearch(t, d, Options{}), r)
	})
}

func TestSpillGraphs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := scatters(t)
		o := Options{MaxDepth: rapid.SampledFrom([]int{0, 0, 2, 20}).Draw(t, "depth")}
		sc := scales(t)
		sc.states = max(sc.states, 7)
		memory := mustSearch(t, d, o)
		for _, o.Workers = range []int{1, 3} {
			r, done := mustSpill(t, d, o, sc)
			spilled(t, d, memory, r)
			done()
		}
	})
}

// TestSpillWorkersChangeNothing: on disk as in memory.
func TestSpillWorkersChangeNothing(t *testing.T) {
	sc := scale{chunk: 32, block: 1 << 10, runs: 3}
	states := 2 * sc.batchStates()
	d := scatter(1, states, states, states, states)
	d.every, sc.states = 100, states/3
	memory := mustSearchAt(t, d, Options{}, scale{chunk: sc.chunk})
	one, done := mustSpill(t, d, Options{}, sc)
	defer done()
	many, alsoDone := mustSpill(t, d, Options{Workers: 8}, sc)
	defer alsoDone()
	spilled(t, d, memory, one)
	same(t, one, many)
}

// TestSpillNotBeforeFull: a search goes on on disk when the states that there are do
// not fit, however often workers find those.
func TestSpillNotBeforeFull(t *testing.T) {
	sc := scale{chunk: 32, block: 1 << 10, runs: 3}
	const many, few = 3000, 60
	d := blank(many + few)
	for s := range many {
		d.initial = append(d.initial, s)
		for k := range few {
			d.arrows[s] = append(d.arrows[s], arrow{Action(k), many + k})
		}
	}
	for _, workers := range []int{1, 2, 3, 8} {
		for sc.states = many + few - 1; sc.states <= many+few; sc.states++ {
			r, done := mustSpill(t, d, Options{Workers: workers}, sc)
			if r.Outcome != Exhausted || r.Stats.States != many+few || (r.Stats.Disk > 0) != (sc.states < many+few) {
				t.Errorf("%d workers, room for %d: %v, %+v", workers, sc.states, r.Outcome, r.Stats)
			}
			done()
		}
	}
}

// TestSpillCube: a graph of which all is known in closed form, within a limit on
// memory.
func TestSpillCube(t *testing.T) {
	dimension := 18
	if testing.Short() {
		dimension = 16
	}
	d := cube(dimension)
	corner := 1<<dimension - 1
	d.marks[corner] = []Mark{{Bit: 5}}
	r, done := mustSpill(t, d, Options{Workers: 2, Memory: 1 << (dimension + 2)}, scale{block: 1 << 14, runs: 4})
	defer done()
	s := r.Stats
	if s.States != 1<<dimension || s.Transitions != dimension<<(dimension-1) || s.Depth != dimension || s.Quiet != 1 || s.Disk == 0 {
		t.Errorf("%+v", s)
	}
	if ok, err := r.Graph.Cycles(t.Context(), 0); ok || err != nil {
		t.Errorf("all steps lead forward: cycle %v, %v", ok, err)
	}
	if _, err := r.Graph.Extremes(t.Context(), func(Action) int { return 1 }, 0); err != ErrOnDisk {
		t.Errorf("extremes: %v", err)
	}
	if p := checkPath(t, d, r, r.Found(5).State); len(p.Actions) != dimension {
		t.Errorf("path to the far corner %v", p)
	}
}

// TestSpillRepacksLate: what was counted in a level before the packing changes
// is not counted twice.
func TestSpillRepacksLate(t *testing.T) {
	sc := scale{chunk: 64, block: 1 << 10, runs: 2}
	states := sc.batchStates() + 100
	sc.states = states / 2
	d := blank(states)
	for s := range states {
		d.initial = append(d.initial, s)
		d.arrows[s] = []arrow{{advance, (s + 1) % states}}
	}
	d.marks[7] = []Mark{{Bit: 1}}
	d.lessons[states-1], d.every = true, 1 // the last state, also on disk
	r, done := mustSpill(t, d, Options{}, sc)
	defer done()
	spilled(t, d, mustSearchAt(t, d, Options{}, scale{chunk: sc.chunk}), r)
}

// TestSpillOfCycles: whether a graph with steps back has a cycle is not decided.
func TestSpillOfCycles(t *testing.T) {
	d := draw("a", "ab bc cd db")
	r, done := mustSpill(t, d, Options{}, scale{states: 1, block: 1, runs: 2})
	defer done()
	if _, err := r.Graph.Cycles(t.Context(), 0); err != ErrOnDisk {
		t.Errorf("cycle: %v", err)
	}
}

// TestSpillLimits: a search on disk ends with its limits.
func TestSpillLimits(t *testing.T) {
	d := cube(10)
	d.marks[1<<10-1<<5] = []Mark{{Bit: 4}}
	for limit := 1; limit < 1<<10; limit += 100 {
		r, done := mustSpill(t, d, Options{MaxStates: limit}, tiny)
		if r.Outcome != StateLimit || r.Stats.States != limit {
			t.Errorf("limit of %d states: %v, %+v", limit, r.Outcome, r.Stats)
		}
		done()
	}
	r, done := mustSpill(t, d, Options{MaxStates: 1 << 10}, tiny)
	if r.Outcome != Exhausted {
		t.Errorf("limit of all states: %v", r.Outcome)
	}
	done()
	r, done = mustSpill(t, d, Options{Stop: 1 << 4}, tiny)
	if f := r.Found(4); r.Outcome != Stopped || f.Depth != 5 {
		t.Errorf("%v: %+v", r.Outcome, f)
	}
	checkPath(t, d, r, r.Found(4).State)
	done()
}

// TestSpillCancelled: whenever the context ends, the search says so, and what it
// found so far is there.
func TestSpillCancelled(t *testing.T) {
	d := cube(10)
	for call := 1; ; call++ {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		r, err := searchAt(ctx, d, Options{Spill: t.TempDir(), Progress: func(s Stats) {
			if calls++; calls == call {
				cancel()
			}
		}}, tiny)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome == Exhausted {
			break
		}
		if r.Outcome != Interrupted {
			t.Errorf("cancelled in call %d: %v", call, r.Outcome)
		}
		wholeLevels(t, r)
		checkPath(t, d, r, r.Graph.States()-1)
		if err := r.Graph.Close(); err != nil {
			t.Error(err)
		}
	}
}

// wholeLevels checks that what counts as expanded is whole levels, after a search
// that ended early on disk.
func wholeLevels(t *testing.T, r *Result) {
	t.Helper()
	levels := r.Graph.Levels()
	if last := levels[len(levels)-1]; r.Graph.disk != nil && r.Stats.Frontier != last {
		t.Errorf("%v: %d states are not expanded, of levels %v", r.Outcome, r.Stats.Frontier, levels)
	}
}

// TestSpillFull gives searches more and more room on disk, until it is enough.
// Before that they say what they have found, and with more room they find no less; only
// where states cannot be moved from memory, there is an error.
func TestSpillFull(t *testing.T) {
	testsize.Alone(t)
	step := testsize.Of[int64](2000, 1500, 400)
	for name, lesson := range map[string]int{"never": -1, "behind the mark": 1<<8 - 1, "in the level of the mark": (1<<5 - 1) << 5} {
		d := cube(10)
		d.marks[1<<5-1] = []Mark{{Bit: 4}}
		if lesson >= 0 {
			d.lessons[lesson], d.every, d.packing = true, 1, 4 // the next packing is longer, and in another order
		}
		failed, ended, found, rewriting := 0, 0, 0, 0
		for room := int64(1); ; room += step {
			r := spillWithin(t, d, room)
			if r == nil {
				if failed++; ended > 0 {
					t.Errorf("repacked %s: no result with room for %d bytes, but with less", name, room)
				}
				continue
			}
			if r.Outcome == Exhausted {
				break
			}
			ended++
			if r.Marks>>4&1 != 0 {
				found++
			} else if found > 0 {
				t.Errorf("repacked %s: nothing found with room for %d bytes, but with less", name, room)
			}
			if slices.ContainsFunc(r.Graph.disk.levels, func(r *run) bool { return r.repack != nil }) {
				rewriting++
			}
		}
		if failed == 0 || ended < 3 || found < 3 || found == ended || (rewriting > 0) != (lesson >= 0) {
			t.Errorf("repacked %s: %d searches failed; %d ended early, %d after the mark was found, %d while rewriting: not a test", name, failed, ended, found, rewriting)
		}
	}
}

// spillWithin searches with so many bytes of disk, and checks what is found; nil: it failed.
func spillWithin(t *testing.T, d *drawing, room int64) *Result {
	t.Helper()
	sc, dir := tiny, t.TempDir()
	sc.room, sc.chunk = room, 1
	r, err := searchAt(t.Context(), d.fresh(), Options{Spill: dir}, sc)
	if err != nil {
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("room for %d bytes: %v", room, err)
		}
	} else {
		if r.Outcome != Exhausted {
			if r.Outcome != DiskLimit || r.Stats.Disk > room {
				t.Errorf("room for %d bytes: %v, %+v", room, r.Outcome, r.Stats)
			}
			wholeLevels(t, r)
		}
		for n := 0; n < r.Graph.States(); n += 1 + r.Graph.States()/8 {
			if p := checkPath(t, d, r, n); len(p.Actions) != bits.OnesCount(uint(spelt(r, n))) {
				t.Errorf("room for %d bytes: path to state %d: %v", room, n, p)
			}
		}
		if r.Marks>>4&1 != 0 {
			if f := r.Found(4); f.Depth != 5 || spelt(r, f.State) != 1<<5-1 {
				t.Errorf("found at depth %d in state %d", f.Depth, spelt(r, f.State))
			}
		}
		if err := r.Graph.Close(); err != nil {
			t.Error(err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	return r
}

// TestSpillSystemTooLarge: what the system holds cannot be moved to disk.
func TestSpillSystemTooLarge(t *testing.T) {
	d := draw("a", "ab")
	d.size = 1<<40 + 1
	r, done := mustSpill(t, d, Options{Memory: 1 << 40}, standardScale)
	defer done()
	if r.Outcome != MemoryLimit {
		t.Errorf("%v", r.Outcome)
	}
}

// TestSpillRefused: no folder, a folder that goes away, and a run that is cut
// are told in words; and a system that panics leaves nothing behind.
func TestSpillRefused(t *testing.T) {
	var path *fs.PathError
	_, err := searchAt(t.Context(), cube(10), Options{Spill: "/nowhere/at/all"}, tiny)
	if !errors.As(err, new(*DiskError)) || !errors.As(err, &path) {
		t.Errorf("no folder: %v", err)
	}
	disturb := func(what func(runs []string)) error {
		dir, calls := t.TempDir(), 0
		_, err := searchAt(t.Context(), cube(10), Options{Spill: dir, Progress: func(s Stats) {
			if runs, _ := filepath.Glob(dir + "/*/*"); len(runs) > 3 {
				if calls++; calls == 1 {
					what(runs)
				}
			}
		}}, tiny)
		if left, _ := filepath.Glob(dir + "/*"); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
		return err
	}
	for name, what := range map[string]func(runs []string){
		"folder removed": func(runs []string) { os.RemoveAll(filepath.Dir(runs[0])) },
		"runs cut": func(runs []string) {
			for _, r := range runs {
				os.Truncate(r, 3)
			}
		},
		"runs overwritten": func(runs []string) {
			for _, r := range runs {
				info, _ := os.Stat(r)
				os.WriteFile(r, make([]byte, info.Size()), 0o600)
			}
		},
	} {
		if err := disturb(what); !errors.As(err, new(*DiskError)) {
			t.Errorf("%s: %v", name, err)
		} else {
			t.Log(err)
		}
	}
	func() {
		defer func() { recover() }()
		disturb(func([]string) { panic("the system") })
	}()
}

// TestSort puts states of any width in order.
func TestSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 3).Draw(t, "width")
		words := rapid.SliceOfN(rapid.OneOf(rapid.Uint64Max(3), rapid.Uint64()), 0, 400).Draw(t, "words")
		count := len(words) / width
		s := newStore(width)
		s.addPages(count)
		var want [][]uint64
		for n := range count {
			w := words[n*width : (n+1)*width]
			s.put(n, w)
			want = append(want, w)
		}
		lo := min(2, count)
		slices.SortFunc(want[lo:], slices.Compare)
		s.sort(newPool(blank(0), 3), lo, count)
		for n, w := range want {
			if !slices.Equal(s.state(n), w) {
				t.Fatalf("state %d is %v, want %v", n, s.state(n), w)
			}
		}
	})
}

// TestFull: which errors say that there is no room.
func TestFull(t *testing.T) {
	for err, full := range map[error]bool{syscall.ENOSPC: true, syscall.EDQUOT: true, syscall.EFBIG: true, syscall.EIO: false} {
		if e := (&DiskError{&os.PathError{Op: "write", Err: err}}); e.Full() != full {
			t.Errorf("%v: full is %v", err, e.Full())
		}
	}
}
