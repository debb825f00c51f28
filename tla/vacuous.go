package tla

import (
	"fmt"
	"slices"

	"interleave/tla/eval"
)

// addVacuous makes properties that hold vacuously INCONCLUSIVE, and notes which invariants
// do and which properties the specification assumes. What is known to be wrong, or not
// known, stays as it is.
func (c *check) addVacuous() {
	for _, p := range c.properties {
		f := c.out.finding(p.name)
		if f == nil { // no part of it is left to ask for
			c.out.Findings = append(c.out.Findings, Finding{Name: p.name, Answer: c.out.Missed})
			f = c.out.finding(p.name)
		}
		if !passes(f.Verdict) {
			continue
		}
		if lacks := lacking(p.premises, false); lacks != nil {
			f.vacuous(lacks[0])
			continue
		}
		c.out.note(p.name, lacking(p.premises, true))
		if len(p.initial) > 0 && len(p.always)+len(p.every)+len(p.live) == 0 {
			c.out.Notes = append(c.out.Notes, p.name+" is about the initial state only: INVARIANT asks for every state")
		}
		for _, at := range p.assumed {
			c.out.Notes = append(c.out.Notes, fmt.Sprintf("%s says nothing where it demands the fairness that the specification assumes, %v", p.name, at))
		}
	}
	for _, q := range c.invariants {
		if passes(c.out.finding(q.Name).Verdict) {
			c.out.note(q.Name, lacking(q.Premises, false))
		}
	}
}

// addUntested says why a pass says nothing, if nothing was asked, or nothing of that was put
// to the test. An assertion that was evaluated is asked, too.
func (c *check) addUntested() {
	switch {
	case c.spec.Asserted():
		if len(c.out.Findings) == 0 {
			c.out.Findings = []Finding{{Name: "assertion", Answer: c.out.Missed}}
			c.out.Notes = append(c.out.Notes, "the configuration asks for nothing, so only assertions were judged")
		}
	case len(c.out.Findings) == 0:
		c.out.Untested = "the configuration asks for nothing, and no Assert was evaluated"
	case c.Config.NoDeadlock && len(c.invariants) == 0 && !slices.ContainsFunc(c.properties, c.tested):
		c.out.Untested = "nothing that was asked was put to the test"
	}
}

// tested reports whether something of a property was put to the test, if it holds: a state,
// a step that changes v of [][A]_v, or a run that the specification does not assume.
func (c *check) tested(p *property) bool {
	return len(p.initial)+len(p.always) > 0 ||
		slices.ContainsFunc(p.every, func(q *eval.Predicate) bool { return q.Premises[0].Met() }) ||
		slices.ContainsFunc(p.live, func(t *eval.Temporal) bool { return c.assumed(t) == nil })
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
