package impl

import (
	"fmt"
	"math/rand/v2"
	"time"

	"interleave/impl/runlog"
	"interleave/spec"
)

// agenda is what a node will do by the clock, and when; at a time that is zero, never.
type agenda struct {
	timers    [spec.MaxTimers]time.Time // of the algorithm: those that are armed
	heartbeat time.Time
	action    time.Time // fair actions happen
	notice    time.Time // it notices that it has no live leader
	join      time.Time // it takes its first step at the latest
}

// next returns when the next thing is due.
func (a *agenda) next() time.Time {
	at := sooner(a.heartbeat, a.join)
	at = sooner(at, a.notice)
	at = sooner(at, a.action)
	for _, t := range a.timers {
		at = sooner(at, t)
	}
	return at
}

// sooner returns the sooner of two times, where the second may be zero, which is never.
func sooner(at, other time.Time) time.Time {
	if !other.IsZero() && other.Before(at) {
		return other
	}
	return at
}

// postpone postpones what the algorithm would do before a time.
func (a *agenda) postpone(least time.Time) {
	atLeast := func(t *time.Time) {
		if !t.IsZero() && t.Before(least) {
			*t = least
		}
	}
	for t := range a.timers {
		atLeast(&a.timers[t])
	}
	atLeast(&a.notice)
	atLeast(&a.action)
}

// setTimers disarms the timer that expired, and sets and stops the timers of a step.
func (n *runner) setTimers(e spec.Event, fx spec.Effects) {
	if e.Kind == spec.Timeout {
		n.agenda.timers[e.Timer] = time.Time{}
	}
	now := time.Now()
	for t, rule := range n.traits.Rules {
		switch {
		case fx.Armed>>t&1 != 0:
			n.agenda.timers[t] = now.Add(n.config.Durations[rule.Name])
		case fx.Stopped>>t&1 != 0:
			n.agenda.timers[t] = time.Time{}
		}
	}
}

// expire handles the timers that are due. If the machine refuses, the timer stays
// armed, and is due again after as long.
func (n *runner) expire(now time.Time) {
	for t, rule := range n.traits.Rules {
		if n.agenda.timers[t].IsZero() || now.Before(n.agenda.timers[t]) {
			continue
		}
		in := runlog.Input{Timer: rule.Name}
		if n.step(spec.Event{Kind: spec.Timeout, Timer: spec.Timer(t)}, in) == nil {
			n.agenda.timers[t] = now.Add(n.config.Durations[rule.Name])
		}
		n.pump()
	}
}

// notice makes the process notice that it has no live leader: at once if its leader is
// suspected, and after a while if it knows none. It repeats this at intervals, as the
// machine may be busy and refuse.
func (n *runner) notice(now time.Time) {
	if n.up.IsZero() || !n.traits.Notices() || n.config.Bystander {
		return
	}
	suspected := n.leader != spec.None && !n.live().Has(n.leader)
	wait := n.config.Durations[timerNotice]
	switch {
	case n.leader != spec.None && !suspected:
		n.agenda.notice = time.Time{}
	case n.agenda.notice.IsZero() && !suspected:
		n.agenda.notice = now.Add(wait)
	case n.agenda.notice.IsZero() || !now.Before(n.agenda.notice):
		n.agenda.notice = now.Add(wait)
		n.step(spec.NoticeEvent(), runlog.Input{})
		n.pump()
	}
}

// moment is all that decides what a process may do of its own accord.
type moment struct {
	steps uint64
	live  spec.Set // if the algorithm asks
}

func (n *runner) moment() moment {
	m := moment{steps: n.steps}
	if n.traits.Oracle {
		m.live = n.live()
	}
	return m
}

// act lets fair actions happen: as long as their timer after they become possible, and again after
// as long. If nothing comes of any, they wait until something else has happened.
func (n *runner) act(now time.Time) {
	if n.up.IsZero() {
		return
	}
	if due := n.agenda.action; !due.IsZero() && !now.Before(due) {
		n.agenda.action = time.Time{}
		if !n.actOnce() {
			n.fruitless = n.moment()
		}
		n.pump()
	}
	if n.agenda.action.IsZero() && n.fruitless != n.moment() && n.mayAct() {
		n.agenda.action = now.Add(n.config.Durations[timerAction])
	}
}

// byItself reports whether an action happens because it is possible. Notices have a timer of their own.
func byItself(a spec.ActionTraits) bool { return a.Fair && !a.Leaderless }

// mayAct reports whether some fair action is possible, unless its handler refuses.
func (n *runner) mayAct() bool {
	for _, a := range n.traits.Actions {
		if byItself(a) && a.When(n.local.state) {
			return true
		}
	}
	return false
}

// actOnce lets each fair action happen once, with one of its values; false: nothing came of any.
func (n *runner) actOnce() (happened bool) {
	for i, a := range n.traits.Actions {
		if !byItself(a) {
			continue
		}
		for _, k := range rand.Perm(len(a.Values)) {
			r := n.step(spec.Event{Kind: spec.Act, Action: uint8(i), Value: a.Values[k]}, runlog.Input{})
			if r != nil && r.Step > 0 {
				happened = true
				break
			}
		}
	}
	return happened
}

// watchClock checks how late the process runs, and whether the wall clock went like the
// steady one.
func (n *runner) watchClock(target, now time.Time) {
	steady, wall := now.Sub(n.clock), now.Round(0).Sub(n.clock.Round(0))
	n.clock = now
	n.watchWall(wall - steady)
	if late := now.Sub(target); late > n.config.Delta {
		n.breach(runlog.Breach{Kind: runlog.BreachSuspended, Took: round(late).String(), Text: fmt.Sprintf("the process did not run for %v", round(late))})
		n.grace(now)
	}
}

// grace postpones what is due by delta, so that what has arrived in the meantime is
// read first.
func (n *runner) grace(now time.Time) {
	least := now.Add(n.config.Delta)
	n.agenda.postpone(least)
	for _, p := range n.peers {
		if p.deadline.Before(least) {
			p.deadline = least
		}
	}
}
