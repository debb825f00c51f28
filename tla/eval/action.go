package eval

import (
	"slices"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// step satisfies the rest of an action in every possible way, given the values that
// variables have so far. It returns false if no more ways are wanted.
type step func(e *env) bool

// lead is the source of a part of the next-state relation, while only definitions,
// disjunctions and quantifiers lead to it.
type lead struct {
	name   string
	at     *site
	used   *site
	params []code
}

// action compiles expressions at a place as an action, or as a predicate of initial states,
// followed by the step to take once it is satisfied.
type action struct {
	*compiler
	p    place
	lead *lead // nil within a part
	then step
}

func (a action) at(p place) action { a.p = p; return a }

// within is an action inside of the part.
func (a action) within() action { a.lead = nil; return a }

// of compiles an expression.
func (a action) of(x syntax.Expr) step {
	a.grow(x, a.p)
	defer func() { a.depth-- }()
	if a.lead != nil && !leads(x) {
		return a.part(x, a.within().of(x))
	}
	if a.lead == nil && !a.sets(x) {
		return a.condition(x)
	}
	switch x := x.(type) {
	case *syntax.Junction:
		return a.junction(x)
	case *syntax.Quantified:
		return a.quantified(x)
	case *syntax.If:
		return either(a.boolean(x.Cond, a.p), a.of(x.Then), a.of(x.Else))
	case *syntax.Case:
		return firstOf(a.compiler, x, a.p, a.within().of)
	case *syntax.Let:
		inner, enter := a.let(x, a.p)
		return enter.step(a.at(a.p.in(inner)).of(x.Body))
	case *syntax.Label:
		return a.of(x.Body)
	case *syntax.Square:
		return a.square(x)
	case *syntax.Ref:
		return a.ref(x)
	}
	return a.condition(x)
}

// condition compiles an expression that gives no variable a value.
func (a action) condition(x syntax.Expr) step {
	cond, then := a.boolean(x, a.p), a.then
	return func(e *env) bool { return !cond(e) || then(e) }
}

// sets reports whether an expression may give variables a value.
func (a action) sets(x syntax.Expr) bool {
	return a.init || a.p.primed || levelOf(x, a.p.sc) >= actionLevel
}

// leads reports whether an expression is divided further, and so is no part yet.
func leads(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Junction:
		return !x.And || len(x.Items) == 1
	case *syntax.Quantified:
		return x.Symbol == `\E`
	case *syntax.Ref:
		name := x.Steps[len(x.Steps)-1].Name
		return name != "=" && name != `\in` && name != "UNCHANGED" && name != "'"
	case *syntax.Square:
		return !x.Angle
	case *syntax.Let, *syntax.Label:
		return true
	}
	return false
}

// part gives a number and a name to a part of the next-state relation, which is x.
func (a action) part(x syntax.Expr, do step) step {
	if a.lead == nil {
		return do
	}
	n, l, params := len(a.spec.parts), a.lead, a.lead.params
	a.spec.parts = append(a.spec.parts, Part{l.name, l.at.place(), a.p.site(x).place(), l.used.place()})
	return func(e *env) bool {
		action, old := e.action, e.params
		e.action, e.params = n, params
		more := do(e)
		e.action, e.params = action, old
		return more
	}
}

func (a action) junction(x *syntax.Junction) step {
	if x.And {
		for i := len(x.Items) - 1; i >= 0; i-- {
			a.then = a.conjunct(x.Items[i])
		}
		return a.then
	}
	items := make([]step, len(x.Items))
	for i, item := range x.Items {
		items[i] = a.of(item)
	}
	return func(e *env) bool {
		for _, item := range items {
			if e.tick(); !item(e) {
				return false
			}
		}
		return true
	}
}

// conjunct compiles an item of a conjunction. If all variables of an initial state have
// values, it is an ordinary condition, and its values are remembered.
func (a action) conjunct(x syntax.Expr) step {
	give := a.of(x)
	if !a.init || a.spec.naive {
		return give
	}
	a.init = false
	meets := a.condition(x)
	a.init = true
	return func(e *env) bool {
		if slices.Contains(e.cur, nil) {
			return give(e)
		}
		return meets(e)
	}
}

func (a action) quantified(x *syntax.Quantified) step {
	b, inner := a.bindAll(x.Bounds, x, a.p)
	a.p = a.p.in(inner)
	switch x.Symbol {
	case `\E`:
		body := a.of(x.Body)
		return func(e *env) bool {
			var room [4]value.Value
			old := b.saved(e, room[:0])
			more := b.each(e, body)
			b.restore(e, old)
			return more
		}
	case `\A`:
		return a.within().forAll(b, x)
	}
	a.p.site(x).fail("%s is not supported", x.Symbol)
	return nil
}

// saved appends to old the values to which the names are bound.
func (b *binding) saved(e *env, old []value.Value) []value.Value {
	for _, slots := range b.slots {
		for _, slot := range slots {
			old = append(old, e.frame[slot])
		}
	}
	return old
}

func (b *binding) restore(e *env, old []value.Value) {
	for _, slots := range b.slots {
		for _, slot := range slots {
			e.frame[slot], old = old[0], old[1:]
		}
	}
}

// forAll is a conjunction with an item for every choice of elements. The choices, and
// the number of those still to come, are in slots, because an item is followed by the
// next one.
func (a action) forAll(b *binding, x *syntax.Quantified) step {
	choices, left, at, then := a.slot(), a.slot(), a.p.site(x), a.then
	var next step
	a.then = func(e *env) bool { return next(e) }
	body := a.of(x.Body)
	next = func(e *env) bool {
		n := e.frame[left].(value.Int)
		if n == 0 {
			return then(e)
		}
		all := e.frame[choices].(*value.Tuple).Elems
		var room [4]value.Value
		old := b.saved(e, room[:0])
		for i, v := range all[len(all)-int(n)].(*value.Tuple).Elems {
			b.put(e, i, v)
		}
		e.frame[left] = n - 1
		e.meter.stack(int(n), at)
		more := body(e)
		e.frame[left] = n
		b.restore(e, old)
		return more
	}
	return func(e *env) bool {
		before := [2]value.Value{e.frame[choices], e.frame[left]}
		names := b.saved(e, nil)
		var all []value.Value
		for choice := range value.Each(value.NewProduct(run(e, b.sets)...)) {
			e.tick()
			all = append(all, choice)
		}
		e.frame[choices], e.frame[left] = value.NewTuple(all...), value.Int(len(all))
		more := next(e)
		e.frame[choices], e.frame[left] = before[0], before[1]
		b.restore(e, names)
		return more
	}
}

func (a action) square(x *syntax.Square) step {
	if x.Angle {
		a.then = a.changed(x.Sub)
		return a.of(x.Action)
	}
	do, stay := a.of(x.Action), a.keep(x.Sub)
	return func(e *env) bool { return do(e) && stay(e) }
}

// changed compiles that a step changes x. While part of x has no value, what follows may
// still give it one: the test is left for the end of the step.
func (a action) changed(x syntax.Expr) step {
	same, free, then := condition{a.compiler, a.p}.unchanged(x), a.free(x), a.then
	return func(e *env) bool {
		if !free(e) {
			return same(e) || then(e)
		}
		names := slices.Clone(e.frame) // what follows may bind them to other values
		e.pending = append(e.pending, func(end env) bool {
			end.frame = names
			return free(&end) || !same(&end)
		})
		more := then(e)
		e.pending = e.pending[:len(e.pending)-1]
		return more
	}
}

// free reports whether a variable of x has no value yet.
func (a action) free(x syntax.Expr) func(e *env) bool {
	var vars []int
	for _, part := range a.divide(Formula{x, a.p}) {
		if v := a.target(part.primed()); v != nil {
			vars = append(vars, v.index)
		}
	}
	return func(e *env) bool {
		return slices.ContainsFunc(vars, func(i int) bool { return e.next[i] == nil })
	}
}

// ref compiles the application of an operator.
func (a action) ref(x *syntax.Ref) step {
	y, args, _ := resolve(x, a.p)
	y = a.real(y, a.p)
	switch y := y.(type) {
	case *argument:
		return a.at(y.at(a.p)).of(y.expr)
	case *operator:
		if !y.recursive && !y.function {
			return a.operator(y, x, args)
		}
	case *builtin:
		if do := a.builtin(y, x, args); do != nil {
			return a.part(x, do)
		}
	}
	return a.part(x, a.condition(x))
}

func (a action) operator(op *operator, x *syntax.Ref, args []syntax.Expr) step {
	if len(args) != len(op.params) {
		a.p.site(x).wrongNumber(op.name, len(op.params), len(args))
	}
	inner, enter := a.bind(op, args, a.p)
	if a.lead != nil {
		a.lead = &lead{name: op.name, at: &site{file: op.scope.module.tree.File, pos: op.pos}, used: a.p.site(x)}
		for i, arg := range args {
			if op.params[i].Arity == 0 && levelOf(arg, a.p.sc) <= stateLevel {
				a.lead.params = append(a.lead.params, a.expr(arg, a.p))
			}
		}
	}
	return enter.step(a.at(op.inside(inner, x, a.p)).of(op.body))
}

// builtin compiles the builtin operators that may give variables a value; nil for others.
func (a action) builtin(b *builtin, x *syntax.Ref, args []syntax.Expr) step {
	switch b.name {
	case "=":
		if v := a.target(Formula{args[0], a.p}); v != nil {
			val := a.expr(args[1], a.p)
			if a.latest != nil {
				a.latest.canonical = true
			}
			return a.assign(v, val, a.p.site(x))
		}
	case `\in`:
		if v := a.target(Formula{args[0], a.p}); v != nil {
			return a.assignIn(v, a.elements(args[1], a.p), a.p.site(x))
		}
	case "'":
		if a.p.primed {
			a.p.site(x).fail("an expression is primed twice")
		}
		a.p.primed = true
		return a.within().of(args[0])
	case "UNCHANGED":
		return a.keep(args[0])
	}
	return nil
}

func (a action) assign(v *variable, val code, at *site) step {
	i, init, then := v.index, a.init, a.then
	return func(e *env) bool {
		dest := e.assigned(init)
		x := val(e)
		e.at = at
		if old := dest[i]; old != nil {
			return !value.Equal(old, x) || then(e)
		}
		dest[i] = value.Explicit(x)
		more := then(e)
		dest[i] = nil
		return more
	}
}

func (a action) assignIn(v *variable, set code, at *site) step {
	i, init, then := v.index, a.init, a.then
	return func(e *env) bool {
		dest := e.assigned(init)
		s := set(e)
		e.at = at
		if old := dest[i]; old != nil {
			return !value.Contains(s, old) || then(e)
		}
		for x := range value.Each(s) {
			e.tick()
			dest[i] = value.Explicit(x)
			more := then(e)
			dest[i] = nil
			if !more {
				return false
			}
			e.at = at
		}
		return true
	}
}

// keep compiles UNCHANGED x.
func (a action) keep(x syntax.Expr) step {
	if a.p.primed || a.init {
		a.p.site(x).fail("UNCHANGED cannot be primed, nor stand in a predicate of one state")
	}
	for _, part := range a.divide(Formula{x, a.p}) {
		a.then = a.keepOne(part)
	}
	return a.then
}

func (a action) keepOne(f Formula) step {
	if v := a.target(f.primed()); v != nil {
		return a.assign(v, a.expr(f.x, f.p), f.site())
	}
	same, then := condition{a.compiler, f.p}.unchanged(f.x), a.then
	return func(e *env) bool { return !same(e) || then(e) }
}

// target returns the variable to which an equation gives a value, if its left side is
// one: x' in an action, x in a predicate of initial states.
func (a action) target(f Formula) *variable {
	r, ok := f.x.(*syntax.Ref)
	if !ok {
		return nil
	}
	y, args, _ := resolve(r, f.p)
	switch y := a.real(y, f.p).(type) {
	case *variable:
		if f.p.primed || a.init {
			return y
		}
	case *builtin:
		if y.name == "'" && !f.p.primed && !a.init {
			return a.target(f.inner(args[0]).primed())
		}
	case *argument, *operator:
		if inner, ok := f.unfolded(); ok {
			return a.target(inner)
		}
	}
	return nil
}
