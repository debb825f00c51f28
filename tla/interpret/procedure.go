package interpret

import (
	"slices"

	"interleave/tla/value"
)

// call begins a procedure. A return or goto directly after it is part of the same step:
// as in the translation, a procedure that returns after a call of itself leaves the
// stack alone, and one that returns after a call of another restores its variables, but
// not its parameters.
func (r *run) call(s state, d call, behind *rest) {
	q := r.procedures[d.procedure]
	arguments := r.values(s, d.arguments)
	label, c := r.goesTo(behind, false)
	before := s
	if c == nil {
		s = r.push(s, before, q, label)
	} else if l, ok := c.list[0].do.(leap); ok {
		s = r.push(s, before, q, string(l))
	} else if r.body != q { // a return
		popped, label := r.pop(s, r.body.variables)
		s = r.push(popped, before, q, label)
	}
	for i, v := range q.parameters {
		s = r.setOwn(s, v.name, arguments[i])
	}
	for _, v := range q.variables {
		s = r.setOwn(s, v.name, r.value(v.first, s))
	}
	r.end(s, q.first)
}

// push puts a frame on the stack: where to go on, and the values of the variables of
// the procedure before the call.
func (r *run) push(s, before state, q *body, pc string) state {
	names := []string{"procedure", "pc"}
	vals := []value.Value{value.String(q.name), value.String(pc)}
	for _, v := range q.locals() {
		names, vals = append(names, v.name), append(vals, r.own(before, v.name))
	}
	stack := append([]value.Value{value.NewRecord(names, vals)}, value.Elems(r.own(s, "stack"), "a call")...)
	return r.setOwn(s, "stack", value.NewTuple(stack...))
}

// pop removes the frame of the current procedure from the stack, restores the variables
// to the values in the frame, and returns where to go on.
func (r *run) pop(s state, variables []variable) (_ state, label string) {
	stack := value.Elems(r.own(s, "stack"), "a return")
	if len(stack) == 0 {
		fail("a return from %s, which was not called", r.body.name)
	}
	for _, v := range variables {
		s = r.setOwn(s, v.name, value.Apply(stack[0], value.String(v.name)))
	}
	pc, _ := value.Apply(stack[0], value.String("pc")).(value.String)
	return r.setOwn(s, "stack", value.NewTuple(slices.Clone(stack[1:])...)), string(pc)
}

// locals are the variables of a procedure, and its parameters.
func (b *body) locals() []variable { return slices.Concat(b.variables, b.parameters) }
