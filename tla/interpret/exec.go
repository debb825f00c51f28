package interpret

import (
	"fmt"
	"slices"

	"interleave/tla/value"
)

// exec runs what remains up to the next label, in all ways.
func (r *run) exec(s state, c *rest, first bool) error {
	label, c := r.goesTo(c, first)
	if label != "" {
		return r.end(s, label)
	}
	st := c.list[0]
	behind := &rest{c.list[1:], c.loop, c.next}
	switch d := st.do.(type) {
	case assign:
		s, err := r.assign(s, d)
		if err != nil {
			return err
		}
		return r.exec(s, behind, false)
	case choose:
		yes, err := r.truth(d.test, s)
		if err != nil {
			return err
		}
		if yes {
			return r.exec(s, &rest{d.yes, "", behind}, false)
		}
		return r.exec(s, &rest{d.no, "", behind}, false)
	case either:
		for _, branch := range d {
			if err := r.exec(s, &rest{branch, "", behind}, false); err != nil {
				return err
			}
		}
		return nil
	case loop:
		again, err := r.truth(d.test, s)
		if err != nil {
			return err
		}
		if again {
			return r.exec(s, &rest{d.body, st.label, nil}, false)
		}
		return r.exec(s, behind, false)
	case with:
		return r.with(s, d, behind)
	case await:
		if ok, err := r.truth(number(d), s); !ok || err != nil {
			return err
		}
	case assert:
		if ok, err := r.truth(number(d), s); err != nil || !ok {
			return cmpErr(err, fmt.Errorf("the assertion of %v is false", st.pos))
		}
	case output:
		if _, err := r.value(number(d), s); err != nil {
			return err
		}
	case leap:
		return r.end(s, string(d))
	case call:
		return r.call(s, d, behind)
	case back:
		return r.back(s)
	}
	return r.exec(s, behind, false)
}

func cmpErr(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// goesTo returns the label at which control is before what remains, or what
// remains if the step goes on there.
func (r *run) goesTo(c *rest, first bool) (string, *rest) {
	for c != nil && len(c.list) == 0 {
		if c.loop != "" {
			return c.loop, nil
		}
		c = c.next
	}
	if c == nil {
		return r.body.end, nil
	}
	if l := c.list[0].label; l != "" && !first {
		return l, nil
	}
	return "", c
}

// end ends the step with control at a label.
func (r *run) end(s state, label string) error {
	if !r.omitPC {
		s = r.setOwn(s, "pc", value.String(label))
	}
	if !r.yield(r.visible(s)) {
		return errStop
	}
	return nil
}

// setOwn gives a value to a variable that each process has of its own.
func (r *run) setOwn(s state, name string, v value.Value) state {
	if r.self != nil {
		v = value.Replace(s[r.places[name]], r.self, v)
	}
	return r.set(s, name, v)
}

func (r *run) own(s state, name string) value.Value {
	v := s[r.places[name]]
	if r.self != nil {
		return value.Apply(v, r.self)
	}
	return v
}

func (r *run) with(s state, d with, behind *rest) error {
	v, err := r.value(d.value, s)
	if err != nil {
		return err
	}
	some := []value.Value{v}
	if d.in {
		some = value.List(v)
	}
	for _, v := range some {
		if err := r.exec(r.set(s, d.name, v), &rest{d.body, "", behind}, false); err != nil {
			return err
		}
	}
	return nil
}

// assign computes all values before it gives any.
func (r *run) assign(s state, d assign) (state, error) {
	after := slices.Clone(s)
	for _, p := range d {
		v, err := r.value(p.value, s)
		if err != nil {
			return nil, err
		}
		path, err := r.path(s, p)
		if err != nil {
			return nil, err
		}
		at := r.places[p.variable]
		after[at] = replaced(after[at], path, v)
	}
	return after, nil
}

func (r *run) path(s state, p part) ([]value.Value, error) {
	var path []value.Value
	if r.body.own[p.variable] {
		path = append(path, r.self)
	}
	for _, a := range p.path {
		if a.field != "" {
			path = append(path, value.String(a.field))
			continue
		}
		arguments, err := r.values(s, a.arguments)
		if err != nil {
			return nil, err
		}
		if len(arguments) == 1 {
			path = append(path, arguments[0])
		} else {
			path = append(path, value.NewTuple(arguments...))
		}
	}
	return path, nil
}

func (r *run) values(s state, list []number) ([]value.Value, error) {
	var out []value.Value
	for _, n := range list {
		v, err := r.value(n, s)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// replaced is f with a value at the end of a path.
func replaced(f value.Value, path []value.Value, v value.Value) value.Value {
	if len(path) == 0 {
		return v
	}
	if len(path) > 1 {
		v = replaced(value.Apply(f, path[0]), path[1:], v)
	}
	return value.Replace(f, path[0], v)
}

// call begins a procedure. A return or goto right behind it takes no step of its
// own: as in the translation, a procedure that returns after a call of itself
// leaves the stack alone, and one that returns after a call of another puts its
// variables back, but not its parameters.
func (r *run) call(s state, d call, behind *rest) error {
	q := r.procedures[d.procedure]
	arguments, err := r.values(s, d.arguments)
	if err != nil {
		return err
	}
	label, c := r.goesTo(behind, false)
	before := s
	if c == nil {
		s = r.push(s, before, q, label)
	} else if l, ok := c.list[0].do.(leap); ok {
		s = r.push(s, before, q, string(l))
	} else if r.body != q { // a return
		stack := value.Elems(r.own(s, "stack"), "a return")
		if len(stack) == 0 {
			return fmt.Errorf("a return from %s, which was not called", r.body.name)
		}
		for _, v := range r.body.variables {
			s = r.setOwn(s, v.name, value.Apply(stack[0], value.String(v.name)))
		}
		pc, _ := value.Apply(stack[0], value.String("pc")).(value.String)
		s = r.setOwn(s, "stack", value.NewTuple(slices.Clone(stack[1:])...))
		s = r.push(s, before, q, string(pc))
	}
	for i, v := range q.parameters {
		s = r.setOwn(s, v.name, arguments[i])
	}
	for _, v := range q.variables {
		first, err := r.value(v.first, s)
		if err != nil {
			return err
		}
		s = r.setOwn(s, v.name, first)
	}
	return r.end(s, q.first)
}

// push puts a frame on the stack: where to go on, and what the variables of the
// procedure were before.
func (r *run) push(s, before state, q *body, pc string) state {
	names := []string{"procedure", "pc"}
	vals := []value.Value{value.String(q.name), value.String(pc)}
	for _, v := range append(slices.Clone(q.variables), q.parameters...) {
		names, vals = append(names, v.name), append(vals, r.own(before, v.name))
	}
	stack := append([]value.Value{value.NewRecord(names, vals)}, value.Elems(r.own(s, "stack"), "a call")...)
	return r.setOwn(s, "stack", value.NewTuple(stack...))
}

// back ends a procedure.
func (r *run) back(s state) error {
	stack := value.Elems(r.own(s, "stack"), "a return")
	if len(stack) == 0 {
		return fmt.Errorf("a return from %s, which was not called", r.body.name)
	}
	for _, v := range append(slices.Clone(r.body.variables), r.body.parameters...) {
		s = r.setOwn(s, v.name, value.Apply(stack[0], value.String(v.name)))
	}
	pc, _ := value.Apply(stack[0], value.String("pc")).(value.String)
	return r.end(r.setOwn(s, "stack", value.NewTuple(slices.Clone(stack[1:])...)), string(pc))
}
