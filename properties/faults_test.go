package properties_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
)

// TestPropertyPanics: a property is false where it panics, and a shortest run leads there.
func TestPropertyPanics(t *testing.T) {
	m := odd("counts", func(a *oddState) {
		a.Start = func(_ *int, p *oddProc) { p.Broadcast(p.Others(), 3) }
		a.Receive = func(s *int, p *oddProc, from spec.ID, m int) {
			if *s = min(*s+1, 5); m > 0 {
				p.Send(from, m-1)
			}
		}
	})
	two := func(w *model.World) error {
		if w.State(1) == 2 {
			panic("two")
		}
		return nil
	}
	props := []properties.Property{
		properties.Invariant("invariant", "", two),
		properties.Quiescent("quiescent", "", func(w *model.World) error { return []error{}[w.State(1).(int)] }),
		properties.EveryStep("step", "", func(_, after *model.World) error { return two(after) }),
	}
	why := map[string]string{
		"invariant": "the property panics: two at faults_test.go:",
		"quiescent": "the property panics: runtime error: index out of range [4] with length 0 at faults_test.go:",
		"step":      "the property panics: two at faults_test.go:",
	}
	steps := map[string]int{"invariant": 5, "quiescent": 10, "step": 5}
	for _, o := range append(everyWay, properties.Options{Workers: 2}, properties.Options{Workers: 3}) {
		for _, p := range props {
			r, err := properties.Verify(t.Context(), m, model.Config{N: 2}, []properties.Property{p}, o)
			if err != nil {
				t.Fatalf("%s, %+v: %v", p.Name, o, err)
			}
			f := finding(t, r, p.Name)
			if f.Verdict != properties.Violated || !strings.HasPrefix(f.Why, why[p.Name]) || len(f.Trace.Steps) != steps[p.Name] {
				t.Errorf("%s, %+v: %v, %q, %v", p.Name, o, f.Verdict, f.Why, f.Trace)
				continue
			}
			if _, _, reason, err := election.Replay(m, f.Trace, p); err != nil || reason != f.Why {
				t.Errorf("%s, %+v: %v, %q", p.Name, o, err, reason)
			}
		}
	}
}

// TestPanicPassed: that the world is too large is not a fault of the property that asks.
func TestPanicPassed(t *testing.T) {
	for _, said := range []any{&model.LimitError{}, &model.NondeterminismError{}, explore.Contradiction(""), &explore.DiskError{}, &explore.Panic{}} {
		asks := properties.Invariant("asks", "", func(*model.World) error { panic(said) })
		func() {
			defer func() {
				if p := recover(); p != said {
					t.Errorf("%v came of %v", p, said)
				}
			}()
			t.Errorf("%T: %v", said, asks.Condition(nil))
		}()
	}
}

// TestReboot: Init may do no more when a process comes up again than when it first does.
func TestReboot(t *testing.T) {
	for want, do := range map[string]func(p *oddProc){
		"it sends a message in Init, which only a handler of an event may":     func(p *oddProc) { p.Send(1, 5) },
		"it outputs something in Init, which only a handler of an event may":   func(p *oddProc) { p.Output(5) },
		"it refuses in Init, where there is nothing to refuse":                 func(p *oddProc) { p.Refuse() },
		"spec: Init asks who is live, which only a handler of an event may at": func(p *oddProc) { p.Live() },
	} {
		for _, recovers := range []bool{false, true} {
			m := odd("again", func(a *oddState) {
				a.Oracle, a.Stable = true, func(int) int { return 7 }
				a.Init = func(s *int, p *oddProc) {
					if *s == 7 {
						do(p)
					}
				}
				a.Start = func(*int, *oddProc) {}
				if recovers {
					a.Recover = func(*int, *oddProc) {}
				}
			})
			for _, o := range everyWay {
				o.Catalogue = election.Catalogue
				r, err := properties.Verify(t.Context(), m, model.Config{N: 2, Crashes: 1, Recoveries: 1}, nil, o)
				if err != nil {
					t.Fatal(err)
				}
				if f := r.Findings[len(r.Findings)-1]; f.Property.Name != "no-panic" || f.Verdict != properties.Violated || !strings.Contains(f.Why, want) {
					t.Errorf("recovers %v, %+v: %s %v: %q, want %q", recovers, o, f.Property.Name, f.Verdict, f.Why, want)
				}
			}
		}
	}
}

// TestRefused: a round passes for all, and who comes up takes part, whatever they refuse.
func TestRefused(t *testing.T) {
	const starts, round = "it refuses to start, and would take part all the same", "it refuses a Round, which all take at once"
	for _, row := range []struct {
		want   string
		depth  int
		config model.Config
		change func(a *oddState)
	}{
		{starts, 1, model.Config{N: 2}, func(a *oddState) { a.Start = func(_ *int, p *oddProc) { p.Refuse() } }},
		{starts, 2, model.Config{N: 2, Crashes: 1, Recoveries: 1}, func(a *oddState) { a.Recover = func(_ *int, p *oddProc) { p.Refuse() } }},
		{round, 2, model.Config{N: 2, Network: model.Rounds}, func(a *oddState) {
			a.Receive = nil
			a.Round = func(_ *int, p *oddProc, in []spec.Received[int]) {
				if len(in) > 0 {
					p.Refuse()
				}
				p.Broadcast(p.Others(), 1)
			}
		}},
	} {
		r, err := properties.Verify(t.Context(), odd("unwilling", row.change), row.config, nil, properties.Options{Catalogue: election.Catalogue, Continue: true})
		if err != nil {
			t.Fatal(err)
		}
		if f := finding(t, r, "no-panic"); f.Depth != row.depth || !strings.Contains(f.Why, row.want) {
			t.Errorf("after %d steps: %s; want %s after %d", f.Depth, f.Why, row.want, row.depth)
		}
	}
}

// TestNoFunction: a handler that is no function of what it is given is told, and by which two
// results.
func TestNoFunction(t *testing.T) {
	calls := 0
	for want, do := range map[string]func(s *int, p *oddProc){
		"in the state 0 it comes to 0, and when called again it comes to 1: let it depend": func(s *int, _ *oddProc) { calls++; *s = calls % 2 },
		" it sends 0 to 1, sends 0 to 2, and when called again it sends 0 to 2, sends 0 to 1: let": func(_ *int, p *oddProc) {
			calls++
			p.Send(spec.ID(1+calls%2), 0)
			p.Send(spec.ID(2-calls%2), 0)
		},
		" it outputs 0, and when called again it outputs 1: let": func(_ *int, p *oddProc) { calls++; p.Output(calls % 2) },
		" it refuses, and when called again it does nothing: let": func(_ *int, p *oddProc) {
			if calls++; calls%2 == 0 {
				p.Refuse()
			}
		},
		" it panics: rung at faults_test.go:": func(_ *int, p *oddProc) {
			if calls++; calls%2 == 0 {
				panic("rung")
			}
		},
		" it sets timer 0, and when called again it does nothing: let": func(_ *int, p *oddProc) {
			if calls++; calls%2 == 0 {
				p.SetTimer(0)
			}
		},
		" it stops timer 0, and when called again it does nothing: let": func(_ *int, p *oddProc) {
			if calls++; calls%2 == 0 {
				p.StopTimer(0)
			}
		},
	} {
		m := odd("whim", func(a *oddState) {
			a.Election.Notice = do
			a.Timeout, a.Rules = func(*int, *oddProc, spec.Timer) {}, []oddRule{{Name: "T"}}
		})
		for _, o := range everyWay {
			calls, o.Workers = 1, 1
			o.Catalogue = election.Catalogue
			r, err := properties.Verify(t.Context(), m, model.Config{N: 2, Network: model.Set, Timers: model.Any}, nil, o)
			whim := (*model.NondeterminismError)(nil)
			if !errors.As(err, &whim) || !strings.HasPrefix(err.Error(), "the handler of process ") || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %v, %v; want %q", o, r, err, want)
			}
		}
	}
}

// TestSharedVariable: what processes share besides their messages is told, even if a handler
// that is called again at once does the same: a map that fills up, the last one to write, and
// a leader that is nobody's state.
func TestSharedVariable(t *testing.T) {
	begun, last := map[spec.ID]bool{}, spec.None
	follow := func(s int) spec.ID { return spec.ID(s) }
	nothing := []properties.Property{properties.Invariant("nothing", "promises nothing", func(*model.World) error { return nil })}
	for name, row := range map[string]struct {
		start  func(s *int, p *oddProc)
		leader func(s int) spec.ID
		want   string
	}{
		"map": {func(s *int, p *oddProc) {
			if begun[p.ID] = true; len(begun) == 2 {
				*s = 2
			}
		}, follow, "the handler of process 1 for start"},
		"variable": {func(s *int, p *oddProc) {
			if p.ID == 1 {
				*s = int(last)
			} else {
				last = p.ID
			}
		}, follow, "the handler of process 1 for start"},
		"leader": {func(_ *int, p *oddProc) { last = p.ID }, func(int) spec.ID { return last }, "Leader is no function"},
	} {
		m := odd("shared", func(a *oddState) { a.Start, a.Election.Leader = row.start, row.leader })
		for _, o := range everyWay {
			clear(begun)
			last = spec.None
			r, err := properties.Verify(t.Context(), m, model.Config{N: 2, Network: model.Set}, nothing, o)
			if whim := (*model.NondeterminismError)(nil); !errors.As(err, &whim) || !strings.HasPrefix(err.Error(), row.want) {
				t.Errorf("%s, %+v: %+v, %v; want %q", name, o, r, err, row.want)
			}
		}
	}
}

// TestLostInTurn: in a queue only the next message is lost, as the assumptions say. So a timer
// that waits for one behind it does not expire before that; in a bag it may.
func TestLostInTurn(t *testing.T) {
	m := odd("queue", func(a *oddState) {
		a.Init = func(_ *int, p *oddProc) {
			if p.ID == 1 {
				p.SetTimer(0)
			}
		}
		a.Start = func(_ *int, p *oddProc) {
			if p.ID == 2 {
				p.Send(1, 1)
				p.Send(1, 2)
			}
		}
		a.Receive = func(s *int, _ *oddProc, _ spec.ID, m int) { *s |= m }
		a.Timeout = func(s *int, _ *oddProc, _ spec.Timer) { *s |= 4 }
		a.Rules = []oddRule{{Name: "T", Awaited: func(_, _, _ spec.ID, m int) bool { return m == 2 }}}
	})
	after := properties.Invariant("after", "the timer does not expire between the messages being sent and arriving", func(w *model.World) error {
		if w.Started(2) && w.State(1) == 4 && len(w.Inbox(1)) == 1 && w.Inbox(1)[0].Message == 1 {
			return errors.New("it does")
		}
		return nil
	})
	for network, want := range map[model.Network]properties.Verdict{model.FIFO: properties.Verified, model.Bag: properties.Violated} {
		for _, o := range everyWay {
			r := verify(t, m, model.Config{N: 2, Network: network, Losses: 1, Timers: model.Just}, []properties.Property{after}, o)
			if says := strings.Contains(strings.Join(r.Assumptions, "\n"), "at most 1 message lost, only where next in a queue"); r.Verdict != want || says != (network == model.FIFO) {
				t.Errorf("%v, %+v: %v; it says so: %v", network, o, r.Verdict, says)
			}
		}
	}
}

// TestPanicUnknown: nothing holds of all runs where nobody found out whether a handler panics.
func TestPanicUnknown(t *testing.T) {
	m := odd("glass", func(a *oddState) {
		a.Start = func(_ *int, p *oddProc) { p.Broadcast(p.Others(), 1) }
		a.Receive = func(s *int, _ *oddProc, _ spec.ID, _ int) {
			if *s++; *s == 2 {
				panic("told twice")
			}
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	ends := properties.Invariant("ends", "takes all the time that there is", func(w *model.World) error {
		_, _ = w.State(1), w.Inbox(1) // of all states
		cancel()
		return nil
	})
	c := model.Config{N: 4, Network: model.Set}
	r, err := properties.Verify(ctx, m, c, []properties.Property{properties.MessagesBounded, ends}, properties.Options{Engine: properties.Symbolic, Continue: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"messages-bounded", properties.NoPanic.Name} {
		if f := finding(t, r, name); f.Verdict != properties.Inconclusive {
			t.Errorf("%s is %v: %s", name, f.Verdict, f.Why)
		}
	}
}
