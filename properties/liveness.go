package properties

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"interleave/explore"
	"interleave/explore/ltl"
	"interleave/internal/printable"
	"interleave/model"
)

// liveness returns the finding on a Liveness property. The mark is that of states at rest in
// which a run that ends there may violate it.
func (c *check) liveness(ctx context.Context, f Finding, mark uint8) (Finding, error) {
	if c.found(mark) {
		if found, err := c.ending(f, mark); err != nil || found.Verdict == Violated {
			return found, err
		}
	}
	if f, known := c.circling[mark]; known {
		return f, nil
	}
	t := c.temporal[mark]
	if c.result.Outcome != explore.Exhausted {
		return c.soFar(ctx, f, mark)
	}
	endsWell := !c.found(mark) && t.endsDecide(c.config)
	if endsWell && (c.reduction == Reduced || !c.mayCircle()) { // a graph is Reduced only if it has no cycle
		f.Verdict = Verified
		return f, nil
	}
	runs, err := c.fairRuns(ctx)
	if err != nil {
		f.Why, err = tellUndecided(err)
		return f, err
	}
	if endsWell && !runs.Circle() {
		f.Verdict = Verified
		return f, nil
	}
	switch lasso, found, err := runs.Accepted(ctx, t.against, t.marks); {
	case err != nil:
		f.Why, err = tellUndecided(err)
		return f, err
	case found:
		return c.onCircle(f, lasso)
	case c.config.Bound > 0:
		return c.cutShort(f), nil
	}
	f, err = t.unlessVacuous(f, func(a *ltl.Automaton) (bool, error) {
		_, met, err := runs.Accepted(ctx, a, t.marks)
		return met, err
	})
	if err != nil {
		f.Why, err = tellUndecided(err)
	}
	return f, err
}

// soFar is liveness for a search that a limit has ended. A fair run among the expanded states
// is one of the world, whatever else there may be.
func (c *check) soFar(ctx context.Context, f Finding, mark uint8) (Finding, error) {
	open := c.unfinished(f)
	if c.result.Outcome == explore.Stopped || c.options.Store != explore.Exact || c.reducing || !c.found(mark) && !c.mayCircle() {
		return open, nil
	}
	found, err := c.circles(ctx, f, c.temporal[mark])
	if err == nil && found.Verdict == Violated {
		return found, nil
	}
	why, err := tellUndecided(err)
	if ctx.Err() == nil && why != "" {
		open.Why += "; " + why
	}
	return open, err
}

// circles returns f as violated if a fair run among the expanded states violates it.
func (c *check) circles(ctx context.Context, f Finding, t *temporal) (Finding, error) {
	runs, err := c.fairRuns(ctx)
	if err != nil {
		return f, err
	}
	lasso, found, err := runs.Accepted(ctx, t.against, t.marks)
	if !found {
		return f, err
	}
	return c.onCircle(f, lasso)
}

// onCircle returns f as violated by a lasso, which must violate it.
func (c *check) onCircle(f Finding, lasso explore.Lasso) (Finding, error) {
	f, err := c.onLasso(f, lasso)
	if err == nil && f.Verdict != Violated {
		err = &ContradictionError{fmt.Sprintf("%s is not false on its counterexample", f.Name)}
	}
	return f, err
}

// byEnds reports whether a property of runs is decided by where they end, since none circles;
// false if ctx ends before that is known.
func (c *check) byEnds(ctx context.Context, mark uint8) (bool, error) {
	if c.found(mark) || !c.temporal[mark].endsDecide(c.config) {
		return false, nil
	}
	if !c.mayCircle() {
		return true, nil
	}
	circles, err := c.result.Graph.Circles(ctx, c.spare())
	if ctx.Err() != nil || errors.Is(err, explore.ErrMemory) {
		return false, nil
	}
	return err == nil && !circles, err
}

// cutShort returns f as not decided, since the bound of the world cuts off how runs go on. It
// names the properties that the algorithm promises instead.
func (c *check) cutShort(f Finding) Finding {
	f.Why, f.cutShort = "the bound cuts runs short: nothing can be said of what happens eventually", true
	var instead []string
	promised, _ := Standard(c.machine, c.config)
	for _, p := range promised {
		if p.calm {
			instead = append(instead, p.Name)
		}
	}
	if instead != nil {
		f.Why += "; ask " + strings.Join(instead, ", ") + " instead, of what comes once nothing fails any more"
	}
	return f
}

// fairRuns returns the fair runs of the explored states.
func (c *check) fairRuns(ctx context.Context) (_ *explore.FairRuns, err error) {
	if c.runs == nil {
		c.runs, err = c.result.Graph.FairRuns(ctx, explore.RunOptions{Fair: c.sys.Fairness(), Atoms: c.atoms, Memory: c.spare(), Progress: c.options.Judging})
	}
	return c.runs, err
}

// tellCircles reports whether the explored graph may have a cycle, as far as that is known
// without looking at its steps. A state in which a run may stay, though steps are possible that
// need not happen, counts as a cycle.
func (c *check) tellCircles() bool {
	if c.config.Fairness.Unfair != nil {
		return true
	}
	if c.result.Graph.Forward() {
		return false
	}
	sys, hasTables := c.sys.(*model.System)
	return !hasTables || sys.MayCircle()
}

// spare is the memory that states and tables leave.
func (c *check) spare() int64 {
	if c.options.Memory == 0 {
		return 0
	}
	return max(1, forStates(c.options.Memory)-c.result.Stats.Bytes)
}

// tellUndecided says why a question about runs has no answer. It returns an error that does not
// explain that.
func tellUndecided(err error) (why string, _ error) {
	switch {
	case errors.Is(err, explore.ErrOnDisk):
		return fmt.Sprintf("%v: some steps lead back, and runs that circle are looked for in memory only", err), nil
	case errors.Is(err, explore.ErrMemory):
		return "the memory limit was reached while looking for runs that circle", nil
	case errors.Is(err, context.DeadlineExceeded):
		return "the look for runs that circle did not finish: time ran out", nil
	case errors.Is(err, context.Canceled):
		return "the look for runs that circle did not finish: interrupted", nil
	}
	return "", err
}

// ending returns f as violated by the run that ends in the bearer of a mark, if its property is
// false on that run.
func (c *check) ending(f Finding, mark uint8) (Finding, error) {
	lasso := explore.Lasso{Path: c.result.Graph.Path(c.result.Found(mark).State)}
	lasso.Loop = len(lasso.States) - 1
	return c.onLasso(f, lasso)
}

// onLasso returns f as violated by a lasso, if its property is false on that as the handlers
// repeat it. They must be able to repeat it in any case.
func (c *check) onLasso(f Finding, lasso explore.Lasso) (Finding, error) {
	trace, run, err := c.record(lasso.Path, c.events(lasso.Path))
	if err != nil {
		return f, err
	}
	trace.Loop = lasso.Loop + 1
	return showing(c.reference, f, trace, run), nil
}

// showing returns f as violated by a lasso, if its property is false on that.
func showing(r *model.Reference, f Finding, trace *model.Trace, run *model.Run) Finding {
	why := f.Property.falseOnLasso(r, run, trace.Loop)
	if why == nil {
		return f
	}
	f.Fairness, _ = Witnesses(r, run, trace.Loop)
	trace.Property, trace.Reason = f.Name, printable.Text(why.Error())
	f.Verdict, f.Why, f.Depth, f.Trace = Violated, trace.Reason, len(trace.Steps), trace
	return f
}
