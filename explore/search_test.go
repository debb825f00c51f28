package explore

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"interleave/internal/testsize"
)

// mustSearch searches d, which stays as it is.
func mustSearch(t rapid.TB, d *drawing, o Options) *Result {
	t.Helper()
	return mustSearchAt(t, d, o, standardScale)
}

func mustSearchAt(t rapid.TB, d *drawing, o Options, sc scale) *Result {
	t.Helper()
	r, err := searchAt(context.Background(), d.fresh(), o, sc)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// letters spells states of a drawing made by draw, given by number.
func letters(r *Result, numbers ...int) string {
	all, text := statesOf(r), ""
	for _, n := range numbers {
		text += string(rune('a' + all[n]))
	}
	return text
}

// TestDrawings searches graphs small enough to see that the answer is right.
func TestDrawings(t *testing.T) {
	for _, test := range []struct {
		name, initial, edges string

		found         string // states, in order
		first         int    // how many of them are initial
		depth, quiet  int
		steps, failed int    // by kind
		path          string // to the state found last
		cycles        bool
	}{
		{"nothing", "", "ab ba", "", 0, 0, 0, 0, 0, "", false},
		{"one state", "a", "", "a", 1, 0, 1, 0, 0, "a", false},
		{"chain", "a", "ab bc cd", "abcd", 1, 3, 1, 3, 0, "abcd", false},
		{"unreachable states", "a", "ab cb cd dc", "ab", 1, 1, 1, 1, 0, "ab", false},
		{"same initial state again", "abba", "ab bc", "abc", 2, 1, 1, 2, 0, "bc", false},
		{"failures may not happen", "a", "ab! bc cd! ce!", "abcde", 1, 3, 4, 1, 3, "abce", false},
		{"two steps to one state", "a", "ab ab ab!", "ab", 1, 1, 1, 2, 1, "ab", false},

		{"diamond", "a", "ab ac bd cd", "abcd", 1, 2, 1, 4, 0, "abd", false},
		{"ways of unequal length", "a", "ab bc cd ad", "abdc", 1, 2, 1, 4, 0, "abc", false},
		{"step within a level", "a", "ab ac bc", "abc", 1, 1, 1, 3, 0, "ac", false},
		{"step to the level before", "ab", "ac bd ca! db!", "abcd", 2, 1, 2, 2, 2, "bd", true},
		{"step back without a cycle", "ab", "bc ca", "abc", 2, 1, 1, 2, 0, "bc", false},
		{"deep diamond with steps back", "ab", "bc cd de da ea", "abcde", 2, 3, 1, 5, 0, "bcde", false},

		{"loop at one state", "a", "ab bb", "ab", 1, 1, 0, 2, 0, "ab", true},
		{"loops and diamond", "a", "aa ab ac bb bd cd cc", "abcd", 1, 2, 1, 7, 0, "abd", true},
		{"two-cycle", "a", "ab ba", "ab", 1, 1, 0, 2, 0, "ab", true},
		{"two-cycle of initial states", "ab", "ab ba", "ab", 2, 0, 0, 2, 0, "b", true},
		{"two-cycle within a level", "a", "ab ac bc cb", "abc", 1, 1, 0, 4, 0, "ac", true},
		{"two-cycle with a loop", "a", "aa ab bb ba", "ab", 1, 1, 0, 4, 0, "ab", true},
		{"cycle after a stem", "a", "ab bc cd db", "abcd", 1, 3, 0, 4, 0, "abcd", true},
		{"back to the first state", "a", "ab bc ca", "abc", 1, 2, 0, 3, 0, "abc", true},
		{"cycle from the second initial state", "ac", "ab cd de ec", "acbde", 2, 2, 1, 4, 0, "cde", true},
		{"cycle of failures", "a", "ab! ba!", "ab", 1, 1, 2, 0, 2, "ab", true},
		{"cycle beside a dead end", "a", "ab bc ad de ed", "abdce", 1, 2, 1, 5, 0, "ade", true},
		{"cycle in a dead end", "a", "ab ac cd de ed bf", "abcfde", 1, 3, 1, 6, 0, "acde", true},
		{"shorter way into the cycle", "a", "ab bc cd de ed ae", "abecd", 1, 2, 0, 6, 0, "aed", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := draw(test.initial, test.edges)
			r := mustSearch(t, d, Options{})
			s := r.Stats
			got := ""
			for n := range s.States {
				got += letters(r, n)
			}
			if got != test.found {
				t.Errorf("found %s, want %s", got, test.found)
			}
			if s.Initial != test.first || s.Depth != test.depth || s.Quiet != test.quiet {
				t.Errorf("initial %d, depth %d, quiet %d", s.Initial, s.Depth, s.Quiet)
			}
			if s.Fired[advance] != test.steps || s.Fired[failure] != test.failed || s.Transitions != test.steps+test.failed {
				t.Errorf("%d steps and %d failures of %d", s.Fired[advance], s.Fired[failure], s.Transitions)
			}
			if s.States > 0 {
				if got := letters(r, r.Graph.Path(s.States-1).States...); got != test.path {
					t.Errorf("path %s, want %s", got, test.path)
				}
			}
			if ok, _ := r.Graph.Cycles(context.Background(), 0); ok != test.cycles {
				t.Errorf("a cycle: %v, want %v", ok, test.cycles)
			}
			agree(t, d, r)
		})
	}
}

// TestMarks: of the bearers of a mark the one found first is remembered.
func TestMarks(t *testing.T) {
	d := draw("a", "ab ac bd cd de").
		bear('e', Mark{Bit: 0}, Mark{Bit: 63}).
		bear('c', Mark{Bit: 0}, Mark{Bit: 7, OnStep: true, Action: 12345}).
		bear('b', Mark{Bit: 7, OnStep: true, Action: 54321}, Mark{Bit: 7}).
		bear('z', Mark{Bit: 9})
	r := mustSearch(t, d, Options{})
	if want := uint64(1<<0 | 1<<7 | 1<<63); r.Marks != want {
		t.Errorf("marks %x, want %x", r.Marks, want)
	}
	for bit, want := range map[uint8]Found{
		0:  {State: 2, Depth: 1},
		7:  {State: 1, Depth: 1, OnStep: true, Action: 54321},
		9:  {},
		63: {State: 4, Depth: 3},
	} {
		if got := r.Found(bit); got != want {
			t.Errorf("mark %d: found %+v, want %+v", bit, got, want)
		}
	}
	agree(t, d, r)
}

// TestLearning: what is learned late, and how states are packed meanwhile,
// changes nothing.
func TestLearning(t *testing.T) {
	d := draw("ab", "ac bc bd ce de ec ea")
	for every := range 3 {
		for packing := range packings {
			d.every, d.packing = every, packing
			for subset := range 1 << 5 {
				for s := range 5 {
					d.lessons[s] = subset>>s&1 == 1
				}
				agree(t, d, mustSearch(t, d, Options{}))
			}
		}
	}
}

// TestRefusal: an error of the system is the search's own.
func TestRefusal(t *testing.T) {
	d := draw("a", "ab bc")
	d.lessons[2], d.refusal = true, errors.New("no")
	if r, err := Search(t.Context(), d, Options{}); r != nil || !errors.Is(err, d.refusal) {
		t.Errorf("result %v, error %v", r, err)
	}
}

// TestLevels counts states by their distance, in memory and where the search was cut.
func TestLevels(t *testing.T) {
	for _, test := range []struct {
		initial, edges string
		depth          int
		want           []int
	}{
		{"a", "ab ac bd cd de", 0, []int{1, 2, 1, 1}},
		{"ab", "ac bc", 0, []int{2, 1}},
		{"a", "ab bc cd de", 2, []int{1, 1, 1, 1}}, // the last were found, and not expanded
		{"", "ab", 0, nil},
	} {
		r := mustSearch(t, draw(test.initial, test.edges), Options{MaxDepth: test.depth})
		if got := r.Graph.Levels(); !slices.Equal(got, test.want) {
			t.Errorf("%s: %s: %v, want %v", test.initial, test.edges, got, test.want)
		}
	}
}

// TestPanics: what a system panics with comes to whoever searches, from any of the workers,
// and none of the others waits forever. A goroutine that ends itself is told of as well: what
// it had to do was left undone.
func TestPanics(t *testing.T) {
	for _, test := range []struct {
		burst func()
		want  string
	}{
		{func() { panic("the system bursts") }, "the system bursts"},
		{runtime.Goexit, "runtime.Goexit was called"},
	} {
		for _, workers := range []int{1, 2, 8} {
			for at := range 5 {
				d := &bursting{drawing: cube(14), burst: test.burst}
				d.at.Store(int64(1000 + 2500*at))
				var done sync.WaitGroup
				done.Go(func() {
					defer func() {
						p := recover()
						if p == nil && workers == 1 { // the goroutine was the caller's own
							p = test.want
						}
						if by, ok := p.(*Panic); ok && (by.Said != test.want || !strings.Contains(string(by.Stack), "search_test.go")) {
							t.Errorf("%d workers: %v at %s", workers, by.Said, by.Stack)
						}
						if !strings.Contains(fmt.Sprint(p), test.want) {
							t.Errorf("%d workers: %v, want %s", workers, p, test.want)
						}
					}()
					_, err := searchAt(t.Context(), d, Options{Workers: workers}, scale{chunk: 128})
					t.Errorf("%d workers: it comes to an end, with the error %v", workers, err)
				})
				done.Wait()
			}
		}
	}
}

// TestPanicsInTurn: what panics past the end of a search is as if it was never expanded,
// however far ahead the workers are; and of what panics before, the first is told of.
func TestPanicsInTurn(t *testing.T) {
	few := scale{chunk: 16, print: printBits}
	first := 2 * few.batchStates()
	for _, lessons := range testsize.Of([]int{30}, []int{1 << 20, 30, 1}, []int{1 << 20, 30, 1}) {
		d := blank(4 * few.batchStates())
		d.bursts = map[int]int{}
		for s := range d.arrows {
			d.initial = append(d.initial, s)
			d.lessons[s] = s%lessons == lessons-1
			if s >= first && s%few.chunk == 0 {
				d.bursts[s] = never
			}
		}
		d.marks[first/2+1] = []Mark{{Bit: 5}}
		for _, store := range []Store{Exact, Compact} {
			for _, workers := range []int{1, 2, 3} {
				o := Options{Workers: workers, Store: store, Progress: func(Stats) { time.Sleep(time.Millisecond) }} // for another to come further
				p, _ := caught(func() { mustSearchAt(t, d, o, few) }).(*Panic)
				if p == nil || p.Said != fmt.Sprintf("state %d bursts", first) {
					t.Errorf("%d workers, %v, a lesson in %d: %v", workers, store, lessons, p)
				}
				o.Stop = 1 << 5
				if r := mustSearchAt(t, d, o, few); r.Outcome != Stopped || r.Stats.Expanded != first {
					t.Errorf("%d workers, %v, a lesson in %d: %v after %d", workers, store, lessons, r.Outcome, r.Stats.Expanded)
				}
			}
		}
	}
}

const never = 64 // is a mark known

// TestPanicsUnlessKnown: who looks for a mark that was found a moment ago by another, and
// panics over that, does no harm; and a mark that is found too late spares nobody.
func TestPanicsUnlessKnown(t *testing.T) {
	few := scale{chunk: 16, print: printBits}
	for _, lessons := range []int{1 << 20, 30, 1} {
		d := blank(3 * few.batchStates())
		bursts := map[int]int{}
		for s := range d.arrows {
			d.initial = append(d.initial, s)
			d.lessons[s] = s%lessons == lessons-1
			if s >= few.chunk && s%5 == 0 {
				bursts[s] = 5
			}
		}
		for _, store := range []Store{Exact, Compact} {
			d.marks[1], d.bursts = []Mark{{Bit: 5}}, nil
			calm := mustSearchAt(t, d, Options{Store: store}, few)
			d.bursts = bursts
			for _, workers := range []int{1, 2, 3} {
				o := Options{Workers: workers, Store: store}
				r := mustSearchAt(t, d, o, few)
				r.Graph.sys.(*drawing).taught = calm.Graph.sys.(*drawing).taught // which depends on what panicked
				same(t, calm, r)
				d.marks[1], d.marks[few.chunk+3] = nil, []Mark{{Bit: 5}}
				p, _ := caught(func() { mustSearchAt(t, d, o, few) }).(*Panic)
				if p == nil || p.Said != "state 20 bursts" {
					t.Errorf("%d workers, %v, a lesson in %d: %v", workers, store, lessons, p)
				}
				d.marks[1], d.marks[few.chunk+3] = []Mark{{Bit: 5}}, nil
			}
		}
	}
}

// TestPanicsUnlessTaught: one chunk panics unless a mark is known, and if it is, has to be
// taught before it bears the mark unless which the next one panics.
func TestPanicsUnlessTaught(t *testing.T) {
	few := scale{chunk: 16, print: printBits}
	d := blank(3 * few.chunk)
	for s := range d.arrows {
		d.initial = append(d.initial, s)
	}
	d.marks[1], d.marks[20] = []Mark{{Bit: 5}}, []Mark{{Bit: 6}}
	d.lessons[20] = true
	d.bursts = map[int]int{few.chunk: 5, 2 * few.chunk: 6}
	for _, store := range []Store{Exact, Compact} {
		for _, workers := range []int{1, 2, 3} {
			r := mustSearchAt(t, d, Options{Workers: workers, Store: store}, few)
			if r.Stats.Expanded != len(d.initial) || r.Marks != 1<<5|1<<6 {
				t.Errorf("%d workers, %v: %d states, marks %b", workers, store, r.Stats.Expanded, r.Marks)
			}
		}
	}
}

// TestFirstPanics: of several parts of some work that panic, the first is told of, and the
// rest is done.
func TestFirstPanics(t *testing.T) {
	const parts = 300
	for workers := 2; workers <= 8; workers++ {
		for range 20 {
			var done atomic.Int64
			p, _ := caught(func() {
				newPool(blank(1), workers).each(parts, func(_ *worker, part int) {
					if done.Add(1); part%7 == 6 {
						panic(part)
					}
				})
			}).(*Panic)
			if p == nil || p.Said != 6 || done.Load() != parts {
				t.Fatalf("%d workers: %v, after %d parts", workers, p, done.Load())
			}
		}
	}
}

// bursting is a system that bursts after so many expansions.
type bursting struct {
	*drawing
	burst func()
	at    atomic.Int64
}

func (b *bursting) Expander() Expander { return &burstingExpander{b.drawing.Expander(), b} }

type burstingExpander struct {
	Expander
	system *bursting
}

func (x *burstingExpander) Expand(words []uint64, out *Steps) bool {
	if x.system.at.Add(-1) == 0 {
		x.system.burst()
	}
	return x.Expander.Expand(words, out)
}

// TestExpandAgain: states that are expanded again, as what they led to was thrown away, lead
// to all that they did, but for what those before them lead to.
func TestExpandAgain(t *testing.T) {
	const states, few = 300, 100
	d := scatter(1, states, 0, states, states).learnt()
	d.packing = 0
	st := newStore(d.Width())
	st.addPages(states)
	for s := range states {
		st.put(s, []uint64{uint64(s)})
	}
	w, c := newPool(d, 1).workers[0], &chunk{}
	var met [states / few]map[int]bool
	for _, i := range []int{0, 0, 1, 1, 2, 1, 2, 0, 1, 1} {
		w.expand(c, st, i*few, (i+1)*few)
		met[i] = map[int]bool{}
		for k := range c.candidates() {
			met[i][int(c.successor(k)[0])] = true
		}
		for s := i * few; s < (i+1)*few; s++ {
			for _, a := range d.arrows[s] {
				if !slices.ContainsFunc(met[:i+1], func(of map[int]bool) bool { return of[a.to] }) {
					t.Fatalf("state %d leads to %d, which is lost", s, a.to)
				}
			}
		}
	}
}

// TestNotTooFarAhead: while one of two workers is held up between batches, the other does
// not expand more than can wait.
func TestNotTooFarAhead(t *testing.T) {
	few := scale{chunk: 16}
	states := 4 * few.batchStates()
	d := scatter(1, states, states, states, states).learnt()
	d.initial = d.initial[:0]
	for s := range states {
		d.initial = append(d.initial, s)
	}
	o := Options{Progress: func(Stats) { time.Sleep(10 * time.Millisecond) }}
	one := mustSearchAt(t, d, o, few)
	o.Workers = 2
	same(t, one, mustSearchAt(t, d, o, few))
}

// TestFewLessons: chunks that lack nothing wait while others are taught, in the next batch,
// too; and are of no use any more once the packing changes.
func TestFewLessons(t *testing.T) {
	few := scale{chunk: 16}
	states := 5 * few.batchStates()
	for _, every := range testsize.Of([]int{7}, []int{0, 1, 7}, []int{0, 1, 7}) {
		d := scatter(1, states, states, states, states)
		d.initial, d.every = d.initial[:0], every
		for s := range states {
			d.initial = append(d.initial, s)
			d.lessons[s] = s%30 == 0
		}
		for _, o := range []Options{{}, {MaxStates: states}, {Stop: 1 << 61}} {
			d.marks[few.batchStates()+1] = []Mark{{Bit: 61}}
			o.Progress = func(Stats) { time.Sleep(time.Millisecond) } // for another to come further
			one := mustSearchAt(t, d, o, few)
			for _, o.Workers = range []int{2, 3} {
				same(t, one, mustSearchAt(t, d, o, few))
			}
		}
	}
}
