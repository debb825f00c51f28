package model

import (
	"slices"

	"interleave/spec"
)

// messageFaults yields what may happen to the messages to p that may arrive next.
func (r *Reference) messageFaults(s State, p spec.ID, yield func(Step) bool) (goOn bool) {
	in := s.Inbox(p)
	for place := range in.Deliverable(r.config.Network) {
		e := in[place]
		for _, rule := range r.rules.Messages(p) {
			if !r.meets(s, rule) {
				continue
			}
			after := s.clone()
			after.Env = r.config.Pay(rule.Spends, s.Env)
			if rule.Action == Copy {
				after.Inboxes[p-1] = slices.Insert(slices.Clone(in), place, e)
			} else {
				after.Inboxes[p-1] = in.Without(place)
			}
			event := Event{Action: rule.Action, Process: p, Age: e.Age, Step: spec.Event{Kind: spec.Receive, From: e.From, Message: e.Message}}
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
	for _, rule := range slices.Concat(r.rules.Network(), r.rules.Clock()) {
		if !r.meets(s, rule) {
			continue
		}
		after := s.clone()
		after.Env = r.config.Pay(rule.Spends, s.Env)
		if rule.Action != Tick {
			after.Env.Side = rule.Side
		} else if after = r.tick(s); after.Equal(s) { // time changes nothing
			continue
		}
		steps = append(steps, Step{Event: Event{Action: rule.Action, Side: rule.Side}, After: after, Unfair: rule.Fault()})
	}
	return steps
}
