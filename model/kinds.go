package model

import (
	"fmt"
	"slices"

	"interleave/explore"
	"interleave/spec"
)

// kinds numbers the kinds of action that a world can have, by which steps are
// counted: "start", "receive OK", "timeout T_ok", "crash". The numbers are the
// low byte of an explore.Action.
type kinds struct {
	names   []string
	receive map[string]uint8 // by kind of message
	others  map[spec.EventKind]uint8
	timeout uint8 // of timer 0
	crash   uint8
	midway  uint8
}

// newKinds lists what may happen in a world; what it rules out has no kind.
func newKinds(t *spec.Traits, c Config) kinds {
	k := kinds{receive: map[string]uint8{}, others: map[spec.EventKind]uint8{}}
	add := func(name string) uint8 {
		k.names = append(k.names, name)
		return uint8(len(k.names) - 1)
	}
	for _, e := range []spec.EventKind{spec.Start, spec.Notice, spec.Suspect} {
		if t.Handles.Has(e) && (e != spec.Suspect || c.Detector != NoDetector) {
			k.others[e] = add(e.String())
		}
	}
	for i, r := range t.Rules {
		if n := add("timeout " + r.Name); i == 0 {
			k.timeout = n
		}
	}
	for _, m := range t.Kinds {
		k.receive[m] = add("receive " + m)
	}
	if c.Crashes > 0 {
		k.crash = add("crash")
	}
	if c.Split {
		k.midway = add("crash between sends")
	}
	return k
}

// of returns the kind of a step that handles e.
func (k *kinds) of(e spec.Event, t *spec.Traits) uint8 {
	switch e.Kind {
	case spec.Receive:
		kind := t.Kind(e.Message)
		if _, ok := k.receive[kind]; !ok {
			panic(fmt.Sprintf("model: message %v of %s is of the kind %q, which is not among its Kinds", e.Message, t.Name, kind))
		}
		return k.receive[kind]
	case spec.Timeout:
		return k.timeout + uint8(e.Timer)
	}
	return k.others[e.Kind]
}

// An explore.Action is, from the lowest bits up: kind (8), process (8), the
// spec.EventKind handled (8), the letter, timer or peer (24), the number of
// sends after which a crash cuts the step short (8), and whether it crashes.
const (
	processShift = 8
	eventShift   = 16
	argShift     = 24
	cutShift     = 48
	crashBit     = 1 << 56
)

// handling is the action in which p handles e; the letter is that of a message.
func handling(kind uint8, p spec.ID, e spec.Event, letter uint32) explore.Action {
	arg := letter
	switch e.Kind {
	case spec.Timeout:
		arg = uint32(e.Timer)
	case spec.Suspect:
		arg = uint32(e.Peer)
	}
	return explore.Action(uint64(kind) | uint64(p)<<processShift | uint64(e.Kind)<<eventShift | uint64(arg)<<argShift)
}

func crashAction(kind uint8, p spec.ID) explore.Action {
	return explore.Action(uint64(kind)|uint64(p)<<processShift) | crashBit
}

func (s *System) cutAction(a explore.Action, cut int) explore.Action {
	return a&^0xff | explore.Action(s.kinds.midway) | explore.Action(cut)<<cutShift | crashBit
}

// Event decodes the action of a step out of a state.
func (s *System) Event(_ []uint64, a explore.Action) Event {
	p := spec.ID(a >> processShift & 0xff)
	e := Event{Process: p, Crash: a&crashBit != 0, Cut: int(a >> cutShift & 0xff)}
	if e.Crash && e.Cut == 0 {
		return e
	}
	arg := uint32(a >> argShift & 0xffffff)
	e.Step.Kind = spec.EventKind(a >> eventShift & 0xff)
	switch e.Step.Kind {
	case spec.Receive:
		envelope := s.tables[p-1].letters.values[arg]
		e.Step.From, e.Step.Message = envelope.From, envelope.Message
	case spec.Timeout:
		e.Step.Timer = spec.Timer(arg)
	case spec.Suspect:
		e.Step.Peer = spec.ID(arg)
	}
	return e
}

// Kinds returns the names of the kinds of action, indexed by explore.Action.Kind.
func (s *System) Kinds() []string { return slices.Clone(s.kinds.names) }
