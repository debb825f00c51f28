package plan

import (
	"context"
	"fmt"

	"interleave/explore/dd"
	"interleave/model"
	"interleave/model/diagram"
)

// messages implements evidence.
func (d *diagrams) messages(ctx context.Context, p Property) (Finding, error) {
	if d.Overapprox {
		return Finding{Why: overapproxLeavesOpen}, nil
	}
	d.doing = "looking for runs that send messages without end"
	endless := d.Forest.Keep(d.SendForever(d.all))
	defer d.Forest.Drop(endless)
	m := &MessageCount{Unbounded: endless != dd.Empty, Ends: d.quiet != dd.Empty}
	var err error
	if m.Unbounded {
		if m.MostRun, err = d.sendingForever(ctx, endless, p.Name); err == nil && m.MostRun == nil && d.Forest.Err() == nil {
			around := d.question.Schedule.Around
			return Finding{Why: fmt.Sprintf("a run sends messages without end, but among %d states there is no loop to show", around[len(around)-1])}, nil
		}
	}
	if err == nil && d.Forest.Err() == nil {
		d.doing = "counting the messages of runs"
		err = d.extremes(m, p.Name)
	}
	if err != nil || d.Forest.Err() != nil {
		return d.undecided(err)
	}
	return d.question.counted(p, m), nil
}

// extremes looks for a run that sends the fewest messages, and for one
// that sends the most, if there is a limit.
func (d *diagrams) extremes(m *MessageCount, name string) error {
	if m.Unbounded && !m.Ends {
		return nil
	}
	rests := func(s dd.Set) bool { return d.Forest.Intersect(s, d.quiet) != dd.Empty }
	s := diagram.NewSendings(d.System, d.strategy, func(sent dd.Set) bool { return m.Unbounded && rests(sent) })
	defer s.Drop()
	if d.Forest.Err() != nil {
		return nil
	}
	var err error
	if m.Ends {
		for m.Least = 0; !rests(s.Sent[m.Least]); {
			m.Least++
		}
		if m.LeastRun, err = d.sending(s, m.Least, d.Forest.Intersect(s.Sent[m.Least], d.quiet), name); err != nil {
			return err
		}
	}
	if !m.Unbounded {
		m.Most = len(s.Sent) - 1
		m.MostRun, err = d.sending(s, m.Most, s.Sent[m.Most], name)
	}
	return err
}

// sending records a run that sends n messages and ends in a goal; nil if the
// forest failed.
func (d *diagrams) sending(s *diagram.Sendings, n int, goal dd.Set, name string) (*model.Trace, error) {
	path, sends := s.Path(n, goal)
	if path == nil {
		return nil, nil
	}
	events, err := d.eventsAlong(path, sends)
	if err != nil {
		return nil, err
	}
	trace, run, err := model.Record(d.question.Reference, path[0], events)
	switch {
	case err != nil:
		return nil, notRepeated(fmt.Sprintf("a run that sends %d messages", n), err)
	case run.MessagesSent() != n:
		return nil, &ContradictionError{fmt.Sprintf("a run that sends %d messages sends %d", n, run.MessagesSent())}
	}
	trace.Property, trace.Reason = name, Sent(run)
	return trace, nil
}

// sendingForever records a run that sends messages without end, given the states in which it may
// go on; nil if no loop is found. The path to these states comes from the diagrams; the loop is
// looked for from its end, state by state.
func (d *diagrams) sendingForever(ctx context.Context, endless dd.Set, name string) (*model.Trace, error) {
	stem := d.Path(d.all, endless)
	if stem == nil {
		return nil, nil
	}
	events, err := d.eventsAlong(stem, nil)
	if err != nil {
		return nil, err
	}
	for _, most := range d.question.Schedule.Around {
		some := newSurroundings(d, endless, most)
		graph, err := some.graphFrom(ctx, stem[len(stem)-1])
		if err != nil {
			return nil, err
		}
		e, err := graph.Extremes(ctx, model.MessagesSent, 0)
		switch {
		case err != nil:
			return nil, err
		case !e.Unbounded && some.left > 0:
			return nil, &ContradictionError{"no run sends messages without end through the states that diagrams found"}
		case !e.Unbounded:
			continue
		}
		trace, run, err := d.record(stem[0], append(events, d.eventsOf(graph, e.MostPath)...))
		if err != nil {
			return nil, err
		}
		trace.Loop = len(events) + loopOf(e.MostPath)
		if !run.States[trace.Loop-1].Equal(run.End()) || !SendsForever(run, trace.Loop) {
			return nil, &ContradictionError{"a run that sends messages without end does not"}
		}
		trace.Property, trace.Reason = name, Endless
		return trace, nil
	}
	return nil, nil
}
