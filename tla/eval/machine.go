package eval

import (
	"slices"

	"interleave/tla/value"
)

// Machine is a compiled specification: initial states and steps.
type Machine struct {
	spec  *Spec
	init  step
	next  step
	slots int
	Parts []Part
}

// Predicate is a compiled formula about a state or a step that is true or false.
type Predicate struct {
	code  func(e *env) bool
	slots int
	Name  string
	at    *site

	Premises []*Premise // that it has to meet so that it says something, if it is a property
}

// Machine compiles a predicate of initial states and a next-state relation.
func (s *Spec) Machine(init []Formula, next Formula) (m *Machine, err error) {
	defer recovered(nil, &err)
	m = &Machine{spec: s}
	first := &compiler{spec: s, init: true}
	m.init = func(e *env) bool { return e.yield(e) }
	for i := len(init) - 1; i >= 0; i-- {
		init[i].atMost(stateLevel, "a predicate of initial states")
		m.init = action{first, init[i].p, nil, m.init}.of(init[i].x)
	}
	next.atMost(actionLevel, "an action")
	steps := &compiler{spec: s}
	s.parts = nil
	name := next.p.name
	at := &site{file: next.p.sc.module.tree.File, pos: next.x.Pos()}
	m.next = action{steps, next.p, &lead{name: name, at: at, used: at}, func(e *env) bool { return !e.changes() || e.yield(e) }}.of(next.x)
	m.slots = max(first.slots, steps.slots)
	m.Parts = s.parts
	return m, nil
}

// StatePredicate compiles a definition of the root module about one state.
func (s *Spec) StatePredicate(name string) (*Predicate, error) {
	return s.predicate(name, stateLevel, "a predicate of states")
}

// StepPredicate compiles one that may be about a step.
func (s *Spec) StepPredicate(name string) (*Predicate, error) {
	return s.predicate(name, actionLevel, "a predicate of steps")
}

func (s *Spec) predicate(name string, most level, what string) (q *Predicate, err error) {
	defer recovered(nil, &err)
	f, err := s.Named(name)
	if err != nil {
		return nil, err
	}
	f.atMost(most, what)
	q = f.predicate(false)
	q.Name = name
	return q, nil
}

// Constant returns the value of a constant definition of the root module.
func (s *Spec) Constant(name string) (value.Value, error) {
	x, err := s.expression(name, constantLevel, "a constant")
	if err != nil {
		return nil, err
	}
	x.at = nil // where the evaluation is at an error counts, not where the definition is
	return x.Value(s.blank())
}

// Assumptions evaluates every ASSUME of the modules that the root extends.
func (s *Spec) Assumptions() (err error) {
	e := s.env(0)
	defer recovered(&e.at, &err)
	for _, a := range s.root.assumes {
		c := &compiler{spec: s}
		code := c.boolean(a.unit.Body, place{sc: a.scope})
		e.frame = make([]value.Value, c.slots)
		e.meter.reset()
		if !code(e) {
			(&site{file: a.scope.module.tree.File, pos: a.unit.At}).fail("the assumption is false")
		}
	}
	return nil
}

// Assumed counts what Assumptions evaluates.
func (s *Spec) Assumed() int { return len(s.root.assumes) }

// Evaluator evaluates a specification; only one goroutine may use it.
type Evaluator struct {
	m      *Machine
	e      env
	memory *memory
	next   []value.Value
	blank  []value.Value
	yield  func(part int, next []value.Value) bool // of Next
	step   func(e *env) bool                       // what Next does with each step
}

// Evaluator returns a new Evaluator.
func (m *Machine) Evaluator() *Evaluator {
	v := &Evaluator{
		m: m, e: *m.spec.env(m.slots), memory: &memory{Spec: m.spec, values: m.spec.Values}, next: m.spec.blank(), blank: m.spec.blank(),
	}
	v.step = func(e *env) bool {
		part := v.m.Parts[e.action]
		v.complete(e.next, "'", part.Name, part.Own)
		return v.yield(e.action, e.next)
	}
	return v
}

// Initial yields the initial states. Each is valid until yield returns.
func (v *Evaluator) Initial(yield func(state []value.Value) bool) (err error) {
	e := &v.e
	defer recovered(&e.at, &err)
	e.meter.reset()
	e.cur, e.next, e.memory, e.pending = v.m.spec.blank(), v.blank, v.memory, nil
	e.yield = func(e *env) bool {
		v.complete(e.cur, "", "an initial state", Place{v.m.spec.root.tree.File, v.m.spec.root.tree.At})
		e.meter.reset()
		return yield(e.cur)
	}
	v.m.init(e)
	return nil
}

// Next yields every step from a state: the number of its part and the next state, which
// is valid until yield returns.
func (v *Evaluator) Next(state []value.Value, yield func(part int, next []value.Value) bool) (err error) {
	e := &v.e
	defer recovered(&e.at, &err)
	e.meter.reset()
	clear(v.next)
	e.cur, e.next, e.memory, e.depth, e.aside, e.pending = state, v.next, v.memory, 0, e.aside[:0], nil
	e.yield, v.yield = v.step, yield
	v.m.next(e)
	return nil
}

// Args returns the arguments of the definition of the part of a step, while Next yields
// the step.
func (v *Evaluator) Args() []value.Value { return run(&v.e, v.e.params) }

// complete fails if a variable has no value: where the evaluation is or, if that has no
// place, at own.
func (v *Evaluator) complete(vals []value.Value, prime, where string, own Place) {
	for i, x := range vals {
		if x == nil {
			at := v.e.at
			if at == nil {
				at = &site{file: own.File, pos: own.Pos}
			}
			at.fail("%s gives no value to %s%s", where, v.m.spec.vars[i].name, prime)
		}
	}
}

// Holds evaluates a predicate; next may be nil unless it is about a step.
func (v *Evaluator) Holds(q *Predicate, state, next []value.Value) (ok bool, err error) {
	e := &v.e
	defer recovered(&e.at, &err)
	if len(e.frame) < q.slots {
		e.frame = make([]value.Value, q.slots)
	}
	if next == nil {
		next = v.blank
	}
	e.meter.reset()
	e.cur, e.next, e.at, e.memory, e.depth, e.aside, e.pending = state, next, q.at, v.memory, 0, e.aside[:0], nil
	return q.code(e), nil
}

// Expression is a compiled definition that has a value in a state.
type Expression struct {
	spec  *Spec
	code  code
	slots int
	at    *site
}

// Expression compiles a definition without parameters of the root module.
func (s *Spec) Expression(name string) (*Expression, error) {
	return s.expression(name, stateLevel, "a value")
}

func (s *Spec) expression(name string, most level, what string) (x *Expression, err error) {
	defer recovered(nil, &err)
	f, err := s.Named(name)
	if err != nil {
		return nil, err
	}
	f.atMost(most, what)
	c := &compiler{spec: s}
	x = &Expression{spec: s, code: c.expr(f.x, f.p), at: f.site()}
	x.slots = c.slots
	return x, nil
}

// Value returns the value in a state, enumerated in full. Any goroutine may call it.
func (x *Expression) Value(state []value.Value) (v value.Value, err error) {
	e := x.spec.env(x.slots)
	e.cur, e.at = state, x.at
	defer recovered(&e.at, &err)
	return value.Explicit(x.code(e)), nil
}

// env is where code runs.
type env struct {
	frame     []value.Value // by slot number
	cur, next []value.Value // by variable; nil where it has no value yet
	*track
	depth  int           // recursion depth
	aside  []value.Value // slots saved by the callers of recursive operators
	action int           // the part of the next-state relation that is evaluated
	params []code        // the arguments of the definition of the part
	yield  func(e *env) bool
	meter  *meter
	memory *memory // nil: nothing is remembered

	pending []func(end env) bool // tests that <<A>>_v left for the end of the step
}

// assigned returns the list in which an action, or a predicate of initial states, gives
// variables their values.
func (e *env) assigned(init bool) []value.Value {
	if init {
		return e.cur
	}
	return e.next
}

// changes reports whether a step that is found passes the tests that were left for its end.
func (e *env) changes() bool {
	at := e.at
	for _, changed := range e.pending {
		if !changed(*e) {
			return false
		}
	}
	e.at = at
	return true
}

// track is shared by the frames of nested calls.
type track struct {
	at    *site // of the expression evaluated last
	steps int   // taken so far
}

// apart is an environment for what is evaluated later, when e has changed.
func (e *env) apart() *env {
	own := *e
	own.frame, own.aside = slices.Clone(e.frame), nil
	own.cur, own.next = slices.Clone(e.cur), slices.Clone(e.next)
	own.track = &track{at: e.at}
	return &own
}

// again is an environment for one call of what is evaluated later. Several goroutines
// may call at once.
func (e *env) again(at *site) *env {
	call := *e
	call.track = &track{at: at}
	return call.deeper(at)
}

// env returns an environment with a frame of so many slots, in which no variable has a
// value.
func (s *Spec) env(slots int) *env {
	blank := s.blank()
	e := &env{frame: make([]value.Value, slots), cur: blank, next: blank, track: &track{}, meter: &meter{Spec: s}}
	e.meter.reset()
	return e
}

// blank is a state in which no variable has a value.
func (s *Spec) blank() []value.Value { return make([]value.Value, len(s.vars)) }
