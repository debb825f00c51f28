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

// action compiles an action, or a predicate of initial states, followed by the step to
// take once it is satisfied.
func (c *compiler) action(x syntax.Expr, p place, l *lead, then step) step {
	c.grow(x, p)
	defer func() { c.depth-- }()
	if l != nil && !leads(x) {
		return c.part(l, p.site(x), c.action(x, p, nil, then))
	}
	if l == nil && !c.sets(x, p) {
		cond := c.boolean(x, p)
		return func(e *env) bool { return !cond(e) || then(e) }
	}
	switch x := x.(type) {
	case *syntax.Junction:
		return c.actionJunction(x, p, l, then)
	case *syntax.Quantified:
		return c.actionQuantified(x, p, l, then)
	case *syntax.If:
		return either(c.boolean(x.Cond, p), c.action(x.Then, p, l, then), c.action(x.Else, p, l, then))
	case *syntax.Case:
		return c.actionCase(x, p, then)
	case *syntax.Let:
		inner, enter := c.let(x, p)
		return enter.step(c.action(x.Body, p.in(inner), l, then))
	case *syntax.Label:
		return c.action(x.Body, p, l, then)
	case *syntax.Square:
		return c.actionSquare(x, p, l, then)
	case *syntax.Ref:
		return c.actionRef(x, p, l, then)
	}
	cond := c.boolean(x, p)
	return func(e *env) bool { return !cond(e) || then(e) }
}

// sets reports whether an expression may give variables a value.
func (c *compiler) sets(x syntax.Expr, p place) bool {
	return c.init || p.primed || levelOf(x, p.sc) >= actionLevel
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

// part gives a number and a name to a part of the next-state relation, which is at own.
func (c *compiler) part(l *lead, own *site, do step) step {
	n := len(c.spec.parts)
	c.spec.parts = append(c.spec.parts, Part{l.name, l.at.place(), own.place(), l.used.place()})
	params := l.params
	return func(e *env) bool {
		action, old := e.action, e.params
		e.action, e.params = n, params
		more := do(e)
		e.action, e.params = action, old
		return more
	}
}

func (c *compiler) actionJunction(x *syntax.Junction, p place, l *lead, then step) step {
	if x.And {
		for i := len(x.Items) - 1; i >= 0; i-- {
			then = c.conjunct(x.Items[i], p, l, then)
		}
		return then
	}
	items := make([]step, len(x.Items))
	for i, item := range x.Items {
		items[i] = c.action(item, p, l, then)
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
func (c *compiler) conjunct(x syntax.Expr, p place, l *lead, then step) step {
	give := c.action(x, p, l, then)
	if !c.init || c.spec.naive {
		return give
	}
	c.init = false
	cond := c.boolean(x, p)
	c.init = true
	return func(e *env) bool {
		if slices.Contains(e.cur, nil) {
			return give(e)
		}
		return !cond(e) || then(e)
	}
}

func (c *compiler) actionQuantified(x *syntax.Quantified, p place, l *lead, then step) step {
	b, inner := c.bindAll(x.Bounds, x, p)
	switch x.Symbol {
	case `\E`:
		body := c.action(x.Body, p.in(inner), l, then)
		return func(e *env) bool {
			var room [4]value.Value
			old := b.saved(e, room[:0])
			more := b.each(e, body)
			b.restore(e, old)
			return more
		}
	case `\A`:
		return c.forAll(b, x, p.in(inner), then)
	}
	p.site(x).fail("%s is not supported", x.Symbol)
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
func (c *compiler) forAll(b *binding, x *syntax.Quantified, p place, then step) step {
	choices, left, at := c.slot(), c.slot(), p.site(x)
	var next step
	body := c.action(x.Body, p, nil, func(e *env) bool { return next(e) })
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

func (c *compiler) actionCase(x *syntax.Case, p place, then step) step {
	var conds []truth
	var bodies []step
	for _, a := range x.Arms {
		conds = append(conds, c.boolean(a.Cond, p))
		bodies = append(bodies, c.action(a.Body, p, nil, then))
	}
	var other step
	if x.Other != nil {
		other = c.action(x.Other, p, nil, then)
	}
	return firstOf(conds, bodies, other, p.site(x))
}

func (c *compiler) actionSquare(x *syntax.Square, p place, l *lead, then step) step {
	if x.Angle {
		same := c.unchanged(x.Sub, p)
		free := c.free(x.Sub, p)
		return c.action(x.Action, p, l, func(e *env) bool { return !free(e) && same(e) || then(e) })
	}
	do := c.action(x.Action, p, l, then)
	stay := c.keep(x.Sub, p, then)
	return func(e *env) bool { return do(e) && stay(e) }
}

// free reports whether a variable of x has no value yet.
func (c *compiler) free(x syntax.Expr, p place) func(e *env) bool {
	var vars []int
	for _, part := range c.divide(x, p) {
		part.p.primed = true
		if v := c.target(part.x, part.p); v != nil {
			vars = append(vars, v.index)
		}
	}
	return func(e *env) bool {
		return slices.ContainsFunc(vars, func(i int) bool { return e.next[i] == nil })
	}
}

// actionRef compiles the application of an operator, as an action.
func (c *compiler) actionRef(x *syntax.Ref, p place, l *lead, then step) step {
	y, args, _ := resolve(x, p)
	y = c.real(y, p)
	switch y := y.(type) {
	case *argument:
		return c.action(y.expr, y.at(p), l, then)
	case *constant:
		if y.op != nil {
			return c.actionOperator(y.op, x, args, p, l, then)
		}
	case *operator:
		if !y.recursive && !y.function {
			return c.actionOperator(y, x, args, p, l, then)
		}
	case *builtin:
		if do := c.actionBuiltin(y, x, args, p, then); do != nil {
			if l != nil {
				return c.part(l, p.site(x), do)
			}
			return do
		}
	}
	cond := c.boolean(x, p)
	do := func(e *env) bool { return !cond(e) || then(e) }
	if l != nil {
		return c.part(l, p.site(x), do)
	}
	return do
}

func (c *compiler) actionOperator(op *operator, x *syntax.Ref, args []syntax.Expr, p place, l *lead, then step) step {
	if len(args) != len(op.params) {
		p.site(x).wrongNumber(op.name, len(op.params), len(args))
	}
	inner, enter := c.bind(op, args, p)
	if l != nil {
		l = &lead{name: op.name, at: &site{file: op.scope.module.tree.File, pos: op.pos}, used: p.site(x)}
		for i, a := range args {
			if op.params[i].Arity == 0 && levelOf(a, p.sc) <= stateLevel {
				l.params = append(l.params, c.expr(a, p))
			}
		}
	}
	return enter.step(c.action(op.body, op.inside(inner, x, p), l, then))
}

// actionBuiltin compiles the builtin operators that may give variables a value; nil for
// others.
func (c *compiler) actionBuiltin(b *builtin, x *syntax.Ref, args []syntax.Expr, p place, then step) step {
	switch b.name {
	case "=":
		if v := c.target(args[0], p); v != nil {
			val := c.expr(args[1], p)
			if c.latest != nil {
				c.latest.canonical = true
			}
			return c.assign(v, val, p.site(x), then)
		}
	case `\in`:
		if v := c.target(args[0], p); v != nil {
			return c.assignIn(v, c.elements(args[1], p), p.site(x), then)
		}
	case "'":
		if p.primed {
			p.site(x).fail("an expression is primed twice")
		}
		p.primed = true
		return c.action(args[0], p, nil, then)
	case "UNCHANGED":
		return c.keep(args[0], p, then)
	}
	return nil
}

// target returns the variable to which an equation gives a value, if its left side is
// one: x' in an action, x in a predicate of initial states.
func (c *compiler) target(x syntax.Expr, p place) *variable {
	r, ok := x.(*syntax.Ref)
	if !ok {
		return nil
	}
	y, args, _ := resolve(r, p)
	y = c.real(y, p)
	switch y := y.(type) {
	case *variable:
		if p.primed || c.init {
			return y
		}
	case *builtin:
		if y.name == "'" && !p.primed && !c.init {
			p.primed = true
			return c.target(args[0], p)
		}
	case *argument:
		return c.target(y.expr, y.at(p))
	case *operator:
		if len(y.params) == 0 && !y.recursive && !y.function {
			return c.target(y.body, y.inside(y.scope, x, p))
		}
	}
	return nil
}

// given returns the list in which variables get their values.
func (c *compiler) given(e *env) []value.Value {
	if c.init {
		return e.cur
	}
	return e.next
}

func (c *compiler) assign(v *variable, val code, at *site, then step) step {
	i := v.index
	return func(e *env) bool {
		dest := c.given(e)
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

func (c *compiler) assignIn(v *variable, set code, at *site, then step) step {
	i := v.index
	return func(e *env) bool {
		dest := c.given(e)
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
func (c *compiler) keep(x syntax.Expr, p place, then step) step {
	if p.primed || c.init {
		p.site(x).fail("UNCHANGED cannot be primed, nor stand in a predicate of one state")
	}
	for _, part := range c.divide(x, p) {
		then = c.keepOne(part.x, part.p, then)
	}
	return then
}

// divide returns the components of a tuple, through definitions.
func (c *compiler) divide(x syntax.Expr, p place) (parts []Formula) {
	switch x := x.(type) {
	case *syntax.Tuple:
		for _, elem := range x.Elems {
			parts = append(parts, c.divide(elem, p)...)
		}
		return parts
	case *syntax.Ref:
		y, args, _ := resolve(x, p)
		if c.own(y, p) != nil {
			break
		}
		if op, ok := y.(*operator); ok && len(args) == 0 && len(op.params) == 0 && !op.recursive && !op.function {
			return c.divide(op.body, op.inside(op.scope, x, p))
		}
		if a, ok := y.(*argument); ok {
			return c.divide(a.expr, a.at(p))
		}
	}
	return []Formula{{x, p}}
}

func (c *compiler) keepOne(x syntax.Expr, p place, then step) step {
	primed := p
	primed.primed = true
	at := p.site(x)
	if v := c.target(x, primed); v != nil {
		return c.assign(v, c.expr(x, p), at, then)
	}
	same := c.unchanged(x, p)
	return func(e *env) bool { return !same(e) || then(e) }
}

// unchanged compiles x' = x as a condition.
func (c *compiler) unchanged(x syntax.Expr, p place) func(e *env) bool {
	if p.primed {
		p.site(x).fail("an expression is primed twice")
	}
	var befores, afters []code
	at := p.site(x)
	for _, part := range c.divide(x, p) {
		befores = append(befores, c.expr(part.x, part.p))
		part.p.primed = true
		afters = append(afters, c.expr(part.x, part.p))
	}
	return func(e *env) bool {
		for i, before := range befores {
			v, w := before(e), afters[i](e)
			e.at = at
			if !value.Equal(v, w) {
				return false
			}
		}
		return true
	}
}
