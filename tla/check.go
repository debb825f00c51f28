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

// Finding is a property and its verdict; a report has one of each name.
type Finding struct {
	Name    string
	Verdict explore.Verdict
	Why     string // if it is not Verified
	Trace   *Trace // if it is violated
}

// Report is what a check found.
type Report struct {
	Findings []Finding
	Outcome  explore.Outcome
	Stats    explore.Stats
	Parts    []eval.Part // parts of the next-state relation
	Fired    []bool      // the parts of which a step was found
	Missed   Missed
	Notes    []string // what says nothing, though it was asked for
	Untested string   // why a pass says nothing, if nothing that was asked was put to the test
}

// Missed is the verdict on a question about states or steps to which no wrong answer
// was found, and why it is not Verified.
type Missed struct {
	Verdict explore.Verdict
	Why     string
}

// Verdict returns the worst of all findings, and the reason. If no property is checked,
// it is about the search. A pass that says nothing is Inconclusive.
func (r *Report) Verdict() (v explore.Verdict, why string) {
	if v, why = r.worst(); passes(v) && r.Untested != "" {
		return explore.Inconclusive, r.Untested
	}
	return v, why
}

func (r *Report) worst() (v explore.Verdict, why string) {
	if len(r.Findings) == 0 {
		return r.Missed.Verdict, r.Missed.Why
	}
	v = explore.Verified
	for _, f := range r.Findings {
		if w := explore.Worse(v, f.Verdict); w != v {
			v, why = w, f.Why
		}
	}
	return v, why
}

// add adds a finding. If several have one name, like the parts of a property that are
// checked by themselves, the worst is kept, and the first of these.
func (r *Report) add(f Finding) {
	if old := r.finding(f.Name); old == nil {
		r.Findings = append(r.Findings, f)
	} else if explore.Worse(old.Verdict, f.Verdict) != old.Verdict {
		*old = f
	}
}

// Trace is a run: States[i+1] is reached by Steps[i].
type Trace struct {
	Variables []string
	States    [][]value.Value
	Steps     []Step
	Loop      int // if not 0, the run goes on forever from States[Loop-1]
}

// Step identifies the part of the next-state relation that a step belongs to.
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
	Judging   func(explore.Look) // when infinite behaviours are checked
}

// Check explores a model. An error is a failed evaluation to which no trace leads, or
// an *eval.OutOfBudget if the check was given up.
func (m *Model) Check(ctx context.Context, o Options) (*Report, error) {
	if m.machine == nil {
		f := Finding{Name: "assumptions", Why: "there are no assumptions, so nothing was checked"}
		if m.spec.Assumed() > 0 {
			f.Verdict, f.Why = explore.Verified, ""
		}
		return &Report{Findings: []Finding{f}, Outcome: explore.Exhausted}, nil
	}
	defer m.spec.Limit(ctx, o.Memory)()
	m.spec.Asserted() // by assumptions, which are no part of what is asked
	s := newSystem(m)
	stop := uint64(1) << markFailed
	if !o.Continue {
		stop = ^uint64(0)
	}
	ignore := uint64(0)
	if m.Config.NoDeadlock {
		ignore = 1 << markDeadlock
	}
	if m.view != nil {
		o.Workers = 1 // the first state found represents its view
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
	// What was evaluated once is evaluated again, to find the way there.
	defer m.spec.Limit(context.WithoutCancel(ctx), 0)()
	report := &Report{Outcome: r.Outcome, Stats: r.Stats, Parts: s.machine.Parts, Fired: s.fired(r.Stats)}
	if s.gaveUp != nil {
		r.Outcome = endOf(s.gaveUp)
		report.Outcome = r.Outcome
	}
	report.Missed.Verdict, report.Missed.Why = s.missed(ctx, o, r)
	if err := s.report(report, r); err != nil {
		return nil, err
	}
	if err := s.addProperties(ctx, o, report); err != nil {
		return nil, err
	}
	s.addVacuous(report)
	s.addUntested(report)
	return report, nil
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

// fired records of which parts a step was found.
func (s *system) fired(found explore.Stats) []bool {
	fired := make([]bool, len(s.machine.Parts))
	for i := range fired {
		if i < lateParts {
			fired[i] = found.Fired[i] > 0
		} else {
			fired[i] = s.late[i-lateParts].Load()
		}
	}
	return fired
}

// missed returns the verdict on a question of which no violation was found.
func (s *system) missed(ctx context.Context, o Options, r *explore.Result) (explore.Verdict, string) {
	cut := "nothing is known of what " + strings.Join(s.constraints(), ", ") + " cut off"
	switch {
	case s.gaveUp != nil:
		return explore.Inconclusive, r.Outcome.Why()
	case r.Marks>>markFailed&1 != 0:
		return explore.Inconclusive, "an evaluation failed"
	case r.Outcome == explore.DepthLimit && s.cut.Load():
		return explore.Bounded, explore.WithinDepth(o.MaxDepth) + "; " + cut
	case r.Outcome == explore.DepthLimit:
		return explore.Bounded, explore.WithinDepth(o.MaxDepth)
	case r.Outcome != explore.Exhausted:
		return explore.Inconclusive, r.Outcome.Why()
	case r.Stats.Initial == 0:
		return explore.Inconclusive, s.noneInitial()
	}
	why := s.merged()
	if s.cut.Load() {
		why = append(why, cut)
	}
	if why != nil {
		return explore.Bounded, strings.Join(why, "; ")
	}
	return explore.Verified, ""
}

// noneInitial is the reason why nothing is known without an initial state: anything is
// true of no states.
func (s *system) noneInitial() string {
	if s.cut.Load() {
		return "no initial state: " + strings.Join(s.Config.Constraints, ", ") + " cut off all"
	}
	return "no initial state: " + s.Config.Specification + s.Config.Init + " admits none"
}

// merged returns why states that were merged may differ.
func (m *Model) merged() (why []string) {
	if m.view != nil {
		why = append(why, "only one state of each VIEW "+m.Config.View+" was looked at")
	}
	if doubt := m.doubt(); doubt != "" {
		why = append(why, doubt)
	}
	return why
}

// constraints names what may cut off states or steps.
func (m *Model) constraints() []string {
	return slices.Concat(m.Config.Constraints, m.Config.ActionLimits)
}

// addProperties judges properties of initial states and of runs. If the search did not
// see everything, nothing is claimed about runs.
func (s *system) addProperties(ctx context.Context, o Options, out *Report) error {
	for _, p := range s.properties {
		for _, q := range p.initial {
			f, err := s.atFirst(p.name, q)
			if err != nil {
				return err
			}
			out.add(f)
		}
	}
	bound, why := s.runsLeftOut(out)
	if why != "" {
		for _, p := range s.properties {
			if len(p.live) > 0 {
				out.add(Finding{Name: p.name, Why: "a property of runs is not decided: " + why})
			}
		}
		return nil
	}
	live, err := s.judge(ctx, o, bound)
	for _, f := range live {
		out.add(f)
	}
	return err
}

// runsLeftOut returns which runs cannot be checked, if all others can; or else why none
// can.
func (s *system) runsLeftOut(out *Report) (bound, why string) {
	switch {
	case s.symmetry != nil && out.Missed.Verdict == explore.Verified:
		return "", "what is fair is not known under SYMMETRY"
	case out.Missed.Verdict == explore.Bounded && out.Outcome == explore.Exhausted && s.merged() == nil:
		return "only runs that stay within " + strings.Join(s.constraints(), ", ") + " were looked at", ""
	}
	return "", out.Missed.Why
}

// atFirst judges what must be true of every initial state.
func (s *system) atFirst(name string, q *eval.Predicate) (f Finding, err error) {
	f = Finding{Name: name, Why: s.noneInitial()}
	ev := s.machine.Evaluator()
	var inner error
	err = s.machine.Evaluator().Initial(func(vals []value.Value) bool {
		var ok bool
		if ok, inner = ev.Holds(q, vals, nil); ok {
			f.Verdict, f.Why = explore.Verified, ""
			return true
		}
		f.Verdict, f.Why = explore.Violated, "it is false of an initial state"
		f.Trace = &Trace{Variables: s.spec.Variables, States: [][]value.Value{append([]value.Value(nil), vals...)}}
		return false
	})
	return f, cmp.Or(inner, err)
}

func (s *system) report(out *Report, r *explore.Result) error {
	for i, q := range s.asked {
		if err := s.finding(out, r, q.name, q.why, uint8(i)); err != nil {
			return err
		}
	}
	if !s.Config.NoDeadlock {
		if err := s.finding(out, r, "no deadlock", "no step is possible", markDeadlock); err != nil {
			return err
		}
	}
	return s.addFailure(out, r)
}

// finding adds the finding for the question whose mark is bit.
func (s *system) finding(out *Report, r *explore.Result, name, why string, bit uint8) (err error) {
	f := Finding{Name: name, Verdict: out.Missed.Verdict, Why: out.Missed.Why}
	if vals := s.excluded[bit]; vals != nil {
		f.Verdict, f.Why = explore.Violated, why+", in an initial state that the constraints exclude"
		f.Trace = &Trace{Variables: s.spec.Variables, States: [][]value.Value{vals}}
	} else if r.Marks>>bit&1 != 0 {
		f.Verdict, f.Why = explore.Violated, why
		if f.Trace, err = s.trace(r.Graph, r.Found(bit)); err == nil {
			err = s.replayed(&f)
		}
	}
	out.add(f)
	return err
}

// replayed withdraws a violation to which no run leads.
func (s *system) replayed(f *Finding) error {
	if s.symmetry == nil {
		return nil
	}
	ok, err := s.replays(f.Trace)
	if !ok {
		*f = Finding{Name: f.Name, Why: "a violation was found to which no run leads: " + s.doubt()}
	}
	return err
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
	f := Finding{Name: "evaluation", Why: why.Error(), Trace: t}
	var v *eval.Violation
	if errors.As(why, &v) {
		f.Name, f.Verdict = "assertion", explore.Violated
	}
	out.add(f)
	return nil
}

// trace returns a shortest run to what was found.
func (s *system) trace(g *explore.Graph, found explore.Found) (*Trace, error) {
	path := g.Path(found.State)
	actions := path.Actions
	if found.OnStep {
		actions = append(slices.Clone(actions), found.Action)
	}
	vals := s.decode(g.State(path.States[0]))
	t := &Trace{Variables: s.spec.Variables, States: [][]value.Value{vals}}
	turned := permutation{} // maps vals to the values of the run
	ev := s.machine.Evaluator()
	for i, a := range actions {
		step, next, err := s.step(ev, vals, a)
		if err != nil {
			return nil, err
		}
		for k, v := range step.Args {
			step.Args[k] = turned.of(v)
		}
		real, _ := value.Map(next, turned.of)
		t.Steps, t.States = append(t.Steps, step), append(t.States, real)
		switch vals = next; {
		case s.view != nil && i+1 < len(path.States):
			vals = s.decode(g.State(path.States[i+1]))
		case s.symmetry != nil:
			var by permutation
			vals, by = s.least(next)
			turned = turned.after(by.inverse())
		}
	}
	return t, nil
}

// step finds a step from a state again.
func (s *system) step(ev *eval.Evaluator, vals []value.Value, a explore.Action) (step Step, after []value.Value, err error) {
	at := 0
	err = ev.Next(vals, func(part int, next []value.Value) bool {
		if at == int(a>>8) {
			step = Step{part, s.machine.Parts[part].Name, ev.Args()}
			after = append([]value.Value(nil), next...)
			return false
		}
		at++
		return true
	})
	return step, after, err
}
