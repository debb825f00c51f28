package sweep

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/explore"
	"interleave/properties"
	"interleave/spec/catalog"
)

// TestTimeLeftByLock: with a lock it is told how long a sweep will take, unless the lock is wrong.
func TestTimeLeftByLock(t *testing.T) {
	say := func(part func(int) (int64, int64), states int) (line string) {
		synctest.Test(t, func(*testing.T) {
			var out bytes.Buffer
			p := ui.NewProgress(&ui.UI{Err: &out})
			p.Part = part
			time.Sleep(10 * time.Second)
			p.Report(explore.Stats{States: states, Frontier: 1, Depth: 3, Elapsed: 10 * time.Second})
			line = out.String()
		})
		return line
	}
	s := sweepOf(t, "version: 1\nrows:\n  - {algorithm: bully/mended, n: [2, 3], expect: {agreement-on-top: holds}}\n")
	l := &lock{Counts: map[string]counts{}}
	if l.part(&s.outcome) != nil {
		t.Error("the lock says nothing, and there is an estimate")
	}
	for i, c := range s.cases {
		l.Counts[c.key()] = counts{true, 100 + 200*i, 0, ""}
	}
	if line := say(l.part(&s.outcome), 50); !strings.Contains(line, "about 70 s left") {
		t.Errorf("50 of 400 in 10 s: %q", line)
	}
	s.results = make([]result, 1)
	if line := say(l.part(&s.outcome), 100); !strings.Contains(line, "about 10 s left, 100 states") {
		t.Errorf("200 of 400 in 10 s: %q", line)
	}
	if done, of := l.part(&s.outcome)(1000); done != 400 || of != 400 {
		t.Errorf("more states than the lock says are %d of %d", done, of)
	}
	l.Counts[s.cases[1].key()] = counts{}
	if l.part(&s.outcome) != nil {
		t.Error("a configuration is not explored to the end, and there is an estimate")
	}
}

// sweepOf is the sweep of a text, before it has begun.
func sweepOf(t *testing.T, text string) *sweep {
	t.Helper()
	rows, err := readFile("f", []byte(text), names.New(catalog.Machines, catalog.Aliases))
	if err != nil {
		t.Fatal(err)
	}
	cases, err := multiply("f", rows, options{})
	if err != nil {
		t.Fatal(err)
	}
	return &sweep{outcome: outcome{cases: cases}, tool: &ui.UI{}}
}

// TestAllTimeIsSwept: what was tried before a search is a part of its time.
func TestAllTimeIsSwept(t *testing.T) {
	r := result{stats: properties.Stats{Choosing: 20, Seconds: 3, Judging: 0.5}}
	if got := r.seconds(); got != 23.5 {
		t.Errorf("a sweep tells %v seconds", got)
	}
}
