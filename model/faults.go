package model

import (
	"slices"

	"interleave/spec"
)

// mishaps yields the steps of messages to p that may arrive next: such a message vanishes since
// p is down, is lost, or is copied.
func (r *Reference) mishaps(s State, p spec.ID, yield func(Step) bool) (goOn bool) {
	in := s.inbox(p)
	for place := range in.deliverable(r.config.Network) {
		e := in[place]
		befall := func(d Deed, after State) (goOn bool) {
			event := Event{Deed: d, Process: p, Age: e.Age, Step: spec.Event{Kind: spec.Receive, From: e.From, Message: e.Message}}
			return yield(Step{Event: event, After: after, Unfair: d != Drop})
		}
		less := s.clone()
		less.Inboxes[p-1] = in.without(place)
		if s.local(p).Status == Down && !befall(Drop, less) {
			return false
		}
		if s.Env.Losses < uint8(r.config.Losses) {
			lost := less.clone()
			lost.Env.Losses++
			if !befall(Lose, lost) {
				return false
			}
		}
		if s.Env.Duplicates < uint8(r.config.Duplicates) {
			more := s.clone()
			more.Inboxes[p-1] = slices.Insert(slices.Clone(in), place, e)
			more.Env.Duplicates++
			if !befall(Copy, more) {
				return false
			}
		}
	}
	return true
}

// surroundings returns the steps that belong to no process.
func (r *Reference) surroundings(s State) []Step {
	var steps []Step
	switch {
	case s.Env.Side != 0:
		whole := s.clone()
		whole.Env.Side = 0
		steps = append(steps, Step{Event: Event{Deed: Heal}, After: whole})
	case s.Env.Partitions < uint8(r.config.Partitions):
		for _, side := range sides(r.config.N) {
			parted := s.clone()
			parted.Env.Side = side
			parted.Env.Partitions++
			steps = append(steps, Step{Event: Event{Deed: Divide, Side: side}, After: parted, Unfair: true})
		}
	}
	if after, ok := r.tick(s); ok {
		steps = append(steps, Step{Event: Event{Deed: Tick}, After: after})
	}
	return steps
}

// sides lists the ways to divide n processes into two parts, as the part without process 1.
func sides(n int) []spec.Set {
	var out []spec.Set
	for side := spec.Set(2); side <= spec.UpTo(n); side += 2 {
		out = append(out, side)
	}
	return out
}
