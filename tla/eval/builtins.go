package eval

import (
	"interleave/tla/syntax"
	"interleave/tla/value"
)

// language is the scope of the operators that need no module.
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
	standard[folds] = table(folding())
	standard["Bitwise"] = table(bitwise())
	for module, names := range outsiders {
		var all []*builtin
		for name, arity := range names {
			all = append(all, refused(name, arity, outside))
		}
		standard[module] = table(all)
	}
	standard["TLCExt"]["AssertEq"] = relation("AssertEq", value.Equal)
	standard["TLCExt"]["TLCCache"] = special("TLCCache", 2, func(c *compiler, _ *syntax.Ref, args []syntax.Expr, p place) code { return c.expr(args[0], p) })
	standard["TLCExt"]["TLCNoOp"] = one("TLCNoOp", func(a value.Value) value.Value { return a })
	for _, proofs := range []string{"TLAPS", "NaturalsInduction", "WellFoundedInduction", "SequenceTheorems", "FunctionTheorems"} {
		standard[proofs] = map[string]entity{} // only proofs use its names
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

// made is an operator on one or two values. It looks for its value before it makes it.
func made(name string, arity int, f func(p *value.Pool, a, b value.Value) value.Value) *builtin {
	return &builtin{name: name, arity: arity, made: f}
}

// relation is an operator on two values that returns TRUE or FALSE.
func relation(name string, holds func(a, b value.Value) bool) *builtin {
	return &builtin{name: name, arity: 2, holds: holds}
}

// logical is special, and returns TRUE or FALSE.
func logical(name string, arity int, f func(c condition, x syntax.Expr, args []syntax.Expr) truth) *builtin {
	return &builtin{name: name, arity: arity, logic: f}
}

// special is an operator that looks at its arguments, not only at their values.
func special(name string, arity int, f func(c *compiler, r *syntax.Ref, args []syntax.Expr, p place) code) *builtin {
	return &builtin{name: name, arity: arity, special: f}
}

// refused is an operator that cannot be evaluated.
func refused(name string, arity int, why string) *builtin {
	b := special(name, arity, func(c *compiler, r *syntax.Ref, _ []syntax.Expr, p place) code {
		at := p.site(r)
		return func(*env) value.Value {
			at.fail("%s is not supported: %s", name, why)
			return nil
		}
	})
	b.refused = true
	return b
}

// misplaced is an operator that has no value.
func misplaced(name string, arity int, why string) *builtin {
	return special(name, arity, func(c *compiler, r *syntax.Ref, _ []syntax.Expr, p place) code {
		p.site(r).fail("%s is not supported: %s", name, why)
		return nil
	})
}

func core() []*builtin {
	return []*builtin{
		{name: "TRUE", val: value.Bool(true)},
		{name: "FALSE", val: value.Bool(false)},
		{name: "BOOLEAN", val: value.Booleans},
		{name: "STRING", val: value.Strings},
		relation("=", value.Equal),
		relation("#", func(a, b value.Value) bool { return !value.Equal(a, b) }),
		relation(`\subseteq`, value.Subset),
		two(`\cup`, value.Union),
		two(`\cap`, value.Intersect),
		two(`\`, value.Minus),
		one("SUBSET", func(a value.Value) value.Value { return value.NewSubsets(a) }),
		special("UNION", 1, union),
		one("DOMAIN", value.Domain),
		logical("~", 1, func(c condition, _ syntax.Expr, args []syntax.Expr) truth {
			a := c.boolean(args[0], c.p)
			return func(e *env) bool { return !a(e) }
		}),
		logical("=>", 2, implies),
		logical(`\equiv`, 2, func(c condition, _ syntax.Expr, args []syntax.Expr) truth {
			a, b := c.boolean(args[0], c.p), c.boolean(args[1], c.p)
			return func(e *env) bool { return a(e) == b(e) }
		}),
		logical(`\in`, 2, func(c condition, x syntax.Expr, args []syntax.Expr) truth {
			return member(c, x, args, true)
		}),
		logical(`\notin`, 2, func(c condition, x syntax.Expr, args []syntax.Expr) truth {
			return member(c, x, args, false)
		}),
		special("'", 1, func(c *compiler, r *syntax.Ref, args []syntax.Expr, p place) code {
			if p.primed {
				p.site(r).fail("an expression is primed twice")
			}
			p.primed = true
			return c.expr(args[0], p)
		}),
		logical("UNCHANGED", 1, func(c condition, _ syntax.Expr, args []syntax.Expr) truth { return c.unchanged(args[0]) }),
		logical("ENABLED", 1, func(c condition, _ syntax.Expr, args []syntax.Expr) truth { return c.enabled(args[0]) }),
		misplaced("[]", 1, "a temporal formula stands where a value is needed"),
		misplaced("<>", 1, "a temporal formula stands where a value is needed"),
		misplaced("~>", 2, "a temporal formula stands where a value is needed"),
		misplaced("-+->", 2, "it cannot be checked"),
		misplaced(`\cdot`, 2, "it cannot be checked"),
	}
}

// union is UNION. The sets in UNION {S, T} are not enumerated.
func union(c *compiler, r *syntax.Ref, args []syntax.Expr, p place) code {
	at := p.site(args[0])
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

// implies compiles a => b.
func implies(c condition, x syntax.Expr, args []syntax.Expr) truth {
	end := c.setAside()
	a := c.boolean(args[0], c.p)
	end()
	m := c.supposes(x, c.p, "the premise of the implication is never true")
	b := c.boolean(args[1], c.p)
	if m == nil {
		return func(e *env) bool { return !a(e) || b(e) }
	}
	return func(e *env) bool {
		if !a(e) {
			return true
		}
		m.meet()
		return b(e)
	}
}

// member compiles x \in S, or x \notin S if that is is false. A pair is not even made
// where S has an index.
func member(c condition, e syntax.Expr, args []syntax.Expr, is bool) truth {
	c.goesThrough(args[0])
	at := c.p.site(e)
	asker := c.spec.asks
	c.spec.asks++
	if t, ok := args[0].(*syntax.Tuple); ok && len(t.Elems) == 2 {
		x, y, set := c.expr(t.Elems[0], c.p), c.expr(t.Elems[1], c.p), c.expr(args[1], c.p)
		c.reads.weight += weigh(t)
		return func(e *env) bool {
			pair := [2]value.Value{value.Explicit(x(e)), value.Explicit(y(e))}
			of := set(e)
			e.at = at
			if index := e.memory.index(asker, of); index != nil {
				return index.ContainsPair(pair) == is
			}
			return value.Contains(of, value.NewTuple(pair[0], pair[1])) == is
		}
	}
	x, set := c.expr(args[0], c.p), c.expr(args[1], c.p)
	constant, site := c.fixed, c.spec.sites
	c.spec.sites++
	return func(e *env) bool {
		v, of := x(e), set(e)
		e.at = at
		if index := e.memory.index(asker, of); index != nil {
			return index.Contains(value.Explicit(v)) == is
		}
		if s, ok := of.(*value.Functions); ok && constant && e.memory.known() != nil {
			return e.memory.amongFunctions(site, s, v) == is
		}
		return value.Contains(of, v) == is
	}
}
