package drive

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"interleave/impl/transport"
	"interleave/impl/wire"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/object/objecttest"
)

// tampered is a transport that alters data frames on their way out.
type tampered struct {
	transport.Transport
	alter func(f *wire.Frame) (copies int)
}

func (t tampered) Send(to spec.ID, b []byte) error {
	f, err := wire.Parse(b, nil)
	if err != nil || f.Kind != wire.Data {
		return t.Transport.Send(to, b)
	}
	copies := t.alter(&f)
	if b, err = f.Append(nil, nil); err != nil {
		return err
	}
	for range copies {
		err = errors.Join(err, t.Transport.Send(f.To, b))
	}
	return err
}

// crossed is a transport that mixes up the addresses of its peers.
type crossed struct{ transport.Transport }

func (c crossed) Send(to spec.ID, b []byte) error {
	f, err := wire.Parse(b, nil)
	if err == nil && f.Kind == wire.Data {
		to = 6 - f.From - to
	}
	return c.Transport.Send(to, b)
}

// faulty is a machine of which one thing is wrong.
type faulty struct {
	spec.Machine
	after func(self spec.ID, before any, e spec.Event, after any, fx spec.Effects) (any, spec.Effects)
}

func (f faulty) Step(self spec.ID, ring []spec.ID, s any, e spec.Event) (any, spec.Effects) {
	after, fx := f.Machine.Step(self, ring, s, e)
	return f.after(self, s, e, after, fx)
}

// TestPlants: what a process does wrong on its way to the socket, or in its step,
// is found, and called by its name.
func TestPlants(t *testing.T) {
	sends := func(alter func(f *wire.Frame) int) func(spec.ID, transport.Transport) transport.Transport {
		return func(_ spec.ID, real transport.Transport) transport.Transport { return tampered{real, alter} }
	}
	steps := func(after func(self spec.ID, before any, e spec.Event, after any, fx spec.Effects) (any, spec.Effects)) spec.Machine {
		return faulty{bully.Mended, after}
	}
	last := []byte(nil)
	for _, plant := range []struct {
		name   string
		want   Verdict
		tamper func(spec.ID, transport.Transport) transport.Transport
		real   spec.Machine
	}{
		{"a frame is never sent", Missing, sends(func(f *wire.Frame) int { return min(1, int(f.Sequence)-1) }), nil},
		{"a frame is sent twice", Unexpected, sends(func(f *wire.Frame) int { return 2 }), nil},
		{"another message", Unexpected, sends(func(f *wire.Frame) int { f.Body = []byte{byte(bully.OK)}; return 1 }), nil},
		{"no message", Unexpected, sends(func(f *wire.Frame) int { f.Body = []byte{9, 9}; return 1 }), nil},
		{"the message before", Unexpected, sends(func(f *wire.Frame) int {
			body := slices.Clone(f.Body)
			if last != nil {
				f.Body = last
			}
			last = body
			return 1
		}), nil},
		{"to another process", Unexpected, func(_ spec.ID, real transport.Transport) transport.Transport { return crossed{real} }, nil},
		{"as if to another process", Unexpected, sends(func(f *wire.Frame) int { f.To = 6 - f.From - f.To; return 1 }), nil},
		{"another sequence", Unexpected, sends(func(f *wire.Frame) int { f.Sequence++; return 1 }), nil},
		{"a state of its own", Wrong, nil, steps(func(self spec.ID, _ any, e spec.Event, after any, fx spec.Effects) (any, spec.Effects) {
			if s := after.(bully.State); self == 2 && s.Mode == bully.Waiting {
				s.Leader = 2
				after = s
			}
			return after, fx
		})},
		{"a timer stays armed", Wrong, nil, steps(func(_ spec.ID, _ any, e spec.Event, after any, fx spec.Effects) (any, spec.Effects) {
			if e.Kind == spec.Receive {
				fx.Stopped = 0
			}
			return after, fx
		})},
		{"a timer is never armed", Wrong, nil, steps(func(_ spec.ID, _ any, e spec.Event, after any, fx spec.Effects) (any, spec.Effects) {
			fx.Armed = 0
			return after, fx
		})},
		{"it refuses", Missing, nil, steps(func(_ spec.ID, before any, e spec.Event, after any, fx spec.Effects) (any, spec.Effects) {
			if e.Kind == spec.Receive && e.From == 2 {
				return before, spec.Effects{Refused: true}
			}
			return after, fx
		})},
		{"it sends once more", Unexpected, nil, steps(func(_ spec.ID, _ any, e spec.Event, after any, fx spec.Effects) (any, spec.Effects) {
			fx.Sends = append(fx.Sends, fx.Sends...)
			return after, fx
		})},
		{"it sends in another order", Unexpected, nil, steps(func(_ spec.ID, _ any, e spec.Event, after any, fx spec.Effects) (any, spec.Effects) {
			slices.Reverse(fx.Sends)
			return after, fx
		})},
		{"its handler panics", Unexpected, nil, steps(func(_ spec.ID, before any, e spec.Event, after any, fx spec.Effects) (any, spec.Effects) {
			if e.Kind == spec.Receive && e.Message == bully.OK {
				return before, spec.Effects{Panic: "planted"}
			}
			return after, fx
		})},
	} {
		t.Run(plant.name, func(t *testing.T) {
			r, err := Cover(t.Context(), bully.Mended, world(t, bully.Mended, ""), Options{Real: plant.real, tamper: plant.tamper})
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != plant.want {
				t.Fatalf("%v, and %v is wanted: %v", r.Verdict, plant.want, r.Disagreement)
			}
			if _, _, err := model.Replay(bully.Mended, r.Trace); err != nil {
				t.Error(err)
			}
			t.Log(r.Disagreement)
		})
	}
}

// counterexample returns a trace in which a property of a machine is false.
func counterexample(t *testing.T, name, axes, property string) (spec.Machine, *model.Trace, *model.Run) {
	t.Helper()
	m := find(t, name)
	p, err := election.Find(m, property)
	if err != nil {
		t.Fatal(err)
	}
	r, err := properties.Verify(t.Context(), m, world(t, m, axes), []properties.Property{p}, properties.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Trace != nil {
			_, run, err := model.Replay(m, f.Trace)
			if err != nil {
				t.Fatal(err)
			}
			return m, f.Trace, run
		}
	}
	t.Fatalf("%s has %s in %s", name, property, axes)
	return nil, nil, nil
}

// TestReplay: published defects happen to real processes.
func TestReplay(t *testing.T) {
	for _, c := range []struct {
		machine, axes, property string
		leaders                 string // at the end, in the words of the processes; or why it cannot be
	}{
		{"bully/published", "timers=any", "leader-is-top", "[1 none none]"},
		{"bully/published", "crashes=1", "leader-is-top", "[3 none none]"},
		{"chang-roberts/naive", "crashes=1", "agreement", "[none none none]"},
		{"chang-roberts/naive", "network=set crashes=1", "termination", "[none none none]"},
		{"token-ring/published-a", "crashes=1", "agreement", "[none none none]"},
		{"fast-bully/published", "crashes=1 recoveries=1", "one-leader", "step 8, process 3 recover: nothing that was sent to a former life reaches the next one"},
		{"sync-bully/published", "", "agreement", "[1 3 3]"},
		{"two-phase-commit/published", "crashes=1", "no-needless-block", "[none none none]"}, // elects nobody
		{"bully/published", "start=leader-down", "leader-is-top", "[3 3 none]"},
	} {
		t.Run(c.machine+" "+c.axes+" "+c.property, func(t *testing.T) {
			m, trace, run := counterexample(t, c.machine, c.axes, c.property)
			done, err := Replay(t.Context(), m, m, trace, run)
			if err != nil {
				if !errors.As(err, new(*ImpossibleError)) || err.Error() != c.leaders {
					t.Fatal(err)
				}
				return
			}
			steps := len(run.Steps)
			if trace.Loop > 0 {
				steps += steps - trace.Loop + 1
			}
			if len(done) != 1+steps {
				t.Errorf("%d of %d steps", len(done)-1, steps)
			}
			if leaders := fmt.Sprint(done[len(done)-1].Leaders); leaders != c.leaders {
				t.Errorf("%s, not %s", leaders, c.leaders)
			}
		})
	}
}

// TestImpossible: what only a model can do is refused, with the reason.
func TestImpossible(t *testing.T) {
	for _, c := range []struct {
		machine spec.Machine
		axes    string
		actions []string // in this order, each as soon as it can be
		reason  string
	}{
		{bully.Mended, "network=bag duplicates=1", []string{"notice", "copy ELECTION from 1"}, "step 2, process 2 copy ELECTION from 1: the runtime drops copies"},
		{bully.Mended, "crashes=1 recoveries=1", []string{"notice", "crash", "recover"}, "process 1 recover: links forget"},
		{objecttest.Diary("a write persist"), "crashes=1 recoveries=1 split=true", []string{"ask, crash after 1 of its sends, before it persists"}, "the runtime has all on its disk before it sends"},
		{bully.Mended, "timers=timed delta=1 durations=T_ok=3,T_coord=5,notice=3", nil, "the driver is the clock"},
	} {
		t.Run(c.axes, func(t *testing.T) {
			trace, run := recorded(t, c.machine, c.axes, c.actions)
			_, err := Replay(t.Context(), c.machine, c.machine, trace, run)
			var impossible *ImpossibleError
			if !errors.As(err, &impossible) || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("%v, and not because %s", err, c.reason)
			}
		})
	}
}

// recorded returns a run in which actions happen in turn, as far as they are possible.
func recorded(t *testing.T, m spec.Machine, axes string, actions []string) (*model.Trace, *model.Run) {
	t.Helper()
	r, err := model.NewReference(m, world(t, m, axes))
	if err != nil {
		t.Fatal(err)
	}
	s := r.Initial()[0]
	events := []model.Event{}
	for _, action := range actions {
		for _, step := range r.Steps(s) {
			if r.Describe(step.Event) == action {
				events = append(events, step.Event)
				s = step.After
				break
			}
		}
	}
	trace, run, err := model.Record(r, r.Initial()[0], events)
	if err != nil {
		t.Fatal(err)
	}
	return trace, run
}

// TestRearmed: a timer that is armed anew while it is armed runs from then on.
func TestRearmed(t *testing.T) {
	m := func(again bool) spec.Machine {
		a := once(0, nil)
		a.Init = func(_ *uint8, p *spec.Proc[string]) { p.SetTimer(0) }
		a.Election.Notice = func(_ *uint8, p *spec.Proc[string]) {
			if again {
				p.SetTimer(0)
			}
		}
		a.Timeout = func(*uint8, *spec.Proc[string], spec.Timer) {}
		a.Rules = []spec.TimerRule[uint8, string]{{Name: "A"}}
		return a
	}
	for _, axes := range []string{"n=2 timers=any", "n=2 timers=any crashes=1 recoveries=1", "n=2 timers=any crashes=1 split=true"} {
		drives(t, m(true), m(true), axes, Agrees, 1)
		drives(t, m(true), m(false), axes, Wrong, 0)
		drives(t, m(false), m(true), axes, Wrong, 0)
	}
}
