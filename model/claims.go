package model

import (
	"interleave/explore"
	"interleave/spec"
)

// Broken returns why a step breaks the claim of the given name, which the
// algorithm makes of each of its steps; nil if the step keeps it.
func (r *Reference) Broken(name string, before State, step Step) error {
	p := step.Event.Process
	if step.Event.Deed != Handle || step.Panic != "" {
		return nil
	}
	for _, c := range r.traits.Claims {
		if c.Name == name {
			return r.holds(c, p, before.local(p).State, step.After.local(p).State, step.Told)
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

// brokenBy returns the watches whose claim a step breaks, as a bit set.
func (r *Reference) brokenBy(watches []Watch, before State, step Step) uint64 {
	var broken uint64
	for i, w := range watches {
		if w.Claim != "" && r.Broken(w.Claim, before, step) != nil {
			broken |= 1 << i
		}
	}
	return broken
}

// markBroken marks the watches in a bit set as found on the step of action a.
func markBroken(out *explore.Steps, broken uint64, a explore.Action) {
	for bit := uint8(0); broken != 0; bit++ {
		if broken&1 != 0 && out.Known>>bit&1 == 0 {
			out.Marks = append(out.Marks, explore.Mark{Bit: bit, OnStep: true, Action: a})
		}
		broken >>= 1
	}
}
