package properties

import (
	"errors"
	"fmt"

	"interleave/explore/dd"
	"interleave/model"
)

// symbolicLiveness returns the finding on a Liveness property.
func (c *check) symbolicLiveness(d *diagrams, f Finding, mark uint8) (Finding, error) {
	t := c.temporal[mark]
	bad, err := d.Find(d.quiet, true, t.watch().State)
	switch {
	case d.Forest.Err() != nil:
		f.Why = "the symbolic engine did not finish: " + gaveUp(d.Forest.Err())
		return f, nil
	case errors.Is(err, model.ErrTooMany):
		f.Why = err.Error()
		return f, nil
	case err != nil:
		return f, err
	case bad != dd.Empty:
		found, err := c.symbolicViolation(d, f.Property, bad)
		found.Note = f.Note
		return found, err
	}
	if c.config.Bound > 0 {
		f.Why = "the bound cuts runs short: nothing can be said of what happens eventually"
		f.Note = "does not count: " + f.Why
		return f, nil
	}
	if !t.endsDecide(c.config) {
		f.Why = "the symbolic engine does not judge it: use the explicit one"
		return f, nil
	}
	c.doing = "looking for cycles"
	switch circles := d.Endless(d.all); {
	case d.Forest.Err() != nil:
		f.Why = "the look for cycles did not finish: " + gaveUp(d.Forest.Err())
	case circles != dd.Empty:
		f.Why = "a run can circle; whether a fair run may do so for ever the symbolic engine does not decide"
	default:
		f.Verdict = Verified // every run ends, and ends well
	}
	return f, nil
}

// resting returns f as violated by a run that ends, if it is on that.
func (c *check) resting(f Finding, initial model.State, events []model.Event) (Finding, error) {
	trace, run, err := c.reference.Record(initial, events)
	if err != nil {
		return f, &ContradictionError{fmt.Sprintf("a counterexample does not replay: %v", err)}
	}
	trace.Loop = len(events) + 1
	if f = showing(c.reference, f, trace, run); f.Verdict != Violated {
		f.Why = "a run may end in a state where it is violated by some runs; whether by any the symbolic engine does not decide"
	}
	return f, nil
}
