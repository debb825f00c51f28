package cluster

import (
	"fmt"

	"interleave/impl/cluster/network"
	"interleave/spec"
)

// Warnings returns, in a sentence each, what the plan asks of an algorithm that it was not made
// for, which parts of the plan break δ, and which have no effect.
func (c Config) Warnings() (all []string) {
	warn := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	t := c.Machine.Traits()
	has := t.Handles.Has
	if c.Plan.kills(c.Elections) && !has(spec.Suspect) && !has(spec.Timeout) && !has(spec.Act) && !has(spec.Round) {
		warn("processes are killed, and nothing in %s notices a crash: the others may wait forever", t.Name)
	}
	if (c.Elections > 0 || c.Plan.restarts()) && !has(spec.Recover) && !has(spec.Timeout) {
		lack := "what the others know by then"
		if t.Elects {
			lack = "of the leader"
		}
		warn("killed processes come back, and %s knows no recovery: they may never be told %s", t.Name, lack)
	}
	delay, faults := c.Plan.worst()
	if delay > c.Delta {
		warn("packets take up to %v, longer than δ, %v: raise --delta, or the timers are too short", delay, c.Delta)
	}
	if c.Stream && faults[Loss] && network.StallTime > c.Delta {
		warn("over TCP a lost packet comes %v late, longer than δ, %v: raise --delta, or the timers are too short", network.StallTime, c.Delta)
	}
	for _, verb := range []Verb{Duplicate, Reorder} {
		if c.Stream && faults[verb] {
			warn("%s has no effect over TCP, which delivers once and in order: leave it out, or use UDP", verb)
		}
	}
	return all
}
