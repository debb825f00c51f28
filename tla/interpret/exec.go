package interpret

import (
	"slices"

	"interleave/tla/value"
)

// exec runs what remains up to the next label, in all ways. If it stands at a label that
// is where the step begins, first is set.
func (r *run) exec(s state, c *rest, first bool) {
	label, c := r.goesTo(c, first)
	if label != "" {
		r.end(s, label)
		return
	}
	st := c.list[0]
	behind := &rest{c.list[1:], c.loop, c.next}
	switch d := st.do.(type) {
	case assign:
		s = r.assign(s, d)
	case choose:
		behind = &rest{d.no, "", behind}
		if r.truth(d.test, s) {
			behind.list = d.yes
		}
	case either:
		for _, branch := range d {
			r.exec(s, &rest{branch, "", behind}, false)
		}
		return
	case loop:
		if r.truth(d.test, s) {
			behind = &rest{d.body, st.label, nil}
		}
	case with:
		for _, v := range choices(r.value(d.value, s), d.in) {
			r.exec(r.set(s, d.name, v), &rest{d.body, "", behind}, false)
		}
		return
	case await:
		if !r.truth(number(d), s) {
			return
		}
	case assert:
		if !r.truth(number(d), s) {
			fail("the assertion of %v is false", st.pos)
		}
	case output:
		r.value(number(d), s)
	case leap:
		r.end(s, string(d))
		return
	case call:
		r.call(s, d, behind)
		return
	case back:
		s, label := r.pop(s, r.body.locals())
		r.end(s, label)
		return
	}
	r.exec(s, behind, false)
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
func (r *run) end(s state, label string) {
	if !r.omitPC {
		s = r.setOwn(s, "pc", value.String(label))
	}
	r.tell(s, r.yield)
}

// setOwn gives a value to a variable of which each process has its own.
func (r *run) setOwn(s state, name string, v value.Value) state {
	if r.self != nil {
		v = value.Replace(s[r.places[name]], r.self, v)
	}
	return r.set(s, name, v)
}

// own is the value of such a variable.
func (r *run) own(s state, name string) value.Value {
	v := s[r.places[name]]
	if r.self != nil {
		return value.Apply(v, r.self)
	}
	return v
}

// assign computes all values before it assigns any.
func (r *run) assign(s state, d assign) state {
	after := slices.Clone(s)
	for _, p := range d {
		v := r.value(p.value, s)
		at := r.places[p.variable]
		after[at] = replaced(after[at], r.path(s, p), v)
	}
	return after
}

func (r *run) path(s state, p part) (path []value.Value) {
	if r.body.own[p.variable] {
		path = append(path, r.self)
	}
	for _, a := range p.path {
		switch arguments := r.values(s, a.arguments); {
		case a.field != "":
			path = append(path, value.String(a.field))
		case len(arguments) == 1:
			path = append(path, arguments[0])
		default:
			path = append(path, value.NewTuple(arguments...))
		}
	}
	return path
}

func (r *run) values(s state, list []number) (out []value.Value) {
	for _, n := range list {
		out = append(out, r.value(n, s))
	}
	return out
}

// replaced returns f with another value at the end of a path.
func replaced(f value.Value, path []value.Value, v value.Value) value.Value {
	if len(path) == 0 {
		return v
	}
	if len(path) > 1 {
		v = replaced(value.Apply(f, path[0]), path[1:], v)
	}
	return value.Replace(f, path[0], v)
}
