package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

// TestRowsFitTheSources: each bug can still be planted, and its test still exists.
func TestRowsFitTheSources(t *testing.T) {
	rows := map[string]bool{}
	for _, p := range table {
		name := p.file + ": " + p.bug
		if p.bug == "" || rows[name] {
			t.Errorf("%s: no other row says the same", name)
		}
		rows[name] = true
		if _, err := p.planted(root); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !declares(t, filepath.Join(root, p.folder()), p.test) {
			t.Errorf("%s: there is no %s in %s", name, p.test, p.folder())
		}
	}
}

// declares reports whether a test is declared in a folder. Which subtests it has is not known.
func declares(t *testing.T, folder, test string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	test, _, _ = strings.Cut(test, "/")
	declaration := regexp.MustCompile(`(?m)^func ` + regexp.QuoteMeta(test) + `\(`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if declaration.Match(text) {
			return true
		}
	}
	return false
}

// TestJudged: only a test that runs and fails has found a bug.
func TestJudged(t *testing.T) {
	failed := errors.New("exit status 1")
	for _, row := range []struct {
		out  string
		err  error
		want string
	}{
		{"--- PASS: TestOne/small (0.00s)\nPASS\n", nil, "<nil>"},
		{"--- FAIL: TestOne/small (0.00s)\nFAIL\n", failed, "fails: --- FAIL: TestOne/small"},
		{"panic: test timed out after 1m0s\n", failed, "TIMES OUT"},
		{"testing: warning: no tests to run\nPASS\n", nil, "DOES NOT RUN"},
		{"--- PASS: TestOne (0.00s)\nPASS\n", nil, "DOES NOT RUN"},
		{"--- PASS: TestOne/smallest (0.00s)\nPASS\n", nil, "DOES NOT RUN"},
		{"--- SKIP: TestOne/small (0.00s)\nPASS\n", nil, "DOES NOT RUN"},
	} {
		if got := fmt.Sprint(judged("TestOne/small", row.out, row.err)); !strings.HasPrefix(got, row.want) {
			t.Errorf("%q, %v: %s, not %s", row.out, row.err, got, row.want)
		}
	}
	if got := exactly("TestOne/small"); got != "^TestOne$/^small$" {
		t.Errorf("its pattern is %s", got)
	}
}

// TestWalk plants bugs in a tiny module.
func TestWalk(t *testing.T) {
	g := &garden{root: t.TempDir(), scratch: t.TempDir(), limit: limit, sound: map[string]error{". TestNone": errNotRun}}
	for name, text := range map[string]string{
		"go.mod":       "module tiny\n",
		"tiny.go":      "package tiny\n\nfunc one() int { return 1 }\n",
		"tiny_test.go": "package tiny\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {\n\tif one() > 1 {\n\t\tt.Error(one())\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(g.root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	err := g.walk(t.Context(), []plant{
		{file: "tiny.go", bug: "two", old: "return 1", new: "return 2", test: "TestOne"},
		{file: "tiny.go", bug: "zero", old: "return 1", new: "return 0", test: "TestOne"},
		{file: "tiny.go", bug: "three", old: "return 3", new: "return 2", test: "TestOne"},
		{file: "tiny.go", bug: "any", old: "i", new: "j", test: "TestOne"},
		{file: "tiny.go", bug: "none", old: "1", new: "1", test: "TestOne"},
		{file: "tiny.go", bug: "unseen", old: "1", new: "2", test: "TestNone"},
	}, &out)
	if err == nil || err.Error() != "5 of 6 bugs were not caught" {
		t.Error(err)
	}
	for _, want := range []string{
		"| tiny.go | two | TestOne | ",
		"| tiny.go | zero | **SURVIVES** | ",
		"| tiny.go | three | **the table is out of date: tiny.go has the old text 0 times** | ",
		"| tiny.go | any | **the table is out of date: tiny.go has the old text 2 times** | ",
		"| tiny.go | none | **the table changes nothing in tiny.go** | ",
		"| tiny.go | unseen | **WITHOUT THE BUG TestNone: DOES NOT RUN** | ",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}
}
