package drive

import (
	"iter"
	"reflect"
	"slices"

	"interleave/model"
	"interleave/spec"
)

// readable fills in what the processes read in a lock-step round, each in an order that
// is possible for the runtime, and what they are sent; or returns why there is no such
// order. The model reads an inbox in any order.
func (d *scheduler) readable(pt point, m *group) (reason string) {
	step := m.steps[0]
	looks := d.traits.Oracle || d.traits.Ring
	m.told = looks || d.config.Detector != model.NoDetector
	if looks && d.config.Detector == model.NoDetector && d.traits.Handles.Has(spec.Suspect) {
		return "handlers know who is live from the detector, and this world has none"
	}
	m.reads, m.tells = make([][]model.Envelope, d.config.N), make([][]any, d.config.N)
	for i, l := range pt.state.Locals {
		ok := false
		if m.reads[i], ok = d.reads(pt, spec.ID(i+1), step.Event); !ok {
			return "links keep the order of what one process sends to another, and what it sends to itself comes first"
		}
		if l.Status == model.Down || d.traits.Halted(l.State) {
			continue
		}
		for _, does := range d.turn(pt.state, spec.ID(i+1), m.reads[i]) {
			if fx, ok := does.(spec.Effects); ok {
				m.tells[i] = append(m.tells[i], fx.Outputs...)
			}
		}
	}
	m.after.mail = make([][]model.Envelope, d.config.N)
	for _, out := range step.Sends {
		if len(step.After.Inboxes[out.To-1]) > 0 { // or the receiver is down or halted, and gets nothing
			to := &m.after.mail[out.To-1]
			*to = append(*to, model.Envelope{From: out.From, Message: out.Message})
		}
	}
	return ""
}

// reads returns what a process reads in a round, in an order that is possible for the
// runtime and leads to the same step as in the model; false if there is none.
func (d *scheduler) reads(pt point, p spec.ID, round model.Event) (order []model.Envelope, ok bool) {
	in := pt.state.Inboxes[p-1]
	wanted := slices.Clone([]model.Envelope(in))
	for _, part := range round.Parts {
		if part.Process == p && part.Order != nil {
			for i, place := range part.Order {
				wanted[i] = in[place]
			}
		}
	}
	sent := pt.mail[p-1]
	if keeps(p, wanted, sent) {
		return wanted, true
	}
	expected := d.turn(pt.state, p, wanted)
	for order := range orders(p, sent) {
		if reflect.DeepEqual(d.turn(pt.state, p, order), expected) {
			return order, true
		}
	}
	return nil, false
}

func from(mail []model.Envelope, q spec.ID) (those []model.Envelope) {
	for _, e := range mail {
		if e.From == q {
			those = append(those, e)
		}
	}
	return those
}

// keeps reports whether p can read its messages in an order.
func keeps(p spec.ID, order, sent []model.Envelope) bool {
	for _, e := range sent {
		if !slices.Equal(from(order, e.From), from(sent, e.From)) {
			return false
		}
	}
	own := from(sent, p)
	return slices.Equal(order[:len(own)], own)
}

// orders yields the orders in which p can read its messages: first those that it sent to itself,
// and those of each other process in the order of sending.
func orders(p spec.ID, sent []model.Envelope) iter.Seq[[]model.Envelope] {
	return func(yield func([]model.Envelope) bool) {
		var extend func(order, left []model.Envelope) bool
		extend = func(order, left []model.Envelope) bool {
			if len(left) == 0 {
				return yield(order)
			}
			var met spec.Set
			for i, e := range left {
				if met.Has(e.From) {
					continue
				}
				met = met.With(e.From)
				if !extend(slices.Concat(order, left[i:i+1]), slices.Concat(left[:i], left[i+1:])) {
					return false
				}
			}
			return true
		}
		others := slices.DeleteFunc(slices.Clone(sent), func(e model.Envelope) bool { return e.From == p })
		extend(from(sent, p), others)
	}
}

// turn returns everything that a process does in a round in which it reads in this
// order.
func (d *scheduler) turn(s model.State, p spec.ID, order []model.Envelope) (does []any) {
	down, state := point{state: s}.down(), s.Locals[p-1].State
	var events []spec.Event
	if d.config.Detector != model.NoDetector {
		for q := range down.All() {
			events = append(events, spec.Event{Kind: spec.Suspect, Peer: q})
		}
	}
	round := spec.Event{Kind: spec.Round}
	for _, e := range order {
		round.Inbox = append(round.Inbox, spec.Received[any]{From: e.From, Message: e.Message})
	}
	for _, e := range append(events, round) {
		e.Live = d.all &^ down
		after, fx := d.machine.Step(p, d.ring(), state, e)
		does = append(does, after, fx)
		state = after
	}
	return does
}
