package logs

import (
	"interleave/conformance"
	"interleave/impl/runlog"
	"interleave/spec"
)

// counts are how often each kind of step was taken.
type counts struct {
	traits   spec.Traits
	events   [spec.Recover + 1]int
	actions  [spec.MaxActions + 1]int
	timeouts [spec.MaxTimers]int
	letters  map[string]int
}

func newCounts(t spec.Traits) counts { return counts{traits: t, letters: map[string]int{}} }

func (n *counts) count(e spec.Event, in *runlog.Input) {
	n.events[e.Kind]++
	switch e.Kind {
	case spec.Act:
		n.actions[e.Action]++
	case spec.Timeout:
		n.timeouts[e.Timer]++
	}
	if in.Received != nil {
		n.letters[in.Received.Kind]++
	}
	for _, l := range in.Inbox {
		n.letters[l.Kind]++
	}
}

// report lists every kind of step that the algorithm can take, those too that
// never were.
func (n *counts) report(r *Report) {
	add := func(kind string, count int) {
		r.Kinds = append(r.Kinds, conformance.KindCount{Kind: kind, Count: count})
	}
	handles := n.traits.Handles.Has
	for _, k := range []spec.EventKind{spec.Init, spec.Recover, spec.Start, spec.Act, spec.Suspect, spec.Restore, spec.Round} {
		if k == spec.Act {
			for i, act := range n.traits.Actions {
				add(act.Name, n.actions[i])
			}
		} else if k == spec.Init || handles(k) {
			add(k.String(), n.events[k])
		}
	}
	for _, kind := range n.traits.Kinds {
		add("receive "+kind, n.letters[kind])
	}
	for t, rule := range n.traits.Rules {
		add("timeout "+rule.Name, n.timeouts[t])
	}
}
