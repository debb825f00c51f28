package eval

import (
	"interleave/tla/syntax"
	"interleave/tla/value"
)

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
	case *value.Tuple, *value.Record, *value.Func:
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
