package wire_test

import (
	"slices"

	"interleave/spec"
	"interleave/spec/catalog"
)

// drive is a machine on three processes, driven without a world: any message
// sent may come, any number of times, and any timer or suspicion.
type drive struct {
	machine  spec.Machine
	traits   spec.Traits
	ring     []spec.ID
	states   []local // all met
	messages []letter
}

type local struct {
	self  spec.ID
	state any
}

type letter struct {
	from, to spec.ID
	message  any
}

func newDrive(m spec.Machine) *drive {
	d := &drive{machine: m, traits: m.Traits(), ring: []spec.ID{2, 3, 1}}
	for _, self := range d.ring {
		state, _ := m.Step(self, d.ring, d.traits.Zero, spec.Event{Kind: spec.Init})
		d.states = append(d.states, local{self, state})
		if d.traits.Follow != nil {
			d.states = append(d.states, local{self, d.traits.Follow(state, 3)})
		}
	}
	return d
}

// events returns everything that may happen to a process.
func (d *drive) events(self spec.ID) []spec.Event {
	events := []spec.Event{{Kind: spec.Start, Initiator: true}, {Kind: spec.Start}, {Kind: spec.Notice}, {Kind: spec.Recover}, {Kind: spec.Round}}
	for t := range d.traits.Rules {
		events = append(events, spec.Event{Kind: spec.Timeout, Timer: spec.Timer(t)})
	}
	for _, q := range d.ring {
		if q != self {
			events = append(events, spec.Event{Kind: spec.Suspect, Peer: q}, spec.Event{Kind: spec.Restore, Peer: q})
		}
	}
	for _, l := range d.messages {
		if l.to == self {
			in := spec.Received[any]{From: l.from, Message: l.message}
			events = append(events, spec.Event{Kind: spec.Receive, From: l.from, Message: l.message},
				spec.Event{Kind: spec.Round, Inbox: []spec.Received[any]{in}})
		}
	}
	return slices.DeleteFunc(events, func(e spec.Event) bool { return !d.traits.Handles.Has(e.Kind) })
}

// step takes one step and keeps what it leads to.
func (d *drive) step(l local, e spec.Event) {
	if d.traits.Oracle {
		e.Live = spec.UpTo(len(d.ring))
	}
	after, fx := d.machine.Step(l.self, d.ring, l.state, e)
	if fx.Panic != "" {
		return // in a state that no world leads to
	}
	if next := (local{l.self, after}); !slices.Contains(d.states, next) {
		d.states = append(d.states, next)
	}
	for _, s := range fx.Sends {
		if s.To == spec.NextLive {
			s.To = spec.NextOnRing(d.ring, l.self, spec.UpTo(len(d.ring)))
		}
		if sent := (letter{l.self, s.To, s.Message}); !slices.Contains(d.messages, sent) {
			d.messages = append(d.messages, sent)
		}
	}
}

// oneOfEachKind returns the first message of each kind that m sends, as its
// Kinds have it, breadth first.
func oneOfEachKind(m spec.Machine) []any {
	d := newDrive(m)
	found := make([]any, len(d.traits.Kinds))
	for i := 0; i < len(d.states) && i < 500; i++ {
		for _, e := range d.events(d.states[i].self) {
			d.step(d.states[i], e)
		}
		for _, l := range d.messages {
			if k := slices.Index(d.traits.Kinds, d.traits.Kind(l.message)); found[k] == nil {
				found[k] = l.message
			}
		}
		if !slices.Contains(found, nil) {
			break
		}
	}
	return found
}

func everyMachine() []spec.Machine { return slices.Concat(catalog.Machines, catalog.Mutants) }
