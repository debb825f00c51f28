package plan

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"interleave/explore"
	"interleave/model"
	"interleave/model/compiled"
)

// Reduced is the Stats.Reduction of a search that left something out.
const Reduced = "ample sets"

// reduced explores what a reduction leaves, if one was asked for and decides the properties, and
// otherwise everything. What is known in the end, it returns even with an error.
func reduced(ctx context.Context, q *Question, known partial) (*states, partial, error) {
	known.reduction = ""
	if !q.Reduce {
		return everything(ctx, q, known)
	}
	why := q.unusual()
	if why == "" && q.code() != nil {
		why = asksCode
	}
	if why != "" {
		known.reduction = "off: it " + why
		return everything(ctx, q, known)
	}
	for visible := model.ReadSet(0); ; {
		s, err := newSearch(ctx, q, known, func(s *compiled.System) error { return s.Reduce(visible) })
		if errors.Is(err, compiled.ErrNotReducible) {
			known.reduction = "off: " + strings.TrimPrefix(err.Error(), compiled.ErrNotReducible.Error()+": ")
			return everything(ctx, q, known)
		}
		if err != nil {
			return nil, known, err
		}
		found, err := s.run(ctx)
		if known = s.known; err != nil {
			return nil, known, err
		}
		var hidden model.ReadSet
		err = found.during(func() (err error) {
			known.reduction, hidden, err = doubt(ctx, found)
			return err
		})
		if err != nil {
			return nil, known, err
		}
		if known.reduction == Reduced {
			return found, known, nil
		}
		if err := found.Graph.Close(); err != nil {
			return nil, known, err
		}
		if hidden == 0 {
			return everything(ctx, q, known)
		}
		visible |= hidden
	}
}

// hidden returns what properties looked at so far that a reduced search does not show in every order.
func (s *search) hidden(soFar *states) model.ReadSet {
	return s.sys.(*compiled.System).Hidden(soFar.Marks)
}

// everything explores without a reduction.
func everything(ctx context.Context, q *Question, known partial) (*states, partial, error) {
	s, err := newSearch(ctx, q, known, nil)
	if err != nil {
		return nil, known, err
	}
	found, err := s.run(ctx)
	return found, s.known, err
}

// doubt says why a reduced search may have hidden something, or that it is Reduced. What it hid it would
// not hide if that were known to be of interest.
func doubt(ctx context.Context, found *states) (reduction string, hid model.ReadSet, err error) {
	if found.Outcome == explore.Stopped && !found.hides || ctx.Err() != nil {
		return Reduced, 0, nil // what was found is real, and nothing else is claimed
	}
	switch hidden := found.hidden(found); {
	case hidden&^compiled.OfLocals != 0:
		return "off: a property looks at messages in flight, or at whether anything can happen", 0, nil
	case hidden != 0:
		return "off: a property looks at more of local states than it seemed", hidden, nil
	}
	if found.Outcome != explore.Exhausted {
		return Reduced, 0, nil
	}
	for i, p := range found.Properties {
		if p.Kind == Recoverable && (found.found(uint8(i)) || found.Config.Bound > 0) ||
			p.Kind == Liveness && (!p.Runs.EndsDecide(found.Config) || found.found(uint8(i)) && !p.Runs.Formula.Tail()) {
			return "off: " + p.Name + " is not decided by where runs end", 0, nil
		}
	}
	if !found.mayCycle() {
		return Reduced, 0, nil
	}
	switch cyclic, err := found.Graph.Cycles(ctx, found.spare()); {
	case errors.Is(err, explore.ErrOnDisk) || errors.Is(err, explore.ErrMemory):
		return fmt.Sprintf("off: %v, so that it is not known whether a step may be put off forever", err), 0, nil
	case cyclic || err != nil:
		return "off: runs can cycle, and a step may be put off forever", 0, nil
	}
	return Reduced, 0, nil
}
