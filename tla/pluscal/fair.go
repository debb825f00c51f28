package pluscal

import (
	"fmt"
	"strings"
)

// spec is the behaviours: all runs, and what is owed to the processes.
func (t *translation) spec() []string {
	a := t.algorithm
	var owed []string
	if a.Fair {
		owed = append(owed, "WF_vars(Next)")
	}
	for i := range a.Processes {
		owed = append(owed, t.owed(&a.Processes[i])...)
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
func (t *translation) owed(p *Process) []string {
	if p.Fair == Unsaid {
		return nil
	}
	kind, self, argument := "WF", "self", ""
	if p.Fair == Strong {
		kind = "SF"
	}
	if p.Set {
		argument = "(self)"
	} else {
		self = p.ID.Text()
	}
	parts := t.owedBody(kind, p.Name+argument, p.Body, p.Fair, self, argument)
	for _, q := range t.calledBy(p) {
		parts = append(parts, t.owedBody(kind, fmt.Sprintf("%s(%s)", q.Name, self), q.Body, p.Fair, self, "("+self+")")...)
	}
	if !p.Set {
		return parts
	}
	prefix := fmt.Sprintf(`\A self \in %s : `, p.ID.Text())
	if len(parts) == 1 {
		return []string{prefix + parts[0]}
	}
	var all []block
	for _, part := range parts {
		all = append(all, block{part})
	}
	b := hang(prefix, list0(all))
	text := b[0]
	for _, line := range b[1:] {
		text += "\n           " + line
	}
	return []string{text}
}

// owedBody is the fairness of one action, less the labels to which none is
// owed, and that of the labels to which more is owed.
func (t *translation) owedBody(kind, action string, list []Statement, fair Fairness, self, argument string) []string {
	var without, more []string
	anyIn(list, func(s *Statement) bool {
		switch {
		case s.Label == nil:
		case s.Label.Fair == Unfair:
			without = append(without, fmt.Sprintf("%q", s.Label.Name))
		case s.Label.Fair == Strong && fair == Weak:
			more = append(more, fmt.Sprintf("SF_vars(%s%s)", s.Label.Name, argument))
		}
		return false
	})
	switch len(without) {
	case 0:
	case 1:
		action = fmt.Sprintf(`(pc[%s] # %s) /\ %s`, self, without[0], action)
	default:
		action = fmt.Sprintf(`(pc[%s] \notin {%s}) /\ %s`, self, strings.Join(without, ", "), action)
	}
	return append([]string{fmt.Sprintf("%s_vars(%s)", kind, action)}, more...)
}

// calledBy returns the procedures that a process calls, directly or not, in the
// order in which they are met.
func (t *translation) calledBy(p *Process) []*Procedure {
	var found []*Procedure
	seen := map[string]bool{}
	var visit func(list []Statement)
	visit = func(list []Statement) {
		anyIn(list, func(s *Statement) bool {
			call, ok := s.Do.(*Call)
			if ok && !seen[call.Procedure] {
				seen[call.Procedure] = true
				q := t.algorithm.Procedure(call.Procedure)
				found = append(found, q)
				visit(q.Body)
			}
			return false
		})
	}
	visit(p.Body)
	return found
}
