package tla_test

import (
	"regexp"
	"strings"
	"testing"
)

const idle = `CONSTANT None
VARIABLES x, y
vars == <<x, y>>
Init == x = 0 /\ y = 0
Flip == x' = 1 - x /\ y' = y
Jump == x = 9 /\ x' = 0 /\ y' = y
Next == Flip \/ Jump
Safe == Init /\ [][Next]_vars
Spec == Safe /\ WF_vars(Next) /\ \A i \in {0, 1} : WF_vars(Flip /\ x = i)
Imp(a, b) == a => b
`

// TestVacuous: a property that no run puts to the test is no pass, and of an invariant that is
// noted.
func TestVacuous(t *testing.T) {
	const vacuous = "P INCONCLUSIVE"
	for _, c := range []struct{ formula, want, note string }{
		// Quantifiers over no elements.
		{`\A p \in None : <>(x = p)`, vacuous, `a set of \A is empty, M.tla:13:6`},
		{`\A p \in {0, 1}, q \in None : <>(x = p + q)`, vacuous, `a set of \A is empty`},
		{`\A p \in {0, 1} : \A q \in None : [](x = p + q)`, vacuous, `a set of \A is empty, M.tla:13:24`},
		{`\A p \in 1..2 : \A q \in 2..p : <>(x = 1)`, "P VERIFIED", ""}, // one choice is enough
		{`\A p \in None : WF_vars(Jump)`, vacuous, `a set of \A is empty`},
		{`(\A p \in None : <>(x = p)) /\ <>(x = 1)`, vacuous, `a set of \A is empty`},
		{`<>(x = 1) /\ [](\A p \in None : x = p)`, vacuous, `a set of \A is always empty`},
		{`[](\A p \in {q \in 0..1 : x = 9} : x = p)`, vacuous, `a set of \A is always empty`},
		{`\A p \in None : x = p`, vacuous, `a set of \A is always empty`},
		{`[]<>(\A p \in None : x = p)`, vacuous, `a set of \A is always empty`},
		{`(\E p \in None : <>(x = p)) \/ []<>(x = 1)`, "P VERIFIED", ""},
		{`\A p \in None : [][Jump]_x`, vacuous, `a set of \A is empty`},
		{`[](x = 9 \/ (y = 0 /\ \A p \in None : x = p))`, "P VERIFIED", `note: P says nothing in part: a set of \A is always empty`},
		{`[](x = 9 \/ \A p \in None : x = p)`, vacuous, `a set of \A is always empty`},
		// Arrows.
		{`x = 9 ~> y = 1`, vacuous, "no fair run satisfies the premise of the arrow, M.tla:13:12"},
		{`[](x = 9 => <>(y = 1))`, vacuous, "the premise of the arrow"},
		{`[](x = 9 => y = 1)`, vacuous, "the premise of => is never true, M.tla:13:15"},
		{`[]Imp(x = 9, y = 1)`, vacuous, "the premise of => is never true"},
		{`x = 1 => y = 1`, vacuous, "the premise of => is never true"},
		{`[](x = 1 => (x = 0 => y = 1))`, vacuous, "the premise of => is never true"},
		{`[](x = 1 => y = 0) /\ [](x = 2 => y = 1)`, vacuous, "the premise of => is never true, M.tla:13:37"},
		{`x = 1 ~> (x = 9 ~> y = 1)`, vacuous, "the premise of the arrow, M.tla:13:22"},
		{`(x = 0 /\ x = 1) ~> y = 1`, vacuous, "the premise of the arrow"},
		{`<>[](x = 1) => <>(y = 1)`, vacuous, "the premise of the arrow"},
		{`[]<>(x = 9 => y = 1)`, vacuous, "the premise of => is never true"},
		{`\A p \in {1, 9} : (x = p) ~> (x = 0)`, "P VERIFIED", ""}, // one choice is enough
		{`\A p \in {8, 9} : (x = p) ~> (x = 0)`, vacuous, "the premise of the arrow"},
		{`\A p \in {1, 9} : [](x = p => y = 0)`, "P VERIFIED", ""},
		{`x = 1 ~> x = 0`, "P VERIFIED", ""},
		{`[](x = 1 => y = 0)`, "P VERIFIED", ""},
		{`~<>(x = 9 /\ y # 1)`, "P VERIFIED", ""}, // as in package ltl, no arrow
		{`x = 9 ~> y = 1 /\ <>(y = 1)`, vacuous, "the premise of the arrow"},
		{`(x = 9 ~> y = 1) /\ <>(y = 1)`, "P VIOLATED", ""},
		{`(x = 9 ~> y = 1) /\ [](y = 1)`, "P VIOLATED", ""},
		// Steps and fairness.
		{`[][Jump]_y`, "P VERIFIED", "note: P says nothing in part: no step changes the subscript of [A]_v"},
		{`[][Flip]_x`, "P VERIFIED", ""},
		{`[][\A p \in None : x' = p]_x`, vacuous, `a set of \A is always empty`},
		{`[][x = 9 => x' = 1]_x`, "P VERIFIED", "note: P says nothing in part: the premise of => is never true"},
		{`[][Flip \/ (x = 9 /\ \A p \in None : x' = p)]_x`, "P VERIFIED", "note: P says nothing in part: a set of"},
		{`WF_vars(Jump)`, vacuous, "the action of the fairness condition is never enabled, M.tla:13:6"},
		{`SF_x(Jump) /\ <>(x = 1)`, vacuous, "is never enabled"},
		{`WF_vars(Flip)`, "P VERIFIED", ""},
		{`WF_vars(Next)`, "P VERIFIED", "note: P says nothing where it demands the fairness that the specification assumes, M.tla:13:6"},
		{`WF_<<x, y>>(Next) /\ <>(x = 1)`, "P VERIFIED", "the fairness that the specification assumes"},
		{`\A i \in {1} : WF_vars(Flip /\ x = i)`, "P VERIFIED", "the fairness that the specification assumes"},
		{`SF_vars(Next)`, "P VERIFIED", ""}, // more than is assumed
		{`Spec`, "P VERIFIED", "the fairness that the specification assumes"},
	} {
		r := check(t, idle+"P == "+c.formula, "SPECIFICATION Spec PROPERTY P CHECK_DEADLOCK FALSE CONSTANT None = {}")
		got := verdicts(r)
		for _, f := range r.Findings {
			if f.Trace == nil {
				got += "; " + f.Why
			}
		}
		for _, note := range r.Notes {
			got += "; note: " + note
		}
		got = within(got)
		if !strings.HasPrefix(got, c.want) || !strings.Contains(got, c.note) || c.note == "" && strings.Contains(got, "nothing") {
			t.Errorf("%s: %s; want %s, %s", c.formula, got, c.want, c.note)
		}
	}
}

// TestVacuousInvariant: as mc verify, an invariant that says nothing holds, and that is noted.
// In a part of the states, nothing is claimed.
func TestVacuousInvariant(t *testing.T) {
	for formula, want := range map[string]string{
		`x = 9 => y = 1`:            "P says nothing in part: the premise of => is never true, M.tla:13:12",
		`\A p \in None : x = p`:     `P says nothing in part: a set of \A is always empty, M.tla:13:6`,
		`x = 1 => y = 0`:            "",
		`y = 0 \/ (x = 9 => FALSE)`: "P says nothing in part: the premise of => is never true, M.tla:13:22",
	} {
		r := check(t, idle+"P == "+formula, "SPECIFICATION Spec INVARIANT P CHECK_DEADLOCK FALSE CONSTANT None = {}")
		if got := verdicts(r); got != "P VERIFIED" || within(strings.Join(r.Notes, "; ")) != want {
			t.Errorf("%s: %s, %q; want %s", formula, got, r.Notes, want)
		}
	}
}

// within leaves out the folder of the module in a text.
func within(text string) string { return folderOf.ReplaceAllString(text, "M.tla") }

var folderOf = regexp.MustCompile(`\S*/M\.tla`)
