package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"interleave/explore"
	"interleave/explore/dd"
	"interleave/explore/ltl"
	"interleave/model"
	"interleave/model/diagram"
)

// runs implements evidence.
func (d *diagrams) runs(ctx context.Context, p Property, mark uint8) (Finding, error) {
	if kept := d.known.findings[mark]; kept.Verdict == explore.Violated { // its run was repeated; to find another takes long
		return kept, nil
	}
	d.doing = "judging " + p.Name
	bad, err := d.Find(d.quiet, d.quiet, p.Runs.MayEndBadly)
	if err != nil || d.Forest.Err() != nil {
		return d.undecided(err)
	}
	if bad != dd.Empty && !d.Overapprox {
		switch found, err := d.ending(p, bad); {
		case err != nil:
			return Finding{}, err
		case found != nil:
			return *found, nil
		}
	}
	d.doing = "looking for cycles"
	r := &diagramRuns{diagrams: d, of: p, mark: mark, endWell: bad == dd.Empty}
	defer r.drop()
	f, err := d.question.judgeRuns(ctx, p, r.endWell, r)
	if r.sought { // and confirmed by the handlers, if it was found
		return f, err
	}
	if err != nil || d.Forest.Err() != nil {
		return d.undecided(err)
	}
	return f, nil
}

// undecided returns a finding that says why the question has no answer: the forest failed, since
// then none of its answers means anything, or err explains it; any other error is returned.
func (d *diagrams) undecided(err error) (Finding, error) {
	why := d.failure()
	switch {
	case why != "":
		return Finding{Why: why}, nil
	case errors.Is(err, diagram.ErrTooMany) || errors.Is(err, diagram.ErrOverapprox):
		return Finding{Why: err.Error()}, nil
	}
	why, err = whyUndecided(err)
	return Finding{Why: why}, err
}

// ending returns the finding of a run that ends in a bad state, if its property is false on that;
// otherwise nil, or why that is not known.
func (d *diagrams) ending(p Property, bad dd.Set) (*Finding, error) {
	trace, run, why, err := d.recordTo(p, bad)
	switch {
	case err != nil:
		return nil, err
	case trace == nil && d.Forest.Err() != nil:
		return &Finding{Why: why}, nil
	case trace == nil:
		return nil, nil
	}
	trace.Loop = len(trace.Steps) + 1
	return onLasso(p, trace, run), nil
}

// diagramRuns are the runs through diagrams, as a property sees them.
type diagramRuns struct {
	*diagrams
	of      Property
	mark    uint8
	endWell bool
	sought  bool     // a run that violates the property was found, and one to show was sought
	sets    []dd.Set // by atom
}

func (r *diagramRuns) drop() {
	for _, s := range r.sets {
		r.Forest.Drop(s)
	}
}

// cycle implements fairRuns.
func (r *diagramRuns) cycle(context.Context) (bool, error) {
	cycle := r.cyclic()
	return cycle, r.Forest.Err()
}

// violation implements fairRuns. An over-approximation violates a property more easily, and so
// may only show that this world does not.
func (r *diagramRuns) violation(ctx context.Context) (*Finding, error) {
	if r.Overapprox && !(r.endWell && r.of.Runs.EndsDecide(r.question.Config)) {
		return &Finding{Why: overapproxLeavesOpen}, nil
	}
	r.doing = "looking for fair runs"
	r.findRuns()
	var err error
	if r.sets, err = r.letters(r.of.Runs); err != nil || r.Forest.Err() != nil {
		return nil, cmp.Or(err, r.Forest.Err())
	}
	r.doing = "looking for a fair run that violates " + r.of.Name
	if r.Overapprox {
		if r.fair.Accepts(r.of.Runs.Against, r.sets) {
			return &Finding{Why: overapproxLeavesOpen}, nil
		}
		return &Finding{Verdict: explore.Verified}, nil // where ends decide it is not vacuous
	}
	found := r.fair.Accepted(r.of.Runs.Against, r.sets)
	if r.Forest.Err() != nil || found == nil {
		return nil, r.Forest.Err()
	}
	r.sought = true
	defer r.Forest.Drop(found.Stay)
	return r.lasso(ctx, found)
}

// accepts implements fairRuns.
func (r *diagramRuns) accepts(_ context.Context, a *ltl.Automaton) (bool, error) {
	return r.fair.Accepts(a, r.sets), r.Forest.Err()
}

// lasso returns the finding of a fair run, if it finds one to show. The path to the states where the
// run may stay is known; the loop is looked for from there, state by state.
func (r *diagramRuns) lasso(ctx context.Context, a *dd.Accepted) (*Finding, error) {
	r.doing = "looking for the loop of a run that violates " + r.of.Name
	stem := make([]model.State, len(a.Stem))
	for i, vector := range a.Stem {
		stem[i] = r.State(vector)
	}
	events, err := r.eventsAlong(stem, nil)
	if err != nil {
		return nil, err
	}
	against := *r.of.Runs.Against
	against.Initial = []int{a.State}
	around := r.question.Schedule.Around
	for _, most := range around {
		some := newSurroundings(r.diagrams, a.Stay, most)
		graph, lasso, err := some.lassoFrom(ctx, stem[len(stem)-1], &against, r.marks.of[r.mark])
		switch {
		case err != nil:
			why, err := whyUndecided(err)
			return &Finding{Why: why}, err
		case lasso.States != nil:
			trace, run, err := r.record(stem[0], append(events, r.eventsOf(graph, lasso.Path)...))
			if err != nil {
				return nil, err
			}
			trace.Loop = len(stem) + lasso.Loop
			return onCycle(r.of, trace, run)
		case some.left > 0:
			return nil, &ContradictionError{fmt.Sprintf("no fair run that violates %s leads through the states that diagrams found", r.of.Name)}
		}
	}
	return &Finding{Why: fmt.Sprintf("a fair run violates it, but among %d states there is no loop to show", around[len(around)-1])}, nil
}

// cyclic reports whether some fair run never comes to rest; the answer means nothing if the
// forest failed. If there are cycles, few states are on one or lead to one, so fairness is
// judged among these only. In an over-approximation it may report such a run where there is none, but
// not the reverse.
func (d *diagrams) cyclic() bool {
	if d.cycles == nil {
		endless := d.Forest.Keep(d.Endless(d.all))
		defer d.Forest.Drop(endless)
		cycles := endless != dd.Empty && d.fairGraph().Cycles(d.Forest, endless)
		d.cycles = &cycles
	}
	return *d.cycles
}

// findRuns computes the states in which fair runs may stay, once.
func (d *diagrams) findRuns() {
	if d.fair == nil {
		d.fair = dd.FairRuns(d.Forest, d.fairGraph())
	}
}

// fairGraph is the graph in which fair runs are looked for, computed once.
func (d *diagrams) fairGraph() *dd.Graph {
	if d.graph == nil {
		d.graph = d.Graph(d.all)
	}
	return d.graph
}

// letters returns, for each atom, the states in which it is true. They are kept.
func (d *diagrams) letters(r *Runs) (sets []dd.Set, _ error) {
	for _, holds := range r.Atoms {
		set, err := d.Find(d.all, d.quiet, func(w *model.World) bool { return holds(w) == nil })
		if err != nil {
			return sets, err
		}
		sets = append(sets, d.Forest.Keep(set))
	}
	return sets, nil
}

// recovery implements evidence: by where runs end, as states do, or else from the goal backwards.
func (d *diagrams) recovery(_ context.Context, p Property, mark uint8) (Finding, error) {
	d.doing = "judging " + p.Name
	bad, err := d.Find(d.quiet, d.quiet, d.marks.watches[mark].State)
	endsAtGoal := bad == dd.Empty && d.question.Config.Bound == 0 && !d.cyclic()
	switch {
	case err != nil || d.Forest.Err() != nil:
		return d.undecided(err)
	case endsAtGoal:
		return d.question.holds(), nil
	case d.Overapprox: // it can do more, for better or worse
		return Finding{Why: overapproxLeavesOpen}, nil
	}
	f, helps := d.Forest, d.question.Reference.StepKinds().Helps()
	goal, err := d.Find(d.all, d.quiet, p.Watch.State)
	if err != nil || f.Err() != nil {
		return d.undecided(err)
	}
	helping := func(e *diagram.Event) bool { return helps[e.Kind] }
	reach := f.Keep(d.Before(d.all, goal, helping))
	defer f.Drop(reach)
	left := d.enabled(func(e *diagram.Event) bool { return e.Beyond || e.Panic && helping(e) })
	open := f.Keep(f.Minus(d.Before(d.all, left, helping), reach))
	defer f.Drop(open)
	bad = f.Minus(f.Minus(d.all, reach), open)
	switch {
	case f.Err() != nil:
		return d.undecided(nil)
	case bad == dd.Empty:
		beyond := d.enabled(func(e *diagram.Event) bool { return e.Beyond })
		cut := f.Minus(beyond, reach) != dd.Empty
		if f.Err() != nil {
			return d.undecided(nil)
		}
		return d.question.recovers(open != dd.Empty, cut), nil
	}
	return d.question.lost(p, whole(f.Count(bad)), open != dd.Empty, func() (*model.Trace, *model.Run, string, error) { return d.recordTo(p, bad) })
}
