package main

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var line = regexp.MustCompile(`^(agrees|states|disagrees|unsupported|timed out) +(\d+)  (\S+)(  # \S.*)?$`)

// TestTable: the table of what is expected is well formed, counts itself right, says
// of each model that we do not agree on why, and holds no disagreement that is not
// explained.
func TestTable(t *testing.T) {
	text, err := os.ReadFile("testdata/examples.txt")
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for i, l := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if strings.HasPrefix(l, "# ") {
			continue
		}
		m := line.FindStringSubmatch(l)
		if m == nil {
			t.Errorf("line %d is no row: %s", i+1, l)
			continue
		}
		n, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		r := row{name: m[3], want: n, status: m[1], why: strings.TrimPrefix(m[4], "  # ")}
		if (r.why == "") != (r.status == agrees) {
			t.Errorf("%s %s: %q", r.name, r.status, r.why)
		}
		if r.status == disagrees && (explained[r.name] == "" || !strings.HasSuffix(r.why, explained[r.name])) {
			t.Errorf("%s: nobody explains that %s", r.name, r.why)
		}
		rows = append(rows, r)
	}
	counts := table{rows: rows}
	for _, most := range counts.sizes() {
		if want := counts.summary(most); !strings.Contains(string(text), want) {
			t.Errorf("the table does not say %s", want)
		}
	}
	if n, c := counts.count(small); n < 90 || c[agrees]*10 < n*9 {
		t.Errorf("we agree on %d of %d small models", c[agrees], n)
	}
	if !slices.IsSortedFunc(rows, func(a, b row) int { return a.want - b.want }) {
		t.Error("the rows are not in order")
	}
}

// TestJudge: what is found is called by the right word.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		result string
		found  answer
		want   string
	}{
		{"success", answer{States: 7, Verdict: "VERIFIED"}, "agrees            7  m"},
		{"success", answer{States: 7, Verdict: "BOUNDED"}, "agrees            7  m"},
		{"success", answer{States: 8, Verdict: "VERIFIED"}, "disagrees         7  m  # we find 8"},
		{"success", answer{States: 7, Verdict: "VIOLATED"}, "disagrees         7  m  # we find a violation"},
		{"success", answer{States: 7, Verdict: "INCONCLUSIVE", Why: "it depends"}, "states            7  m  # it depends"},
		{"success", answer{States: 6, Verdict: "INCONCLUSIVE", Why: "it depends"}, "unsupported       7  m  # it depends"},
		{"success", answer{Error: "/a/b/C.tla:3:4: X is not supported\n  in Y"}, "unsupported       7  m  # C.tla:3:4: X is not supported"},
		{"safety failure", answer{States: 7, Verdict: "VIOLATED"}, "agrees            7  m"},
		{"safety failure", answer{States: 7, Verdict: "VERIFIED"}, "disagrees         7  m  # we find no safety failure"},
	} {
		r := row{name: "m", want: 7}
		r.judge(model{States: 7, Result: c.result}, c.found, "/a")
		if r.String() != c.want {
			t.Errorf("%+v is %q, not %q", c.found, r.String(), c.want)
		}
	}
}
