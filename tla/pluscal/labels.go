package pluscal

import (
	"fmt"
	"maps"

	"interleave/tla/syntax"
)

// labeller checks that labels stand where steps have to end, and only where
// they may. To an algorithm of one process without any label it adds those
// that it needs.
type labeller struct {
	firstError
	algorithm *Algorithm
	adds      bool
	added     int
	within    *Procedure      // nil: not inside of one
	where     string          // which body, for messages
	variables map[string]bool // that can be assigned to
}

// step is what is known between two statements.
type step struct {
	assigned map[string]bool // since the last label
	must     string          // why a label is needed here; empty: it is not
	called   bool            // right behind a call: a return or goto needs none
}

func (s step) copy() step {
	s.assigned = maps.Clone(s.assigned)
	return s
}

// checkLabels checks all bodies, and where goto and call lead.
func checkLabels(file string, a *Algorithm) error {
	l := &labeller{firstError: firstError{file: file}, algorithm: a}
	hasLabel := func(s *Statement) bool { return s.Label != nil }
	l.adds = len(a.Processes) == 0
	for _, body := range a.bodies() {
		l.adds = l.adds && !anyIn(*body, hasLabel)
	}
	for i := range a.Procedures {
		q := &a.Procedures[i]
		l.within = q
		l.body(q.Body, "procedure "+q.Name, q.Pos, q.Parameters, q.Variables)
	}
	l.within = nil
	for i := range a.Processes {
		p := &a.Processes[i]
		l.body(p.Body, "process "+p.Name, p.Pos, p.Variables)
	}
	if len(a.Processes) == 0 {
		l.body(a.Body, "algorithm "+a.Name, a.Pos)
	}
	return l.err
}

func (l *labeller) body(list []Statement, where string, at syntax.Pos, locals ...[]Variable) {
	if len(list) == 0 {
		l.fail(at, "write skip for a process that does nothing", "%s has no statements", where)
		return
	}
	l.where = where
	l.variables = map[string]bool{}
	for _, vs := range append(locals, l.algorithm.Variables) {
		for _, v := range vs {
			l.variables[v.Name] = true
		}
	}
	l.sequence(list, step{must: "the first statement of " + where + " needs one"}, nil)
	l.targets(list)
}

// sequence checks statements that are done one after another, the first of them
// in the given step. With is the innermost with around them.
func (l *labeller) sequence(list []Statement, st step, with *Statement) step {
	st = st.copy()
	for i := range list {
		s := &list[i]
		switch why := l.needsLabel(s, st); {
		case s.Label != nil && with != nil:
			l.fail(s.Label.Pos, "a with is one step: put the label before it", "label %s inside of a with", s.Label.Name)
		case s.Label != nil:
			st = step{}
		case why != "" && with != nil:
			l.fail(s.Pos, "a with is one step: end it before, or change what it does", "a label is missing inside of a with, where none may be: %s", why)
		case why != "" && l.adds:
			s.Label = l.newLabel(s.Pos)
			st = step{}
		case why != "":
			l.fail(s.Pos, "put a label before it, as in L: x := 1", "a label is missing: %s", why)
			return step{}
		}
		if st.assigned == nil {
			st.assigned = map[string]bool{}
		}
		st = l.after(s, st, with)
	}
	return st
}

// newLabel makes a label up, for an algorithm that has none of its own.
func (l *labeller) newLabel(at syntax.Pos) *Label {
	l.added++
	return &Label{Name: fmt.Sprintf("Lbl_%d", l.added), Pos: at}
}

// needsLabel returns why s has to have a label, or nothing.
func (l *labeller) needsLabel(s *Statement, st step) string {
	behindCall := false
	switch s.Do.(type) {
	case *While:
		return "a while needs one"
	case *Return, *Goto:
		behindCall = st.called
	}
	if behindCall {
		return ""
	}
	if st.must != "" {
		return st.must
	}
	for _, v := range l.assigns(s) {
		if st.assigned[v] {
			return fmt.Sprintf("%s is assigned to twice in one step", v)
		}
	}
	return ""
}

// assigns returns the variables that s itself gives values to, those of
// statements inside it excepted.
func (l *labeller) assigns(s *Statement) []string {
	switch d := s.Do.(type) {
	case *Assign:
		var names []string
		for _, p := range d.Parts {
			names = append(names, p.Variable)
		}
		return names
	case *Call:
		if q := l.algorithm.Procedure(d.Procedure); q != nil {
			return append(q.Locals(), "stack")
		}
	case *Return:
		if l.within != nil {
			return append(l.within.Locals(), "stack")
		}
	}
	return nil
}

// after returns what is known after s.
func (l *labeller) after(s *Statement, st step, with *Statement) step {
	for _, v := range l.assigns(s) {
		st.assigned[v] = true
	}
	st.must, st.called = "", false
	switch d := s.Do.(type) {
	case *Assign:
		l.parts(d)
	case *Goto:
		st.must = "control never comes here from the goto before"
	case *Return:
		st.must = "control never comes here from the return before"
	case *Call:
		st.must, st.called = "the call before it ends its step", true
	case *While:
		l.sequence(d.Body, step{assigned: map[string]bool{}}, nil)
		return step{}
	case *With:
		st = l.sequence(d.Body, st, s)
	case *If, *Either:
		return l.branches(s, st, with)
	}
	if _, ok := s.Do.(*With); ok && s.jumps() {
		st.must, st.called = "the with before it holds a goto, call or return", false
	}
	return st
}

// branches checks the branches of an if or either.
func (l *labeller) branches(s *Statement, st step, with *Statement) step {
	all := st.copy()
	for _, branch := range s.blocks() {
		maps.Copy(all.assigned, l.sequence(branch, st, with).assigned)
	}
	if s.jumps() {
		all.must = "a statement before it holds a label, goto, call or return"
	}
	return all
}

// parts checks what is assigned to.
func (l *labeller) parts(d *Assign) {
	whole := map[string]bool{}
	for i, p := range d.Parts {
		switch {
		case p.bound != 0:
			l.fail(p.Pos, "give the value or the variable another name", "%s is a value here, which a with names: %s cannot assign to it", p.Variable, l.where)
		case !l.variables[p.Variable]:
			l.fail(p.Pos, "declare it among the variables", "%s is no variable that %s can assign to", p.Variable, l.where)
		}
		if old, ok := whole[p.Variable]; ok && i > 0 && (old || len(p.Sub) == 0) {
			l.fail(p.Pos, "assign to it once, or to different parts of it", "%s is assigned to twice at once", p.Variable)
		}
		whole[p.Variable] = whole[p.Variable] || len(p.Sub) == 0
	}
}

// targets checks where control is sent.
func (l *labeller) targets(list []Statement) {
	labels := map[string]bool{"Done": true, "Error": true}
	anyIn(list, func(s *Statement) bool {
		if s.Label != nil {
			labels[s.Label.Name] = true
		}
		return false
	})
	anyIn(list, func(s *Statement) bool {
		switch d := s.Do.(type) {
		case *Goto:
			if !labels[d.Label] {
				l.fail(d.Pos, "a goto leads to a label of the same body, or to Done", "there is no label %s in %s", d.Label, l.where)
			}
		case *Call:
			l.call(d)
		case *Return:
			if l.within == nil {
				l.fail(s.Pos, "use goto Done", "a return outside of every procedure")
			}
		}
		return l.err != nil
	})
}

func (l *labeller) call(d *Call) {
	q := l.algorithm.Procedure(d.Procedure)
	switch {
	case q == nil:
		l.fail(d.Pos, "procedures are defined before the processes", "there is no procedure %s", d.Procedure)
	case len(q.Parameters) != len(d.Arguments):
		l.fail(d.Pos, fmt.Sprintf("give it %d", len(q.Parameters)), "procedure %s takes %s, and here %s",
			q.Name, arguments(len(q.Parameters)), given(len(d.Arguments)))
	}
}
