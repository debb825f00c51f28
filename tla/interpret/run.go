package interpret

import (
	"errors"
	"fmt"
	"slices"

	"interleave/tla/value"
)

// run is a step in progress.
type run struct {
	*Program
	body  *body
	self  value.Value // nil: the algorithm has no processes
	yield func([]value.Value) bool
}

// errStop ends a run early.
var errStop = errors.New("no more steps wanted")

// Initial yields the initial states.
func (p *Program) Initial(yield func([]value.Value) bool) (err error) {
	defer recovered(&err)
	return stopped(p.begin(make(state, p.width), p.globals, func(s state) error {
		return p.beginProcedures(s, yield)
	}))
}

func stopped(err error) error {
	if err == errStop {
		return nil
	}
	return err
}

// recovered turns the panics of package value into an error.
func recovered(err *error) {
	switch e := recover().(type) {
	case nil:
	case *value.Error:
		*err = e
	default:
		panic(e)
	}
}

func (p *Program) value(n number, s state) (value.Value, error) { return p.expressions[n].Value(s) }

func (p *Program) truth(n number, s state) (bool, error) {
	v, err := p.value(n, s)
	if b, ok := v.(value.Bool); ok || err != nil {
		return bool(b), err
	}
	return false, fmt.Errorf("%s where TRUE or FALSE is expected", value.Brief(v))
}

func (p *Program) set(s state, name string, v value.Value) state {
	s = slices.Clone(s)
	s[p.places[name]] = v
	return s
}

// setFirst gives an initial value, also for use in definitions.
func (p *Program) setFirst(s state, name string, v value.Value) state {
	s = p.set(s, name, v)
	if at, ok := p.before[name]; ok {
		s[at] = v
	}
	return s
}

// begin gives variables their initial values, in all ways.
func (p *Program) begin(s state, list []variable, then func(state) error) error {
	if len(list) == 0 {
		return then(s)
	}
	v, err := p.value(list[0].first, s)
	if err != nil {
		return err
	}
	for _, v := range choices(v, list[0].in) {
		if err := p.begin(p.setFirst(s, list[0].name, v), list[1:], then); err != nil {
			return err
		}
	}
	return nil
}

// choices returns v alone, as for x = v, or its members, as for x \in v.
func choices(v value.Value, in bool) []value.Value {
	if in {
		return value.List(v)
	}
	return []value.Value{v}
}

// selves returns all processes.
func (p *Program) selves() (all []value.Value, of []*process, err error) {
	for _, q := range p.processes {
		v, err := p.value(q.id, make(state, p.width))
		if err != nil {
			return nil, nil, err
		}
		for _, self := range choices(v, q.set) {
			all, of = append(all, self), append(of, q)
		}
	}
	return all, of, nil
}

// beginProcedures gives the variables of procedures, and then those of
// processes, their initial values.
func (p *Program) beginProcedures(s state, yield func([]value.Value) bool) error {
	all, _, err := p.selves()
	if err != nil {
		return err
	}
	for _, q := range p.algorithm.Procedures {
		body := p.procedures[q.Name]
		for _, v := range append(slices.Clone(body.parameters), body.variables...) {
			if s, err = p.forEach(s, v, all, body.own[v.name]); err != nil {
				return err
			}
		}
	}
	return p.beginProcesses(s, p.processes, func(s state) error { return p.beginControl(s, all, yield) })
}

// forEach gives a variable with one initial value to each process of some, or
// once.
func (p *Program) forEach(s state, v variable, some []value.Value, own bool) (state, error) {
	if !own {
		first, err := p.value(v.first, s)
		return p.setFirst(s, v.name, first), err
	}
	var vals []value.Value
	for i, self_ := range some {
		// those before this one have their function already
		first, err := p.value(v.first, p.setFirst(p.setFirst(s, v.name, value.NewFunc(slices.Clone(some[:i]), slices.Clone(vals))), self, self_))
		if err != nil {
			return nil, err
		}
		vals = append(vals, first)
	}
	return p.setFirst(s, v.name, value.NewFunc(slices.Clone(some), vals)), nil
}

func (p *Program) beginProcesses(s state, list []*process, then func(state) error) error {
	if len(list) == 0 {
		return then(s)
	}
	q := list[0]
	id, err := p.value(q.id, s)
	if err != nil {
		return err
	}
	next := func(s state) error { return p.beginProcesses(s, list[1:], then) }
	if !q.set {
		return p.begin(p.setFirst(s, self, id), q.variables, next)
	}
	return p.beginSet(s, value.List(id), q.variables, next)
}

// beginSet gives variables to each process of a set; one that begins with any
// member of a set does so for each process apart.
func (p *Program) beginSet(s state, some []value.Value, list []variable, then func(state) error) error {
	if len(list) == 0 {
		return then(s)
	}
	v := list[0]
	if !v.in {
		s, err := p.forEach(s, v, some, true)
		if err != nil {
			return err
		}
		return p.beginSet(s, some, list[1:], then)
	}
	from, err := p.value(v.first, s)
	if err != nil {
		return err
	}
	for _, f := range value.List(value.NewFunctions(value.NewSet(slices.Clone(some)), from)) {
		if err := p.beginSet(p.setFirst(s, v.name, value.Explicit(f)), some, list[1:], then); err != nil {
			return err
		}
	}
	return nil
}

// beginControl gives pc and the stack their initial values.
func (p *Program) beginControl(s state, all []value.Value, yield func([]value.Value) bool) error {
	var stack, pc value.Value = value.Empty, nil
	if p.main != nil {
		pc = value.String(p.main.first)
	} else {
		stacks := make([]value.Value, len(all))
		var labels []value.Value
		for i := range stacks {
			stacks[i] = value.Empty
		}
		_, of, err := p.selves()
		if err != nil {
			return err
		}
		for _, q := range of {
			labels = append(labels, value.String(q.first))
		}
		stack, pc = value.NewFunc(slices.Clone(all), stacks), value.NewFunc(slices.Clone(all), labels)
	}
	if len(p.procedures) > 0 {
		s = p.setFirst(s, "stack", stack)
	}
	if !p.omitPC {
		s = p.setFirst(s, "pc", pc)
	}
	if !yield(p.visible(s)) {
		return errStop
	}
	return nil
}

// visible returns the values of the variables of the translation.
func (p *Program) visible(s state) []value.Value {
	out := make([]value.Value, len(p.Variables))
	for i, name := range p.Variables {
		out[i] = s[p.places[name]]
	}
	return out
}

// Next yields the states after each step, and the name of the process whose
// step it is.
func (p *Program) Next(from []value.Value, yield func(deed string, next []value.Value) bool) (err error) {
	defer recovered(&err)
	s := make(state, p.width)
	for i, name := range p.Variables {
		s[p.places[name]], s[p.before[name]] = from[i], from[i]
	}
	if p.main != nil {
		label := p.label(s, nil, p.main)
		if label == "Done" {
			if !p.algorithm.NoEnd {
				yield("it has come to its end", from)
			}
			return nil
		}
		r := &run{Program: p, yield: func(next []value.Value) bool { return yield(label, next) }}
		return stopped(r.from(s, label))
	}
	all, of, err := p.selves()
	if err != nil {
		return err
	}
	done := true
	for i, self_ := range all {
		label := p.label(s, self_, of[i].body)
		done = done && label == "Done"
		r := &run{Program: p, self: self_, yield: func(next []value.Value) bool {
			return yield(fmt.Sprintf("%s(%s)", label, value.Format(self_)), next)
		}}
		if err := r.from(p.set(s, self, self_), label); err != nil {
			return stopped(err)
		}
	}
	if done && !p.endless && !p.algorithm.NoEnd {
		yield("all have come to their end", from)
	}
	return nil
}

// label returns where control of a process is.
func (p *Program) label(s state, self value.Value, b *body) string {
	if p.omitPC {
		return b.first
	}
	pc := s[p.places["pc"]]
	if self != nil {
		pc = value.Apply(pc, self)
	}
	text, _ := pc.(value.String)
	return string(text)
}

// from runs the step that begins at a label.
func (r *run) from(s state, label string) error {
	r.body = r.labels[label]
	if r.body == nil { // Done, or Error
		return nil
	}
	return r.exec(s, r.body.labels[label], true)
}
