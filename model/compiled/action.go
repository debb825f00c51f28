package compiled

import (
	"slices"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// An explore.Action is, from the lowest bits up: kind (8), process (8), the
// spec.EventKind handled (4), the ActionKind (4), the message, timer, peer, side, or action and value (24),
// what is on the disk when a crash cuts the step short (8), and the number of messages sent (8).
const (
	processShift = 8
	eventShift   = 16
	actionShift  = 20
	argShift     = 24
	diskShift    = 48
)

// actions numbers what happens in a world.
type actions struct {
	in *world
}

// chose takes the place of the kind of an event in which the handler chooses. What it is about is then a number in
// Tables.chosen.
const chose = spec.EventKind(0xf)

// chosenEvent is an event and the answers to what its handler chooses.
type chosenEvent struct {
	kind    spec.EventKind
	about   uint32
	answers string // a byte each
}

// valueShift is where what an action is about has the number of its value. Below it is that of the spec.Action.
const valueShift = 4

// handling is the action in which the process of t handles e; message is the number of one that is received.
func (w *world) handling(t *Tables, e spec.Event, message uint32, sent int) explore.Action {
	kind, about := e.Kind, message
	switch e.Kind {
	case spec.Act:
		about = uint32(e.Action) | uint32(slices.Index(w.traits.Actions[e.Action].Values, e.Value))<<valueShift
	case spec.Timeout:
		about = uint32(e.Timer)
	case spec.Suspect, spec.Restore:
		about = uint32(e.Peer)
	}
	if e.Choices != nil {
		answers := make([]byte, len(e.Choices))
		for i, answer := range e.Choices {
			answers[i] = byte(answer)
		}
		about, _ = t.chosen.Number(chosenEvent{kind, about, string(answers)})
		kind = chose
	}
	named := uint64(w.reference.StepKinds().Of(e))
	return explore.Action(named|uint64(t.ID)<<processShift|uint64(kind)<<eventShift|uint64(about)<<argShift) | model.SentBits(sent)
}

// handled returns what a process handles in an action.
func (n *actions) handled(a explore.Action) chosenEvent {
	e := chosenEvent{kind: spec.EventKind(a >> eventShift & 0xf), about: uint32(a >> argShift & 0xffffff)}
	if e.kind == chose {
		return n.in.tables[a>>processShift&0xff-1].chosen.Values[e.about]
	}
	return e
}

// Handled is the kind of event that a process handles in an action.
func (n *actions) Handled(a explore.Action) spec.EventKind { return n.handled(a).kind }

// Doing is the kind of an action that no handler takes part in.
func (n *actions) Doing(d model.ActionKind, p spec.ID, arg uint32) explore.Action {
	return explore.Action(uint64(n.in.reference.StepKinds().OfAction(d)) | uint64(p)<<processShift | uint64(d)<<actionShift | uint64(arg)<<argShift)
}

// CutAction is a, cut short after some of its sends, with something on the disk: see model.Event.
func (n *actions) CutAction(a explore.Action, d model.ActionKind, sends, disk int) explore.Action {
	whole := explore.Action(0xff|0xf<<actionShift) | model.SentBits(model.MessagesSent(a))
	return a&^whole | explore.Action(uint64(n.in.reference.StepKinds().OfAction(d))|uint64(d)<<actionShift|uint64(disk)<<diskShift) | model.SentBits(sends)
}

// Event decodes the action of a step out of a state.
func (n *actions) Event(_ []uint64, a explore.Action) model.Event {
	p := spec.ID(a >> processShift & 0xff)
	e := model.Event{Process: p, Action: model.ActionKind(a >> actionShift & 0xf), Disk: int(a >> diskShift & 0xff)}
	if e.Action.Cuts() {
		e.Cut = model.MessagesSent(a)
	}
	arg := uint32(a >> argShift & 0xffffff)
	switch {
	case e.Action.HasSide():
		e.Side = spec.Set(arg)
		return e
	case !e.Action.HasStep():
		return e
	}
	handled := n.handled(a)
	e.Step.Kind, arg = handled.kind, handled.about
	for _, answer := range []byte(handled.answers) {
		e.Step.Choices = append(e.Step.Choices, int(answer))
	}
	switch e.Step.Kind {
	case spec.Act:
		e.Step.Action = uint8(arg & (1<<valueShift - 1))
		e.Step.Value = n.in.traits.Actions[e.Step.Action].Values[arg>>valueShift]
	case spec.Receive:
		envelope := n.in.tables[p-1].Messages.Values[arg]
		e.Step.From, e.Step.Message = envelope.From, envelope.Message
	case spec.Timeout:
		e.Step.Timer = spec.Timer(arg)
	case spec.Suspect, spec.Restore:
		e.Step.Peer = spec.ID(arg)
	}
	return e
}

// Kinds returns the names of the kinds of step, indexed by explore.Action.Kind.
func (n *actions) Kinds() []string { return n.in.reference.StepKinds().Names() }

// Receiving marks what an action is about as a message.
const Receiving = explore.Action(spec.Receive) << eventShift

// Fairness says which fairness is assumed of the steps of the system.
func (n *actions) Fairness() explore.Fairness {
	of := n.in.reference.Strengths()
	return func(_ []uint64, a explore.Action) (explore.Class, explore.Strength) {
		owed := of[a.Kind()]
		if owed == explore.Unfair {
			return 0, explore.Unfair
		}
		return n.ClassOf(a), owed
	}
}

// Chance says which steps are outcomes of an event in which the handler chooses. If it is cut short, that is
// another step of the event with the same answers.
func (n *actions) Chance() explore.Chance {
	return func(_ []uint64, a explore.Action) (event, answers uint64) {
		e := n.handled(a)
		if e.answers == "" {
			return 0, 0
		}
		event = uint64(a&(0xff<<processShift)) | uint64(e.kind)<<eventShift | uint64(e.about)<<argShift
		return event, uint64(a >> argShift & 0xffffff)
	}
}

// ClassOf returns the class of an action of which fairness may be assumed: what Network.FairBy names, at its place in the
// action.
func (n *actions) ClassOf(a explore.Action) explore.Class {
	const (
		who    = 0xff << processShift
		what   = 0xf<<eventShift | 0xf<<actionShift
		about  = 0xffffff << argShift
		sender = argShift
	)
	handled := n.handled(a)
	by := n.in.config.Network.FairBy(model.ActionKind(a>>actionShift&0xf), handled.kind)
	a = a&^(0xf<<eventShift|about) | explore.Action(handled.kind)<<eventShift | explore.Action(handled.about)<<argShift // without the answers
	switch {
	case by&model.ByMessage != 0:
		return explore.Class(a & (who | what | about))
	case by&model.BySender == 0:
		return explore.Class(a & (0xff | who | what)) // each timer, and each spec.Action, has a kind of action
	}
	p, message := a>>processShift&0xff, a>>argShift&0xffffff
	from := n.in.tables[p-1].Messages.Values[message].From
	return explore.Class(a&(who|what)) | explore.Class(from)<<sender
}
