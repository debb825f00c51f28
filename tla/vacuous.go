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
		if !passes(f.Verdict) {
			continue
		}
		if lacks := lacking(p.premises, false); lacks != nil {
			f.vacuous(lacks[0])
			continue
		}
		out.note(p.name, lacking(p.premises, true))
		if len(p.initial) > 0 && len(p.always)+len(p.every)+len(p.live) == 0 {
			out.Notes = append(out.Notes, p.name+" is about the initial state only: INVARIANT asks for every state")
		}
		for _, at := range p.assumed {
			out.Notes = append(out.Notes, fmt.Sprintf("%s says nothing where it demands the fairness that the specification assumes, %v", p.name, at))
		}
	}
	for _, q := range s.invariants {
		if passes(out.finding(q.Name).Verdict) {
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

func passes(v explore.Verdict) bool { return v == explore.Verified || v == explore.Bounded }

// addUntested says why a pass says nothing, if nothing was asked, or nothing of that was put
// to the test. An assertion that was evaluated is asked, too.
func (s *system) addUntested(out *Report) {
	switch {
	case s.spec.Asserted():
		if len(out.Findings) == 0 {
			out.Findings = []Finding{{Name: "assertion", Verdict: out.Missed.Verdict, Why: out.Missed.Why}}
			out.Notes = append(out.Notes, "the configuration asks for nothing, so only assertions were judged")
		}
	case len(out.Findings) == 0:
		out.Untested = "the configuration asks for nothing, and no Assert was evaluated"
	case s.Config.NoDeadlock && len(s.invariants) == 0 && !slices.ContainsFunc(s.properties, s.tested):
		out.Untested = "nothing that was asked was put to the test"
	}
}

// tested reports whether something of a property was put to the test, if it holds: a state,
// a step that changes v of [][A]_v, or a run that the specification does not assume.
func (m *Model) tested(p *property) bool {
	return len(p.initial)+len(p.always) > 0 ||
		slices.ContainsFunc(p.every, func(q *eval.Predicate) bool { return q.Premises[0].Met() }) ||
		slices.ContainsFunc(p.live, func(t *eval.Temporal) bool { return m.assumed(t) == nil })
}

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
		if slices.ContainsFunc(m.justice, func(j eval.Justice) bool { return j.Implies(t.Fair) }) {
			all = append(all, t.Place)
		}
	case t.Op == eval.And:
		for _, part := range t.Args {
			all = append(all, m.assumed(part)...)
		}
	}
	return slices.Compact(all)
}
