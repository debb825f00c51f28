package properties

import (
	"fmt"
	"strings"
	"testing"

	"interleave/explore"
)

// logReport logs what a check assumed, found and counted: go test -v shows it of a test that passes.
func logReport(t *testing.T, r *Report) {
	t.Helper()
	t.Log(strings.Join(lines(r), "\n"))
}

// lines describes a report.
func lines(r *Report) []string {
	all := []string{r.Algorithm}
	for _, a := range r.Assumptions {
		all = append(all, "  "+a)
	}
	if r.AllRings {
		all = append(all, fmt.Sprintf("  every placement on the ring up to rotation: %d of %d", len(r.Rings), r.RingsInAll))
	}
	width := 0
	for _, f := range r.Findings {
		width = max(width, len(f.Name))
	}
	for _, f := range r.Findings {
		all = append(all, fmt.Sprintf("  %-*s  %-12v  %s", width, f.Name, f.Verdict, says(f)))
	}
	if r.Scope != "" {
		all = append(all, "  "+r.Scope)
	}
	all = append(all, doubts(r)...)
	verdict := r.Verdict.String()
	if r.Why != "" {
		verdict += ": " + r.Why
	}
	return append(all, "  "+counts(r.Stats), "  "+verdict)
}

// says is what a property states, why it is not so, and why that does not count.
func says(f Finding) string {
	parts := []string{f.Doc}
	for _, more := range []string{f.Why, f.Note} {
		if more != "" {
			parts = append(parts, more)
		}
	}
	return strings.Join(parts, ": ")
}

// counts says how much was explored.
func counts(s Stats) string {
	if s.Overapprox > 0 {
		return fmt.Sprintf("%d states of an over-approximation; what holds there holds here", s.Overapprox)
	}
	text := fmt.Sprintf("%d distinct states, %d transitions, %d quiescent", s.States, s.Transitions, s.Quiescent)
	if s.Outcome != explore.Exhausted.String() {
		text += "; not everything: " + s.Outcome
	}
	return text
}

// doubts are what is worth a look, even in a report that passes.
func doubts(r *Report) (lines []string) {
	within := ""
	if r.Config.Bound > 0 {
		within = " within the bound"
	}
	for _, doubt := range []struct {
		text  string
		names []string
	}{
		{"never happened" + within + ", though the world allows it", r.NeverFired},
		{"may stay undecided, and need not: they are decided", r.NeedNotStay()},
	} {
		if len(doubt.names) > 0 && r.Config.N > 1 { // one alone has nobody to talk to
			lines = append(lines, fmt.Sprintf("  suspicious: %s: %s", doubt.text, strings.Join(doubt.names, ", ")))
		}
	}
	return lines
}
