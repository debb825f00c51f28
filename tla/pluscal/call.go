package pluscal

import (
	"fmt"
	"slices"
	"strings"
)

// frame is what a call puts on the stack: where to go on, and what the
// variables of the procedure were.
func (w *writer) frame(q *Procedure, pc, rest string) block {
	fields := []string{fmt.Sprintf("procedure |-> %q", q.Name), "pc |-> " + pc}
	for _, v := range q.Locals() {
		fields = append(fields, v+" |-> "+v+w.subscript())
	}
	b := wrap("<< [ ", fields, " ] >>")
	return append(b, `    \o `+rest)
}

// call writes a call and the statement behind it, which is a return, a goto or
// none of this step.
func (w *writer) call(d *Call, behind []Statement, next string, c *conjuncts) {
	q := w.algorithm.Procedure(d.Procedure)
	returns := false
	pc := fmt.Sprintf("%q", next)
	if len(behind) > 0 {
		switch after := behind[0].Do.(type) {
		case *Return:
			returns = true
		case *Goto:
			pc = fmt.Sprintf("%q", after.Label)
		}
	}
	var items []block
	for i, p := range q.Parameters {
		items = append(items, w.set(p.Name, w.value(d.Arguments[i], c).block()))
	}
	stack := "stack" + w.subscript()
	switch {
	case returns && q.Name == w.within.Name: // its frame stays as it is
	case returns:
		for _, v := range w.within.Variables {
			items = append(items, block{w.local(v.Name, "Head("+stack+")."+v.Name)})
			c.changed[v.Name] = true
		}
		items = append(items, w.set("stack", w.frame(q, "Head("+stack+").pc", "Tail("+stack+")")))
		c.changed["stack"] = true
	default:
		items = append(items, w.set("stack", w.frame(q, pc, stack)))
		c.changed["stack"] = true
	}
	slices.SortFunc(items, func(a, b block) int { return strings.Compare(a[0], b[0]) })
	if len(items) > 0 {
		c.add(conjunction(items))
	}
	for _, p := range q.Parameters {
		c.changed[p.Name] = true
	}
	w.begin(q, c)
}

// begin gives the variables of a procedure their initial values, and control to
// its first statement.
func (w *writer) begin(q *Procedure, c *conjuncts) {
	inside := *w.body // the values are seen from inside the procedure
	inside.locals = localsOf(q, w.self)
	for _, v := range q.Variables {
		c.add(w.set(v.Name, (&writer{body: &inside}).value(v.First(), c).block()))
		c.changed[v.Name] = true
	}
	w.goTo(q.Body[0].Label.Name, c)
}

// restore takes what a call put on the stack off it.
func (w *writer) restore(q *Procedure, c *conjuncts) {
	stack := "stack" + w.subscript()
	w.setPC("Head("+stack+").pc", c)
	for _, v := range q.Locals() {
		c.add(block{w.local(v, "Head("+stack+")."+v)})
		c.changed[v] = true
	}
	c.add(block{w.local("stack", "Tail("+stack+")")})
	c.changed["stack"] = true
}

// set gives a new value, of several lines perhaps, to a variable that each
// process has of its own.
func (w *writer) set(name string, value block) block {
	if w.self == "" {
		return hang(name+"' = ", value)
	}
	return hang(fmt.Sprintf("%s' = [%s EXCEPT ![%s] = ", name, name, w.self), value).follow("]")
}

// localsOf is the variables of a procedure, if each process has them of its own.
func localsOf(q *Procedure, self string) map[string]bool {
	m := map[string]bool{}
	for _, v := range q.Locals() {
		m[v] = self != ""
	}
	return m
}
