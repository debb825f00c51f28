package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"

	"interleave/spec"
)

// Event is one step that a world may take: a process handles something, or
// crashes, or does the one and then the other.
type Event struct {
	Process spec.ID
	Step    spec.Event // what is handled; unused in a crash with Cut 0
	Crash   bool
	Cut     int // if Crash: after the first Cut sends of Step, which are not all of them
}

// Deed describes what the process of e does, as in "receive OK from 2".
func (r *Reference) Deed(e Event) string {
	if e.Crash && e.Cut == 0 {
		return "crash"
	}
	deed := e.Step.Kind.String()
	switch e.Step.Kind {
	case spec.Receive:
		deed += fmt.Sprintf(" %v from %v", e.Step.Message, e.Step.From)
	case spec.Timeout:
		deed += " " + timerName(r.traits.Rules, e.Step.Timer)
	case spec.Suspect, spec.Restore:
		deed += fmt.Sprintf(" %v", e.Step.Peer)
	}
	if e.Crash {
		deed += fmt.Sprintf(", crash after %d of its sends", e.Cut)
	}
	return deed
}

func timerName(rules []spec.TimerRule[any, any], t spec.Timer) string {
	if int(t) < len(rules) {
		return rules[t].Name
	}
	return fmt.Sprintf("timer %d", t)
}

// eventJSON is an Event in a trace: two events at one state are the same event
// if and only if this is equal.
type eventJSON struct {
	Process    spec.ID         `json:"process"`
	Event      string          `json:"event"` // a spec.EventKind, or "crash"
	From       spec.ID         `json:"from,omitempty"`
	Message    json.RawMessage `json:"message,omitempty"`
	Timer      string          `json:"timer,omitempty"`
	Peer       spec.ID         `json:"peer,omitempty"`
	CrashAfter int             `json:"crash_after,omitempty"` // sends
}

func (e Event) encode(rules []spec.TimerRule[any, any]) (eventJSON, error) {
	if e.Crash && e.Cut == 0 {
		return eventJSON{Process: e.Process, Event: "crash"}, nil
	}
	out := eventJSON{
		Process: e.Process, Event: e.Step.Kind.String(),
		From: e.Step.From, Peer: e.Step.Peer, CrashAfter: e.Cut,
	}
	if e.Step.Kind == spec.Timeout {
		out.Timer = timerName(rules, e.Step.Timer)
	}
	if e.Step.Kind == spec.Receive {
		text, err := json.Marshal(e.Step.Message)
		if err != nil {
			return out, fmt.Errorf("message %v: %w", e.Step.Message, err)
		}
		out.Message = text
	}
	return out, nil
}

// compare orders plain values of one type: bool, integers, strings, arrays and
// structs of those.
func compare(a, b any) int { return compareValues(reflect.ValueOf(a), reflect.ValueOf(b)) }

func compareValues(a, b reflect.Value) int {
	switch {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	}
	switch a.Kind() {
	case reflect.String:
		return cmp.Compare(a.String(), b.String())
	case reflect.Bool:
		return cmp.Compare(boolInt(a.Bool()), boolInt(b.Bool()))
	case reflect.Array:
		for i := range a.Len() {
			if c := compareValues(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if c := compareValues(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
	default:
		panic(fmt.Sprintf("model: a %v is not a plain value", a.Type()))
	}
	return 0
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
