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

// TestLineEnds: a module whose lines end as on Windows keeps its line ends, and is
// translated alike.
func TestLineEnds(t *testing.T) {
	const module = "---- MODULE M ----\n(* --algorithm M {\n{ a: skip }\n} *)\n====\n"
	want, err := Update("x", module)
	if err != nil {
		t.Fatal(err)
	}
	want = strings.ReplaceAll(want, "\n", "\r\n")
	got, err := Update("x", strings.ReplaceAll(module, "\n", "\r\n"))
	if err != nil || got != want {
		t.Errorf("%v\n%q\nwant\n%q", err, got, want)
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

// TestTooMuch: what goes on and on is refused with its place, or translated, and
// takes no time to speak of: a text twice as long takes twice as long.
func TestTooMuch(t *testing.T) {
	const n = 20000
	again := func(text string) string { return strings.Repeat(text, n) }
	for name, c := range map[string]struct{ algorithm, want string }{
		"braces":      {"{ { a: " + again("{") + " skip" + again("}") + " } }", "x:1:225: statements are nested more than 200 deep"},
		"if":          {"{ { a: " + again("if (TRUE) ") + " skip } }", "statements are nested more than 200 deep"},
		"elsif":       {"begin a: if TRUE then skip; " + again("elsif TRUE then skip; ") + " end if; end algorithm", "statements are nested more than 200 deep"},
		"while":       {"{ { a: " + again("while (TRUE) ") + " skip } }", "statements are nested more than 200 deep"},
		"with":        {"{ { a: " + again("with (x = 1) ") + " skip } }", "statements are nested more than 200 deep"},
		"either":      {"{ { a: " + again("either ") + " skip } }", "statements are nested more than 200 deep"},
		"names":       {"{ { a: with (" + again("y = 1, ") + " z = 1) skip } }", "more than 20000 statements"},
		"branches":    {"{ { a: either skip " + again("or skip ") + " } }", "more than 20000 statements"},
		"statements":  {"{ { a: " + again("skip; ") + " skip } }", "more than 20000 statements"},
		"assignments": {"{ variables x, y; { a: x := 1 " + again("|| y := 1 ") + " } }", "y is assigned to twice at once"},
		"parentheses": {"{ variables x; { a: x := " + again("(") + "1" + again(")") + " } }", "nested more than 400 deep"},
		"unclosed":    {"{ variables x = " + again("(") + " ; { a: skip } }", "x:1:20033: the ( in the initial value of x is not closed before ;"},
		"subscripts":  {"{ variables x; { a: x" + again("[1]") + " := 1 } }", ""},
		"itself":      {"{ variables x; macro m() { m() } { a: m() } }", "there is no macro m up to here"},
		"each other":  {"{ variables x; macro m() { k() } macro k() { m() } { a: m() } }", "there is no macro k up to here"},
	} {
		got := ""
		if _, err := Update("x", "(* --algorithm M "+c.algorithm+" *)"); err != nil {
			got = err.Error()
		}
		if got != c.want && (c.want == "" || !strings.HasPrefix(got, "x:1:") || !strings.Contains(got, c.want)) {
			t.Errorf("%s: %.200q, want %q", name, got, c.want)
		}
	}
}
