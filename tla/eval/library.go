package eval

import (
	"embed"
	"slices"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// library has the community modules that are built in, with their most used operators,
// written from the documentation (github.com/tlaplus/CommunityModules).
//
//go:embed library/*.tla
var library embed.FS

// folds is the module that the library is written with; no other module knows it.
const folds = "Folding"

// inLibrary is the suffix of the name of a file of the library.
const inLibrary = " (built in)"

// fromLibrary returns a module of the library, or nil.
func fromLibrary(name string) *syntax.Module {
	text, err := library.ReadFile("library/" + name + ".tla")
	if err != nil {
		return nil
	}
	t, err := syntax.ParseModule(name+".tla"+inLibrary, string(text))
	if err != nil {
		panic(err)
	}
	return t
}

// outside is the reason for refusing operators that read or write anything but states.
const outside = "it reaches outside of the specification"

// outsiders are the operators, with arities, of modules that only reach outside.
var outsiders = map[string]map[string]int{
	"IOUtils": {
		"IOEnv": 0, "IOExec": 1, "IOEnvExec": 2, "IOExecTemplate": 2, "IOEnvExecTemplate": 3, "IOSerialize": 3, "IODeserialize": 2, "Serialize": 3,
		"Deserialize": 2, "atoi": 1, "zeroPadN": 2,
	},
	"Json":          {"ToJson": 1, "ToJsonArray": 1, "ToJsonObject": 1, "JsonSerialize": 2, "JsonDeserialize": 1, "ndJsonSerialize": 2, "ndJsonDeserialize": 1},
	"CSV":           {"CSVWrite": 3, "CSVRead": 3, "CSVRecords": 1, "CSVWriteRecord": 3},
	"Randomization": {"RandomSubset": 2, "RandomSetOfSubsets": 3, "TestRandomSetOfSubsets": 3, "RandomSubsetSet": 2},
	"TLCExt":        {"Trace": 0, "CounterExample": 0, "TLCGetOrDefault": 2, "TLCGetAndSet": 4, "TLCDefer": 1, "PickSuccessor": 1, "TLCModelValue": 1, "AssertError": 2, "ToTrace": 1},
}

// folding has the operators that the library is written with.
func folding() []*builtin {
	return []*builtin{
		refused("Ambiguous", 0, "the fold over the bag has another value by its definition than in TLC; use an operator that is associative and commutative, and a base that adds nothing"),
		{name: "FoldElements", arity: 3, opArgs: []int{2, 0, 0}, special: fold(func(v value.Value) []value.Value { return value.List(v) }, true)},
		{name: "FoldSequence", arity: 3, opArgs: []int{2, 0, 0}, special: fold(func(v value.Value) []value.Value { return value.Elems(v, "a fold") }, false)},
		{name: "BackwardsBy", arity: 2, opArgs: []int{1, 0}, special: backwards},
		{name: "SortElements", arity: 2, opArgs: []int{0, 2}, special: func(c *compiler, r *syntax.Ref, args []syntax.Expr, p place) code {
			c.spec.chooses = true
			sorted := sortBy(func(v value.Value) []value.Value { return value.List(v) })
			return sorted(c, r, args, p)
		}},
		special("ElementsInOrder", 1, func(c *compiler, _ *syntax.Ref, args []syntax.Expr, p place) code {
			c.spec.chooses = true
			of, at := c.expr(args[0], p), p.site(args[0])
			return func(e *env) value.Value {
				v := of(e)
				e.at = at
				return value.NewTuple(slices.Clone(value.List(v))...)
			}
		}),
	}
}

// compiling compiles an operator applied to arguments.
type compiling = func(c *compiler, r *syntax.Ref, args []syntax.Expr, p place) code

// fold combines elements, from the first to the last: op(element, sum) for those of a
// set, op(sum, element) for those of a sequence.
func fold(elements func(value.Value) []value.Value, set bool) compiling {
	return func(c *compiler, _ *syntax.Ref, args []syntax.Expr, p place) code {
		c.spec.chooses = c.spec.chooses || set
		op, base, of, at := c.callable(args[0], 2, p), c.expr(args[1], p), c.expr(args[2], p), p.site(args[2])
		return func(e *env) value.Value {
			sum, v := base(e), of(e)
			e.at = at
			for _, x := range elements(v) {
				if set {
					sum = op(e, x, sum)
				} else {
					sum = op(e, sum, x)
				}
			}
			return sum
		}
	}
}

// backwards lists the elements of a set; the one that is chosen first is last.
func backwards(c *compiler, _ *syntax.Ref, args []syntax.Expr, p place) code {
	choose, of, at := c.callable(args[0], 1, p), c.expr(args[1], p), p.site(args[1])
	return func(e *env) value.Value {
		left := of(e)
		e.at = at
		order := make([]value.Value, len(value.List(left)))
		for i := len(order) - 1; i >= 0; i-- {
			order[i] = choose(e, left)
			e.at = at
			left = value.Minus(left, value.NewSet([]value.Value{order[i]}))
			if len(value.List(left)) != i {
				at.fail("%s is chosen, which is no element of the set", value.Brief(order[i]))
			}
		}
		return value.NewTuple(order...)
	}
}

// bitwise is module Bitwise: operators on the bits of naturals.
func bitwise() []*builtin {
	natural := func(name string, f func(a, b int64) int64) *builtin {
		return two(name, func(a, b value.Value) value.Value {
			x, y := number(a, name), number(b, name)
			if x < 0 || y < 0 {
				fail(name + " is applied to a negative number")
			}
			return value.Int(f(x, y))
		})
	}
	return []*builtin{
		natural("&", func(a, b int64) int64 { return a & b }),
		natural("|", func(a, b int64) int64 { return a | b }),
		natural("^^", func(a, b int64) int64 { return a ^ b }),
		natural("shiftR", func(a, n int64) int64 { return a >> min(n, 63) }),
	}
}
