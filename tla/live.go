package tla

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"interleave/explore"
	"interleave/explore/ltl"
	"interleave/tla/eval"
)

// property is a temporal formula split into what must be true of initial states, of
// every state, of every step, and the rest.
type property struct {
	name    string
	initial []*eval.Predicate
	always  []*eval.Predicate
	every   []*eval.Predicate
	live    []*eval.Temporal

	premises []*eval.Premise
	assumed  []eval.Place // the fairness conditions in it that the specification assumes
}

func (p *property) take(t *eval.Temporal) {
	switch {
	case t.Op == eval.And:
		for _, a := range t.Args {
			p.take(a)
		}
	case t.Op == eval.State:
		p.initial = append(p.initial, t.Pred)
	case t.Op == eval.Every:
		p.every = append(p.every, t.Pred)
	case t.Op == eval.Always && t.Args[0].Op == eval.State:
		p.always = append(p.always, t.Args[0].Pred)
	default:
		p.live = append(p.live, t)
	}
}

// translation makes formulas of package ltl, and atoms for their predicates. The
// atom of a step is named before it is known how many of states there are.
type translation struct {
	states, actions []*eval.Predicate
}

func (t *translation) of(f *eval.Temporal) *ltl.Formula {
	var args []*ltl.Formula
	for _, a := range f.Args {
		args = append(args, t.of(a))
	}
	switch f.Op {
	case eval.State:
		return atom("s", &t.states, f.Pred)
	case eval.Again, eval.Some:
		once := ltl.Eventually(atom("a", &t.actions, f.Pred))
		if f.Op == eval.Some {
			return once
		}
		return ltl.Always(once)
	case eval.Every:
		panic("tla: [][A]_v inside of a formula") // Temporal refuses it
	case eval.And:
		return ltl.And(args...)
	case eval.Or:
		return ltl.Or(args...)
	case eval.Not:
		return ltl.Not(args[0])
	case eval.Implies:
		return ltl.Implies(args[0], args[1])
	case eval.Always:
		return ltl.Always(args[0])
	}
	return ltl.Eventually(args[0])
}

// atom returns the atom of a predicate, which has one place in the list of all.
func atom(kind string, all *[]*eval.Predicate, q *eval.Predicate) *ltl.Formula {
	at := slices.Index(*all, q)
	if at < 0 {
		at = len(*all)
		*all = append(*all, q)
	}
	return ltl.Atom(fmt.Sprintf("%s%d", kind, at))
}

// claim is a property of runs, as a formula.
type claim struct {
	*Finding
	formula  *ltl.Formula
	premises []premise
}

// premise is one that runs meet: that satisfy one of the formulas.
type premise struct {
	*eval.Premise
	by []*ltl.Formula
}

// premises translates the premises of a property. Fairness that the specification assumes
// is no matter of these.
func (t *translation) premises(p *property) (some []premise) {
	for _, m := range p.premises {
		if m.By == nil || slices.Contains(p.assumed, m.Place) {
			continue
		}
		one := premise{Premise: m}
		for _, by := range m.By {
			one.by = append(one.by, t.of(by))
		}
		some = append(some, one)
	}
	return some
}

// judge judges the properties of runs, in separate searches: those about states only
// together, as they need the same graph.
func (c *check) judge(ctx context.Context, bound string) ([]Finding, error) {
	findings := make([]Finding, 0, len(c.properties))
	together := &translation{}
	var shared []claim
	for _, p := range c.properties {
		if len(p.live) == 0 {
			continue
		}
		findings = append(findings, Finding{Name: p.name})
		tr := &translation{}
		if !slices.ContainsFunc(p.live, (*eval.Temporal).OfSteps) {
			tr = together
		}
		var all []*ltl.Formula
		for _, t := range p.live {
			all = append(all, tr.of(t))
		}
		claim := claim{&findings[len(findings)-1], ltl.And(all...), tr.premises(p)}
		if tr == together {
			shared = append(shared, claim)
			continue
		}
		if err := c.judgeAll(ctx, tr, bound, claim); err != nil {
			return nil, err
		}
	}
	if shared == nil {
		return findings, nil
	}
	return findings, c.judgeAll(ctx, together, bound, shared...)
}

// judgeAll judges claims that were translated together. If bound is not empty, it names
// the runs that were not checked.
func (c *check) judgeAll(ctx context.Context, tr *translation, bound string, claims ...claim) error {
	live := &liveSystem{system: c.system, states: tr.states, actions: tr.actions, justice: c.justice}
	live.seen.steps, live.seen.most = map[string]*explore.Steps{}, keptSteps
	if c.Memory > 0 {
		live.seen.most = min(keptSteps, c.Memory/4)
	}
	undecided := func(why string) error {
		for _, q := range claims {
			q.Why = why
		}
		return nil
	}
	if len(live.states)+len(live.actions) > maxAtoms || len(live.justice) >= maxJustice {
		return undecided(fmt.Sprintf("it speaks of more than %d predicates: not supported", maxAtoms))
	}
	end := c.spec.Limit(ctx, c.Memory)
	r, err := explore.Search(ctx, live, explore.Options{Workers: c.Workers, Memory: c.Memory, Stop: 1 << markFailed, Progress: c.Progress})
	if err != nil {
		return err
	}
	defer r.Graph.Close()
	end()
	defer c.spec.Limit(context.WithoutCancel(ctx), 0)()
	switch {
	case live.broken != nil:
		return undecided(live.broken.Error())
	case r.Outcome != explore.Exhausted:
		return undecided(r.Outcome.Why())
	}
	runs, err := r.Graph.FairRuns(ctx, explore.RunOptions{Fair: live.fairness, Memory: c.Memory, Progress: c.Judging})
	if err != nil {
		why, err := unjudged(err)
		return errors.Join(err, undecided(why))
	}
	j := judging{liveSystem: live, graph: r.Graph, runs: runs, bound: bound}
	j.names, j.marks = tr.atoms()
	for _, q := range claims {
		if err := j.judge(ctx, q); err != nil {
			q.Verdict = explore.Inconclusive
			if q.Why, err = unjudged(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// judging is a search for fair runs in the graph of a system. If bound is not empty, it
// names the runs that were not checked.
type judging struct {
	*liveSystem
	graph *explore.Graph
	runs  *explore.FairRuns
	names []string // of the atoms
	marks []uint8
	bound string
}

// judge searches for a fair run that violates a claim. If there is none, it says whether
// the claim says anything: whether a run is fair, and meets its premises.
func (j *judging) judge(ctx context.Context, c claim) error {
	against := ltl.Not(c.formula).Automaton(j.names)
	if against == nil {
		c.Why = "the formula is too large"
		return nil
	}
	lasso, found, err := j.runs.Accepted(ctx, against, j.marks)
	switch {
	case err != nil:
		return err
	case found:
		c.Verdict = explore.Violated
		return j.lasso(c.Finding, j.graph, lasso)
	}
	switch _, any, err := j.runs.Accepted(ctx, ltl.True().Automaton(nil), nil); {
	case err != nil:
		return err
	case !any && j.bound != "":
		c.Why = j.bound + ", and there are none"
		return nil
	case !any:
		c.Why = "no run is fair"
		if j.unpaid != "" {
			c.Why += ": the next-state relation does not allow " + j.unpaid + " everywhere where it is enabled"
		}
		return nil
	}
	c.Answer = Answer{Verdict: explore.Verified}
	if j.bound != "" {
		c.Answer = Answer{explore.Bounded, j.bound}
	}
	for _, m := range c.premises {
		met, err := j.meets(ctx, m)
		if err != nil {
			return err
		}
		if !met {
			c.vacuous(m.Lacks())
			break
		}
	}
	return nil
}

// meets reports whether a fair run meets a premise. What is too large to be asked counts
// as not met.
func (j *judging) meets(ctx context.Context, m premise) (bool, error) {
	for _, by := range m.by {
		if a := by.Automaton(j.names); a != nil {
			if _, met, err := j.runs.Accepted(ctx, a, j.marks); met || err != nil {
				return met, err
			}
		}
	}
	return m.Met(), nil
}

// atoms returns the names of all atoms, and their marks.
func (t *translation) atoms() (names []string, marks []uint8) {
	for i := range t.states {
		names, marks = append(names, fmt.Sprintf("s%d", i)), append(marks, uint8(i))
	}
	for i := range t.actions {
		names, marks = append(names, fmt.Sprintf("a%d", i)), append(marks, uint8(len(t.states)+i))
	}
	return names, marks
}

// unjudged returns why properties of runs were not judged; or the error, if it gives no
// such reason.
func unjudged(err error) (why string, _ error) {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "the look for fair runs did not finish: time ran out", nil
	case errors.Is(err, context.Canceled) || errors.Is(err, explore.ErrMemory):
		return err.Error(), nil
	}
	return "", err
}

// lasso makes a trace of a lasso, without the steps that only forget.
func (s *liveSystem) lasso(f *Finding, g *explore.Graph, l explore.Lasso) error {
	t := &Trace{Variables: s.spec.Variables}
	loop := -1
	ev := s.machine.Evaluator()
	for i, n := range l.States {
		if i > 0 && uint8(l.Actions[i-1]) == forgets {
			if i == l.Loop {
				loop = len(t.States) - 1
			}
			continue
		}
		if i > 0 {
			step, _, err := s.step(ev, t.States[len(t.States)-1], l.Actions[i-1]>>24<<8)
			if err != nil {
				return err
			}
			t.Steps = append(t.Steps, step)
		}
		if i == l.Loop {
			loop = len(t.States)
		}
		t.States = append(t.States, s.decode(g.State(n)[:s.width]))
	}
	f.Why = "a run that ends"
	t.Loop = loop + 1
	if loop < len(t.States)-1 {
		f.Why = "a run that cycles"
	}
	f.Trace = t
	return nil
}
