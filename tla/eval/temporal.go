package eval

import (
	"slices"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// Operator is the operator of a temporal formula.
type Operator uint8

// The operators of Temporal.
const (
	State Operator = iota // a state satisfies Pred
	Every                 // every step satisfies Pred: [][A]_v
	Again                 // infinitely many steps satisfy Pred: []<><<A>>_v
	Some                  // some step satisfies Pred: <><<A>>_v
	And
	Or
	Not
	Implies
	Always
	Eventually
)

// Temporal is a temporal formula. Every and Some occur only in formulas about the whole
// run: not below another operator except And, or, for Some, Or.
type Temporal struct {
	Op    Operator
	Args  []*Temporal
	Pred  *Predicate
	Place          // of an arrow, a quantifier or a fairness condition
	Each  bool     // the operands are those of a quantifier
	Fair  *Justice // the fairness condition that it is
}

// OfSteps reports whether a formula is about steps, not only about states.
func (t *Temporal) OfSteps() bool {
	return t.Op == Every || t.Op == Again || t.Op == Some || slices.ContainsFunc(t.Args, (*Temporal).OfSteps)
}

// Temporal compiles a formula as a property of runs.
func (s *Spec) Temporal(f Formula) (t *Temporal, err error) {
	e := s.env(0)
	defer recovered(&e.at, &err)
	c := &converter{s, e}
	return c.of(f.x, f.p, true), nil
}

// Fairness compiles the fairness conditions in a part of a specification; a quantifier
// gives one for each element. They will be evaluated on steps of next.
func (s *Spec) Fairness(f Fair, next Formula) (all []Justice, err error) {
	e := s.env(0)
	defer recovered(&e.at, &err)
	c := &converter{s, e}
	c.each(f.x, f.p, func(x syntax.Expr, p place) {
		fair := x.(*syntax.Fair)
		j := c.justice(fair, p)
		if c.named(fair.Action, p) != nil && c.named(fair.Action, p) == c.named(next.x, next.p) {
			j.Taken = c.predicate(syntax.NewSquare(true, syntax.NewRef(fair.At, "TRUE"), fair.Sub), p, false) // it is one of next
		}
		all = append(all, j)
	})
	return all, nil
}

// Justice is a fairness condition: if Enabled stays true, or with Strong is true
// infinitely often, then infinitely many steps satisfy Taken.
type Justice struct {
	Strong         bool
	Enabled, Taken *Predicate
	Name           string
	of             *syntax.Fair
	at             place
}

type converter struct {
	*Spec
	e *env
}

func (c *converter) justice(x *syntax.Fair, p place) Justice {
	angle := syntax.NewSquare(true, x.Action, x.Sub)
	return Justice{x.Strong, c.predicate(angle, p, true), c.predicate(angle, p, false), describe(x.Action), x, p}
}

// named returns the definition without parameters that an expression names, or nil.
func (c *converter) named(x syntax.Expr, p place) *operator {
	r, ok := x.(*syntax.Ref)
	if !ok || p.primed {
		return nil
	}
	y, _, _ := resolve(r, p)
	op, _ := y.(*operator)
	if op == nil || len(op.params) > 0 {
		return nil
	}
	return op
}

// describe is the name of an action, for people.
func describe(x syntax.Expr) string {
	if r, ok := x.(*syntax.Ref); ok {
		return r.Steps[len(r.Steps)-1].Name
	}
	return "an action"
}

// predicate compiles an expression about a state or a step, or with enabled,
// whether a step is possible.
func (c *converter) predicate(x syntax.Expr, p place, enabled bool) *Predicate {
	k := &compiler{spec: c.Spec}
	q := &Predicate{at: k.site(x, p), Name: describe(x)}
	if enabled {
		q.code = k.enabled(x, p)
	} else {
		k.premises = &q.Premises
		q.code = k.boolean(x, p)
	}
	q.slots = k.slots
	return q
}

// each calls f for every condition in a conjunction or quantifier of fairness
// conditions.
func (c *converter) each(x syntax.Expr, p place, f func(x syntax.Expr, p place)) {
	switch x := x.(type) {
	case *syntax.Junction:
		for _, item := range x.Items {
			c.each(item, p, f)
		}
	case *syntax.Quantified:
		c.expand(x, p, func(p place) { c.each(x.Body, p, f) })
	case *syntax.Fair:
		f(x, p)
	default:
		p.site(x).fail("this is no fairness condition")
	}
}

// expand calls f for every choice of elements of constant sets.
func (c *converter) expand(x *syntax.Quantified, p place, f func(p place)) {
	var bind func(p place, bounds []syntax.Bound)
	bind = func(p place, bounds []syntax.Bound) {
		if len(bounds) == 0 {
			f(p)
			return
		}
		b := bounds[0]
		at := p.site(x)
		const needed = "a quantifier over a temporal formula needs a constant set"
		if b.Set == nil || levelOf(b.Set, p.sc) > stateLevel {
			at.fail(needed)
		}
		k := &compiler{spec: c.Spec}
		code := k.expr(b.Set, p)
		if k.reads.cur != 0 || k.reads.unknown { // a variable of an instance may be constant
			at.fail(needed)
		}
		e := c.env(k.slots)
		e.at = at
		elems := value.List(code(e))
		names := b.Names
		if b.Tuple {
			names = names[:1]
		}
		var choose func(p place, names []syntax.Ident)
		choose = func(p place, names []syntax.Ident) {
			if len(names) == 0 {
				bind(p, bounds[1:])
				return
			}
			for _, v := range elems {
				inner := p.sc.inner()
				if b.Tuple {
					parts := value.Elems(v, "a bound tuple of names")
					if len(parts) != len(b.Names) {
						at.fail("%s is no tuple of %d", value.Brief(v), len(b.Names))
					}
					for i, id := range b.Names {
						inner.names[id.Name] = &builtin{name: id.Name, val: parts[i]}
					}
				} else {
					inner.names[names[0].Name] = &builtin{name: names[0].Name, val: v}
				}
				choose(p.in(inner), names[1:])
			}
		}
		choose(p, names)
	}
	bind(p, x.Bounds)
}

// of converts a formula; top if it is about the whole run.
func (c *converter) of(x syntax.Expr, p place, top bool) *Temporal {
	at := p.site(x)
	if l := levelOf(x, p.sc); l <= stateLevel {
		return &Temporal{Op: State, Pred: c.predicate(x, p, false)}
	} else if l == actionLevel {
		at.fail("an action stands where a temporal formula is expected: put it as [][A]_v")
	}
	x, p = c.arrow(x, p)
	at = p.site(x)
	switch x := x.(type) {
	case *syntax.Junction:
		op := Or
		if x.And {
			op = And
		}
		t := &Temporal{Op: op}
		for _, item := range x.Items {
			t.Args = append(t.Args, c.of(item, p, top && x.And))
		}
		return t
	case *syntax.Quantified:
		if x.Symbol != `\A` && x.Symbol != `\E` {
			at.fail("%s is not supported", x.Symbol)
		}
		t := &Temporal{Op: And, Place: at.place(), Each: true}
		if x.Symbol == `\E` {
			t.Op = Or
		}
		c.expand(x, p, func(p place) { t.Args = append(t.Args, c.of(x.Body, p, top && x.Symbol == `\A`)) })
		return t
	case *syntax.If:
		cond := &Temporal{Op: State, Pred: c.predicate(x.Cond, p, false)}
		return or(and(cond, c.of(x.Then, p, false)), and(not(cond), c.of(x.Else, p, false)))
	case *syntax.Let:
		inner := p.sc.inner()
		letDefs(x.Defs, inner)
		return c.of(x.Body, p.in(inner), top)
	case *syntax.Label:
		return c.of(x.Body, p, top)
	case *syntax.Fair:
		return c.fair(c.justice(x, p), at)
	case *syntax.Ref:
		return c.ref(x, p, top, at)
	}
	at.fail("this kind of temporal formula is not supported")
	return nil
}

func and(ts ...*Temporal) *Temporal { return &Temporal{Op: And, Args: ts} }
func or(ts ...*Temporal) *Temporal  { return &Temporal{Op: Or, Args: ts} }
func not(t *Temporal) *Temporal     { return &Temporal{Op: Not, Args: []*Temporal{t}} }
func arrow(a, b *Temporal, at *site) *Temporal {
	return &Temporal{Op: Implies, Args: []*Temporal{a, b}, Place: at.place()}
}
func always(t *Temporal) *Temporal { return &Temporal{Op: Always, Args: []*Temporal{t}} }
func eventually(t *Temporal) *Temporal {
	return &Temporal{Op: Eventually, Args: []*Temporal{t}}
}

// fair is a fairness condition as a formula.
func (c *converter) fair(j Justice, at *site) *Temporal {
	disabled := not(&Temporal{Op: State, Pred: j.Enabled})
	again := &Temporal{Op: Again, Pred: j.Taken}
	t := or(always(eventually(disabled)), again)
	if j.Strong {
		t = or(eventually(always(disabled)), again)
	}
	t.Place, t.Fair = at.place(), &j
	return t
}

func (c *converter) ref(x *syntax.Ref, p place, top bool, at *site) *Temporal {
	y, args, _ := resolve(x, p)
	switch y := y.(type) {
	case *operator:
		if y.recursive || y.function {
			at.fail("recursive %s is a temporal formula: not supported", y.name)
		}
		k := &compiler{spec: c.Spec, init: true}
		inner := y.scope.inner()
		for i, param := range y.params {
			if param.Arity > 0 {
				inner.names[param.Name] = operatorArgument(args[i], param.Arity, p.sc)
			} else {
				inner.names[param.Name] = &argument{expr: args[i], place: p, slot: -1}
			}
		}
		return c.of(y.body, k.inside(y, inner, x, p), top)
	case *argument:
		return c.of(y.expr, y.place, top)
	case *builtin:
		return c.builtin(y, args, p, top, at)
	}
	at.fail("this kind of temporal formula is not supported")
	return nil
}

func (c *converter) builtin(b *builtin, args []syntax.Expr, p place, top bool, at *site) *Temporal {
	below := func(i int) *Temporal { return c.of(args[i], p, false) }
	switch b.name {
	case "~":
		return not(below(0))
	case "=>":
		return arrow(below(0), below(1), at)
	case `\equiv`:
		a, b := below(0), below(1)
		return or(and(a, b), and(not(a), not(b)))
	case "~>":
		return always(arrow(below(0), eventually(below(1)), at))
	case "[]":
		return c.always(args[0], p, top, at)
	case "<>":
		return c.eventually(args[0], p, top, at)
	}
	at.fail("%s in a temporal formula is not supported", b.name)
	return nil
}

// squareOf returns the [A]_v or <<A>>_v that an expression is, also through
// definitions.
func (c *converter) squareOf(x syntax.Expr, p place) (*syntax.Square, place) {
	switch x := x.(type) {
	case *syntax.Square:
		return x, p
	case *syntax.Ref:
		y, args, _ := resolve(x, p)
		if op, ok := y.(*operator); ok && len(args) == 0 && !op.recursive && !op.function {
			return c.squareOf(op.body, (&compiler{}).inside(op, op.scope, x, p))
		}
	}
	return nil, p
}

// operand returns the operand of a [] or <>.
func (c *converter) operand(x syntax.Expr, p place, name string) (syntax.Expr, bool) {
	if r, ok := x.(*syntax.Ref); ok {
		y, args, _ := resolve(r, p)
		if b, ok := y.(*builtin); ok && b.name == name {
			return args[0], true
		}
	}
	return nil, false
}

func (c *converter) always(x syntax.Expr, p place, top bool, at *site) *Temporal {
	if sq, p := c.squareOf(x, p); sq != nil && !sq.Angle {
		if !top {
			at.fail("[][A]_v inside of another formula is not supported")
		}
		return &Temporal{Op: Every, Pred: c.predicate(sq, p, false)}
	}
	if inner, ok := c.operand(x, p, "<>"); ok {
		if sq, p := c.squareOf(inner, p); sq != nil && sq.Angle {
			return &Temporal{Op: Again, Pred: c.predicate(sq, p, false)}
		}
	}
	return always(c.of(x, p, false))
}

func (c *converter) eventually(x syntax.Expr, p place, top bool, at *site) *Temporal {
	if sq, p := c.squareOf(x, p); sq != nil && sq.Angle {
		if !top {
			at.fail("<><<A>>_v inside of another formula is not supported")
		}
		return &Temporal{Op: Some, Pred: c.predicate(sq, p, false)}
	}
	if inner, ok := c.operand(x, p, "[]"); ok {
		if sq, p := c.squareOf(inner, p); sq != nil && !sq.Angle {
			angle := syntax.NewSquare(true, apply(sq.Action.Pos(), "~", sq.Action), sq.Sub)
			return not(&Temporal{Op: Again, Pred: c.predicate(angle, p, false)})
		}
	}
	return eventually(c.of(x, p, false))
}
