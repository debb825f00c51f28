package properties

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"interleave/model"
	"interleave/spec"
)

// mostFields is how many parts of objects a report names.
const mostFields = 5

// OfCode is how an assumption begins that is of existing code.
const OfCode = "code        "

// audit puts what is taken for granted of existing code to the test: that other histories of a state do the same, and
// that counterexamples happen to objects with no other history than theirs. It returns an error if that is wrong: then nothing that was found means
// anything.
func (r *Report) audit(ctx context.Context, code spec.Code) error {
	if code == nil {
		return nil
	}
	r.Assumes = code.Assumes()
	for _, unseen := range code.Unseen() {
		r.Assumptions = append(r.Assumptions, OfCode+unseen)
	}
	if !r.Stats.Complete && r.Verdict != Violated {
		fields := code.Fields()
		r.Fields = fields[:min(len(fields), mostFields)]
	}
	if !slices.ContainsFunc(r.Findings, Finding.rests) {
		return auditRun(ctx, code, r.Findings)
	}
	tests, complete, err := code.Audit(ctx)
	if err = cmp.Or(err, repeat(code.Fresh(), r.Findings)); err != nil {
		return err
	}
	if r.Audits = tests; complete {
		return nil
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.rests() {
			f.Verdict, f.Why = Inconclusive, "time ran out before other histories of the states were tried"
		}
	}
	r.conclude()
	return nil
}

// auditRun repeats a run that was found with existing code. If it does not happen, the error says why, if an audit finds that.
func auditRun(ctx context.Context, code spec.Code, findings []Finding) error {
	if code == nil {
		return nil
	}
	contradiction := repeat(code.Fresh(), findings)
	if contradiction == nil {
		return nil
	}
	_, _, err := code.Audit(ctx)
	return cmp.Or(err, contradiction)
}

// repeat repeats the runs that were found with existing code, and returns an error if one does not happen.
func repeat(m spec.Machine, findings []Finding) error {
	for _, f := range findings {
		if f.Trace == nil {
			continue
		}
		if _, _, err := model.Replay(m, f.Trace); err != nil {
			return &spec.CodeError{Algorithm: m.Traits().Name, Reason: fmt.Sprintf("what shows %s does not happen: %v", f.Name, err)}
		}
	}
	return nil
}

// rests reports whether a finding is more than a run that can be repeated: that it holds, or what a state that is taken for
// others cannot do. So it rests on which states are taken for one.
func (f Finding) rests() bool {
	if f.Verdict == Violated {
		return f.Trace == nil || f.Kind.OfWhatFollows() || f.Trace.Loop > 0
	}
	return f.Verdict == Verified || f.Verdict == Bounded
}
