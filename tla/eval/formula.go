package eval

import (
	"slices"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// Formula is an expression and its place.
type Formula struct {
	x syntax.Expr
	p place
}

// temporal reports whether f is a temporal formula or an action.
func (f Formula) temporal() bool { return levelOf(f.x, f.p.sc) > stateLevel }

// atMost refuses a formula of a higher level than expected.
func (f Formula) atMost(most level, what string) {
	if l := levelOf(f.x, f.p.sc); l > most {
		f.site().fail("%v stands where %s is expected", l, what)
	}
}

func (f Formula) spec() *Spec { return f.p.sc.module.spec }

func (f Formula) site() *site { return f.p.site(f.x) }

// inner is a part of a formula.
func (f Formula) inner(x syntax.Expr) Formula { return Formula{x, f.p} }

func (f Formula) primed() Formula { f.p.primed = true; return f }

// arrow returns what a formula says, written with the => or \A that it amounts to, so
// that it has the premise of one: ~a \/ b, IF a THEN b ELSE TRUE, IF a THEN TRUE ELSE b,
// CASE a -> b [] OTHER -> TRUE, ~\E. Other formulas are returned as they are. What is
// evaluated first is evaluated first in both.
func (f Formula) arrow() Formula {
	switch x := f.x.(type) {
	case *syntax.Junction:
		if !x.And {
			return f.inner(f.p.disjunction(x))
		}
	case *syntax.If:
		switch {
		case f.inner(x.Else).isTrue():
			return f.inner(apply(x.Pos(), "=>", x.Cond, x.Then))
		case f.inner(x.Then).isTrue():
			return f.inner(apply(x.Pos(), "=>", apply(x.Pos(), "~", x.Cond), x.Else))
		}
	case *syntax.Case:
		if x.Other != nil && f.inner(x.Other).isTrue() {
			return f.inner(someCase(x))
		}
	case *syntax.Ref:
		if b, args := operation(x, f.p); b != nil && b.name == "~" {
			inner := f.inner(args[0]).meant()
			if some, ok := inner.x.(*syntax.Quantified); ok && some.Symbol == `\E` {
				none := *some
				none.Symbol, none.Body = `\A`, apply(some.Body.Pos(), "~", some.Body)
				return inner.inner(&none)
			}
		}
	}
	return f
}

// disjunction makes ~a \/ b the arrow a => b. The order matters only where values are
// computed: a temporal formula is no such place.
func (p place) disjunction(x *syntax.Junction) syntax.Expr {
	for i, item := range x.Items {
		if i > 0 && levelOf(x, p.sc) < temporalLevel {
			break
		}
		if a := (Formula{item, p}).denied(); a != nil {
			rest := slices.Delete(slices.Clone(x.Items), i, i+1)
			if len(rest) == 1 {
				return apply(x.Pos(), "=>", a, rest[0])
			}
			return apply(x.Pos(), "=>", a, syntax.NewJunction(x.Pos(), false, rest...))
		}
	}
	return x
}

// denied returns a if a formula is ~a, or that in other symbols; else nil.
func (f Formula) denied() syntax.Expr {
	r, ok := f.x.(*syntax.Ref)
	if !ok {
		return nil
	}
	b, args := operation(r, f.p)
	switch {
	case b == nil:
		if inner := f.meant(); inner.x != f.x && inner.denied() != nil {
			return apply(r.Pos(), "~", r)
		}
	case b.name == "~":
		return args[0]
	case b.name == "#":
		return apply(r.Pos(), "=", args...)
	case b.name == `\notin`:
		return apply(r.Pos(), `\in`, args...)
	}
	return nil
}

// someCase makes CASE a -> b [] OTHER -> TRUE the arrow a => b. With several arms, the
// premise is that one of them applies.
func someCase(x *syntax.Case) syntax.Expr {
	if len(x.Arms) == 1 {
		return apply(x.Pos(), "=>", x.Arms[0].Cond, x.Arms[0].Body)
	}
	some, arms := syntax.NewJunction(x.Pos(), false), *x
	for _, a := range x.Arms {
		some.Items = append(some.Items, a.Cond)
	}
	arms.Other = nil
	return apply(x.Pos(), "=>", some, &arms)
}

// operation returns the builtin that an expression applies; nil if it is none.
func operation(x *syntax.Ref, p place) (*builtin, []syntax.Expr) {
	y, args, _ := resolve(x, p)
	b, _ := y.(*builtin)
	return b, args
}

// apply is an operator applied to arguments, as an expression.
func apply(at syntax.Pos, name string, args ...syntax.Expr) syntax.Expr {
	r := syntax.NewRef(at, name)
	r.Steps[0].Args = args
	return r
}

func (f Formula) isTrue() bool {
	f = f.meant()
	r, ok := f.x.(*syntax.Ref)
	if !ok {
		return false
	}
	b, _ := operation(r, f.p)
	return b != nil && b.val == value.Value(value.Bool(true))
}

// meant returns what the name of a definition or of an argument stands for, if f is one,
// unless its value is computed once and kept.
func (f Formula) meant() Formula {
	for !f.p.primed {
		if r, ok := f.x.(*syntax.Ref); ok {
			y, _, _ := resolve(r, f.p)
			if a, ok := y.(*argument); ok && a.slot >= 0 {
				break
			}
		}
		inner, ok := f.unfolded()
		if !ok {
			break
		}
		f = inner
	}
	return f
}

// alike reports whether two expressions mean the same because they are written alike, up
// to names for it. It does not look into expressions that bind names.
func alike(f, g Formula) bool {
	if f.x == g.x && f.p.sc == g.p.sc {
		return true
	}
	a, isName := f.x.(*syntax.Ref)
	b, isName2 := g.x.(*syntax.Ref)
	if isName && isName2 {
		meant, args, _ := resolve(a, f.p)
		meant2, args2, _ := resolve(b, g.p)
		if sameMeaning(meant, meant2) && allAlike(args, f.p, args2, g.p) {
			return true
		}
	}
	if inner, ok := f.unfolded(); ok {
		return alike(inner, g)
	}
	if inner, ok := g.unfolded(); ok {
		return alike(f, inner)
	}
	return !isName && !isName2 && sameForm(f.x, g.x) && allAlike(syntax.Parts(f.x), f.p, syntax.Parts(g.x), g.p)
}

func allAlike(x []syntax.Expr, p place, y []syntax.Expr, q place) bool {
	return slices.EqualFunc(x, y, func(a, b syntax.Expr) bool { return alike(Formula{a, p}, Formula{b, q}) })
}

// sameMeaning reports whether two names mean the same, if their arguments do.
func sameMeaning(x, y entity) bool {
	switch x := x.(type) {
	case *operator:
		y, ok := y.(*operator)
		return ok && same(x, y) && (x.scope == y.scope || x.scope.module.with == y.scope.module.with && x.global && y.global)
	case *builtin:
		y, ok := y.(*builtin)
		return ok && (x == y || x.val != nil && y.val != nil && x.name == y.name && value.Compare(value.Explicit(x.val), value.Explicit(y.val)) == 0)
	}
	return x == y
}

// unfolded returns what a name without parameters stands for.
func (f Formula) unfolded() (Formula, bool) {
	r, ok := f.x.(*syntax.Ref)
	if !ok {
		return f, false
	}
	switch y, _, _ := resolve(r, f.p); y := y.(type) {
	case *argument:
		return Formula{y.expr, y.at(f.p)}, true
	case *operator:
		if len(y.params) == 0 && !y.recursive && !y.function {
			return Formula{y.body, y.inside(y.scope, r, f.p)}, true
		}
	}
	return f, false
}

// sameForm reports whether two expressions are equal but for their parts. Those that bind
// names are not looked into.
func sameForm(x, y syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Numeral:
		y, ok := y.(*syntax.Numeral)
		return ok && x.Text == y.Text
	case *syntax.Text:
		y, ok := y.(*syntax.Text)
		return ok && x.Value == y.Value
	case *syntax.Tuple:
		_, ok := y.(*syntax.Tuple)
		return ok
	case *syntax.Junction:
		y, ok := y.(*syntax.Junction)
		return ok && x.And == y.And
	case *syntax.Square:
		y, ok := y.(*syntax.Square)
		return ok && x.Angle == y.Angle
	case *syntax.Index:
		_, ok := y.(*syntax.Index)
		return ok
	}
	return false
}

// leftOut returns the name of a variable that is no component of v in [][Next]_v, or
// nothing. A step that leaves v unchanged may change such a variable in any way.
func (v Formula) leftOut() string {
	a := action{compiler: &compiler{spec: v.spec()}}
	in := map[*variable]bool{}
	for _, part := range a.divide(v.primed()) {
		in[a.target(part)] = true
	}
	for _, v := range a.spec.vars {
		if !in[v] {
			return v.name
		}
	}
	return ""
}
