package tla

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"interleave/explore"
	"interleave/tla/eval"
	"interleave/tla/value"
)

// Options of a check. The zero value checks everything, with one worker.
type Options struct {
	Workers   int
	MaxStates int
	MaxDepth  int
	Memory    int64
	Continue  bool // do not stop at the first violation
	Progress  func(explore.Stats)
	Judging   func(explore.Look) // when infinite behaviours are checked
}

// Check explores a model. An error is a failed evaluation to which no trace leads, or
// an *eval.OutOfBudget if the check was given up.
func (m *Model) Check(ctx context.Context, o Options) (*Report, error) {
	if m.machine == nil {
		f := Undecided("assumptions", "there are no assumptions, so nothing was checked")
		if m.spec.Assumed() > 0 {
			f.Verdict, f.Why = explore.Verified, ""
		}
		return &Report{Findings: []Finding{f}, Outcome: explore.Exhausted}, nil
	}
	defer m.spec.Limit(ctx, o.Memory)()
	m.spec.Asserted() // by assumptions, which are no part of what is asked
	c := &check{system: newSystem(m), Options: o}
	if m.view != nil {
		c.Workers = 1 // the first state found represents its view
	}
	if err := c.search(ctx); err != nil {
		return nil, err
	}
	defer c.found.Graph.Close()
	// What was evaluated once is evaluated again, to find the way there.
	defer m.spec.Limit(context.WithoutCancel(ctx), 0)()
	if c.gaveUp != nil {
		c.found.Outcome = endOf(c.gaveUp)
	}
	c.out = &Report{Outcome: c.found.Outcome, Stats: c.found.Stats, Parts: c.machine.Parts, Fired: c.fired(c.found.Stats), Missed: c.missed()}
	if err := c.addAnswers(); err != nil {
		return nil, err
	}
	if err := c.addProperties(ctx); err != nil {
		return nil, err
	}
	c.addVacuous()
	c.addUntested()
	return c.out, nil
}

// check is the search of a model, and what is reported of it.
type check struct {
	*system
	Options
	found *explore.Result
	out   *Report
}

func (c *check) search(ctx context.Context) (err error) {
	stop := uint64(1) << markFailed
	if !c.Continue {
		stop = ^uint64(0)
	}
	ignore := uint64(0)
	if c.Config.NoDeadlock {
		ignore = 1 << markDeadlock
	}
	c.found, err = explore.Search(ctx, c.system, explore.Options{
		Workers: c.Workers, MaxStates: c.MaxStates, MaxDepth: c.MaxDepth, Memory: c.Memory,
		Stop: stop &^ ignore, Ignore: ignore, Progress: c.Progress,
	})
	return cmp.Or(err, c.failed)
}

// endOf is the outcome of a search that ends where an evaluation was given up.
func endOf(o *eval.OutOfBudget) explore.Outcome {
	switch {
	case o.Cause == nil || errors.Is(o.Cause, explore.ErrMemory):
		return explore.MemoryLimit
	case errors.Is(o.Cause, context.DeadlineExceeded):
		return explore.TimeLimit
	}
	return explore.Interrupted
}

// missed returns the verdict on a question of which no violation was found.
func (c *check) missed() Answer {
	cut := "nothing is known of what " + strings.Join(c.constraints(), ", ") + " cut off"
	r := c.found
	switch {
	case c.gaveUp != nil:
		return Answer{explore.Inconclusive, r.Outcome.Why()}
	case r.Marks>>markFailed&1 != 0:
		return Answer{explore.Inconclusive, "an evaluation failed"}
	case r.Outcome == explore.DepthLimit && c.cut.Load():
		return Answer{explore.Bounded, explore.WithinDepth(c.MaxDepth) + "; " + cut}
	case r.Outcome == explore.DepthLimit:
		return Answer{explore.Bounded, explore.WithinDepth(c.MaxDepth)}
	case r.Outcome != explore.Exhausted:
		return Answer{explore.Inconclusive, r.Outcome.Why()}
	case r.Stats.Initial == 0:
		return Answer{explore.Inconclusive, c.noneInitial()}
	}
	why := c.merged()
	if c.cut.Load() {
		why = append(why, cut)
	}
	if why != nil {
		return Answer{explore.Bounded, strings.Join(why, "; ")}
	}
	return Answer{explore.Verified, ""}
}

// addProperties judges properties of initial states and of runs. If the search did not
// see everything, nothing is claimed about runs.
func (c *check) addProperties(ctx context.Context) error {
	for _, p := range c.properties {
		for _, q := range p.initial {
			f, err := c.atFirst(p.name, q)
			if err != nil {
				return err
			}
			c.out.add(f)
		}
	}
	bound, why := c.runsLeftOut()
	if why != "" {
		for _, p := range c.properties {
			if len(p.live) > 0 {
				c.out.add(Undecided(p.name, "a property of runs is not decided: "+why))
			}
		}
		return nil
	}
	live, err := c.judge(ctx, bound)
	for _, f := range live {
		c.out.add(f)
	}
	return err
}

// runsLeftOut returns which runs cannot be checked, if all others can; or else why none
// can.
func (c *check) runsLeftOut() (bound, why string) {
	switch {
	case c.symmetry != nil && c.out.Missed.Verdict == explore.Verified:
		return "", "what is fair is not known under SYMMETRY"
	case c.out.Missed.Verdict == explore.Bounded && c.out.Outcome == explore.Exhausted && c.merged() == nil:
		return "only runs that stay within " + strings.Join(c.constraints(), ", ") + " were looked at", ""
	}
	return "", c.out.Missed.Why
}

// atFirst judges what must be true of every initial state.
func (c *check) atFirst(name string, q *eval.Predicate) (f Finding, err error) {
	f = Undecided(name, c.noneInitial())
	ev := c.machine.Evaluator()
	var inner error
	err = c.machine.Evaluator().Initial(func(vals []value.Value) bool {
		var ok bool
		if ok, inner = ev.Holds(q, vals, nil); ok {
			f.Verdict, f.Why = explore.Verified, ""
			return true
		}
		f.Verdict, f.Why = explore.Violated, "it is false of an initial state"
		f.Trace = &Trace{Variables: c.spec.Variables, States: [][]value.Value{append([]value.Value(nil), vals...)}}
		return false
	})
	return f, cmp.Or(inner, err)
}

func (c *check) addAnswers() error {
	for i, q := range c.asked {
		if err := c.finding(q.name, q.why, uint8(i)); err != nil {
			return err
		}
	}
	if !c.Config.NoDeadlock {
		if err := c.finding("no deadlock", "no step is possible", markDeadlock); err != nil {
			return err
		}
	}
	return c.addFailure()
}

// finding adds the finding for the question whose mark is bit.
func (c *check) finding(name, why string, bit uint8) (err error) {
	f := Finding{Name: name, Answer: c.out.Missed}
	if vals := c.excluded[bit]; vals != nil {
		f.Verdict, f.Why = explore.Violated, why+", in an initial state that the constraints exclude"
		f.Trace = &Trace{Variables: c.spec.Variables, States: [][]value.Value{vals}}
	} else if c.found.Marks>>bit&1 != 0 {
		f.Verdict, f.Why = explore.Violated, why
		if f.Trace, err = c.trace(c.found.Found(bit)); err == nil {
			err = c.replayed(&f)
		}
	}
	c.out.add(f)
	return err
}

// replayed withdraws a violation to which no run leads.
func (c *check) replayed(f *Finding) error {
	if c.symmetry == nil {
		return nil
	}
	ok, err := c.replays(f.Trace)
	if !ok {
		*f = Undecided(f.Name, "a violation was found to which no run leads: "+c.doubt())
	}
	return err
}

// addFailure adds the failure of an evaluation, or of an assertion, with the trace
// that leads there. Without assertions there is no such property to hold.
func (c *check) addFailure() error {
	if c.found.Marks>>markFailed&1 == 0 {
		return nil
	}
	found := c.found.Found(markFailed)
	t, err := c.trace(found)
	if err != nil {
		return err
	}
	why := c.failures[key(c.found.Graph.State(found.State))]
	f := Undecided("evaluation", why.Error())
	f.Trace, f.GivenUp = t, errors.As(why, new(*eval.OutOfBudget))
	if errors.As(why, new(*eval.Violation)) {
		f.Name, f.Verdict = "assertion", explore.Violated
	}
	c.out.add(f)
	return nil
}

// trace returns a shortest run to what was found.
func (c *check) trace(found explore.Found) (*Trace, error) {
	path := c.found.Graph.Path(found.State)
	actions := path.Actions
	if found.OnStep {
		actions = append(slices.Clone(actions), found.Action)
	}
	vals := c.decode(c.found.Graph.State(path.States[0]))
	t := &Trace{Variables: c.spec.Variables, States: [][]value.Value{vals}}
	turned := permutation{} // maps vals to the values of the run
	ev := c.machine.Evaluator()
	for i, a := range actions {
		step, next, err := c.step(ev, vals, a)
		if err != nil {
			return nil, err
		}
		for k, v := range step.Args {
			step.Args[k] = turned.of(v)
		}
		real, _ := value.Map(next, turned.of)
		t.Steps, t.States = append(t.Steps, step), append(t.States, real)
		switch vals = next; {
		case c.view != nil && i+1 < len(path.States):
			vals = c.decode(c.found.Graph.State(path.States[i+1]))
		case c.symmetry != nil:
			var by permutation
			vals, by = c.least(next)
			turned = turned.after(by.inverse())
		}
	}
	return t, nil
}
