// Package wiretest finds messages that a machine may send, for the tests of
// what carries them.
package wiretest

import (
	"slices"

	"interleave/spec"
)

// Drive is a machine on three processes, driven without a world: any message
// sent may come, any number of times, and any timer or suspicion.
type Drive struct {
	machine  spec.Machine
	traits   spec.Traits
	ring     []spec.ID
	States   []Local // all met
	Messages []Letter
}

// Local is a process in a state.
type Local struct {
	Self  spec.ID
	State any
}

// Letter is a message on its way.
type Letter struct {
	From, To spec.ID
	Message  any
}

// New returns a drive in which nothing has happened yet.
func New(m spec.Machine) *Drive {
	d := &Drive{machine: m, traits: m.Traits(), ring: []spec.ID{2, 3, 1}}
	for _, self := range d.ring {
		state, _ := m.Step(self, d.ring, d.traits.Zero, spec.Event{Kind: spec.Init})
		d.States = append(d.States, Local{self, state})
		if d.traits.Follow != nil {
			d.States = append(d.States, Local{self, d.traits.Follow(state, 3)})
		}
	}
	return d
}

// Events returns everything that may happen to a process.
func (d *Drive) Events(self spec.ID) []spec.Event {
	events := []spec.Event{{Kind: spec.Start, Initiator: true}, {Kind: spec.Start}, {Kind: spec.Recover}, {Kind: spec.Round}}
	for i, act := range d.traits.Actions {
		for _, v := range act.Values {
			events = append(events, spec.Event{Kind: spec.Act, Action: uint8(i), Value: v})
		}
	}
	for t := range d.traits.Rules {
		events = append(events, spec.Event{Kind: spec.Timeout, Timer: spec.Timer(t)})
	}
	for _, q := range d.ring {
		if q != self {
			events = append(events, spec.Event{Kind: spec.Suspect, Peer: q}, spec.Event{Kind: spec.Restore, Peer: q})
		}
	}
	for _, l := range d.Messages {
		if l.To == self {
			in := spec.Received[any]{From: l.From, Message: l.Message}
			events = append(events, spec.Event{Kind: spec.Receive, From: l.From, Message: l.Message},
				spec.Event{Kind: spec.Round, Inbox: []spec.Received[any]{in}})
		}
	}
	return slices.DeleteFunc(events, func(e spec.Event) bool { return !d.traits.Handles.Has(e.Kind) })
}

// Step takes one step, with every choice that it may make, and keeps what it leads to.
func (d *Drive) Step(l Local, e spec.Event) {
	if d.traits.Oracle {
		e.Live = spec.UpTo(len(d.ring))
	}
	after, fx := d.machine.Step(l.Self, d.ring, l.State, e)
	if fx.Panic != "" {
		return // in a state that no world leads to
	}
	for choice := range fx.Choose {
		chosen := e
		chosen.Choices = append(slices.Clip(e.Choices), choice)
		d.Step(l, chosen)
	}
	if next := (Local{l.Self, after}); !slices.Contains(d.States, next) {
		d.States = append(d.States, next)
	}
	for _, s := range fx.Sends {
		if s.To == spec.NextLive {
			s.To = spec.NextOnRing(d.ring, l.Self, spec.UpTo(len(d.ring)))
		}
		if sent := (Letter{l.Self, s.To, s.Message}); !slices.Contains(d.Messages, sent) {
			d.Messages = append(d.Messages, sent)
		}
	}
}

// Messages returns messages that m sends, breadth first and each once, until
// there are most or 500 States were looked at.
func Messages(m spec.Machine, most int) []any {
	d := New(m)
	for before := -1; before < len(d.Messages) && len(d.Messages) < most; { // what is sent late may come early, too
		before = len(d.Messages)
		for i := 0; i < len(d.States) && i < 500 && len(d.Messages) < most; i++ {
			for _, e := range d.Events(d.States[i].Self) {
				d.Step(d.States[i], e)
			}
		}
	}
	var messages []any
	for _, l := range d.Messages {
		if !slices.Contains(messages, l.Message) {
			messages = append(messages, l.Message)
		}
	}
	return messages
}

// OfEachKind returns the first message of each kind that m sends, as its Kinds
// have it; nil for a kind that is not sent.
func OfEachKind(m spec.Machine) []any {
	t := m.Traits()
	found := make([]any, len(t.Kinds))
	for most := 1; slices.Contains(found, nil) && most < 1000; most *= 4 {
		for _, message := range Messages(m, most) {
			if k := slices.Index(t.Kinds, t.Kind(message)); found[k] == nil {
				found[k] = message
			}
		}
	}
	return found
}
