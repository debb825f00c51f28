package eval

import (
	"slices"
	"sort"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// tlc is module TLC. What it has to reach outside of a specification is refused.
func tlc() []*builtin {
	return []*builtin{
		two(":>", func(a, b value.Value) value.Value {
			return value.NewFunc([]value.Value{value.Explicit(a)}, []value.Value{b})
		}),
		two("@@", merge),
		two("Print", func(_, b value.Value) value.Value { return b }),
		one("PrintT", func(value.Value) value.Value { return value.Bool(true) }),
		one("TLCEval", func(a value.Value) value.Value { return value.Explicit(a) }),
		special("ToString", 1, toString),
		one("Permutations", permutations),
		special("Assert", 2, assert),
		{name: "SortSeq", arity: 2, opArgs: []int{0, 2}, special: sortBy(func(v value.Value) []value.Value { return value.Elems(v, "SortSeq") })},
		{name: "Any", val: nil, special: refused("Any", 0, "it has no elements").special},
		refused("JavaTime", 0, "time is no part of a state"),
		refused("TLCGet", 1, "a register of the checker is no part of a state"),
		refused("TLCSet", 2, "a register of the checker is no part of a state"),
		refused("RandomElement", 1, "chance is no part of a state"),
	}
}

// Violation is an Assert that failed.
type Violation struct{ At *Error }

func (v *Violation) Error() string { return v.At.Error() }

func assert(c *compiler, r *syntax.Ref, args []syntax.Expr, p place) code {
	cond, text, at := c.boolean(args[0], p), c.expr(args[1], p), c.site(r, p)
	return func(e *env) value.Value {
		if cond(e) {
			return value.Bool(true)
		}
		panic(&Violation{at.error("the assertion fails: " + value.Brief(text(e)))})
	}
}

func toString(c *compiler, _ *syntax.Ref, args []syntax.Expr, p place) code {
	c.spec.chooses = true // it tells model values apart by their names
	of, at := c.expr(args[0], p), c.site(args[0], p)
	return func(e *env) value.Value {
		v := of(e)
		e.at = at
		return value.String(value.Format(value.Explicit(v)))
	}
}

// merge is f @@ g: where both are defined, f.
func merge(f, g value.Value) value.Value {
	keys, vals := value.Spelt(f)
	keys, vals = slices.Clone(keys), slices.Clone(vals)
	more, others := value.Spelt(g)
	domain := value.Domain(f)
	for i, k := range more {
		if !value.Contains(domain, k) {
			keys, vals = append(keys, k), append(vals, others[i])
		}
	}
	return value.NewFunc(keys, vals)
}

// permutations is the set of bijections of a set to itself.
func permutations(set value.Value) value.Value {
	of := value.List(set)
	if len(of) > 9 {
		fail("Permutations of a set of more than 9 elements")
	}
	var all []value.Value
	var extend func(chosen []value.Value)
	extend = func(chosen []value.Value) {
		if len(chosen) == len(of) {
			all = append(all, value.NewFunc(slices.Clone(of), slices.Clone(chosen)))
			return
		}
		for _, v := range of {
			if !slices.ContainsFunc(chosen, func(w value.Value) bool { return value.Compare(v, w) == 0 }) {
				extend(append(chosen[:len(chosen):len(chosen)], v))
			}
		}
	}
	extend(nil)
	return value.NewSet(all)
}

// sortBy sorts elements by an operator on them.
func sortBy(elements func(value.Value) []value.Value) compiling {
	return func(c *compiler, _ *syntax.Ref, args []syntax.Expr, p place) code {
		of, less, at := c.expr(args[0], p), c.callable(args[1], 2, p), c.site(args[0], p)
		return func(e *env) value.Value {
			v := of(e)
			e.at = at
			elems := slices.Clone(elements(v))
			sort.SliceStable(elems, func(i, j int) bool { return isTrue(less(e, elems[i], elems[j])) })
			return value.NewTuple(elems...)
		}
	}
}
