package pluscal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"interleave/tla/syntax"
	"interleave/tla/tlatest"
)

// TestErrors: testdata/errors.txt holds algorithms with an error each, between
// lines of dashes; below each stands what is said of it.
func TestErrors(t *testing.T) {
	const file = "testdata/errors.txt"
	var out strings.Builder
	blocks := strings.Split(tlatest.Read(t, file), "\n----\n")
	if len(blocks) < 30 {
		t.Errorf("only %d algorithms", len(blocks))
	}
	for i, b := range blocks {
		algorithm, want, _ := strings.Cut(b, "\n>>> ")
		_, err := Update("x", "(* "+algorithm+"\n*)")
		got := "it has no error"
		if err != nil {
			got = err.Error()
		} else {
			t.Errorf("no error in %s", algorithm)
		}
		if e := (*Error)(nil); errors.As(err, &e) {
			got += "\n    " + e.Remedy
		}
		if want = strings.TrimSuffix(want, "\n"); got != want && !*update {
			t.Errorf("%s\nsays %s\nwant %s", algorithm, got, want)
		}
		if i > 0 {
			out.WriteString("\n----\n")
		}
		out.WriteString(algorithm + "\n>>> " + got)
	}
	if *update {
		if err := os.WriteFile(file, []byte(out.String()+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// FuzzUpdate: any text is translated to TLA+ that holds still, or has an error
// with a place.
func FuzzUpdate(f *testing.F) {
	examples, _ := filepath.Glob("testdata/*.tla")
	for _, e := range examples {
		text, err := os.ReadFile(e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	text, err := os.ReadFile("testdata/errors.txt")
	if err != nil {
		f.Fatal(err)
	}
	for b := range strings.SplitSeq(string(text), "\n----\n") {
		f.Add("(* " + b + " *)")
	}
	f.Fuzz(func(t *testing.T, text string) {
		out, err := Update("x", text)
		if err != nil {
			ours, theirs := (*Error)(nil), (*syntax.Error)(nil)
			if !errors.As(err, &ours) && !errors.As(err, &theirs) {
				t.Fatalf("an error without a place: %v", err)
			}
			return
		}
		if again, err := Update("x", out); err != nil || again != out {
			t.Fatalf("a second translation differs: %v\n%s\n%s", err, out, again)
		}
	})
}

// TestMacrosOfMacros: what grows by powers of two is refused before it has grown.
func TestMacrosOfMacros(t *testing.T) {
	for name, step := range map[string]string{
		"statements": "{ m%d(a); m%d(a) }",
		"nested":     "{ if (a) { m%d(a); m%d(a) } }",
		"words":      "{ m%d(a + a); m0(a) }",
	} {
		var b strings.Builder
		b.WriteString("(* --algorithm x { variables y = 0;\nmacro m0(a) { y := a }\n")
		for i := range 40 {
			fmt.Fprintf(&b, "macro m%d(a) %s\n", i+1, strings.ReplaceAll(step, "%d", strconv.Itoa(i)))
		}
		b.WriteString("process (P = 1) { l: m40(1) } } *)")
		_, err := Update("x", b.String())
		if err == nil || !strings.Contains(err.Error(), "once the macros are written out") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
