package model

import (
	"interleave/explore"
	"interleave/spec"
)

// Watch is a condition that a search looks out for, in states or on steps.
type Watch struct {
	State     func(w *World) bool // nil: steps only
	Quiescent bool                // State is asked in quiescent states only
	View      func(state any) any // of local states, by which State may look at them; nil: by none
	Step      func(before, after *World) bool
	Monitor   string // the name of a spec.Property with a Monitor; a step that breaks it is marked
	Claim     string // the name of a spec.Claim; a step that breaks it is marked
}

// PanicMark is the mark of a step in which a handler panics.
const PanicMark = 63

// OnSteps returns the watches that look at steps, as a bit set.
func OnSteps(watches []Watch) (set uint64) {
	for i, w := range watches {
		if w.Step != nil {
			set |= 1 << i
		}
	}
	return set
}

// Broken returns why a step breaks the claim of the given name, which the
// algorithm makes of each of its steps; nil if the step keeps it.
func (h *handlers) Broken(name string, before State, step Step) error {
	p := step.Event.Process
	if step.Event.Action != Handle || step.Panic != "" {
		return nil
	}
	for _, c := range h.traits.Claims {
		if c.Name == name {
			return h.holds(c, p, before.Local(p).State, step.After.Local(p).State, step.Outputs)
		}
	}
	return nil
}

// Unmonitored returns why a step breaks the property of a monitor; nil if it does not.
func (h *handlers) Unmonitored(name string, before State, step Step) error {
	e := step.Event
	if !e.Action.Handles() || step.Panic != "" {
		return nil
	}
	l := before.Local(e.Process)
	after, fx := h.Handle(l, e.Process, before.live(), e.Step)
	if e.Action.Cuts() {
		after, _ = h.Short(l, after, fx, e.Cut, e.Disk)
	}
	_, broken := h.monitors.Observe(before.Env.Monitors, Seen(e.Process, e.Step, l, after, step.Outputs))
	for i, p := range h.monitors {
		if p.Name == name {
			return broken[i]
		}
	}
	return nil
}

// holds evaluates a claim for a local step. A process that comes up may have had no state before.
func (h *handlers) holds(c spec.Claim[any], p spec.ID, before, after any, told []any) error {
	if before == nil {
		before = h.traits.Zero
	}
	return c.Holds(p, h.all, before, after, told)
}

// BreaksBy returns the watches whose claim a local step breaks, as a bit set.
func (h *handlers) BreaksBy(watches []Watch, p spec.ID, before, after any, told []any) uint64 {
	var broken uint64
	for i, w := range watches {
		for _, c := range h.traits.Claims {
			if w.Claim == c.Name && h.holds(c, p, before, after, told) != nil {
				broken |= 1 << i
			}
		}
	}
	return broken
}

// MarkBroken marks the watches in a bit set as found on the step of action a.
func MarkBroken(out *explore.Steps, broken uint64, a explore.Action) {
	for bit := uint8(0); broken != 0; bit++ {
		if broken&1 != 0 && out.Known>>bit&1 == 0 {
			out.Marks = append(out.Marks, explore.Mark{Bit: bit, OnStep: true, Action: a})
		}
		broken >>= 1
	}
}
