package tla

import (
	"fmt"
	"slices"

	"interleave/explore"
	"interleave/tla/eval"
)

// vacuous makes a pass a finding that nothing was put to the test.
func (f *Finding) vacuous(lacks string) {
	why := "it holds, but says nothing: " + lacks
	if f.Verdict == explore.Bounded {
		why += "; " + f.Why
	}
	f.Verdict, f.Why = explore.Inconclusive, why
}

// addVacuous makes properties that hold vacuously INCONCLUSIVE, and notes which invariants
// do and which properties the specification assumes. What is known to be wrong, or not
// known, stays as it is.
func (s *system) addVacuous(out *Report) {
	for _, p := range s.properties {
		f := out.finding(p.name)
		if f == nil { // no part of it is left to ask for
			out.Findings = append(out.Findings, Finding{Name: p.name, Verdict: out.Missed.Verdict, Why: out.Missed.Why})
			f = out.finding(p.name)
		}
		if !passes(f) {
			continue
		}
		if lacks := lacking(p.premises, false); lacks != nil {
			f.vacuous(lacks[0])
			continue
		}
		out.note(p.name, lacking(p.premises, true))
		for _, at := range p.assumed {
			out.Notes = append(out.Notes, fmt.Sprintf("%s says nothing where it demands the fairness that the specification assumes, %v", p.name, at))
		}
	}
	for _, q := range s.invariants {
		if passes(out.finding(q.Name)) {
			out.note(q.Name, lacking(q.Premises, false))
		}
	}
}

// note says of a property that a part of it says nothing.
func (r *Report) note(name string, lacks []string) {
	if lacks != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("%s says nothing in part: %s", name, lacks[0]))
	}
}

func passes(f *Finding) bool { return f.Verdict == explore.Verified || f.Verdict == explore.Bounded }

// lacking says of the premises that evaluations meet, and which none met, what is so: of
// the mild ones or of the others.
func lacking(all []*eval.Premise, mild bool) (lacks []string) {
	for _, m := range all {
		if m.Mild == mild && m.By == nil && !m.Met() {
			lacks = append(lacks, m.Lacks())
		}
	}
	return lacks
}

// finding returns the finding on a property; nil if there is none.
func (r *Report) finding(name string) *Finding {
	i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &r.Findings[i]
}

// assumed lists where a property demands fairness that the specification assumes.
func (m *Model) assumed(t *eval.Temporal) (all []eval.Place) {
	switch {
	case t.Fair != nil:
		if slices.ContainsFunc(m.justice, func(j eval.Justice) bool { return m.spec.Assumes(&j, t.Fair) }) {
			all = append(all, t.Place)
		}
	case t.Op == eval.And:
		for _, part := range t.Args {
			all = append(all, m.assumed(part)...)
		}
	}
	return slices.Compact(all)
}
