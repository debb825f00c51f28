package model

import (
	"encoding/json"
	"fmt"
	"slices"

	"interleave/spec"
)

// ActionKind is what kind of thing happens in one step of a world.
type ActionKind uint8

const (
	Handle       ActionKind = iota // a process handles something
	Crash                          // a process crashes
	CrashMidStep                   // a process handles something, and crashes before all is sent
	Drop                           // a message to a crashed process vanishes
	Lose                           // a message is lost
	Copy                           // a message is copied
	Divide                         // the network falls into two parts
	Heal                           // the network is whole again
	Tick                           // time advances
	Round                          // all live processes take part in one lock-step round
	actionKinds                    // their number
)

// actionTable is what is known of each kind of action.
var actionTable = [actionKinds]struct {
	name   string
	counts string // the name of its steps in Stats.Fired, if that is another
	spends Budget
	cut    string // what cuts a step short, in words; empty: it is a step of its own
	about  about
	down   bool // its process goes down
}{
	Handle:       {name: "handle", about: aboutStep},
	Crash:        {name: "crash", spends: Crashes, down: true},
	CrashMidStep: {name: "break", counts: "crash between sends", spends: Crashes, cut: "crash", about: aboutStep, down: true},
	Drop:         {name: "drop", about: aboutMessage},
	Lose:         {name: "lose", spends: Losses, about: aboutMessage},
	Copy:         {name: "copy", spends: Duplicates, about: aboutMessage},
	Divide:       {name: "divide", spends: Partitions, about: aboutSide},
	Heal:         {name: "heal"},
	Tick:         {name: "tick"},
	Round:        {name: "round"},
}

// about says what an event is about, besides its process.
type about uint8

const (
	aboutNothing about = iota
	aboutStep          // what its process handles
	aboutMessage       // a message in flight to its process
	aboutSide          // how the network divides
)

func (d ActionKind) String() string { return actionTable[d].name }

// Handles reports whether a process handles something.
func (d ActionKind) Handles() bool { return actionTable[d].about == aboutStep }

// HasStep reports whether an event has a Step: what its process handles, or a message in flight to it.
func (d ActionKind) HasStep() bool { return d.Handles() || actionTable[d].about == aboutMessage }

// HasSide reports whether an event has a Side.
func (d ActionKind) HasSide() bool { return actionTable[d].about == aboutSide }

// Cuts reports whether a process handles something, and not all that it sends leaves.
func (d ActionKind) Cuts() bool { return actionTable[d].cut != "" }

// Down reports whether the process of an event goes down.
func (d ActionKind) Down() bool { return actionTable[d].down }

// Event is one step that a world may take.
type Event struct {
	Action  ActionKind
	Process spec.ID    // none in Divide, Heal, Tick and Round
	Step    spec.Event // what is handled; the message dropped, lost or copied
	Age     uint8      // of the message, in a timed world
	Cut     int        // if Action.Cuts: how many of its sends leave, less than all of those of Step
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
	return e.Action == f.Action && e.Process == f.Process && e.Age == f.Age && e.Cut == f.Cut && e.Side == f.Side &&
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
	return a.Kind == b.Kind && a.From == b.From && a.Message == b.Message && a.Timer == b.Timer && a.Peer == b.Peer
}

// Handling describes what a process handles, as in "receive OK from 2".
func Handling(e spec.Event, rules []spec.TimerRule[any, any]) string {
	action := e.Kind.String()
	switch e.Kind {
	case spec.Receive:
		action += fmt.Sprintf(" %v from %v", e.Message, e.From)
	case spec.Timeout:
		action += " " + timerName(rules, e.Timer)
	case spec.Suspect, spec.Restore:
		action += fmt.Sprintf(" %v", e.Peer)
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
	Event      string          `json:"event"` // a spec.EventKind, or an ActionKind
	From       spec.ID         `json:"from,omitempty"`
	Message    json.RawMessage `json:"message,omitempty"`
	Age        uint8           `json:"age,omitempty"`
	Timer      string          `json:"timer,omitempty"`
	Peer       spec.ID         `json:"peer,omitempty"`
	CrashAfter *int            `json:"crash_after,omitempty"` // sends, in a step that is cut short
	LosesAfter *int            `json:"loses_after,omitempty"` // the same if the process goes on
	Side       spec.Set        `json:"side,omitzero"`
	Parts      []Part          `json:"parts,omitempty"`
}

func (e Event) encode(rules []spec.TimerRule[any, any]) (eventJSON, error) {
	out := eventJSON{Process: e.Process, Event: e.Action.String(), Age: e.Age, Side: e.Side, Parts: e.Parts}
	if e.Action.Cuts() && e.Action.Down() {
		out.CrashAfter = &e.Cut
	} else if e.Action.Cuts() {
		out.LosesAfter = &e.Cut
	}
	if !e.Action.HasStep() {
		return out, nil
	}
	if e.Action.Handles() {
		out.Event = e.Step.Kind.String()
	}
	out.From, out.Peer = e.Step.From, e.Step.Peer
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
