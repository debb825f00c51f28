package eval

import (
	"fmt"
	"slices"
	"sync/atomic"

	"interleave/tla/syntax"
)

// Premise is what some run has to meet so that a formula that holds does not hold
// vacuously: the premise of an arrow, that the set of a quantifier is not empty, that a
// step changes the subscript of [][A]_v, that the action of a fairness condition is
// enabled. It is met if one of By is satisfied by a fair run, or if Met. A premise inside of
// a quantifier is met if that is so for some choice of elements.
type Premise struct {
	Place
	By     []*Temporal
	Mild   bool           // it is worth a note only: [][y' = y]_y is a way to say that y never changes
	set    bool           // that the set of a quantifier is not empty
	choice bool           // it is in an operand of \/, \E or IF: others can do without it
	lacks  string         // what is so if it is not met
	met    []*atomic.Bool // set by evaluations that meet it
	key    string         // tells the premises of one formula apart
}

// Met reports whether an evaluation has met the premise.
func (m *Premise) Met() bool { return slices.ContainsFunc(m.met, (*atomic.Bool).Load) }

// Lacks says what is so if the premise is not met.
func (m *Premise) Lacks() string { return fmt.Sprintf("%s, %v", m.lacks, m.Place) }

func (m *Premise) meet() {
	if met := m.met[0]; !met.Load() {
		met.Store(true)
	}
}

// premises are those of the formula that is compiled.
type premises struct {
	all *[]*Premise // nil unless it is asked whether it says anything, and depends on the truth of this part
}

// supposes notes a premise of the formula that is compiled, for whoever evaluates it to
// meet; nil if the truth of the formula does not depend on x in the way that matters.
func (s *premises) supposes(x syntax.Expr, p place, lacks string) *Premise {
	if s.all == nil {
		return nil
	}
	m := &Premise{Place: p.site(x).place(), lacks: lacks, met: []*atomic.Bool{new(atomic.Bool)}, key: fmt.Sprint(len(*s.all))}
	*s.all = append(*s.all, m)
	return m
}

// noted returns the premises that are noted so far.
func (s *premises) noted() []*Premise {
	if s.all == nil {
		return nil
	}
	return *s.all
}

// setAside begins a part in which no premises are noted, and returns what ends it.
func (s *premises) setAside() func() {
	around := s.all
	s.all = nil
	return func() { s.all = around }
}

// choice begins a part of which one operand is enough, and returns what ends it.
func (s *premises) choice() (end func()) {
	first := len(s.noted())
	return func() {
		for _, m := range s.noted()[first:] {
			m.choice = true
		}
	}
}

// milder makes premises about sets mild, which are those of a conjunction in a disjunction:
// the conjunction says more.
func milder(all []*Premise) {
	for _, m := range all {
		m.Mild = m.Mild || m.set
	}
}

// Premises lists the premises of a formula, the outer ones before those within them. As
// for formulas of package ltl, every arrow counts on whose truth the formula depends, but
// none under ~ or \equiv.
func (t *Temporal) Premises() []*Premise {
	switch t.Op {
	case State, Every:
		return t.Pred.Premises
	case Implies:
		first := &Premise{Place: t.Place, By: t.Args[:1], lacks: "no fair run satisfies the premise of the implication", key: "if"}
		return append([]*Premise{first}, each(t.Args[1].Premises(), func(by *Temporal) *Temporal { return and(t.Args[0], by) })...)
	case And, Or:
		switch {
		case t.Fair != nil:
			return []*Premise{{Place: t.Place, By: []*Temporal{eventually(&Temporal{Op: State, Pred: t.Fair.Enabled})}, lacks: "the action of the fairness condition is never enabled"}}
		case t.Each:
			return t.ofEach()
		}
		return t.ofParts()
	case Always, Eventually:
		return each(t.Args[0].Premises(), eventually)
	}
	return nil
}

// each changes the formulas of some premises.
func each(all []*Premise, f func(*Temporal) *Temporal) []*Premise {
	var changed []*Premise
	for _, m := range all {
		n := *m
		n.By = nil
		for _, by := range m.By {
			n.By = append(n.By, f(by))
		}
		changed = append(changed, &n)
	}
	return changed
}

// ofParts lists the premises of all operands.
func (t *Temporal) ofParts() (all []*Premise) {
	for i, part := range t.Args {
		for _, m := range part.Premises() {
			n := *m
			n.key = fmt.Sprintf("%d.%s", i, m.key)
			n.Mild = m.Mild || m.set && t.Op == Or && part.Op == And && !part.Each
			all = append(all, &n)
		}
	}
	return all
}

// ofEach lists the premises of a quantifier, whose operands are for one choice each: what
// one of them meets is met. Only \A holds without any choice.
func (t *Temporal) ofEach() (all []*Premise) {
	if t.Op == And {
		own := &Premise{Place: t.Place, set: true, lacks: `a set of \A is empty`, key: "set"}
		if len(t.Args) > 0 {
			own.met = []*atomic.Bool{new(atomic.Bool)}
			own.meet()
		}
		all = append(all, own)
	}
	for _, choice := range t.Args {
		for _, m := range choice.Premises() {
			key := "of." + m.key
			at := slices.IndexFunc(all, func(n *Premise) bool { return n.key == key })
			if at < 0 {
				all = append(all, &Premise{Place: m.Place, Mild: m.Mild, set: m.set, lacks: m.lacks, key: key})
				at = len(all) - 1
			}
			all[at].By, all[at].met = append(all[at].By, m.By...), append(all[at].met, m.met...)
		}
	}
	return all
}
