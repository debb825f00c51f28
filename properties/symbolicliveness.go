package properties

import (
	"context"
	"errors"
	"fmt"

	"interleave/explore"
	"interleave/explore/dd"
	"interleave/explore/ltl"
	"interleave/model"
)

// symbolicLiveness returns the finding on a Liveness property.
func (c *check) symbolicLiveness(ctx context.Context, d *diagrams, f Finding, mark uint8) (Finding, error) {
	t := c.temporal[mark]
	bad, err := d.Find(d.quiet, d.quiet, t.watch().State)
	if err != nil || d.Forest.Err() != nil {
		return d.open(f, err)
	}
	if bad != dd.Empty {
		found, err := c.symbolicViolation(d, f, bad)
		if err != nil || found.Verdict == Violated || d.Forest.Err() != nil {
			return found, err
		}
	}
	c.doing = "looking for cycles"
	if bad == dd.Empty && t.endsDecide(c.config) && !d.circle() && d.Forest.Err() == nil {
		f.Verdict = Verified // every fair run ends, and ends well
		return f, nil
	}
	if d.Loose && (bad != dd.Empty || !t.endsDecide(c.config)) {
		f.Why = looseDecidesNot
		return d.open(f, nil)
	}
	c.doing = "looking for fair runs"
	d.findRuns()
	letters, err := d.letters(t)
	defer d.drop(letters)
	if err != nil || d.Forest.Err() != nil {
		return d.open(f, err)
	}
	c.doing = "looking for a fair run that violates " + f.Name
	if d.Loose {
		if d.runs.Accepts(t.against, letters) {
			f.Why = looseDecidesNot
		} else {
			f.Verdict = Verified // where ends decide it is not vacuous
		}
		return d.open(f, nil)
	}
	switch found := d.runs.Accepted(t.against, letters); {
	case d.Forest.Err() != nil:
		return d.open(f, nil)
	case found != nil:
		defer d.Forest.Drop(found.Stay)
		return c.symbolicLasso(ctx, d, f, t, found)
	case c.config.Bound > 0:
		return c.cutShort(f), nil
	}
	f, err = t.unlessVacuous(f, func(a *ltl.Automaton) (bool, error) {
		return d.runs.Accepts(a, letters), d.Forest.Err()
	})
	return d.open(f, err)
}

// open returns f, as undecided if the forest failed, since then none of its answers means
// anything. If err explains why the question has no answer, f says so; any other error is
// returned.
func (d *diagrams) open(f Finding, err error) (Finding, error) {
	switch {
	case d.Forest.Err() != nil:
		f.Verdict, f.Why = Inconclusive, "the symbolic engine did not finish: "+gaveUp(d.Forest.Err())
		return f, nil
	case errors.Is(err, model.ErrTooMany) || errors.Is(err, model.ErrLoose):
		f.Why = err.Error()
		return f, nil
	case err != nil:
		f.Why, err = tellUndecided(err)
	}
	return f, err
}

// circle reports whether some fair run never comes to rest; the answer means nothing if the
// forest failed. If there are cycles, few states are on one or lead to one, so fairness is
// judged among these only. In a looser world it may report such a run where there is none, but
// not the reverse.
func (d *diagrams) circle() bool {
	if d.circles == nil {
		endless := d.Forest.Keep(d.Endless(d.all))
		defer d.Forest.Drop(endless)
		circles := endless != dd.Empty && d.Forest.Circle(d.fairGraph(), endless)
		d.circles = &circles
	}
	return *d.circles
}

// findRuns computes the states in which fair runs may stay, once.
func (d *diagrams) findRuns() {
	if d.runs == nil {
		d.runs = d.Forest.FairRuns(d.fairGraph())
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
func (d *diagrams) letters(t *temporal) (sets []dd.Set, _ error) {
	for _, holds := range t.atoms {
		set, err := d.Find(d.all, d.quiet, func(w *model.World) bool { return holds(w) == nil })
		if err != nil {
			return sets, err
		}
		sets = append(sets, d.Forest.Keep(set))
	}
	return sets, nil
}

func (d *diagrams) drop(sets []dd.Set) {
	for _, s := range sets {
		d.Forest.Drop(s)
	}
}

// fragments are how many states around the end of a stem are searched for a loop, first few, then
// more.
var fragments = []int{2_000, 20_000, 200_000}

// symbolicLasso returns f as violated by a fair run, if it finds one to show. The path to the
// states where the run may stay is known; the loop is looked for from there, state by state.
func (c *check) symbolicLasso(ctx context.Context, d *diagrams, f Finding, t *temporal, a *dd.Accepted) (Finding, error) {
	c.doing = "looking for the loop of a run that violates " + f.Name
	stem := make([]model.State, len(a.Stem))
	for i, vector := range a.Stem {
		stem[i] = d.State(vector)
	}
	events, err := c.eventsAlong(stem, nil)
	if err != nil {
		return f, err
	}
	against := *t.against
	against.Initial = []int{a.State}
	for _, most := range fragments {
		some := &surroundings{diagrams: d, inside: a.Stay, left: most, met: map[string]bool{}}
		graph, lasso, err := c.loopFrom(ctx, some, stem[len(stem)-1], &against, t.marks)
		switch {
		case err != nil:
			f.Why, err = tellUndecided(err)
			return f, err
		case lasso.States != nil:
			for i, a := range lasso.Actions {
				events = append(events, c.sys.Event(graph.State(lasso.States[i]), a))
			}
			return c.onSymbolicLasso(f, stem[0], events, len(stem)+lasso.Loop)
		case some.left > 0:
			return f, &ContradictionError{fmt.Sprintf("no fair run that violates %s leads through the states that diagrams found", f.Name)}
		}
	}
	f.Why = fmt.Sprintf("a fair run violates it, but among %d states there is no loop to show", fragments[len(fragments)-1])
	return f, nil
}

// surroundings are a limited number of states of a set: the first ones that are asked about.
type surroundings struct {
	*diagrams
	inside dd.Set
	left   int
	met    map[string]bool // by vector: whether it is one of them
}

// has reports whether a state is one of them.
func (s *surroundings) has(state model.State) bool {
	vector, ok := s.Vector(state)
	key := fmt.Sprint(vector)
	if _, met := s.met[key]; !met {
		s.met[key] = ok && s.left > 0 && s.Forest.Contains(s.inside, vector)
		if s.met[key] {
			s.left--
		}
	}
	return s.met[key]
}

// loopFrom returns a fair run from a state, through some states only, that an automaton accepts.
// It has no states if there is none.
func (c *check) loopFrom(ctx context.Context, some *surroundings, first model.State, a *ltl.Automaton, atoms []uint8) (*explore.Graph, explore.Lasso, error) {
	var lasso explore.Lasso
	graph, err := c.around(ctx, some, first)
	if err != nil {
		return nil, lasso, err
	}
	runs, err := graph.FairRuns(ctx, explore.RunOptions{Fair: c.sys.Fairness()})
	if err != nil {
		return nil, lasso, err
	}
	lasso, _, err = runs.Accepted(ctx, a, atoms)
	return graph, lasso, err
}

// around returns the graph of some states that can be reached from one of them.
func (c *check) around(ctx context.Context, some *surroundings, first model.State) (*explore.Graph, error) {
	sys, err := c.sys.(*model.System).Fragment(first, some.has)
	if err != nil {
		return nil, err
	}
	result, err := explore.Search(ctx, sys, explore.Options{})
	switch {
	case err != nil:
		return nil, err
	case result.Outcome != explore.Exhausted:
		return nil, ctx.Err()
	}
	return result.Graph, nil
}

// onSymbolicLasso returns f as violated by events, of which those from number loop on repeat. The
// handlers have to confirm it.
func (c *check) onSymbolicLasso(f Finding, initial model.State, events []model.Event, loop int) (Finding, error) {
	trace, run, err := c.reference.Record(initial, events)
	if err != nil {
		return f, notRepeated("a counterexample", err)
	}
	trace.Loop = loop
	if f = showing(c.reference, f, trace, run); f.Verdict != Violated {
		return f, &ContradictionError{fmt.Sprintf("%s is not false on its counterexample", f.Name)}
	}
	return f, nil
}

// resting returns f as violated by a run that ends, if its property is false on that.
func (c *check) resting(f Finding, initial model.State, events []model.Event) (Finding, error) {
	trace, run, err := c.reference.Record(initial, events)
	if err != nil {
		return f, notRepeated("a counterexample", err)
	}
	trace.Loop = len(events) + 1
	return showing(c.reference, f, trace, run), nil
}
