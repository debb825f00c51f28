package explore

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"interleave/explore/ltl"
	"interleave/internal/rapidtest"
	"interleave/internal/testsize"
)

// fairDrawing is a drawing whose steps have classes.
type fairDrawing struct {
	*drawing
	class    map[Action]Class
	strength map[Class]Strength
	choices  map[Action]choice // what depends on chance; others do not
}

func (d *fairDrawing) fairness(_ []uint64, a Action) (Class, Strength) {
	c := d.class[a]
	return c, d.strength[c]
}

// drawFair draws a graph as draw does. Each edge is of a weak class of its own,
// unless it ends with a digit, the class that it shares; a star makes the class
// a strong one.
func drawFair(initial, edges string) *fairDrawing {
	fields := strings.Fields(edges)
	d := &fairDrawing{class: map[Action]Class{}, strength: map[Class]Strength{}}
	bare := make([]string, len(fields))
	for i, e := range fields {
		bare[i] = e[:2]
		a, c, s := advance|Action(i)<<8, Class(100+i), Weak
		for _, mark := range e[2:] {
			switch mark {
			case '!':
				bare[i], a, s = e[:2]+"!", failure|Action(i)<<8, Unfair
			case '*':
				s = Strong
			default:
				c = Class(mark - '0')
			}
		}
		d.class[a], d.strength[c] = c, s
	}
	d.drawing = draw(initial, strings.Join(bare, " "))
	return d
}

// atom sets the i-th atom, mark i, in the states of some letters.
func (d *fairDrawing) atom(i uint8, states string) *fairDrawing {
	for _, s := range states {
		d.marks[s-'a'] = append(d.marks[s-'a'], Mark{Bit: i})
	}
	return d
}

// spell writes a lasso as "ab(cd)": its states, the loop in brackets.
func spell(r *Result, l Lasso) string {
	last := len(l.States) - 1
	if l.Loop == last {
		return letters(r, l.States[:last]...) + "(" + letters(r, l.States[last]) + ")"
	}
	return letters(r, l.States[:l.Loop]...) + "(" + letters(r, l.States[l.Loop:last]...) + ")"
}

// violation looks for a fair run on which a formula over p and q is false, with
// and without memory in which to keep what is known of each state.
func violation(t rapid.TB, d *fairDrawing, r *Result, formula string) (Lasso, bool) {
	t.Helper()
	f, err := ltl.Parse(formula)
	if err != nil {
		t.Fatal(err)
	}
	var lassos [2]Lasso
	var found [2]bool
	for i, memory := range []int64{0, 2 * keptTogether * successorBytes} {
		runs, err := r.Graph.FairRuns(context.Background(), RunOptions{Fair: d.fairness, Atoms: 3, Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		if kept := runs.outlooks.kept != nil; kept != (memory == 0 && !r.Graph.forward) {
			t.Fatalf("with %d bytes of memory they are kept: %v", memory, kept)
		}
		if lassos[i], found[i], err = runs.Accepted(context.Background(), ltl.Not(f).Automaton([]string{"p", "q"}), []uint8{0, 1}); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(lassos[0], lassos[1]) || found[0] != found[1] {
		t.Fatalf("%s if all is kept, else %s", spell(r, lassos[0]), spell(r, lassos[1]))
	}
	return lassos[0], found[0]
}

// TestFairDrawings looks for violations in graphs small enough to see that the
// answer is right. No lasso: the formula holds.
func TestFairDrawings(t *testing.T) {
	for _, test := range []struct {
		name, initial, edges string
		p, q                 string // where they are true
		formula, lasso       string
	}{
		{"reached on all ways", "a", "ab bc", "c", "", "<>p", ""},
		{"a run that stops before", "a", "ab! bc", "c", "", "<>p", "(a)"},
		{"a way past it", "a", "ab ac bd cd", "b", "", "<>p", "ac(d)"},
		{"ways that join are no cycle", "a", "ab ac bd cd de", "e", "", "<>p", ""},
		{"a cycle is seen", "a", "ab bc cb", "d", "", "<>p", "a(bc)"},
		{"a cycle that weak fairness leaves", "a", "ab1 ba1 bc", "c", "", "<>p", "(ab)"},
		{"a loop that weak fairness leaves", "a", "aa ab", "b", "", "<>p", ""},
		{"a loop that nothing obliges to leave", "a", "aa ab!", "b", "", "<>p", "(a)"},
		{"a cycle that only strong fairness leaves", "a", "ab ba bc*", "c", "", "<>p", ""},
		{"possible in turns: weak fairness allows it", "a", "ab ba ac bc", "c", "", "<>p", "(ab)"},
		{"one class for both ways out", "a", "ab ba ac1 bc1", "c", "", "<>p", ""},
		{"nothing fair: it may stop anywhere", "a", "ab! bc!", "c", "", "<>p", "(a)"},
		{"stuttering is not a step", "a", "aa1 ab1", "b", "", "<>p", "(a)"},
		{"failures do not count", "a", "ab! ba!", "b", "", "<>p", "(a)"},

		{"left again", "a", "ab bc", "b", "", "<>[]p", "ab(c)"},
		{"stays", "a", "ab bb", "b", "", "<>[]p", ""},
		{"comes and goes", "a", "ab ba", "b", "", "<>[]p", "(ab)"},
		{"comes and goes", "a", "ab ba", "b", "", "[]<>p", ""},
		{"goes for good", "a", "ab bc cb cd dc", "a", "", "[]<>p", "a(bc)"},

		{"answered", "a", "ab bc ca", "a", "c", "p ~> q", ""},
		{"not answered after the second time", "a", "ab bc cd de", "ad", "b", "p ~> q", "abcd(e)"},
		{"answered on the spot", "a", "aa", "a", "a", "p ~> q", ""},
		{"never asked", "a", "ab ba", "", "", "p ~> q", ""},
		{"asked on one way only", "a", "ab ac cb bb", "c", "a", "p ~> q", "ac(b)"},
		{"until", "a", "ab bc cc", "ab", "c", "p U q", ""},
		{"not until", "a", "ab bc cc", "a", "c", "p U q", "ab(c)"},

		// What others got wrong.
		{"fairness is judged where a run can stay, not around it", "a", "ab bc cb1 ca1 bd*", "d", "", "<>p", ""},
		{"the inner loop is fair though the outer is not", "a", "aa1 ab1 ba bd*", "d", "", "<>p", "(a)"},
		{"nor is the inner one", "a", "aa1 ab1 ba bd2* ad2*", "d", "", "<>p", ""},
		{"a loop in what is left of what was left", "a", "ab1 ba1 bc1 cb1 cd2* be3* aa1", "de", "", "<>p", "(a)"},
		{"weak inside, strong outside", "a", "ab bb2 ba bc*", "c", "", "<>p", ""},
		{"the loop is not the whole component", "a", "ab ba bc cb cd dc", "", "", "<>p", "(ab)"},
		{"stop after a failure", "a", "ab bc! cd!", "d", "", "<>p", "a(b)"},
		{"eventually always is not dropped", "a", "ab bc ca", "ab", "", "<>[]p", "(abc)"},
		{"two claims that contradict each other do not both pass", "a", "ab ba", "a", "", "[]<>p & <>[]!p", "(ab)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := drawFair(test.initial, test.edges).atom(0, test.p).atom(1, test.q)
			r := mustSearch(t, d.drawing, Options{})
			lasso := ""
			if l, found := violation(t, d, r, test.formula); found {
				lasso = spell(r, l)
			}
			if lasso != test.lasso {
				t.Errorf("%s is violated by %q, want %q", test.formula, lasso, test.lasso)
			}
		})
	}
}

// forms are formulas of every kind that properties have.
var forms = []string{
	"<>p", "[]p", "<>[]p", "[]<>p", "p ~> q", "p U q", "<>p & <>q", "[]<>p -> []<>q", "<>[](p -> q)", "(<>p) | ([]<>q)", "[](p -> <>(q & <>p))",
}

// TestFairGraphs compares with a checker that looks at every set of nodes, after
// whole searches and such as a limit has ended.
func TestFairGraphs(t *testing.T) {
	testsize.Alone(t)
	held, ends, cycles, early := 0, 0, 0, 0
	missing := func() error { // few graphs have cycles
		if held < 20 || ends < 20 || cycles < 10 || early == 0 {
			return fmt.Errorf("%d times it holds, %d times a run ends, %d times it cycles, %d searches end early: not a test", held, ends, cycles, early)
		}
		return nil
	}
	rapidtest.Until(t, missing, func(t *rapid.T) {
		d := fairDrawings(t)
		for _, limits := range []Options{{}, {MaxDepth: 1}, {MaxStates: 1}, {MaxDepth: 2, MaxStates: 3}} {
			r := mustSearch(t, d.drawing, limits)
			if r.Outcome != Exhausted {
				early++
			}
			for _, formula := range forms {
				switch l, found := compareRuns(t, d, r, formula); {
				case !found:
					held++
				case l.Loop == len(l.States)-1:
					ends++
				default:
					cycles++
				}
			}
		}
	})
}

// compareRuns looks for a violation in both ways, and checks what is found.
func compareRuns(t *rapid.T, d *fairDrawing, r *Result, formula string) (Lasso, bool) {
	f, err := ltl.Parse(formula)
	if err != nil {
		t.Fatal(err)
	}
	l, found := violation(t, d, r, formula)
	depth, want, known := bruteForce(d, r, ltl.Not(f).Automaton([]string{"p", "q"}))
	if known && found != want {
		t.Fatalf("a violation of %s is found: %v, and there is one: %v", formula, found, want)
	}
	if !found {
		return l, false
	}
	if err := checkLasso(d, r, l, f); err != nil {
		t.Fatalf("%s of %s: %v", spell(r, l), formula, err)
	}
	if known && l.Loop > depth {
		t.Fatalf("the loop of %s begins after %d steps, and one after %d", spell(r, l), l.Loop, depth)
	}
	return l, true
}

// TestFairWorkers looks for fair runs in graphs of several thousand states with
// crews of all sizes, and with one that keeps nothing of them.
func TestFairWorkers(t *testing.T) {
	cycling, forgetful := 0, 0
	missing := func() error {
		if cycling < 10 || forgetful < 10 {
			return fmt.Errorf("%d times a run cycles, %d times nothing was kept: not a test", cycling, forgetful)
		}
		return nil
	}
	rapidtest.Until(t, missing, func(t *rapid.T) {
		lasso, forgets := crewsAgree(t, scatters(t), rapid.IntRange(1, 9).Draw(t, "classes"), rapid.SampledFrom(forms).Draw(t, "formula"))
		if lasso.Loop < len(lasso.States)-1 {
			cycling++
		}
		if forgets {
			forgetful++
		}
	})
}

// TestFairBatches does so in a graph of more states than are looked at before
// anybody asks whether to go on.
func TestFairBatches(t *testing.T) {
	n := batchStates + 5000
	if lasso, forgets := crewsAgree(t, scatter(1, n, n, 100, 100), 5, "[]<>p"); lasso.States == nil || !forgets {
		t.Errorf("what was found: %v; one looked without a memory: %v", lasso, forgets)
	}
}

// TestFairProgress: who waits is told what is looked for, and how much there is.
func TestFairProgress(t *testing.T) {
	n := 5 * batchStates
	r := mustSearch(t, scatter(1, n, n, 100, 100), Options{Workers: 2})
	all := r.Graph.States()
	var told []Look
	_, err := r.Graph.FairRuns(t.Context(), RunOptions{
		Fair:     func([]uint64, Action) (Class, Strength) { return 1, Weak },
		Progress: func(l Look) { told = append(told, l) },
	})
	if err != nil {
		t.Fatal(err)
	}
	told = slices.Compact(told)
	if want := []Look{{lookForSteps, 4 * batchStates, all}, {lookForCycles, 4 * batchStates, all}}; !slices.Equal(told, want) {
		t.Errorf("%v, want %v", told, want)
	}
}

// TestFairInterrupted ends the look for fair runs before it has looked at anything.
func TestFairInterrupted(t *testing.T) {
	r := mustSearch(t, scatter(1, 3000, 3000, 100, 100), Options{Workers: 2})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var asked atomic.Int64
	_, err := r.Graph.FairRuns(ctx, RunOptions{Fair: func([]uint64, Action) (Class, Strength) { asked.Add(1); return 1, Weak }})
	if !errors.Is(err, context.Canceled) || asked.Load() != 0 {
		t.Errorf("%v, and %d steps were looked at", err, asked.Load())
	}
}

// TestFairContradiction: whoever of the pool meets a step that was not there before,
// it is the same panic.
func TestFairContradiction(t *testing.T) {
	for _, workers := range []int{1, 3} {
		d := scatter(1, 3001, 3000, 100, 1)
		for s := range d.arrows {
			d.arrows[s] = slices.DeleteFunc(d.arrows[s], func(a arrow) bool { return a.to == 3000 })
		}
		r := mustSearch(t, d, Options{Workers: workers})
		some := &d.arrows[statesOf(r)[2000]]
		*some = append(*some, arrow{advance, 3000})
		func() {
			defer func() {
				if p, ok := recover().(Contradiction); !ok {
					t.Errorf("%d workers: %v", workers, p)
				}
			}()
			runs, err := r.Graph.FairRuns(t.Context(), RunOptions{Fair: func([]uint64, Action) (Class, Strength) { return 1, Weak }})
			t.Errorf("%d workers: %v %v", workers, runs, err)
		}()
	}
}

// mixed puts the actions of a drawing into so many classes, of all strengths.
func mixed(classes int) Fairness {
	return func(_ []uint64, a Action) (Class, Strength) {
		c := int(a>>8) % classes
		return Class(c), []Strength{Weak, Strong, Unfair}[c%3]
	}
}

// TestGlances: a search that is glanced at ends as it would without that. What is shown, and what is found of runs in it, is what a search
// has that may not go farther; and if it is enough, that is the end.
func TestGlances(t *testing.T) {
	found := 0
	missing := func() error {
		if found < 10 {
			return fmt.Errorf("%d times a run was found: not a test", found)
		}
		return nil
	}
	rapidtest.Until(t, missing, func(t *rapid.T) {
		d, fair := scatters(t), mixed(rapid.IntRange(1, 9).Draw(t, "classes"))
		enoughAt, first := rapid.IntRange(2, 9).Draw(t, "enough at"), rapid.IntRange(1, 500).Draw(t, "first")
		workers := rapid.IntRange(1, 3).Draw(t, "workers")
		sc := scale{chunk: 128}
		whole := mustSearchAt(t, d, Options{}, sc)
		enough := false
		look := func(soFar *Result) (bool, error) {
			depth := soFar.Stats.Depth // nothing as deep was expanded
			if depth < 2 {
				return false, nil // a depth of 0 would be no limit
			}
			shallow := mustSearch(t, d, Options{MaxDepth: depth - 1})
			if shallow.Outcome != DepthLimit || soFar.Stats.Expanded != shallow.Stats.Expanded || soFar.Stats.States != shallow.Stats.States {
				t.Fatalf("%d of %d states expanded, want %d of %d", soFar.Stats.Expanded, soFar.Stats.States, shallow.Stats.Expanded, shallow.Stats.States)
			}
			var lassos [2]Lasso
			for i, r := range []*Result{soFar, shallow} {
				runs, err := r.Graph.FairRuns(t.Context(), RunOptions{Fair: fair})
				if err != nil {
					return false, err
				}
				if lassos[i], _, err = runs.Accepted(t.Context(), everything, nil); err != nil {
					return false, err
				}
			}
			if !reflect.DeepEqual(lassos[0], lassos[1]) {
				t.Fatalf("%v at a glance, else %v", lassos[0], lassos[1])
			}
			if lassos[0].States != nil {
				found++
			}
			enough = depth >= enoughAt
			return enough, nil
		}
		sc.glance = first
		r := mustSearchAt(t, d, Options{Workers: workers, Glance: look}, sc)
		if !enough {
			same(t, whole, r)
			return
		}
		if shallow := mustSearch(t, d, Options{MaxDepth: r.Stats.Depth - 1}); r.Outcome != Stopped || r.Stats.Expanded != shallow.Stats.Expanded {
			t.Fatalf("%v after %d states, want %d", r.Outcome, r.Stats.Expanded, shallow.Stats.Expanded)
		}
	})
}

// TestGlanceTimes: the first glance waits until there is something to see, and the
// next until there is much more; and there is one before a search goes on on disk. An
// error ends the search.
func TestGlanceTimes(t *testing.T) {
	d := cube(15)
	var at []int
	o := Options{Glance: func(soFar *Result) (bool, error) {
		at = append(at, soFar.Stats.Expanded)
		return false, nil
	}}
	mustSearchAt(t, d, o, scale{glance: 20})
	if want := []int{121, 9949}; !slices.Equal(at, want) { // 1+15+105; and 64 times as many at least, so 1+15+105+455+1365+3003+5005
		t.Errorf("glances after %v states, want %v", at, want)
	}
	if mustSearch(t, d, o); len(at) != 2 {
		t.Errorf("a glance at %v states", at)
	}
	elsewhere := scale{glance: 20, states: 15, block: 1 << 10, runs: 16, print: printBits}
	if mustSearchAt(t, d, Options{Store: Compact, Glance: o.Glance}, elsewhere); len(at) != 2 {
		t.Errorf("a glance at %v states, which are not there", at)
	}
	for _, enough := range []bool{false, true} {
		var seen []Outcome
		dir := t.TempDir()
		r := mustSearchAt(t, d, Options{Spill: dir, Glance: func(soFar *Result) (bool, error) {
			seen = append(seen, soFar.Outcome)
			return enough, nil
		}}, elsewhere)
		if want := map[bool]Outcome{false: Exhausted, true: Stopped}[enough]; !slices.Equal(seen, []Outcome{MemoryLimit}) || r.Outcome != want || (r.Stats.Disk > 0) == enough {
			t.Errorf("enough: %v: glances at %v, and %v with %d bytes on disk", enough, seen, r.Outcome, r.Stats.Disk)
		}
		r.Graph.Close()
	}
	wrong := errors.New("wrong")
	o.Glance = func(*Result) (bool, error) { return false, wrong }
	if _, err := searchAt(t.Context(), d, o, scale{}); err != wrong {
		t.Errorf("%v", err)
	}
}

// crewsAgree compares what several crews find, returns it, and reports whether one
// looked without keeping anything.
func crewsAgree(t rapid.TB, d *drawing, classes int, formula string) (lasso Lasso, forgets bool) {
	t.Helper()
	for s := range d.marks {
		for i, every := range []int{3, 7} {
			if s%every == 0 {
				d.marks[s] = append(d.marks[s], Mark{Bit: 60 + uint8(i)})
			}
		}
	}
	fair := mixed(classes)
	f, err := ltl.Parse(formula)
	if err != nil {
		t.Fatal(err)
	}
	var first string
	little := 2*keptTogether*successorBytes + 40*len(d.arrows) // not enough to keep anything
	for _, pool := range []struct{ workers, memory int }{{1, 0}, {2, 0}, {8, 0}, {2, little}} {
		r := mustSearch(t, d, Options{Workers: pool.workers})
		runs, err := r.Graph.FairRuns(context.Background(), RunOptions{Fair: fair, Memory: int64(pool.memory)})
		if errors.Is(err, ErrMemory) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		l, found, err := runs.Accepted(context.Background(), ltl.Not(f).Automaton([]string{"p", "q"}), []uint8{60, 61})
		if errors.Is(err, ErrMemory) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		told := fmt.Sprint(slices.Collect(runs.stay.all()), runs.Cycle(), l, found)
		if first == "" {
			first = told
		}
		if told != first {
			t.Fatalf("one worker: %s\n%+v: %s", first, pool, told)
		}
		lasso = l
		forgets = forgets || runs.outlooks.kept == nil && !r.Graph.Forward()
	}
	return lasso, forgets
}

func fairDrawings(t *rapid.T) *fairDrawing {
	n := rapid.IntRange(1, 4).Draw(t, "states")
	d := &fairDrawing{drawing: blank(n), class: map[Action]Class{}, strength: map[Class]Strength{}}
	d.initial = []int{0}
	count := Action(0)
	for s := range n {
		for _, to := range rapid.SliceOfN(rapid.IntRange(dead, n-1), 0, 3).Draw(t, "steps") {
			count++
			a := advance | count<<8
			d.class[a] = Class(rapid.IntRange(0, 3).Draw(t, "class"))
			d.arrows[s] = append(d.arrows[s], arrow{a, to})
		}
		for i := range uint8(2) {
			switch rapid.IntRange(0, 5).Draw(t, "atom") {
			case 0, 1, 2:
				d.marks[s] = append(d.marks[s], Mark{Bit: i})
			case 3:
				d.marks[s] = append(d.marks[s], Mark{Bit: i, OnStep: true, Action: advance}) // which is no atom
			}
		}
		d.cut[s] = rapid.IntRange(0, 9).Draw(t, "cut") == 9
	}
	for c := range Class(4) {
		d.strength[c] = rapid.SampledFrom([]Strength{Unfair, Weak, Strong}).Draw(t, "strength")
	}
	return d
}

// step is one of a product, drawn out; that of resting has no class.
type pairStep struct {
	to     int
	class  Class
	owed   Strength
	action Action // 0: of resting
}

// bruteForce looks at every set of nodes of the product of a graph and an
// automaton, as far as the states were expanded: a fair run may stay in it if it is
// strongly connected and does justice to every class. It returns how soon one is
// reached. It is not known if there are too many sets.
func bruteForce(d *fairDrawing, r *Result, a *ltl.Automaton) (depth int, found, known bool) {
	all := statesOf(r)[:r.Stats.Expanded]
	steps, reached := pairSteps(d, r, a)
	far := distances(d, r, a, steps)
	if len(reached) > 12 {
		return 0, false, false
	}
	depth = len(steps)
	for set := 1; set < 1<<len(reached); set++ {
		inside, at := map[int]bool{}, len(steps)
		for i, n := range reached {
			if set>>i&1 != 0 {
				inside[n], at = true, min(at, far[n])
			}
		}
		if at < depth && fairSet(d, all, a, steps, inside) {
			depth, found = at, true
		}
	}
	return depth, found, true
}

// pairSteps returns the steps out of each node of a product, and the nodes that are reached and where a run may stay.
func pairSteps(d *fairDrawing, r *Result, a *ltl.Automaton) (steps [][]pairStep, reached []int) {
	all, size := statesOf(r)[:r.Stats.Expanded], len(a.States)
	steps = make([][]pairStep, len(all)*size)
	for i, s := range all {
		for q := range size {
			if !matches(d, s, a.States[q]) {
				continue
			}
			node := i*size + q
			rests := true
			for _, arrow := range d.arrows[s] {
				c, owed := d.fairness(nil, arrow.action)
				rests = rests && owed == Unfair
				for _, next := range a.States[q].Next {
					if to := slices.Index(all, arrow.to); to >= 0 && matches(d, arrow.to, a.States[next]) {
						steps[node] = append(steps[node], pairStep{to*size + next, c, owed, arrow.action})
					}
				}
			}
			for _, next := range a.States[q].Next {
				if rests && matches(d, s, a.States[next]) {
					steps[node] = append(steps[node], pairStep{to: i*size + next})
				}
			}
		}
	}
	for n, at := range distances(d, r, a, steps) {
		if at >= 0 && !d.cut[all[n/size]] { // in those nobody stays
			reached = append(reached, n)
		}
	}
	return steps, reached
}

func matches(d *fairDrawing, s int, q ltl.State) bool {
	letter := uint64(0)
	for _, m := range d.marks[s] {
		if !m.OnStep {
			letter |= 1 << m.Bit
		}
	}
	return letter&q.True == q.True && letter&q.False == 0
}

// distances returns how far each node is from the beginning; -1: forever.
func distances(d *fairDrawing, r *Result, a *ltl.Automaton, steps [][]pairStep) []int {
	size := len(a.States)
	far := slices.Repeat([]int{-1}, len(steps))
	var queue []int
	for i := range r.Stats.Initial {
		for _, q := range a.Initial {
			if matches(d, statesOf(r)[i], a.States[q]) {
				far[i*size+q], queue = 0, append(queue, i*size+q)
			}
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, s := range steps[queue[0]] {
			if far[s.to] < 0 {
				far[s.to], queue = far[queue[0]]+1, append(queue, s.to)
			}
		}
	}
	return far
}

// fairSet reports whether a fair run may stay in a set of nodes, visit them all
// again and again, and be accepted.
func fairSet(d *fairDrawing, all []int, a *ltl.Automaton, steps [][]pairStep, set map[int]bool) bool {
	accepted := uint64(0)
	enabled, taken := map[Class]int{}, map[Class]bool{}
	for n := range set {
		accepted |= a.States[n%len(a.States)].Accept
		here := map[Class]bool{}
		for _, arrow := range d.arrows[all[n/len(a.States)]] {
			if c, s := d.fairness(nil, arrow.action); s != Unfair && !here[c] {
				here[c] = true
				enabled[c]++
			}
		}
		for _, s := range steps[n] {
			if set[s.to] && s.owed != Unfair {
				taken[s.class] = true
			}
		}
	}
	for c, n := range enabled {
		if !taken[c] && (d.strength[c] == Strong || n == len(set)) {
			return false
		}
	}
	return accepted == 1<<a.Accepting-1 && connected(steps, set)
}

// connected reports whether every node of a set can reach every one by at least
// one step inside.
func connected(steps [][]pairStep, set map[int]bool) bool {
	for n := range set {
		met, queue := map[int]bool{}, []int{n}
		for ; len(queue) > 0; queue = queue[1:] {
			for _, s := range steps[queue[0]] {
				if set[s.to] && !met[s.to] {
					met[s.to] = true
					queue = append(queue, s.to)
				}
			}
		}
		if len(met) != len(set) {
			return false
		}
	}
	return true
}

// checkLasso checks a violation by the drawing and the formula alone.
func checkLasso(d *fairDrawing, r *Result, l Lasso, f *ltl.Formula) error {
	all := statesOf(r)
	last := len(l.States) - 1
	if len(l.Actions) != last || l.Loop > last || l.States[l.Loop] != l.States[last] || l.States[0] >= r.Stats.Initial {
		return fmt.Errorf("no lasso: %v", l)
	}
	for i, a := range l.Actions {
		if !slices.Contains(d.arrows[all[l.States[i]]], arrow{a, all[l.States[i+1]]}) {
			return fmt.Errorf("step %d is none", i)
		}
	}
	loop := l.States[l.Loop : last+1]
	for c, s := range d.strength {
		possible, taken := 0, false
		for i, n := range loop {
			if slices.ContainsFunc(d.arrows[all[n]], func(a arrow) bool { return d.class[a.action] == c }) {
				possible++
			}
			taken = taken || l.Loop+i < last && d.class[l.Actions[l.Loop+i]] == c
		}
		if !taken && (s == Weak && possible == len(loop) || s == Strong && possible > 0) {
			return fmt.Errorf("it is not fair to class %v", c)
		}
	}
	if f.Holds(max(last, l.Loop+1), l.Loop, func(i int, atom string) bool {
		bit := map[string]uint8{"p": 0, "q": 1}[atom]
		return slices.ContainsFunc(d.marks[all[l.States[i]]], func(m Mark) bool { return m.Bit == bit && !m.OnStep })
	}) {
		return fmt.Errorf("the formula holds on it")
	}
	return nil
}
