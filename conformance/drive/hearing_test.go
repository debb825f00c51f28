package drive

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"interleave/model"
	"interleave/spec"
)

type wary struct {
	Suspects spec.Set
	Heard    uint8
}

// watching calls its peers when it starts, and keeps whom it suspects. What it
// does when one of them is heard again is to be chosen.
func watching(start func(s *wary, p *spec.Proc[string]), restore func(s *wary, p *spec.Proc[string], q spec.ID)) spec.Machine {
	return &spec.Algorithm[wary, string]{
		Name:     "odd/watching",
		Start:    start,
		Receive:  func(s *wary, p *spec.Proc[string], _ spec.ID, _ string) { s.Heard++ },
		Suspect:  func(s *wary, p *spec.Proc[string], q spec.ID) { s.Suspects = s.Suspects.With(q) },
		Restore:  restore,
		Election: &spec.Election[wary, string]{Leader: func(wary) spec.ID { return spec.None }},
	}
}

func callAll(_ *wary, p *spec.Proc[string]) { p.Broadcast(p.Others(), "call") }

func callTwice(s *wary, p *spec.Proc[string]) { callAll(s, p); callAll(s, p) }

// TestUnstarted: a process is suspected, sent messages to and taken back, or goes down,
// before it has ever started.
func TestUnstarted(t *testing.T) {
	takeBack := func(s *wary, _ *spec.Proc[string], q spec.ID) { s.Suspects = s.Suspects.Without(q) }
	keep := func(*wary, *spec.Proc[string], spec.ID) {}
	m := watching(callAll, takeBack)
	const eventual = " detector=eventual suspicions=1"
	for _, c := range []struct {
		axes    string
		classes int
	}{
		{"n=2" + eventual, 10},
		{"n=3" + eventual, 50},
		{"n=2 crashes=1 recoveries=1" + eventual, 10},
		{"n=2 crashes=1 recoveries=1 network=bag" + eventual, 10},
	} {
		drives(t, m, m, c.axes, Agrees, c.classes)
		drives(t, m, watching(callTwice, takeBack), c.axes, Unexpected, 0)
		drives(t, m, watching(callAll, keep), c.axes, Wrong, 0)
	}
}

// TestSentToUnstarted: what was sent to a life that never started is sent to the next one, too,
// though the model may have lost it.
func TestSentToUnstarted(t *testing.T) {
	call := func(times int) spec.Machine {
		return &spec.Algorithm[uint8, string]{
			Name: "odd/calling",
			Start: func(_ *uint8, p *spec.Proc[string]) {
				for range times {
					p.Broadcast(p.Others(), "call")
				}
			},
			Receive: func(*uint8, *spec.Proc[string], spec.ID, string) {},
			Election: &spec.Election[uint8, string]{
				Notice: func(s *uint8, p *spec.Proc[string]) {
					if *s > 0 {
						p.Refuse()
						return
					}
					*s++
					p.Broadcast(p.Others(), "call")
				},
				Leader: func(uint8) spec.ID { return spec.None },
			},
		}
	}
	for _, c := range []struct{ axes, actions string }{
		{"n=2 crashes=1 recoveries=1", "1 start, 2 crash, 2 drop call from 1, 2 recover, 2 start"},
		{"n=2 network=bag crashes=1 recoveries=1", "1 start, 2 crash, 2 drop call from 1, 2 recover, 1 notice, 2 start"},
	} {
		trace, run := recordedOf(t, call(1), c.axes, strings.Split(c.actions, ", "))
		_, err := Replay(t.Context(), call(1), call(1), trace, run)
		if !errors.As(err, new(*ImpossibleError)) || !strings.Contains(err.Error(), "never started") {
			t.Errorf("%s: %v", c.actions, err)
		}
		drives(t, call(1), call(1), c.axes, Agrees, 4)
		drives(t, call(1), call(2), c.axes, Unexpected, 0)
	}
}

// recordedOf returns a run of actions, each with its process before it.
func recordedOf(t *testing.T, m spec.Machine, axes string, actions []string) (*model.Trace, *model.Run) {
	t.Helper()
	r, err := model.NewReference(m, world(t, m, axes))
	if err != nil {
		t.Fatal(err)
	}
	s := r.Initial()[0]
	var events []model.Event
	for _, action := range actions {
		steps := r.Steps(s)
		i := slices.IndexFunc(steps, func(step model.Step) bool {
			return fmt.Sprintf("%v %s", step.Event.Process, r.Describe(step.Event)) == action
		})
		if i < 0 {
			t.Fatalf("process %s is not possible", action)
		}
		events, s = append(events, steps[i].Event), steps[i].After
	}
	trace, run, err := model.Record(r, r.Initial()[0], events)
	if err != nil {
		t.Fatal(err)
	}
	return trace, run
}

// TestWhoIsLive: an algorithm that asks who is live is told by the runtime's detector, which
// may not know, or be wrong.
func TestWhoIsLive(t *testing.T) {
	ask := func(rounds bool, of func(p *spec.Proc[uint8])) spec.Machine {
		a := &spec.Algorithm[uint8, uint8]{
			Name: "odd/asking", Ring: true,
			Election: &spec.Election[uint8, uint8]{Leader: func(uint8) spec.ID { return spec.None }},
		}
		if rounds {
			a.Round = func(s *uint8, p *spec.Proc[uint8], in []spec.Received[uint8]) {
				if *s++; *s < 4 {
					of(p)
				}
			}
			a.Halted = func(s uint8) bool { return s == 4 }
			return a
		}
		a.Start = func(_ *uint8, p *spec.Proc[uint8]) { of(p) }
		a.Receive = func(s *uint8, p *spec.Proc[uint8], _ spec.ID, _ uint8) { *s = min(*s+1, 3) }
		a.Suspect = func(s *uint8, p *spec.Proc[uint8], _ spec.ID) { of(p) }
		return a
	}
	next := func(p *spec.Proc[uint8]) { p.SendNext(1) }
	fixed := func(p *spec.Proc[uint8]) { p.Send(p.Next(), 1) }
	for _, axes := range []string{"n=3 crashes=1", "n=3 detector=perfect crashes=1", "n=3 detector=eventual suspicions=1"} {
		drives(t, ask(false, next), ask(false, next), axes, Agrees, 3)
		drives(t, ask(false, next), ask(false, func(*spec.Proc[uint8]) {}), axes, Missing, 0)
	}
	drives(t, ask(true, next), ask(true, next), "n=3 crashes=1", Agrees, 3)
	drives(t, ask(true, next), ask(true, fixed), "n=3 crashes=1", Unexpected, 0)
}

// TestLeaderLast: a process that asks who is live, and of whose peers several are down, hears
// of its leader last: it notices that at once.
func TestLeaderLast(t *testing.T) {
	m := func(counts bool) spec.Machine {
		return &spec.Algorithm[uint8, uint8]{
			Name: "odd/counting", Oracle: true,
			Receive: func(*uint8, *spec.Proc[uint8], spec.ID, uint8) {},
			Election: &spec.Election[uint8, uint8]{
				Notice: func(s *uint8, p *spec.Proc[uint8]) {
					if *s = 3; counts {
						*s = uint8(p.Live().Len())
					}
				},
				Leader: func(s uint8) spec.ID {
					if s == 0 {
						return 2
					}
					return spec.ID(s)
				},
			},
		}
	}
	drives(t, m(true), m(true), "n=3 crashes=2", Agrees, 5)
	drives(t, m(true), m(false), "n=3 crashes=2", Wrong, 0)
}

// TestStranger: when a process notices that whom it follows does not exist is up to it.
func TestStranger(t *testing.T) {
	m := &spec.Algorithm[uint8, uint8]{
		Name:    "odd/stranger",
		Start:   func(s *uint8, _ *spec.Proc[uint8]) { *s = 3 },
		Receive: func(*uint8, *spec.Proc[uint8], spec.ID, uint8) {},
		Election: &spec.Election[uint8, uint8]{
			Notice: func(s *uint8, p *spec.Proc[uint8]) {
				if *s != 3 {
					p.Refuse()
				}
				*s = 1
			},
			Leader: func(s uint8) spec.ID { return spec.ID(s) },
		},
	}
	trace, run := recordedOf(t, m, "n=2", []string{"1 start"})
	_, err := Replay(t.Context(), m, m, trace, run)
	if !errors.As(err, new(*ImpossibleError)) || !strings.Contains(err.Error(), "follows process 3, which does not exist") {
		t.Error(err)
	}
	drives(t, m, m, "n=2", Unknown, 0)
}
