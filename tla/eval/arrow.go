package eval

import (
	"slices"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// arrow returns what an expression says, written with the => or \A that it amounts to, so
// that it has the premise of one: ~a \/ b, IF a THEN b ELSE TRUE, IF a THEN TRUE ELSE b,
// CASE a -> b [] OTHER -> TRUE, ~\E. Other expressions are returned as they are. What is
// evaluated first is evaluated first in both.
func (s *Spec) arrow(x syntax.Expr, p place) (syntax.Expr, place) {
	switch x := x.(type) {
	case *syntax.Junction:
		if !x.And {
			return s.disjunction(x, p), p
		}
	case *syntax.If:
		switch {
		case s.isTrue(x.Else, p):
			return apply(x.Pos(), "=>", x.Cond, x.Then), p
		case s.isTrue(x.Then, p):
			return apply(x.Pos(), "=>", apply(x.Pos(), "~", x.Cond), x.Else), p
		}
	case *syntax.Case:
		if x.Other != nil && s.isTrue(x.Other, p) {
			return someCase(x), p
		}
	case *syntax.Ref:
		if b, args := operation(x, p); b != nil && b.name == "~" {
			inner, at := s.meant(args[0], p)
			if some, ok := inner.(*syntax.Quantified); ok && some.Symbol == `\E` {
				none := *some
				none.Symbol, none.Body = `\A`, apply(some.Body.Pos(), "~", some.Body)
				return &none, at
			}
		}
	}
	return x, p
}

// disjunction makes ~a \/ b the arrow a => b. The order matters only where values are
// computed: a temporal formula is no such place.
func (s *Spec) disjunction(x *syntax.Junction, p place) syntax.Expr {
	for i, item := range x.Items {
		if i > 0 && levelOf(x, p.sc) < temporalLevel {
			break
		}
		if a := s.denied(item, p); a != nil {
			rest := slices.Delete(slices.Clone(x.Items), i, i+1)
			if len(rest) == 1 {
				return apply(x.Pos(), "=>", a, rest[0])
			}
			return apply(x.Pos(), "=>", a, syntax.NewJunction(x.Pos(), false, rest...))
		}
	}
	return x
}

// denied returns a if an expression is ~a, or that in other symbols; else nil.
func (s *Spec) denied(x syntax.Expr, p place) syntax.Expr {
	r, ok := x.(*syntax.Ref)
	if !ok {
		return nil
	}
	b, args := operation(r, p)
	switch {
	case b == nil:
		if inner, at := s.meant(x, p); inner != x && s.denied(inner, at) != nil {
			return apply(x.Pos(), "~", x)
		}
		return nil
	case b.name == "~":
		return args[0]
	case b.name == "#":
		return apply(x.Pos(), "=", args...)
	case b.name == `\notin`:
		return apply(x.Pos(), `\in`, args...)
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

func (s *Spec) isTrue(x syntax.Expr, p place) bool {
	x, p = s.meant(x, p)
	r, ok := x.(*syntax.Ref)
	if !ok {
		return false
	}
	b, _ := operation(r, p)
	return b != nil && b.val == value.Value(value.Bool(true))
}

// meant returns what the name of a definition or of an argument stands for, if x is one,
// unless its value is computed once and kept.
func (s *Spec) meant(x syntax.Expr, p place) (syntax.Expr, place) {
	for !p.primed {
		if r, ok := x.(*syntax.Ref); ok {
			y, _, _ := resolve(r, p)
			if a, ok := y.(*argument); ok && a.slot >= 0 {
				break
			}
		}
		inner, at, ok := s.unfolded(x, p)
		if !ok {
			break
		}
		x, p = inner, at
	}
	return x, p
}
