package tla

import (
	"context"
	"errors"

	"interleave/explore"
	"interleave/tla/eval"
	"interleave/tla/value"
)

// Verdict is what is known of a property.
type Verdict uint8

// The zero Verdict claims nothing.
const (
	Inconclusive Verdict = iota
	Holds
	Violated
)

func (v Verdict) String() string { return [...]string{"INCONCLUSIVE", "HOLDS", "VIOLATED"}[v] }

// Finding is a property and what is known of it.
type Finding struct {
	Name    string
	Verdict Verdict
	Why     string // where it does not hold
	Trace   *Trace // if it is violated
}

// Report is what a check found.
type Report struct {
	Findings []Finding
	Outcome  explore.Outcome
	Stats    explore.Stats
	Parts    []eval.Part
}

// Verdict is the worst of all findings.
func (r *Report) Verdict() Verdict {
	worst := Holds
	for _, f := range r.Findings {
		switch {
		case f.Verdict == Violated:
			return Violated
		case f.Verdict != Holds:
			worst = Inconclusive
		}
	}
	return worst
}

// Trace is a run: States[i+1] is reached by Steps[i].
type Trace struct {
	Variables []string
	States    [][]value.Value
	Steps     []Step
	Loop      int // if not 0, the run goes on for ever from States[Loop-1]
}

// Step says which part of the next-state relation a step is of.
type Step struct {
	Part int
	Name string
	Args []value.Value
}

// Options of a check. The zero value checks everything, with one worker.
type Options struct {
	Workers   int
	MaxStates int
	MaxDepth  int
	Memory    int64
	Continue  bool // do not stop at the first violation
	Progress  func(explore.Stats)
}

// Check explores a model. An error is one of evaluation that no trace leads to.
func (m *Model) Check(ctx context.Context, o Options) (*Report, error) {
	if m.machine == nil {
		return &Report{Findings: []Finding{{Name: "assumptions", Verdict: Holds}}, Outcome: explore.Exhausted}, nil
	}
	s := newSystem(m)
	stop := uint64(1) << markFailed
	if !o.Continue {
		stop = ^uint64(0)
	}
	ignore := uint64(0)
	if m.Config.NoDeadlock {
		ignore = 1 << markDeadlock
	}
	if err := s.beginnings(); err != nil {
		return nil, err
	}
	r, err := explore.Search(ctx, s, explore.Options{
		Workers: o.Workers, MaxStates: o.MaxStates, MaxDepth: o.MaxDepth, Memory: o.Memory,
		Stop: stop &^ ignore, Ignore: ignore, Progress: o.Progress,
	})
	switch {
	case err != nil:
		return nil, err
	case s.failed != nil:
		return nil, s.failed
	}
	defer r.Graph.Close()
	report, err := s.report(r)
	if err != nil {
		return nil, err
	}
	return report, s.addProperties(ctx, o, report)
}

// addProperties judges what is asked of first states and of runs. Where the
// search did not see everything, nothing is claimed of runs.
func (s *system) addProperties(ctx context.Context, o Options, out *Report) error {
	for _, p := range s.properties {
		for _, q := range p.initial {
			f, err := s.atFirst(p.name, q)
			if err != nil {
				return err
			}
			out.Findings = append(out.Findings, f)
		}
	}
	if out.Outcome != explore.Exhausted {
		for _, p := range s.properties {
			if len(p.live) > 0 {
				out.Findings = append(out.Findings, Finding{Name: p.name, Why: "not everything was searched"})
			}
		}
		return nil
	}
	live, err := s.judge(ctx, o)
	out.Findings = append(out.Findings, live...)
	return err
}

// atFirst judges what has to be true of every initial state.
func (s *system) atFirst(name string, q *eval.Predicate) (f Finding, err error) {
	f = Finding{Name: name, Verdict: Holds}
	ev := s.machine.Evaluator()
	var inner error
	err = s.machine.Evaluator().Initial(func(vals []value.Value) bool {
		var ok bool
		if ok, inner = ev.Holds(q, vals, nil); ok {
			return true
		}
		f.Verdict, f.Why = Violated, "it is false of an initial state"
		f.Trace = &Trace{Variables: s.spec.Variables, States: [][]value.Value{append([]value.Value(nil), vals...)}}
		return false
	})
	return f, cmpErr(inner, err)
}

// beginnings looks for initial states that the constraints exclude and in which an
// invariant is false, which the search would not see.
func (s *system) beginnings() error {
	if len(s.limits) == 0 {
		return nil
	}
	x := s.Expander().(*expander)
	var inner error
	err := s.machine.Evaluator().Initial(func(vals []value.Value) bool {
		var ok bool
		if ok, inner = s.within(x.other, vals); ok || inner != nil {
			return inner == nil
		}
		inner = x.invariantsOf(vals, func(bit uint8) {
			inner = errors.New("an initial state that the constraints exclude violates " + s.asked[bit].name)
		})
		return inner == nil
	})
	return cmpErr(inner, err)
}

func (s *system) report(r *explore.Result) (*Report, error) {
	out := &Report{Outcome: r.Outcome, Stats: r.Stats, Parts: s.machine.Parts}
	finding := func(name, why string, bit uint8) error {
		f := Finding{Name: name}
		if r.Outcome == explore.Exhausted && r.Marks>>markFailed&1 == 0 {
			f.Verdict = Holds
		}
		if r.Marks>>bit&1 != 0 {
			f.Verdict, f.Why = Violated, why
			var err error
			if f.Trace, err = s.trace(r.Graph, r.Found(bit)); err != nil {
				return err
			}
		}
		out.Findings = append(out.Findings, f)
		return nil
	}
	for i, q := range s.asked {
		if err := finding(q.name, q.why, uint8(i)); err != nil {
			return nil, err
		}
	}
	if !s.Config.NoDeadlock {
		if err := finding("no deadlock", "no step is possible", markDeadlock); err != nil {
			return nil, err
		}
	}
	return out, s.addFailure(out, r)
}

// addFailure adds the failure of an evaluation, or of an assertion, with the trace
// that leads there. Without assertions there is no such property to hold.
func (s *system) addFailure(out *Report, r *explore.Result) error {
	if r.Marks>>markFailed&1 == 0 {
		return nil
	}
	found := r.Found(markFailed)
	t, err := s.trace(r.Graph, found)
	if err != nil {
		return err
	}
	why := s.failures[key(r.Graph.State(found.State))]
	f := Finding{Name: "evaluation", Verdict: Inconclusive, Why: why.Error(), Trace: t}
	var v *eval.Violation
	if errors.As(why, &v) {
		f.Name, f.Verdict = "assertion", Violated
	}
	out.Findings = append(out.Findings, f)
	return nil
}

// trace returns a shortest run to what was found.
func (s *system) trace(g *explore.Graph, found explore.Found) (*Trace, error) {
	path := g.Path(found.State)
	t := &Trace{Variables: s.spec.Variables}
	for i, n := range path.States {
		t.States = append(t.States, s.decode(g.State(n)))
		if i < len(path.Actions) {
			step, _, err := s.step(t.States[i], path.Actions[i])
			if err != nil {
				return nil, err
			}
			t.Steps = append(t.Steps, step)
		}
	}
	if found.OnStep {
		step, next, err := s.step(t.States[len(t.States)-1], found.Action)
		if err != nil {
			return nil, err
		}
		t.Steps, t.States = append(t.Steps, step), append(t.States, next)
	}
	return t, nil
}

// step finds a step out of a state again.
func (s *system) step(vals []value.Value, a explore.Action) (step Step, after []value.Value, err error) {
	at := 0
	err = s.machine.Evaluator().Next(vals, func(part int, args, next []value.Value) bool {
		if at == int(a>>8) {
			step = Step{part, s.machine.Parts[part].Name, append([]value.Value(nil), args...)}
			after = append([]value.Value(nil), next...)
			return false
		}
		at++
		return true
	})
	return step, after, err
}
