package eval

import (
	"math"
	"math/bits"
	"unicode/utf16"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

func fail(text string) { panic(&value.Error{Text: text}) }

// number returns an integer.
func number(v value.Value, op string) int64 {
	n, ok := v.(value.Int)
	if !ok {
		fail(op + " is applied to " + value.Brief(v) + ", which is no integer")
	}
	return int64(n)
}

// arithmetic is an operator on integers that may overflow.
func arithmetic(name string, f func(a, b int64) (int64, bool)) *builtin {
	return two(name, func(a, b value.Value) value.Value {
		x, y := number(a, name), number(b, name)
		z, ok := f(x, y)
		if !ok {
			fail(value.Brief(a) + " " + name + " " + value.Brief(b) + " does not fit into 64 bits")
		}
		return value.Int(z)
	})
}

func comparison(name string, f func(a, b int64) bool) *builtin {
	return relation(name, func(a, b value.Value) bool { return f(number(a, name), number(b, name)) })
}

func negation() *builtin {
	return one("-.", func(a value.Value) value.Value {
		n := number(a, "-")
		if n == math.MinInt64 {
			fail("-" + value.Brief(a) + " does not fit into 64 bits")
		}
		return value.Int(-n)
	})
}

func numbers() []*builtin {
	return []*builtin{
		arithmetic("+", func(a, b int64) (int64, bool) { return a + b, (a+b > a) == (b > 0) }),
		arithmetic("-", func(a, b int64) (int64, bool) { return a - b, (a-b < a) == (b > 0) }),
		arithmetic("*", product),
		arithmetic("^", power),
		arithmetic(`\div`, func(a, b int64) (int64, bool) { return quotient(a, b), a != math.MinInt64 || b != -1 }),
		arithmetic("%", func(a, b int64) (int64, bool) {
			if b <= 0 {
				fail("the second operand of % has to be positive")
			}
			return a - b*quotient(a, b), true
		}),
		comparison("<", func(a, b int64) bool { return a < b }),
		comparison(">", func(a, b int64) bool { return a > b }),
		comparison("=<", func(a, b int64) bool { return a <= b }),
		comparison(">=", func(a, b int64) bool { return a >= b }),
		two("..", func(a, b value.Value) value.Value {
			return value.Interval{Lo: number(a, ".."), Hi: number(b, "..")}
		}),
	}
}

func product(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(max(a, -a)), uint64(max(b, -b)))
	ok := a != math.MinInt64 && b != math.MinInt64 && hi == 0 && lo <= math.MaxInt64
	return a * b, ok
}

func power(a, n int64) (z int64, ok bool) {
	if n < 0 {
		fail("an exponent is negative")
	}
	if a == 0 && n == 0 {
		fail("0^0 has no value")
	}
	if a == 0 || a == 1 || a == -1 {
		n = min(n, 2-n%2) // the same, soon
	}
	z, ok = 1, true
	for ; n > 0 && ok; n-- {
		z, ok = product(z, a)
	}
	return z, ok
}

// quotient rounds down.
func quotient(a, b int64) int64 {
	if b == 0 {
		fail("division by zero")
	}
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

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
		one("IsFiniteSet", func(a value.Value) value.Value {
			if !value.IsSet(a) || value.Finite(a) {
				return value.Bool(value.IsSet(a))
			}
			if !value.Endless(a) {
				fail("IsFiniteSet of " + value.Brief(a) + " cannot be told")
			}
			return value.Bool(false)
		}),
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

// bags is module Bags: a bag is a function from its elements to their numbers of
// copies.
func bags() []*builtin {
	return []*builtin{
		{name: "EmptyBag", val: value.Empty},
		one("IsABag", func(a value.Value) value.Value { return value.Bool(isBag(a)) }),
		one("BagToSet", value.Domain),
		one("SetToBag", func(a value.Value) value.Value {
			keys := append([]value.Value(nil), value.List(a)...)
			vals := make([]value.Value, len(keys))
			for i := range vals {
				vals[i] = value.Int(1)
			}
			return value.NewFunc(keys, vals)
		}),
		relation("BagIn", func(a, b value.Value) bool { return value.Contains(value.Domain(b), a) }),
		two("CopiesIn", func(a, b value.Value) value.Value { return value.Int(copies(a, b)) }),
		two(`\oplus`, func(a, b value.Value) value.Value { return combine(a, b, 1) }),
		two(`\ominus`, func(a, b value.Value) value.Value { return combine(a, b, -1) }),
		two(`\sqsubseteq`, func(a, b value.Value) value.Value {
			keys, _ := value.Entries(a)
			for _, k := range keys {
				if copies(k, a) > copies(k, b) {
					return value.Bool(false)
				}
			}
			return value.Bool(true)
		}),
		one("BagCardinality", func(a value.Value) value.Value {
			sum := int64(0)
			_, vals := value.Entries(a)
			for _, v := range vals {
				sum += number(v, "BagCardinality")
			}
			return value.Int(sum)
		}),
		{name: "BagOfAll", arity: 2, opArgs: []int{1, 0}, special: bagOfAll},
		one("SubBag", subBags),
		one("BagUnion", func(a value.Value) value.Value {
			sum := value.Value(value.Empty)
			for _, b := range value.List(a) {
				sum = combine(sum, b, 1)
			}
			return sum
		}),
	}
}

func isBag(a value.Value) bool {
	switch a.(type) {
	case *value.Tuple, *value.Record, *value.Func, *value.Lazy:
	default:
		return false
	}
	_, vals := value.Entries(a)
	for _, v := range vals {
		if n, ok := v.(value.Int); !ok || n < 1 {
			return false
		}
	}
	return true
}

func copies(v, bag value.Value) int64 {
	if !value.Contains(value.Domain(bag), v) {
		return 0
	}
	return number(value.Apply(bag, v), "CopiesIn")
}

// combine adds the copies of one bag to those of another, or subtracts them as far as
// there are any.
func combine(a, b value.Value, sign int64) value.Value {
	var keys, vals []value.Value
	for _, k := range value.List(value.Union(value.Domain(a), value.Domain(b))) {
		if n := copies(k, a) + sign*copies(k, b); n > 0 || sign > 0 {
			keys, vals = append(keys, k), append(vals, value.Int(n))
		}
	}
	return value.NewFunc(keys, vals)
}

// bagOfAll is the bag of F(e) for every copy of every e in a bag.
func bagOfAll(c *compiler, r *syntax.Ref, args []syntax.Expr, p place) code {
	f, bag, at := c.callable(args[0], 1, p), c.expr(args[1], p), p.site(args[1])
	return func(e *env) value.Value {
		b := bag(e)
		e.at = at
		sum := value.Value(value.Empty)
		keys, vals := value.Entries(b)
		for i, k := range keys {
			sum = combine(sum, value.NewFunc([]value.Value{value.Explicit(f(e, k))}, []value.Value{vals[i]}), 1)
		}
		return sum
	}
}

// subBags is the set of all subbags of a bag.
func subBags(bag value.Value) value.Value {
	keys, vals := value.Entries(bag)
	all := []value.Value{value.Empty}
	for i, k := range keys {
		var more []value.Value
		for n := int64(1); n <= number(vals[i], "SubBag"); n++ {
			for _, b := range all {
				more = append(more, combine(b, value.NewFunc([]value.Value{k}, []value.Value{value.Int(n)}), 1))
			}
			if len(more) > value.MaxElements {
				fail("SubBag of too large a bag")
			}
		}
		all = append(all, more...)
	}
	return value.NewSet(all)
}
