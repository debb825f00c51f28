package properties_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"interleave/explore"
	"interleave/internal/rapidtest"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/diagram"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
	"interleave/spec/changroberts"
)

// TestEnginesAgree compares the two engines in small worlds of every algorithm:
// counts, verdicts, and how long the shortest counterexamples are.
func TestEnginesAgree(t *testing.T) {
	limit, stride := testsize.Of(100, 250, 1500), testsize.Of(3, 3, 1)
	for i := 0; i < len(catalog.Machines); i += stride {
		m := catalog.Machines[i]
		t.Run(m.Traits().Name, func(t *testing.T) {
			t.Parallel()
			compared := 0
			for _, c := range properties.Ladder(m) {
				c.Bound = min(c.Bound, 1) // what is learned in advance grows fast with it
				if c.HasTables() && enginesAgree(t, m, c, limit) {
					compared++
				}
			}
			if compared == 0 && !m.Traits().Handles.Has(spec.Round) {
				t.Error("nothing was compared")
			}
		})
	}
}

// deepStep looks at all that a step can change.
var deepStep = properties.EveryStep("deep", "nobody becomes busy by mail, and the last one rests by itself",
	func(before, after *model.World) error {
		for p := range after.Live().All() {
			if before.Idle(p) && !after.Idle(p) && len(after.Inbox(p)) < len(before.Inbox(p)) {
				return errors.New("busy by mail")
			}
		}
		if after.Live().Len() == 1 && !before.Quiescent() && after.Quiescent() {
			return errors.New("at rest")
		}
		return nil
	})

// restless and rests ask in every state whether it is at rest.
var restless = properties.Invariant("restless", "nothing comes to rest", func(w *model.World) error {
	if w.Quiescent() {
		return errors.New("at rest")
	}
	return nil
})

// supposing asks of a world that is not there.
var supposing = properties.Invariant("supposing", "one message at most, and something to do", func(w *model.World) error {
	if other := w.Suppose(1, 1); len(other.Inbox(1)) > 1 || other.Quiescent() {
		return errors.New("it is so")
	}
	return nil
})

var rests = properties.Cover("rests", "something comes to rest", func(w *model.World) bool { return w.Quiescent() })

func enginesAgree(t *testing.T, m spec.Machine, c model.Config, limit int) bool {
	t.Helper()
	props, _ := election.Standard(m, c)
	props = append(props, election.LeaderEventually, election.StableLeader, election.TakeoverByTop, deepStep, restless, rests, supposing, properties.MessagesBounded, properties.AtMost(6))
	props = suiting(m, props...)
	if !exhausts(t, m, c, limit) {
		return false
	}
	explicit := verify(t, m, c, props, properties.Options{Continue: true})
	symbolic := verify(t, m, c, props, properties.Options{Continue: true, Engine: properties.Symbolic})
	if strings.HasPrefix(symbolic.Stats.Outcome, diagram.ErrNotSymbolic.Error()) {
		return false // too many local steps to learn in advance
	}
	e, s := explicit.Stats, symbolic.Stats
	if e.States != s.States || e.Transitions != s.Transitions || e.Quiescent != s.Quiescent || e.Initial != s.Initial {
		t.Errorf("%+v: %d states, %d transitions, %d quiescent; explicitly %d, %d, %d",
			c, s.States, s.Transitions, s.Quiescent, e.States, e.Transitions, e.Quiescent)
	}
	for i, want := range explicit.Findings {
		got := symbolic.Findings[i]
		shortest := want.Kind != properties.LivenessKind && want.Kind != properties.MessagesKind
		if got.Verdict != want.Verdict || shortest && want.Verdict == properties.Violated && got.Verdict == properties.Violated && got.Depth != want.Depth {
			t.Errorf("%+v: %s is %v in %d (%s), explicitly %v in %d (%s)", c, want.Name, got.Verdict, got.Depth, got.Why, want.Verdict, want.Depth, want.Why)
		}
		if want.Kind == properties.MessagesKind {
			sameMessages(t, m, c, want.Messages, got.Messages)
		}
		if !shortest && got.Trace != nil {
			if _, _, _, err := election.Replay(m, got.Trace); err != nil {
				t.Errorf("%+v: the counterexample to %s: %v", c, got.Name, err)
			}
		}
	}
	return true
}

// sameMessages compares how many messages runs send, by the explicit engine and by
// the symbolic one, whose runs show it.
func sameMessages(t *testing.T, m spec.Machine, c model.Config, explicit, symbolic *properties.MessageCount) {
	t.Helper()
	if explicit == nil || symbolic == nil {
		t.Errorf("%+v: the messages of runs are not counted: explicitly %v, symbolically %v", c, explicit, symbolic)
		return
	}
	if explicit.String() != symbolic.String() {
		t.Errorf("%+v: runs send %v; explicitly %v", c, symbolic, explicit)
	}
	for sent, trace := range map[int]*model.Trace{symbolic.Least: symbolic.LeastRun, symbolic.Most: symbolic.MostRun} {
		if trace == nil || trace.Loop > 0 {
			continue // no run ends, or it sends forever, which Replay sees
		}
		if r, run, err := model.Replay(m, trace); err != nil || run.MessagesSent() != sent {
			t.Errorf("%+v: a run of %d messages: %v, %v", c, sent, r, err)
		}
	}
}

// TestManyStates: what is far too large to be listed is decided, T as well.
func TestManyStates(t *testing.T) {
	testsize.Alone(t)
	c, err := model.Home(changroberts.Classic, 12)
	if err != nil {
		t.Fatal(err)
	}
	r := verify(t, changroberts.Classic, c, nil, properties.Options{Engine: properties.Symbolic, Memory: 1 << 30})
	if r.Verdict != properties.Verified || r.Stats.States != 64_098_366_399 {
		t.Errorf("%v (%s) among %d states", r.Verdict, r.Why, r.Stats.States)
	}
}

// TestDiagram: the form of a diagram can be forced; all forms hold the same
// states, and the report tells which were tried.
func TestDiagram(t *testing.T) {
	c, err := model.Home(changroberts.Classic, 5)
	if err != nil {
		t.Fatal(err)
	}
	c.Ring = []spec.ID{1, 4, 2, 5, 3}
	explicit := verify(t, changroberts.Classic, c, nil, properties.Options{}).Stats
	for _, form := range []string{"content,chain", "receiver,saturate,reversed", "pair,ring", "numbered", "saturate"} {
		d, err := properties.ParseDiagram(form)
		if err != nil {
			t.Fatal(err)
		}
		s := verify(t, changroberts.Classic, c, nil, properties.Options{Engine: properties.Symbolic, Diagram: d}).Stats
		if s.States != explicit.States || len(s.Attempts) != 1 || s.Attempts[0].Outcome != "done" || s.Attempts[0].Peak == 0 {
			t.Errorf("%s: %d states after %+v", form, s.States, s.Attempts)
		}
		a := s.Attempts[0]
		if d.Grouping != nil && a.Grouping != *d.Grouping || d.Strategy != nil && a.Strategy != *d.Strategy || d.Order != nil && a.Order != *d.Order {
			t.Errorf("%s: tried %v", form, a)
		}
	}
}

// TestOverapproxSets: an over-approximation is the last thing to try on a network of sets, too.
func TestOverapproxSets(t *testing.T) {
	testsize.Alone(t)
	defer properties.SetFirstNodes(10)()
	c, err := model.Home(changroberts.Naive, 4)
	if err != nil {
		t.Fatal(err)
	}
	c.Network, c.Crashes = model.Set, 1
	tried := verify(t, changroberts.Naive, c, []properties.Property{election.WinnerIsTop}, properties.Options{Engine: properties.Symbolic}).Stats.Attempts
	if last := tried[len(tried)-1]; len(tried) < 2 || last.String() != "messages by receiver, chaining, along the ring, of an over-approximation" || last.Outcome != "done" {
		t.Errorf("%+v", tried)
	}
}

// TestFirstDiagram: what is tried first depends on the algorithm, and has no limit if
// nothing else may be tried.
func TestFirstDiagram(t *testing.T) {
	defer properties.SetFirstNodes(10)()
	for _, c := range []struct {
		m           spec.Machine
		n           int
		form, first string
		tried       bool // others, too
	}{
		{changroberts.Classic, 8, "", "messages by content, chaining, along the ring", true},
		{bully.Mended, 4, "", "messages by receiver, saturation, in reverse", true},
		{bully.Mended, 3, "pair,saturate", "messages by pair, saturation, in reverse", false},
		{bully.Mended, 3, "receiver,chain,numbered", "messages by receiver, chaining, by number", false},
	} {
		world, err := model.Home(c.m, c.n)
		if err != nil {
			t.Fatal(err)
		}
		o := properties.Options{Engine: properties.Symbolic}
		if c.form != "" {
			if o.Diagram, err = properties.ParseDiagram(c.form); err != nil {
				t.Fatal(err)
			}
		}
		if tried := verify(t, c.m, world, []properties.Property{election.WinnerIsTop}, o).Stats.Attempts; tried[0].String() != c.first || len(tried) > 1 != c.tried {
			t.Errorf("%s %q: %v", c.m.Traits().Name, c.form, tried)
		}
	}
}

// TestTurns: attempts that take too long have another turn, and the last one has
// all the time it needs. What is found is the same.
func TestTurns(t *testing.T) {
	defer properties.SetFirstSlice(time.Nanosecond)()
	c, err := model.Home(changroberts.Classic, 5)
	if err != nil {
		t.Fatal(err)
	}
	explicit := verify(t, changroberts.Classic, c, nil, properties.Options{})
	r := verify(t, changroberts.Classic, c, nil, properties.Options{Engine: properties.Symbolic})
	for tries := 0; tries < 50 && len(r.Stats.Attempts) == 1; tries++ { // it was quicker than the timer
		r = verify(t, changroberts.Classic, c, nil, properties.Options{Engine: properties.Symbolic})
	}
	if r.Verdict != explicit.Verdict || r.Stats.States != explicit.Stats.States {
		t.Errorf("%v, %d states", r.Verdict, r.Stats.States)
	}
	last := len(r.Stats.Attempts) - 1
	if last < 1 || last > 21 { // seven ways, in up to three rounds of turns and one without
		t.Errorf("%d attempts", last+1)
	}
	for i, a := range r.Stats.Attempts {
		if want := i == last; (a.Outcome == "done") != want || !want && a.Outcome != "its turn was over" {
			t.Errorf("attempt %d of %d: %s", i+1, last+1, a.Outcome)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := properties.Verify(cancelled, changroberts.Classic, c, nil, properties.Options{Catalogue: election.Catalogue, Engine: properties.Symbolic}); err != nil || r.Verdict != properties.Inconclusive || len(r.Stats.Attempts) != 1 {
		t.Errorf("interrupted: %+v, %v", r, err)
	}
}

// TestSymbolicCounts: whenever time for a symbolic check is up, its counts are those of all
// states, or there are none.
func TestSymbolicCounts(t *testing.T) {
	testsize.Alone(t)
	c := model.Config{N: 4, Crashes: 1, Network: model.Set}
	within := func(limit time.Duration) *properties.Report {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		r, err := properties.Verify(ctx, bully.Mended, c, []properties.Property{election.WinnerIsTop}, properties.Options{Engine: properties.Symbolic})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	began := time.Now()
	whole, took, part := within(time.Hour), time.Since(began), 0
	missing := func() error {
		if part == 0 {
			return errors.New("time was never up as transitions were counted")
		}
		return nil
	}
	rapidtest.Rounds(t, missing, func() {
		part += cutShort(t, whole, func(i time.Duration) *properties.Report { return within(took * i / 200) })
	})
}

// cutShort checks the counts of reports that end sooner or later, of which the whole one is
// known, and returns how many of them have states, and not what leads from one to the next.
func cutShort(t *testing.T, whole *properties.Report, until func(i time.Duration) *properties.Report) (part int) {
	t.Helper()
	stride := testsize.Of[time.Duration](4, 4, 1)
	for i := time.Duration(0); i < 200; i += stride {
		r := until(i)
		s := r.Stats
		switch {
		case s.Complete && (s.States != whole.Stats.States || s.Transitions != whole.Stats.Transitions || !maps.Equal(s.Fired, whole.Stats.Fired)):
			t.Errorf("%d states and %d transitions, which is everything", s.States, s.Transitions)
		case !s.Complete && (s.Transitions != 0 || s.Outcome != explore.TimeLimit.String() || len(r.NeverFired) > 0):
			t.Errorf("%d transitions, %s, %v", s.Transitions, s.Outcome, r.NeverFired)
		case !s.Complete && s.States > 0:
			part++
		}
	}
	return part
}

// crowded looks at every message, and so tells all states apart.
var crowded = properties.Invariant("crowded", "nobody has nine messages to handle", func(w *model.World) error {
	for p := range w.Live().All() {
		if len(w.Inbox(p)) > 8 {
			return errors.New("nine messages")
		}
	}
	return nil
})

// TestAuto: small state spaces are explored explicitly, those not that are larger than a
// diagram which decides all, nor very large ones, unless the symbolic engine cannot decide.
func TestAuto(t *testing.T) {
	defer properties.SetQuickStates(1000, 10_000)()
	moves := properties.Cover("moves", "something happens", func(w *model.World) bool { return !w.Quiescent() })
	type auto struct {
		n      int
		props  []properties.Property
		engine properties.Engine
	}
	rows := []auto{
		{4, []properties.Property{election.WinnerIsTop, properties.Termination}, properties.Explicit},
		{5, []properties.Property{election.WinnerIsTop, properties.Termination, moves}, properties.Symbolic},
		{7, []properties.Property{election.WinnerIsTop, properties.Termination}, properties.Symbolic},
		{6, []properties.Property{election.WinnerIsTop, properties.MessagesBounded}, properties.Symbolic},
		{8, []properties.Property{election.WinnerIsTop, crowded}, properties.Explicit},
	}
	if !testsize.All() {
		rows = rows[:len(rows)-1] // three million states, each looked at by itself
	}
	for _, row := range rows {
		c, err := model.Home(changroberts.Classic, row.n)
		if err != nil {
			t.Fatal(err)
		}
		r := verify(t, changroberts.Classic, c, row.props, properties.Options{Engine: properties.Auto})
		if r.Verdict != properties.Verified || r.Stats.Engine != row.engine.String() {
			t.Errorf("N=%d: %v by the %s engine", row.n, r.Verdict, r.Stats.Engine)
		}
		because := "the explicit engine stopped at 0.001 million states"
		switch row.n {
		case 4:
			because = ""
		case 8:
			because += "; a diagram of 3.1 million states, which leaves open crowded; so the explicit one took it up again"
		}
		if tried := r.Stats.Because != ""; tried != (r.Stats.Choosing > 0) {
			t.Errorf("N=%d: %v s to choose the engine, as %s", row.n, r.Stats.Choosing, r.Stats.Because)
		}
		if r.Stats.Because != because {
			t.Errorf("N=%d: the engine was taken because %s", row.n, r.Stats.Because)
		}
		for _, f := range r.Findings {
			if f.Kind == properties.CoverKind && f.Depth < 0 { // it was seen before there was a diagram
				t.Errorf("N=%d: nobody knows how far %s is", row.n, f.Name)
			}
		}
	}
}

// TestAutoCutOff: a search that another one follows is what is told of if time is up before
// that one has come as far.
func TestAutoCutOff(t *testing.T) {
	const quick = 5000
	defer properties.SetQuickStates(quick, 10*quick)()
	for _, row := range []struct {
		preview bool // is when time is up; else as the states are listed again
		nodes   int
		because string
	}{
		{true, 1 << 20, "; then no diagram was found"},
		{false, 10, "; so the explicit one took it up again"},
	} {
		undo := properties.SetFirstNodes(row.nodes)
		ctx, cancel := context.WithCancel(t.Context())
		listed := 0
		r, err := properties.Verify(ctx, bully.Mended, model.Config{N: 5, Crashes: 1}, []properties.Property{election.WinnerIsTop, election.CanElect}, properties.Options{
			Engine:  properties.Auto,
			Diagram: properties.Diagram{Overapprox: new(false)},
			Growth: func(properties.Growth) {
				if row.preview {
					cancel()
				}
			},
			Progress: func(s explore.Stats) {
				if s.States < listed {
					cancel()
				}
				listed = s.States
			},
		})
		undo()
		if err != nil {
			t.Fatal(err)
		}
		s, goal := r.Stats, r.Findings[1]
		if s.States != quick || s.Frontier == 0 || s.Complete || s.Outcome != explore.Interrupted.String() || !strings.HasSuffix(s.Because, row.because) {
			t.Errorf("%d states, %d not expanded, %s: %s", s.States, s.Frontier, s.Outcome, s.Because)
		}
		if r.Verdict != properties.Inconclusive || r.Findings[0].Why != explore.Interrupted.Why() || goal.Verdict != properties.Verified {
			t.Errorf("%v, as %s; %s is %v", r.Verdict, r.Findings[0].Why, goal.Name, goal.Verdict)
		}
	}
}

// TestAutoLate: if time is up as a diagram is judged by, it is told what was decided by then,
// and of nothing that was to follow.
func TestAutoLate(t *testing.T) {
	defer properties.SetQuickStates(5000, 10_000_000)()
	defer properties.SetPreviewTime(time.Minute, time.Minute)()
	ctx, cancel := context.WithCancel(t.Context())
	grows := false
	late := properties.Invariant("late", "time is up", func(*model.World) error {
		if grows {
			cancel()
		}
		return nil
	})
	r, err := properties.Verify(ctx, bully.Mended, model.Config{N: 4}, []properties.Property{election.WinnerIsTop, late, properties.MessagesBounded}, properties.Options{
		Engine:  properties.Auto,
		Diagram: properties.Diagram{Overapprox: new(false)},
		Growth:  func(properties.Growth) { grows = true },
	})
	if err != nil {
		t.Fatal(err)
	}
	if self := r.Findings[0]; self.Verdict != properties.Verified || r.Verdict != properties.Inconclusive {
		t.Errorf("%v: %v", self.Verdict, r.Verdict)
	}
	if b := r.Stats.Because; !strings.Contains(b, "; a diagram of 7.48 million states, which leaves open messages-bounded") || strings.Contains(b, "again") {
		t.Error(b)
	}
}

// TestAutoOverapprox: where a preview shows no diagram, but one of an over-approximation that decides
// everything, nothing is listed any more; where it leaves a goal open, states are.
func TestAutoOverapprox(t *testing.T) {
	defer properties.SetQuickStates(10, 50_000)()
	defer properties.SetFirstNodes(4000)()
	for because, props := range map[string][]properties.Property{
		"but one of an over-approximation, which decides everything":               {election.WinnerIsTop, election.AgreementOnTop, properties.Termination},
		"so the explicit one took it up again, and stopped at 0.05 million states": {election.WinnerIsTop, rests},
	} {
		r := verify(t, bully.Mended, model.Config{N: 4}, props, properties.Options{Engine: properties.Auto})
		if r.Verdict != properties.Verified || r.Stats.Overapprox == 0 || !strings.HasSuffix(r.Stats.Because, because) {
			t.Errorf("%v, %d states of an over-approximation, %d states by the %s engine, as %s", r.Verdict, r.Stats.Overapprox, r.Stats.States, r.Stats.Engine, r.Stats.Because)
		}
	}
}

// interruptedAgain verifies the mended Bully by Auto until it lists states for the second time.
func interruptedAgain(t *testing.T, n int, props []properties.Property, o properties.Options) *properties.Report {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	listed := 0
	o.Engine, o.Progress = properties.Auto, func(s explore.Stats) {
		if s.States < listed {
			cancel()
		}
		listed = s.States
	}
	r, err := properties.Verify(ctx, bully.Mended, model.Config{N: n}, props, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAutoJudges: a diagram by which it takes long to judge is left for the states, if
// they are few enough to be listed.
func TestAutoJudges(t *testing.T) {
	testsize.Alone(t)
	const short = 20 * time.Millisecond
	for slow, because := range map[int]string{
		10_000_000: "; a diagram of 7.48 million states, which leaves open long, messages-bounded, no-panic; so the explicit one took it up again",
		5000:       "",
	} {
		undo := properties.SetQuickStates(5000, slow)
		undoPreview := properties.SetPreviewTime(time.Minute, short) // little to judge by it
		grows, slept := false, false
		long := properties.Invariant("long", "it takes long", func(*model.World) error {
			if grows && !slept {
				time.Sleep(2 * short)
				slept = true
			}
			return nil
		})
		r := interruptedAgain(t, 4, []properties.Property{long, properties.MessagesBounded}, properties.Options{
			Diagram: properties.Diagram{Overapprox: new(false)},
			Growth:  func(properties.Growth) { grows = true },
		})
		undoPreview()
		undo()
		if got := r.Stats.Because; got != "the explicit engine stopped at 0.005 million states"+because {
			t.Error(got)
		}
		if (r.Verdict == properties.Verified) != (because == "") {
			t.Errorf("%v, as %s", r.Verdict, r.Stats.Because)
		}
	}
}

// TestAutoKeeps: what a diagram decided in a preview stands, if what was to decide the rest
// comes to nothing.
func TestAutoKeeps(t *testing.T) {
	defer properties.SetQuickStates(1000, 50_000)()
	defer properties.SetFirstNodes(4000)()
	r := interruptedAgain(t, 5, []properties.Property{election.WinnerIsTop, rests, election.CanElect}, properties.Options{})
	self, far, near := r.Findings[0], r.Findings[1], r.Findings[2]
	if self.Verdict != properties.Verified || far.Verdict != properties.Inconclusive || near.Verdict != properties.Verified || near.Depth < 1 {
		t.Errorf("%v, %v, %v after %d steps", self.Verdict, far.Verdict, near.Verdict, near.Depth)
	}
	if want := ", but one of an over-approximation, which leaves open rests; so the explicit one took it up again"; !strings.HasSuffix(r.Stats.Because, want) {
		t.Error(r.Stats.Because)
	}
}

// TestAutoAtOnce: where a preview shows at once that diagrams are large, and listing the
// states is given up, too, there is all the time for diagrams.
func TestAutoAtOnce(t *testing.T) {
	defer properties.SetQuickStates(1000, 2000)()
	defer properties.SetFirstNodes(10)()
	c, err := model.Home(changroberts.Classic, 8)
	if err != nil {
		t.Fatal(err)
	}
	exact := properties.Diagram{Overapprox: new(false)}
	r := verify(t, changroberts.Classic, c, []properties.Property{election.WinnerIsTop, properties.Termination}, properties.Options{Engine: properties.Auto, Diagram: exact})
	if r.Verdict != properties.Verified || r.Stats.Engine != properties.Symbolic.String() || !strings.Contains(r.Stats.Because, "and stopped at") {
		t.Errorf("%v by the %s engine, as %s", r.Verdict, r.Stats.Engine, r.Stats.Because)
	}
}
