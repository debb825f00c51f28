package eval

import (
	"interleave/tla/syntax"
	"interleave/tla/value"
)

// truth computes whether an expression is TRUE. Most of a module consists of
// conditions, so they become values only where a value is needed.
type truth func(e *env) bool

// code computes it as a value.
func (t truth) code() code {
	return func(e *env) value.Value { return value.Bool(t(e)) }
}

// truth is for code whose value must be TRUE or FALSE.
func (f code) truth(at *site) truth {
	return func(e *env) bool {
		v := f(e)
		b, ok := v.(value.Bool)
		if !ok {
			at.fail("%s where TRUE or FALSE is expected", value.Brief(v))
		}
		return bool(b)
	}
}

// boolean compiles an expression that must be TRUE or FALSE. Its values are remembered
// if that is worth it.
func (c *compiler) boolean(x syntax.Expr, p place) truth {
	around, first := c.enter(x, p)
	t := c.judged(x, p)
	c.reads = c.reads.beyond(first)
	if q := c.aboutOne(); q != nil {
		t = q.truth(t)
	} else if f, worth := c.remember(t.code()); worth {
		t = f.truth(p.site(x))
	}
	c.leave(around)
	return t
}

// judged compiles an expression that must be TRUE or FALSE, without remembering its
// values.
func (c *compiler) judged(x syntax.Expr, p place) truth {
	if c.premises != nil {
		f := Formula{x, p}.arrow()
		x, p = f.x, f.p
	}
	switch x := x.(type) {
	case *syntax.Junction:
		return c.junction(x, p)
	case *syntax.Quantified:
		return c.quantified(x, p)
	case *syntax.Square:
		return c.square(x, p)
	case *syntax.If:
		end := c.setAside()
		cond := c.boolean(x.Cond, p)
		end()
		defer c.choice()()
		return either(cond, c.boolean(x.Then, p), c.boolean(x.Else, p))
	case *syntax.Let:
		inner, enter := c.let(x, p)
		return entered(c, enter, c.boolean(x.Body, p.in(inner)))
	case *syntax.Label:
		return c.boolean(x.Body, p)
	case *syntax.Ref:
		if t := c.refTruth(x, p); t != nil {
			return t
		}
	}
	defer c.setAside()()
	return c.evaluated(x, p).truth(p.site(x))
}

// refTruth compiles a name whose definition is a condition; nil for other names.
func (c *compiler) refTruth(x *syntax.Ref, p place) truth {
	y, args, _ := resolve(x, p)
	y = c.real(y, p)
	if n, ok := arityOf(y); !ok || n != len(args) {
		return nil
	}
	switch y := y.(type) {
	case *argument:
		if y.slot < 0 || p.primed {
			return c.boolean(y.expr, y.at(p))
		}
	case *operator:
		if !y.function && !y.recursive && !y.isConstant() {
			inner, enter := c.bind(y, args, p)
			return entered(c, enter, c.boolean(y.body, y.inside(inner, x, p)))
		}
	case *builtin:
		return c.builtinTruth(y, x, args, p)
	}
	return nil
}

// builtinTruth compiles a builtin that returns TRUE or FALSE; nil for others.
func (c *compiler) builtinTruth(b *builtin, x syntax.Expr, args []syntax.Expr, p place) truth {
	switch {
	case b.logic != nil:
		if b.name != "=>" {
			defer c.setAside()()
		}
		return b.logic(c, x, args, p)
	case b.holds == nil:
		return nil
	}
	if b.name == `\subseteq` {
		c.goesThrough(args[0], p)
	}
	v, w, holds, at := c.expr(args[0], p), c.expr(args[1], p), b.holds, p.site(x)
	if w := c.literal(args[1], p); w != nil {
		against := func(e *env, a value.Value) bool {
			e.at = at
			return holds(a, w)
		}
		if text, ok := w.(value.String); ok && (b.name == "=" || b.name == "#") {
			return equals(v, text, b.name == "=", against)
		}
		return func(e *env) bool { return against(e, v(e)) }
	}
	return func(e *env) bool {
		a, b := v(e), w(e)
		e.at = at
		return holds(a, b)
	}
}

// equals compiles v = text, or v # text if is is false. If v is no string, other
// decides.
func equals(v code, text value.String, is bool, other func(e *env, a value.Value) bool) truth {
	return func(e *env) bool {
		a := v(e)
		if s, ok := a.(value.String); ok {
			return (s == text) == is
		}
		return other(e, a)
	}
}

// literal returns the value of a string or number literal, or of the empty sequence;
// nil for other expressions.
func (c *compiler) literal(x syntax.Expr, p place) value.Value {
	switch x := x.(type) {
	case *syntax.Text:
		return value.String(x.Value)
	case *syntax.Numeral:
		return c.numeral(x, p)
	case *syntax.Tuple:
		if len(x.Elems) == 0 {
			return value.Empty
		}
	}
	return nil
}

// goesThrough adds the weight of iterating over the value of a variable.
func (c *compiler) goesThrough(x syntax.Expr, p place) {
	if r, ok := x.(*syntax.Ref); ok {
		y, _, _ := resolve(r, p)
		if _, ok := c.real(y, p).(*variable); ok {
			c.reads.weight += large
		}
	}
}

// either is IF cond THEN then ELSE other, of a value, a condition or an action.
func either[T any, F ~func(e *env) T](cond truth, then, other F) F {
	return func(e *env) T {
		if cond(e) {
			return then(e)
		}
		return other(e)
	}
}

func (c *compiler) junction(x *syntax.Junction, p place) truth {
	if !x.And {
		defer c.choice()()
	}
	items := make([]truth, len(x.Items))
	for i, item := range x.Items {
		first := len(c.noted())
		items[i] = c.boolean(item, p)
		if and, ok := item.(*syntax.Junction); ok && !x.And && and.And {
			milder(c.noted()[first:])
		}
	}
	and := x.And
	return func(e *env) bool {
		for _, item := range items {
			if item(e) != and {
				return !and
			}
		}
		return and
	}
}

func (c *compiler) square(x *syntax.Square, p place) truth {
	var m *Premise
	if !x.Angle {
		m = c.supposes(x, p, "no step changes the subscript of [A]_v")
	} else {
		defer c.setAside()()
	}
	first := len(c.noted())
	action, same := c.boolean(x.Action, p), c.unchanged(x.Sub, p)
	for _, inner := range c.noted()[first:] {
		inner.Mild = inner.Mild || inner.choice && !inner.set // a step of which an action demands nothing may be rare
	}
	switch {
	case x.Angle:
		return func(e *env) bool { return !same(e) && action(e) }
	case m == nil:
		return func(e *env) bool { return same(e) || action(e) }
	}
	m.Mild = true
	return func(e *env) bool {
		if same(e) {
			return true
		}
		m.meet()
		return action(e)
	}
}
