package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"interleave/spec"
)

// Disabled is something that a process may do in other states, and why it cannot in this one.
type Disabled struct {
	Process spec.ID `json:"process"`
	Action  string  `json:"action"` // in words, as in "timeout T_ok"
	Why     string  `json:"why"`
}

// WhyDisabled returns what is not possible in s, and why: for each process, in this order, its actions or its return, its
// timers, what the detector may report to it, the messages in flight to it, what its handlers refuse, and its crash.
// Anything not listed is among Steps, or never happens in this world or with this algorithm, or
// cannot happen again, as a start. Nothing is listed in lock-step rounds.
func WhyDisabled(r *Reference, s State) []Disabled {
	if r.config.Network == Rounds {
		return nil
	}
	o := &disabling{Reference: r, state: s}
	for _, step := range r.Steps(s) {
		if step.Event.Action == Handle {
			e := step.Event
			e.Step.Choices = nil // whatever its handler chooses
			o.possible = append(o.possible, e)
		}
	}
	for p := range r.all.All() {
		o.ofProcess(p)
	}
	slices.SortStableFunc(o.found, func(a, b obstacle) int {
		return cmp.Or(cmp.Compare(a.Process, b.Process), cmp.Compare(a.place, b.place))
	})
	var out []Disabled
	for _, found := range o.found {
		out = append(out, found.Disabled)
	}
	return out
}

// obstacle is something that is disabled.
type obstacle struct {
	Disabled
	place int // in the list of its process
}

// Where things stand in the list of a process. Actions and timers stand in their order, from anAction and aTimer on.
const (
	anAction = 0
	aTimer   = anAction + spec.MaxActions + 1
	aReport  = aTimer + spec.MaxTimers
	aMessage = aReport + 1
	aRefusal = aReport + 2
	aCrash   = aReport + 3
)

// placeOf returns where something that is offered stands.
func placeOf(e spec.Event) int {
	switch e.Kind {
	case spec.Act:
		return anAction + int(e.Action)
	case spec.Recover:
		return anAction
	case spec.Timeout:
		return aTimer + int(e.Timer)
	}
	return aReport
}

type disabling struct {
	*Reference
	state    State
	possible []Event
	found    []obstacle
}

func (o *disabling) add(p spec.ID, place int, action, why string, args ...any) {
	o.found = append(o.found, obstacle{Disabled{p, action, fmt.Sprintf(why, args...)}, place})
}

func (o *disabling) ofProcess(p spec.ID) {
	l := o.state.Local(p)
	switch l.Status {
	case Down:
		o.messages(p, "process %v is down", p)
	case Booting:
		o.messages(p, "process %v has not started", p)
	case Up:
		o.actions(p, l)
		for t := range o.traits.Rules {
			if l.Timers>>t&1 == 0 {
				o.add(p, aTimer+t, o.handling(spec.Event{Kind: spec.Timeout, Timer: spec.Timer(t)}), "it is not armed")
			}
		}
		o.queues(p)
	}
	o.offers(p, o.rules.Of(p, l))
	for e := range o.events(o.state, p) {
		if !slices.ContainsFunc(o.possible, e.same) {
			o.add(p, aRefusal, o.Describe(e), "%s", o.refusal(p, e))
		}
	}
	for _, rule := range o.rules.Crashes(l) {
		if !o.meets(o.state, rule) {
			o.add(p, aCrash, rule.Action.String(), "%s", o.whyNot(rule))
		}
	}
}

// actions adds the actions of a process that its local state does not offer.
func (o *disabling) actions(p spec.ID, l Local) {
	for i, act := range o.traits.Actions {
		switch {
		case act.Leaderless && !l.Initiator:
			o.add(p, anAction+i, act.Name, "process %v never begins of its own accord", p)
		case !act.When(l.State):
			o.add(p, anAction+i, act.Name, "its condition is false in this state")
		case o.config.limits(act) && !act.Together && int(l.Acted[i]) >= o.config.TimesOf(act):
			o.add(p, anAction+i, act.Name, "%s", doneEnough(o.config.TimesOf(act)))
		}
	}
}

// offers adds the events of rules of p none of which is met.
func (o *disabling) offers(p spec.ID, rules []Rule) {
	for _, same := range ByEvent(rules) {
		if slices.ContainsFunc(same, func(rule Rule) bool { return o.meets(o.state, rule) }) {
			continue
		}
		var why []string
		for _, rule := range same {
			if text := o.whyNot(rule); text != "" {
				why = append(why, text)
			}
		}
		if why != nil {
			o.add(p, placeOf(same[0].Step), o.handling(same[0].Step), "%s", strings.Join(why, ", and "))
		}
	}
}

// whyNot says what keeps a rule from being met; empty: nothing that needs saying.
func (o *disabling) whyNot(rule Rule) string {
	for _, c := range rule.Asks {
		if by, blocked := o.blocks(o.state, c); blocked {
			return c.whyNot(rule, by)
		}
	}
	if rule.Spends == Unlimited || o.left(o.state, rule.Spends) > 0 {
		return ""
	}
	return o.config.spentAll(rule.Spends)
}

// messages adds that no message in flight to p can arrive.
func (o *disabling) messages(p spec.ID, why string, args ...any) {
	for _, e := range o.state.Inbox(p) {
		o.add(p, aMessage, o.arrival(e), why, args...)
	}
}

func (o *disabling) arrival(e Envelope) string {
	return o.handling(spec.Event{Kind: spec.Receive, From: e.From, Message: e.Message})
}

// refusal says why a handler does not accept an event that the world offers.
func (o *disabling) refusal(p spec.ID, e Event) string {
	if _, fx := o.Handle(o.state.Local(p), p, o.state.live(), e.Step); fx.Refused {
		return "its handler has no use for it in this state"
	}
	return fmt.Sprintf("it would go beyond the bound %d of the world", o.config.Bound)
}

// queues adds the messages to p that wait behind others.
func (o *disabling) queues(p spec.ID) {
	if o.config.Network != FIFO {
		return
	}
	in := o.state.Inbox(p)
	for i, e := range in {
		if i > 0 && in[i-1].From == e.From {
			o.add(p, aMessage, o.arrival(e), "%v, which process %v sent before, comes first", in[in.first(e.From)].Message, e.From)
		}
	}
}
