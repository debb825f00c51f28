package eval

import (
	"unicode/utf16"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

func sequences() []*builtin {
	return []*builtin{
		one("Seq", func(a value.Value) value.Value { return value.NewSequences(a) }),
		one("Len", func(a value.Value) value.Value {
			if s, ok := a.(value.String); ok {
				return value.Int(units(s))
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
			if s, ok := a.(value.String); ok && s != "" {
				return textOf(utf16.Encode([]rune(s))[1:])
			}
			s := value.Elems(a, "Tail")
			if len(s) == 0 {
				fail("Tail of an empty sequence")
			}
			return p.Concat(s[1:], nil)
		}),
		{name: "SubSeq", arity: 3, fn: subSeq},
		{name: "SelectSeq", arity: 2, opArgs: []int{0, 1}, special: selectSeq},
	}
}

func subSeq(args []value.Value) value.Value {
	if s, ok := args[0].(value.String); ok {
		return textOf(between(utf16.Encode([]rune(s)), args))
	}
	return value.NewTuple(between(value.Elems(args[0], "SubSeq"), args)...)
}

// between returns the part of a list that SubSeq selects.
func between[T any](list []T, args []value.Value) []T {
	m, n := number(args[1], "SubSeq"), number(args[2], "SubSeq")
	if m > n {
		return nil
	}
	if m < 1 || n > int64(len(list)) {
		fail("SubSeq from " + value.Brief(args[1]) + " to " + value.Brief(args[2]) + " of " + value.Brief(args[0]))
	}
	return list[m-1 : n]
}

// units is the length of a string as TLC counts it: a character beyond U+FFFF is two.
func units(s value.String) (n int) {
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// textOf returns the string of such units. It fails if half of a character is at an
// end.
func textOf(units []uint16) value.Value {
	const secondHalf, firstHalf = 0xDC00 >> 10, 0xD800 >> 10
	if n := len(units); n > 0 && (units[0]>>10 == secondHalf || units[n-1]>>10 == firstHalf) {
		fail("a string is cut in the middle of a character beyond U+FFFF, which counts as two")
	}
	return value.String(string(utf16.Decode(units)))
}

func selectSeq(c *compiler, r *syntax.Ref, args []syntax.Expr, p place) code {
	seq, test, at := c.expr(args[0], p), c.callable(args[1], 1, p), p.site(args[0])
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
