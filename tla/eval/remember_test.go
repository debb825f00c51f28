package eval_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"interleave/internal/rapidtest"
)

// author writes modules whose states are few: n is below 3, s a set of such numbers,
// and f a function of them.
type author struct {
	*rapid.T
	bound  []string // names in scope
	primed []string // variables that have their next value
	known  []string // definitions that may be used: Twice, and One in ENABLED
}

func (a *author) one(of ...func() string) string {
	return of[rapid.IntRange(0, len(of)-1).Draw(a.T, "form")]()
}

// within writes with a name bound.
func (a *author) within(write func(x string) string) string {
	x := fmt.Sprintf("x%d", len(a.bound))
	a.bound = append(a.bound, x)
	defer func() { a.bound = a.bound[:len(a.bound)-1] }()
	return write(x)
}

func (a *author) variable(name string) string {
	if slices.Contains(a.primed, name) && rapid.Bool().Draw(a.T, "primed") {
		return name + "'"
	}
	return name
}

func (a *author) number(depth int) string {
	leaves := []func() string{
		func() string { return fmt.Sprint(rapid.IntRange(0, 2).Draw(a.T, "number")) },
		func() string { return a.variable("n") },
	}
	if len(a.bound) > 0 {
		leaves = append(leaves, func() string { return rapid.SampledFrom(a.bound).Draw(a.T, "name") })
	}
	if depth == 0 {
		return a.one(leaves...)
	}
	d := depth - 1
	if slices.Contains(a.known, "Twice") {
		leaves = append(leaves, func() string { return "Twice(" + a.number(d) + ", " + a.number(d) + ")" })
	}
	return a.one(append(leaves,
		func() string { return "((" + a.number(d) + " + " + a.number(d) + ") % 3)" },
		func() string { return a.variable("f") + "[" + a.number(d) + "]" },
		func() string { return "(Cardinality(" + a.set(d) + ") % 3)" },
		func() string { return "(Sum(" + a.set(d) + ") % 3)" },
		func() string { return "(IF " + a.truth(d) + " THEN " + a.number(d) + " ELSE " + a.number(d) + ")" },
		func() string {
			is := a.number(d)
			return a.within(func(x string) string { return "(LET " + x + " == " + is + " IN " + a.number(d) + ")" })
		},
	)...)
}

func (a *author) set(depth int) string {
	leaf := func() string { return a.variable("s") }
	if depth == 0 {
		return leaf()
	}
	d := depth - 1
	return a.one(leaf,
		func() string { return "{" + a.number(d) + ", " + a.number(d) + "}" },
		func() string { return "(" + a.set(d) + " \\cup " + a.set(d) + ")" },
		func() string { return "(" + a.set(d) + " \\ " + a.set(d) + ")" },
		func() string { return "(0.." + a.number(d) + ")" },
		func() string {
			of := a.set(d)
			return a.within(func(x string) string { return "{" + x + " \\in " + of + " : " + a.truth(d) + "}" })
		},
		func() string {
			of := a.set(d)
			return a.within(func(x string) string { return "{" + a.number(d) + " : " + x + " \\in " + of + "}" })
		},
	)
}

func (a *author) truth(depth int) string {
	leaf := func() string { return a.number(0) + " \\in " + a.variable("s") }
	if depth == 0 {
		return leaf()
	}
	d := depth - 1
	quantified := func(symbol string) func() string {
		return func() string {
			of := a.set(d)
			return a.within(func(x string) string { return "(" + symbol + " " + x + " \\in " + of + " : " + a.truth(d) + ")" })
		}
	}
	leaves := []func() string{leaf, quantified(`\E`), quantified(`\A`)}
	if slices.Contains(a.known, "One") {
		leaves = append(leaves, func() string { return "ENABLED One" })
	}
	return a.one(append(leaves,
		func() string { return "(" + a.number(d) + " < " + a.number(d) + ")" },
		func() string { return "(" + a.set(d) + " = " + a.set(d) + ")" },
		func() string { return "(" + a.truth(d) + " /\\ ~" + a.truth(d) + ")" },
		func() string { return "(" + a.truth(d) + " \\/ " + a.truth(d) + ")" },
		func() string { return "(" + a.variable("f") + " \\in [0..2 -> " + a.set(d) + "])" },
		func() string {
			of := a.one(func() string { return "{0, 1}" }, func() string { return a.set(d) })
			return "([x \\in 1..2 |-> " + a.variable("s") + "] \\in [1..2 -> SUBSET " + of + "])"
		},
		func() string { return "(" + a.truth(d) + " => " + a.number(d) + " # " + a.number(d) + ")" },
		func() string { return "(IF " + a.truth(d) + " THEN " + a.truth(d) + " ELSE " + a.truth(d) + ")" },
	)...)
}

func (a *author) function(depth int) string {
	return a.one(
		func() string { return a.variable("f") },
		func() string {
			return "[" + a.variable("f") + " EXCEPT ![" + a.number(depth) + "] = " + a.number(depth) + "]"
		},
		func() string {
			return "[" + a.variable("f") + " EXCEPT ![" + a.number(1) + "] = (@ + " + a.number(depth) + ") % 3]"
		},
		func() string {
			return a.within(func(x string) string { return "[" + x + " \\in 0..2 |-> " + a.number(depth) + "]" })
		},
	)
}

// action writes a step, which may begin with a choice.
func (a *author) action() string {
	const depth = 3
	a.primed = nil
	write := func(guard string) string {
		text := guard
		for _, v := range rapid.Permutation([]string{"n", "s", "f"}).Draw(a.T, "order") {
			switch {
			case rapid.IntRange(0, 3).Draw(a.T, "kept") == 0:
				text += "\n  /\\ UNCHANGED " + v
			case v == "n":
				text += "\n  /\\ n' = " + a.number(depth)
			case v == "s":
				text += "\n  /\\ s' = " + a.set(depth)
			default:
				text += "\n  /\\ f' = " + a.function(depth)
			}
			a.primed = append(a.primed, v)
		}
		return text
	}
	if rapid.Bool().Draw(a.T, "chosen") {
		of := a.set(2)
		return "\\E x0 \\in " + of + " :\n" + a.within(func(string) string { return write("  /\\ " + a.truth(2)) })
	}
	return "\n" + write("  /\\ "+a.truth(2))
}

// TestRemembering: what is remembered is what would be evaluated.
func TestRemembering(t *testing.T) {
	steps := 0
	missing := func() error {
		if steps < 1000 {
			return fmt.Errorf("only %d states and steps", steps)
		}
		return nil
	}
	rapidtest.Until(t, missing, func(t *rapid.T) {
		a := &author{T: t}
		body := "VARIABLES n, s, f\n" +
			"RECURSIVE Sum(_)\nSum(S) == IF S = {} THEN n ELSE LET x == CHOOSE x \\in S : TRUE IN x + Sum(S \\ {x})\n" +
			"Init == n = 0 /\\ s \\in {{1}, {0, 2}} /\\ f \\in [0..2 -> {0, 1}] /\\ (1 \\in s \\/ " + a.truth(3) + ")\n" +
			"Twice(x0, y) == (x0 + (IF " + a.within(func(string) string { return a.truth(2) }) + " THEN x0 ELSE y)) % 3\n"
		a.known = append(a.known, "Twice")
		body += "One == " + a.action() + "\n"
		a.known = append(a.known, "One")
		body += "Other == " + a.action() + "\nNext == One \\/ Other"
		steps += asWithout(t, body)
	})
}

// asWithout checks that the states and steps of a module are those that are found
// without memory, and returns how many these are.
func asWithout(t interface {
	Helper()
	Fatalf(format string, args ...any)
}, body string) int {
	t.Helper()
	var graphs [2][]string
	for i := range graphs {
		spec, err := load(t, body, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, body)
		}
		if i == 1 {
			spec.Naively()
		}
		states, edges, err := graph(t, spec, 300)
		if err != nil {
			t.Fatalf("%v\n%s", err, body)
		}
		graphs[i] = append(states, edges...)
	}
	if !slices.Equal(graphs[0], graphs[1]) {
		t.Fatalf("not as without memory:\n%s", body)
	}
	return len(graphs[0])
}

// TestRememberingCalls: definitions that call one another read what all of them read,
// and an instance inside of ENABLED what is put in the place of its variables.
func TestRememberingCalls(t *testing.T) {
	const turn = "VARIABLES a, b, c, d\nInit == a = 0 /\\ b = 0 /\\ c = 0 /\\ d = 0\nTurn == UNCHANGED d /\\ a' = (a + 1) % 3 /\\ b' = (IF a = 2 THEN 1 - b ELSE b)\n"
	asWithout(t, turn+"RECURSIVE Up(_), Down(_)\nUp(k) == (IF k = 0 THEN 1 ELSE Down(k - 1)) + a\nDown(k) == (IF k = 0 THEN 1 ELSE Up(k - 1)) + b\n"+
		"Next == Turn /\\ c' = Up(2)")
	asWithout(t, turn+"RECURSIVE Odd(_)\nOdd(k) == IF k = 0 THEN b = 1 /\\ a > 0 ELSE ~Odd(k - 1)\n"+
		"Next == Turn /\\ c' = IF Odd(2) THEN 1 ELSE 0")
	asWithout(t, turn+"---- MODULE Inner ----\nVARIABLE x\nLess == \\E y \\in 0..2 : y + y < x /\\ x' = y\nCan == ENABLED Less\n====\nI == INSTANCE Inner WITH x <- a + b\n"+
		"Next == Turn /\\ c' = IF I!Can THEN 1 ELSE 0")
}

// TestAskingAgain: whether something is an element is told alike, however often a place
// asks of one set.
func TestAskingAgain(t *testing.T) {
	n := asWithout(t, "VARIABLES edges, near, far\nNodes == 0..4\n"+
		"Init == near = 0 /\\ far = 0 /\\ edges = {<<i, j>> \\in Nodes \\X Nodes : i < j}\n"+
		"Next == \\E e \\in edges :\n"+
		"  /\\ e[1] + e[2] < 5\n"+
		"  /\\ edges' = edges \\ {e}\n"+
		"  /\\ near' = Cardinality({i \\in Nodes : \\E j \\in Nodes : <<i, j>> \\in edges' /\\ <<j, i>> \\notin edges})\n"+
		"  /\\ far' = Cardinality({i \\in 0..29 : i \\notin {5 * x[1] + x[2] : x \\in edges} /\\ \\E x \\in edges : x \\in edges'})")
	if n < 50 {
		t.Errorf("only %d states and steps", n)
	}
}

// TestRememberingRecursion: a recursive operator is not evaluated again for what it was
// applied to.
func TestRememberingRecursion(t *testing.T) {
	spec, err := load(t, "RECURSIVE Fib(_)\nFib(n) == IF n < 2 THEN n ELSE Fib(n - 1) + Fib(n - 2)\n"+
		"VARIABLE x\nInit == x = 0\nNext == x' = (x + Fib(81 + x - x)) % 3", nil)
	if err != nil {
		t.Fatal(err)
	}
	states, _, err := graph(t, spec, 300)
	if err != nil || len(states) != 3 {
		t.Errorf("%d states: %v", len(states), err)
	}
}
