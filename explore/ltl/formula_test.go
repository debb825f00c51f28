package ltl

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func parse(t testing.TB, text string) *Formula {
	t.Helper()
	f, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return f
}

// TestHolds has runs on which each formula holds, and then some on which it fails.
func TestHolds(t *testing.T) {
	for _, c := range []struct{ formula, holds, fails string }{
		{"true", "(.); p (q)", ""},
		{"false", "", "(.); p (q)"},
		{"p", "p (.); (pq)", ". (p)"},
		{"!p", ". (p)", "p (.)"},
		{"p & q", "pq (.)", "p (pq); q (.)"},
		{"p | q", "p (.); q (.)", ". (pq)"},
		{"p -> q", ". (.); pq (.)", "p (q)"},
		{"p <-> q", ". (p); pq (.)", "p (pq); q (pq)"},
		{"[]p", "(p); pq (p pr)", "p p (p .); . (p)"},
		{"<>p", ". . (. p); p (.)", "(.); q (r)"},
		{"[]<>p", "(. p); . . (q . p)", "p p (.); p (q)"},
		{"<>[]p", ". . (p)", "(p .); p (p p .)"},
		{"p U q", "q (.); p p q (.); p (p q)", "(p); p . (q); . (q)"},
		{"p W q", "q (.); p p q (.); (p)", "p . (q); . (q)"},
		{"p R q", "(q); q q pq (.); pq (.)", "q q p (.); q (.); q p (q)"},
		{"p ~> q", "(.); p . (q .); (p pq); (q)", "(p); pq p (.); q (p .)"},
		{"[](p -> []!q)", "q (p); (.)", "p . (. q)"},
		{"!(p U q) U r", "r (.); . . r (.)", "q (r); p (q r)"},
		{"(p U q) U r", "p p q r (.); r (.)", "p p r (.); q p (r)"},
	} {
		f := parse(t, c.formula)
		for want, words := range map[bool]string{true: c.holds, false: c.fails} {
			for _, text := range strings.FieldsFunc(words, func(r rune) bool { return r == ';' }) {
				if w := readWord(text); w.satisfies(f) != want {
					t.Errorf("%s on %s: %v", f, w, !want)
				}
			}
		}
	}
}

// TestLaws compares Holds with what one letter and the rest of a run say.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, g, w := drawFormula(t, 2), drawFormula(t, 2), drawWord(t)
		now := func(f *Formula) bool { return w.satisfies(f) }
		later := func(f *Formula) bool { return w.tail().satisfies(f) }
		for _, law := range []struct {
			formula *Formula
			means   bool
		}{
			{Not(f), !now(f)},
			{And(f, g), now(f) && now(g)},
			{Or(f, g), now(f) || now(g)},
			{Implies(f, g), now(Or(Not(f), g))},
			{apply(iff, f, g), now(f) == now(g)},
			{Eventually(f), now(f) || later(Eventually(f))},
			{Eventually(f), now(Until(True(), f))},
			{Always(f), now(f) && later(Always(f))},
			{Always(f), now(Not(Eventually(Not(f))))},
			{Until(f, g), now(g) || now(f) && later(Until(f, g))},
			{Until(f, g), now(apply(weakUntil, f, g)) && now(Eventually(g))},
			{apply(weakUntil, f, g), now(Or(Always(f), Until(f, g)))},
			{Release(f, g), now(Not(Until(Not(f), Not(g))))},
			{apply(leadsTo, f, g), now(Always(Implies(f, Eventually(g))))},
		} {
			if now(law.formula) != law.means {
				t.Errorf("%s on %s: %v", law.formula, w, !law.means)
			}
		}
	})
}

// TestStutter wants a formula to see neither a repeated position nor where the
// loop is said to begin.
func TestStutter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, w := drawFormula(t, 3), drawWord(t)
		for i := range w.letters {
			if v := w.stutter(i); v.satisfies(f) != w.satisfies(f) {
				t.Errorf("%s tells %s from %s", f, v, w)
			}
		}
		if v := w.unroll(); v.satisfies(f) != w.satisfies(f) {
			t.Errorf("%s tells %s from %s", f, v, w)
		}
	})
}

func TestAntecedents(t *testing.T) {
	for formula, want := range map[string]string{
		"p -> q":                            "p",
		"[](p -> q)":                        "<>p",
		"p ~> q":                            "<>p",
		"[]<>p":                             "",
		"<>(p -> q)":                        "<>p",
		"[]<>(p -> q)":                      "<>p",
		"!(p -> q) | (q -> r)":              "q",
		"[](p -> [](q -> <>r))":             "<>p; <>(p & <>q)",
		"p ~> (q -> r)":                     "<>p; <>(p & <>q)",
		"p U (q -> r)":                      "<>q",
		"(p -> q) <-> (q -> r)":             "",
		"p & []((p -> q) & [](q ~> (r|p)))": "<>p; <>q",
		"(p & q -> r) & (r -> p -> q)":      "p & q; r; r & p",
	} {
		var got []string
		for _, f := range parse(t, formula).Antecedents() {
			got = append(got, f.String())
		}
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("%s: %s", formula, s)
		}
	}
}

func TestAtoms(t *testing.T) {
	f := parse(t, "known(3) U S-lit & [](known(3) -> a.b_1) | q-->p")
	if got := f.Atoms(); !slices.Equal(got, []string{"S-lit", "a.b_1", "known(3)", "p", "q-"}) {
		t.Error(got)
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct{ formula, form, p, q string }{
		{"[](a & b -> <>!c)", "[](p -> <>q)", "a & b", "!c"},
		{"[]<>a ~> true", "p ~> q", "[]<>a", "true"},
		{"a & b", "p & p", "", ""},
		{"!a | !a", "p | p", "!a", ""},
		{"[]a", "<>p", "", ""},
		{"a & b & c", "p & q", "", ""},
		{"true", "false", "", ""},
	} {
		parts, ok := parse(t, c.formula).Match(parse(t, c.form))
		for atom, want := range map[string]string{"p": c.p, "q": c.q} {
			if ok && parts[atom] != nil && parts[atom].String() != want {
				t.Errorf("%s as %s: %s is %v, not %s", c.formula, c.form, atom, parts[atom], want)
			}
		}
		if ok != (c.p != "") {
			t.Errorf("%s as %s: %v", c.formula, c.form, ok)
		}
	}
}
