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
Yes == TRUE
Low == x = 9
NotLow == ~Low
Some == \E p \in None : x = p
`

// TestVacuous: a property that no run puts to the test is no pass, and of an invariant that is
// noted.
func TestVacuous(t *testing.T) {
	const vacuous = "P INCONCLUSIVE"
	for _, c := range []struct{ formula, want, note string }{
		// Quantifiers over no elements.
		{`\A p \in None : <>(x = p)`, vacuous, `a set of \A is empty, M.tla:17:6`},
		{`\A p \in {0, 1}, q \in None : <>(x = p + q)`, vacuous, `a set of \A is empty`},
		{`\A p \in {0, 1} : \A q \in None : [](x = p + q)`, vacuous, `a set of \A is empty, M.tla:17:24`},
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
		{`x = 9 ~> y = 1`, vacuous, "no fair run satisfies the premise of the implication, M.tla:17:12"},
		{`[](x = 9 => <>(y = 1))`, vacuous, "the premise of the implication"},
		{`[](x = 9 => y = 1)`, vacuous, "the premise of the implication is never true, M.tla:17:15"},
		{`[]Imp(x = 9, y = 1)`, vacuous, "the premise of the implication is never true"},
		{`x = 1 => y = 1`, vacuous, "the premise of the implication is never true"},
		{`[](x = 1 => (x = 0 => y = 1))`, vacuous, "the premise of the implication is never true"},
		{`[](x = 1 => y = 0) /\ [](x = 2 => y = 1)`, vacuous, "the premise of the implication is never true, M.tla:17:37"},
		{`x = 1 ~> (x = 9 ~> y = 1)`, vacuous, "the premise of the implication, M.tla:17:22"},
		{`(x = 0 /\ x = 1) ~> y = 1`, vacuous, "the premise of the implication"},
		{`<>[](x = 1) => <>(y = 1)`, vacuous, "the premise of the implication"},
		{`[]<>(x = 9 => y = 1)`, vacuous, "the premise of the implication is never true"},
		{`\A p \in {1, 9} : (x = p) ~> (x = 0)`, "P VERIFIED", ""}, // one choice is enough
		{`\A p \in {8, 9} : (x = p) ~> (x = 0)`, vacuous, "the premise of the implication"},
		{`\A p \in {1, 9} : [](x = p => y = 0)`, "P VERIFIED", ""},
		{`x = 1 ~> x = 0`, "P VERIFIED", ""},
		{`[](x = 1 => y = 0)`, "P VERIFIED", ""},
		{`~<>(x = 9 /\ y # 1)`, "P VERIFIED", ""}, // as in package ltl, no arrow
		{`x = 9 ~> y = 1 /\ <>(y = 1)`, vacuous, "the premise of the implication"},
		{`(x = 9 ~> y = 1) /\ <>(y = 1)`, "P VIOLATED", ""},
		{`(x = 9 ~> y = 1) /\ [](y = 1)`, "P VIOLATED", ""},
		// What amounts to an arrow, or to \A.
		{`~(x = 9) \/ <>(y = 1)`, vacuous, "no fair run satisfies the premise of the implication, M.tla:17:15"},
		{`<>(y = 1) \/ ~(x = 9)`, vacuous, "no fair run satisfies the premise of the implication"},
		{`[](~(x = 9) \/ y = 1)`, vacuous, "the premise of the implication is never true, M.tla:17:18"},
		{`[](x # 9 \/ y = 1)`, vacuous, "the premise of the implication is never true"},
		{`[](x \notin 8..9 \/ y = 1 \/ <>(y = 2))`, vacuous, "the premise of the implication"},
		{`\/ ~Low
     \/ [](y = 0)`, vacuous, "the premise of the implication"},
		{`NotLow \/ [](y = 0)`, vacuous, "the premise of the implication"},
		{`~NotLow \/ [](y = 0)`, "P VERIFIED", ""},
		{`[](~(x = 1) \/ y = 0)`, "P VERIFIED", ""},
		{`~(x = 0) \/ <>(x = 1)`, "P VERIFIED", ""},
		{`~(x = 0) \/ ~(y = 1) \/ <>(x = 1)`, vacuous, "the premise of the implication"},
		{`IF x = 9 THEN <>(y = 1) ELSE TRUE`, vacuous, "the premise of the implication, M.tla:17:6"},
		{`IF x = 9 THEN <>(y = 1) ELSE Yes`, vacuous, "the premise of the implication"},
		{`IF x = 0 THEN TRUE ELSE <>(y = 1)`, vacuous, "the premise of the implication"},
		{`IF x = 0 THEN <>(x = 1) ELSE TRUE`, "P VERIFIED", ""},
		{`[](IF x = 9 THEN y = 1 ELSE TRUE)`, vacuous, "the premise of the implication is never true, M.tla:17:9"},
		{`[](IF x \in 0..1 THEN TRUE ELSE y = 1)`, vacuous, "the premise of the implication"},
		{`[](IF x = 1 THEN y = 0 ELSE TRUE)`, "P VERIFIED", ""},
		{`[](CASE x = 9 -> y = 1 [] OTHER -> TRUE)`, vacuous, "the premise of the implication is never true, M.tla:17:9"},
		{`[](CASE x = 9 -> y = 1 [] x = 8 -> y = 1 [] OTHER -> TRUE)`, vacuous, "the premise of the implication"},
		{`[](CASE x = 9 -> y = 1 [] x = 1 -> y = 0 [] OTHER -> TRUE)`, "P VERIFIED", ""},
		{`CASE x = 9 -> <>(y = 1) [] OTHER -> TRUE`, vacuous, "the premise of the implication"},
		{`[][IF x = 9 THEN x' = 1 ELSE TRUE]_x`, vacuous, "the premise of the implication"},
		{`[][x # 9 \/ x' = 1]_x`, vacuous, "the premise of the implication"},
		{`~\E p \in None : <>(x = p)`, vacuous, `a set of \A is empty, M.tla:17:7`},
		{`[]~\E p \in None : x = p`, vacuous, `a set of \A is always empty`},
		{`[]~Some`, vacuous, `a set of \A is always empty`},
		{`~\E p \in {2, 3} : <>(x = p)`, "P VERIFIED", ""},
		{`[]~\E p \in {2, 3} : x = p`, "P VERIFIED", ""},
		{`[]~\E p \in {0, 3} : x = p`, "P VIOLATED", ""},
		{`[](x # 0 \/ y = 1)`, "P VIOLATED", ""},
		{`IF x = 0 THEN [](x = 0) ELSE TRUE`, "P VIOLATED", ""},
		// Steps and fairness.
		{`[][Jump]_y`, "P VERIFIED", "note: P says nothing in part: no step changes the subscript of [A]_v"},
		{`[][Flip]_x`, "P VERIFIED", ""},
		{`[][\A p \in None : x' = p]_x`, vacuous, `a set of \A is always empty`},
		{`[][x = 9 => x' = 1]_x`, vacuous, "the premise of the implication is never true, M.tla:17:15"},
		{`[][\A p \in {8, 9} : x = p => x' = 1]_x`, vacuous, "the premise of the implication"},
		{`[][\A p \in {1, 9} : x = p => x' = 0]_x`, "P VERIFIED", ""},
		{`[][(x = 0 => x' = 1) /\ (x = 9 => x' = 1)]_x`, vacuous, "the premise of the implication is never true, M.tla:17:37"},
		{`[][x = 0 => x' = 1]_x`, "P VERIFIED", ""},
		{`[][x = 1 => x' = 0]_x /\ [][x = 9 => x' = 1]_x`, vacuous, "the premise of the implication"},
		{`[][Flip \/ (x' = 1 /\ (x = 9 => y' = 1))]_x`, "P VERIFIED", "note: P says nothing in part: the premise of the implication"},
		{`[][\E p \in {0, 1} : x = p /\ (x = 9 => y' = 1)]_x`, "P VERIFIED", "note: P says nothing in part: the premise of the implication"},
		{`[][IF x = 0 THEN x' = 1 ELSE (x = 9 => y' = 1)]_x`, "P VERIFIED", "note: P says nothing in part: the premise of the implication"},
		{`[][Flip \/ (x = 9 /\ \A p \in None : x' = p)]_x`, "P VERIFIED", "note: P says nothing in part: a set of"},
		{`WF_vars(Jump)`, vacuous, "the action of the fairness condition is never enabled, M.tla:17:6"},
		{`SF_x(Jump) /\ <>(x = 1)`, vacuous, "is never enabled"},
		{`WF_vars(Flip)`, "P VERIFIED", ""},
		{`WF_vars(Next)`, "P VERIFIED", "note: P says nothing where it demands the fairness that the specification assumes, M.tla:17:6"},
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
		`x = 9 => y = 1`:            "P says nothing in part: the premise of the implication is never true, M.tla:17:12",
		`\A p \in None : x = p`:     `P says nothing in part: a set of \A is always empty, M.tla:17:6`,
		`x = 1 => y = 0`:            "",
		`x # 9 \/ y = 1`:            "P says nothing in part: the premise of the implication is never true, M.tla:17:12",
		`y = 0 \/ x # 9`:            "",
		`y = 0 \/ (x = 9 => FALSE)`: "P says nothing in part: the premise of the implication is never true, M.tla:17:22",
	} {
		r := check(t, idle+"P == "+formula, "SPECIFICATION Spec INVARIANT P CHECK_DEADLOCK FALSE CONSTANT None = {}")
		if got := verdicts(r); got != "P VERIFIED" || within(strings.Join(r.Notes, "; ")) != want {
			t.Errorf("%s: %s, %q; want %s", formula, got, r.Notes, want)
		}
	}
}

// TestUntested: where nothing that is asked is put to the test, it is no pass; and neither is
// it where nothing is asked. An invariant is put to the test in every state.
func TestUntested(t *testing.T) {
	const (
		untested = ", in all INCONCLUSIVE: nothing that was asked was put to the test"
		nothing  = "the configuration asks for nothing, and no Assert was evaluated"
	)
	for _, c := range []struct{ defs, next, asked, want string }{
		{`P == [][Jump]_y`, "Next", "PROPERTY P", "P VERIFIED" + untested},
		{`P == \A i \in {1, 2} : [][Jump]_<<y, i>>`, "Next", "PROPERTY P", "P VERIFIED" + untested},
		{`P == [][Flip]_x /\ [][Jump]_y`, "Next", "PROPERTY P", "P VERIFIED, in all VERIFIED"},
		{`P == [][Jump]_y`, "Next", "PROPERTY P CHECK_DEADLOCK TRUE", "P VERIFIED, no deadlock VERIFIED, in all VERIFIED"},
		{"P == [][Jump]_y\nQ == x = 9 => y = 1", "Next", "PROPERTY P INVARIANT Q", "Q VERIFIED, P VERIFIED, in all VERIFIED"},
		{"P == [][Jump]_y\nQ == [][x = 1]_x", "Next", "PROPERTIES P Q", "P INCONCLUSIVE, Q VIOLATED 2, in all VIOLATED: the last step is not as it demands"},
		{`P == WF_vars(Next)`, "Next", "PROPERTY P", "P VERIFIED" + untested},
		{`P == \A i \in {0, 1} : WF_vars(Next)`, "Next", "PROPERTY P", "P VERIFIED" + untested},
		{`P == WF_vars(Next) /\ <>(x = 1)`, "Next", "PROPERTY P", "P VERIFIED, in all VERIFIED"},
		{`P == x = 9 => y = 1`, "Next", "INVARIANT P", "P VERIFIED, in all VERIFIED"},
		{``, "Next", "", ", in all INCONCLUSIVE: " + nothing},
		{``, "Next", "CHECK_DEADLOCK TRUE", "no deadlock VERIFIED, in all VERIFIED"},
		{`Sure == Next /\ Assert(x < 2, "large")`, "Sure", "", "assertion VERIFIED, in all VERIFIED; the configuration asks for nothing, so only assertions were judged"},
		{`Sure == Next /\ Assert(x < 1, "large")`, "Sure", "", "assertion VIOLATED 2, in all VIOLATED: M.tla:17:17: the assertion fails: \"large\"\n  in Sure, used at M.tla:18:20\n  in This"},
		{`Sure == Next /\ (x = 9 => Assert(x < 2, "large"))`, "Sure", "", ", in all INCONCLUSIVE: " + nothing},
		{"Sure == Next\nASSUME Assert(TRUE, 1)", "Sure", "", ", in all INCONCLUSIVE: " + nothing},
		{"P == [][Jump]_y\nSure == Next /\\ Assert(x < 2, 1)", "Sure", "PROPERTY P", "P VERIFIED, in all VERIFIED"},
		{`P == x < 2`, "Next", "PROPERTY P", "P VERIFIED, in all VERIFIED; P is about the initial state only: INVARIANT asks for every state"},
		{`P == x < 2 /\ y = 0`, "Next", "PROPERTY P INVARIANT P", "P VERIFIED, in all VERIFIED; P is about the initial state only: INVARIANT asks for every state"},
		{`P == x < 1 /\ [](y = 0)`, "Next", "PROPERTY P", "P VERIFIED, in all VERIFIED"},
		{`P == x = 1`, "Next", "PROPERTY P", "P VIOLATED 1, in all VIOLATED: it is false of an initial state"},
	} {
		config := "SPECIFICATION This CONSTANT None = {} " + c.asked
		if !strings.Contains(config, "CHECK_DEADLOCK") {
			config += " CHECK_DEADLOCK FALSE"
		}
		r := check(t, idle+c.defs+"\nThis == Init /\\ []["+c.next+"]_vars /\\ WF_vars("+c.next+")", config)
		v, why := r.Verdict()
		got := verdicts(r) + ", in all " + v.String()
		if why != "" {
			got += ": " + why
		}
		for _, note := range r.Notes {
			if !strings.Contains(note, "says nothing") {
				got += "; " + note
			}
		}
		if got = within(got); got != c.want {
			t.Errorf("%s, %s: %s; want %s", c.defs, c.asked, got, c.want)
		}
	}
}

// within leaves out the folder of the module in a text.
func within(text string) string { return folderOf.ReplaceAllString(text, "M.tla") }

var folderOf = regexp.MustCompile(`\S*/M\.tla`)
