package properties

import (
	"context"
	"fmt"
	"slices"

	"interleave/explore"
	"interleave/explore/dd"
	"interleave/model"
)

// symbolicMessages decides how many messages a run may send.
func (c *check) symbolicMessages(ctx context.Context, d *diagrams, f Finding) (Finding, error) {
	if d.Loose {
		f.Why = looseDecidesNot
		return f, nil
	}
	c.doing = "looking for runs that send messages without end"
	endless := d.Forest.Keep(d.SendForever(d.all))
	defer d.Forest.Drop(endless)
	m := &MessageCount{Unbounded: endless != dd.Empty, Ends: d.quiet != dd.Empty}
	if m.Unbounded {
		var err error
		if m.MostRun, err = c.sendingForever(ctx, d, endless, f.Name); err != nil || m.MostRun == nil {
			f.Why = fmt.Sprintf("a run sends messages without end, but among %d states there is no loop to show", fragments[len(fragments)-1])
			return d.open(f, err)
		}
	}
	c.doing = "counting the messages of runs"
	if err := c.symbolicExtremes(d, m, f.Name); err != nil || d.Forest.Err() != nil {
		return d.open(f, err)
	}
	return c.weighed(f, m), nil
}

// symbolicExtremes looks for a run that sends the fewest messages, and for one
// that sends the most, if there is a limit.
func (c *check) symbolicExtremes(d *diagrams, m *MessageCount, name string) error {
	if m.Unbounded && !m.Ends {
		return nil
	}
	rests := func(s dd.Set) bool { return d.Forest.Intersect(s, d.quiet) != dd.Empty }
	s := d.Sendings(c.tried[len(c.tried)-1].Strategy, func(sent dd.Set) bool { return m.Unbounded && rests(sent) })
	defer s.Drop()
	if d.Forest.Err() != nil {
		return nil
	}
	var err error
	if m.Ends {
		for m.Least = 0; !rests(s.Sent[m.Least]); {
			m.Least++
		}
		if m.LeastRun, err = c.sending(d, s, m.Least, d.Forest.Intersect(s.Sent[m.Least], d.quiet), name); err != nil {
			return err
		}
	}
	if !m.Unbounded {
		m.Most = len(s.Sent) - 1
		m.MostRun, err = c.sending(d, s, m.Most, s.Sent[m.Most], name)
	}
	return err
}

// sending records a run that sends n messages and ends in a goal; nil if the
// forest failed.
func (c *check) sending(d *diagrams, s *model.Sendings, n int, goal dd.Set, name string) (*model.Trace, error) {
	path, sends := s.Path(n, goal)
	if path == nil {
		return nil, nil
	}
	events, err := c.eventsAlong(path, sends)
	if err != nil {
		return nil, err
	}
	trace, run, err := c.reference.Record(path[0], events)
	switch {
	case err != nil:
		return nil, notRepeated(fmt.Sprintf("a run that sends %d messages", n), err)
	case run.MessagesSent() != n:
		return nil, &ContradictionError{fmt.Sprintf("a run that sends %d messages sends %d", n, run.MessagesSent())}
	}
	trace.Property, trace.Reason = name, tellMessages(run)
	return trace, nil
}

// sendingForever records a run that sends messages without end, given the states in which it may
// go on; nil if no loop is found. The path to these states comes from the diagrams; the loop is
// looked for from its end, state by state.
func (c *check) sendingForever(ctx context.Context, d *diagrams, endless dd.Set, name string) (*model.Trace, error) {
	stem := d.Path(d.all, endless)
	if stem == nil {
		return nil, nil
	}
	events, err := c.eventsAlong(stem, nil)
	if err != nil {
		return nil, err
	}
	for _, most := range fragments {
		some := &surroundings{diagrams: d, inside: endless, left: most, met: map[string]bool{}}
		graph, err := c.around(ctx, some, stem[len(stem)-1])
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
		return c.sendingLoop(stem[0], events, graph, e.MostPath, name)
	}
	return nil, nil
}

// sendingLoop records a run that, after some events, follows a path of a graph, which ends in a
// state where it was before.
func (c *check) sendingLoop(initial model.State, events []model.Event, graph *explore.Graph, path explore.Path, name string) (*model.Trace, error) {
	last := len(path.States) - 1
	loop := len(events) + slices.Index(path.States[:last], path.States[last]) + 1
	for i, a := range path.Actions {
		events = append(events, c.sys.Event(graph.State(path.States[i]), a))
	}
	trace, run, err := c.reference.Record(initial, events)
	if err != nil {
		return nil, notRepeated("a counterexample", err)
	}
	if trace.Loop = loop; !run.States[loop-1].Equal(run.End()) || !sendsForever(trace, run) {
		return nil, &ContradictionError{"a run that sends messages without end does not"}
	}
	trace.Property, trace.Reason = name, endless
	return trace, nil
}
