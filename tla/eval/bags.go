package eval

import "interleave/tla/value"

// bags is module Bags, but for BagOfAll: a bag is a function from what is in it to
// how often.
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
		two("BagIn", func(a, b value.Value) value.Value { return value.Bool(value.Contains(value.Domain(b), a)) }),
		two("CopiesIn", func(a, b value.Value) value.Value { return value.Int(copies(a, b)) }),
		two(`\oplus`, func(a, b value.Value) value.Value { return combine(a, b, 1) }),
		two(`\ominus`, func(a, b value.Value) value.Value { return combine(a, b, -1) }),
		two(`\sqsubseteq`, func(a, b value.Value) value.Value {
			keys, _ := value.Spelt(a)
			for _, k := range keys {
				if copies(k, a) > copies(k, b) {
					return value.Bool(false)
				}
			}
			return value.Bool(true)
		}),
		one("BagCardinality", func(a value.Value) value.Value {
			sum := int64(0)
			_, vals := value.Spelt(a)
			for _, v := range vals {
				sum += number(v, "BagCardinality")
			}
			return value.Int(sum)
		}),
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
	_, vals := value.Spelt(a)
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

// combine adds the copies of one bag to those of another, or takes them away.
func combine(a, b value.Value, sign int64) value.Value {
	var keys, vals []value.Value
	for _, k := range value.List(value.Union(value.Domain(a), value.Domain(b))) {
		if n := copies(k, a) + sign*copies(k, b); n > 0 {
			keys, vals = append(keys, k), append(vals, value.Int(n))
		}
	}
	return value.NewFunc(keys, vals)
}
