package eval_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"interleave/internal/rapidtest"
	"interleave/internal/testsize"
	"interleave/tla/value"
)

// formula is a formula that can be written in two ways: in its module, by hand nil, and
// with something put in place of its variables.
type formula func(h hand, primed bool) string

// hand is what is put in place of a variable, and of the variable primed.
type hand map[string][2]string

func variable(name string) formula {
	return func(h hand, primed bool) string {
		if h == nil {
			return name
		} else if primed {
			return h[name][1]
		}
		return h[name][0]
	}
}

func prime(f formula) formula {
	return func(h hand, _ bool) string {
		if h == nil {
			return "(" + f(h, false) + ")'"
		}
		return f(h, true)
	}
}

// with writes formulas into a text, in brackets.
func with(format string, of ...formula) formula {
	return func(h hand, primed bool) string {
		var texts []any
		for _, f := range of {
			texts = append(texts, "("+f(h, primed)+")")
		}
		return fmt.Sprintf(format, texts...)
	}
}

// writer writes formulas about two variables, and definitions for some of them.
type writer struct {
	*rapid.T
	vars  [2]formula
	names []formula // parameters and what LET defines
	defs  []string
	count int
}

func (w *writer) one(of ...func() formula) formula {
	return of[rapid.IntRange(0, len(of)-1).Draw(w.T, "form")]()
}

func (w *writer) fresh(name string) string {
	w.count++
	return fmt.Sprint(name, w.count)
}

func (w *writer) either() formula { return rapid.SampledFrom(w.vars[:]).Draw(w.T, "variable") }

// number writes a number below 3; of a step, it may hold primes.
func (w *writer) number(depth int, step bool) formula {
	leaves := []func() formula{
		func() formula { return with(fmt.Sprint(rapid.IntRange(0, 2).Draw(w.T, "number"))) },
		w.either, w.either,
	}
	if step {
		leaves = append(leaves, func() formula { return prime(w.number(min(depth, 1), false)) })
	}
	if len(w.names) > 0 {
		leaves = append(leaves, func() formula { return rapid.SampledFrom(w.names).Draw(w.T, "name") })
	}
	if depth == 0 {
		return w.one(leaves...)
	}
	d := depth - 1
	return w.one(append(leaves,
		func() formula { return with("(%s + %s) %% 3", w.number(d, step), w.number(d, step)) },
		func() formula {
			return with("IF %s THEN %s ELSE %s", w.truth(d, step), w.number(d, step), w.number(d, step))
		},
		func() formula { return w.defined(w.number(d, step)) },
		func() formula { return w.applied(d, step, w.number) },
		func() formula { return w.let(d, step, w.number) },
	)...)
}

func (w *writer) truth(depth int, step bool) formula {
	less := func() formula { return with("%s =< %s", w.number(depth, step), w.number(depth, step)) }
	if depth == 0 {
		return less()
	}
	d := depth - 1
	forms := []func() formula{less,
		func() formula { return with("%s = %s", w.number(d, step), w.number(d, step)) },
		func() formula { return with("~%s", w.truth(d, step)) },
		func() formula { return with("%s /\\ %s", w.truth(d, step), w.truth(d, step)) },
		func() formula { return with("%s \\/ %s", w.truth(d, step), w.truth(d, step)) },
		func() formula { return w.defined(w.truth(d, step)) },
		func() formula { return w.applied(d, step, w.truth) },
		func() formula { return w.let(d, step, w.truth) },
	}
	if step {
		forms = append(forms, func() formula { return prime(w.truth(min(d, 1), false)) }, w.unchanged, w.unchanged,
			func() formula {
				return w.square("[%s]_%s", "%s \\/ %s", d)
			},
			func() formula { return w.square("<<%s>>_%s", "%s /\\ ~%s", d) })
	}
	return w.one(forms...)
}

// unchanged is UNCHANGED of a variable, of both, or of an expression.
func (w *writer) unchanged() formula {
	of := w.subscript()
	same := with("%s = %s", prime(of), of)
	return func(h hand, primed bool) string {
		if h == nil {
			return "UNCHANGED (" + of(h, false) + ")"
		}
		return same(h, primed)
	}
}

func (w *writer) subscript() formula {
	return w.one(w.either,
		func() formula { return with("<<%s, %s>>", w.vars[0], w.vars[1]) },
		func() formula { return w.number(1, false) })
}

// square is [A]_v or <<A>>_v, and what that means.
func (w *writer) square(form, means string, depth int) formula {
	a, v := w.truth(depth, true), w.subscript()
	written, meant := with(form, a, v), with(means, a, with("%s = %s", prime(v), v))
	return func(h hand, primed bool) string {
		if h == nil {
			return written(h, primed)
		}
		return meant(h, primed)
	}
}

// defined gives a formula a name, unless it is about a name.
func (w *writer) defined(f formula) formula {
	text := f(nil, false)
	if strings.Contains(text, "q") {
		return f
	}
	name := w.fresh("D")
	w.defs = append(w.defs, name+" == "+text)
	return written(name, f)
}

// written is a formula written by a name.
func written(name string, f formula) formula {
	return func(h hand, primed bool) string {
		if h == nil {
			return name
		}
		return f(h, primed)
	}
}

// applied is a definition with a parameter, applied.
func (w *writer) applied(depth int, step bool, body func(int, bool) formula) formula {
	op, param, before := w.fresh("Op"), w.fresh("q"), w.names
	primes := step && rapid.Bool().Draw(w.T, "primes")
	arg := w.number(depth, step && !primes)
	w.names = []formula{written(param, arg)}
	f := body(depth, primes)
	w.names = before
	w.defs = append(w.defs, op+"("+param+") == "+f(nil, false))
	return func(h hand, primed bool) string {
		if h == nil {
			return op + "(" + arg(h, false) + ")"
		}
		return f(h, primed)
	}
}

// let is something that LET defines, used.
func (w *writer) let(depth int, step bool, body func(int, bool) formula) formula {
	is, before, name := w.number(depth, false), w.names, w.fresh("q")
	w.names = append(before[:len(before):len(before)], written(name, is))
	f := body(depth, step)
	w.names = before
	return func(h hand, primed bool) string {
		if h == nil {
			return "(LET " + name + " == " + is(h, false) + " IN " + f(h, false) + ")"
		}
		return f(h, primed)
	}
}

// action gives both variables a value.
func (w *writer) action() formula {
	x, z := prime(w.vars[0]), prime(w.vars[1])
	give := w.one(
		func() formula { return with("%s \\in 0..2 /\\ %s \\in 0..2", x, z) },
		func() formula {
			return with("%s = %s /\\ %s \\in 0..2", x, w.number(2, false), z)
		},
		func() formula { return with("%s \\in 0..2 /\\ %s = %s", z, x, w.number(2, false)) })
	return with("%s /\\ %s", give, w.truth(3, true))
}

// some is what ENABLED of an action means: there are values for the variables primed.
func (h hand) some(a formula, x, z, name string) string {
	inner := hand{x: {h[x][0], name + "x"}, z: {h[z][0], name + "z"}}
	return fmt.Sprintf("\\E %sx, %sz \\in 0..2 : %s", name, name, a(inner, false))
}

// instances writes a module with an instance in an instance, and returns it with the
// other modules. Its steps are those by which ENABLED in one of these is not what it
// means.
func instances(t *rapid.T) (body string, others map[string]string) {
	draw := func(of ...string) string { return rapid.SampledFrom(of).Draw(t, "expression") }
	low := &writer{T: t, vars: [2]formula{variable("x"), variable("z")}}
	a := low.action()
	others = map[string]string{
		"Able": "Able(B) == ENABLED B",
		"Low": "EXTENDS Integers, Able\nVARIABLES x, z\n" + strings.Join(low.defs, "\n") +
			"\nA == " + a(nil, false) + "\nE == " + draw("ENABLED A", "Able(A)", "Able("+a(nil, false)+")"),
	}
	mid := &writer{T: t, vars: [2]formula{variable("m"), variable("w")}}
	expression := func() formula {
		return mid.one(mid.either, func() formula { return mid.number(1, false) })
	}
	e1, e2 := expression(), expression()
	give := "m' \\in 0..2 /\\ w' \\in 0..2"
	others["Mid"] = "EXTENDS Integers\nVARIABLES m, w\n" + strings.Join(mid.defs, "\n") +
		fmt.Sprintf("\nJ == INSTANCE Low WITH x <- %s, z <- %s\n", e1(nil, false), e2(nil, false)) +
		"E == J!E\nEnter == ENABLED (" + give + " /\\ J!A)\n" + "Both == ENABLED (" + give + " /\\ J!A /\\ J!E)"
	arg := draw("a", "2", "(a + b) % 3")
	forms := []string{"a", "a", "a", "b", "1", "(a + 1) % 3", "(a + b) % 3", "n", "(n + b) % 3"}
	m, w := draw(forms...), draw(forms...)
	put := strings.NewReplacer("n", "("+arg+")")
	around := hand{"m": {"(" + put.Replace(m) + ")", "nm"}, "w": {"(" + put.Replace(w) + ")", "nw"}}
	inside := hand{"x": {e1(around, false), e1(around, true)}, "z": {e2(around, false), e2(around, true)}}
	e := inside.some(a, "x", "z", "n")
	enter := "\\E nm, nw \\in 0..2 : " + a(inside, false)
	return "VARIABLES a, b\nInit == a \\in 0..2 /\\ b \\in 0..2\n" +
		fmt.Sprintf("I(n) == INSTANCE Mid WITH m <- %s, w <- %s\n", m, w) +
		fmt.Sprintf("Same1 == I(%s)!E <=> (%s)\nSame2 == I(%s)!Enter <=> (%s)\n", arg, e, arg, enter) +
		fmt.Sprintf("Same3 == I(%s)!Both <=> ((%s) /\\ (%s))\n", arg, enter, e) +
		"Next == a < 3 /\\ a' = 3 /\\ b' = 0 /\\ ~(Same1 /\\ Same2 /\\ Same3)", others
}

// TestEnabledInside: inside of ENABLED in an instance, nothing is put in place of
// variables primed; inside of an instance in ENABLED, it is.
func TestEnabledInside(t *testing.T) {
	testsize.Alone(t)
	tried := 0
	missing := func() error {
		if tried < 1000 {
			return fmt.Errorf("only %d modules", tried)
		}
		return nil
	}
	rapidtest.Until(t, missing, func(r *rapid.T) {
		tried++
		body, others := instances(r)
		s, err := load(t, body, others)
		var steps []string
		if err == nil {
			_, steps, err = graph(t, s, 20)
		}
		if err != nil || len(steps) > 0 {
			r.Fatalf("%v %v\n%s\n%s\n%s", err, steps, body, others["Mid"], others["Low"])
		}
	})
}

// TestEnabledOf: what ENABLED sees as variables of its own, by hand.
func TestEnabledOf(t *testing.T) {
	others := map[string]string{
		"Able": "Able(B) == ENABLED B",
		"Zero": "VARIABLE z\nA == z' = 1",
		"Two":  "EXTENDS Integers\nVARIABLES x, y\nE == ENABLED (x' = x + 1 /\\ y' = x)",
		"One": "EXTENDS Integers\nVARIABLE x\nLOCAL INSTANCE Able\nA == x' = 1\nE == ENABLED A\nEn(B) == ENABLED B\nHanded == Able(A)\n" +
			"Yes == ENABLED TRUE\nO(n) == INSTANCE Zero WITH z <- n\nOut == O(x)!A\n" +
			"RECURSIVE S(_)\nS(n) == IF n = 0 THEN x ELSE S(n - 1)\nCalls == ENABLED (x' = S(1) + 1 /\\ S(1) = 0)\n" +
			"Let == ENABLED (LET t == x + 1 IN t > 0 /\\ x' = 5 /\\ t' = 6)\n" +
			"Of(a) == a' = 6\nParam == ENABLED (x' = 5 /\\ Of(x + 1))\n" +
			"Function == ENABLED (x' = 3 /\\ [i \\in 1..2 |-> x]'[1] = 3)",
		"Around": "EXTENDS Integers\nVARIABLE m\n---- MODULE Inner ----\nVARIABLE x\nE == ENABLED (x' = 1 /\\ m' = 2)\n====\n" +
			"I == INSTANCE Inner WITH x <- 0\nE == I!E",
		"Mid": "EXTENDS Integers\nVARIABLE m\nI(n) == INSTANCE One WITH x <- n\nJ == INSTANCE One WITH x <- m\n" +
			"Enter == ENABLED (m' = 1 /\\ I(m)!A)\nKeep == ENABLED (m' = 0 /\\ J!A)\nOut == ENABLED (m' = 0 /\\ J!Out)\nDeep == ENABLED (m' = 0 /\\ J!Handed /\\ J!Let)",
	}
	const zero = "I == INSTANCE One WITH x <- 0\nK == INSTANCE One WITH x <- v * 0\n"
	for _, c := range []struct{ body, holds string }{
		{zero, "I!E /\\ K!E /\\ I!Handed /\\ K!Handed /\\ I!Yes /\\ K!Yes"},
		{zero, "I!Calls /\\ I!Let /\\ I!Param /\\ I!Function /\\ K!Calls /\\ K!Let /\\ K!Param /\\ K!Function"},
		{zero, "I!En(v' = 1) /\\ ~I!En(I!A) /\\ I!En(I!E) /\\ ~ENABLED I!A"},
		{zero, "LET L == INSTANCE One WITH x <- v * 0 IN L!E /\\ L!Let"},
		{"I == INSTANCE Two WITH x <- v, y <- v\n", "I!E"},
		{"I == INSTANCE Two WITH x <- y\nw == v\nJ == INSTANCE Two WITH x <- w, y <- w\n", "I!E /\\ J!E"},
		{"I == INSTANCE Around WITH m <- 0\nJ == INSTANCE Around WITH m <- v\n", "I!E /\\ J!E"},
		{"I == INSTANCE Mid WITH m <- 0\nJ == INSTANCE Mid WITH m <- v\n", "I!Enter /\\ J!Enter /\\ ~I!Keep /\\ ~J!Keep /\\ ~I!Out /\\ ~J!Out /\\ I!Deep /\\ J!Deep"},
		{"---- MODULE Inner ----\nVARIABLE x\nE == ENABLED (x' = 1 /\\ v' = 2)\nB == Able(x' = 1 /\\ v' = 2)\n====\nI == INSTANCE Inner WITH x <- v\n", "I!E /\\ I!B"},
		{"one == v + 1\n---- MODULE Inner ----\nVARIABLE x\nE == ENABLED (v' = 4 /\\ x' = 1 /\\ one' = 5)\n====\nI == INSTANCE Inner WITH x <- one\n", "I!E"},
	} {
		body := "VARIABLES v, y\nINSTANCE Able\n" + c.body + "Init == v = 0 /\\ y = 0\nP == " + c.holds + "\nNext == v' = 1 /\\ y' = 0 /\\ v = 0 /\\ P"
		s, err := load(t, body, others)
		var steps []string
		if err == nil {
			_, steps, err = graph(t, s, 2)
		}
		if err != nil || len(steps) != 1 {
			t.Errorf("%v, %v of:\n%s", err, steps, body)
		}
	}
}

// TestPutInPlace: what is put in place of a variable is that, whatever else has its name,
// and no constant, whatever it is.
func TestPutInPlace(t *testing.T) {
	others := map[string]string{"One": "VARIABLE x\nIs == x = 1"}
	s, err := load(t, "VARIABLE v\nx == 1\nI == INSTANCE One WITH x <- 1 + v\nInit == v = 0\nNext == I!Is /\\ v' = 1", others)
	if err == nil {
		err = s.Set("x", value.Int(2))
	}
	if err != nil {
		t.Fatal(err)
	}
	if states, _, err := graph(t, s, 3); err != nil || len(states) != 2 {
		t.Errorf("states %v: %v", states, err)
	}
	others["Both"] = "VARIABLES vars, v\nStill == vars = <<v>>"
	s, err = load(t, "VARIABLE v\nvars == <<v>>\nINSTANCE Both\nInit == v = 0\nNext == Still /\\ v' = 1", others)
	if err != nil {
		t.Fatal(err)
	}
	if states, _, err := graph(t, s, 3); err != nil || len(states) != 2 {
		t.Errorf("states %v: %v", states, err)
	}
	_, err = load(t, "VARIABLE v\nINSTANCE One WITH x <- v\nInit == x = 0", others)
	if err == nil || !strings.Contains(err.Error(), "unknown name x") {
		t.Errorf("a variable of an instance is known outside: %v", err)
	}
	for _, assumed := range []string{"I!Is", "ENABLED TRUE"} {
		_, err := load(t, "I == INSTANCE One WITH x <- 1\nASSUME "+assumed, others)
		if err == nil || !strings.Contains(err.Error(), "an assumption is an expression about a state") {
			t.Errorf("ASSUME %s: %v", assumed, err)
		}
	}
}
