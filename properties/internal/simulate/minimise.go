package simulate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"interleave/model"
	"interleave/properties/internal/plan"
	"interleave/spec"
)

// mostTried bounds the steps that are taken to make a run smaller, so that it takes seconds. Those of existing code may take
// long: see mostTime.
const mostTried, mostTime = 200_000, 20 * time.Second

// Minimise returns a run from the same state that violates the property at its end, by the handlers alone, and of which
// no event, nor half or quarter and so on, can be left out (Zeller and Hildebrandt, Simplifying and Isolating
// Failure-Inducing Input, 2002). What is not possible without what was left out is left out too. Then events move to
// others of the same process, as far as they may. Long runs may end larger than they need be: see mostTried. So do
// those of existing code after mostTime, and all when ctx ends; then whole is false.
func Minimise(ctx context.Context, r *model.Reference, initial model.State, events []model.Event, violated plan.Property) (fewer []model.Event, whole bool, _ error) {
	m := &minimiser{r, initial, violated, mostTried + len(events), context.WithoutCancel(ctx)}
	found := m.again(events)
	if found == nil {
		return nil, false, &plan.ContradictionError{Reason: fmt.Sprintf("the handlers do not repeat a run of %d steps that violates %s", len(events), violated.Name)}
	}
	m.ctx = ctx
	if r.Traits().Code != nil {
		var cancel context.CancelFunc
		m.ctx, cancel = context.WithTimeout(m.ctx, mostTime)
		defer cancel()
	}
	fewer = m.grouped(m.shortened(m.withFewer(found)))
	return fewer, m.left >= 0 && m.ctx.Err() == nil, nil
}

type minimiser struct {
	reference *model.Reference
	initial   model.State
	violated  plan.Property
	left      int // steps
	ctx       context.Context
}

// again takes those of the events that are possible, in turn. It returns the events taken up to the first violation; nil
// if there is none. A Recoverable is judged at the end only, since that takes a search.
func (m *minimiser) again(events []model.Event) (taken []model.Event) {
	run, atEnd := &model.Run{States: []model.State{m.initial}}, m.violated.Kind == plan.Recoverable
	if !atEnd && m.violated.False(run, 0) != nil {
		return []model.Event{}
	}
	for _, e := range events {
		if m.left--; m.left < 0 || m.ctx.Err() != nil {
			return nil
		}
		step, err := m.reference.Do(run.End(), e)
		if err != nil {
			continue
		}
		taken, run.Steps = append(taken, e), append(run.Steps, step)
		if step.Panic == "" {
			run.States = append(run.States, step.After)
		}
		switch {
		case !atEnd && m.violated.False(run, 0) != nil:
			return taken
		case step.Panic != "":
			return nil
		}
	}
	if atEnd && m.lost(run) {
		return append([]model.Event{}, taken...)
	}
	return nil
}

// lost judges a Recoverable at the end of a run. What it calls handlers for counts as steps.
func (m *minimiser) lost(run *model.Run) bool {
	const callsOfStep = 8
	before := m.reference.HandlerCalls
	why := m.violated.False(run, 0)
	m.left -= (m.reference.HandlerCalls - before) / callsOfStep
	return why != nil
}

// withFewer leaves out all faults, and then all that some processes do, where it can.
func (m *minimiser) withFewer(events []model.Event) []model.Event {
	without := func(out func(e model.Event) bool) {
		if fewer := m.again(slices.DeleteFunc(slices.Clone(events), out)); fewer != nil {
			events = fewer
		}
	}
	without(func(e model.Event) bool { return e.Action != model.Handle })
	for p := range spec.UpTo(m.reference.Config().N).All() {
		without(func(e model.Event) bool { return e.Process == p })
	}
	return events
}

// shortened leaves out what it can.
func (m *minimiser) shortened(events []model.Event) []model.Event {
	for size := (len(events) + 1) / 2; size > 0; {
		before := len(events)
		for at := len(events) - size; at > -size; at -= size { // what comes last depends on what is before
			from, to := max(at, 0), min(max(at, 0)+size, len(events))
			if from >= to {
				continue
			}
			if fewer := m.again(slices.Delete(slices.Clone(events), from, to)); fewer != nil && len(fewer) < len(events) {
				events = fewer
			}
		}
		if size > 1 {
			size = min(size/2, (len(events)+1)/2)
		} else if len(events) == before {
			break
		}
	}
	return events
}

// grouped moves events next to others of the same process where the run still violates the property, and is no longer.
func (m *minimiser) grouped(events []model.Event) []model.Event {
	for better := true; better; {
		better = false
		for i := 0; i < len(events); i++ { // which may become fewer
			for j := i + 2; j < len(events); j++ {
				if events[j].Process != events[i].Process {
					continue
				}
				moved := slices.Insert(slices.Delete(slices.Clone(events), j, j+1), i+1, events[j])
				if switches(moved) >= switches(events) {
					break
				}
				if other := m.again(moved); other != nil && len(other) <= len(events) && switches(other) < switches(events) {
					events, better = other, true
				}
				break
			}
		}
	}
	return events
}

// switches counts the events that are of another process than the one before.
func switches(events []model.Event) (n int) {
	for i := range events {
		if i > 0 && events[i].Process != events[i-1].Process {
			n++
		}
	}
	return n
}
