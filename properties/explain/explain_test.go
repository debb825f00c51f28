package explain

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"interleave/examples/raft"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
	"interleave/spec/itairodeh"
	"interleave/spec/strikebully"
	"interleave/spec/syncbully"
	"interleave/spec/tokenring"
)

// worlds are small, and each breaks a property.
var worlds = map[string]struct {
	machine  spec.Machine
	config   model.Config
	property properties.Property
}{
	"two leaders":        {bully.Published, model.Config{N: 3, Timers: model.Any}, election.OneLeader},
	"waits forever":      {bully.Published, model.Config{N: 3, Crashes: 1, Split: true}, election.Agreement},
	"dies on the ring":   {changroberts.Naive, model.Config{N: 3, Crashes: 1}, properties.NoDeadlock},
	"a loss":             {changroberts.Textbook, model.Config{N: 3, Losses: 1}, election.AgreementOnTop},
	"a longer way":       {changroberts.Textbook, model.Config{N: 4, Losses: 1, Network: model.Bag}, election.AgreementOnTop},
	"everybody knows":    {bully.Mended, model.Config{N: 3}, nobodyKnows},
	"two after one":      {eager, model.Config{N: 2}, properties.Invariant("not-full", "1 has not heard twice", notFull)},
	"a division":         {bully.Mended, model.Config{N: 2, Partitions: 1, Timers: model.Mixed}, election.OneLeader},
	"rounds":             {syncbully.Published, model.Config{N: 3, Network: model.Rounds, Crashes: 1}, election.LeaderIsTopOrCrashed},
	"the crash is late":  {strikebully.Published, model.Config{N: 3, Crashes: 1}, election.LeaderIsTop},
	"a log":              {raft.Algorithm, model.Config{N: 2, Network: model.Set, Timers: model.Any, Bound: 1, Times: 1}, properties.Invariant("no-entry", "nobody commits", noEntry)},
	"token with a crash": {tokenring.PublishedA, model.Config{N: 3, Crashes: 1}, election.Agreement},
}

func noEntry(w *model.World) error {
	for p, s := range spec.States[raft.State](w) {
		if s.Commit > 0 {
			return fmt.Errorf("process %v has committed %v", p, s.Log)
		}
	}
	return nil
}

// eager is an algorithm in which 2 says two things to 1, which hears them once it is
// up. There are fewer switches if 2 goes first, and a search looks at 1 first.
var eager = &spec.Algorithm[hearing, uint8]{
	Name: "eager", Doc: "2 speaks to 1", Source: "this test",
	Receive: func(s *hearing, p *spec.Proc[uint8], _ spec.ID, _ uint8) {
		if !s.Up {
			p.Refuse()
		}
		s.Heard++
	},
	Election: &spec.Election[hearing, uint8]{
		Notice: func(s *hearing, p *spec.Proc[uint8]) {
			if s.Up {
				p.Refuse()
			}
			if s.Up = true; p.ID == 2 {
				p.Send(1, 1)
				p.Send(1, 2)
			}
		},
		Leader: func(s hearing) spec.ID {
			if s.Heard == 2 {
				return 1
			}
			return spec.None
		},
	},
}

type hearing struct {
	Up    bool
	Heard uint8
}

func notFull(w *model.World) error {
	if w.Leader(1) == 1 {
		return errors.New("1 has heard twice")
	}
	return nil
}

// nobodyKnows is false in the end, wherever that is, so that much has to happen before.
var nobodyKnows = properties.Quiescent("nobody-knows", "1 and 3 know no leader", func(w *model.World) error {
	if w.Leader(1) != spec.None && w.Leader(3) != spec.None {
		return errors.New("1 and 3 know one")
	}
	return nil
})

// explained explains a shortest run that breaks the property of a world.
func explained(t *testing.T, name string) *Explanation {
	t.Helper()
	w := worlds[name]
	report, err := properties.Verify(t.Context(), w.machine, w.config, []properties.Property{w.property}, properties.Options{})
	if err != nil {
		t.Fatal(err)
	}
	trace := report.Findings[0].Trace
	if trace == nil {
		t.Fatalf("%s: %v", name, report.Findings[0].Verdict)
	}
	e, err := Of(t.Context(), w.machine, trace, Options{}, w.property)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Run.Steps) != len(trace.Steps) {
		t.Errorf("%s: %d steps, and not %d", name, len(e.Run.Steps), len(trace.Steps))
	}
	return e
}

func each(t *testing.T, check func(t *testing.T, e *Explanation)) {
	for name := range worlds {
		t.Run(name, func(t *testing.T) { check(t, explained(t, name)) })
	}
}

// broken reports whether the last step of a run breaks a property, or the state after it.
func broken(r *model.Reference, p properties.Property, before model.State, step model.Step) bool {
	return p.OnStep(r, before, step) != nil || step.Panic == "" && p.InState(r.World(step.After)) != nil
}

// TestFewestSwitches looks at every run of the length of the one explained.
func TestFewestSwitches(t *testing.T) {
	each(t, func(t *testing.T, e *Explanation) {
		length, best, runs := len(e.Run.Steps), -1, 0
		var try func(s model.State, last spec.ID, depth, switches int)
		try = func(s model.State, last spec.ID, depth, switches int) {
			for _, step := range e.Reference.Steps(s) {
				n := switches
				if depth > 0 && step.Event.Process != last {
					n++
				}
				switch {
				case broken(e.Reference, e.Property, s, step):
					if runs++; depth+1 < length {
						t.Fatalf("a run of %d steps breaks it, and %d are explained", depth+1, length)
					}
					if best < 0 || n < best {
						best = n
					}
				case depth+1 < length && step.Panic == "":
					try(step.After, step.Event.Process, depth+1, n)
				}
			}
		}
		for _, s := range e.Reference.Initial() {
			try(s, spec.None, 0, 0)
		}
		if !e.Fewest || e.Switches != best || switches(e.Run) != best {
			t.Errorf("%d switches (%v), and the fewest of %d runs are %d", e.Switches, e.Fewest, runs, best)
		}
	})
}

// avertable is the definition, for worlds without cycles: a run breaks nothing if it
// goes on to break nothing, or may rest.
func avertable(r *model.Reference, p properties.Property, s model.State, known map[string]bool) bool {
	if averted, ok := known[s.Key()]; ok {
		return averted
	}
	averted := r.Quiescent(s)
	for _, step := range r.Steps(s) {
		if !averted && !broken(r, p, s, step) && step.Panic == "" {
			averted = avertable(r, p, step.After, known)
		}
	}
	known[s.Key()] = averted
	return averted
}

// ends reports whether every run of a world comes to rest, so that the definition is
// good for it.
func ends(t *testing.T, name string) bool {
	t.Helper()
	w := worlds[name]
	report, err := properties.Verify(t.Context(), w.machine, w.config, []properties.Property{properties.Termination}, properties.Options{MaxStates: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	return report.Verdict == properties.Verified
}

// TestTurn compares the point of no return with the definition, and what is known of
// every state that can be reached.
func TestTurn(t *testing.T) {
	ended, most := 0, 60
	if testing.Short() {
		most = 4
	}
	each(t, func(t *testing.T, e *Explanation) {
		if !ends(t, strings.ReplaceAll(strings.TrimPrefix(t.Name(), "TestTurn/"), "_", " ")) {
			return
		}
		ended++
		known := map[string]bool{}
		want := 0
		for k, s := range e.Run.States[:len(e.Run.Steps)] {
			if e.Property.InState(e.Reference.World(s)) == nil && avertable(e.Reference, e.Property, s, known) {
				want = k + 1
			}
		}
		if !e.Known || e.Turn != want {
			t.Errorf("step %d (%v), and by the definition it is %d", e.Turn, e.Known, want)
		}
		looked := 0
		f := newFuture(t.Context(), e.Reference, e.Property, 1<<30)
		seen := map[string]bool{}
		var visit func(s model.State)
		visit = func(s model.State) {
			if seen[s.Key()] || looked > most {
				return
			}
			seen[s.Key()] = true
			looked++
			if have, sure := f.avertable(s); !sure || have != avertable(e.Reference, e.Property, s, known) {
				t.Fatalf("avertable: %v (%v), and not so by the definition: %s", have, sure, s.Key())
			}
			for _, step := range e.Reference.Steps(s) {
				if !broken(e.Reference, e.Property, s, step) && step.Panic == "" {
					visit(step.After)
				}
			}
		}
		for _, s := range e.Reference.Initial() {
			visit(s)
		}
	})
	if ended < 5 {
		t.Errorf("only %d worlds whose runs all come to rest", ended)
	}
}

// TestSlice: what matters is a run that is false at its end for the same reason; no
// step of it that need not be kept can be left out; and what is kept is what the
// definition says.
func TestSlice(t *testing.T) {
	faded := 0
	each(t, func(t *testing.T, e *Explanation) {
		if e.Property.Kind == properties.QuiescentKind && !ends(t, strings.ReplaceAll(strings.TrimPrefix(t.Name(), "TestSlice/"), "_", " ")) {
			return
		}
		run := e.play(e.Matters)
		if run == nil || e.falsity(run) != e.Reason {
			t.Fatalf("what matters is no run, or not false as the whole is: %v", e.Matters)
		}
		keep := pastByClocks(e)
		for i := range keep {
			if e.Property.Kind == properties.QuiescentKind && avertedWithout(e, i) {
				keep[i] = true
			}
		}
		for i, matters := range e.Matters {
			if !matters {
				faded++
			}
			if keep[i] && !matters {
				t.Errorf("step %d has to be kept, and does not matter", i+1)
			}
			less := slices.Clone(e.Matters)
			less[i] = false
			if matters && !keep[i] && e.tells(less) {
				t.Errorf("step %d matters, and can be left out", i+1)
			}
		}
	})
	if faded == 0 {
		t.Error("every step matters, everywhere")
	}
}

// pastByClocks returns the steps that lie in the past of a process that the violation
// is about, which vector clocks tell: those of the step that it knows of.
func pastByClocks(e *Explanation) []bool {
	p := e.Picture()
	steps := make([]bool, len(e.Run.Steps))
	for _, event := range p.Events {
		for _, later := range p.Events {
			q := event.Process
			if q != spec.None && e.about().Has(later.Process) && later.Clock[q-1] >= event.Clock[q-1] {
				steps[event.Step-1] = true
			}
		}
	}
	return steps
}

// avertedWithout reports whether without step i and what comes of it the rest is no
// run, or one after which the violation can be averted. What comes of a step is told by
// vector clocks.
func avertedWithout(e *Explanation, i int) bool {
	p := e.Picture()
	chosen := all(len(e.Run.Steps))
	for _, event := range p.Events {
		for _, cause := range p.Events {
			if cause.Step != i+1 {
				continue
			}
			q := cause.Process
			if event.Step == i+1 || q != spec.None && event.Clock[q-1] >= cause.Clock[q-1] {
				chosen[event.Step-1] = false
			}
		}
	}
	run := e.play(chosen)
	if run == nil {
		return true
	}
	return e.Property.InState(e.Reference.World(run.End())) == nil && avertable(e.Reference, e.Property, run.End(), map[string]bool{})
}

// cycler is an algorithm of one process that goes round, and can step out of that
// to the bad end.
func cycler(strong bool) (spec.Machine, model.Config) {
	type state struct {
		Place uint8
		Bad   bool
	}
	a := &spec.Algorithm[state, uint8]{
		Name: "cycler", Doc: "goes round until something else happens", Source: "this test",
		Rules: []spec.TimerRule[state, uint8]{{Name: "round"}, {Name: "out"}},
		Init: func(s *state, p *spec.Proc[uint8]) {
			p.SetTimer(0)
			p.SetTimer(1)
		},
		Timeout: func(s *state, p *spec.Proc[uint8], t spec.Timer) {
			p.SetTimer(0)
			switch t {
			case 0:
				s.Place = 1 - s.Place
				if strong { // out is possible every other time
					p.StopTimer(1)
					if s.Place == 0 {
						p.SetTimer(1)
					}
				}
			case 1:
				s.Bad = true
			}
		},
		Receive: func(*state, *spec.Proc[uint8], spec.ID, uint8) {},
		Election: &spec.Election[state, uint8]{
			Leader: func(s state) spec.ID {
				if s.Bad {
					return 1
				}
				return spec.None
			},
		},
	}
	return a, model.Config{N: 1, Timers: model.Any}
}

// TestCycles: where a run can go round forever it depends on what it owes. Out of
// a cycle in which a step to the bad end stays possible a fair run goes; weak
// fairness is content where it is not possible all the time, strong is not.
func TestCycles(t *testing.T) {
	p := properties.Invariant("not-out", "nobody goes out", func(w *model.World) error {
		if w.Leader(1) == 1 {
			return errors.New("process 1 went out")
		}
		return nil
	})
	for _, c := range []struct {
		name            string
		often           bool
		fairness        model.Fairness
		avertable, sure bool
	}{
		{"stays possible", false, model.Fairness{}, false, true},
		{"owed nothing", false, model.Fairness{Unfair: []string{"timeout out"}}, true, true},
		{"again and again", true, model.Fairness{}, true, true},
		{"again and again, strong", true, model.Fairness{Strong: []string{"timeout out"}}, false, true},
	} {
		m, config := cycler(c.often)
		config.Fairness = c.fairness
		r, err := model.NewReference(m, config)
		if err != nil {
			t.Fatal(err)
		}
		f := newFuture(t.Context(), r, p, 1000)
		if averted, sure := f.avertable(r.Initial()[0]); averted != c.avertable || sure != c.sure {
			t.Errorf("%s: avertable %v, sure %v", c.name, averted, sure)
		}
	}
}

// TestOwedNothing: a run may end where nothing is owed to what is possible, so that what
// breaks the property there can be averted; and by what another handler panics at, nothing
// else is broken.
func TestOwedNothing(t *testing.T) {
	m := &spec.Algorithm[uint8, uint8]{
		Name:    "stages",
		Receive: func(*uint8, *spec.Proc[uint8], spec.ID, uint8) {},
		Election: &spec.Election[uint8, uint8]{
			Notice: func(s *uint8, p *spec.Proc[uint8]) {
				if p.ID == 2 {
					panic("on purpose")
				}
				if *s++; *s > 3 {
					p.Refuse()
				}
			},
			Leader: func(s uint8) spec.ID {
				if s == 3 {
					return 1
				}
				return spec.None
			},
		},
	}
	p := properties.Invariant("not-3", "process 1 does not come to the third stage", func(w *model.World) error {
		if w.Leader(1) == 1 {
			return errors.New("process 1 is there")
		}
		return nil
	})
	for want, unfair := range map[int][]string{0: nil, 3: {"notice"}} {
		n := 1
		if unfair != nil {
			n = 2
		}
		c := model.Config{N: n, Fairness: model.Fairness{Unfair: unfair}}
		r, err := properties.Verify(t.Context(), m, c, []properties.Property{p}, properties.Options{Continue: true})
		if err != nil {
			t.Fatal(err)
		}
		e, err := Of(t.Context(), m, r.Findings[0].Trace, Options{}, p)
		if err != nil {
			t.Fatal(err)
		}
		if e.Turn != want || !e.Known || e.Switches != 0 {
			t.Errorf("unfair %v: step %d (%v), want %d; %d switches", unfair, e.Turn, e.Known, want, e.Switches)
		}
	}
}

// TestOnlyLuck: it is said that only choices keep a run going, if the world has no more states than may be explored.
func TestOnlyLuck(t *testing.T) {
	world := model.Config{N: 2}
	r, err := properties.Verify(t.Context(), itairodeh.Finite, world, []properties.Property{properties.Termination}, properties.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for states, want := range map[int]bool{0: true, 20: false} {
		e, err := Of(t.Context(), itairodeh.Finite, r.Findings[0].Trace, Options{States: states})
		if err != nil || e.OnlyLuck != want || e.Unlooked == want {
			t.Errorf("at most %d states: only luck: %v (%v)", states, e.OnlyLuck, err)
		}
	}
}

// TestOutOfReach: a run to where a goal is out of reach has a point of no return, the last step before which it was not. A
// bound leaves that open only where the goal is not reached within it.
func TestOutOfReach(t *testing.T) {
	counts := &spec.Algorithm[int, bool]{
		Name: "test/counts", Doc: "process 1 counts without end", Source: "this test",
		Actions: []spec.Action[int, bool]{{Name: "count", Do: func(s *int, p *spec.Proc[bool]) {
			if *s++; p.ID > 1 {
				p.Refuse()
			}
		}}},
		Receive: func(*int, *spec.Proc[bool], spec.ID, bool) {},
		Measure: func(s int) int { return s },
	}
	beyond := func(w *model.World) bool { return w.State(1) == 2 }
	for _, row := range []struct {
		m    spec.Machine
		c    model.Config
		name string
		goal func(w *model.World) bool
		turn int
		want string
	}{
		{bully.Mended, model.Config{N: 3, Crashes: 1}, "all-up", func(w *model.World) bool { return w.Live().Len() == 3 }, 1, "before that step it could still be averted"},
		{bully.Mended, model.Config{N: 3, Crashes: 1}, "none", func(w *model.World) bool { return false }, 0, "it could not be averted, even at the beginning"},
		{counts, model.Config{N: 3, Crashes: 1, Bound: 1}, "within the bound", func(w *model.World) bool { return w.Live().Len() == 3 }, 1, "before that step it could still be averted"},
		{counts, model.Config{N: 3, Crashes: 1, Bound: 1}, "beyond the bound", beyond, -1, ""},
	} {
		goal := properties.Recoverable(row.name, row.name, row.goal)
		r, err := properties.Verify(t.Context(), row.m, row.c, []properties.Property{goal}, properties.Options{})
		if err != nil {
			t.Fatal(err)
		}
		e, err := Of(t.Context(), row.m, r.Findings[0].Trace, Options{}, goal)
		if err != nil || e.Known != (row.turn >= 0) || e.Known && e.Turn != row.turn || !strings.HasSuffix(e.Sentence(), row.want) {
			t.Errorf("%s: %+v, %v", row.name, e, err)
		}
	}
}

// TestFewLooked: no more states are looked at than may be.
func TestFewLooked(t *testing.T) {
	looked := 0
	p := properties.Invariant("looks", "", func(*model.World) error { looked++; return nil })
	r, err := model.NewReference(bully.Mended, model.Config{N: 5, Network: model.Bag, Crashes: 1, Split: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, ok := fewest(t.Context(), r, p, 20, 500); ok || looked > 500 || looked < 400 {
		t.Errorf("%d states are looked at", looked)
	}
}
