package properties_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/changroberts"
)

// whim returns an algorithm without sense or purpose, with few local states and
// messages: some tables drawn at random.
func whim(r *rand.Rand) *oddState {
	const states, messages = 4, 2
	type action struct {
		to, send int // send: a message to the next process; -1: none
		arm      bool
	}
	draw := func() action {
		d := action{to: r.IntN(states), send: -1, arm: r.IntN(2) == 0}
		if r.IntN(3) == 0 {
			d.send = r.IntN(messages)
		}
		return d
	}
	do := func(d action, s *int, p *oddProc) {
		if *s = d.to; d.arm {
			p.SetTimer(0)
		}
		if d.send >= 0 {
			p.Send(p.ID%spec.ID(2)+1, d.send)
		}
	}
	var receive [messages][states]action
	var timeout [states]action
	var suspect [states]int
	for s := range states {
		timeout[s], suspect[s] = draw(), r.IntN(states)
		for m := range messages {
			receive[m][s] = draw()
		}
	}
	refused, deadly := [2]int{r.IntN(2 * messages), r.IntN(states)}, [2]int{r.IntN(8 * messages), r.IntN(states)}
	keeps := r.IntN(2) == 0
	elects, allDown, request, awaited := r.IntN(2) == 0, r.IntN(4) == 0, r.IntN(2) == 0, r.IntN(1<<messages)
	var silent, owing [states]int
	for s := range states {
		silent[s], owing[s] = r.IntN(4), r.IntN(2)*r.IntN(4)
	}
	return odd("whim", func(a *oddState) {
		a.Init = func(s *int, p *oddProc) { p.SetTimer(0) }
		a.Receive = func(s *int, p *oddProc, _ spec.ID, m int) {
			switch [2]int{m, *s} {
			case refused:
				p.Refuse()
				return
			case deadly:
				panic("a whim")
			}
			do(receive[m][*s], s, p)
		}
		a.Timeout = func(s *int, p *oddProc, _ spec.Timer) { do(timeout[*s], s, p) }
		a.Suspect = func(s *int, _ *oddProc, _ spec.ID) { *s = suspect[*s] }
		a.Restore = func(s *int, p *oddProc, _ spec.ID) { p.SetTimer(0) }
		a.Recover = func(s *int, p *oddProc) { p.SetTimer(0) }
		a.Rules = []oddRule{{
			Name: "T", Elects: elects, AllDown: allDown,
			Awaited: func(p, from, to spec.ID, m int) bool { return awaited>>m&1 != 0 && (to == p || request) },
			Silent:  func(s int, p spec.ID, all spec.Set) spec.Set { return all.Without(p) & spec.Set(silent[s]) },
			Owing:   func(s int, q spec.ID, all spec.Set) spec.Set { return all.Without(q) & spec.Set(owing[s]) },
		}, {Name: "U", Awaited: func(spec.ID, spec.ID, spec.ID, int) bool { return false }}}
		if keeps {
			a.Stable = func(s int) int { return s & 2 }
		}
		a.Election.Leader = func(s int) spec.ID { return spec.ID(s % 3) }
		a.Measure = func(s int) int { return s }
	})
}

// whimsicalWorld returns a world of two processes at random.
func whimsicalWorld(r *rand.Rand) model.Config {
	c := model.Config{N: 2, Network: model.Set, Timers: model.Any}
	if r.IntN(3) == 0 {
		c.Network = model.Network(r.IntN(3))
	}
	for _, change := range []func(){
		func() { c.Crashes = 1 },
		func() { c.Crashes, c.Recoveries = 1, 1 },
		func() { c.Crashes, c.Recoveries, c.Split = 1, 1, true },
		func() { c.Losses = 1 },
		func() { c.Duplicates = 1 },
		func() { c.Partitions = 1 },
		func() { c.Detector, c.Suspicions = model.Eventual, 1 },
		func() { c.Detector, c.Crashes = model.Perfect, 1 },
		func() { c.Detector, c.Crashes = model.Flushed, 1 },
		func() { c.Timers, c.Crashes = model.Flush, 1 },
		func() { c.Timers = model.Just },
		func() { c.Timers = model.Mixed },
		func() { c.Split = true },
		func() { c.Bound = 2 },
		func() { c.Initiators.Any = true },
	} {
		if r.IntN(8) == 0 {
			change()
		}
	}
	kinds := []string{"receive", "timeout", "timeout T", "drop", "heal", "all", "suspect", "restore"}
	for _, some := range []*[]string{&c.Fairness.Strong, &c.Fairness.Unfair} {
		if r.IntN(3) == 0 {
			*some = []string{kinds[r.IntN(len(kinds))]}
		}
	}
	return c
}

// drawFormula returns a formula at random.
func drawFormula(r *rand.Rand, depth int) string {
	if depth == 0 {
		return []string{"p", "q", "rest", "up(1)", "knows(2)", "leads(1)", "one-leader", "true"}[r.IntN(8)]
	}
	f, g := drawFormula(r, depth-1), drawFormula(r, r.IntN(depth))
	switch r.IntN(8) {
	case 0:
		return "(!" + f + ")"
	case 1, 2:
		return "([]" + f + ")"
	case 3, 4:
		return "(<>" + f + ")"
	}
	return fmt.Sprintf("(%s %s %s)", f, []string{"&", "|", "->", "U", "R", "W", "~>", "<->"}[r.IntN(8)], g)
}

func is(states ...int) func(w *model.World) error {
	return func(w *model.World) error {
		for _, s := range states {
			if w.Live().Has(1) && w.State(1) == s {
				return nil
			}
		}
		return fmt.Errorf("process 1 is in none of %v", states)
	}
}

// TestEnginesAgreeOnLiveness compares the engines, and what an over-approximation decides, on algorithms
// without sense in worlds at random, on formulas at random.
func TestEnginesAgreeOnLiveness(t *testing.T) {
	testsize.Alone(t)
	t.Cleanup(properties.SetQuickStates(1, 1))
	worlds := testsize.Of(150, 150, 1200)
	parts := make([]map[string]int, 4)
	t.Run("worlds", func(t *testing.T) {
		for part := range parts {
			parts[part] = map[string]int{}
			t.Run(fmt.Sprint(part), func(t *testing.T) {
				t.Parallel()
				for seed := range worlds / len(parts) {
					compareWhim(t, rand.New(rand.NewPCG(uint64(part), uint64(seed))), parts[part])
				}
			})
		}
	})
	for _, what := range []string{"VERIFIED", "VIOLATED", "INCONCLUSIVE", "cycling", "strong", "unfair", "split", "unsent", "panics", "limited", "overapprox VERIFIED", "refusing"} {
		if !slices.ContainsFunc(parts, func(seen map[string]int) bool { return seen[what] > 0 }) {
			t.Errorf("%s never occurred: %v", what, parts)
		}
	}
}

func compareWhim(t *testing.T, r *rand.Rand, seen map[string]int) {
	t.Helper()
	m, c := whim(r), whimsicalWorld(r)
	if c.Check(m) != nil {
		return
	}
	props := []properties.Property{election.LeaderEventually, election.StableLeader, properties.Termination, properties.MessagesBounded}
	for i := range 3 {
		text := drawFormula(r, 1+r.IntN(3))
		p, err := election.Predicates.Temporal(fmt.Sprintf("F%d", i), text, text, map[string]func(w *model.World) error{"p": is(0, 1), "q": is(1, 3)})
		if err != nil {
			t.Fatal(err)
		}
		props = append(props, p)
	}
	explicit := verify(t, m, c, props, properties.Options{Continue: true, MaxStates: 1500})
	if explicit.Stats.Outcome != explore.Exhausted.String() {
		return
	}
	direct := verify(t, m, c, props, properties.Options{Continue: true, Direct: true})
	if direct.Stats.States != explicit.Stats.States || direct.Stats.Transitions != explicit.Stats.Transitions {
		t.Errorf("%+v: %v states and %v steps without tables, %v and %v with them", c, direct.Stats.States, direct.Stats.Transitions, explicit.Stats.States, explicit.Stats.Transitions)
	}
	for i, want := range explicit.Findings {
		if got := direct.Findings[i]; got.Verdict != want.Verdict {
			t.Errorf("%+v: %s (%s) is %v without tables, %v with them", c, want.Name, want.Doc, got.Verdict, want.Verdict)
		}
	}
	groupings := []string{"receiver", "content"}
	form := groupings[r.IntN(2)] + []string{",chain", ",saturate"}[r.IntN(2)] + []string{",ring", ",reversed"}[r.IntN(2)]
	if c.Network == model.FIFO {
		form = strings.Replace(form, "content", "receiver", 1)
	}
	by := func(form string) *properties.Report {
		return verify(t, m, c, props, properties.Options{Continue: true, Engine: properties.Symbolic, Diagram: diagramOf(t, form)})
	}
	symbolic, over := by(form), by(form+",overapprox")
	if why := symbolic.Findings[0].Why; strings.Contains(why, "its receiver refuses it") {
		seen["refusing"]++ // and told by tables and without them
		return
	}
	if len(symbolic.Findings) != len(explicit.Findings) {
		t.Fatalf("%s %+v: %d findings, explicitly %d", form, c, len(symbolic.Findings), len(explicit.Findings))
	}
	if s, e := symbolic.Stats, explicit.Stats; s.Complete && (s.States != e.States || s.Transitions != e.Transitions || s.Quiescent != e.Quiescent) {
		t.Errorf("%s %+v: %d states, %d of them quiescent, and %d steps, explicitly %d, %d and %d", form, c, s.States, s.Quiescent, s.Transitions, e.States, e.Quiescent, e.Transitions)
	}
	if len(over.Findings) == len(props) && len(explicit.Findings) > len(props) {
		// Whoever leaves open whether a handler panics has decided nothing at all.
		for _, f := range over.Findings {
			if f.Verdict == properties.Verified {
				t.Errorf("%s %+v: %s is %v in an over-approximation, and that a handler panics goes unsaid", form, c, f.Name, f.Verdict)
			}
		}
		over.Findings = append(over.Findings, properties.Finding{Verdict: properties.Inconclusive})
	}
	for i, want := range explicit.Findings {
		got := symbolic.Findings[i]
		switch f := over.Findings[i]; {
		case f.Verdict == want.Verdict:
			seen["overapprox "+f.Verdict.String()]++
		case f.Verdict != properties.Inconclusive:
			t.Errorf("%s %+v: %s (%s) is %v in an over-approximation, explicitly %v (%s)", form, c, want.Name, want.Doc, f.Verdict, want.Verdict, want.Why)
		}
		seen[want.Verdict.String()]++
		if got.Verdict != want.Verdict || got.Note != want.Note {
			t.Errorf("%s %+v: %s (%s) is %v (%s %s), explicitly %v (%s %s)", form, c, want.Name, want.Doc, got.Verdict, got.Why, got.Note, want.Verdict, want.Why, want.Note)
		}
		if want.Kind == properties.MessagesKind {
			sameMessages(t, m, c, want.Messages, got.Messages)
			seen["limited"] += want.Messages.Most
		}
		if got.Trace == nil {
			continue
		}
		if _, _, _, err := election.Replay(m, got.Trace, props...); err != nil {
			t.Errorf("%s %+v: the counterexample to %s: %v", form, c, got.Doc, err)
		}
		for what, is := range map[string]bool{
			"cycling": got.Trace.Loop <= len(got.Trace.Steps), "strong": c.Fairness.Strong != nil, "unfair": c.Fairness.Unfair != nil,
			"split": c.Split, "unsent": breaksBefore(m, c), "panics": want.Name == properties.NoPanic.Name,
		} {
			if is {
				seen[what]++
			}
		}
	}
}

// TestLoopTooFar: a violation that cannot be shown is none, and Auto has the
// explicit engine show it.
func TestLoopTooFar(t *testing.T) {
	defer properties.SetQuickStates(10, 20)()
	m := changroberts.Naive
	c := model.Config{N: 3, Network: model.Set, Crashes: 1}
	for _, row := range []struct {
		most   int
		engine properties.Engine
		want   properties.Verdict
	}{
		{1, properties.Symbolic, properties.Inconclusive},
		{1, properties.Auto, properties.Violated},
		{1000, properties.Symbolic, properties.Violated},
	} {
		undo := properties.SetAround(row.most)
		f := finding(t, verify(t, m, c, []properties.Property{properties.Termination}, properties.Options{Engine: row.engine}), "termination")
		undo()
		if f.Verdict != row.want || f.Verdict == properties.Inconclusive && !strings.Contains(f.Why, "no loop to show") {
			t.Errorf("%v within %d states: %v (%s)", row.engine, row.most, f.Verdict, f.Why)
		}
		if f.Verdict == properties.Violated && f.Trace.Loop > len(f.Trace.Steps) {
			t.Errorf("%v within %d states: the run ends", row.engine, row.most)
		}
	}
}

// TestSymbolicAfterReduced: a reduced search that was stopped leaves nothing behind
// that a search by diagrams would stumble over.
func TestSymbolicAfterReduced(t *testing.T) {
	testsize.Alone(t)
	defer properties.SetQuickStates(10, 20)()
	p, err := election.Formula("<>[]!knows(2)")
	if err != nil {
		t.Fatal(err)
	}
	violated := 0
	for seed := range uint64(100) {
		m := whim(rand.New(rand.NewPCG(78, seed)))
		c := model.Config{N: 2, Network: model.FIFO, Timers: model.Any}
		if r := verify(t, m, c, []properties.Property{p}, properties.Options{Continue: true, MaxStates: 3000}); r.Stats.Outcome != explore.Exhausted.String() {
			continue
		}
		r, err := properties.Verify(t.Context(), m, c, []properties.Property{p}, properties.Options{Engine: properties.Auto, Reduce: true})
		if err != nil {
			t.Errorf("%d: %v", seed, err)
			continue
		}
		if r.Verdict == properties.Violated && r.Stats.Engine == properties.Symbolic.String() {
			violated++
		}
	}
	if violated == 0 {
		t.Error("no diagram was looked at")
	}
}

// TestMessagesWithinBound: what lies beyond a bound is no way to where a run ends, even if
// nothing is sent on it.
func TestMessagesWithinBound(t *testing.T) {
	c := model.Config{N: 2, Network: model.FIFO, Timers: model.Any, Crashes: 1, Recoveries: 1, Bound: 2}
	met := 0
	for seed := range uint64(100) {
		m := whim(rand.New(rand.NewPCG(99, seed)))
		if !exhausts(t, m, c, 300) {
			continue
		}
		met++
		of := func(e properties.Engine) *properties.MessageCount {
			return finding(t, verify(t, m, c, []properties.Property{properties.MessagesBounded}, properties.Options{Engine: e, Continue: true}), "messages-bounded").Messages
		}
		sameMessages(t, m, c, of(properties.Explicit), of(properties.Symbolic))
	}
	if met < 10 {
		t.Errorf("only %d worlds are small enough", met)
	}
}

// TestDiagramOutOfTime ends a check by diagrams at every moment when it may: it is not
// decided then, and that is no error.
func TestDiagramOutOfTime(t *testing.T) {
	c := model.Config{N: 3, Crashes: 1, Network: model.Set}
	props := []properties.Property{properties.MessagesBounded, properties.Termination}
	whole, open, stride := 0, 0, 1
	if testing.Short() {
		stride = 13
	}
	for n := 1; whole < 3 && n < 3000; n += stride {
		asked := 0
		r, err := properties.Verify(impatient{t.Context(), &asked, n}, changroberts.Naive, c, props, properties.Options{Engine: properties.Symbolic, Continue: true})
		if err != nil {
			t.Fatalf("asked for the %d. time: %v", n, err)
		}
		if asked < n {
			whole++
		} else if r.Findings[0].Verdict == properties.Inconclusive {
			open++
		}
	}
	if whole == 0 || open == 0 {
		t.Errorf("%d checks went on to their end, and %d not", whole, open)
	}
}
