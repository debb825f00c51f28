package eval_test

import (
	"strings"
	"testing"

	"interleave/tla/value"
)

// TestFoldBag: a fold over a bag has a value if TLC and the definition agree on it.
func TestFoldBag(t *testing.T) {
	for expr, want := range map[string]string{
		"FoldBag(LAMBDA sum, e : sum - e, 0, SetToBag({1}))": "-1",
		"FoldBag(LAMBDA a, b : a + b, 0, SetToBag({1, 2}))":  "3",
		"FoldBag(Append, <<>>, SetToBag({1, 2}))":            "",
		"FoldBag(LAMBDA a, b : a + b, 10, SetToBag({1}))":    "",
	} {
		s, err := load(t, "INSTANCE BagsExt\nResult == "+expr, nil)
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Constant("Result")
		refused := err != nil && strings.Contains(err.Error(), "the fold over the bag has another value by its definition than in TLC")
		if want == "" && !refused || want != "" && (err != nil || value.Format(v) != want) {
			t.Errorf("%s: %v, %v, not %s", expr, v, err, want)
		}
	}
}

// TestParts: operands of definitions have numbers, and : is the whole. A chain of one
// operator has two operands, the first of which is a shorter chain; a list has as many
// as bullets.
func TestParts(t *testing.T) {
	defs := `A == /\ 1 = 2
     /\ TRUE
B == IF A THEN 5 ELSE <<6, 7>>
And == TRUE /\ TRUE /\ FALSE
Or == FALSE \/ FALSE \/ FALSE \/ TRUE
Closed == TRUE /\ (TRUE /\ FALSE)
List == /\ TRUE
        /\ FALSE
        /\ TRUE /\ FALSE
Sum == 1 + 2 + 4
Cross == {1} \X {2} \X {3}
---- MODULE Inner ----
CONSTANT c
Pair(a) == <<c, a>>
======================
I(c) == INSTANCE Inner
Both == I(8)!Pair(9)
THEOREM Thm == 1 < 2`
	for expr, want := range map[string]string{
		"A!2": "TRUE", "A!1": "FALSE", "B!2": "5", "A!:": "FALSE", "B!3": "<<6, 7>>", "Thm!:": "TRUE", "Thm!2": "2",
		"And!1": "TRUE", "And!2": "FALSE", "And!1!2": "TRUE", "Or!2": "TRUE", "Or!1": "FALSE", "Or!1!1!2": "FALSE",
		"Closed!1": "TRUE", "Closed!2!2": "FALSE", "List!2": "FALSE", "List!3!1": "TRUE",
		"Sum!1": "3", "Cross!3": "{3}", "Both!1": "8", "Both!2": "9",
	} {
		if got, err := constant(t, defs, expr); got != want {
			t.Errorf("%s is %s, %v", expr, got, err)
		}
	}
	if _, err := constant(t, defs, "And!3"); err == nil || !strings.Contains(err.Error(), "And has no part !3") {
		t.Error(err)
	}
}
