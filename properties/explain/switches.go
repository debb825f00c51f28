package explain

import (
	"context"
	"slices"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// switches counts the steps of a run that are of another process than the step before.
func switches(run *model.Run) int {
	n := 0
	for i := 1; i < len(run.Steps); i++ {
		if run.Steps[i].Event.Process != run.Steps[i-1].Event.Process {
			n++
		}
	}
	return n
}

// way is a shortest way to a state. Of those that end with a step of the same process it has the
// fewest switches.
type way struct {
	state    model.State
	last     spec.ID
	switches int
	before   *way
	event    model.Event
}

// fewest returns a run of at most the given number of steps that breaks p at its end: of the
// shortest ones, one with the fewest switches. It is not ok if there are too many states, or if
// none is found.
//
// It goes level by level, like a breadth-first search: a shortest run to a violation reaches each
// of its states by a shortest way.
func fewest(ctx context.Context, r *model.Reference, p properties.Property, steps, limit int) (events []model.Event, initial model.State, ok bool) {
	seen := map[string]bool{}
	var level []*way
	for _, s := range r.Initial() {
		seen[s.Key()] = true
		level = append(level, &way{state: s})
		if p.InState(r.World(s)) != nil {
			return nil, s, true
		}
	}
	for range steps {
		next, best, ok := expand(ctx, r, p, level, seen, limit)
		if !ok {
			return nil, initial, false
		}
		if best != nil {
			for ; best.before != nil; best = best.before {
				events = append(events, best.event)
			}
			slices.Reverse(events)
			return events, best.state, true
		}
		level = next
	}
	return nil, initial, false
}

// place is a state and the process whose step led to it.
type place struct {
	key  string
	last spec.ID
}

// expand returns the ways to the next level, and the best of those that break p. It marks the
// states of that level as seen. It is not ok if there are too many.
func expand(ctx context.Context, r *model.Reference, p properties.Property, level []*way, seen map[string]bool, limit int) (next []*way, best *way, ok bool) {
	at := map[place]*way{}
	broken := map[string]bool{}
	for _, w := range level {
		for _, step := range r.Steps(w.state) {
			further := &way{state: step.After, last: step.Event.Process, switches: w.switches, before: w, event: step.Event}
			if w.before != nil && w.last != step.Event.Process {
				further.switches++
			}
			if p.OnStep(r, w.state, step) != nil {
				best = better(best, further)
				continue
			}
			if step.Panic != "" {
				continue // a violation of another property, which ends the run
			}
			key := step.After.Key()
			if seen[key] {
				continue
			}
			bad, known := broken[key]
			if !known {
				if len(seen)+len(broken) >= limit || ctx.Err() != nil {
					return nil, nil, false
				}
				bad = p.InState(r.World(step.After)) != nil
				broken[key] = bad
			}
			if bad {
				best = better(best, further)
			}
			if known := at[place{key, further.last}]; known == nil {
				at[place{key, further.last}] = further
				next = append(next, further)
			} else if further.switches < known.switches {
				*known = *further
			}
		}
	}
	for key := range broken {
		seen[key] = true
	}
	return next, best, true
}

func better(a, b *way) *way {
	if a == nil || b.switches < a.switches {
		return b
	}
	return a
}
