package model

import (
	"fmt"
	"slices"

	"interleave/spec"
)

// An Obstacle is something that a process may do in other states, and why it cannot in this one.
type Obstacle struct {
	Process spec.ID `json:"process"`
	Deed    string  `json:"deed"` // in words, as in "timeout T_ok"
	Why     string  `json:"why"`
}

// Obstacles returns what is not possible in s, and why: for each process its notice, its timers,
// what the detector may report to it, the messages in flight to it, its crash and its return.
// Anything not listed is among Steps, or never happens in this world or with this algorithm, or
// cannot happen again, as a start. There are no obstacles in lock-step rounds.
func (r *Reference) Obstacles(s State) []Obstacle {
	if r.config.Network == Rounds {
		return nil
	}
	o := &obstacles{Reference: r, state: s}
	for _, step := range r.Steps(s) {
		if step.Event.Deed == Handle {
			o.possible = append(o.possible, step.Event)
		}
	}
	for p := range r.all.All() {
		o.ofProcess(p)
	}
	return o.found
}

type obstacles struct {
	*Reference
	state    State
	possible []Event
	found    []Obstacle
}

func (o *obstacles) add(p spec.ID, deed, why string, args ...any) {
	o.found = append(o.found, Obstacle{p, deed, fmt.Sprintf(why, args...)})
}

func (o *obstacles) ofProcess(p spec.ID) {
	l := o.state.local(p)
	switch l.Status {
	case Down:
		if o.config.Recoveries > 0 && o.state.Env.Recoveries >= uint8(o.config.Recoveries) {
			o.add(p, spec.Recover.String(), "the world allows %s, and no more", plural(o.config.Recoveries, "return"))
		}
		o.messages(p, "process %v is down", p)
	case Booting:
		o.messages(p, "process %v has not started", p)
	case Up:
		o.notice(p, l)
		o.timers(p, l)
		o.reports(p, l)
		o.queues(p)
	}
	for e := range o.events(o.state, p) {
		if !slices.ContainsFunc(o.possible, e.same) {
			o.add(p, o.Deed(e), "%s", o.refusal(p, e))
		}
	}
	if l.Status != Down && !o.mayCrash(o.state, p) {
		o.add(p, Crash.String(), "%s", o.noCrash())
	}
}

// messages adds that no message in flight to p can arrive.
func (o *obstacles) messages(p spec.ID, why string, args ...any) {
	for _, e := range o.state.inbox(p) {
		o.add(p, o.arrival(e), why, args...)
	}
}

func (o *obstacles) arrival(e Envelope) string {
	return o.handling(spec.Event{Kind: spec.Receive, From: e.From, Message: e.Message})
}

// refusal says why a handler does not accept an event that the world offers.
func (o *obstacles) refusal(p spec.ID, e Event) string {
	if _, fx := o.handle(o.state.local(p), p, o.state.live(), e.Step); fx.Refused {
		return "its handler has no use for it in this state"
	}
	return fmt.Sprintf("it would go beyond the bound %d of the world", o.config.Bound)
}

func (o *obstacles) noCrash() string {
	if o.config.Crashes == 0 {
		return "the world allows no crash"
	}
	return fmt.Sprintf("the world allows %s, and no more", plural(o.config.Crashes, "crash"))
}

func (o *obstacles) notice(p spec.ID, l Local) {
	leader := o.traits.Leader(l.State)
	if !o.traits.Handles.Has(spec.Notice) || l.Initiator && o.leaderless(o.state, leader) {
		return
	}
	deed := spec.Notice.String()
	switch {
	case !l.Initiator:
		o.add(p, deed, "process %v never begins of its own accord", p)
	case o.state.live().Has(leader):
		o.add(p, deed, "its leader, process %v, is up", leader)
	case o.config.Timers == Timed:
		o.add(p, deed, "its leader, process %v, has been down for %s of %d", leader, plural(int(o.state.local(leader).Ages.Down), "tick"), o.durations.notice)
	default:
		o.add(p, deed, "something that its leader, process %v, sent before it crashed is still on its way", leader)
	}
}

func (o *obstacles) timers(p spec.ID, l Local) {
	for t := range o.traits.Rules {
		deed := o.handling(spec.Event{Kind: spec.Timeout, Timer: spec.Timer(t)})
		switch {
		case l.Timers>>t&1 == 0:
			o.add(p, deed, "it is not armed")
		case !o.mayExpire(o.state, p, spec.Timer(t)):
			o.add(p, deed, "%s", o.tooEarly(p, spec.Timer(t)))
		}
	}
}

// tooEarly says why the armed timer t of p may not expire, as mayExpire decides.
func (o *obstacles) tooEarly(p spec.ID, t spec.Timer) string {
	rule, s := o.traits.Rules[t], o.state
	if o.config.Timers == Timed {
		return fmt.Sprintf("it has run for %s of %d", plural(int(s.local(p).Ages.Timers[t]), "tick"), o.durations.timers[t])
	}
	var silent spec.Set
	if rule.Silent != nil {
		silent = rule.Silent(s.local(p).State, p, o.all)
	}
	if up := silent & s.live(); rule.AllDown && up != 0 {
		return fmt.Sprintf("it waits for process %v, which is up", up.Min())
	}
	for q := range s.live().All() {
		if rule.Owing != nil && rule.Owing(s.local(q).State, q, o.all).Has(p) {
			return fmt.Sprintf("process %v still owes the answer", q)
		}
		if e, found := o.outstanding(s, q, func(e Envelope) bool { return rule.Awaited(p, e.From, q, e.Message) }); found {
			return fmt.Sprintf("what it waits for may still come: %v from %v is on its way to %v", e.Message, e.From, q)
		}
	}
	return "something that a crashed process sent is still on its way"
}

// reports adds the suspicions that the detector does not report: of processes that are up, or
// from which a message has not arrived yet.
func (o *obstacles) reports(p spec.ID, l Local) {
	if o.config.Detector == NoDetector || !o.traits.Handles.Has(spec.Suspect) {
		return
	}
	for q := range o.all.Without(p).All() {
		if _, ok := o.report(o.state, p, q); ok || l.Suspected.Has(q) {
			continue
		}
		deed := o.handling(spec.Event{Kind: spec.Suspect, Peer: q})
		switch {
		case !o.state.live().Has(q):
			o.add(p, deed, "something that process %v sent is still on its way to it", q)
		case o.config.Suspicions > 0:
			o.add(p, deed, "process %v is up, and the world allows %s, and no more", q, plural(o.config.Suspicions, "false report"))
		default:
			o.add(p, deed, "process %v is up", q)
		}
	}
}

// queues adds the messages to p that wait behind others.
func (o *obstacles) queues(p spec.ID) {
	if o.config.Network != FIFO {
		return
	}
	in := o.state.inbox(p)
	for i, e := range in {
		if i > 0 && in[i-1].From == e.From {
			first := slices.IndexFunc(in, func(f Envelope) bool { return f.From == e.From })
			o.add(p, o.arrival(e), "%v, which process %v sent before, comes first", in[first].Message, e.From)
		}
	}
}
