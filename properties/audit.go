package properties

import (
	"cmp"
	"context"
	"slices"

	"interleave/spec"
)

// mostFields is how many parts of objects a report names.
const mostFields = 5

// audit puts what is taken for granted of existing code to the test, if something was found to hold. It returns an error if
// that is wrong: then nothing that was found means anything.
func (r *Report) audit(ctx context.Context, code spec.Code) (err error) {
	if code == nil {
		return nil
	}
	r.Assumes = code.Assumes()
	for _, unseen := range code.Unseen() {
		r.Assumptions = append(r.Assumptions, "code        "+unseen)
	}
	if !r.Stats.Complete {
		fields := code.Fields()
		r.Fields = fields[:min(len(fields), mostFields)]
	}
	holds := func(f Finding) bool { return cmp.Or(f.Verdict == Verified, f.Verdict == Bounded) }
	if !slices.ContainsFunc(r.Findings, holds) {
		return nil
	}
	complete := true
	if r.Audits, complete, err = code.Audit(ctx); err != nil || complete {
		return err
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; holds(*f) && f.Kind != CoverKind {
			f.Verdict, f.Why = Inconclusive, "time ran out before other histories of the states were tried"
		}
	}
	r.conclude()
	return nil
}
