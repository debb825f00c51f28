package ltl

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestParse compares a text with how String writes what was read.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"p":                      "p",
		" G F p ":                "[]<>p",
		"GF":                     "GF", // an atom
		"G-x & true_":            "G-x & true_",
		"p->q":                   "p -> q",
		"S-lit->known(3)":        "S-lit -> known(3)",
		"(((p)))":                "p",
		"!p&q||r":                "!p & q | r",
		"!(p & q) /\\ (r \\/ p)": "!(p & q) & (r | p)",
		"(p & q) & r":            "(p & q) & r",
		"p & q & r":              "p & q & r",
		"p => q => r":            "p -> q -> r",
		"(p -> q) -> r":          "(p -> q) -> r",
		"p <=> q <-> r":          "p <-> q <-> r",
		"p <-> (q <-> r)":        "p <-> (q <-> r)",
		"p & q ~> <>r | p":       "p & q ~> <>r | p",
		"(p ~> q) ~> r":          "(p ~> q) ~> r",
		"p U []q & !r R p":       "p U []q & !r R p",
		"(p U q) W (p & q)":      "(p U q) W (p & q)",
		"□(¬p ∧ q ∨ r → ◇known(1)) ↔ é": "[](!p & q | r -> <>known(1)) <-> é",
		"p ↝ q": "p ~> q",
	} {
		if got := parse(t, text).String(); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                "column 1: the formula is empty: write one, such as [](request -> <>granted)",
		"  ":              "column 3: the formula is empty",
		"p &":             "column 4: the formula ends too soon: an operand, such as an atom, is missing",
		"p & | q":         "column 5: an operand, such as an atom, is missing before |",
		"p q":             "column 3: an operator, such as & or ->, is missing before q",
		"p & (q":          "column 5: this ( is never closed: add a )",
		"(p q)":           "column 4: an operator, such as & or ->, or a ) is missing before q",
		"p)":              "column 2: this ) closes nothing",
		"()":              "column 2: an operand, such as an atom, is missing before )",
		"□ X p":           "column 3: next (X) is refused, for runs may stutter",
		"p = q":           `column 3: "=" is no part of a formula`,
		"é & 3":           `column 5: "3" is no part of a formula`,
		"p \xff":          `column 3: "\xff" is no part of a formula`,
		"p U q U r":       "column 7: it is not clear which comes first: put parentheses around one of U and U",
		"p U q R r":       "column 7: it is not clear which comes first: put parentheses around one of U and R",
		"p -> q ~> r":     "column 8: it is not clear which arrow comes first: put parentheses around one of -> and ~>",
		"p ~> q ~> r":     "column 8: it is not clear which arrow comes first",
		"p <-> q -> r":    "column 9: it is not clear which arrow comes first",
		"true(3)":         `column 6: "3" is no part of a formula`,
		"true(p)":         "column 5: an operator, such as & or ->, is missing before (",
		"known(x)":        "column 6: an operator, such as & or ->, is missing before (, or a number after it, as in known(1)",
		"p & q (r)":       "column 7: an operator, such as & or ->, is missing before (",
		"<> knows(1":      "column 9: this ( is never closed: write knows(1)",
		"<> knows(1 & p)": "column 9: this ( is never closed: write knows(1)",
		"knows (12)":      "column 7: the number of an atom follows it at once: write knows(12)",
		"é(":              "column 2: an operator, such as & or ->, is missing before (",
		"[][]":            "column 5: the formula ends too soon",
		"U":               "column 1: an operand, such as an atom, is missing before U",
		deep("!", ""):     "column 101: the formula is nested more than 100 deep",
		deep("(", ")"):    "column 101: the formula is nested more than 100 deep",
		many(501, "p"):    "column 1: the formula has more than 1000 symbols",
		many(65, "p(%d)"): "column 1: the formula has 65 atoms, the limit is 64",
	} {
		f, err := Parse(text)
		if err == nil {
			t.Errorf("%s: read as %s", text, f)
		} else if !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func deep(open, shut string) string {
	return strings.Repeat(open, 100) + "p" + strings.Repeat(shut, 100)
}

// many is a disjunction of n atoms.
func many(n int, format string) string {
	atoms := make([]string, n)
	for i := range atoms {
		atoms[i] = strings.ReplaceAll(format, "%d", fmt.Sprint(i))
	}
	return strings.Join(atoms, " | ")
}

func TestStringParsesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFormula(t, 4)
		g, err := Parse(f.String())
		if err != nil || !reflect.DeepEqual(f, g) {
			t.Fatalf("%s became %s: %v", f, g, err)
		}
	})
}

func TestAtomPanics(t *testing.T) {
	for _, name := range []string{"", "G", "X", "true", "3", "p q", "p(", "p->", "p(3)q"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is an atom", name)
				}
			}()
			Atom(name)
		}()
	}
}

// FuzzParse wants what is read to be written so that it reads the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"", "[](request -> <>granted)", "p U q & !r R known(3)", "S-lit ~> (a <-> b <=> c)", "□¬p ∨ ◇(q → r)",
		"X p", "((p)", "true(1)", "a-->b", "p W (q U false)", "p /\\ q \\/ r && G F r",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(g.String())
		if err != nil || !reflect.DeepEqual(g, again) {
			t.Fatalf("%q was read as %s, and that as %s: %v", text, g, again, err)
		}
	})
}

func TestSpellings(t *testing.T) {
	read := 0
	for _, o := range Operators {
		unary := o == "!" || o == "[]" || o == "<>"
		for _, s := range Spellings(o) {
			text, want := "p "+s+" q", "p "+o+" q"
			if unary {
				text, want = s+" p", o+"p"
			}
			if have := parse(t, text).String(); have != want {
				t.Errorf("%s: %s, not %s", text, have, want)
			}
			read++
		}
	}
	if all := len(spellings) + len(words) - len([]string{"(", ")", "true", "false", "X"}); read != all {
		t.Errorf("%d spellings of %d", read, all)
	}
}

func TestColumn(t *testing.T) {
	for text, want := range map[string]int{"pq": 0, "p": 1, "□pq & (p)": 8, "p(1) -> p": 9, "q ? p": 0} {
		if have := Column(text, "p"); have != want {
			t.Errorf("%s: column %d, not %d", text, have, want)
		}
	}
}
