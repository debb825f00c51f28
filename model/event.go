package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"interleave/spec"
)

// Event is one step that a world may take.
type Event struct {
	Action  ActionKind
	Process spec.ID    // none in Divide, Heal, Tick and Round
	Step    spec.Event // what is handled; the message dropped, lost or copied
	Age     uint8      // of the message, in a timed world
	Cut     int        // if Action.Cuts: how many of its sends leave
	Disk    int        // likewise, if existing code tells when it persists: 1 leaves what was on the disk before, 2 what is persisted first, and so on; else 0
	Side    spec.Set   // Divide
	Parts   []Part     // Round
}

// Part is what one process chooses in a lock-step round.
type Part struct {
	Process spec.ID `json:"process"`
	Order   []int   `json:"order,omitempty"` // in which it reads its inbox, as places from 0; nil: as it is
	Crash   bool    `json:"crash,omitempty"`
	Cut     int     `json:"cut,omitempty"` // if Crash: the number of sends before it
}

func (p Part) String() string {
	text := fmt.Sprintf("process %v", p.Process)
	if p.Order != nil {
		text += fmt.Sprintf(" reads in the order %v", p.Order)
	}
	if p.Crash {
		text += fmt.Sprintf(" crashes after %d of its sends", p.Cut)
	}
	return text
}

func (p Part) same(q Part) bool {
	return p.Process == q.Process && p.Crash == q.Crash && p.Cut == q.Cut && slices.Equal(p.Order, q.Order)
}

// same reports whether two events at one state are the same.
func (e Event) same(f Event) bool {
	return e.Action == f.Action && e.Process == f.Process && e.Age == f.Age && e.Cut == f.Cut && e.Disk == f.Disk && e.Side == f.Side &&
		(e.Action == Crash || sameStep(e.Step, f.Step)) && slices.EqualFunc(e.Parts, f.Parts, Part.same)
}

// has reports whether a part is what its process does in the round e. A process that e does not
// name does what it does by default.
func (e Event) has(part Part) bool {
	i := slices.IndexFunc(e.Parts, func(named Part) bool { return named.Process == part.Process })
	if i < 0 {
		return part.Order == nil && !part.Crash
	}
	return e.Parts[i].same(part)
}

func sameStep(a, b spec.Event) bool {
	return a.Kind == b.Kind && a.From == b.From && a.Message == b.Message && a.Timer == b.Timer && a.Peer == b.Peer &&
		a.Action == b.Action && a.Value == b.Value && slices.Equal(a.Choices, b.Choices)
}

// Handling describes what a process handles, as in "receive OK from 2".
func Handling(e spec.Event, t *spec.Traits) string {
	action := t.EventName(e)
	switch e.Kind {
	case spec.Act:
		if e.Value != nil {
			action += fmt.Sprintf(" %v", e.Value)
		}
	case spec.Receive:
		action += fmt.Sprintf(" %v from %v", e.Message, e.From)
	case spec.Timeout:
		action += " " + timerName(t.Rules, e.Timer)
	case spec.Suspect, spec.Restore:
		action += fmt.Sprintf(" %v", e.Peer)
	}
	if e.Choices != nil {
		action += fmt.Sprintf(", choosing %s", strings.Trim(fmt.Sprint(e.Choices), "[]"))
	}
	return action
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
	Process    spec.ID         `json:"process,omitempty"`
	Event      string          `json:"event"` // a spec.EventKind, the name of a spec.Action, or an ActionKind
	From       spec.ID         `json:"from,omitempty"`
	Message    json.RawMessage `json:"message,omitempty"`
	Age        uint8           `json:"age,omitempty"`
	Timer      string          `json:"timer,omitempty"`
	Value      json.RawMessage `json:"value,omitempty"`   // of an action
	Choices    []int           `json:"choices,omitempty"` // what the handler chooses, in turn
	Peer       spec.ID         `json:"peer,omitempty"`
	CrashAfter *int            `json:"crash_after,omitempty"` // sends, in a step that is cut short
	Persisted  *int            `json:"persisted,omitempty"`   // how often it has persisted then, if it tells that
	LosesAfter *int            `json:"loses_after,omitempty"` // the same if the process goes on
	Side       spec.Set        `json:"side,omitzero"`
	Parts      []Part          `json:"parts,omitempty"`
}

func (e Event) encode(t *spec.Traits) (eventJSON, error) {
	out := eventJSON{Process: e.Process, Event: e.Action.String(), Age: e.Age, Side: e.Side, Parts: e.Parts}
	if e.Action.Cuts() && e.Action.Down() {
		if out.CrashAfter = &e.Cut; e.Disk > 0 {
			persisted := e.Disk - 1
			out.Persisted = &persisted
		}
	} else if e.Action.Cuts() {
		out.LosesAfter = &e.Cut
	}
	if !e.Action.HasStep() {
		return out, nil
	}
	if e.Action.Handles() {
		out.Event = t.EventName(e.Step)
	}
	out.From, out.Peer, out.Choices = e.Step.From, e.Step.Peer, e.Step.Choices
	var err error
	switch {
	case e.Step.Kind == spec.Timeout:
		out.Timer = timerName(t.Rules, e.Step.Timer)
	case e.Step.Kind == spec.Receive:
		if out.Message, err = json.Marshal(e.Step.Message); err != nil {
			err = fmt.Errorf("message %v: %w", e.Step.Message, err)
		}
	case e.Step.Value != nil:
		if out.Value, err = json.Marshal(e.Step.Value); err != nil {
			err = fmt.Errorf("value %v: %w", e.Step.Value, err)
		}
	}
	return out, err
}
