package impl

import (
	"fmt"

	"interleave/spec"
)

// Clock is a vector clock: how many steps of each process had been taken, as far as one
// process could know. Steps are counted over all incarnations.
type Clock map[spec.ID]uint64

// Clocks returns the vector clock of every step in the logs of a run. The logs must be
// complete: one of them has the sending of every message that was received. Frames
// carry no clocks, since they follow from the names of the messages in the logs.
func Clocks(logs map[spec.ID][]Record) (map[spec.ID][]Clock, error) {
	c := clocks{sender: map[Name]place{}, steps: map[spec.ID][]Record{}, done: map[spec.ID][]Clock{}}
	for id, log := range logs {
		for _, r := range log {
			if r.Line != LineStep {
				continue
			}
			for _, s := range r.Sends {
				c.sender[Name{id, r.Incarnation, s.Sequence}] = place{id, len(c.steps[id])}
			}
			c.steps[id] = append(c.steps[id], r)
		}
	}
	for progress := true; progress; {
		progress = false
		for id := range c.steps {
			for len(c.done[id]) < len(c.steps[id]) && c.step(id) {
				progress = true
			}
		}
	}
	for id, steps := range c.steps {
		if n := len(c.done[id]); n < len(steps) {
			return nil, fmt.Errorf("process %v, incarnation %d, step %d: it receives what no step before it sent", id, steps[n].Incarnation, steps[n].Step)
		}
	}
	return c.done, nil
}

// place is a step of a process, from 0.
type place struct {
	process spec.ID
	step    int
}

type clocks struct {
	sender map[Name]place
	steps  map[spec.ID][]Record
	done   map[spec.ID][]Clock
}

// step adds the clock of the next step of a process; false if a message that it
// received comes from a step that has none yet.
func (c *clocks) step(id spec.ID) bool {
	at := len(c.done[id])
	now := Clock{}
	learn := func(from Clock) {
		for q, n := range from {
			now[q] = max(now[q], n)
		}
	}
	if at > 0 {
		learn(c.done[id][at-1])
	}
	in := c.steps[id][at].Input
	letters := in.Inbox
	if in.Received != nil {
		letters = []Letter{*in.Received}
	}
	for _, l := range letters {
		from, ok := c.sender[l.Name]
		if !ok || from.step >= len(c.done[from.process]) {
			return false
		}
		learn(c.done[from.process][from.step])
	}
	now[id] = uint64(at + 1)
	c.done[id] = append(c.done[id], now)
	return true
}
