package properties

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
	"interleave/internal/printable"
	"interleave/model"
)

// byDiagrams judges by decision diagrams of all states. If these are not found soon, it judges by
// diagrams of a looser world, if that decides everything.
func (c *check) byDiagrams(ctx context.Context) ([]Finding, Stats, error) {
	attempts, err := c.attempts()
	if err != nil {
		return nil, Stats{}, err
	}
	var loose []Finding
	var stats Stats
	d, err := c.reach(ctx, attempts, lastNodes, func(d *diagrams) (done bool, err error) {
		if !d.Loose {
			return true, nil
		}
		loose, stats, err = c.loosely(ctx, d)
		return len(undecidedOf(loose)) == 0, err
	})
	if loose == nil || d != nil && !d.Loose {
		return c.symbolic(ctx, d, err)
	}
	if d != nil || err == nil { // this is enough, or nothing else was asked for
		return loose, stats, err
	}
	findings, failed, err := c.symbolic(ctx, nil, err)
	stats.Outcome, stats.Attempts = failed.Outcome, failed.Attempts
	for i := range findings {
		if loose[i].Verdict != Inconclusive {
			findings[i] = loose[i]
		}
	}
	return append(findings, loose[len(findings):]...), stats, err
}

// loosely judges by the diagrams of a looser world. For what these leave open, goals and
// violations that are near, it explores some states of the world itself.
func (c *check) loosely(ctx context.Context, d *diagrams) ([]Finding, Stats, error) {
	findings, stats, err := c.byDiagram(ctx, d)
	open := undecidedOf(findings)
	if err != nil || c.near || len(open) == 0 {
		return c.recall(findings), stats, err
	}
	if all := c.options.Memory; all > 0 {
		c.options.Memory = max(all-d.Forest.Bytes(), leastBeside)
		defer func() { c.options.Memory = all }()
	}
	near, whole, stopped, err := c.upTo(ctx, quickStates)
	if whole.Complete {
		whole.Because = "a looser world leaves open " + strings.Join(open, ", ") + ", and the world itself is small"
		whole.Attempts = c.tried
		return near, whole, err
	}
	if stopped == nil && err == nil {
		err = c.keepFound(ctx)
	}
	return c.recall(findings), stats, err
}

// leastBeside is the least memory of an explicit search beside diagrams.
const leastBeside = 16 << 20

// symbolic judges by decision diagrams, unless finding them failed.
func (c *check) symbolic(ctx context.Context, d *diagrams, err error) ([]Finding, Stats, error) {
	stats := Stats{Engine: Symbolic.String(), Depth: -1, Fired: map[string]int{}, Attempts: c.tried}
	if err != nil {
		if !errors.Is(err, dd.ErrNodes) && !errors.Is(err, dd.ErrMemory) && !errors.Is(err, model.ErrNotSymbolic) && ctx.Err() == nil {
			return nil, stats, err
		}
		stats.Outcome = gaveUp(err)
		return c.nothing("the symbolic engine did not finish: " + stats.Outcome), stats, nil
	}
	return c.byDiagram(ctx, d)
}

// byDiagram judges by a diagram.
func (c *check) byDiagram(ctx context.Context, d *diagrams) (_ []Finding, _ Stats, err error) {
	stats := c.symbolicStats(d)
	if c.reference, err = model.NewReference(c.machine, c.config); err != nil {
		return nil, stats, err
	}
	began := time.Now()
	findings := make([]Finding, len(c.props))
	judge := func(liveness bool) {
		for i, p := range c.props {
			if err == nil && liveness == (p.Kind == Liveness) {
				findings[i], err = c.judgeSymbolic(ctx, d, p, uint8(i))
			}
		}
	}
	judge(false)
	panics := d.panicking(d.all)
	if err == nil && (panics != dd.Empty || d.Forest.Err() != nil) {
		var f Finding
		f, err = c.symbolicViolation(d, c.finding(NoPanic), panics)
		findings = append(findings, f)
	}
	if judge(true); err != nil { // last, since it may take long, and more memory than there is
		return nil, stats, err
	}
	if len(findings) > len(c.props) { // some handler panics, or it is unknown whether one does
		findings = unheld(findings)
	}
	stats.Judging = time.Since(began).Seconds()
	stats.Bytes, stats.Nodes, stats.Sweeps = d.Forest.Bytes(), d.Forest.Size(d.all), d.Forest.Swept
	return findings, stats, nil
}

func (c *check) symbolicStats(d *diagrams) Stats {
	last := c.tried[len(c.tried)-1]
	s := Stats{
		Engine: Symbolic.String(), How: last.String(), Depth: -1, Attempts: c.tried, Places: d.Forest.Levels(), Events: len(d.Events),
		Fired: map[string]int{}, Tables: c.sys.TableStats(),
		Outcome: explore.Exhausted.String(), Complete: true, Seconds: d.seconds,
	}
	if d.Loose {
		s.Loose, s.Quiescent, s.Complete = whole(d.Forest.Count(d.all)), whole(d.Forest.Count(d.quiet)), false
		return s
	}
	s.Initial, s.States, s.Quiescent = whole(d.Forest.Count(d.Initial())), whole(d.Forest.Count(d.all)), whole(d.Forest.Count(d.quiet))
	kinds, steps := c.sys.Kinds(), d.Transitions(d.all)
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

// panicking returns the states of a set in which a handler may panic.
func (d *diagrams) panicking(s dd.Set) dd.Set {
	return d.enabled(s, func(e *model.SymbolicEvent) bool { return e.Panic })
}

// enabled returns the states of a set in which an event of some sort may happen.
func (d *diagrams) enabled(s dd.Set, sort func(*model.SymbolicEvent) bool) dd.Set {
	f := d.Forest
	found := f.Keep(dd.Empty)
	for _, e := range d.Events {
		if sort(e) {
			f.Replace(&found, f.Union(found, f.Enabled(e.Event, s)))
		}
	}
	f.Drop(found)
	return found
}

// judgeSymbolic returns the finding on property p, which has the given mark.
func (c *check) judgeSymbolic(ctx context.Context, d *diagrams, p Property, mark uint8) (Finding, error) {
	f := c.finding(p)
	c.doing = "judging " + p.Name
	bad := dd.Empty
	var err error
	switch {
	case p.Kind == Invariance, p.Kind == Reachable:
		bad, err = d.Find(d.all, d.quiet, p.watch().State)
	case p.Kind == AtRest:
		bad, err = d.Find(d.quiet, d.quiet, p.watch().State)
	case p.Kind == StepWise && p.claim != "":
		bad = d.enabled(d.all, func(e *model.SymbolicEvent) bool { return e.Broken>>mark&1 != 0 })
	case p.Kind == StepWise:
		bad, err = d.FindStep(d.all, p.watch().Step)
	case p.Kind == Liveness && c.kept[mark].Verdict == Violated: // its run was repeated; to find another takes long
		return c.kept[mark], nil
	case p.Kind == Liveness:
		return c.symbolicLiveness(ctx, d, f, mark)
	case p.Kind == Messages:
		return c.symbolicMessages(ctx, d, f)
	}
	switch {
	case d.Forest.Err() != nil:
		f.Why = "the symbolic engine did not finish: " + gaveUp(d.Forest.Err())
		return f, nil
	case errors.Is(err, model.ErrTooMany) || errors.Is(err, model.ErrLoose):
		f.Why = err.Error()
		return f, nil
	case err != nil:
		return f, err
	case d.Loose && bad != dd.Empty:
		f.Why = looseDecidesNot
	case p.Kind == Reachable && bad != dd.Empty:
		f.Verdict, f.Depth = Verified, -1 // the steps were not counted
	case p.Kind == Reachable && c.config.Bound > 0:
		f.Why = "no state within the bound satisfies it"
	case p.Kind == Reachable:
		f.Verdict, f.Why = Violated, "no reachable state satisfies it"
	case bad != dd.Empty:
		return c.symbolicViolation(d, f, bad)
	case c.config.Bound > 0:
		f.Verdict, f.Why = Bounded, "the world bounds what the processes remember"
	default:
		f.Verdict = Verified
	}
	return f, nil
}

// looseDecidesNot is why a property is undecided that is violated in a looser world, or a goal
// that is reached there.
const looseDecidesNot = "not decided: a looser world can do more than this one"

// symbolicViolation returns f with a shortest run to a bad state, or to a state with a bad step,
// after repeating it through the handlers.
func (c *check) symbolicViolation(d *diagrams, f Finding, bad dd.Set) (Finding, error) {
	p := f.Property
	c.doing = "looking for the shortest run that violates " + p.Name
	switch {
	case d.Forest.Err() != nil: // then bad means nothing
		return d.open(f, nil)
	case d.Loose:
		f.Why = looseDecidesNot
		return f, nil
	}
	d.Forest.Keep(bad)
	path := d.Path(d.all, bad)
	d.Forest.Drop(bad)
	if path == nil {
		f.Why = fmt.Sprintf("it is violated, but the way there was not found: %v", d.Forest.Err())
		return f, nil
	}
	events, err := c.eventsAlong(path, nil)
	if err != nil {
		return f, err
	}
	if p.Kind == Liveness {
		return c.resting(f, path[0], events)
	}
	if p.Kind == StepWise {
		last, err := c.badStep(p, path[len(path)-1])
		if err != nil {
			return f, err
		}
		events = append(events, last)
	}
	trace, run, err := c.reference.Record(path[0], events)
	if err != nil {
		return f, notRepeated("a counterexample", err)
	}
	why := falsified(c.reference, p, run)
	if why == nil {
		return f, &ContradictionError{fmt.Sprintf("%s is not false at the end of its counterexample", p.Name)}
	}
	trace.Property, trace.Reason = p.Name, printable.Text(why.Error())
	f.Verdict, f.Why, f.Depth, f.Trace = Violated, trace.Reason, len(events), trace
	return f, nil
}

// eventsAlong returns the events that lead from each state of a path to the next. If sends is
// given, it is how many messages each step sends.
func (c *check) eventsAlong(path []model.State, sends []int) ([]model.Event, error) {
	events := []model.Event{}
	for i, after := range path[1:] {
		found := false
		for _, step := range c.reference.Steps(path[i]) {
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

// badStep returns a step out of s that breaks a property of steps.
func (c *check) badStep(p Property, s model.State) (model.Event, error) {
	for _, step := range c.reference.Steps(s) {
		if falsified(c.reference, p, &model.Run{States: []model.State{s, step.After}, Steps: []model.Step{step}}) != nil {
			return step.Event, nil
		}
	}
	return model.Event{}, &ContradictionError{"no step out of the last state of a counterexample breaks " + p.Name}
}
