package runlog

import (
	"fmt"
	"iter"
	"slices"

	"interleave/spec"
)

// String returns the event in words, such as "receive OK from 2".
func (in Input) String() string {
	switch {
	case in.Received != nil:
		return fmt.Sprintf("%s %s from %v", in.Event, in.Received.Message, in.Received.From)
	case in.Timer != "":
		return in.Event + " " + in.Timer
	case in.Peer != spec.None:
		return fmt.Sprintf("%s %v", in.Event, in.Peer)
	case in.Value != nil:
		return fmt.Sprintf("%s %s", in.Event, in.Value)
	}
	return in.Event
}

// Replay returns the event of a logged step, for the machine of t to handle again.
func (in Input) Replay(t spec.Traits) (spec.Event, error) {
	e := spec.Event{Peer: in.Peer, Initiator: in.Initiator}
	kind, ok := eventKind(in.Event)
	if action, named := t.ActionNamed(in.Event); named {
		kind, e.Action = spec.Act, action
	} else if !ok {
		return e, fmt.Errorf("there is no event %q", in.Event)
	}
	e.Kind, e.Choices = kind, in.Choices
	if err := in.readValue(t, &e); err != nil {
		return e, err
	}
	if in.Live != nil {
		e.Live = *in.Live
	}
	if kind == spec.Timeout {
		timer := slices.IndexFunc(t.Rules, func(r spec.TimerRule[any, any]) bool { return r.Name == in.Timer })
		if timer < 0 {
			return e, fmt.Errorf("%s has no timer %q", t.Name, in.Timer)
		}
		e.Timer = spec.Timer(timer)
	}
	if in.Received != nil {
		m, err := t.ReadMessage(in.Received.Message)
		if err != nil {
			return e, fmt.Errorf("message %s: %w", in.Received.Message, err)
		}
		e.From, e.Message = in.Received.From, m
	}
	for _, letter := range in.Inbox {
		m, err := t.ReadMessage(letter.Message)
		if err != nil {
			return e, fmt.Errorf("message %s: %w", letter.Message, err)
		}
		e.Inbox = append(e.Inbox, spec.Received[any]{From: letter.From, Message: m})
	}
	return e, nil
}

// readValue reads what an action is asked for with.
func (in Input) readValue(t spec.Traits, e *spec.Event) (err error) {
	takes := e.Kind == spec.Act && t.Actions[e.Action].ReadValue != nil
	if takes != (in.Value != nil) {
		return fmt.Errorf("the event %q: only an action that is asked for with a value has one", in.Event)
	}
	if takes {
		if e.Value, err = t.Actions[e.Action].ReadValue(in.Value); err != nil {
			return fmt.Errorf("value %s: %w", in.Value, err)
		}
	}
	return nil
}

func eventKind(name string) (spec.EventKind, bool) {
	for k := spec.Start; k <= spec.Recover; k++ {
		if k != spec.Act && k.String() == name {
			return k, true
		}
	}
	return 0, false
}

// Letters yields the messages that come with an event.
func (in *Input) Letters() iter.Seq[*Letter] {
	return func(yield func(*Letter) bool) {
		if in.Received != nil && !yield(in.Received) {
			return
		}
		for i := range in.Inbox {
			if !yield(&in.Inbox[i]) {
				return
			}
		}
	}
}
