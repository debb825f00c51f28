package drive

import (
	"slices"

	"interleave/model"
	"interleave/spec"
)

// handlers are those of a machine in a world. They say what a process does in a state.
type handlers struct {
	machine   spec.Machine
	traits    spec.Traits
	config    model.Config
	all       spec.Set
	datagrams bool
}

func (d *handlers) leader(pt point, p spec.ID) spec.ID {
	return d.traits.Leader(pt.state.Locals[p-1].State)
}

// notices reports whether a process ever notices that it has no leader.
func (d *handlers) notices(pt point, p spec.ID) bool {
	return d.traits.Notices() && pt.state.Locals[p-1].Initiator
}

// looks reports whether a step depends on who is live, which the runtime knows by its
// detector and the model by itself.
func (d *handlers) looks(pt point, e model.Event) bool {
	if d.traits.Oracle || !d.traits.Ring {
		return d.traits.Oracle
	}
	_, fx := d.machine.Step(e.Process, d.ring(), pt.state.Locals[e.Process-1].State, e.Step)
	return slices.ContainsFunc(fx.Sends, func(s spec.Send) bool { return s.To == spec.NextLive })
}

// refuses reports whether the handler of p refuses an event in a state.
func (d *handlers) refuses(s model.State, p spec.ID, e spec.Event) bool {
	return d.refusesWith(s, p, e, d.all&^point{state: s}.down())
}

// refusesWith is refuses for a process that takes some for live.
func (d *handlers) refusesWith(s model.State, p spec.ID, e spec.Event, live spec.Set) bool {
	return d.handle(s, p, e, live).Refused
}

// handle returns what the handler of p does on an event, if it takes these processes
// for live.
func (d *handlers) handle(s model.State, p spec.ID, e spec.Event, live spec.Set) spec.Effects {
	if d.traits.Oracle {
		e.Live = live
	}
	_, fx := d.machine.Step(p, d.ring(), s.Locals[p-1].State, e)
	return fx
}

func (d *handlers) ring() []spec.ID { return d.config.Placement() }

// takesOwn reports whether p would handle something that it has sent to itself, if it took
// those for live. On bare datagrams it may skip what it refuses.
func (d *handlers) takesOwn(s model.State, p spec.ID, live spec.Set) bool {
	mail := ownMail(s, p)
	if !d.datagrams && len(mail) > 1 {
		mail = mail[:1]
	}
	return slices.ContainsFunc(mail, func(e model.Envelope) bool {
		return !d.refusesWith(s, p, spec.Event{Kind: spec.Receive, From: p, Message: e.Message}, live)
	})
}
