package properties_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/catalog"
	"interleave/spec/changroberts"
)

// TestReducedAgrees compares reduced searches with full ones in small worlds of
// every algorithm: verdicts, and how many messages runs send.
func TestReducedAgrees(t *testing.T) {
	testsize.Alone(t)
	limit, stride := testsize.Of(700, 700, 6_000), testsize.Of(6, 6, 1)
	var smaller atomic.Int64
	t.Run("of", func(t *testing.T) {
		for i := 0; i < len(catalog.Machines); i += stride {
			m := catalog.Machines[i]
			t.Run(m.Traits().Name, func(t *testing.T) {
				t.Parallel()
				for _, c := range worldsOfQueues(m) {
					smaller.Add(reducedAgrees(t, m, c, limit))
				}
			})
		}
	})
	if smaller.Load() == 0 {
		t.Error("nothing was left out anywhere")
	}
}

// worldsOfQueues returns the worlds of the ladder of an algorithm, as far as a
// reduction may be possible there, also with timers that expire at will.
func worldsOfQueues(m spec.Machine) []model.Config {
	var worlds []model.Config
	for _, c := range properties.Ladder(m) {
		c.Bound = min(c.Bound, 1)
		for _, timers := range []model.Timing{c.Timers, model.Any} {
			if c.Timers = timers; c.Network == model.FIFO && c.HasTables() && c.Check(m) == nil {
				worlds = append(worlds, c)
			}
		}
	}
	return worlds
}

func reducedAgrees(t *testing.T, m spec.Machine, c model.Config, limit int) (smaller int64) {
	t.Helper()
	if !exhausts(t, m, c, limit) {
		return 0
	}
	standard, _ := election.Standard(m, c)
	standard = slices.DeleteFunc(standard, func(p properties.Property) bool { return strings.HasPrefix(p.Name, "LE") }) // slow, and of steps
	for _, props := range [][]properties.Property{standard, suiting(m, election.WinnerIsTop, election.OneLeader, election.Agreement, election.AgreementOnTop, properties.Termination, properties.MessagesBounded)} {
		full := verify(t, m, c, props, properties.Options{Continue: true})
		less := verify(t, m, c, props, properties.Options{Continue: true, Reduce: true})
		if less.Stats.States > full.Stats.States {
			t.Errorf("%s %+v: %d states, and %d in full", m.Traits().Name, c, less.Stats.States, full.Stats.States)
		}
		if less.Stats.States < full.Stats.States {
			smaller++
		}
		for i, want := range full.Findings {
			got := less.Findings[i]
			if got.Verdict != want.Verdict || want.Messages != nil && got.Messages.String() != want.Messages.String() {
				t.Errorf("%s %+v, %s: %s is %v %s, and %v %s in full", m.Traits().Name, c, less.Stats.Reduction, want.Name, got.Verdict, got.Why, want.Verdict, want.Why)
			}
		}
	}
	return smaller
}

// TestReductionPays: on a ring of queues hardly any order makes a difference.
func TestReductionPays(t *testing.T) {
	c := model.Config{N: 7, Ring: []spec.ID{7, 6, 5, 4, 3, 2, 1}}
	props := []properties.Property{election.WinnerIsTop, election.OneLeader, election.Agreement, election.AgreementOnTop, properties.Termination}
	full := verify(t, changroberts.Textbook, c, props, properties.Options{})
	less := verify(t, changroberts.Textbook, c, props, properties.Options{Reduce: true})
	if less.Verdict != properties.Verified || less.Stats.States*6 > full.Stats.States {
		t.Errorf("%v (%s): %d states, and %d in full", less.Verdict, less.Stats.Reduction, less.Stats.States, full.Stats.States)
	}
}

// TestReducedLeadsNowhere: a process whose only step is beyond the bound, or
// panics, does not keep the others from theirs.
func TestReducedLeadsNowhere(t *testing.T) {
	nobody := properties.Invariant("nobody", "nobody follows 1", func(w *model.World) error {
		if w.Leader(2) == 1 {
			return errors.New("process 2 does")
		}
		return nil
	})
	for name, start := range map[string]func(s *int){"beyond": func(s *int) { *s = 2 }, "panics": func(*int) { panic("no") }} {
		m := odd(name, func(a *oddState) {
			a.Measure = func(s int) int { return s }
			a.Election.Leader = func(s int) spec.ID { return spec.ID(s) }
			a.Start = func(s *int, p *oddProc) {
				if *s = 1; p.ID == 1 {
					start(s)
				}
			}
		})
		for _, initiators := range []spec.Set{spec.SetOf(1), spec.SetOf(2)} {
			c := model.Config{N: 2, Bound: 1, Initiators: model.Initiators{Only: initiators}}
			r := verify(t, m, c, []properties.Property{nobody}, properties.Options{Continue: true, Reduce: true})
			if f := finding(t, r, "nobody"); f.Verdict != properties.Violated {
				t.Errorf("%s, initiators %v: %v", name, initiators, f.Verdict)
			}
		}
	}
}

// TestReducedSees: what is false in one order only, which a search would not see
// that took one process too many for ample.
func TestReducedSees(t *testing.T) {
	never := func(seen func(w *model.World) bool) properties.Property {
		return properties.Invariant("never", "it is never seen", func(w *model.World) error {
			if seen(w) {
				return errors.New("it is")
			}
			return nil
		})
	}
	follows := func(p, leader spec.ID) func(w *model.World) bool {
		return func(w *model.World) bool { return w.Leader(p) == leader }
	}
	begin := func(a *oddState) { a.Start = func(s *int, _ *oddProc) { *s = 1 } }
	for _, row := range []struct {
		machine spec.Machine
		config  model.Config
		seen    func(w *model.World) bool
	}{
		{odd("leads", func(a *oddState) { // each comes to follow 1
			begin(a)
			a.Election.Leader = func(s int) spec.ID { return spec.ID(s) }
		}), model.Config{N: 2}, func(w *model.World) bool { return w.Leader(1) == 0 && w.Leader(2) == 1 }},
		{odd("expires", func(a *oddState) { // each comes to follow 1 when its timer expires
			a.Init = func(_ *int, p *oddProc) { p.SetTimer(0) }
			a.Timeout = func(s *int, _ *oddProc, _ spec.Timer) { *s = 1 }
			a.Rules = []oddRule{{Name: "T"}}
			a.Election.Leader = func(s int) spec.ID { return spec.ID(s) }
		}), model.Config{N: 2, Timers: model.Any}, func(w *model.World) bool { return w.Leader(1) == 0 && w.Leader(2) == 1 }},
		{odd("starts", begin), model.Config{N: 2}, func(w *model.World) bool { return !w.Started(1) && w.Started(2) }},
		{odd("thinks", begin), model.Config{N: 2}, func(w *model.World) bool { return w.State(1) == 0 && w.State(2) == 1 }},
		{odd("works", func(a *oddState) {
			begin(a)
			a.Idle = func(s int) bool { return s == 0 }
		}), model.Config{N: 2}, func(w *model.World) bool { return w.Idle(1) && !w.Idle(2) }},
		{odd("writes", func(a *oddState) {
			a.Start = func(_ *int, p *oddProc) { p.Send(3, 5) }
		}), model.Config{N: 3}, func(w *model.World) bool { return len(w.Inbox(3)) == 1 && w.Inbox(3)[0].From == 2 }},
		{odd("cycles", func(a *oddState) { // process 1 may go on forever, and 2 follow itself at any moment
			a.Init = func(_ *int, p *oddProc) { p.SetTimer(0) }
			a.Timeout = func(s *int, p *oddProc, _ spec.Timer) {
				if p.ID == 2 {
					*s = 2
					return
				}
				*s = -1 - *s
				p.SetTimer(0)
			}
			a.Rules = []oddRule{{Name: "T"}}
			a.Election.Leader = func(s int) spec.ID { return spec.ID(max(s, 0)) }
		}), model.Config{N: 2, Timers: model.Any}, follows(2, 2)},
		{odd("hears", func(a *oddState) { // process 1 comes to follow whom it hears first
			a.Start = func(_ *int, p *oddProc) {
				if p.ID > 1 {
					p.Send(1, 0)
				}
			}
			a.Receive = func(s *int, p *oddProc, from spec.ID, _ int) {
				switch {
				case from == 1:
					*s = 10 + *s%10
				case *s == 0:
					*s = int(from)
					p.Send(1, 0)
				}
			}
			a.Election.Leader = func(s int) spec.ID { return spec.ID(s / 10 * (s % 10)) }
		}), model.Config{N: 3}, follows(1, 3)},
	} {
		r := verify(t, row.machine, row.config, []properties.Property{never(row.seen)}, properties.Options{Reduce: true})
		if r.Verdict != properties.Violated {
			t.Errorf("%s (%s): %v", row.machine.Traits().Name, r.Stats.Reduction, r.Verdict)
		}
	}
}

// TestReducedOptional: a process that need not do anything is not expanded alone. Else no state would be seen where it has
// done nothing and nothing else has to happen, and some that are not quiescent would seem to be.
func TestReducedOptional(t *testing.T) {
	m := &spec.Algorithm[int, bool]{
		Name: "test/optional", Doc: "each starts, and may ask", Source: "this test",
		Actions: []spec.Action[int, bool]{{Name: "ask", Times: 1, Do: func(s *int, _ *spec.Proc[bool]) { *s += 2 }}},
		Start:   func(s *int, _ *spec.Proc[bool]) { *s++ },
		Receive: func(*int, *spec.Proc[bool], spec.ID, bool) {},
	}
	for state, want := range map[int]properties.Verdict{1: properties.Violated, 2: properties.Verified} {
		p := properties.Quiescent("never", "it is never seen", func(w *model.World) error {
			for p := range w.Live().All() {
				if w.State(p) != state {
					return nil
				}
			}
			return errors.New("it is")
		})
		r := verify(t, m, model.Config{N: 2}, []properties.Property{p}, properties.Options{Reduce: true, Continue: true})
		if f := finding(t, r, "never"); f.Verdict != want || r.Stats.Reduction != properties.Reduced {
			t.Errorf("all are %d: %v (%s), want %v", state, f.Verdict, r.Stats.Reduction, want)
		}
	}
}

// TestNotReduced: what keeps a reduction from being made is named, and nothing else.
func TestNotReduced(t *testing.T) {
	for want, o := range map[string]properties.Options{
		"off: it takes no limit on depth": {MaxDepth: 9},
		"off: it takes no --direct":       {Direct: true},
		"off: it keeps no list of states": {Keep: true},
	} {
		o.Reduce = true
		r := verify(t, changroberts.Textbook, model.Config{N: 3}, []properties.Property{election.WinnerIsTop}, o)
		if r.Stats.Reduction != want {
			t.Errorf("%+v: %s", o, r.Stats.Reduction)
		}
	}
}

// TestReducedByAnyNumber: a property that looks deeper only once it is violated may do so for
// one worker and not for another, which is nobody's affair.
func TestReducedByAnyNumber(t *testing.T) {
	const n, most, enough = 7, 6, 14 // a level of more than a batch
	m := odd("grid", func(a *oddState) {
		a.Init = func(_ *int, p *oddProc) { p.SetTimer(0) }
		a.Timeout = func(s *int, p *oddProc, _ spec.Timer) {
			if *s++; *s < most {
				p.SetTimer(0)
			}
		}
		a.Election.Leader = func(s int) spec.ID { return spec.ID(s) }
		a.Rules = []oddRule{{Name: "T"}}
	})
	late := func(name string, says error) properties.Property {
		return properties.Invariant(name, "not enough has happened", func(w *model.World) error {
			sum := 0
			for p := range w.Live().All() {
				sum += int(w.Leader(p))
			}
			if sum < enough {
				return nil
			}
			if w.Leader(n) == most { // not in the first of these states
				_ = w.Inbox(1)
			}
			return says
		})
	}
	props := []properties.Property{late("violated", errors.New("enough")), late("innocent", nil)}
	workersFrom := 0
	if testing.Short() {
		workersFrom = 2
	}
	for _, row := range []struct {
		props    []properties.Property
		goesOn   bool
		reducing bool
	}{{props[:1], false, true}, {props[:1], true, true}, {props, false, true}, {props, true, false}} {
		if testing.Short() && row.goesOn == row.reducing {
			continue
		}
		for workers := workersFrom; workers < 3; workers++ {
			r := verify(t, m, model.Config{N: n, Timers: model.Any}, row.props, properties.Options{Workers: workers + 1, Reduce: true, Continue: row.goesOn, MaxStates: 200_000})
			if f := r.Findings[0]; f.Verdict != properties.Violated || (r.Stats.Reduction == properties.Reduced) != row.reducing {
				t.Errorf("%d workers, %d properties, %v: %v, %s", workers+1, len(row.props), row.goesOn, f.Verdict, r.Stats.Reduction)
			}
		}
	}
}

// TestReducedInterrupted: what a reduced search found stands if it is interrupted, also where it
// would have begun again, as leader-took-part looks at more than the reduction keeps.
func TestReducedInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	enough := testsize.Of(20_000, 100_000, 100_000) // states; there is no end of them
	r, err := properties.Verify(ctx, changroberts.Naive, model.Config{N: 3, Crashes: 1}, []properties.Property{election.Agreement, election.LeaderTookPart}, properties.Options{
		Engine: properties.Explicit, Reduce: true, Continue: true,
		Progress: func(s explore.Stats) {
			if s.States > enough {
				cancel()
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	agree, valid := r.Findings[0].Verdict, r.Findings[1].Verdict
	if agree != properties.Violated || valid != properties.Inconclusive || r.Stats.States <= enough {
		t.Errorf("%v, %v by %d states", agree, valid, r.Stats.States)
	}
}
