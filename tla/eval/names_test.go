package eval_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"interleave/tla/eval"
)

// around is what the modules of TestNames begin with.
const around = "CONSTANT N\nVARIABLE x\nA == 1\nG(p) == p\nAp(Op(_), y) == Op(y)\n"

// beside are modules beside them.
var beside = map[string]string{
	"Other": "EXTENDS Naturals\nCONSTANT c\nLOCAL loc == 1\nPub(a) == a + c + loc",
	"Base":  "base == 1\nLOCAL hid == 2",
	"Left":  "EXTENDS Base\nleft == base\nLOCAL other == 1",
	"Right": "EXTENDS Base\nright == base\nLOCAL other == 2",
	"Both":  "EXTENDS Left, Right",
	"Twice": "EXTENDS Base, Base",
}

// TestNames: a name that stands for something stands for nothing else, and for
// nothing before it is defined. The tools' own parser refuses the same, and with
// the same position.
func TestNames(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`F(q, q) == q`, `M.tla:8:6: q hides the parameter q at M.tla:8:3: give one of them another name`},
		{`F(x) == x`, `M.tla:8:3: x hides the variable x at M.tla:4:10`},
		{`F(A) == A`, `M.tla:8:3: A hides the definition A at M.tla:5:1`},
		{`F(N) == N`, `M.tla:8:3: N hides the constant N at M.tla:3:10`},
		{`F(F) == 1`, `M.tla:8:1: F hides its parameter F at M.tla:8:3`},
		{`F(Len) == Len`, `M.tla:8:3: Len hides the operator Len of module Sequences`},
		{`F(_+_) == 1 + 2`, `+ hides the operator + of module Integers`},
		{`F(q) == \A q \in {1} : q = 1`, `M.tla:8:12: q hides the parameter q at M.tla:8:3`},
		{`H == \A x \in {1} : TRUE`, `M.tla:8:9: x hides the variable x`},
		{`H == \A y \in {1}, y \in {2} : TRUE`, `M.tla:8:20: y hides the bound name y at M.tla:8:9`},
		{`H == \A <<y, y>> \in {<<1, 2>>} : TRUE`, `M.tla:8:14: y hides the bound name y`},
		{`H == \A y \in {1} : \E y \in {2} : TRUE`, `M.tla:8:24: y hides the bound name y`},
		{`H == CHOOSE A \in {1} : TRUE`, `A hides the definition A`},
		{`H == {x + 1 : x \in {1}}`, `x hides the variable x`},
		{`H == {x \in {1} : TRUE}`, `x hides the variable x`},
		{`H == [x \in {1} |-> 1]`, `x hides the variable x`},
		{`H == LET x == 1 IN x`, `M.tla:8:10: x hides the variable x`},
		{`H == LET y == 1 y == 2 IN y`, `M.tla:8:17: y hides the definition y at M.tla:8:10`},
		{`H == LET y == 1 IN LET y == 2 IN y`, `y hides the definition y`},
		{`H == LET y(x) == 1 IN y(1)`, `x hides the variable x`},
		{`H == LET F(G(_)) == G(1) IN F(G)`, `G hides the definition G`},
		{`H(y) == Ap(LAMBDA y : y, 1)`, `M.tla:8:19: y hides the parameter y`},
		{`H(x) == INSTANCE Other WITH c <- x`, `x hides the variable x`},
		{`f[x \in {1}] == 1`, `x hides the variable x`},
		{`f[f \in {1}] == 1`, `f hides the definition f`},
		{`RECURSIVE Z` + "\n" + `H == \A Z \in {1} : TRUE` + "\nZ == 1", `Z hides the announced definition Z`},
		{"LOCAL INSTANCE Other WITH c <- 1\n" + `K == \A Pub \in {1} : TRUE`, `Pub hides the definition Pub at Other.tla:5:1`},
		{"INSTANCE Both\n" + `K == \A base \in {1} : TRUE`, `base hides the definition base at Base.tla:2:1`},
		{"I == INSTANCE Other WITH c <- 1\n" + `K == \A I \in {1} : TRUE`, `I hides the instance I`},
		{"q == 2\n---- MODULE In ----\n" + `Z == \A q \in {1} : TRUE` + "\n====\nINSTANCE In", `q hides the definition q`},
		{"q == 2\n---- MODULE In ----\nq == 3\n====\nI == INSTANCE In", `M.tla:10:1: q hides the definition q at M.tla:8:1`},
		{`THEOREM T == 1 = 1` + "\n" + `H == \A T \in {1} : TRUE`, `T hides the definition T`},

		{"H == Z\nZ == 1", `M.tla:8:6: Z is used before it is defined, at M.tla:9:1: move that up, or announce Z with RECURSIVE`},
		{"H == v = 1\nVARIABLE v", `M.tla:8:6: v is used before the variable v at M.tla:9:10: move that up`},
		{"Z == Z", `M.tla:8:6: Z is used before it is defined`},
		{"Z(n) == IF n = 0 THEN 0 ELSE Z(n - 1)", `Z is used before it is defined`},
		{"H == LET z == y  y == 1 IN z", `M.tla:8:15: y is used before it is defined, at M.tla:8:18`},
		{"H == LET y == y IN y", `y is used before it is defined`},
		{"H == 1 (.) 2\na (.) b == a", `\odot is used before it is defined`},
		{"ASSUME y = 1\ny == 1", `y is used before it is defined`},
		{"K == Pub(1)\nINSTANCE Other WITH c <- 1", `Pub is used before it is defined`},
		{"K == I!Pub(1)\nI == INSTANCE Other WITH c <- 1", `I is used before the instance I`},
		{"I(a) == INSTANCE Other\nc == 1", `c is used before it is defined`},
		{"---- MODULE In ----\nZ == q\n====\nq == 2\nI == INSTANCE In", `M.tla:9:6: q is used before it is defined`},
		{`H == \A y \in {1}, z \in {y} : y = z`, `unknown name y`},

		{"F(q) == q\nH(q) == q", ""},
		{`H == (\A y \in {1} : TRUE) /\ (\E y \in {2} : TRUE) /\ LET y == 1 IN y = 1`, ""},
		{`H == {y \in {y \in {1} : TRUE} : TRUE}`, ""},
		{`H == {{y \in {1} : y = z} : z \in {1}}`, ""},
		{`H == [[x |-> 1, A |-> 2] EXCEPT !.x = 2].A`, ""},
		{`H == [x : {1}]`, ""},
		{`H == LET y(a) == a  z(a) == a IN \A a \in {1} : y(a) = z(a)`, ""},
		{`H == LET a == LET b == 1 IN b  b == 2 IN a + b`, ""},
		{`H == LET RECURSIVE y(_) y(n) == IF n = 0 THEN 0 ELSE y(n - 1) IN y(2)`, ""},
		{`H == LET y[n \in Nat] == IF n = 0 THEN 0 ELSE y[n - 1] IN y[2]`, ""},
		{`H == \A Z \in {1} : TRUE` + "\nZ == 2", ""},
		{"RECURSIVE Z(_), Y(_)\nZ(n) == Y(n)\nY(n) == Z(n)", ""},
		{`H == Ap(LAMBDA y : y, 1) + Ap(LAMBDA y : y, 2)`, ""},
		{`H(y) == INSTANCE Other WITH c <- y` + "\nK == H(1)!Pub(1)", ""},
		{`I == INSTANCE Other WITH c <- 1` + "\n" + `K == \A Pub, loc, c \in {1} : I!Pub(Pub) = loc`, ""},
		{"INSTANCE Both\nINSTANCE Left\nINSTANCE Twice\n" + `H == \A hid, other \in {1} : base = 1`, ""},
		{"INSTANCE Other WITH c <- 1\n" + `K == \A c \in {1}, z \in {c \in {2} : TRUE} : Pub(c) = z`, ""},
		{"LOCAL y == 1\nH == y", ""},
		{"---- MODULE In ----\nq == 3\n====\nq == 2\nI == INSTANCE In", ""},
		{`H == \A Sum, Real, Last \in {1} : TRUE`, ""},
	} {
		_, err := load(t, around+c.body, beside)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v; want %s", c.body, err, c.want)
		}
	}
}

// TestCycle: modules that use one another in a cycle are refused, and the cycle is told.
func TestCycle(t *testing.T) {
	for _, c := range []struct{ body, left, want string }{
		{"", "EXTENDS M", "Left.tla:2:9: modules use one another in a cycle: M extends Left extends M"},
		{"", "EXTENDS Left", "Left.tla:2:9: modules use one another in a cycle: Left extends Left"},
		{"", "EXTENDS Right\nUses == x", "Right.tla:2:15: modules use one another in a cycle: M extends Left extends Right instantiates M"},
		{"", "A == LET I == INSTANCE M IN I!x", "Left.tla:2:24: modules use one another in a cycle: M extends Left instantiates M"},
		{"---- MODULE In ----\nEXTENDS M\n====\nI == INSTANCE In", "", "M.tla:5:9: modules use one another in a cycle: M contains In extends M"},
		{"---- MODULE In ----\nEXTENDS Left\n====\nI == INSTANCE In", "EXTENDS Other", ""},
	} {
		modules := map[string]string{"M": "EXTENDS Left\nx == 1\n" + c.body, "Left": c.left, "Right": "I == INSTANCE M", "Other": ""}
		_, err := eval.Load("M", func(name string) (string, string, error) {
			if text, ok := modules[name]; ok {
				return name + ".tla", "---- MODULE " + name + " ----\n" + text + "\n====", nil
			}
			return "", "", fs.ErrNotExist
		})
		if got := fmt.Sprint(err); c.want == "" && err != nil || c.want != "" && got != c.want {
			t.Errorf("%q, %q: %v; want %s", c.body, c.left, err, c.want)
		}
	}
}
