package eval

import (
	"slices"
	"sort"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// tlc is module TLC. Operators that reach outside of a specification are refused.
func tlc() []*builtin {
	return []*builtin{
		two(":>", func(a, b value.Value) value.Value {
			return value.NewFunc([]value.Value{value.Explicit(a)}, []value.Value{b})
		}),
		two("@@", merge),
		special("Print", 2, print),
		special("PrintT", 1, print),
		one("TLCEval", func(a value.Value) value.Value { return value.Explicit(a) }),
		special("ToString", 1, toString),
		one("Permutations", permutations),
		special("Assert", 2, assert),
		{name: "SortSeq", arity: 2, opArgs: []int{0, 2}, special: sortBy(func(v value.Value) []value.Value { return value.Elems(v, "SortSeq") })},
		refused("Any", 0, "it has no elements"),
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
	cond, text, at := c.boolean(args[0], p), message(c, args[1], p), p.site(r)
	return func(e *env) value.Value {
		if !c.spec.asserted.Load() {
			c.spec.asserted.Store(true)
		}
		if cond(e) {
			return value.Bool(true)
		}
		panic(&Violation{at.error("the assertion fails: " + value.Brief(text(e)))})
	}
}

// print evaluates what it would print, and returns its other argument, or TRUE.
func print(c *compiler, _ *syntax.Ref, args []syntax.Expr, p place) code {
	text, worth := message(c, args[0], p), code(func(*env) value.Value { return value.Bool(true) })
	if len(args) > 1 {
		worth = c.expr(args[1], p)
	}
	return func(e *env) value.Value {
		text(e)
		return worth(e)
	}
}

// message compiles an expression that is only for a message, and decides nothing.
func message(c *compiler, x syntax.Expr, p place) code {
	around := c.told
	c.told = true
	f := c.expr(x, p)
	c.told = around
	return f
}

func toString(c *compiler, _ *syntax.Ref, args []syntax.Expr, p place) code {
	c.spec.chooses = true // it distinguishes model values by their names
	of, at, told := c.expr(args[0], p), p.site(args[0]), c.told
	return func(e *env) value.Value {
		v := of(e)
		e.at = at
		v = value.Explicit(v)
		if part := unsettled(v); part != nil && !told {
			fail("ToString of " + value.Brief(part) + ": the text is not determined, as TLC writes an interval as a set or as m..n, " +
				"and strings and fields in the order in which it met them first; make it of the parts")
		}
		return value.String(value.Format(v))
	}
}

// unsettled returns a part of an explicit value that TLC may write in another way, or
// nil.
func unsettled(v value.Value) value.Value {
	switch v := v.(type) {
	case *value.Tuple:
		return anyUnsettled(v.Elems)
	case *value.Record:
		if len(v.Names) > 1 {
			return v
		}
		return anyUnsettled(v.Vals)
	case *value.Func:
		if !hasOrder(v.Keys) {
			return v
		}
		return anyUnsettled(slices.Concat(v.Keys, v.Vals))
	case *value.Set:
		if !hasOrder(v.Elems) || consecutive(v.Elems) {
			return v
		}
		return anyUnsettled(v.Elems)
	}
	return nil
}

func anyUnsettled(all []value.Value) value.Value {
	for _, v := range all {
		if part := unsettled(v); part != nil {
			return part
		}
	}
	return nil
}

// hasOrder reports whether the order of values is not only ours: that of one value, of
// integers, and of truth values.
func hasOrder(all []value.Value) bool {
	return len(all) < 2 || !slices.ContainsFunc(all, func(v value.Value) bool {
		switch v.(type) {
		case value.Int, value.Bool:
			return false
		}
		return true
	})
}

// consecutive reports whether ordered values are consecutive integers.
func consecutive(all []value.Value) bool {
	if len(all) == 0 {
		return false
	}
	first, ok := all[0].(value.Int)
	last, ok2 := all[len(all)-1].(value.Int)
	return ok && ok2 && last-first == value.Int(len(all)-1)
}

// merge is f @@ g: where both are defined, f.
func merge(f, g value.Value) value.Value {
	keys, vals := value.Entries(f)
	keys, vals = slices.Clone(keys), slices.Clone(vals)
	more, others := value.Entries(g)
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

// sortBy sorts elements by an operator.
func sortBy(elements func(value.Value) []value.Value) compiling {
	return func(c *compiler, _ *syntax.Ref, args []syntax.Expr, p place) code {
		of, less, at := c.expr(args[0], p), c.callable(args[1], 2, p), p.site(args[0])
		return func(e *env) value.Value {
			v := of(e)
			e.at = at
			elems := slices.Clone(elements(v))
			sort.SliceStable(elems, func(i, j int) bool { return isTrue(less(e, elems[i], elems[j])) })
			return value.NewTuple(elems...)
		}
	}
}
