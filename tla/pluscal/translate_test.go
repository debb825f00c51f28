package pluscal

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"interleave/tla/syntax"
	"interleave/tla/tlatest"
)

var update = flag.Bool("update", false, "write the translations into the modules in testdata")

// modules are the examples and, one folder up, the modules of the catalogue.
func modules(t *testing.T) []string {
	t.Helper()
	ours, examples := tlatest.Modules(t)
	return append(examples, ours...)
}

// TestTranslations: what stands in each module between the markers is the
// translation of its algorithm.
func TestTranslations(t *testing.T) {
	for _, file := range modules(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text := tlatest.Read(t, file)
			updated, err := Update(file, text)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := Update(file, updated); again != updated {
				t.Errorf("a second Update changes the module, %v", err)
			}
			if *update && updated != text {
				if err := os.WriteFile(file, []byte(updated), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if updated != text {
				t.Errorf("the translation is not that of the algorithm: read the difference that go test -update makes")
			}
			if _, err := syntax.ParseModule(file, updated); err != nil {
				t.Errorf("the translation is no TLA+: %v", err)
			}
		})
	}
}

// TestBothSyntaxes: one algorithm in the syntax of C and in that of Pascal has one
// translation.
func TestBothSyntaxes(t *testing.T) {
	_, c, _ := strings.Cut(tlatest.Read(t, "testdata/calls.tla"), BeginMarker)
	_, p, _ := strings.Cut(tlatest.Read(t, "testdata/calls_p.tla"), BeginMarker)
	if c != p || len(c) < 1000 {
		t.Errorf("in braces:\n%s\nin words:\n%s", c, p)
	}
}

// TestAgainstTheTools compares with the translator of the TLA+ tools, shape
// for shape, where TLA2TOOLS_JAR names them.
func TestAgainstTheTools(t *testing.T) {
	jar := os.Getenv("TLA2TOOLS_JAR")
	if jar == "" {
		t.Skip("TLA2TOOLS_JAR is not set")
	}
	for _, file := range modules(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text := tlatest.Read(t, file)
			copied := filepath.Join(t.TempDir(), filepath.Base(file))
			if err := os.WriteFile(copied, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.CommandContext(t.Context(), "java", "-cp", jar, "pcal.trans", "-nocfg", copied).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			updated, err := Update(file, text)
			if err != nil {
				t.Fatal(err)
			}
			ours, theirs := shapesIn(t, updated), shapesIn(t, tlatest.Read(t, copied))
			for i := range max(len(ours), len(theirs)) {
				if i >= len(ours) || i >= len(theirs) || ours[i] != theirs[i] {
					t.Fatalf("unit %d differs; ours:\n%s\ntheirs:\n%s", i, ours[i:], theirs[i:])
				}
			}
		})
	}
}

// shapesIn returns the shapes of the translation in a module.
func shapesIn(t *testing.T, module string) []string {
	t.Helper()
	from, to, err := markers("", module, 0)
	if err != nil || from < 0 {
		t.Fatalf("no translation: %v", err)
	}
	all, err := shapes(module[from:to])
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestStanding: a translation is told to differ where a word of the algorithm was
// changed since, and not for another layout.
func TestStanding(t *testing.T) {
	module := tlatest.Read(t, "testdata/alone.tla")
	from, to, err := markers("", module, 0)
	if err != nil {
		t.Fatal(err)
	}
	translation := module[from:to]
	with := func(translation string) string { return module[:from] + translation + module[to:] }
	grouped := strings.ReplaceAll(module, "i + x", "i - (x - 1)")
	for _, c := range []struct {
		name, module string
		want         Standing
	}{
		{"as it is", module, UpToDate},
		{"other layout", with(strings.ReplaceAll(translation, "\n", "\n\n  \\* a line\n")), UpToDate},
		{"checksums", with(strings.Replace(translation, BeginMarker, BeginMarker+" (chksum(pcal) = \"1\")", 1)), UpToDate},
		{"another order of variables", with(strings.NewReplacer("VARIABLES pc, x, y", "VARIABLES x, y, pc", "<< pc, x, y >>", "<< x, y, pc >>").Replace(translation)), UpToDate},
		{"a variable less", with(strings.Replace(translation, "VARIABLES pc, x, y", "VARIABLES x, y", 1)), Differs},
		{"a changed translation", with(strings.Replace(translation, "Done", "done", 1)), Differs},
		{"an option", "\\* PlusCal options (-noDoneDisjunct)\n" + module, Differs},
		{"an unknown option", "\\* PlusCal options (-fast)\n" + module, Unclear},
		{"a string for a name", with(strings.Replace(translation, `"Done"`, "Done", 1)), Differs},
		{"no TLA+", with(strings.Replace(translation, "==", "== )", 1)), Differs},
		{"parentheses", with(strings.NewReplacer("pc = \"Done\"", "(((pc)) = (\"Done\"))", "y >= 2", "(y >= 2)").Replace(translation)), UpToDate},
		{"parentheses that matter", grouped, UpToDate},
		{"an algorithm with other parentheses", strings.Replace(grouped, "j = i - (x - 1) do", "j = i - x - 1 do", 1), Differs},
		{"a translation with other parentheses", strings.Replace(grouped, "j == i - (x - 1) IN", "j == i - x - 1 IN", 1), Differs},
		{"a list for a line", with(strings.Replace(translation, "A \\/ B \\/ C", "(\\/ A \\/ B) \\/ C", 1)), UpToDate},
		{"operators without operands", with(strings.Replace(translation, "VARIABLES pc, x, y", "VARIABLES pc, x, y\nAll == F(=, ', UNCHANGED)", 1)), Differs},
		{"another variable unchanged", with(strings.Replace(translation, "y' = y\n", "UNCHANGED x\n", 1)), Differs},
		{"less", with(BeginMarker + "\nVARIABLE x\n" + EndMarker), Differs},
		{"nothing", with(BeginMarker + "\n" + EndMarker), Missing},
		{"no markers", with(""), Missing},
		{"no algorithm", "---- MODULE M ----\n====", Unknown},
		{"an error", strings.Replace(module, "algorithm", "algorithm :=", 1), Unclear},
		{"one marker", with(BeginMarker), Unknown},
	} {
		if got := StandingOf("M.tla", c.module); got != c.want {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
	}
	for _, file := range modules(t) {
		if got := StandingOf(file, tlatest.Read(t, file)); got != UpToDate {
			t.Errorf("%s: %v", file, got)
		}
	}
}

// TestStringTrue: a loop while "TRUE", a string, is none that goes on for ever.
func TestStringTrue(t *testing.T) {
	text, err := Translate("M.tla", `(* --algorithm M { { a: while ("TRUE") { skip } } } *)`)
	if err != nil || !strings.Contains(text, `IF "TRUE"`) || !strings.Contains(text, "Terminating") {
		t.Errorf("%v\n%s", err, text)
	}
}
