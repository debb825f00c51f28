package plan

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"

	"interleave/explore"
	"interleave/explore/dd"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/model/diagram"
)

// symbolic judges by decision diagrams of all states. If these are not found soon, it judges by
// diagrams of an over-approximation, if that decides everything.
type symbolic struct{}

// search implements engine.
func (symbolic) search(ctx context.Context, q *Question, known partial) (Answer, error) {
	attempts, err := attemptsAt(q)
	if err != nil {
		return Answer{}, err
	}
	var over Answer
	d, tried, err := reach(ctx, q, known.tried, attempts, lastNodes, func(d *diagrams) (done bool, err error) {
		if !d.Overapprox {
			return true, nil
		}
		over, err = overapproximated(ctx, q, d, known)
		known = over.partial
		return len(q.open(over.Findings)) == 0, err
	})
	known.tried = tried
	if over.Findings == nil || d != nil && !d.Overapprox {
		return byDiagrams(ctx, q, d, known, err)
	}
	over.partial = known
	if d != nil || err == nil { // this is enough, or nothing else was asked for
		return over, err
	}
	failed, err := byDiagrams(ctx, q, nil, known, err)
	over.Stats.Outcome, over.Stats.Attempts = failed.Stats.Outcome, failed.Stats.Attempts
	for i, f := range failed.Findings {
		if over.Findings[i].Verdict == explore.Inconclusive {
			over.Findings[i] = f
		}
	}
	return over, err
}

// overapproximated judges by the diagrams of an over-approximation. For what these leave open, goals and
// violations that are near, it explores some states of the world itself.
func overapproximated(ctx context.Context, q *Question, d *diagrams, known partial) (Answer, error) {
	a, err := d.answer(ctx, known)
	open := q.open(a.Findings)
	if err == nil && !known.near && len(open) > 0 {
		var near Answer
		near, err = explicit{q.Schedule.QuickStates}.search(ctx, q.beside(d.Forest.Bytes()), known)
		if near.Stats.Complete {
			near.Stats.Because = "an over-approximation leaves open " + strings.Join(open, ", ") + ", and the world itself is small"
			near.Stats.Attempts = d.tried
			return near, err
		}
		a.partial = near.partial.with(q, near.Findings)
	}
	a.Findings = a.partial.fill(q, a.Findings)
	return a, err
}

// byDiagrams judges by decision diagrams, unless finding them failed.
func byDiagrams(ctx context.Context, q *Question, d *diagrams, known partial, err error) (Answer, error) {
	if err == nil {
		return d.answer(ctx, known)
	}
	if !errors.Is(err, dd.ErrNodes) && !errors.Is(err, dd.ErrMemory) && !errors.Is(err, diagram.ErrNotSymbolic) && ctx.Err() == nil {
		return Answer{}, err
	}
	why := gaveUp(err)
	return Answer{
		Findings: q.nothing("the symbolic engine did not finish: " + why),
		Stats:    Stats{Engine: Symbolic.String(), Depth: -1, Fired: map[string]int{}, Attempts: known.tried, Outcome: why},
		partial:  known,
	}, nil
}

// diagrams are the reachable set found by the symbolic engine. The last fields are computed when
// first needed.
type diagrams struct {
	*diagram.System
	question *Question
	sys      *compiled.System
	marks    marks
	all      dd.Set
	quiet    dd.Set
	strategy dd.Strategy
	how      string
	tried    []Attempt
	seconds  float64                 // since the first attempt began
	hurry    context.CancelCauseFunc // makes the forest fail; nil if the attempt had no time limit
	known    partial
	doing    string // now, in words

	graph  *dd.Graph // the steps between the states, for questions about runs
	cycles *bool     // whether some fair run never comes to rest
	fair   *dd.Runs  // the fair ones
}

// answer judges by diagrams.
func (d *diagrams) answer(ctx context.Context, known partial) (Answer, error) {
	a := Answer{Stats: d.stats(), partial: known}
	d.known = known
	began := time.Now()
	var err error
	if a.Findings, err = d.question.judgeAll(ctx, d); err != nil {
		return a, err
	}
	a.Stats.Judging = time.Since(began).Seconds()
	a.Stats.Bytes, a.Stats.Nodes, a.Stats.Sweeps = d.Forest.Bytes(), d.Forest.Size(d.all), d.Forest.Swept
	return a, nil
}

func (d *diagrams) stats() Stats {
	s := Stats{
		Engine: Symbolic.String(), How: d.how, Depth: -1, Attempts: d.tried, Places: d.Forest.Levels(), Events: len(d.Events),
		Fired: map[string]int{}, Tables: d.sys.TableStats(),
		Outcome: explore.Exhausted.String(), Complete: true, Seconds: d.seconds,
	}
	if d.Overapprox {
		s.Overapprox, s.Quiescent, s.Complete = whole(d.Forest.Count(d.all)), whole(d.Forest.Count(d.quiet)), false
		return s
	}
	s.Initial, s.States, s.Quiescent = whole(d.Forest.Count(d.Initial())), whole(d.Forest.Count(d.all)), whole(d.Forest.Count(d.quiet))
	kinds, steps := d.sys.Kinds(), d.Transitions(d.all)
	if err := d.Forest.Err(); err != nil { // steps are missing
		s.Outcome, s.Complete = gaveUp(err), false
		return s
	}
	for kind, n := range steps {
		s.Fired[kinds[kind]] = whole(n)
		s.Transitions += whole(n)
	}
	s.Generated = s.Initial + s.Transitions
	return s
}

// maxCount is the largest count: a sum of several of them is still a valid number.
const maxCount = math.MaxInt64 / 16

func whole(n *big.Int) int {
	if n.Cmp(big.NewInt(maxCount)) > 0 {
		return maxCount
	}
	return int(n.Int64())
}

// enabled returns the reachable states in which an event of some sort may happen.
func (d *diagrams) enabled(sort func(*diagram.Event) bool) dd.Set {
	f := d.Forest
	found := f.Keep(dd.Empty)
	for _, e := range d.Events {
		if sort(e) {
			f.Replace(&found, f.Union(found, f.Enabled(e.Event, d.all)))
		}
	}
	f.Drop(found)
	return found
}

// sight implements evidence.
func (d *diagrams) sight(p Property, mark uint8) (sighting, error) {
	d.doing = "judging " + p.Name
	bad, err := d.bearers(p, mark)
	why := d.failure()
	switch {
	case why != "":
	case errors.Is(err, diagram.ErrTooMany) || errors.Is(err, diagram.ErrOverapprox):
		why = err.Error()
	case err != nil || bad == dd.Empty:
		return sighting{}, err
	case d.Overapprox:
		why = overapproxLeavesOpen
	}
	if why != "" {
		return sighting{open: &Finding{Why: why}}, nil
	}
	return sighting{found: true, depth: -1, record: func() (*model.Trace, *model.Run, string, error) { return d.recordTo(p, bad) }}, nil
}

// looseDecidesNot is why a property is undecided that is violated in an over-approximation, or a
// goal that is reached there.
const overapproxLeavesOpen = "not decided: an over-approximation can do more than this world"

// failure says why answers of the forest mean nothing; empty if they do.
func (d *diagrams) failure() string {
	if err := d.Forest.Err(); err != nil {
		return "the symbolic engine did not finish: " + gaveUp(err)
	}
	return ""
}

// bearers returns the states that a property watches for, or those with a step that it watches for.
func (d *diagrams) bearers(p Property, mark uint8) (dd.Set, error) {
	switch {
	case mark == model.PanicMark:
		return d.enabled(func(e *diagram.Event) bool { return e.Panic }), nil
	case p.Kind == Quiescent:
		return d.Find(d.quiet, d.quiet, p.Watch.State)
	case p.Watch.Claim != "":
		return d.enabled(func(e *diagram.Event) bool { return e.Broken>>mark&1 != 0 }), nil
	case p.Kind == EveryStep:
		return d.FindStep(d.all, p.Watch.Step)
	}
	return d.Find(d.all, d.quiet, p.Watch.State)
}

// recordTo records a shortest run to a bad state, or with a bad step from such a state.
func (d *diagrams) recordTo(p Property, bad dd.Set) (*model.Trace, *model.Run, string, error) {
	d.doing = "looking for the shortest run that violates " + p.Name
	d.Forest.Keep(bad)
	path := d.Path(d.all, bad)
	d.Forest.Drop(bad)
	if path == nil {
		return nil, nil, fmt.Sprintf("it is violated, but the way there was not found: %v", d.Forest.Err()), nil
	}
	events, err := d.eventsAlong(path, nil)
	if err != nil {
		return nil, nil, "", err
	}
	if p.Kind == EveryStep {
		last, err := d.badStep(p, path[len(path)-1])
		if err != nil {
			return nil, nil, "", err
		}
		events = append(events, last)
	}
	trace, run, err := d.record(path[0], events)
	return trace, run, "", err
}

// record repeats a run through the handlers.
func (d *diagrams) record(initial model.State, events []model.Event) (*model.Trace, *model.Run, error) {
	trace, run, err := model.Record(d.question.Reference, initial, events)
	if err != nil {
		return nil, nil, notRepeated("a counterexample", err)
	}
	return trace, run, nil
}

// eventsAlong returns the events that lead from each state of a path to the next. If sends is
// given, it is how many messages each step sends.
func (d *diagrams) eventsAlong(path []model.State, sends []int) ([]model.Event, error) {
	events := []model.Event{}
	for i, after := range path[1:] {
		found := false
		for _, step := range d.question.Reference.Steps(path[i]) {
			fits := sends == nil || len(step.Sends) == sends[i]
			if found = fits && step.Panic == "" && step.After.Equal(after); found {
				events = append(events, step.Event)
				break
			}
		}
		if !found {
			return nil, &ContradictionError{fmt.Sprintf("no step leads to state %d of a counterexample", i+1)}
		}
	}
	return events, nil
}

// eventsOf returns the events of a path through a graph of surroundings.
func (d *diagrams) eventsOf(graph *explore.Graph, path explore.Path) (events []model.Event) {
	for i, a := range path.Actions {
		events = append(events, d.sys.Event(graph.State(path.States[i]), a))
	}
	return events
}

// badStep returns a step out of s that breaks a property of steps.
func (d *diagrams) badStep(p Property, s model.State) (model.Event, error) {
	for _, step := range d.question.Reference.Steps(s) {
		if p.False(&model.Run{States: []model.State{s, step.After}, Steps: []model.Step{step}}, 0) != nil {
			return step.Event, nil
		}
	}
	return model.Event{}, &ContradictionError{"no step out of the last state of a counterexample breaks " + p.Name}
}
