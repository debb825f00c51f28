package logs

import (
	"fmt"

	"interleave/impl/runlog"
	"interleave/spec"
)

// world is the algorithm that runs, and the processes.
type world struct {
	machine spec.Machine
	traits  spec.Traits
	ring    []spec.ID
	all     spec.Set
}

// outOfTurn returns why an event cannot happen at this place in the incarnation of a
// process, whatever its handler would do; "" if it can.
func (w *world) outOfTurn(p *process, e spec.Event, in *runlog.Input) string {
	if reason := w.beforeUp(p, e); reason != "" {
		return reason
	}
	switch e.Kind {
	case spec.Act:
		if !w.traits.IsNotice(e) {
			return ""
		}
		if !p.begin.Initiator {
			return "the process begins nothing of its own accord"
		}
		if p.leader == p.id {
			return "the process follows itself, so it has a live leader"
		}
	case spec.Timeout:
		if p.armed>>e.Timer&1 == 0 {
			return fmt.Sprintf("the timer %s is not armed: of its timers %v are", in.Timer, w.traits.TimerNames(p.armed))
		}
	case spec.Suspect, spec.Restore:
		return w.opinion(p, e, in)
	case spec.Round:
		return w.inRound(p, e, in)
	}
	return ""
}

// inRound checks a line of lock step. Whether a process takes part in a round is
// decided at its beginning. In every round it is first told who is down, in the order
// of their numbers, and then takes its step.
func (w *world) inRound(p *process, e spec.Event, in *runlog.Input) string {
	begins := in.Round > p.begun
	last := max(p.round, p.begun)
	next := last + 1 + p.slept
	switch {
	case e.Kind == spec.Restore:
		return "in lock step no suspicion is withdrawn: every round says anew who is down"
	case in.Round <= p.round || begins && w.traits.Halted(p.state):
		return fmt.Sprintf("the process has taken part in round %d, or takes part in none any more", p.round)
	case in.Round < p.begun:
		return fmt.Sprintf("the process has heard who is down in round %d", p.begun)
	case begins && p.begun > p.round && w.owesStep(p):
		return fmt.Sprintf("the process has heard who is down in round %d, and has not taken the step of that round", p.begun)
	case begins && (in.Round < next || in.Round > next && w.owesStep(p)):
		return fmt.Sprintf("the process was in round %d last, and says that it did not run in %d since: its next is round %d", last, p.slept, next)
	case !begins && e.Kind == spec.Suspect && e.Peer <= p.suspected.Max():
		return fmt.Sprintf("in this round process %v was suspected: each is once, in the order of their numbers", p.suspected.Max())
	}
	return ""
}

// owesStep reports whether a process must log the step of a round in which no message
// came: it need not if nothing changes, is sent or told. For an algorithm that asks who
// is live this is unknown, since only a line of the log says who was.
func (w *world) owesStep(p *process) bool {
	if w.traits.Oracle {
		return false
	}
	after, fx := w.machine.Step(p.id, w.ring, p.state, spec.Event{Kind: spec.Round})
	return after != p.state || len(fx.Sends)+len(fx.Outputs) > 0
}

// beforeUp checks the first steps of an incarnation: init, then recover if it is not
// the first, then start.
func (w *world) beforeUp(p *process, e spec.Event) string {
	handles := w.traits.Handles.Has
	recovers := p.again && handles(spec.Recover)
	switch {
	case e.Kind == spec.Init && p.state != nil:
		return "the process has come up already"
	case e.Kind == spec.Init:
		return ""
	case p.state == nil:
		return "the process has not come up: its first step is init"
	case e.Kind == spec.Recover && (!recovers || p.steps != 1):
		return "recover comes directly after the init of a process that was up before, and of no other"
	case e.Kind == spec.Recover:
		return ""
	case recovers && !p.recovered && !p.unknown:
		return "the process was up before, so recover has to come first: was its stable storage lost?"
	case e.Kind == spec.Start && p.started:
		return "the process has started already"
	case e.Kind == spec.Start || p.started || !handles(spec.Start):
		return ""
	}
	start := spec.Event{Kind: spec.Start, Initiator: p.begin.Initiator}
	if _, fx := w.machine.Step(p.id, w.ring, p.state, start); !fx.Refused {
		return "the process has not started: nothing else is handled before"
	}
	return ""
}

// opinion checks a report of the failure detector.
func (w *world) opinion(p *process, e spec.Event, in *runlog.Input) string {
	lockStep := w.traits.Handles.Has(spec.Round)
	switch {
	case !w.all.Without(p.id).Has(e.Peer):
		return fmt.Sprintf("there is no other process %d", int(e.Peer))
	case lockStep:
		return w.inRound(p, e, in)
	case in.Round != 0:
		return "there are no rounds"
	case p.suspected.Has(e.Peer) == (e.Kind == spec.Suspect):
		return fmt.Sprintf("process %v is suspected already, or not at all: suspicions and their withdrawals alternate", e.Peer)
	}
	return ""
}
