package properties_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/ble"
	"interleave/spec/bully"
	"interleave/spec/catalog"
	"interleave/spec/changroberts"
)

func verify(t *testing.T, m spec.Machine, c model.Config, props []properties.Property, o properties.Options) *properties.Report {
	t.Helper()
	o.Catalogue = election.Catalogue
	r, err := properties.Verify(t.Context(), m, c, props, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// exhausts reports whether a world has no more states than a limit.
func exhausts(t *testing.T, m spec.Machine, c model.Config, limit int) bool {
	t.Helper()
	r := verify(t, m, c, suiting(m, election.OneLeader, properties.NoDeadlock)[:1], properties.Options{Continue: true, MaxStates: limit, MaxDepth: 200})
	return r.Stats.Outcome == explore.Exhausted.String()
}

// suiting returns those properties that mean something to an algorithm.
func suiting(m spec.Machine, props ...properties.Property) []properties.Property {
	return slices.DeleteFunc(slices.Clone(props), func(p properties.Property) bool { return p.Suits(m) != nil })
}

func finding(t *testing.T, r *properties.Report, name string) properties.Finding {
	t.Helper()
	for _, f := range r.Findings {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no finding on %s", name)
	return properties.Finding{}
}

// TestPublishedBullyBelievesAnyone: with timers that may expire at any moment,
// the shortest way to a false leader is to be impatient.
func TestPublishedBullyBelievesAnyone(t *testing.T) {
	r := verify(t, bully.Published, model.Config{N: 3, Timers: model.Any}, []properties.Property{election.WinnerIsTop}, properties.Options{})
	f := finding(t, r, "winner-is-top")
	got := strings.Join(properties.Format(bully.Published, f.Trace, election.WinnerIsTop), "\n")
	want := `  1  process 1: notice: Mode idle → electing, arms T_ok, sends ELECTION to 2, 3
  2  process 1: timeout T_ok: Mode electing → idle, Leader none → 1, disarms T_ok, sends COORDINATOR to 2, 3
     process 1 follows itself, but 3 is top`
	if r.Verdict != properties.Violated || got != want {
		t.Errorf("%v\n%s", r.Verdict, got)
	}
}

// TestTellRun: a Go test tells the run to several properties once, but not for one that does
// not count, as its run is not told at all.
func TestTellRun(t *testing.T) {
	props := []properties.Property{election.LeaderIsTopOrCrashed, election.WinnerIsTop, election.OneLeader}
	r := verify(t, bully.Published, model.Config{N: 3, Timers: model.Any}, props, properties.Options{Continue: true})
	for i, want := range []string{"process 1 follows 1, but 3 is top", "     the run is that to leader-is-top-or-crashed: process 1 follows itself, but 3 is top", "both follow themselves"} {
		lines := properties.FormatRun(bully.Published, r.Findings[i], r.Findings[:i])
		if got := lines[len(lines)-1]; (len(lines) == 1) != (i == 1) || !strings.HasSuffix(got, want) {
			t.Errorf("%s:\n%s", r.Findings[i].Name, strings.Join(lines, "\n"))
		}
	}
	r.Findings[0].Note = "it does not count"
	if lines := properties.FormatRun(bully.Published, r.Findings[1], r.Findings[:1]); len(lines) == 1 {
		t.Errorf("a run that was not told is referred to: %s", lines)
	}
}

// TestMendedBullyHolds is what the semantics promises of the mended Bully.
func TestMendedBullyHolds(t *testing.T) {
	for _, c := range []model.Config{
		{N: 3, Crashes: 1},
		{N: 3, Crashes: 2, Split: true},
		{N: 3, Crashes: 1, Start: model.LeaderDown, Network: model.Bag},
		{N: 4, Crashes: 1, Network: model.Set},
		{N: 4, Crashes: 1, Network: model.Set, Split: true, Start: model.LeaderDown},
	} {
		r := election.Test(t, bully.Mended, c)
		if f := finding(t, r, "leader-is-top"); f.Verdict != properties.Violated || f.Counts() {
			t.Errorf("%+v: leader-is-top is %v and counts: %v", c, f.Verdict, f.Counts())
		}
	}
}

// TestNowAndThen: whoever waits is told how far a check is, but not all the time.
func TestNowAndThen(t *testing.T) {
	for every, want := range map[time.Duration]int{0: 4, time.Hour: 0} {
		var told []string
		listed, grown := properties.NowAndThen(func(format string, args ...any) { told = append(told, fmt.Sprintf(format, args...)) }, every)
		for range 2 {
			listed(explore.Stats{States: 5, Depth: 3, Frontier: 2})
			grown(properties.Growth{Doing: "judging termination", Nodes: 7})
		}
		if len(told) != want || want > 0 && !slices.Equal(told[:2], []string{"5 states, depth 3, frontier 2", "judging termination: 7 nodes"}) {
			t.Errorf("every %v: %q", every, told)
		}
	}
}

// TestVerdicts pins which properties are violated where, one row for each
// thing that the semantics says of an algorithm.
func TestVerdicts(t *testing.T) {
	any := model.Initiators{Any: true}
	for _, row := range []struct {
		m        spec.Machine
		c        model.Config
		violated string
	}{
		{changroberts.Classic, model.Config{N: 4, Network: model.Set, Initiators: any}, ""},
		{changroberts.Textbook, model.Config{N: 4}, ""},
		{changroberts.Textbook, model.Config{N: 3, Crashes: 1}, "agreement agreement-on-top leader-eventually no-deadlock"},
		{changroberts.Textbook, model.Config{N: 3, Start: model.LeaderDown}, "agreement-on-top"},
		{changroberts.Detecting, model.Config{N: 3, Crashes: 2, Detector: model.Perfect}, ""},
		{changroberts.Detecting, model.Config{N: 3, Crashes: 1}, "agreement agreement-on-top leader-eventually no-deadlock"},
		{bully.Published, model.Config{N: 3}, ""},
		{bully.Published, model.Config{N: 3, Crashes: 1}, ""},
		{bully.Published, model.Config{N: 3, Crashes: 1, Split: true}, "agreement agreement-on-top leader-eventually no-deadlock"},
	} {
		r := verify(t, row.m, row.c, nil, properties.Options{Continue: true})
		var violated []string
		for _, f := range r.Findings {
			if f.Counts() && f.Verdict == properties.Violated {
				violated = append(violated, f.Name)
			}
		}
		if got := strings.Join(violated, " "); got != row.violated {
			t.Errorf("%s %+v: %q is violated, want %q", row.m.Traits().Name, row.c, got, row.violated)
		}
	}
}

// TestEveryTraceReplays lets each counterexample of the catalogue through a
// file and repeats it.
func TestEveryTraceReplays(t *testing.T) {
	testsize.Alone(t)
	traces, limit := 0, 20_000
	if testing.Short() {
		limit = 1500
	}
	for _, m := range catalog.Machines {
		for _, timers := range []model.Timing{model.Flush, model.Any} {
			c, _ := model.Home(m, 3)
			c.Crashes, c.Split, c.Timers = 1, true, timers
			if c.Check(m) != nil {
				continue
			}
			r := verify(t, m, c, suiting(m, election.All...), properties.Options{Continue: true, MaxStates: limit})
			for _, f := range r.Findings {
				if f.Trace == nil {
					continue
				}
				traces++
				var file bytes.Buffer
				if err := f.Trace.Write(&file); err != nil {
					t.Fatal(err)
				}
				trace, err := model.ReadTrace(&file)
				if err != nil {
					t.Fatalf("%s %s: %v", r.Algorithm, f.Name, err)
				}
				if _, _, reason, err := election.Replay(m, trace); err != nil || reason != f.Why {
					t.Errorf("%s %s: %q, %v; want %q", r.Algorithm, f.Name, reason, err, f.Why)
				}
			}
		}
	}
	if traces < 30 {
		t.Errorf("only %d traces", traces)
	}
}

// TestReportsAreEqual compares whole reports, traces included: one worker with
// many, and tables with the handlers called directly.
func TestReportsAreEqual(t *testing.T) {
	limit := testsize.Of(200, 400, 3000)
	for _, m := range catalog.Machines {
		c, _ := model.Home(m, 3)
		c.Crashes = 1
		var first *properties.Report
		for _, o := range []properties.Options{{Workers: 1}, {Workers: 5}, {Direct: true}, {Direct: true, Workers: 3}} {
			o.Continue, o.MaxStates = true, limit
			r := verify(t, m, c, suiting(m, election.All...), o)
			s := &r.Stats
			s.Judging, s.Seconds, s.Bytes, s.BytesPerState, s.WordsPerState, s.Tables, r.Direct = 0, 0, 0, 0, 0, model.TableStats{}, false
			for i := range r.Findings {
				r.Findings[i].Property = properties.Property{}
			}
			if first == nil {
				first = r
			}
			if !reflect.DeepEqual(r, first) {
				t.Errorf("%s with %+v:\n%+v\nwant\n%+v", r.Algorithm, o, r, first)
			}
		}
	}
}

// TestClassicInvariant is the invariant of the PlusCal specification, as a
// property of our own.
func TestClassicInvariant(t *testing.T) {
	invariant := properties.Invariant("classic", "a winner is the smallest initiator, and all others have lost",
		func(w *model.World) error {
			for p := range w.Live().All() {
				if w.State(p).(changroberts.Standing).Status != changroberts.Won {
					continue
				}
				if p != w.Initiators().Min() {
					return fmt.Errorf("process %v won, but the initiators are %v", p, w.Initiators())
				}
				for q := range w.Live().Without(p).All() {
					if s := w.State(q).(changroberts.Standing); w.Started(q) && s.Status != changroberts.Lost {
						return fmt.Errorf("process %v won, but %v is %v", p, q, s.Status)
					}
				}
			}
			return nil
		})
	c, _ := model.Home(changroberts.Classic, 5)
	r := verify(t, changroberts.Classic, c, []properties.Property{invariant}, properties.Options{AllRings: true})
	if r.Verdict != properties.Verified {
		t.Errorf("%v: %s", r.Verdict, r.Findings[0].Why)
	}
}

// TestSlowHandlers: the time that handlers take counts, though most of it is before the search.
func TestSlowHandlers(t *testing.T) {
	const each = 2 * time.Millisecond
	slow := bully.Mended.Mutant("slow", "", func(_ *bully.State, _ *spec.Proc[bully.Msg], _ spec.Event, handle func()) {
		time.Sleep(each)
		handle()
	})
	for _, direct := range []bool{false, true} {
		s := verify(t, slow, model.Config{N: 2}, []properties.Property{election.WinnerIsTop}, properties.Options{Direct: direct}).Stats
		if least := each * time.Duration(s.Tables.HandlerCalls) / 2; s.Tables.HandlerCalls < 10 || s.Seconds < least.Seconds() {
			t.Errorf("direct: %v: %d calls, and %v s in all", direct, s.Tables.HandlerCalls, s.Seconds)
		}
	}
}

// TestWorldOfItsOwn: an algorithm whose own world is misspelt is refused in any world, as a
// test of it alone would not tell.
func TestWorldOfItsOwn(t *testing.T) {
	for axis, value := range map[string]string{"netwrk": "set", "network": "sett"} {
		a := *bully.Mended
		a.World = map[string]string{axis: value}
		_, err := properties.Verify(t.Context(), &a, model.Config{N: 2}, nil, properties.Options{Catalogue: election.Catalogue})
		if err == nil || !strings.Contains(err.Error(), "the world of bully/mended: ") {
			t.Errorf("%s %s: %v", axis, value, err)
		}
	}
}

// TestOwnProperties judges one of each kind by a user, true and false.
func TestOwnProperties(t *testing.T) {
	inFlight := func(w *model.World) int {
		n := 0
		for range w.InFlight() {
			n++
		}
		return n
	}
	atMost := func(n int) func(*model.World) error {
		return func(w *model.World) error {
			if got := inFlight(w); got > n {
				return fmt.Errorf("%d messages are in flight", got)
			}
			return nil
		}
	}
	no := errors.New("no")
	for _, row := range []struct {
		property properties.Property
		verdict  properties.Verdict
		depth    int
	}{
		{properties.Invariant("few", "", atMost(99)), properties.Verified, 0},
		{properties.Invariant("three", "", atMost(2)), properties.Violated, 3},
		{properties.Quiescent("silence", "", atMost(0)), properties.Verified, 0},
		{properties.Quiescent("unrest", "", func(*model.World) error { return no }), properties.Violated, 7},
		{properties.EveryStep("fickle", "", func(before, after *model.World) error { return nil }), properties.Verified, 0},
		{properties.EveryStep("loyal", "", func(before, after *model.World) error {
			if before.Leader(1) != after.Leader(1) {
				return no
			}
			return nil
		}), properties.Violated, 5},
		{properties.Cover("crowd", "", func(w *model.World) bool { return inFlight(w) == 3 }), properties.Verified, 3},
		{properties.Cover("flood", "", func(w *model.World) bool { return inFlight(w) == 9 }), properties.Violated, 0},
	} {
		for _, direct := range []bool{false, true} {
			r := verify(t, changroberts.Textbook, model.Config{N: 3}, []properties.Property{row.property}, properties.Options{Direct: direct})
			if f := r.Findings[0]; f.Verdict != row.verdict || f.Depth != row.depth || r.Verdict != row.verdict {
				t.Errorf("%s, direct %v: %v at depth %d, want %v at %d", f.Name, direct, f.Verdict, f.Depth, row.verdict, row.depth)
			}
		}
	}
}

// TestNeverAFalsePass cuts searches short in every way, and wants no verdict
// that is not earned.
func TestNeverAFalsePass(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, row := range map[string]struct {
		ctx     context.Context
		options properties.Options
		props   []properties.Property
		verdict properties.Verdict
	}{
		"interrupted":             {cancelled, properties.Options{}, nil, properties.Inconclusive},
		"state limit":             {t.Context(), properties.Options{MaxStates: 100}, nil, properties.Inconclusive},
		"memory limit":            {t.Context(), properties.Options{Memory: 1 << 16}, nil, properties.Inconclusive},
		"depth":                   {t.Context(), properties.Options{MaxDepth: 5}, nil, properties.Inconclusive},
		"depth, excused":          {t.Context(), properties.Options{MaxDepth: 5}, []properties.Property{properties.Undecided("leader-eventually", "termination")}, properties.Bounded},
		"depth, termination only": {t.Context(), properties.Options{MaxDepth: 5}, []properties.Property{properties.Termination}, properties.Inconclusive},
		"depth enough":            {t.Context(), properties.Options{MaxDepth: 1000}, nil, properties.Verified},
		"no property":             {t.Context(), properties.Options{}, []properties.Property{}, properties.Inconclusive},
		"nothing is cut":          {t.Context(), properties.Options{}, nil, properties.Verified},
	} {
		row.options.Catalogue = election.Catalogue
		r, err := properties.Verify(row.ctx, bully.Mended, model.Config{N: 3, Crashes: 1}, row.props, row.options)
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != row.verdict {
			t.Errorf("%s: %v, want %v", name, r.Verdict, row.verdict)
		}
		if r.Verdict == properties.Inconclusive && r.Why == "" {
			t.Errorf("%s: no reason is given", name)
		}
	}
}

// TestVacuousParts: process 1 never leads, so what would be if it did proves nothing,
// wherever it is said.
func TestVacuousParts(t *testing.T) {
	for _, engine := range []properties.Engine{properties.Explicit, properties.Symbolic} {
		for text, want := range map[string]properties.Verdict{
			"[](leads(1) -> knows(2))":                            properties.Inconclusive,
			"<>[](leads(1) -> knows(2))":                          properties.Inconclusive,
			"[](up(1) -> [](leads(1) -> <>leads(2)))":             properties.Inconclusive,
			"[](leads(1) -> knows(2)) | []<>!up(3)":               properties.Inconclusive,
			"[](leads(3) -> <>knows(2))":                          properties.Verified,
			"[](up(1) -> <>[](leads(3) -> <>[]knows(2)))":         properties.Verified,
			"[](leads(3) -> [](knows(1) & leads(1) -> knows(2)))": properties.Inconclusive,
		} {
			p, err := election.Formula(text)
			if err != nil {
				t.Fatal(err)
			}
			r := verify(t, bully.Mended, model.Config{N: 3}, []properties.Property{p}, properties.Options{Engine: engine})
			if r.Verdict != want {
				t.Errorf("%s is %v by the %v engine, want %v: %s", text, r.Verdict, engine, want, r.Why)
			}
		}
	}
}

// TestCyclesSoFar: without a bound the search does not end, but a run that cycles
// among the states that it has seen is one. By a run that ends elsewhere nothing is
// proved.
func TestCyclesSoFar(t *testing.T) {
	c := model.Config{N: 3, Crashes: 1}
	for name, o := range map[string]properties.Options{
		"depth": {MaxDepth: 12}, "states": {MaxStates: 200}, "workers": {MaxDepth: 12, Workers: 2}, "symbolic first": {MaxDepth: 12, Engine: properties.Auto},
	} {
		r := verify(t, changroberts.Naive, c, []properties.Property{properties.Termination}, o)
		if f := finding(t, r, "termination"); f.Verdict != properties.Violated || f.Depth != 6 {
			t.Errorf("%s: termination is %v after %d steps", name, f.Verdict, f.Depth)
		}
	}
	for name, o := range map[string]properties.Options{
		"not far enough": {MaxDepth: 3}, "reduced": {MaxStates: 200, Reduce: true}, "lossy": {MaxStates: 200, Store: explore.Compact}, "on disk": {MaxDepth: 12, Memory: 1 << 16, Spill: t.TempDir()},
	} {
		r := verify(t, changroberts.Naive, c, []properties.Property{properties.Termination}, o)
		if f := finding(t, r, "termination"); f.Verdict != properties.Inconclusive || f.Why == "" {
			t.Errorf("%s: termination is %v: %s", name, f.Verdict, f.Why)
		}
	}
}

// TestFairnessEndsElections: in a set network with impatient timers elections
// may begin again and again, but not if every message arrives in the end.
func TestFairnessEndsElections(t *testing.T) {
	c := model.Config{N: 3, Network: model.Set, Timers: model.Any}
	if r := verify(t, bully.Mended, c, []properties.Property{properties.Termination}, properties.Options{}); r.Verdict != properties.Verified {
		t.Errorf("%v: %s", r.Verdict, r.Why)
	}
	c.Fairness.Unfair = []string{"receive"}
	r := verify(t, bully.Mended, c, []properties.Property{properties.Termination}, properties.Options{})
	f := finding(t, r, "termination")
	if r.Verdict != properties.Violated || f.Trace == nil || f.Trace.Loop == 0 || f.Fairness == nil {
		t.Fatalf("%v: %s", r.Verdict, f.Why)
	}
	if _, _, _, err := election.Replay(bully.Mended, f.Trace); err != nil {
		t.Error(err)
	}
}

// TestUnfairStays: where only steps remain that need not happen a run may stay, and a
// search that was cut short sees that, by tables and without.
func TestUnfairStays(t *testing.T) {
	c := model.Config{N: 4, Fairness: model.Fairness{Unfair: []string{"notice"}}}
	for _, direct := range []bool{false, true} {
		r := verify(t, bully.Mended, c, []properties.Property{properties.Termination}, properties.Options{MaxStates: 100, Direct: direct})
		if f := finding(t, r, "termination"); f.Verdict != properties.Violated || f.Depth != 0 {
			t.Errorf("direct %t: %v after %d steps: %s", direct, f.Verdict, f.Depth, f.Why)
		}
	}
}

// TestNeverFired reports what could happen and did not.
func TestNeverFired(t *testing.T) {
	r := verify(t, bully.Mended, model.Config{N: 3}, nil, properties.Options{})
	if got := strings.Join(r.NeverFired, ", "); got != "timeout T_coord, timeout T_ok" {
		t.Errorf("never fired: %q", got)
	}
	fragile := odd("fragile", func(a *oddState) {
		a.Start = func(_ *int, p *oddProc) { p.Broadcast(p.Others(), 7) }
		a.Receive = func(*int, *oddProc, spec.ID, int) { panic("a message") }
	})
	for _, engine := range []properties.Engine{properties.Explicit, properties.Symbolic} {
		r := verify(t, fragile, model.Config{N: 2}, nil, properties.Options{Engine: engine})
		if r.Verdict != properties.Violated || len(r.NeverFired) > 0 {
			t.Errorf("%v: %v, never fired: %q, and it is what panics", engine, r.Verdict, r.NeverFired)
		}
	}
}

// TestInboxesAreLookedAtAnew: states that share their local states differ in
// their inboxes, and so may properties that look at these.
func TestInboxesAreLookedAtAnew(t *testing.T) {
	var props []properties.Property
	for p := spec.ID(1); p <= 3; p++ {
		for most := range 5 {
			props = append(props, properties.Invariant(fmt.Sprint(p, most), "", func(w *model.World) error {
				if n := len(w.Inbox(p)); n > most {
					return fmt.Errorf("%d messages are on their way to %v", n, p)
				}
				return nil
			}))
		}
	}
	config := model.Config{N: 3, Crashes: 1}
	table := verify(t, bully.Mended, config, props, properties.Options{Continue: true})
	direct := verify(t, bully.Mended, config, props, properties.Options{Continue: true, Direct: true})
	for i, f := range table.Findings {
		if g := direct.Findings[i]; f.Verdict != g.Verdict || f.Depth != g.Depth {
			t.Errorf("%s: %v at depth %d by tables, %v at %d directly", f.Name, f.Verdict, f.Depth, g.Verdict, g.Depth)
		}
	}
}

// TestNoLoopNoTermination: a trace of termination that closes no loop confirms
// nothing.
func TestNoLoopNoTermination(t *testing.T) {
	r := verify(t, bully.Published, model.Config{N: 3, Timers: model.Any}, []properties.Property{election.WinnerIsTop}, properties.Options{})
	trace := *r.Findings[0].Trace
	trace.Property = "termination"
	for _, loop := range []int{-1, 0, 1, 2, 3} {
		trace.Loop = loop
		if _, _, _, err := election.Replay(bully.Published, &trace); err == nil {
			t.Errorf("a loop from step %d is confirmed", loop)
		}
	}
}

// TestKeep: the states that were explored, each once, and a run to the goal;
// the symbolic engine has no list of them.
func TestKeep(t *testing.T) {
	r := verify(t, changroberts.Classic, model.Config{N: 3, Network: model.Set}, nil, properties.Options{Keep: true, Engine: properties.Auto})
	reference, err := model.NewReference(changroberts.Classic, r.Config)
	if err != nil {
		t.Fatal(err)
	}
	var states []model.State
	for s := range r.States() {
		if slices.ContainsFunc(states, s.Equal) {
			t.Errorf("%+v twice", s)
		}
		states = append(states, s)
	}
	if len(states) != r.Stats.States || !states[0].Equal(reference.Initial()[0]) {
		t.Errorf("%d states, beginning with %+v", len(states), states[0])
	}
	f := finding(t, r, "can-elect")
	if _, run, err := model.Replay(changroberts.Classic, f.Witness); err != nil || len(run.Steps) != f.Depth || !election.CanElect.Reached(reference.World(run.End())) {
		t.Errorf("the run to the goal: %v", err)
	}
	if verify(t, changroberts.Classic, r.Config, nil, properties.Options{}).States() != nil {
		t.Error("states were kept, and nobody had asked for them")
	}
	if _, err := properties.Verify(t.Context(), changroberts.Classic, r.Config, nil, properties.Options{Catalogue: election.Catalogue, Keep: true, Engine: properties.Symbolic}); err == nil {
		t.Error("the symbolic engine keeps states")
	}
}

// TestFileName: each counterexample of a test has a file, whatever its property is called.
func TestFileName(t *testing.T) {
	for name, want := range map[string]string{
		"winner-is-top": "winner-is-top.json", "complete-within(2)": "complete-within(2).json", `<>up(1) /\ <>!up(1)`: "__up(1)_______up(1)-3.json", "../é": "___é-3.json",
	} {
		if have := properties.FileName(name, 2); have != want {
			t.Errorf("%s: %s, want %s", name, have, want)
		}
	}
}

// TestCountsOn: a search that was cut short lacks a bound where there is something to bound, and
// the world may have one.
func TestCountsOn(t *testing.T) {
	rounds := &spec.Algorithm[int, bool]{
		Name: "counting", Round: func(s *int, _ *spec.Proc[bool], _ []spec.Received[bool]) { *s++ },
		Measure: func(s int) int { return s }, Election: &spec.Election[int, bool]{Leader: func(int) spec.ID { return spec.None }},
	}
	counts := model.Config{N: 2, Timers: model.Any, Network: model.Set}
	bounded := counts
	bounded.Bound = 1
	for _, c := range []struct {
		machine spec.Machine
		world   model.Config
		options properties.Options
		want    bool
	}{
		{ble.Mended, counts, properties.Options{MaxStates: 100}, true},
		{ble.Mended, counts, properties.Options{MaxDepth: 2}, false},
		{ble.Mended, bounded, properties.Options{MaxStates: 10}, false},
		{bully.Mended, counts, properties.Options{MaxStates: 10}, false},
		{rounds, model.Config{N: 2, Network: model.Rounds}, properties.Options{MaxStates: 100}, false},
	} {
		r := verify(t, c.machine, c.world, []properties.Property{election.OneLeader}, c.options)
		if r.CountsOn() != c.want || r.Verdict == properties.Verified {
			t.Errorf("%s in %+v: %v, %v", r.Algorithm, c.world, r.CountsOn(), r.Verdict)
		}
	}
}
