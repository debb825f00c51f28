package eval

import (
	"math"
	"math/bits"

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
