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
	p.begin(make(state, p.width), p.globals, func(s state) { p.beginProcedures(s, yield) })
	return nil
}

// failure is what is panicked with where a run cannot go on.
type failure struct{ error }

func fail(format string, args ...any) { panic(failure{fmt.Errorf(format, args...)}) }

// recovered turns such a panic, or one of package value, into an error; errStop is none.
func recovered(err *error) {
	switch e := recover().(type) {
	case nil:
	case *value.Error:
		*err = e
	case failure:
		if e.error != errStop {
			*err = e.error
		}
	default:
		panic(e)
	}
}

func (p *Program) value(n number, s state) value.Value {
	v, err := p.expressions[n].Value(s)
	if err != nil {
		panic(failure{err})
	}
	return v
}

func (p *Program) truth(n number, s state) bool {
	v := p.value(n, s)
	b, ok := v.(value.Bool)
	if !ok {
		fail("%s where TRUE or FALSE is expected", value.Brief(v))
	}
	return bool(b)
}

// tell yields a state; the run ends if no more are wanted.
func (p *Program) tell(s state, yield func([]value.Value) bool) {
	if !yield(p.visible(s)) {
		panic(failure{errStop})
	}
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
func (p *Program) begin(s state, list []variable, then func(state)) {
	if len(list) == 0 {
		then(s)
		return
	}
	for _, v := range choices(p.value(list[0].first, s), list[0].in) {
		p.begin(p.setFirst(s, list[0].name, v), list[1:], then)
	}
}

// choices returns v alone, as for x = v, or its members, as for x \in v.
func choices(v value.Value, in bool) []value.Value {
	if in {
		return value.List(v)
	}
	return []value.Value{v}
}

// selves returns all processes.
func (p *Program) selves() (all []value.Value, of []*process) {
	for _, q := range p.processes {
		for _, self := range choices(p.value(q.id, make(state, p.width)), q.set) {
			all, of = append(all, self), append(of, q)
		}
	}
	return all, of
}

// beginProcedures gives the variables of procedures, and then those of
// processes, their initial values.
func (p *Program) beginProcedures(s state, yield func([]value.Value) bool) {
	all, _ := p.selves()
	for _, q := range p.algorithm.Procedures {
		body := p.procedures[q.Name]
		for _, v := range append(slices.Clone(body.parameters), body.variables...) {
			s = p.forEach(s, v, all, body.own[v.name])
		}
	}
	p.beginProcesses(s, p.processes, func(s state) { p.beginControl(s, yield) })
}

// forEach gives a variable with one initial value to each process of some, or
// once.
func (p *Program) forEach(s state, v variable, some []value.Value, own bool) state {
	if !own {
		return p.setFirst(s, v.name, p.value(v.first, s))
	}
	var vals []value.Value
	for i, self_ := range some {
		// those before this one have their function already
		before := p.setFirst(s, v.name, value.NewFunc(slices.Clone(some[:i]), slices.Clone(vals)))
		vals = append(vals, p.value(v.first, p.setFirst(before, self, self_)))
	}
	return p.setFirst(s, v.name, value.NewFunc(slices.Clone(some), vals))
}

func (p *Program) beginProcesses(s state, list []*process, then func(state)) {
	if len(list) == 0 {
		then(s)
		return
	}
	q := list[0]
	id := p.value(q.id, s)
	next := func(s state) { p.beginProcesses(s, list[1:], then) }
	if q.set {
		p.beginSet(s, value.List(id), q.variables, next)
	} else {
		p.begin(p.setFirst(s, self, id), q.variables, next)
	}
}

// beginSet gives variables to each process of a set; one that begins with any
// member of a set does so for each process apart.
func (p *Program) beginSet(s state, some []value.Value, list []variable, then func(state)) {
	if len(list) == 0 {
		then(s)
		return
	}
	v := list[0]
	if !v.in {
		p.beginSet(p.forEach(s, v, some, true), some, list[1:], then)
		return
	}
	from := p.value(v.first, s)
	for _, f := range value.List(value.NewFunctions(value.NewSet(slices.Clone(some)), from)) {
		p.beginSet(p.setFirst(s, v.name, value.Explicit(f)), some, list[1:], then)
	}
}

// beginControl gives pc and the stack their initial values.
func (p *Program) beginControl(s state, yield func([]value.Value) bool) {
	var stack, pc value.Value = value.Empty, nil
	if p.main != nil {
		pc = value.String(p.main.first)
	} else {
		all, of := p.selves()
		var stacks, labels []value.Value
		for _, q := range of {
			stacks, labels = append(stacks, value.Empty), append(labels, value.String(q.first))
		}
		stack, pc = value.NewFunc(slices.Clone(all), stacks), value.NewFunc(all, labels)
	}
	if len(p.procedures) > 0 {
		s = p.setFirst(s, "stack", stack)
	}
	if !p.omitPC {
		s = p.setFirst(s, "pc", pc)
	}
	p.tell(s, yield)
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
		r := &run{Program: p}
		label := r.label(s, p.main)
		if label == "Done" {
			if !p.algorithm.NoEnd {
				yield("it has come to its end", from)
			}
			return nil
		}
		r.yield = func(next []value.Value) bool { return yield(label, next) }
		r.from(s, label)
		return nil
	}
	all, of := p.selves()
	done := true
	for i, self_ := range all {
		r := &run{Program: p, self: self_}
		label := r.label(s, of[i].body)
		done = done && label == "Done"
		r.yield = func(next []value.Value) bool {
			return yield(fmt.Sprintf("%s(%s)", label, value.Format(self_)), next)
		}
		r.from(p.set(s, self, self_), label)
	}
	if done && !p.endless && !p.algorithm.NoEnd {
		yield("all have come to their end", from)
	}
	return nil
}

// label returns where control of a process is.
func (r *run) label(s state, b *body) string {
	if r.omitPC {
		return b.first
	}
	text, _ := r.own(s, "pc").(value.String)
	return string(text)
}

// from runs the step that begins at a label.
func (r *run) from(s state, label string) {
	if r.body = r.labels[label]; r.body != nil { // or else it is Done, or Error
		r.exec(s, r.body.labels[label], true)
	}
}
