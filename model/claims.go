package model

import (
	"interleave/explore"
	"interleave/spec"
)

// Broken returns why a step breaks the claim of the given name, which the
// algorithm makes of each of its steps; nil if the step keeps it.
func (r *Reference) Broken(name string, before State, step Step) error {
	p := step.Event.Process
	if step.Event.Action != Handle || step.Panic != "" {
		return nil
	}
	for _, c := range r.traits.Claims {
		if c.Name == name {
			return r.holds(c, p, before.Local(p).State, step.After.Local(p).State, step.Outputs)
		}
	}
	return nil
}

// holds evaluates a claim for a local step. A process that comes up may have had no state before.
func (r *Reference) holds(c spec.Claim[any], p spec.ID, before, after any, told []any) error {
	if before == nil {
		before = r.traits.Zero
	}
	return c.Holds(p, r.all, before, after, told)
}

// BreaksBy returns the watches whose claim a local step breaks, as a bit set.
func (r *Reference) BreaksBy(watches []Watch, p spec.ID, before, after any, told []any) uint64 {
	var broken uint64
	for i, w := range watches {
		for _, c := range r.traits.Claims {
			if w.Claim == c.Name && r.holds(c, p, before, after, told) != nil {
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
