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

// Property compiles a formula as a property of runs.
func (f Formula) Property() (t *Temporal, err error) {
	defer recovered(nil, &err)
	return f.property(true), nil
}

// Conditions compiles the fairness conditions in a part of a specification; a quantifier
// gives one for each element. They will be evaluated on steps of next.
func (f Formula) Conditions(next Formula) (all []Justice, err error) {
	defer recovered(nil, &err)
	f.each(func(fair *syntax.Fair, f Formula) {
		j := f.justice(fair)
		if op := j.action.definition(); op != nil && op == next.definition() {
			j.Taken = f.inner(syntax.NewSquare(true, syntax.NewRef(fair.At, "TRUE"), fair.Sub)).predicate(false) // it is one of next
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
	action, sub    Formula
}

func (f Formula) justice(x *syntax.Fair) Justice {
	angle := f.inner(syntax.NewSquare(true, x.Action, x.Sub))
	return Justice{x.Strong, angle.predicate(true), angle.predicate(false), describe(x.Action), f.inner(x.Action), f.inner(x.Sub)}
}

// Implies reports whether a fairness condition is another, or stronger: of the same action
// and the same variables.
func (j *Justice) Implies(weaker *Justice) bool {
	return (j.Strong || !weaker.Strong) && alike(j.action, weaker.action) && alike(j.sub, weaker.sub)
}

// definition returns the definition without parameters that a formula names, or nil.
func (f Formula) definition() *operator {
	r, ok := f.x.(*syntax.Ref)
	if !ok || f.p.primed {
		return nil
	}
	y, _, _ := resolve(r, f.p)
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

// predicate compiles a formula about a state or a step, or asEnabled, ENABLED of it.
func (f Formula) predicate(asEnabled bool) *Predicate {
	c := &compiler{spec: f.spec()}
	q := &Predicate{at: f.site(), Name: describe(f.x)}
	if asEnabled {
		q.code = condition{c, f.p}.enabled(f.x)
	} else {
		c.premises.all = &q.Premises
		q.code = c.boolean(f.x, f.p)
	}
	q.slots = c.slots
	return q
}

// each calls do for every condition in a conjunction or quantifier of fairness conditions.
func (f Formula) each(do func(*syntax.Fair, Formula)) {
	switch x := f.x.(type) {
	case *syntax.Junction:
		for _, item := range x.Items {
			f.inner(item).each(do)
		}
	case *syntax.Quantified:
		f.expand(x, func(body Formula) { body.each(do) })
	case *syntax.Fair:
		do(x, f)
	default:
		f.site().fail("this is no fairness condition")
	}
}

// expand calls do with the body of a quantifier for every choice of elements of constant
// sets.
func (f Formula) expand(x *syntax.Quantified, do func(body Formula)) {
	at := f.site()
	var bind func(p place, bounds []syntax.Bound)
	bind = func(p place, bounds []syntax.Bound) {
		if len(bounds) == 0 {
			do(Formula{x.Body, p})
			return
		}
		b := bounds[0]
		elems := (Formula{b.Set, p}).constantSet(at)
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
				inner, of, parts := p.sc.inner(), names[:1], []value.Value{v}
				if b.Tuple {
					of, parts = b.Names, value.Elems(v, "a bound tuple of names")
					if len(parts) != len(b.Names) {
						at.fail("%s is no tuple of %d", value.Brief(v), len(b.Names))
					}
				}
				for i, id := range of {
					inner.names[id.Name] = &builtin{name: id.Name, val: parts[i]}
				}
				choose(p.in(inner), names[1:])
			}
		}
		choose(p, names)
	}
	bind(f.p, x.Bounds)
}

// constantSet returns the elements of the set of a quantifier over a temporal formula.
func (f Formula) constantSet(at *site) []value.Value {
	const needed = "a quantifier over a temporal formula needs a constant set"
	if f.x == nil || levelOf(f.x, f.p.sc) > stateLevel {
		at.fail(needed)
	}
	c := &compiler{spec: f.spec()}
	code := c.expr(f.x, f.p)
	if c.reads.cur != 0 || c.reads.unknown { // a variable of an instance may be constant
		at.fail(needed)
	}
	e := c.spec.env(c.slots)
	e.at = at
	return value.List(code(e))
}

// property compiles a formula; top if it is about the whole run.
func (f Formula) property(top bool) *Temporal {
	if l := levelOf(f.x, f.p.sc); l <= stateLevel {
		return f.of(State)
	} else if l == actionLevel {
		f.site().fail("an action stands where a temporal formula is expected: put it as [][A]_v")
	}
	f = f.arrow()
	switch x := f.x.(type) {
	case *syntax.Junction:
		t := &Temporal{Op: Or}
		if x.And {
			t.Op = And
		}
		for _, item := range x.Items {
			t.Args = append(t.Args, f.inner(item).property(top && x.And))
		}
		return t
	case *syntax.Quantified:
		if x.Symbol != `\A` && x.Symbol != `\E` {
			f.site().fail("%s is not supported", x.Symbol)
		}
		t := &Temporal{Op: And, Place: f.site().place(), Each: true}
		if x.Symbol == `\E` {
			t.Op = Or
		}
		f.expand(x, func(body Formula) { t.Args = append(t.Args, body.property(top && t.Op == And)) })
		return t
	case *syntax.If:
		cond := f.inner(x.Cond).of(State)
		return or(and(cond, f.inner(x.Then).property(false)), and(not(cond), f.inner(x.Else).property(false)))
	case *syntax.Let:
		inner := f.p.sc.inner()
		letDefs(x.Defs, inner)
		return Formula{x.Body, f.p.in(inner)}.property(top)
	case *syntax.Label:
		return f.inner(x.Body).property(top)
	case *syntax.Fair:
		return f.fair(f.justice(x))
	case *syntax.Ref:
		return f.applied(x, top)
	}
	f.site().fail("this kind of temporal formula is not supported")
	return nil
}

// of is a formula about one state, or about steps.
func (f Formula) of(op Operator) *Temporal { return &Temporal{Op: op, Pred: f.predicate(false)} }

func and(ts ...*Temporal) *Temporal { return &Temporal{Op: And, Args: ts} }
func or(ts ...*Temporal) *Temporal  { return &Temporal{Op: Or, Args: ts} }
func not(t *Temporal) *Temporal     { return &Temporal{Op: Not, Args: []*Temporal{t}} }
func always(t *Temporal) *Temporal  { return &Temporal{Op: Always, Args: []*Temporal{t}} }

func eventually(t *Temporal) *Temporal { return &Temporal{Op: Eventually, Args: []*Temporal{t}} }

// fair is a fairness condition as a formula.
func (f Formula) fair(j Justice) *Temporal {
	disabled := not(&Temporal{Op: State, Pred: j.Enabled})
	again := &Temporal{Op: Again, Pred: j.Taken}
	t := or(always(eventually(disabled)), again)
	if j.Strong {
		t = or(eventually(always(disabled)), again)
	}
	t.Place, t.Fair = f.site().place(), &j
	return t
}

// applied is a temporal formula that applies an operator.
func (f Formula) applied(x *syntax.Ref, top bool) *Temporal {
	y, args, _ := resolve(x, f.p)
	switch y := y.(type) {
	case *operator:
		if y.recursive || y.function {
			f.site().fail("recursive %s is a temporal formula: not supported", y.name)
		}
		return Formula{y.body, y.inside(y.scope.bind(y.params, args, f.p), x, f.p)}.property(top)
	case *argument:
		return Formula{y.expr, y.place}.property(top)
	case *builtin:
		return f.builtin(y, args, top)
	}
	f.site().fail("this kind of temporal formula is not supported")
	return nil
}

func (f Formula) builtin(b *builtin, args []syntax.Expr, top bool) *Temporal {
	below := func(i int) *Temporal { return f.inner(args[i]).property(false) }
	implication := func(a, b *Temporal) *Temporal {
		return &Temporal{Op: Implies, Args: []*Temporal{a, b}, Place: f.site().place()}
	}
	switch b.name {
	case "~":
		return not(below(0))
	case "=>":
		return implication(below(0), below(1))
	case `\equiv`:
		a, b := below(0), below(1)
		return or(and(a, b), and(not(a), not(b)))
	case "~>":
		return always(implication(below(0), eventually(below(1))))
	case "[]":
		return f.inner(args[0]).always(top, f.site())
	case "<>":
		return f.inner(args[0]).eventually(top, f.site())
	}
	f.site().fail("%s in a temporal formula is not supported", b.name)
	return nil
}

// square returns the [A]_v, or with angle <<A>>_v, that a formula is, also through
// definitions.
func (f Formula) square(angle bool) (sq *syntax.Square, _ Formula) {
	switch x := f.x.(type) {
	case *syntax.Square:
		if x.Angle == angle {
			return x, f
		}
	case *syntax.Ref:
		y, args, _ := resolve(x, f.p)
		if op, ok := y.(*operator); ok && len(args) == 0 && !op.recursive && !op.function {
			return Formula{op.body, op.inside(op.scope, x, f.p)}.square(angle)
		}
	}
	return nil, f
}

// operand returns the operand of a [] or <>.
func (f Formula) operand(name string) (Formula, bool) {
	if r, ok := f.x.(*syntax.Ref); ok {
		if b, args := operation(r, f.p); b != nil && b.name == name {
			return f.inner(args[0]), true
		}
	}
	return f, false
}

// always is [] of a formula; the box is at a place.
func (f Formula) always(top bool, at *site) *Temporal {
	if sq, step := f.square(false); sq != nil {
		if !top {
			at.fail("[][A]_v inside of another formula is not supported")
		}
		return step.of(Every)
	}
	if inner, ok := f.operand("<>"); ok {
		if sq, step := inner.square(true); sq != nil {
			return step.of(Again)
		}
	}
	return always(f.property(false))
}

// eventually is <> of a formula; the diamond is at a place.
func (f Formula) eventually(top bool, at *site) *Temporal {
	if sq, step := f.square(true); sq != nil {
		if !top {
			at.fail("<><<A>>_v inside of another formula is not supported")
		}
		return step.of(Some)
	}
	if inner, ok := f.operand("[]"); ok {
		if sq, step := inner.square(false); sq != nil {
			angle := syntax.NewSquare(true, apply(sq.Action.Pos(), "~", sq.Action), sq.Sub)
			return not(step.inner(angle).of(Again))
		}
	}
	return eventually(f.property(false))
}
