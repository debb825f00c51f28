package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/changroberts"
)

// TestLivenessAgreement asks SPIN and our engines of runs of Chang-Roberts as
// told in prose: the formulas are the same but for the names of their atoms.
func TestLivenessAgreement(t *testing.T) {
	testsize.Test(t)
	needSpin(t)
	const n = 3
	formulas := []string{
		"<>leads(3)", "<>[]leads(3)", "[]<>knows(1)", "<>[](knows(1) & knows(2) & knows(3))", "<>[]!knows(2)", "<>leads(2)",
		"leads(3) ~> knows(1)", "knows(1) ~> knows(2)", "knows(1) U knows(2)", "!knows(2) U leads(3)", "[](knows(1) -> []knows(1))",
		"<>leads(2) | <>[]leads(3)", "[]<>!leads(3) | <>[]leads(3)", "!(<>knows(1) & <>knows(2))",
	}
	formulas = formulas[testsize.Of(0, 2, 0):testsize.Of(0, 6, len(formulas))]
	least := testsize.Of(0, 1, 3) // that hold, and that do not
	// On the descending ring messages go from 3 to 2 to 1.
	for name, step := range map[string]int{"ascending": 1, "descending": n - 1} {
		theirs := askSPIN(t, textbook(n, step), formulas)
		c := model.Config{N: n}
		if step != 1 {
			c.Ring = []spec.ID{3, 2, 1}
		}
		violated := 0
		for i, text := range formulas {
			p, err := election.Formula(text)
			if err != nil {
				t.Fatal(err)
			}
			for _, engine := range []properties.Engine{properties.Explicit, properties.Symbolic} {
				r, err := properties.Verify(t.Context(), changroberts.Textbook, c, []properties.Property{p}, properties.Options{Engine: engine})
				if err != nil {
					t.Fatal(err)
				}
				if ours := r.Findings[0].Verdict == properties.Verified; ours != theirs[i] {
					t.Errorf("%s, %s: SPIN has it hold: %v, and the %v engine says %v: %s", name, text, theirs[i], engine, r.Findings[0].Verdict, r.Findings[0].Why)
				}
			}
			if !theirs[i] {
				violated++
			}
		}
		if violated < least || violated > len(formulas)-least {
			t.Errorf("%s: %d of %d are violated: not a test", name, violated, len(formulas))
		}
	}
}

// askSPIN reports of each formula whether SPIN finds that it holds.
func askSPIN(t *testing.T, promela string, formulas []string) []bool {
	t.Helper()
	var names []string
	for p := range 3 {
		names = append(names, fmt.Sprintf("leads(%d)", p+1), fmt.Sprintf("(leader[%d] == %d)", p, p+1))
		names = append(names, fmt.Sprintf("knows(%d)", p+1), fmt.Sprintf("(leader[%d] != 0)", p))
	}
	names = append(names, "&", "&&", "|", "||")
	translate := strings.NewReplacer(names...)
	for i, text := range formulas {
		if cause, effect, found := strings.Cut(text, " ~> "); found {
			text = fmt.Sprintf("[](%s -> <>(%s))", cause, effect)
		}
		promela += fmt.Sprintf("ltl f%d { %s }\n", i, translate.Replace(text))
	}
	dir := filepath.Join(t.TempDir(), "spin")
	if err := compile(dir, promela, "-O0"); err != nil {
		t.Fatal(err)
	}
	var holds []bool
	for i, text := range formulas {
		pan := exec.Command(filepath.Join(dir, "pan"), "-a", "-m100000", "-N", fmt.Sprint("f", i))
		pan.Dir = dir // it leaves a trail
		printed, _ := pan.CombinedOutput()
		_, after, found := strings.Cut(string(printed), "errors: ")
		if !found || strings.Contains(string(printed), "search not completed") {
			t.Fatalf("%s: %s", text, printed)
		}
		holds = append(holds, strings.HasPrefix(after, "0"))
	}
	return holds
}
