package eval

import (
	"interleave/tla/syntax"
	"interleave/tla/value"
)

func sequences() []*builtin {
	return []*builtin{
		one("Seq", func(a value.Value) value.Value { return value.NewSequences(a) }),
		one("Len", func(a value.Value) value.Value {
			if s, ok := a.(value.String); ok {
				return value.Int(len(s))
			}
			return value.Int(len(value.Elems(a, "Len")))
		}),
		made(`\o`, 2, func(p *value.Pool, a, b value.Value) value.Value {
			if s, ok := a.(value.String); ok {
				if t, ok := b.(value.String); ok {
					if len(s)+len(t) > value.MaxText {
						fail("a string grows too long")
					}
					return s + t
				}
			}
			s, t := value.Elems(a, `\o`), value.Elems(b, `\o`)
			if len(s)+len(t) > value.MaxElements {
				fail("a sequence grows too long")
			}
			return p.Concat(s, t)
		}),
		made("Append", 2, func(p *value.Pool, a, b value.Value) value.Value {
			return p.Concat(value.Elems(a, "Append"), []value.Value{value.Explicit(b)})
		}),
		one("Head", func(a value.Value) value.Value {
			s := value.Elems(a, "Head")
			if len(s) == 0 {
				fail("Head of an empty sequence")
			}
			return s[0]
		}),
		made("Tail", 1, func(p *value.Pool, a, _ value.Value) value.Value {
			s := value.Elems(a, "Tail")
			if len(s) == 0 {
				fail("Tail of an empty sequence")
			}
			return p.Concat(s[1:], nil)
		}),
		{name: "SubSeq", arity: 3, fn: func(args []value.Value) value.Value {
			s, m, n := value.Elems(args[0], "SubSeq"), number(args[1], "SubSeq"), number(args[2], "SubSeq")
			if m > n {
				return value.Empty
			}
			if m < 1 || n > int64(len(s)) {
				fail("SubSeq from " + value.Brief(args[1]) + " to " + value.Brief(args[2]) + " of " + value.Brief(args[0]))
			}
			return value.NewTuple(s[m-1 : n]...)
		}},
		{name: "SelectSeq", arity: 2, opArgs: []int{0, 1}, special: selectSeq},
	}
}

func selectSeq(c *compiler, r *syntax.Ref, args []syntax.Expr, p place) code {
	seq, test, at := c.expr(args[0], p), c.callable(args[1], 1, p), c.site(args[0], p)
	return func(e *env) value.Value {
		s := seq(e)
		e.at = at
		var kept []value.Value
		for _, v := range value.Elems(s, "SelectSeq") {
			if isTrue(test(e, v)) {
				kept = append(kept, v)
			}
		}
		return value.NewTuple(kept...)
	}
}

func isTrue(v value.Value) bool {
	b, ok := v.(value.Bool)
	if !ok {
		fail(value.Brief(v) + " where TRUE or FALSE is expected")
	}
	return bool(b)
}

func finiteSets() []*builtin {
	return []*builtin{
		one("IsFiniteSet", func(a value.Value) value.Value { return value.Bool(value.IsSet(a) && value.Finite(a)) }),
		one("Cardinality", func(a value.Value) value.Value {
			if !value.IsSet(a) {
				fail("Cardinality of " + value.Brief(a) + ", which is no set")
			}
			n, ok := value.Size(a)
			if !ok {
				fail("Cardinality of " + value.Brief(a) + ", which cannot be counted")
			}
			return value.Int(n)
		}),
	}
}
