package explain

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"interleave/model"
	"interleave/model/picture"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
)

// Options of Of.
type Options struct {
	States int // limit on the states explored for each question; 0: DefaultStates
}

// DefaultStates is the default limit; exploring that many takes some seconds.
const DefaultStates = 50_000

// Explanation is what Of found.
type Explanation struct {
	Trace     *model.Trace
	Reference *model.Reference
	Run       *model.Run
	Property  properties.Property
	Reason    string // why the property is false

	Switches int  // in Run
	Were     int  // in the given trace
	Fewest   bool // every shortest run was compared: none has fewer

	// Matters says of each step whether it matters. The steps that do form a run by
	// themselves, at whose end the property is false for the same reason. They are the
	// causes of the violation, by the order of steps of each process, messages, and
	// reports of crashes, and what is needed for these to be possible. For a property
	// of quiescent states, a step also matters if the violation could be averted without
	// that step and its consequences.
	Matters []bool

	OnlyLuck bool // as of a properties.Finding in the world of the trace
	Unlooked bool // nobody knows whether OnlyLuck: the world has more than Options.States

	Known bool // whether there is a point of no return
	Turn  int  // the step that leads past it; 0: the violation could never be averted
}

// Of explains a trace that breaks a property of m: one of those given, or of election.All. It
// is an error if the trace does not break it.
func Of(ctx context.Context, m spec.Machine, t *model.Trace, o Options, props ...properties.Property) (*Explanation, error) {
	if o.States == 0 {
		o.States = DefaultStates
	}
	r, run, reason, err := election.Replay(m, t, props...)
	if err != nil {
		return nil, err
	}
	p, err := election.Find(m, t.Property, append(slices.Clip(props), properties.NoPanic)...)
	if err != nil {
		return nil, err
	}
	e := &Explanation{Trace: t, Reference: r, Run: run, Property: p, Reason: reason, Switches: switches(run), Were: switches(run)}
	if !local(p) || t.Loop > 0 {
		e.Matters = all(len(run.Steps))
		e.Turn, e.Known = outOfReach(ctx, r, p, run, o.States)
		e.OnlyLuck, e.Unlooked, err = onlyLuck(ctx, m, t.Config, run, p, o)
		return e, cmp.Or(err, ctx.Err())
	}
	if err := e.settle(ctx, m, o, props); err != nil {
		return nil, err
	}
	f := newFuture(ctx, r, p, o.States)
	e.Turn, e.Known = f.turn(e.Run)
	e.slice(f)
	return e, ctx.Err()
}

// outOfReach returns the first step after which the goal of a Recoverable cannot be reached any more; 0 if it never could.
// What can be reached from a state can be from all states before it, but for those that only a fault led on from; so the
// search goes back from the end as long as it is out of reach.
func outOfReach(ctx context.Context, r *model.Reference, p properties.Property, run *model.Run, states int) (step int, known bool) {
	if p.Kind != properties.RecoverableKind {
		return 0, false
	}
	for k := len(run.Steps) - 1; k >= 0; k-- {
		if ctx.Err() != nil {
			return 0, false
		}
		switch why, sure := p.OutOfReach(r, run.States[k], states); {
		case !sure, why == nil && !p.InReach(r, run.States[k], states): // or a bound or a panic cut off what would have told
			return 0, false
		case why == nil:
			return k + 1, true
		}
	}
	return 0, true
}

// onlyLuck asks whether only choices keep violations of a property going in a world, and whether it was too large to know.
func onlyLuck(ctx context.Context, m spec.Machine, c model.Config, run *model.Run, p properties.Property, o Options) (only, unknown bool, err error) {
	if p.Kind != properties.LivenessKind || !slices.ContainsFunc(run.Steps, func(s model.Step) bool { return s.Event.Step.Choices != nil }) {
		return false, false, nil
	}
	report, err := properties.Verify(ctx, m, c, []properties.Property{p}, properties.Options{MaxStates: o.States, Continue: true, Catalogue: election.Catalogue})
	if err != nil || ctx.Err() != nil {
		return false, true, err
	}
	return report.Findings[0].OnlyLuck, !report.Findings[0].OnlyLuck && report.Stats.States >= o.States, nil
}

// local reports whether a property is about states or steps, and not about whole runs.
func local(p properties.Property) bool {
	return p.Kind == properties.InvariantKind || p.Kind == properties.QuiescentKind || p.Kind == properties.EveryStepKind
}

// settle replaces the given run by the one with the fewest switches.
func (e *Explanation) settle(ctx context.Context, m spec.Machine, o Options, props []properties.Property) error {
	events, initial, ok := fewest(ctx, e.Reference, e.Property, len(e.Run.Steps), o.States)
	if !ok {
		return nil
	}
	t, run, err := model.Record(e.Reference, initial, events)
	if err != nil {
		return &properties.ContradictionError{Reason: fmt.Sprintf("a run with fewer switches does not replay: %v", err)}
	}
	if e.Fewest = true; switches(run) == e.Were && len(run.Steps) == len(e.Run.Steps) {
		return nil
	}
	t.Property = e.Trace.Property
	_, _, reason, err := election.Replay(m, t, props...)
	if err != nil {
		return &properties.ContradictionError{Reason: fmt.Sprintf("a run with fewer switches breaks nothing: %v", err)}
	}
	t.Reason = reason
	e.Trace, e.Run, e.Reason, e.Switches = t, run, reason, switches(run)
	return nil
}

// Picture returns the run as a picture, in which the steps that do not matter are faded and the
// point of no return is marked.
func (e *Explanation) Picture() *picture.Picture {
	p := picture.Of(e.Reference, e.Run, e.Trace)
	for i := range p.Events {
		p.Events[i].Faded = !e.Matters[p.Events[i].Step-1]
	}
	p.Turn = e.Turn
	return p
}

// Sentence says what went wrong in terms of the property.
func (e *Explanation) Sentence() string {
	asks := "requires that "
	if e.Property.Unnamed() {
		asks = "is "
	}
	text := fmt.Sprintf("%s %s%s; but ", e.Property.Name, asks, e.Property.Doc)
	last := len(e.Run.Steps)
	switch {
	case e.Trace.Loop > last:
		text += "the run ends, because no step that must eventually happen is possible"
	case e.Trace.Loop > 0:
		text += fmt.Sprintf("the run repeats its steps from step %d on forever", e.Trace.Loop)
	case last == 0:
		text += "at the beginning"
	case e.Property.Kind == properties.QuiescentKind:
		text += fmt.Sprintf("after step %d nothing has to happen any more", last)
	case e.Property.Kind == properties.EveryStepKind:
		text += fmt.Sprintf("in step %d", last)
	default:
		text += fmt.Sprintf("after step %d", last)
	}
	text += ": " + e.Reason
	switch {
	case !e.Known:
	case e.Turn == 0:
		text += "; it could not be averted, even at the beginning"
	case e.Turn == last:
		text += "; before that step it could still be averted"
	default:
		text += fmt.Sprintf("; after step %d (%s) no fair run can avert it", e.Turn, e.Reference.DescribeStep(e.Run.Steps[e.Turn-1].Event))
	}
	return text
}

func all(n int) []bool {
	marks := make([]bool, n)
	for i := range marks {
		marks[i] = true
	}
	return marks
}
