package model

import (
	"fmt"

	"interleave/spec"
)

// Condition is something that a Rule asks of the rest of the world.
type Condition struct {
	Ask     Ask
	Of      spec.Set
	Process spec.ID
	Timer   spec.Timer
	Ticks   uint8
}

// Ask is what a condition asks. A message that its receiver refuses, or one behind it in a queue, is not under way:
// see Reference.waits.
type Ask uint8

const (
	AllUp       Ask = iota // all of Of are up, or booting
	AllDown                // all of Of are down
	NoneOwing              // no live process may still send what others wait for: see spec.TimerRule
	NoneAwaited            // no message that the Timer of Process waits for is under way to a live process
	NoneFrom               // no message is under way from those of Of that are down; to Process, if it is not None
	ArmedFor               // the Timer of Process was set so many Ticks ago
	DownFor                // all of Of went down so many Ticks ago
	Whole                  // the network is not divided
	Divided                // it is
	NoneUrgent             // nothing has to happen in this tick
	Asks                   // number of asks
)

func (a Ask) String() string {
	return [...]string{"up", "down", "none owing", "none awaited", "none from", "armed for", "down for", "whole", "divided", "none urgent"}[a]
}

// A blocker is why a condition is not met.
type blocker struct {
	process spec.ID  // of whom it is asked
	message Envelope // to process
	ticks   uint8
}

// Met reports whether a condition is met in s.
func (r *Reference) Met(s State, c Condition) bool {
	_, blocked := r.blocks(s, c)
	return !blocked
}

// blocks returns what keeps a condition from being met in s, if anything does.
func (r *Reference) blocks(s State, c Condition) (by blocker, blocked bool) {
	live := s.live()
	switch c.Ask {
	case AllUp:
		return blocker{process: (c.Of &^ live).Min()}, c.Of&^live != 0
	case AllDown:
		return blocker{process: (c.Of & live).Min()}, c.Of&live != 0
	case NoneOwing:
		owing := r.traits.Rules[c.Timer].Owing
		for q := range live.All() {
			if owing(s.Local(q).State, q, r.all).Has(c.Process) {
				return blocker{process: q}, true
			}
		}
	case NoneAwaited:
		awaited := r.traits.Rules[c.Timer].Awaited
		return r.underWay(s, live, func(q spec.ID, e Envelope) bool { return awaited(c.Process, e.From, q, e.Message) })
	case NoneFrom:
		to := r.all
		if c.Process != spec.None {
			to = spec.SetOf(c.Process)
		}
		silent := c.Of &^ live
		return r.underWay(s, to, func(_ spec.ID, e Envelope) bool { return silent.Has(e.From) })
	case ArmedFor:
		ticks := s.Local(c.Process).Ages.Timers[c.Timer]
		return blocker{ticks: ticks}, ticks != c.Ticks
	case DownFor:
		for q := range c.Of.All() {
			if ticks := s.Local(q).Ages.Down; ticks != c.Ticks {
				return blocker{process: q, ticks: ticks}, true
			}
		}
	case Whole:
		return blocker{}, s.Env.Side != 0
	case Divided:
		return blocker{}, s.Env.Side == 0
	case NoneUrgent:
		return blocker{}, r.urgent(s)
	default:
		panic(fmt.Sprintf("model: nothing is known of condition %d", c.Ask))
	}
	return blocker{}, false
}

// underWay finds a message to one of some processes that has not arrived yet.
func (r *Reference) underWay(s State, to spec.Set, which func(to spec.ID, e Envelope) bool) (by blocker, found bool) {
	for q := range to.All() {
		for _, e := range s.Inbox(q) {
			if which(q, e) && !r.waits(s, q, e) {
				return blocker{process: q, message: e}, true
			}
		}
	}
	return blocker{}, false
}

// whyNot says why a condition of a rule is not met; empty: that needs no saying.
func (c Condition) whyNot(rule Rule, by blocker) string {
	name := func(p spec.ID) string {
		if rule.Step.Kind == spec.Act {
			return fmt.Sprintf("its leader, process %v,", p)
		}
		return fmt.Sprintf("process %v", p)
	}
	switch c.Ask {
	case AllDown:
		return name(by.process) + " is up"
	case NoneOwing:
		return fmt.Sprintf("process %v still owes the answer", by.process)
	case NoneAwaited:
		return fmt.Sprintf("what it waits for may still come: %v from %v is on its way to %v", by.message.Message, by.message.From, by.process)
	case NoneFrom:
		return fmt.Sprintf("something that %s sent before it crashed is still on its way to %v", name(by.message.From), by.process)
	case ArmedFor:
		return fmt.Sprintf("it has run for %s of %d", plural(int(by.ticks), "tick"), c.Ticks)
	case DownFor:
		return fmt.Sprintf("%s has been down for %s of %d", name(by.process), plural(int(by.ticks), "tick"), c.Ticks)
	}
	return ""
}

// meets reports whether the world lets something happen in s by a rule.
func (r *Reference) meets(s State, rule Rule) bool {
	for _, c := range rule.Asks {
		if !r.Met(s, c) {
			return false
		}
	}
	return rule.Spends == Unlimited || r.left(s, rule.Spends) > 0
}

// left returns how much of a budget is left in s.
func (r *Reference) left(s State, b Budget) int {
	return r.config.Limit(b) - r.config.Spent(b, &s.Env, r.config.Crashed((r.all&^s.live()).Len()))
}

// waits reports whether a message to q has arrived as far as is possible for now: q refuses it,
// or a message before it in the queue. Only its sender may wait for it.
func (r *Reference) waits(s State, q spec.ID, e Envelope) bool {
	if in := s.Inbox(q); r.config.Network == FIFO {
		e = in[in.first(e.From)]
	}
	return r.refuses(s, q, spec.Event{Kind: spec.Receive, From: e.From, Message: e.Message})
}

// refuses reports whether p, if it is up, refuses e.
func (r *Reference) refuses(s State, p spec.ID, e spec.Event) bool {
	l := s.Local(p)
	if l.Status != Up {
		return false
	}
	_, fx := r.Handle(l, p, s.live(), e)
	return fx.Refused
}

// urgent reports whether a message has to arrive, or a timer to expire, in this tick. A message
// that the handler refuses has arrived, and waits while time goes on, as do the messages behind
// it in a queue.
func (r *Reference) urgent(s State) bool {
	for p := range r.all.All() {
		l, in := s.Local(p), s.Inbox(p)
		for t := range spec.Timer(spec.MaxTimers) {
			if l.Timers>>t&1 != 0 && l.Ages.Timers[t] >= r.rules.durations.timers[t] && !r.refuses(s, p, spec.Event{Kind: spec.Timeout, Timer: t}) {
				return true
			}
		}
		for place := range in.Deliverable(r.config.Network) {
			e := in[place]
			if int(e.Age) >= r.config.Delta && !r.waits(s, p, e) {
				return true
			}
		}
	}
	return false
}
