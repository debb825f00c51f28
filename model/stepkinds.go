package model

import (
	"cmp"
	"fmt"
	"slices"

	"interleave/explore"
	"interleave/spec"
)

// StepKinds numbers the kinds of step that a world can have, by which steps are
// counted: "start", "receive OK", "timeout T_ok", "crash". The numbers are what
// explore.Action.Kind returns.
type StepKinds struct {
	traits  *spec.Traits
	names   []string
	obliged [256]bool        // fairness may be assumed of its steps, by number
	spends  [256]Budget      // of faults, by number
	receive map[string]uint8 // by kind of message
	handle  map[spec.EventKind]uint8
	timeout uint8 // of timer 0
	act     uint8 // of action 0
	actions [actionKinds]uint8
	falsely uint8
}

// newStepKinds lists the kinds of step that a world allows.
func newStepKinds(t *spec.Traits, c Config) StepKinds {
	k := StepKinds{traits: t, receive: map[string]uint8{}, handle: map[spec.EventKind]uint8{}}
	add := func(name string, spends Budget) uint8 {
		n := uint8(len(k.names))
		k.names, k.obliged[n], k.spends[n] = append(k.names, name), spends.fair(), spends
		return n
	}
	detects := c.Detector != NoDetector && (c.Crashes > 0 || c.Start == LeaderDown)
	restores := c.Detector != NoDetector && (c.Recoveries > 0 || c.Suspicions > 0)
	if t.Handles.Has(spec.Start) {
		k.handle[spec.Start] = add(spec.Start.String(), Unlimited)
	}
	k.act = uint8(len(k.names))
	for _, act := range t.Actions {
		k.obliged[add(act.Name, Unlimited)] = act.Fair
	}
	for _, e := range []struct {
		kind     spec.EventKind
		possible bool
	}{
		{spec.Suspect, detects && c.Network != Rounds},
		{spec.Restore, restores && t.Handles.Has(spec.Restore)},
	} {
		if e.possible {
			k.handle[e.kind] = add(e.kind.String(), Unlimited)
		}
	}
	if c.Suspicions > 0 {
		k.falsely = add("suspect falsely", Suspicions)
	}
	for i, r := range t.Rules {
		if n := add("timeout "+r.Name, Unlimited); i == 0 {
			k.timeout = n
		}
	}
	if c.Network != Rounds {
		for _, m := range t.Kinds {
			k.receive[m] = add("receive "+m, Unlimited)
		}
	}
	k.addActions(&Rules{traits: t, config: &c}, add)
	return k
}

// addActions adds what no process handles, then what cuts a step short, and then returns.
func (k *StepKinds) addActions(w *Rules, add func(name string, spends Budget) uint8) {
	possible := w.actions()
	for _, cuts := range []bool{false, true} {
		for d, what := range actionTable {
			d := ActionKind(d)
			if d.Cuts() != cuts || !slices.Contains(possible, d) {
				continue
			}
			name := cmp.Or(what.counts, what.name)
			if cuts && w.config.Network == Rounds {
				name = "round with a " + what.cut
			}
			k.actions[d] = add(name, what.spends)
		}
	}
	if w.config.Recoveries > 0 {
		k.handle[spec.Recover] = add(spec.Recover.String(), Recoveries)
	}
}

// ofEvent returns the kind of an event at a state in which the given processes
// are live.
func (k *StepKinds) ofEvent(e Event, live spec.Set) uint8 {
	crashes := slices.ContainsFunc(e.Parts, func(p Part) bool { return p.Crash })
	switch {
	case crashes:
		return k.actions[CrashMidStep]
	case e.Action != Handle:
		return k.actions[e.Action]
	case e.Step.Kind == spec.Suspect && live.Has(e.Step.Peer):
		return k.falsely
	}
	return k.Of(e.Step)
}

// OfAction returns the kind of what no process handles, and of what cuts a step short.
func (k *StepKinds) OfAction(d ActionKind) uint8 { return k.actions[d] }

// Spends returns what each step of a kind takes one of; Unlimited if it is no fault.
func (k *StepKinds) Spends(kind uint8) Budget { return k.spends[kind] }

// OfRule returns the kind of what a rule lets happen.
func (k *StepKinds) OfRule(r Rule) uint8 {
	switch {
	case r.Action != Handle:
		return k.actions[r.Action]
	case r.Spends == Suspicions:
		return k.falsely
	}
	return k.Of(r.Step)
}

// Of returns the kind of a step in which a process handles e.
func (k *StepKinds) Of(e spec.Event) uint8 {
	switch e.Kind {
	case spec.Receive:
		kind := k.traits.Kind(e.Message)
		if _, ok := k.receive[kind]; !ok {
			panic(fmt.Sprintf("model: message %v of %s is of the kind %q, which is not among its Kinds", e.Message, k.traits.Name, kind))
		}
		return k.receive[kind]
	case spec.Timeout:
		return k.timeout + uint8(e.Timer)
	case spec.Act:
		return k.act + e.Action
	}
	return k.handle[e.Kind]
}

// Helps says of which kinds, by number, are the steps that help to reach a goal: all but crashes, losses, copies,
// partitions and false suspicions. A return helps, though the world need not let it happen.
func (k *StepKinds) Helps() (helps [256]bool) {
	for kind, spends := range k.spends {
		helps[kind] = spends.helps()
	}
	return helps
}

// Names returns the name of each kind, by number.
func (k *StepKinds) Names() []string { return slices.Clone(k.names) }

// NameOf returns the name of the kind of an event at s.
func (k *StepKinds) NameOf(s State, e Event) string { return k.names[k.ofEvent(e, s.live())] }

// sentShift is where an explore.Action has the number of messages sent. Lowest it has the kind, of 8 bits.
const sentShift = 56

// MessagesSent is how many messages the step of an action sends.
func MessagesSent(a explore.Action) int { return int(a >> sentShift) }

// maxSends is how many messages a step may send.
const maxSends = 255

// SentBits is the part of an action that says how many messages are sent.
func SentBits(n int) explore.Action {
	if n > maxSends {
		panic(&LimitError{fmt.Sprintf("%d messages are sent in one round, where %d are possible", n, maxSends)})
	}
	return explore.Action(n) << sentShift
}
