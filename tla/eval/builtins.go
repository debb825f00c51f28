package eval

import (
	"interleave/tla/syntax"
	"interleave/tla/value"
)

// language is the scope of what needs no module.
var language = &scope{names: map[string]entity{}}

// standard is the standard modules.
var standard = map[string]map[string]entity{}

func init() {
	for _, b := range core() {
		language.names[b.name] = b
	}
	naturals := append(numbers(), &builtin{name: "Nat", val: value.Nat})
	integers := append(naturals[:len(naturals):len(naturals)], &builtin{name: "Int", val: value.Integers}, negation())
	standard["Naturals"] = table(naturals)
	standard["Integers"] = table(integers)
	standard["Sequences"] = table(sequences())
	standard["FiniteSets"] = table(finiteSets())
	standard["Bags"] = table(bags())
	standard["TLC"] = table(tlc())
	standard["Folding"] = table(folding())
	standard["Bitwise"] = table(bitwise())
	for module, names := range outsiders {
		var all []*builtin
		for name, arity := range names {
			all = append(all, refused(name, arity, outside))
		}
		standard[module] = table(all)
	}
	standard["TLCExt"]["AssertEq"] = two("AssertEq", func(a, b value.Value) value.Value { return value.Bool(value.Equal(a, b)) })
	standard["TLCExt"]["TLCCache"] = special("TLCCache", 2, func(c *compiler, _ *syntax.Ref, args []syntax.Expr, p place) code { return c.expr(args[0], p) })
	standard["TLCExt"]["TLCNoOp"] = one("TLCNoOp", func(a value.Value) value.Value { return a })
	for _, proofs := range []string{"TLAPS", "NaturalsInduction", "WellFoundedInduction", "SequenceTheorems", "FunctionTheorems"} {
		standard[proofs] = map[string]entity{} // what is named there is named in proofs only
	}
	standard["FiniteSetTheorems"] = standard["FiniteSets"]
}

func table(list []*builtin) map[string]entity {
	t := map[string]entity{}
	for _, b := range list {
		t[b.name] = b
	}
	return t
}

func one(name string, f func(a value.Value) value.Value) *builtin {
	return &builtin{name: name, arity: 1, fn1: f}
}

func two(name string, f func(a, b value.Value) value.Value) *builtin {
	return &builtin{name: name, arity: 2, fn2: f}
}

// special is an operator that looks at its arguments, not only at their values.
func special(name string, arity int, f func(c *compiler, r *syntax.Ref, args []syntax.Expr, p place) code) *builtin {
	return &builtin{name: name, arity: arity, special: f}
}

// refused is an operator that cannot be evaluated.
func refused(name string, arity int, why string) *builtin {
	return special(name, arity, func(c *compiler, r *syntax.Ref, _ []syntax.Expr, p place) code {
		at := c.site(r, p)
		return func(*env) value.Value {
			at.fail("%s is not supported: %s", name, why)
			return nil
		}
	})
}

// misplaced is an operator that has no value.
func misplaced(name string, arity int, why string) *builtin {
	return special(name, arity, func(c *compiler, r *syntax.Ref, _ []syntax.Expr, p place) code {
		c.site(r, p).fail("%s is not supported: %s", name, why)
		return nil
	})
}

func core() []*builtin {
	return []*builtin{
		{name: "TRUE", val: value.Bool(true)},
		{name: "FALSE", val: value.Bool(false)},
		{name: "BOOLEAN", val: value.Booleans},
		{name: "STRING", val: value.Strings},
		two("=", func(a, b value.Value) value.Value { return value.Bool(value.Equal(a, b)) }),
		two("#", func(a, b value.Value) value.Value { return value.Bool(!value.Equal(a, b)) }),
		two(`\in`, func(a, b value.Value) value.Value { return value.Bool(value.Contains(b, a)) }),
		two(`\notin`, func(a, b value.Value) value.Value { return value.Bool(!value.Contains(b, a)) }),
		two(`\subseteq`, func(a, b value.Value) value.Value { return value.Bool(value.Subset(a, b)) }),
		two(`\cup`, value.Union),
		two(`\cap`, value.Intersect),
		two(`\`, value.Minus),
		one("SUBSET", func(a value.Value) value.Value { return value.NewSubsets(a) }),
		special("UNION", 1, union),
		one("DOMAIN", value.Domain),
		special("~", 1, func(c *compiler, _ *syntax.Ref, args []syntax.Expr, p place) code {
			a := c.boolean(args[0], p)
			return func(e *env) value.Value { return value.Bool(!a(e)) }
		}),
		special("=>", 2, func(c *compiler, _ *syntax.Ref, args []syntax.Expr, p place) code {
			a, b := c.boolean(args[0], p), c.boolean(args[1], p)
			return func(e *env) value.Value { return value.Bool(!a(e) || b(e)) }
		}),
		special(`\equiv`, 2, func(c *compiler, _ *syntax.Ref, args []syntax.Expr, p place) code {
			a, b := c.boolean(args[0], p), c.boolean(args[1], p)
			return func(e *env) value.Value { return value.Bool(a(e) == b(e)) }
		}),
		special("'", 1, func(c *compiler, r *syntax.Ref, args []syntax.Expr, p place) code {
			if p.primed {
				c.site(r, p).fail("an expression is primed twice")
			}
			p.primed = true
			return c.expr(args[0], p)
		}),
		special("UNCHANGED", 1, func(c *compiler, _ *syntax.Ref, args []syntax.Expr, p place) code {
			same := c.unchanged(args[0], p)
			return func(e *env) value.Value { return value.Bool(same(e)) }
		}),
		special("ENABLED", 1, func(c *compiler, _ *syntax.Ref, args []syntax.Expr, p place) code {
			return c.enabled(args[0], p)
		}),
		misplaced("[]", 1, "a temporal formula stands where a value is needed"),
		misplaced("<>", 1, "a temporal formula stands where a value is needed"),
		misplaced("~>", 2, "a temporal formula stands where a value is needed"),
		misplaced("-+->", 2, "it cannot be checked"),
		misplaced(`\cdot`, 2, "it cannot be checked"),
	}
}

// union is UNION. The sets in UNION {S, T} are not spelt out.
func union(c *compiler, r *syntax.Ref, args []syntax.Expr, p place) code {
	at := c.site(args[0], p)
	if set, ok := args[0].(*syntax.SetOf); ok && len(set.Elems) > 0 {
		parts := c.exprs(set.Elems, p)
		return func(e *env) value.Value {
			vals := run(e, parts)
			e.at = at
			return value.Join(vals...)
		}
	}
	of := c.expr(args[0], p)
	return func(e *env) value.Value {
		v := of(e)
		e.at = at
		return value.UnionAll(v)
	}
}
