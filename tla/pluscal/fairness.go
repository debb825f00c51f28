package pluscal

import (
	"fmt"
	"strings"
)

// spec is the behaviours: all runs, and what is owed to the processes.
func spec(a *Algorithm) []string {
	var owed []string
	if a.Fair {
		owed = append(owed, "WF_vars(Next)")
	}
	for i := range a.Processes {
		owed = append(owed, a.Processes[i].owed(a)...)
	}
	if owed == nil {
		return []string{"Spec == Init /\\ [][Next]_vars"}
	}
	lines := []string{`Spec == /\ Init /\ [][Next]_vars`}
	for _, o := range owed {
		lines = append(lines, `        /\ `+o)
	}
	return lines
}

// owed is the fairness of a process: of its steps, those in procedures included,
// and of single labels.
func (p *Process) owed(a *Algorithm) []string {
	if p.Fair == Unsaid {
		return nil
	}
	self, argument := "self", "(self)"
	if !p.Set {
		self, argument = p.ID.Text(), ""
	}
	parts := p.Fair.owed(p.Name, argument, p.Body, self)
	for _, q := range p.calls(a) {
		parts = append(parts, p.Fair.owed(q.Name, "("+self+")", q.Body, self)...)
	}
	if !p.Set {
		return parts
	}
	prefix := fmt.Sprintf(`\A self \in %s : `, p.ID.Text())
	var all []block
	for _, part := range parts {
		all = append(all, block{part})
	}
	return []string{strings.Join(hang(prefix, conjunction(all)), "\n           ")}
}

// owed is the fairness of one action, less the labels to which none is owed, and that of
// the labels to which more is owed.
func (f Fairness) owed(name, argument string, list []Statement, self string) []string {
	var without, more []string
	anyIn(list, func(s *Statement) bool {
		switch {
		case s.Label == nil:
		case s.Label.Fair == Unfair:
			without = append(without, fmt.Sprintf("%q", s.Label.Name))
		case s.Label.Fair == Strong && f == Weak:
			more = append(more, fmt.Sprintf("SF_vars(%s%s)", s.Label.Name, argument))
		}
		return false
	})
	action, kind := name+argument, "WF"
	if f == Strong {
		kind = "SF"
	}
	switch len(without) {
	case 0:
	case 1:
		action = fmt.Sprintf(`(pc[%s] # %s) /\ %s`, self, without[0], action)
	default:
		action = fmt.Sprintf(`(pc[%s] \notin {%s}) /\ %s`, self, strings.Join(without, ", "), action)
	}
	return append([]string{fmt.Sprintf("%s_vars(%s)", kind, action)}, more...)
}

// calls returns the procedures that a process calls, directly or not, in the order in
// which they are met.
func (p *Process) calls(a *Algorithm) []*Procedure {
	var found []*Procedure
	seen := map[string]bool{}
	var visit func(list []Statement)
	visit = func(list []Statement) {
		anyIn(list, func(s *Statement) bool {
			call, ok := s.Do.(*Call)
			if ok && !seen[call.Procedure] {
				seen[call.Procedure] = true
				q := a.Procedure(call.Procedure)
				found = append(found, q)
				visit(q.Body)
			}
			return false
		})
	}
	visit(p.Body)
	return found
}
