package eval

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// prelude has what the equations are written with.
const prelude = `
Ints == (-9)..9
Nums == 0..3
Odd(n) == n % 2 = 1
Half(n) == n \div 2
Sub(a, b) == a - b
Below(a, b) == a < b
Least(S) == CHOOSE x \in S : \A y \in S : x =< y
Most(S) == CHOOSE x \in S : \A y \in S : x >= y
Sum(f) == LET F[T \in SUBSET DOMAIN f] == IF T = {} THEN 0 ELSE LET x == CHOOSE x \in T : TRUE IN f[x] + F[T \ {x}] IN F[DOMAIN f]
Folded(f, S, base) == LET F[T \in SUBSET S] == IF T = {} THEN base ELSE f[Most(T)] - F[T \ {Most(T)}] IN F[S]
Of(s) == {s[i] : i \in DOMAIN s}
Copied(s, t) == \A v \in Nums : Cardinality({i \in DOMAIN s : s[i] = v}) = Cardinality({i \in DOMAIN t : t[i] = v})
LeastAt(s, P(_)) == Least({i \in DOMAIN s : P(s[i])})
Without(s, i) == [k \in 1..(Len(s) - 1) |-> IF k < i THEN s[k] ELSE s[k + 1]]
Picked(s, D) == LET F[i \in 0..Len(s)] == IF i = 0 THEN <<>> ELSE IF i \in D THEN F[i - 1] \o <<s[i]>> ELSE F[i - 1] IN F[Len(s)]
Way(m, n, G, S) == \E k \in 1..4 : \E p \in [1..k -> S] : p[1] = m /\ p[k] = n /\ \A i \in 1..(k - 1) : {p[i], p[i + 1]} \in G.edge
Whole(S, G) == S # {} /\ \A m, n \in S : Way(m, n, G, S)
Bits(F(_, _), a, b) == F(a % 2, b % 2) + 2 * F((a \div 2) % 2, (b \div 2) % 2) + 4 * F((a \div 4) % 2, (b \div 4) % 2) + 8 * F(a \div 8, b \div 8)
`

// some writes a set of n values that are made by chance.
func some(n int, one func() string) string {
	var all []string
	for range n {
		all = append(all, one())
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// samples writes the sets of small values.
func samples(r *rand.Rand) string {
	num := func() string { return fmt.Sprint(r.IntN(4)) }
	members := func(n int) []string { return strings.Split(strings.Trim(some(n, num), "{}"), ", ") }
	set := func() string { return some(r.IntN(4), num) }
	seq := func() string { return "<<" + strings.Join(members(1+r.IntN(4)), ", ") + ">>" }
	table := func(most int) string {
		f := "<<>>"
		for _, k := range slices.Compact(slices.Sorted(slices.Values(members(1 + r.IntN(3))))) {
			f = fmt.Sprintf("(%s :> %d) @@ %s", k, r.IntN(most), f)
		}
		return f
	}
	function := func() string { return table(4) }
	bag := func() string {
		return "[e \\in DOMAIN (" + table(1) + ") |-> " + fmt.Sprintf("1 + ((e * %d) %% 3)]", r.IntN(3))
	}
	graph := func() string {
		edge := func() string { return "{" + strings.Join(members(2), ", ") + "}" }
		return "[node |-> 0..3, edge |-> " + some(r.IntN(4), edge) + "]"
	}
	return "Sets == " + some(5, set) + " \\cup {{}, {1, 2, 3}}\nSeqs == " + some(7, seq) + " \\cup {<<>>, <<1, 2>>, <<2, 1>>}\nFuns == " + some(6, function) +
		"\nBagz == " + some(5, bag) + " \\cup {<<>>}\nGraphs == " + some(5, graph) + " \\cup {[node |-> {}, edge |-> {}], [node |-> {1, 2}, edge |-> {{1, 2}}]}\n"
}

// operatorsOf returns the operators of the modules that are built in, except those that
// are refused wherever they are evaluated, by module.
func operatorsOf(t *testing.T) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for module, names := range standard {
		all[module] = map[string]bool{}
		for name, x := range names {
			if b, ok := x.(*builtin); ok && !b.refused {
				all[module][name] = true
			}
		}
	}
	delete(all, folds) // for the library only
	delete(all, "FiniteSetTheorems")
	for name := range standard["Naturals"] {
		delete(all["Integers"], name)
	}
	files, err := fs.Glob(library, "library/*.tla")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		m := fromLibrary(strings.TrimSuffix(strings.TrimPrefix(file, "library/"), ".tla"))
		all[m.Name] = map[string]bool{}
		for _, u := range m.Units {
			if d, ok := u.(*syntax.OpDef); ok && !d.Local {
				all[m.Name][d.Name] = true
			}
		}
	}
	return all
}

// TestEquations: each operator that is built in equals what its definition says.
func TestEquations(t *testing.T) {
	text, err := os.ReadFile("testdata/equations.txt")
	if err != nil {
		t.Fatal(err)
	}
	missing := operatorsOf(t)
	for _, part := range strings.Split(string(text), "MODULE ")[1:] {
		module, lines, _ := strings.Cut(part, "\n")
		t.Run(module, func(t *testing.T) {
			defs, names := "", map[string]string{}
			for i, line := range strings.Split(strings.TrimSpace(lines), "\n") {
				operator, equation, _ := strings.Cut(line, " ")
				if !missing[module][operator] {
					t.Errorf("%s is no operator of %s, or has two equations", operator, module)
				}
				delete(missing[module], operator)
				definition := fmt.Sprintf("Equation%d", i)
				defs += definition + " == " + equation + "\n"
				names[definition] = operator
			}
			for seed := range uint64(2) {
				equal(t, module, samples(rand.New(rand.NewPCG(seed, 5)))+defs, names)
			}
		})
	}
	for module, operators := range missing {
		if len(operators) > 0 {
			t.Errorf("operators of %s without an equation: %v", module, slices.Sorted(maps.Keys(operators)))
		}
	}
}

// equal checks the equations of a module on samples.
func equal(t *testing.T, module, defs string, equations map[string]string) {
	t.Helper()
	text := "---- MODULE M ----\nEXTENDS Integers, Sequences, FiniteSets, TLC, " + module + "\n" + prelude + defs + "\n===="
	s, err := Load("M", Alone("M", "M.tla", text))
	if err != nil {
		t.Fatal(err)
	}
	for definition, operator := range equations {
		if v, err := s.Constant(definition); err != nil || v != value.Value(value.Bool(true)) {
			t.Errorf("%s of %s: %v, %v", operator, module, v, err)
		}
	}
}
