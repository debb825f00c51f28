package tla

import (
	"context"
	"strings"
	"testing"
	"time"

	"interleave/cmd/mc/internal/ui"
	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/tla"
	"interleave/tla/value"
)

// TestLongTrace: a trace that takes longer to tell than there is time is left out, and that
// is said; the verdict stays. What is told in time is told in full.
func TestLongTrace(t *testing.T) {
	testsize.Alone(t)
	trace := &tla.Trace{Variables: []string{"x"}, States: [][]value.Value{{value.Int(0)}}}
	for i := range 50_000 {
		trace.States = append(trace.States, []value.Value{value.Int(i + 1)})
		trace.Steps = append(trace.Steps, tla.Step{Name: "Next"})
	}
	r := &tla.Report{Findings: []tla.Finding{{Name: "Inv", Answer: tla.Answer{Verdict: explore.Violated, Why: "Inv is false"}, Trace: trace}}, Outcome: explore.Stopped}
	over, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	const left = "the trace of Inv, 50,001 states, is left out: time ran out"
	for _, c := range []struct {
		name           string
		ctx            context.Context
		patience       time.Duration
		json, complete bool
	}{
		{"in time", t.Context(), 0, false, true},
		{"in time, JSON", t.Context(), 0, true, true},
		{"just in time", over, time.Minute, false, true},
		{"too late", over, 0, false, false},
		{"too late, JSON", over, 0, true, false},
	} {
		o := &checkOptions{moduleFiles: moduleFiles{module: "M.tla"}, json: c.json, out: "."}
		got := toldInTime(c.ctx, (&ui.UI{}), c.patience, o, r)
		text := string(got.text)
		if got.err != nil || !strings.Contains(text, "VIOLATED") || strings.Contains(text, left) == c.complete || strings.Contains(text, "50000") != c.complete || (len(got.traces) > 0) != c.complete {
			t.Errorf("%s: %v, %d files, %d bytes: %.400s", c.name, got.err, len(got.traces), len(text), text)
		}
	}
	if r.Findings[0].Trace == nil || r.Notes != nil {
		t.Error("the report is changed")
	}
}
