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

// condition compiles expressions at a place that must be TRUE or FALSE.
type condition struct {
	*compiler
	p place
}

// of compiles an expression without remembering its values.
func (c condition) of(x syntax.Expr) truth {
	if c.premises.all != nil {
		f := Formula{x, c.p}.arrow()
		x, c.p = f.x, f.p
	}
	switch x := x.(type) {
	case *syntax.Junction:
		return c.junction(x)
	case *syntax.Quantified:
		return c.quantified(x)
	case *syntax.Square:
		return c.square(x)
	case *syntax.If:
		end := c.setAside()
		cond := c.boolean(x.Cond, c.p)
		end()
		defer c.choice()()
		return either(cond, c.boolean(x.Then, c.p), c.boolean(x.Else, c.p))
	case *syntax.Let:
		inner, enter := c.let(x, c.p)
		return entered(c.compiler, enter, c.boolean(x.Body, c.p.in(inner)))
	case *syntax.Label:
		return c.boolean(x.Body, c.p)
	case *syntax.Ref:
		if t := c.ref(x); t != nil {
			return t
		}
	}
	defer c.setAside()()
	return c.evaluated(x, c.p).truth(c.p.site(x))
}

// ref compiles a name whose definition is a condition; nil for other names.
func (c condition) ref(x *syntax.Ref) truth {
	y, args, _ := resolve(x, c.p)
	y = c.real(y, c.p)
	if n, ok := arityOf(y); !ok || n != len(args) {
		return nil
	}
	switch y := y.(type) {
	case *argument:
		if y.slot < 0 || c.p.primed {
			return c.boolean(y.expr, y.at(c.p))
		}
	case *operator:
		if !y.function && !y.recursive && !y.isConstant() {
			inner, enter := c.bind(y, args, c.p)
			return entered(c.compiler, enter, c.boolean(y.body, y.inside(inner, x, c.p)))
		}
	case *builtin:
		return c.builtin(y, x, args)
	}
	return nil
}

// builtin compiles a builtin that returns TRUE or FALSE; nil for others.
func (c condition) builtin(b *builtin, x syntax.Expr, args []syntax.Expr) truth {
	switch {
	case b.logic != nil:
		if b.name != "=>" {
			defer c.setAside()()
		}
		return b.logic(c, x, args)
	case b.holds == nil:
		return nil
	}
	if b.name == `\subseteq` {
		c.goesThrough(args[0])
	}
	v, w, holds, at := c.expr(args[0], c.p), c.expr(args[1], c.p), b.holds, c.p.site(x)
	if w := c.literal(args[1]); w != nil {
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

func (c condition) quantified(x *syntax.Quantified) truth {
	if x.Symbol == `\AA` || x.Symbol == `\EE` {
		c.p.site(x).fail("%s is not supported", x.Symbol)
	}
	b, inner := c.bindAll(x.Bounds, x, c.p)
	all := x.Symbol == `\A`
	var m *Premise
	if all {
		if m = c.supposes(x, c.p, `a set of \A is always empty`); m != nil {
			m.set = true
		}
	}
	end := func() {}
	if !all {
		end = c.choice()
	}
	body := c.boolean(x.Body, c.p.in(inner))
	end()
	goOn := func(e *env) bool { return body(e) == all }
	if m != nil {
		goOn = func(e *env) bool {
			m.meet()
			return body(e)
		}
	}
	return func(e *env) bool { return b.each(e, goOn) == all }
}

func (c condition) junction(x *syntax.Junction) truth {
	if !x.And {
		defer c.choice()()
	}
	items := make([]truth, len(x.Items))
	for i, item := range x.Items {
		first := len(c.noted())
		items[i] = c.boolean(item, c.p)
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

func (c condition) square(x *syntax.Square) truth {
	var m *Premise
	if !x.Angle {
		m = c.supposes(x, c.p, "no step changes the subscript of [A]_v")
	} else {
		defer c.setAside()()
	}
	first := len(c.noted())
	action, same := c.boolean(x.Action, c.p), c.unchanged(x.Sub)
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

// unchanged compiles x' = x as a condition.
func (c condition) unchanged(x syntax.Expr) func(e *env) bool {
	if c.p.primed {
		c.p.site(x).fail("an expression is primed twice")
	}
	var befores, afters []code
	at := c.p.site(x)
	for _, part := range c.divide(Formula{x, c.p}) {
		befores = append(befores, c.expr(part.x, part.p))
		part = part.primed()
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

// either is IF cond THEN then ELSE other, of a value, a condition or an action.
func either[T any, F ~func(e *env) T](cond truth, then, other F) F {
	return func(e *env) T {
		if cond(e) {
			return then(e)
		}
		return other(e)
	}
}

// literal returns the value of a string or number literal, or of the empty sequence;
// nil for other expressions.
func (c condition) literal(x syntax.Expr) value.Value {
	switch x := x.(type) {
	case *syntax.Text:
		return value.String(x.Value)
	case *syntax.Numeral:
		return numeral(x, c.p)
	case *syntax.Tuple:
		if len(x.Elems) == 0 {
			return value.Empty
		}
	}
	return nil
}

// goesThrough adds the weight of iterating over the value of a variable.
func (c condition) goesThrough(x syntax.Expr) {
	if r, ok := x.(*syntax.Ref); ok {
		y, _, _ := resolve(r, c.p)
		if _, ok := c.real(y, c.p).(*variable); ok {
			c.reads.weight += large
		}
	}
}
