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

// TestAgainstTheTools compares with the translator of the TLA+ tools, word for
// word, where TLA2TOOLS_JAR names them.
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
			ours, theirs := words(t, updated), words(t, tlatest.Read(t, copied))
			for i := range max(len(ours), len(theirs)) {
				if i >= len(ours) || i >= len(theirs) || ours[i] != theirs[i] {
					t.Fatalf("word %d differs; ours:\n%s\ntheirs:\n%s", i, around(ours, i), around(theirs, i))
				}
			}
		})
	}
}

func around(words []string, i int) string {
	return strings.Join(words[min(len(words), max(0, i-30)):min(len(words), i+10)], " ")
}

// words returns the words of the translation in a module. UNCHANGED x is read
// as x' = x. Parentheses are left out: each side puts some for good measure.
func words(t *testing.T, module string) []string {
	t.Helper()
	from, to, err := markers("", module, 0)
	if err != nil || from < 0 {
		t.Fatalf("no translation: %v", err)
	}
	tokens, err := syntax.Tokens("", module[:to], from)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i := 0; i < len(tokens); i++ {
		if tokens[i].Is("(") || tokens[i].Is(")") {
			continue
		}
		if tokens[i].Is("UNCHANGED") && tokens[i+1].Kind == syntax.Name && tokens[i+1].Text != "vars" {
			out = append(out, tokens[i+1].Text, "'", "=")
			continue
		}
		out = append(out, tokens[i].Text)
	}
	return out
}
