package impl

import (
	"time"

	"interleave/spec"
)

// setTimers disarms the timer that expired, and sets and stops the timers of a step.
func (n *Node) setTimers(e spec.Event, fx spec.Effects) {
	if e.Kind == spec.Timeout {
		n.armed[e.Timer] = time.Time{}
	}
	now := time.Now()
	for t, rule := range n.traits.Rules {
		switch {
		case fx.Armed>>t&1 != 0:
			n.armed[t] = now.Add(n.config.Durations[rule.Name])
		case fx.Stopped>>t&1 != 0:
			n.armed[t] = time.Time{}
		}
	}
}

// expire handles the timers that are due. If the machine refuses, the timer stays
// armed, and is due again after as long.
func (n *Node) expire(now time.Time) {
	for t, rule := range n.traits.Rules {
		if n.armed[t].IsZero() || now.Before(n.armed[t]) {
			continue
		}
		in := Input{Timer: rule.Name}
		if !n.step(spec.Event{Kind: spec.Timeout, Timer: spec.Timer(t)}, in) {
			n.armed[t] = now.Add(n.config.Durations[rule.Name])
		}
		n.pump()
	}
}

// notice makes the process notice that it has no live leader: at once if its leader is
// suspected, and after a while if it knows none. It repeats this at intervals, as the
// machine may be busy and refuse.
func (n *Node) notice(now time.Time) {
	if n.up.IsZero() || !n.traits.Handles.Has(spec.Notice) || n.config.Bystander {
		return
	}
	suspected := n.leader != spec.None && !n.live().Has(n.leader)
	wait := n.config.Durations[timerNotice]
	switch {
	case n.leader != spec.None && !suspected:
		n.noticeAt = time.Time{}
	case n.noticeAt.IsZero() && !suspected:
		n.noticeAt = now.Add(wait)
	case n.noticeAt.IsZero() || !now.Before(n.noticeAt):
		n.noticeAt = now.Add(wait)
		n.step(spec.Event{Kind: spec.Notice}, Input{})
		n.pump()
	}
}
