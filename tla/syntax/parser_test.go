package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"interleave/tla/syntax"
)

// show writes an expression with every operator before its operands.
func show(e syntax.Expr) string {
	all := func(es []syntax.Expr) string {
		var s []string
		for _, e := range es {
			s = append(s, show(e))
		}
		return strings.Join(s, " ")
	}
	switch e := e.(type) {
	case *syntax.Ref:
		var s []string
		for _, step := range e.Steps {
			if step.Args == nil {
				s = append(s, step.Name)
			} else {
				s = append(s, "("+step.Name+" "+all(step.Args)+")")
			}
		}
		return strings.Join(s, "!")
	case *syntax.Numeral:
		return e.Text
	case *syntax.Junction:
		return map[bool]string{true: "and", false: "or"}[e.And] + "{" + all(e.Items) + "}"
	case *syntax.If:
		return "if{" + all([]syntax.Expr{e.Cond, e.Then, e.Else}) + "}"
	case *syntax.Product:
		return "X{" + all(e.Factors) + "}"
	case *syntax.Index:
		return show(e.Fn) + "[" + all(e.Args) + "]"
	case *syntax.Select:
		return show(e.Rec) + "." + e.Name
	case *syntax.Square:
		return fmt.Sprintf("box{%s %s}", show(e.Action), show(e.Sub))
	case *syntax.Fair:
		return fmt.Sprintf("fair{%s %s}", show(e.Sub), show(e.Action))
	case *syntax.Quantified:
		return e.Symbol + "{" + show(e.Body) + "}"
	case *syntax.Case:
		s := "case{"
		for _, arm := range e.Arms {
			s += show(arm.Cond) + ">" + show(arm.Body) + " "
		}
		return strings.TrimSpace(s) + "}"
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", e), "*syntax.")
}

func TestExpressions(t *testing.T) {
	for text, want := range map[string]string{
		`a + b - c * d`:                     `(+ a (- b (* c d)))`,
		`a - b - c`:                         `(- (- a b) c)`,
		`~a /\ b => c \/ d`:                 `(=> and{(~ a) b} or{c d})`,
		`x' = y /\ UNCHANGED z`:             `and{(= (' x) y) (UNCHANGED z)}`,
		"/\\ a\n/\\ \\/ b\n   \\/ c\n/\\ d": `and{a or{b c} d}`,
		"/\\ a\n/\\ b\n=> c":                `(=> and{a b} c)`,
		"  \\/ a /\\ b\n  \\/ c":            `or{and{a b} c}`,
		"/\\ IF a THEN b\n   ELSE c\n/\\ d": `and{if{a b c} d}`,
		`[][Next]_vars /\ WF_vars(A)`:       `and{([] box{Next vars}) fair{vars A}}`,
		`-a + b`:                            `(+ (-. a) b)`,
		`-a * b`:                            `(-. (* a b))`,
		`a - -b = ~c`:                       `(= (- a (-. b)) (~ c))`,
		`DOMAIN f \cup DOMAIN g .. h`:       `(\cup (DOMAIN f) (.. (DOMAIN g) h))`,
		`S \X T \X U`:                       `X{S T U}`,
		`(S \X T) \X U`:                     `X{X{S T} U}`,
		`f[x].a[y]'`:                        `(' f[x].a[y])`,
		`I(x)!Op(y)`:                        `(I x)!(Op y)`,
		`SUBSET S \cup T`:                   `(\cup (SUBSET S) T)`,
		`\E x \in S : x = 1 \/ y`:           `\E{or{(= x 1) y}}`,
		`CASE a -> b [] c -> [] d`:          `case{a>b c>([] d)}`,
		`a \leq b`:                          `(=< a b)`,
		`a $ b $ c \cup d`:                  `(\cup ($ ($ a b) c) d)`,
		`F(+, LAMBDA x : x)`:                `(F + Lambda)`,
		`{x \in S : y} \cup {x + 1 : x \in S} \cup {(x \in S) : x \in T}`: `(\cup (\cup Filter Image) Image)`,
	} {
		tokens, err := syntax.Tokens("e", text, 0)
		if err != nil {
			t.Fatal(err)
		}
		p := syntax.NewParser("e", tokens)
		e, err := p.Expr()
		if err == nil && p.Peek().Kind != syntax.EOF {
			err = p.Errorf(p.Peek(), "left over: %v", p.Peek())
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := show(e); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestExpressionErrors(t *testing.T) {
	for text, want := range map[string]string{
		`a \cup b \cap c`:                  `e:1:10: neither of \cup and \cap binds tighter; put parentheses`,
		`a $ b $$ c`:                       `e:1:7: neither of $ and $$ binds tighter; put parentheses`,
		`2 * -3`:                           `e:1:5: a minus after *, which binds tighter; put parentheses`,
		`SUBSET {1} \X {2}`:                `e:1:12: neither of SUBSET and \X binds tighter; put parentheses`,
		`DOMAIN f + 1`:                     `e:1:10: neither of DOMAIN and + binds tighter; put parentheses`,
		`-a \X b`:                          `e:1:4: neither of -. and \X binds tighter; put parentheses`,
		`a (/) b (/) c`:                    `e:1:9: neither of \oslash and \oslash binds tighter; put parentheses`,
		`a = b = c`:                        `e:1:7: neither of = and = binds tighter; put parentheses`,
		"/\\ (a\n/\\ b)":                   `e:2:1: the item of a junction list ends before /\, which is not to the right of its bullet, where ) is expected, to close a parenthesis`,
		`[x \in S -> ]`:                    `e:1:13: ] where an expression is expected`,
		`IF a THEN b`:                      `e:1:12: the end of the text where ELSE is expected, in IF`,
		strings.Repeat("(", 100000):        `e:1:401: nested more than 400 deep`,
		"1" + strings.Repeat("+1", 100000): `e:1:10004: more than 5000 operators in a row`,
	} {
		tokens, err := syntax.Tokens("e", text, 0)
		if err == nil {
			_, err = syntax.NewParser("e", tokens).Expr()
		}
		if err == nil || err.Error() != want {
			t.Errorf("%.40s:\n got %v\nwant %s", text, err, want)
		}
	}
}

const module = `what stands before is skipped
---- MODULE M ----
EXTENDS Naturals, Sequences
CONSTANTS N, F(_, _)
VARIABLE x
ASSUME N \in Nat
RECURSIVE Sum(_)
Sum(n) == IF n = 0 THEN 0 ELSE n + Sum(n - 1)
a (+) b == a
f[i \in 1..N, j \in 1..N] == i
I(y) == INSTANCE Other WITH x <- y, N <- 3
LOCAL INSTANCE TLC
---- MODULE Inner ----
B == 1
====
THEOREM T == x = x
<1>1. x = 1
  BY DEF f
<1> QED
C == LET p == 1 q(r) == r IN [x EXCEPT ![1] = 2, !.a["b", 3] = @ + 1]
====
what stands behind, too: "`

func TestModule(t *testing.T) {
	m, err := syntax.ParseModule("M.tla", module)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range m.Units {
		s := strings.TrimPrefix(fmt.Sprintf("%T", u), "*syntax.")
		if d, ok := u.(*syntax.OpDef); ok {
			s = d.Name
		}
		got = append(got, s)
	}
	want := `Constants Variables Assume Recursive Sum \oplus f Instance Instance Module Theorem C`
	if s := strings.Join(got, " "); s != want || m.Name != "M" || len(m.Extends) != 2 {
		t.Errorf("got %s extends %v: %s\nwant %s", m.Name, m.Extends, s, want)
	}
}

func FuzzModule(f *testing.F) {
	f.Add(module)
	f.Add("---- MODULE M ----\nA == /\\ [x \\in S |-> <<1>>_v]\n     /\\ {\n====")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := syntax.ParseModule("M.tla", text)
		if _, ok := err.(*syntax.Error); err != nil && !ok {
			t.Errorf("%T: %v", err, err)
		}
	})
}

// TestOperatorsAlone: an operator that stands for another in WITH does not take what
// follows for an operand.
func TestOperatorsAlone(t *testing.T) {
	for _, c := range []struct{ with, behind string }{
		{"F <- -.", "Init == 1"},
		{"F <- -.", "Init(a) == a"},
		{"F <- +", "Init == 1"},
		{"F <- +", "VARIABLE x"},
		{"F <- -", "VARIABLE x"},
		{"F <- -, G <- -., H <- ^+", "ASSUME TRUE"},
		{"F <- SUBSET", "Init == 1"},
		{"F <- ~", "LOCAL Init == 1"},
		{"F <- SUBSET\n  S", "Init == 1"},
		{"F <- -\n  y", "Init == 1"},
		{"F <- \\/ y\n     \\/ z", "Init == 1"},
		{"F <- -.", "----"},
	} {
		m, err := syntax.ParseModule("M.tla", "---- MODULE M ----\nM(n) == INSTANCE W WITH "+c.with+"\n"+c.behind+"\nEnd == LET I == INSTANCE W WITH "+c.with+" IN 1\n====")
		if want := 3 - strings.Count(c.behind, "----"); err != nil || len(m.Units) != want {
			t.Errorf("%s %s: %v", c.with, c.behind, err)
		}
	}
}
