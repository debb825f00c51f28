package plan

import (
	"context"
	"fmt"
	"strings"

	"interleave/explore"
	"interleave/explore/ltl"
	"interleave/internal/printable"
	"interleave/model"
)

// evidence is what a search knows in the end: states one by one, or diagrams.
type evidence interface {
	// sight looks for a state or a step that a property watches for.
	sight(p Property, mark uint8) (sighting, error)
	// runs returns the finding on a property of runs.
	runs(ctx context.Context, p Property, mark uint8) (Finding, error)
	// recovery returns the finding on a Recoverable.
	recovery(ctx context.Context, p Property, mark uint8) (Finding, error)
	// messages returns the finding on a number of messages.
	messages(ctx context.Context, p Property) (Finding, error)
}

// sighting is a state or a step that a property watches for, or says that there is none.
type sighting struct {
	found  bool
	open   *Finding // if it is not known whether there is one: what can be said then
	depth  int      // of a state, in steps; -1: not known
	record recorder // of a shortest run there
}

// recorder repeats a run through the handlers. If it finds no run to repeat, it says why.
type recorder func() (trace *model.Trace, run *model.Run, why string, err error)

// judgeAll returns the findings on all properties. Those on runs, and on what can be reached from where, come last, since
// they may take long, and more memory than there is.
func (q *Question) judgeAll(ctx context.Context, e evidence) ([]Finding, error) {
	findings := make([]Finding, len(q.Properties))
	judge := func(runs bool) (err error) {
		for i, p := range q.Properties {
			if err == nil && runs == (p.Kind == Liveness || p.Kind == Recoverable) {
				findings[i], err = q.judge(ctx, e, p, uint8(i))
			}
		}
		return err
	}
	if err := judge(false); err != nil {
		return nil, err
	}
	panics, err := q.judge(ctx, e, q.NoPanic, model.PanicMark)
	if err != nil {
		return nil, err
	}
	if err := judge(true); err != nil {
		return nil, err
	}
	if holds := panics.Verdict == explore.Verified || panics.Verdict == explore.Bounded; !holds {
		q.withoutPanic(findings)
		findings = append(findings, panics)
	}
	return findings, nil
}

// judge returns the finding on one property, which has the given mark.
func (q *Question) judge(ctx context.Context, e evidence, p Property, mark uint8) (Finding, error) {
	switch p.Kind {
	case Liveness:
		return e.runs(ctx, p, mark)
	case Messages:
		return e.messages(ctx, p)
	case Recoverable:
		return e.recovery(ctx, p, mark)
	}
	switch s, err := e.sight(p, mark); {
	case err != nil:
		return Finding{}, err
	case s.open != nil:
		return *s.open, nil
	case s.found && p.Kind == Cover:
		return q.reached(p, s)
	case s.found:
		return violated(p, s)
	case p.Kind == Cover && q.Config.Bound > 0:
		return Finding{Why: "no state within the bound satisfies it"}, nil
	case p.Kind == Cover:
		return Finding{Verdict: explore.Violated, Why: "no reachable state satisfies it"}, nil
	}
	return q.holds(), nil
}

// withoutPanic makes verdicts that hold for all runs Inconclusive, since some runs end in a panic,
// or may, and it is unknown what would have come after it.
func (q *Question) withoutPanic(findings []Finding) {
	for i := range q.Properties {
		f, kind := &findings[i], q.Properties[i].Kind
		if holds := f.Verdict == explore.Verified || f.Verdict == explore.Bounded; holds && (kind == Liveness || kind == Messages || kind == Recoverable) {
			f.Verdict, f.Why, f.ByEnds = explore.Inconclusive, "a handler panics, and what would come after it is unknown", false
		}
	}
}

// holds returns the finding on a property that is true of everything that there is.
func (q *Question) holds() Finding {
	if q.Config.Bound > 0 {
		return Finding{Verdict: explore.Bounded, Why: "the world bounds what the processes remember"}
	}
	return Finding{Verdict: explore.Verified}
}

// reached returns the finding on a Cover whose goal was sighted, with a run there if that is to be
// kept, or, with a lossy store, to be confirmed.
func (q *Question) reached(p Property, s sighting) (Finding, error) {
	f := Finding{Verdict: explore.Verified, Depth: s.depth}
	if s.depth < 0 || !q.Keep && q.Store == explore.Exact {
		return f, nil
	}
	var err error
	if f.Witness, _, _, err = s.record(); err == nil {
		f.Witness.Property, f.Witness.Reason = p.Name, p.Doc
	}
	return f, err
}

// violated returns the finding of a run to what was sighted, after it was repeated.
func violated(p Property, s sighting) (Finding, error) {
	trace, run, why, err := s.record()
	if trace == nil || err != nil {
		return Finding{Why: why}, err
	}
	reason := p.False(run, 0)
	if reason == nil {
		return Finding{}, &ContradictionError{fmt.Sprintf("%s is not false at the end of its counterexample", p.Name)}
	}
	trace.Property, trace.Reason = p.Name, printable.Text(reason.Error())
	return Finding{Verdict: explore.Violated, Why: trace.Reason, Depth: len(trace.Steps), Trace: trace}, nil
}

// onLasso returns the finding of an infinite run that violates a property; nil if its property is
// true of it.
func onLasso(p Property, trace *model.Trace, run *model.Run) *Finding {
	why := p.False(run, trace.Loop)
	if why == nil {
		return nil
	}
	trace.Property, trace.Reason = p.Name, printable.Text(why.Error())
	return &Finding{Verdict: explore.Violated, Why: trace.Reason, Depth: len(trace.Steps), Trace: trace, Run: run}
}

// onCycle is onLasso for a run that must violate the property.
func onCycle(p Property, trace *model.Trace, run *model.Run) (*Finding, error) {
	f := onLasso(p, trace, run)
	if f == nil {
		return nil, &ContradictionError{fmt.Sprintf("%s is not false on its counterexample", p.Name)}
	}
	return f, nil
}

// fairRuns are the fair runs of a world as a search knows them.
type fairRuns interface {
	// cycle reports whether some fair run never ends.
	cycle(ctx context.Context) (bool, error)
	// violation returns the finding of a fair run that violates a property; nil if there is none.
	violation(ctx context.Context) (*Finding, error)
	// accepts reports whether an automaton over the predicates of the property accepts a fair run.
	accepts(ctx context.Context, a *ltl.Automaton) (bool, error)
}

// judgeRuns returns the finding on a property of runs. EndWell says that no run ends badly.
func (q *Question) judgeRuns(ctx context.Context, p Property, endWell bool, runs fairRuns) (Finding, error) {
	if endWell && p.Runs.EndsDecide(q.Config) {
		switch cycle, err := runs.cycle(ctx); {
		case err != nil:
			return Finding{}, err
		case !cycle:
			return Finding{Verdict: explore.Verified}, nil
		}
	}
	switch found, err := runs.violation(ctx); {
	case err != nil:
		return Finding{}, err
	case found != nil:
		return *found, nil
	case q.Config.Bound > 0:
		return q.cutShort(), nil
	}
	return p.Runs.unlessVacuous(ctx, runs)
}

// cutShort returns the finding on a property of runs in a world whose bound cuts off how they go on.
func (q *Question) cutShort() Finding {
	f := Finding{Why: "the bound cuts runs short: nothing can be said of what happens eventually", CutShort: true}
	if q.Instead != nil {
		f.Why += "; ask " + strings.Join(q.Instead, ", ") + " instead, of what comes once nothing fails any more"
	}
	return f
}

// counted returns the finding that follows from the numbers of messages.
func (q *Question) counted(p Property, m *MessageCount) Finding {
	if m.Exceeds(p.Most) {
		return Finding{Verdict: explore.Violated, Why: m.MostRun.Reason, Trace: m.MostRun, Depth: len(m.MostRun.Steps), Messages: m}
	}
	f := q.holds()
	f.Why, f.Messages = m.String(), m
	return f
}

// lost returns the finding of a run to one of some states from which the goal cannot be reached. If open, it is not known of
// others.
func (q *Question) lost(p Property, states int, open bool, record recorder) (Finding, error) {
	f, err := violated(p, sighting{record: record})
	f.Lost, f.MoreLost = states, open
	return f, err
}

// recovers returns the finding on a Recoverable if from every state the goal can be reached or, if open, a state out of
// which a step is left out; if cut, by the bound.
func (q *Question) recovers(open, cut bool) Finding {
	switch {
	case open && cut:
		return Finding{Why: "the bound cuts off how some states go on, and without that the goal is not reached from there", CutShort: true}
	case open:
		return Finding{Why: "a handler panics, and what would come after it is unknown"}
	}
	return q.holds()
}
