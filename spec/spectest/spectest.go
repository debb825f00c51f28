// Package spectest tests whether an algorithm keeps the contract of package spec: handlers are
// deterministic, a refused event has no effect, states and messages are plain values that survive
// JSON. It does not test what the algorithm computes. It takes one call in a test of the
// algorithm's package:
//
//	func TestDuties(t *testing.T) { spectest.Run(t, bully.Mended) }
package spectest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"interleave/spec"
)

// limit bounds the local states, and so the work, for an algorithm whose state grows without end.
const limit = 2000

// Run drives each of three processes through every event that a message, a
// timer, a suspicion or an action can bring it, with every answer to what a handler
// chooses, in every local state that this leads to (a superset of what any world allows),
// and checks that
//
//   - Validate accepts the algorithm;
//   - the same step taken twice comes out the same;
//   - a refused event has no effects, and changes nothing;
//   - every state, every message and every value of an action survives a trip through JSON;
//   - Leader, if it elects one, names a process or none; timers have rules, messages have kinds;
//   - Idle, Kind, When and the other functions give the same answer when asked again, at once and
//     at the end.
//
// A handler may panic here, in a state that no world can bring about.
func Run[S, M any](t *testing.T, a *spec.Algorithm[S, M]) {
	t.Helper()
	if err := Check(a); err != nil {
		t.Fatal(err)
	}
}

// Check is Run without a test: it returns the first fault.
func Check[S, M any](a *spec.Algorithm[S, M]) error {
	if err := a.Validate(); err != nil {
		return err
	}
	d := &duties[S, M]{algorithm: a, traits: a.Traits(), ring: []spec.ID{2, 3, 1}}
	d.requests()
	d.drive()
	d.askAgain()
	if d.fault == nil && len(d.states) == d.starts && len(d.messages) == 0 {
		d.fail("nothing ever happens%s", d.panicked)
	}
	return d.fault
}

type duties[S, M any] struct {
	fault     error  // the first
	panicked  string // where a handler panicked first, and over what
	algorithm *spec.Algorithm[S, M]
	traits    spec.Traits
	ring      []spec.ID
	starts    int
	states    []local
	messages  []letter
	asked     []asked
}

type local struct {
	self  spec.ID
	state any
}

type letter struct {
	from, to spec.ID
	message  any
}

// all is the set of the processes.
func (d *duties[S, M]) all() spec.Set { return spec.UpTo(len(d.ring)) }

func (d *duties[S, M]) fail(format string, args ...any) {
	if d.fault == nil {
		d.fault = fmt.Errorf("algorithm %s: "+format, append([]any{d.algorithm.Name}, args...)...)
	}
}

// requests checks the values of actions.
func (d *duties[S, M]) requests() {
	for _, act := range d.traits.Actions {
		for _, v := range act.Values {
			if act.ReadValue == nil {
				continue
			}
			if err := roundTrip(act.ReadValue, v); err != nil {
				d.fail("the value %+v of the action %s: %v", v, act.Name, err)
			}
		}
	}
}

// drive takes every step until nothing new turns up, or the limit is reached.
func (d *duties[S, M]) drive() {
	for _, self := range d.ring {
		first, _ := d.algorithm.Step(self, d.ring, d.traits.Zero, spec.Event{Kind: spec.Init})
		d.meet(local{self, first})
		if d.traits.Follow != nil {
			d.meet(local{self, d.traits.Follow(first, 3)})
		}
	}
	d.starts = len(d.states)
	for before := -1; d.fault == nil && before != len(d.states)+len(d.messages) && len(d.states) < limit; {
		before = len(d.states) + len(d.messages)
		for i := 0; i < len(d.states) && len(d.states) < limit; i++ {
			for _, e := range d.events(d.states[i].self) {
				d.step(d.states[i], e)
			}
		}
	}
}

// events returns everything that could happen to a process.
func (d *duties[S, M]) events(self spec.ID) []spec.Event {
	var events []spec.Event
	has := d.traits.Handles.Has
	if has(spec.Start) {
		events = append(events, spec.Event{Kind: spec.Start}, spec.Event{Kind: spec.Start, Initiator: true})
	}
	for i, act := range d.traits.Actions {
		for _, v := range act.Values {
			events = append(events, spec.Event{Kind: spec.Act, Action: uint8(i), Value: v})
		}
	}
	if has(spec.Recover) {
		events = append(events, spec.Event{Kind: spec.Recover})
	}
	for t := range d.traits.Rules {
		events = append(events, spec.Event{Kind: spec.Timeout, Timer: spec.Timer(t)})
	}
	for _, q := range d.ring {
		for _, kind := range []spec.EventKind{spec.Suspect, spec.Restore} {
			if has(kind) && q != self {
				events = append(events, spec.Event{Kind: kind, Peer: q})
			}
		}
	}
	var inbox []spec.Received[any]
	for _, l := range d.messages {
		if l.to == self {
			inbox = append(inbox, spec.Received[any]{From: l.from, Message: l.message})
		}
	}
	if has(spec.Round) {
		return append(events, spec.Event{Kind: spec.Round}, spec.Event{Kind: spec.Round, Inbox: inbox})
	}
	for _, r := range inbox {
		events = append(events, spec.Event{Kind: spec.Receive, From: r.From, Message: r.Message})
	}
	return events
}

// step takes one step twice and checks what came of it; where its handler chooses, with every answer.
func (d *duties[S, M]) step(l local, e spec.Event) {
	if d.traits.Oracle {
		e.Live = d.all()
	}
	d.outcomes(l, e, func(e spec.Event, after any, fx spec.Effects) { d.outcome(l, e, after, fx) })
}

// outcomes calls each with all that may come of an event, and the answers with which it does.
func (d *duties[S, M]) outcomes(l local, e spec.Event, each func(e spec.Event, after any, fx spec.Effects)) {
	after, fx := d.algorithm.Step(l.self, d.ring, l.state, e)
	if fx.Choose == 0 {
		each(e, after, fx)
		return
	}
	for answer := range fx.Choose {
		next := e
		next.Choices = append(slices.Clip(e.Choices), answer)
		d.outcomes(l, next, each)
	}
}

// outcome checks what came of a step.
func (d *duties[S, M]) outcome(l local, e spec.Event, after any, fx spec.Effects) {
	again, fx2 := d.algorithm.Step(l.self, d.ring, l.state, e.Watched())
	where := func() string {
		chosen := ""
		if e.Choices != nil {
			chosen = fmt.Sprintf(", which chooses %v", e.Choices)
		}
		return fmt.Sprintf("%s: process %v in %+v, %s%s", d.algorithm.Name, l.self, l.state, d.traits.EventName(e), chosen)
	}
	if after != again || !fx.Same(fx2) {
		d.fail("%s: the same step came out differently the second time: %+v %+v, then %+v %+v", where(), after, fx, again, fx2)
	}
	if fx.Panic != "" {
		if d.panicked == "" {
			d.panicked = fmt.Sprintf(" but panics, as here: %s: %s", where(), fx.Panic)
		}
		return
	}
	if fx.Refused && (after != l.state || len(fx.Sends) > 0) {
		d.fail("%s: it is refused, and yet has effects", where())
	}
	if fx.StrayTimer(len(d.traits.Rules)) != "" {
		d.fail("%s: it arms a timer that has no rule", where())
	}
	d.meet(local{l.self, after})
	for _, send := range fx.Sends {
		d.post(l.self, send)
	}
}

// meet takes in a local state, and checks it if it is new.
func (d *duties[S, M]) meet(l local) {
	if slices.Contains(d.states, l) {
		return
	}
	d.states = append(d.states, l)
	if err := roundTrip(d.traits.ReadState, l.state); err != nil {
		d.fail("state %+v: %v", l.state, err)
	}
	d.ask(fmt.Sprintf("process %v in %+v", l.self, l.state), func() []answer { return d.ofState(l) })
	if leader := d.traits.Leader(l.state); d.traits.Elects && leader < 0 || int(leader) > len(d.ring) {
		d.fail("in %+v the leader is %d, which is no process", l.state, int(leader))
	}
}

// post takes in a message, and checks it if it is new.
func (d *duties[S, M]) post(from spec.ID, send spec.Send) {
	receivers := []spec.ID{send.To}
	if send.To == spec.NextLive {
		receivers = d.ring
	}
	for _, to := range receivers {
		l := letter{from, to, send.Message}
		if slices.Contains(d.messages, l) {
			continue
		}
		d.messages = append(d.messages, l)
		if err := roundTrip(d.traits.ReadMessage, send.Message); err != nil {
			d.fail("message %+v: %v", send.Message, err)
		}
		d.ask(fmt.Sprintf("message %+v from %v to %v", l.message, l.from, l.to), func() []answer { return d.ofMessage(l) })
		if kind := d.traits.Kind(send.Message); !slices.Contains(d.traits.Kinds, kind) {
			d.fail("message %+v is of the kind %q, which is not among Kinds %q", send.Message, kind, d.traits.Kinds)
		}
	}
}

// roundTrip reports whether v comes back from JSON as it went.
func roundTrip(read func(text []byte) (any, error), v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	back, err := read(text)
	if err != nil {
		return err
	}
	if back != v {
		return errors.New("it comes back from JSON as " + fmt.Sprintf("%+v", back))
	}
	return nil
}
