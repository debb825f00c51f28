package properties_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"interleave/model"
	"interleave/model/modeltest"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
)

type (
	oddProc  = spec.Proc[int]
	oddRule  = spec.TimerRule[int, int]
	oddState = spec.Algorithm[int, int]
)

// odd returns an algorithm that does nothing, with what makes it odd added.
func odd(name string, change func(a *oddState)) *oddState {
	a := &oddState{
		Name: "odd/" + name, Election: &spec.Election[int, int]{Leader: func(int) spec.ID { return spec.None }},
		Receive: func(_ *int, p *oddProc, _ spec.ID, _ int) { p.Refuse() },
	}
	change(a)
	return a
}

func follows2(int) spec.ID { return 2 }

// TestOdd: what seldom occurs and is easily called good. Each row says what
// becomes of some properties, with tables where there are some and without.
func TestOdd(t *testing.T) {
	loud := func(a *oddState) {
		a.Receive, a.Election.Leader = nil, follows2
		a.Round = func(_ *int, p *oddProc, _ []spec.Received[int]) { p.Broadcast(p.Others(), 7) }
	}
	two := model.Config{N: 2}
	rounds := model.Config{N: 2, Network: model.Rounds}
	for _, row := range []struct {
		machine spec.Machine
		config  model.Config
		want    string
	}{
		{odd("rearm", func(a *oddState) { // it never rests, and never changes
			a.Init = func(_ *int, p *oddProc) { p.SetTimer(0) }
			a.Timeout = func(_ *int, p *oddProc, _ spec.Timer) { p.SetTimer(0) }
			a.Rules = []oddRule{{Name: "T"}}
		}), model.Config{N: 2, Timers: model.Any}, "termination VIOLATED, leader-eventually VIOLATED, stable-leader VIOLATED"},
		{odd("notice", func(a *oddState) { a.Election.Notice = func(*int, *oddProc) {} }), two, "termination VIOLATED, leader-eventually VIOLATED"},
		{odd("loud", loud), rounds, "termination VIOLATED, messages-bounded VIOLATED, messages-bounded(2) VIOLATED"},
		{odd("loud", loud), model.Config{N: 2, Network: model.Rounds, Crashes: 1}, "termination VIOLATED, messages-bounded VIOLATED"},
		{odd("doubtful", func(a *oddState) { // a false suspicion is beyond the bound, and nobody has to have it
			a.Start = func(s *int, _ *oddProc) { *s = 1 }
			a.Suspect = func(s *int, _ *oddProc, _ spec.ID) { *s += 5 }
			a.Measure = func(s int) int { return s }
		}), model.Config{N: 2, Detector: model.Eventual, Suspicions: 1, Bound: 3}, "agreement VIOLATED, agreement-on-top VIOLATED"},
		{odd("late", func(a *oddState) { // it elects, but beyond the bound
			a.Init = func(_ *int, p *oddProc) { p.SetTimer(0) }
			a.Timeout = func(s *int, p *oddProc, _ spec.Timer) { *s++; p.SetTimer(0) }
			a.Rules = []oddRule{{Name: "T"}}
			a.Measure = func(s int) int { return s }
			a.Election.Leader = func(s int) spec.ID {
				if s > 3 {
					return 1
				}
				return spec.None
			}
		}), model.Config{N: 1, Timers: model.Any, Bound: 2}, "can-elect INCONCLUSIVE"},
		{odd("picky", func(a *oddState) { // one order of its inbox makes it panic
			a.Receive = nil
			a.Round = func(s *int, p *oddProc, in []spec.Received[int]) {
				if len(in) > 1 && in[0].From > in[1].From {
					panic("out of order")
				}
				if *s++; *s == 1 && p.ID > 1 {
					p.Send(1, 5)
				}
				*s = min(*s, 3)
			}
		}), model.Config{N: 3, Network: model.Rounds}, "no-panic VIOLATED, winner-is-top VERIFIED"},
		{anew(5), model.Config{N: 2}, "leader-is-top VIOLATED, leader-is-top-or-crashed VIOLATED, leader-took-part VIOLATED, winner-is-top VIOLATED"},
		{anew(-1), model.Config{N: 2}, "leader-is-top-or-crashed VIOLATED, leader-took-part VIOLATED, winner-is-top VIOLATED"},
		{anew(99), model.Config{N: 2}, "leader-is-top-or-crashed VIOLATED, leader-took-part VIOLATED, winner-is-top VIOLATED"},
		{odd("flood", func(a *oddState) { // 255 messages are possible in one step
			a.Start = func(s *int, p *oddProc) {
				for range 255 + p.ID - 1 {
					p.Send(p.ID, 7)
				}
				*s = 1
			}
			a.Receive = func(*int, *oddProc, spec.ID, int) {}
		}), model.Config{N: 2, Network: model.Set}, "no-panic VIOLATED"},
		{odd("beyond", func(a *oddState) { // it follows one more than there are, who has not crashed
			a.Start = func(s *int, p *oddProc) { *s = 3 }
			a.Election.Leader = func(s int) spec.ID { return spec.ID(s) }
		}), model.Config{N: 2}, "leader-is-top-or-crashed VIOLATED, leader-took-part VIOLATED"},
		{odd("stillborn", func(a *oddState) {
			a.Election.Leader = follows2
			a.Recover = func(*int, *oddProc) { panic("no") }
		}), model.Config{N: 2, Crashes: 1, Recoveries: 1}, "no-panic VIOLATED, agreement-on-top VIOLATED"},
		{odd("dodging", func(a *oddState) { // it need not panic, and then it goes on forever
			a.Start = func(_ *int, p *oddProc) { p.Send(p.ID, 1) }
			a.Election.Notice = func(s *int, _ *oddProc) { *s = 1 - *s }
			a.Receive = func(s *int, p *oddProc, _ spec.ID, _ int) {
				if *s == 1 {
					panic("no")
				}
				p.Refuse()
			}
		}), model.Config{N: 1}, "no-panic VIOLATED, winner-is-top VERIFIED, termination VIOLATED, leader-eventually VIOLATED, stable-leader VIOLATED"},
		{odd("nervous", func(a *oddState) { // only a false report has it panic
			a.Start = func(_ *int, p *oddProc) { p.Send(p.ID, 1) }
			a.Receive = func(*int, *oddProc, spec.ID, int) {}
			a.Suspect = func(*int, *oddProc, spec.ID) { panic("no") }
			a.Measure = func(int) int { return 0 }
		}), model.Config{N: 2, Detector: model.Eventual, Suspicions: 1, Bound: 5}, "no-panic VIOLATED, winner-is-top BOUNDED, messages-bounded INCONCLUSIVE, termination INCONCLUSIVE"},
		{odd("doomed", func(a *oddState) { // no run comes to an end
			a.Start = func(*int, *oddProc) { panic("no") }
		}), model.Config{N: 1}, "no-panic VIOLATED, termination INCONCLUSIVE, messages-bounded INCONCLUSIVE"},
	} {
		for _, direct := range []bool{false, true} {
			var props []properties.Property
			var names []string
			for want := range strings.SplitSeq(row.want, ", ") {
				name, _, _ := strings.Cut(want, " ")
				names = append(names, name)
				if p, ok := election.Named(row.machine, name); ok {
					props = append(props, p)
				}
			}
			r := verify(t, row.machine, row.config, props, properties.Options{Continue: true, Direct: direct})
			var got []string
			for _, name := range names {
				got = append(got, fmt.Sprintf("%s %v", name, finding(t, r, name).Verdict))
			}
			if strings.Join(got, ", ") != row.want {
				t.Errorf("%s %+v, direct %v: %v, want %s", row.machine.Traits().Name, row.config, direct, got, row.want)
			}
		}
	}
}

// TestPastAPanic: a fair run that goes past a panic is one, and one that can only put it
// off is none.
func TestPastAPanic(t *testing.T) {
	dodging := func(panics func(s int) bool) spec.Machine {
		return odd("dodging", func(a *oddState) {
			a.Start = func(_ *int, p *oddProc) { p.Send(p.ID, 1) }
			a.Election.Notice = func(s *int, _ *oddProc) { *s = 1 - *s }
			a.Receive = func(s *int, p *oddProc, _ spec.ID, _ int) {
				if panics(*s) {
					panic("no")
				}
				p.Refuse()
			}
		})
	}
	sometimes, always := dodging(func(s int) bool { return s == 1 }), dodging(func(int) bool { return true })
	for _, row := range []struct {
		machine  spec.Machine
		fairness model.Fairness
		want     properties.Verdict
	}{
		{sometimes, model.Fairness{}, properties.Violated},
		{sometimes, model.Fairness{Strong: []string{"receive"}}, properties.Inconclusive},
		{always, model.Fairness{}, properties.Inconclusive},
		{always, model.Fairness{Unfair: []string{"receive"}}, properties.Violated},
	} {
		for network := range model.Rounds {
			for _, o := range everyWay {
				o.Continue = true
				c := model.Config{N: 1, Network: network, Fairness: row.fairness}
				if f := finding(t, verify(t, row.machine, c, []properties.Property{properties.Termination}, o), "termination"); f.Verdict != row.want {
					t.Errorf("%+v, %+v: %v (%s), want %v", c, o, f.Verdict, f.Why, row.want)
				}
			}
		}
	}
}

// TestAfterIsQuiescent: a property of steps may ask whether the state after one
// is quiescent.
func TestAfterIsQuiescent(t *testing.T) {
	rests := properties.EveryStep("rests", "no step leads to rest", func(_, after *model.World) error {
		if after.Quiescent() {
			return errors.New("it does")
		}
		return nil
	})
	m := odd("once", func(a *oddState) { a.Start = func(s *int, _ *oddProc) { *s = 1 } })
	for _, direct := range []bool{false, true} {
		r := verify(t, m, model.Config{N: 2}, []properties.Property{rests}, properties.Options{Direct: direct})
		if r.Verdict != properties.Violated {
			t.Errorf("direct %v: %v", direct, r.Verdict)
		}
	}
}

// TestOddRefused: what cannot be checked is refused, in one sentence.
func TestOddRefused(t *testing.T) {
	many := make([]properties.Property, 64)
	for i := range many {
		many[i] = properties.AtMost(i + 1)
	}
	round := func(a *oddState) {
		a.Receive = nil
		a.Round = func(*int, *oddProc, []spec.Received[int]) {}
	}
	claims := func(name string) []spec.Claim[int] {
		return []spec.Claim[int]{{Name: name, Holds: func(spec.ID, spec.Set, int, int, []any) error { return nil }}}
	}
	claiming := func(name string) spec.Machine {
		return odd("claims", func(a *oddState) {
			a.Claims = claims(name)
		})
	}
	promising := func(names ...string) spec.Machine {
		return odd("promises", func(a *oddState) { a.Promises = names })
	}
	for want, row := range map[string]struct {
		machine spec.Machine
		config  model.Config
		props   []properties.Property
	}{
		"64 properties and predicates of formulas are too many": {odd("plain", func(*oddState) {}), model.Config{N: 2}, many},
		"complete-within(2) means nothing to odd/round, which runs in lock-step rounds": {
			odd("round", round), model.Config{N: 2, Network: model.Rounds}, []properties.Property{election.CompleteWithin(2)}},
		"Claims are made of the steps of one process": {odd("claims", func(a *oddState) {
			round(a)
			a.Claims = claims("never")
		}), model.Config{N: 2, Network: model.Rounds}, nil},
		`odd/claims names what it is meant to have "s-SELF", as a property that comes with Interleave: rename it`:   {claiming("s-SELF"), model.Config{N: 2}, nil},
		`odd/claims names what it is meant to have "No-Panic", as a property that comes with Interleave: rename it`: {claiming("No-Panic"), model.Config{N: 2}, nil},
		`odd/claims names what it is meant to have "m(3)", as a property that comes with Interleave: rename it`:     {claiming("m(3)"), model.Config{N: 2}, nil},
		`algorithm odd/promises promises "S-term", which is no property that comes with Interleave, nor a claim of its own: make it a Claim, or leave it out and name it with --property`: {
			promising("winner-is-top", "S-term"), model.Config{N: 2}, nil},
		`algorithm odd/promises promises "", which is no property`: {promising(""), model.Config{N: 2}, []properties.Property{election.WinnerIsTop}},
		"Init of process 1 sets a timer for which there is no rule": {odd("ruleless", func(a *oddState) {
			a.Init = func(_ *int, p *oddProc) { p.SetTimer(1) }
			a.Timeout = func(*int, *oddProc, spec.Timer) {}
			a.Rules = []oddRule{{Name: "T"}}
		}), model.Config{N: 2, Timers: model.Any}, nil},
		"Init of process 1 panics: it sends a message in Init, which only a handler of an event may": {odd("hasty", func(a *oddState) {
			a.Init = func(_ *int, p *oddProc) { p.Send(2, 1) }
		}), model.Config{N: 2}, nil},
		"Init of process 1 panics: it refuses in Init, where there is nothing to refuse": {odd("unwilling", func(a *oddState) {
			a.Init = func(_ *int, p *oddProc) { p.Refuse() }
		}), model.Config{N: 2}, nil},
		"Init of process 1 panics: it outputs something in Init, which": {odd("chatty", func(a *oddState) {
			a.Init = func(_ *int, p *oddProc) { p.Output(1) }
		}), model.Config{N: 2}, nil},
		"Init of process 1 panics: spec: Init asks who is live, which": {odd("curious", func(a *oddState) {
			a.Oracle, a.Init = true, func(s *int, p *oddProc) { *s = p.Live().Len() }
		}), model.Config{N: 2}, nil},
		"Init of process 1 panics: not now": {odd("fragile", func(a *oddState) {
			a.Init = func(*int, *oddProc) { panic("not now") }
		}), model.Config{N: 2}, nil},
		"an inbox of 9 messages may be read in more than 262144 orders: take fewer processes or crashes": {odd("loud", func(a *oddState) {
			round(a)
			a.Round = func(_ *int, p *oddProc, _ []spec.Received[int]) { p.Broadcast(p.Others(), int(p.ID)) }
		}), model.Config{N: 10, Network: model.Rounds}, nil},
		"more than 262144 different rounds may follow one state: take fewer processes or crashes": {odd("fold", func(a *oddState) {
			round(a)
			a.Round = func(s *int, p *oddProc, in []spec.Received[int]) {
				for _, e := range in {
					*s = *s*7 + e.Message
				}
				p.Broadcast(p.Others(), int(p.ID))
			}
		}), model.Config{N: 6, Network: model.Rounds}, nil},
		"300 messages are sent in one round, where 255 are possible: take fewer processes or crashes": {odd("many", func(a *oddState) {
			round(a)
			a.Round = func(_ *int, p *oddProc, _ []spec.Received[int]) {
				for m := range 50 {
					p.Broadcast(p.Others(), m)
				}
			}
		}), model.Config{N: 3, Network: model.Rounds}, nil},
		"panics outside of its handlers: nobody at edgecases_test.go:": {odd("leaderless", func(a *oddState) {
			a.Start = func(s *int, _ *oddProc) { *s = 1 }
			a.Election.Leader = func(s int) spec.ID {
				if s == 1 {
					panic("nobody")
				}
				return spec.None
			}
		}), model.Config{N: 2}, nil},
		"panics outside of its handlers: an atom at edgecases_test.go:": {odd("plain", func(*oddState) {}), model.Config{N: 2},
			[]properties.Property{properties.Eventually("atom", "nothing", func(*model.World) error { panic("an atom") })}},
		"panics outside of its handlers: a cover at edgecases_test.go:": {odd("plain", func(*oddState) {}), model.Config{N: 2},
			[]properties.Property{properties.Cover("cover", "nothing", func(*model.World) bool { panic("a cover") })}},
	} {
		for _, o := range []properties.Options{{}, {Direct: true}, {Workers: 2}} {
			o.Catalogue = election.Catalogue
			_, err := properties.Verify(t.Context(), row.machine, row.config, row.props, o)
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%+v: %v, want %q", o, err, want)
			}
		}
	}
}

// TestHeld: what a handler refuses has come, and time goes on.
func TestHeld(t *testing.T) {
	closed, open, late := 0, 1, 4 // process 1 refuses; it does not; and the timer of process 2 has expired
	timers := func(a *oddState) {
		a.Init = func(_ *int, p *oddProc) {
			if p.ID == 1 {
				p.SetTimer(0)
				p.SetTimer(1)
			}
		}
		a.Timeout = func(s *int, p *oddProc, t spec.Timer) {
			switch {
			case t == 1:
				*s = open
			case *s == closed:
				p.Refuse()
			default:
				*s = 2
			}
		}
		a.Rules = []oddRule{{Name: "a"}, {Name: "b"}}
		a.Election.Leader = func(s int) spec.ID { return spec.ID(s / 2) }
	}
	messages := func(a *oddState) {
		timers(a)
		a.Start = func(_ *int, p *oddProc) {
			if p.ID == 2 {
				p.Send(1, 1)
				p.Send(1, 2)
				p.SetTimer(0)
			}
		}
		a.Timeout = func(s *int, p *oddProc, t spec.Timer) {
			if *s = open; p.ID == 2 {
				*s = late
			}
		}
		a.Receive = func(s *int, p *oddProc, _ spec.ID, m int) {
			if *s == closed && m == 1 {
				p.Refuse()
			}
		}
	}
	for _, row := range []struct {
		name   string
		change func(a *oddState)
		config model.Config
	}{
		{"timer", timers, model.Config{N: 1}}, {"head of a queue", messages, model.Config{N: 2}}, {"bag", messages, model.Config{N: 2, Network: model.Bag}},
	} {
		row.config.Timers, row.config.Delta, row.config.Durations = model.Timed, 2, "a=3,b=9"
		m := odd("held", row.change)
		never := properties.Invariant("never", "process 1 does not lead, nor process 2 before the first is open", func(w *model.World) error {
			if w.Leader(1) == 1 || w.N() == 2 && w.Leader(2) == 2 && w.State(1) == closed {
				return errors.New("time has gone on")
			}
			return nil
		})
		r, err := properties.Verify(t.Context(), m, row.config, []properties.Property{never}, properties.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f := finding(t, r, "never")
		if f.Verdict != properties.Violated {
			t.Errorf("%s: %v of %d states", row.name, f.Verdict, r.Stats.States)
			continue
		}
		if _, _, _, err := election.Replay(m, f.Trace, never); err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
	}
}

// TestTimersOfInit: a timer that Init sets runs from the start of the process on, like one
// that Start sets; it neither holds up the clock before nor expires at once after.
func TestTimersOfInit(t *testing.T) {
	const alarm = 2
	set := func(p *oddProc) {
		if p.ID == 1 {
			p.SetTimer(0)
		}
	}
	timers := func(inInit bool) spec.Machine {
		return odd("early", func(a *oddState) {
			if inInit {
				a.Init = func(_ *int, p *oddProc) { set(p) }
			}
			a.Start = func(s *int, p *oddProc) {
				if *s = 1; !inInit {
					set(p)
				}
				if p.ID == 2 {
					p.SetTimer(1)
				}
				p.Send(p.ID, 0)
			}
			a.Receive = func(_ *int, p *oddProc, _ spec.ID, _ int) { p.StopTimer(0) }
			a.Timeout = func(s *int, _ *oddProc, _ spec.Timer) { *s = alarm }
			a.Rules = []oddRule{{Name: "a"}, {Name: "b"}}
		})
	}
	c := model.Config{N: 2, Timers: model.Timed, Delta: 1, Durations: "a=3,b=4"}
	props := []properties.Property{
		properties.Invariant("held up", "the timer of process 2 does not expire before process 1 starts", func(w *model.World) error {
			if w.State(2) == alarm && !w.Started(1) {
				return errors.New("it expires")
			}
			return nil
		}),
		properties.Invariant("at once", "no timer expires before its process hears itself", func(w *model.World) error {
			if w.State(1) == alarm {
				return errors.New("it expires")
			}
			return nil
		}),
	}
	first, start := verify(t, timers(true), c, props, properties.Options{Continue: true}), verify(t, timers(false), c, props, properties.Options{Continue: true})
	for _, r := range []*properties.Report{first, start} {
		if a, b := finding(t, r, "held up").Verdict, finding(t, r, "at once").Verdict; a != properties.Violated || b != properties.Verified {
			t.Errorf("%v and %v", a, b)
		}
	}
	if first.Stats.States != start.Stats.States || first.Stats.Transitions != start.Stats.Transitions {
		t.Errorf("%d states and %d transitions, or %d and %d", first.Stats.States, first.Stats.Transitions, start.Stats.States, start.Stats.Transitions)
	}
}

// TestForesightInterrupted: what is learned before a search ends with the context, too.
func TestForesightInterrupted(t *testing.T) {
	for _, engine := range []properties.Engine{properties.Explicit, properties.Symbolic} {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		m := odd("slow", func(a *oddState) {
			a.Start = func(_ *int, p *oddProc) { p.Send(p.ID, 1) }
			a.Receive = func(s *int, p *oddProc, _ spec.ID, m int) {
				if calls++; calls == 5 {
					cancel()
				}
				*s = m
				p.Send(p.ID, (m+1)%300)
			}
		})
		r, err := properties.Verify(ctx, m, model.Config{N: 1}, []properties.Property{election.WinnerIsTop}, properties.Options{Engine: engine})
		if err != nil || r.Verdict != properties.Inconclusive || calls > 6 { // the fifth is repeated
			t.Errorf("%v: %+v, %v, after %d calls", engine, r, err, calls)
		}
	}
}

// everyWay are ways to check.
var everyWay = []properties.Options{{}, {Direct: true}, {Reduce: true}, {Engine: properties.Symbolic}}

type word string

type says struct{ Word word }

// TestLost: a run of which a trace cannot tell is no counterexample, and the message is named;
// what no run comes to is of no interest.
func TestLost(t *testing.T) {
	forget := func(v any) any {
		if v == (says{"lost"}) {
			return says{}
		}
		return v
	}
	for _, row := range []struct {
		self word // after this, process 1 follows itself
		lost bool
	}{{"lost", true}, {"b", false}} {
		m := modeltest.Forgetful{Message: forget, Machine: &spec.Algorithm[spec.ID, says]{
			Name: "odd/lost",
			Start: func(_ *spec.ID, p *spec.Proc[says]) {
				if p.ID == 2 {
					p.Send(1, says{"a"})
					p.Send(1, says{row.self})
				}
			},
			Receive: func(s *spec.ID, p *spec.Proc[says], _ spec.ID, m says) {
				switch {
				case m.Word == row.self:
					*s = p.ID
				case *s == p.ID: // never, as messages come in turn
					p.Send(2, says{"lost"})
				}
			},
			Election: &spec.Election[spec.ID, says]{Leader: func(s spec.ID) spec.ID { return s }},
		}}
		for _, o := range everyWay {
			r, err := properties.Verify(t.Context(), m, model.Config{N: 2}, []properties.Property{election.WinnerIsTop}, o)
			if lost := (*model.RoundTripError)(nil); row.lost != errors.As(err, &lost) || !row.lost && r.Verdict != properties.Violated {
				t.Errorf("%q, %+v: %v", row.self, o, err)
			}
		}
	}
}

// anew follows somebody who does not exist, and who is not waited for when it begins anew,
// to follow process 1.
func anew(who spec.ID) spec.Machine {
	return odd("anew", func(a *oddState) {
		a.Start = func(s *int, _ *oddProc) { *s = 1 }
		a.Election.Notice = func(s *int, _ *oddProc) { *s = 2 }
		a.Election.Leader = func(s int) spec.ID { return []spec.ID{spec.None, who, 1}[s] }
	})
}

// TestFollowsAStranger: a process follows for a while one that does not exist.
func TestFollowsAStranger(t *testing.T) {
	for _, stranger := range []spec.ID{-3, -2, -1, 4, 5, 6, 7, 8, 16, 17, 20, 99, 1 << 40} {
		m := odd("lost", func(a *oddState) {
			a.Election.Leader = func(s int) spec.ID { return spec.ID(s) }
			a.Start = func(*int, *oddProc) {}
			a.Init = func(_ *int, p *oddProc) { p.SetTimer(0) }
			a.Timeout = func(s *int, p *oddProc, _ spec.Timer) {
				if p.ID == 1 && *s == 0 {
					*s = int(stranger)
					p.SetTimer(0)
				} else {
					*s = 0
				}
			}
			a.Rules = []oddRule{{Name: "T"}}
		})
		for network := range model.Rounds {
			for _, o := range everyWay {
				c := model.Config{N: 3, Network: network}
				if r := verify(t, anew(stranger), c, []properties.Property{election.WinnerIsTop}, o); r.Verdict != properties.Violated {
					t.Errorf("follows %d, %v, %+v: %v", stranger, network, o, r.Verdict)
				}
			}
		}
		for initiators := range spec.Set(8) {
			for _, o := range everyWay {
				c := model.Config{N: 3, Timers: model.Any, Initiators: model.Initiators{Only: initiators}}
				r := verify(t, m, c, []properties.Property{election.LeaderTookPart}, o)
				if r.Verdict != properties.Violated {
					t.Errorf("follows %d, initiators %v, %+v: %v", stranger, initiators, o, r.Verdict)
				}
			}
		}
	}
}

// TestCalmLooksInside: what comes of a world depends on what is on its way, too,
// even if nobody waits until that has arrived.
func TestCalmLooksInside(t *testing.T) {
	m := odd("mail", func(a *oddState) {
		a.Start = func(_ *int, p *oddProc) {
			if p.ID == 1 {
				p.Send(2, 7)
			}
		}
		a.Receive = func(s *int, _ *oddProc, _ spec.ID, m int) { *s = m }
	})
	arrives := properties.Invariant("arrives", "process 2 gets its mail", func(w *model.World) error {
		for _, later := range w.StableRounds(1) {
			if later.State(2) != 7 {
				return errors.New("it does not")
			}
		}
		return nil
	})
	for _, direct := range []bool{false, true} {
		r := verify(t, m, model.Config{N: 2, Losses: 1}, []properties.Property{arrives}, properties.Options{Direct: direct})
		if r.Verdict != properties.Violated {
			t.Errorf("direct %v: %v", direct, r.Verdict)
		}
		looks := properties.Invariant("looks", "it looks ahead", func(w *model.World) error {
			for range w.StableRounds(1) {
			}
			return nil
		})
		calls := func(p properties.Property) int {
			return verify(t, m, model.Config{N: 2, Losses: 1}, []properties.Property{p}, properties.Options{Direct: direct}).Stats.Tables.HandlerCalls
		}
		if a, b := calls(looks), calls(election.WinnerIsTop); a != b {
			t.Errorf("direct %v: the search counts %d calls of handlers, and %d if nobody looks ahead", direct, a, b)
		}
	}
}
