package pluscal

import (
	"strings"
	"testing"
)

// TestHiding: a bound name stays as it is, unless it would hide what is declared or
// defined before.
func TestHiding(t *testing.T) {
	for _, c := range []struct{ algorithm, want string }{
		{`{ variables x = \A self \in {1} : TRUE; process (P \in {1}) { a: skip } }`, `/\ x = \A self \in {1} : TRUE`},
		{`{ variables x = 0; process (P = 1) { a: await \A self \in {1} : self = 1 } }`, `/\ \A self \in {1} : self = 1`},
		{`{ variables x = 0; process (P \in {1}) { a: await \A self \in {1} : self = 1 } }`, `/\ \A self_1 \in {1} : self_1 = 1`},
		{`{ variables x = 0; { a: await \A a \in {1} : a = 1 } }`, `/\ \A a \in {1} : a = 1`},
		{`{ variables x = 0; { a: await \A b \in {1} : b = 1; b: skip } }`, `/\ \A b \in {1} : b = 1`},
		{`{ variables x = 0; { b: skip; a: await \A b \in {1} : b = 1 } }`, `/\ \A b_1 \in {1} : b_1 = 1`},
		{`{ variables x = 0; process (P = 1) { a: with (P \in {1}) x := P } process (Q = 2) { b: skip } }`, `/\ \E P \in {1}: x' = P`},
		{`{ variables x = 0; process (Q = 2) { b: skip } process (P = 1) { a: with (Q \in {1}) x := Q } }`, `/\ \E Q_1 \in {1}: x' = Q_1`},
		{`{ variables x = 0; { a: with (Next \in {1}, x_1 \in {2}) x := {x : x \in {Next, x_1}} } }`, `\E Next \in {1}: \E x_1 \in {2}: x' = {x_2 : x_2 \in {Next, x_1}}`},
		{`{ variables x = 0; { a: with (N \in {1}) x := N; b: x := N } }`, `/\ \E N_1 \in {1}: x' = N_1`},
		{`{ variables x = 0; { a: x := [x |-> 1, y |-> 2].x } }`, `/\ x' = [x |-> 1, y |-> 2].x`},
		{`{ variables x = 0; { a: with (y = LET f == 1 g == f IN f + g) x := y } }`, `/\ LET y == LET f == 1 g == f IN f + g IN x' = y`},
	} {
		text, err := Translate("M.tla", "(* --algorithm M "+c.algorithm+" *)")
		if got := strings.Join(strings.Fields(text), " "); err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s: %v\n%s\nwant %s", c.algorithm, err, text, c.want)
		}
	}
}

// TestValuesInParentheses: what binds no tighter than = is put in parentheses behind it.
func TestValuesInParentheses(t *testing.T) {
	for value, want := range map[string]string{
		`FALSE \/ TRUE`: `(FALSE \/ TRUE)`, `TRUE /\ x`: `(TRUE /\ x)`, `x => TRUE`: `(x => TRUE)`, `1 = 2`: `(1 = 2)`, `1 \in {2}`: `(1 \in {2})`,
		`~ TRUE`: `~ TRUE`, `1 + 2`: `1 + 2`, `IF TRUE THEN 1 ELSE 2`: `IF TRUE THEN 1 ELSE 2`, `\E i \in {1} : i = 1 /\ TRUE`: `\E i \in {1} : i = 1 /\ TRUE`,
		`{1} \cup {2}`: `{1} \cup {2}`, `1 .. 2`: `1 .. 2`, `(TRUE) \/ FALSE`: `((TRUE) \/ FALSE)`,
	} {
		for _, c := range [][2]string{
			{"{ variables x = " + value + "; { a: skip } }", `/\ x = ` + want + ` /\ pc`},
			{`{ variables x \in {` + value + "}; { a: skip } }", `/\ x \in {` + value + `} /\ pc`},
			{"{ variables x = 1; { a: x := " + value + " } }", `/\ x' = ` + want + ` /\ pc'`},
			{"{ variables x = 1; macro m(y) { x := y } { a: m(" + value + ") } }", `/\ x' = (` + value + `) /\ pc'`},
			{"{ variables x = 1; procedure P(y) { p: return } { a: call P(" + value + ") } }", `y' = ` + want + ` `},
		} {
			text, err := Translate("M.tla", "(* --algorithm M "+c[0]+" *)")
			if got := strings.Join(strings.Fields(text), " "); err != nil || !strings.Contains(got, c[1]) {
				t.Errorf("%s: %v\n%s\nwant %s", c[0], err, text, c[1])
			}
		}
	}
}
