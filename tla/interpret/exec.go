package interpret

import (
	"fmt"
	"slices"

	"interleave/tla/value"
)

// exec runs what remains up to the next label, in all ways. If it stands at a label that
// is where the step begins, first is set.
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
		return r.choose(s, d, behind)
	case either:
		return r.either(s, d, behind)
	case loop:
		again, err := r.truth(d.test, s)
		if err != nil {
			return err
		}
		if again {
			behind = &rest{d.body, st.label, nil}
		}
	case with:
		return r.with(s, d, behind)
	case await, assert, output:
		if ok, err := r.passes(s, st); !ok || err != nil {
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

// passes reports whether a run goes on behind a statement that changes nothing.
func (r *run) passes(s state, st statement) (ok bool, err error) {
	switch d := st.do.(type) {
	case await:
		return r.truth(number(d), s)
	case assert:
		if ok, err = r.truth(number(d), s); err == nil && !ok {
			err = fmt.Errorf("the assertion of %v is false", st.pos)
		}
		return ok, err
	case output:
		_, err = r.value(number(d), s)
	}
	return true, err
}

func (r *run) choose(s state, d choose, behind *rest) error {
	yes, err := r.truth(d.test, s)
	if err != nil {
		return err
	}
	branch := d.no
	if yes {
		branch = d.yes
	}
	return r.exec(s, &rest{branch, "", behind}, false)
}

func (r *run) either(s state, branches either, behind *rest) error {
	for _, branch := range branches {
		if err := r.exec(s, &rest{branch, "", behind}, false); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) with(s state, d with, behind *rest) error {
	v, err := r.value(d.value, s)
	if err != nil {
		return err
	}
	for _, v := range choices(v, d.in) {
		if err := r.exec(r.set(s, d.name, v), &rest{d.body, "", behind}, false); err != nil {
			return err
		}
	}
	return nil
}

// assign computes all values before it assigns any.
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
