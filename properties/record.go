package properties

import (
	"errors"
	"fmt"

	"interleave/explore"
	"interleave/internal/printable"
	"interleave/model"
)

// violation returns the finding of a counterexample, whose end bears a mark, after replaying it
// through the handlers.
func (c *check) violation(p Property, mark uint8) (Finding, error) {
	found := c.result.Found(mark)
	path := c.result.Graph.Path(found.State)
	events := c.events(path)
	if found.OnStep {
		events = append(events, c.sys.Event(c.result.Graph.State(found.State), found.Action))
	}
	trace, run, err := c.record(path, events)
	if err != nil {
		return Finding{}, err
	}
	why := falsified(c.reference, p, run)
	if why == nil {
		return Finding{}, &ContradictionError{fmt.Sprintf("%s is not false at the end of its counterexample", p.Name)}
	}
	trace.Property, trace.Reason = p.Name, printable.Text(why.Error())
	return Finding{
		Property: p, Name: p.Name, Doc: p.Doc, Kind: p.Kind,
		Verdict: Violated, Why: trace.Reason, Depth: len(events), Trace: trace,
	}, nil
}

// witnessed adds the run to the goal of a cover, if it is to be kept, or, with a lossy store, to
// be confirmed.
func (c *check) witnessed(f Finding, mark uint8) (_ Finding, err error) {
	if !c.options.Keep && c.options.Store == explore.Exact {
		return f, nil
	}
	path := c.result.Graph.Path(c.result.Found(mark).State)
	if f.Witness, _, err = c.record(path, c.events(path)); err == nil {
		f.Witness.Property, f.Witness.Reason = f.Name, f.Doc
	}
	return f, err
}

// falsified returns why p is false at the end of a run; nil if it is true.
func falsified(r *model.Reference, p Property, run *model.Run) error {
	last := len(run.Steps) - 1
	switch {
	case p.Kind == Messages && p.exceeded(run.MessagesSent()):
		return errors.New(tellMessages(run))
	case p.Kind == StepWise && last >= 0:
		return p.OnStep(r, run.States[last], run.Steps[last])
	}
	return p.InState(r.World(run.End()))
}

// record repeats events through the handlers and compares each state with that of the search.
func (c *check) record(path explore.Path, events []model.Event) (*model.Trace, *model.Run, error) {
	states := make([]model.State, len(path.States))
	for i, n := range path.States {
		states[i] = c.sys.State(c.result.Graph.State(n))
	}
	trace, run, err := c.reference.Record(states[0], events)
	if err != nil {
		return nil, nil, notRepeated("a counterexample", err)
	}
	for i, s := range states {
		if i >= len(run.States) || !s.Equal(run.States[i]) { // it is shorter if a handler panics by now
			return nil, nil, &ContradictionError{fmt.Sprintf("a counterexample replays to another state after step %d", i)}
		}
	}
	return trace, run, nil
}

// notRepeated is the error for a run that was not recorded. It contradicts the search, unless a
// trace cannot have such a run.
func notRepeated(run string, err error) error {
	if lost := (*model.LostError)(nil); errors.As(err, &lost) {
		return lost
	}
	return &ContradictionError{fmt.Sprintf("%s does not replay: %v", run, err)}
}

func (c *check) events(path explore.Path) []model.Event {
	events := make([]model.Event, len(path.Actions))
	for i, a := range path.Actions {
		events[i] = c.sys.Event(c.result.Graph.State(path.States[i]), a)
	}
	return events
}

// states yields every explored state.
func (c *check) states(yield func(model.State) bool) {
	for n := range c.result.Graph.States() {
		if !yield(c.sys.State(c.result.Graph.State(n))) {
			return
		}
	}
}
