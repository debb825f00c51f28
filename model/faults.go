package model

import (
	"slices"

	"interleave/spec"
)

// mishaps yields what may happen to the messages to p that may arrive next.
func (r *Reference) mishaps(s State, p spec.ID, yield func(Step) bool) (goOn bool) {
	in := s.inbox(p)
	for place := range in.deliverable(r.config.Network) {
		e := in[place]
		for _, rule := range r.rules.messages(p) {
			if !r.meets(s, rule) {
				continue
			}
			after := s.clone()
			after.Env = r.config.pay(rule.Spends, s.Env)
			if rule.Deed == Copy {
				after.Inboxes[p-1] = slices.Insert(slices.Clone(in), place, e)
			} else {
				after.Inboxes[p-1] = in.without(place)
			}
			event := Event{Deed: rule.Deed, Process: p, Age: e.Age, Step: spec.Event{Kind: spec.Receive, From: e.From, Message: e.Message}}
			if !yield(Step{Event: event, After: after, Unfair: rule.Fault()}) {
				return false
			}
		}
	}
	return true
}

// surroundings returns the steps that belong to no process.
func (r *Reference) surroundings(s State) []Step {
	var steps []Step
	for _, rule := range r.rules.network() {
		if r.meets(s, rule) {
			after := s.clone()
			after.Env = r.config.pay(rule.Spends, s.Env)
			after.Env.Side = rule.Side
			steps = append(steps, Step{Event: Event{Deed: rule.Deed, Side: rule.Side}, After: after, Unfair: rule.Fault()})
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
