package eval_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"interleave/internal/testsize"
	"interleave/tla/eval"
)

const greedy = `
RECURSIVE For(_), Twins(_), Pairs(_), Deep(_), Longer(_), Text(_)
For(n) == For(n + 1)
Twins(n) == IF n = 0 THEN 1 ELSE LET d == Twins(n - 1) IN <<d, d>>
Pairs(n) == IF n = 0 THEN {1, 2} ELSE LET d == Pairs(n - 1) IN d \X d
Deep(n) == IF n = 0 THEN 1 ELSE {Deep(n - 1)}
Longer(n) == IF n = 0 THEN <<1>> ELSE LET d == Longer(n - 1) IN d \o d
Text(n) == IF n = 0 THEN "a" ELSE LET d == Text(n - 1) IN d \o d
f[n \in Int] == f[n + 1]
`

// TestGreed: what would take too much is an error that says where.
func TestGreed(t *testing.T) {
	testsize.Alone(t)
	for expr, want := range map[string]string{
		`For(0)`:                     "the recursion is deeper than 5000 calls",
		`f[0]`:                       "the recursion is deeper than 5000 calls",
		`Twins(60)`:                  "a value grows too large",
		`Pairs(60)`:                  "a value grows too large",
		`Longer(60)`:                 "a sequence grows too long",
		`Text(60)`:                   "a string grows too long",
		`10 ^ 1000000000`:            "does not fit into 64 bits",
		`(SUBSET (1..50)) \ {1, {}}`: "more than 1000000 would have to be looked at",
		`[[1..50 -> 1..50] -> {1}]`:  "too many elements to be spelt out",
		`[1..9 -> [1..9 -> 1..9]]`:   "too many elements to be spelt out",
		`[i \in 1..100000000 |-> i]`: "too many elements to be spelt out",
		`Permutations(1..12)`:        "Permutations of a set of more than 9 elements",
		`{x \in Nat : x > 3}`:        "cannot be spelt out",
		`Seq({1}) \ {}`:              "cannot be spelt out",
		`Cardinality(SUBSET Nat)`:    "which cannot be counted",
	} {
		_, err := constant(t, greedy, expr)
		if e := (*eval.Error)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), want) || e.File != "M.tla" || e.Pos.Line == 0 {
			t.Errorf("%s: %v, and not %s", expr, err, want)
		}
	}
}

// TestLarge: sets that are not spelt out are asked, compared and picked from.
func TestLarge(t *testing.T) {
	for expr, want := range map[string]string{
		`Deep(4000) # {}`:                                   "TRUE",
		`SUBSET (1..50) \subseteq SUBSET (0..50)`:           "TRUE",
		`SUBSET (0..50) \subseteq SUBSET (1..50)`:           "FALSE",
		`{1, 2} \in SUBSET SUBSET Nat`:                      "",
		`{{1}, {2}} \in SUBSET SUBSET Nat`:                  "TRUE",
		`SUBSET (1..40) \in SUBSET SUBSET Nat`:              "TRUE",
		`[i \in 1..9 |-> i] \in [1..9 -> Nat]`:              "TRUE",
		`<<1, <<2>>>> \in Nat \X Seq(Int)`:                  "TRUE",
		`[a |-> {3}] \in [a : SUBSET Nat]`:                  "TRUE",
		`[1..60 -> 1..60] \subseteq [1..60 -> Nat]`:         "TRUE",
		`(1..1000000000000) \subseteq Nat`:                  "TRUE",
		`999999999999 \in (0..1000000000000) \cap Nat`:      "",
		`1 \in Nat \cup {"a"}`:                              "TRUE",
		`CHOOSE s \in SUBSET (1..60) : {3, 7} \subseteq s`:  "{3, 7}",
		`CHOOSE s \in SUBSET (1..60) : 2 \in s`:             "{2}",
		`CHOOSE f1 \in [1..30 -> 0..9] : f1[30] = 3`:        "",
		`CHOOSE p \in (1..1000000) \X (1..9) : p[2] = 5`:    "<<1, 5>>",
		`\E n \in 1..1000000000000 : n * n = 49`:            "TRUE",
		`Cardinality([1..20 -> 1..5])`:                      "95367431640625",
		`(1..1000000000000) = (1..1000000000000)`:           "TRUE",
		`DOMAIN [n \in Nat |-> n] = Nat`:                    "TRUE",
		`\A s \in SUBSET {1, 2, 3} : s \in SUBSET (1..100)`: "TRUE",
	} {
		if want == "" {
			continue
		}
		if got, err := constant(t, greedy, expr); got != want {
			t.Errorf("%s is %s, %v, and not %s", expr, got, err, want)
		}
	}
}

// TestInterrupt: an evaluation ends with its context, wherever it is.
func TestInterrupt(t *testing.T) {
	for _, expr := range []string{
		`CHOOSE n \in 1..1000000000000 : FALSE`,
		`\A n \in 1..1000000000000 : n > 0`,
		`CHOOSE s \in SUBSET (1..60) : Cardinality(s) = 70`,
		`{n \in 1..1000000000000 : FALSE}`,
		`[n \in Nat |-> \A m \in 1..1000000000000 : m > 0][1]`,
	} {
		s, err := load(t, "Result == "+expr, nil)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		defer s.Limit(ctx, 0)()
		_, err = s.Constant("Result")
		if gaveUp := (*eval.OutOfBudget)(nil); !errors.As(err, &gaveUp) || !errors.Is(err, context.DeadlineExceeded) || !strings.HasPrefix(err.Error(), "M.tla:3:") {
			t.Errorf("%s: %v", expr, err)
		}
	}
}

// TestMemory: an evaluation ends when the heap is larger than is given.
func TestMemory(t *testing.T) {
	s, err := load(t, `Result == {n \in 1..1000000000000 : FALSE}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Limit(t.Context(), 1)()
	_, err = s.Constant("Result")
	if gaveUp := (*eval.OutOfBudget)(nil); !errors.As(err, &gaveUp) || !strings.Contains(err.Error(), "more memory than is given") {
		t.Error(err)
	}
}

// TestNested: what is nested without end, by whatever means, is an error with a place before
// the stack is full, which would end the program.
func TestNested(t *testing.T) {
	testsize.Alone(t)
	var long strings.Builder
	long.WriteString("RECURSIVE F(_)\nD0(n) == F(n - 1)\n")
	for i := range 100 {
		fmt.Fprintf(&long, "D%d(n) == 1 + D%d(n)\n", i+1, i)
	}
	long.WriteString("F(n) == IF n = 0 THEN 0 ELSE D100(n)\n")
	const changed = "RECURSIVE G(_, _), H(_, _)\nG(f, n) == IF n = 0 THEN f ELSE G([f EXCEPT ![n] = n], n - 1)\nH(f, n) == IF n = 0 THEN f ELSE H(G(f, 4000), n - 1)\n"
	for _, c := range []struct{ body, expr, want string }{
		{long.String(), "F(4900)", "the evaluation is nested too deeply: its stack takes more than 32 MiB"},
		{changed, "H([n \\in Nat |-> n], 9)[0]", "a function that is not spelt out is changed more than"},
	} {
		t.Run(c.want, func(t *testing.T) { // with a stack of its own
			s, err := load(t, c.body+"Result == "+c.expr, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Limit(t.Context(), 1<<27)()
			_, err = s.Constant("Result")
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "M.tla:") {
				t.Errorf("%v, and not %s", err, c.want)
			}
		})
	}
}
