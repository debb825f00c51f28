package conform

import (
	"strings"
	"testing"

	"interleave/cmd/mc/internal/execution"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/logs"
	"interleave/conformance/matrix"
)

// TestKindsOfOneLine: whatever kind of message a log or a capture says, it takes one row.
func TestKindsOfOneLine(t *testing.T) {
	const row = "  receive TWO LINES              1\n"
	kinds := []conformance.KindCount{{Kind: "receive TWO\nLINES", Count: 1}}
	var out strings.Builder
	tl := &ui.UI{Out: &out}
	tellLogs(tl, &logs.Report{Kinds: kinds, Verdict: conformance.Conforms}, logs.Budget{})
	tellCapture(tl, "some.pcapng", &captures.Report{Messages: kinds, Verdict: conformance.Conforms})
	if got := strings.Count(out.String(), row); got != 2 {
		t.Errorf("%d rows %q in\n%s", got, row, out.String())
	}
}

// TestEscaped: whatever logs and packets say of themselves, it stays in its line, and texts
// that differ go on to differ.
func TestEscaped(t *testing.T) {
	const nasty = "é\n\x1b[31m\u009b\u202e\x7f\""
	const want = "é\\n\\x1b[31m\\u009b\\u202e\\x7f\""
	misses := []conformance.FieldDiff{{Field: nasty, Expected: nasty, Found: nasty}}
	for name, tell := range map[string]func(*ui.UI){
		"logs": func(t *ui.UI) {
			tellLogs(t, &logs.Report{Logged: nasty, Verdict: conformance.Refuted, Refutation: &logs.Refutation{What: nasty, Reason: nasty, Misses: misses}}, logs.Budget{})
		},
		"capture": func(t *ui.UI) {
			tellCapture(t, "some.pcapng", &captures.Report{
				Captured: nasty, Verdict: conformance.Refuted, Safety: []captures.SafetyReport{{Packet: 1, Reason: nasty}, {Reason: nasty}},
				Unexplained: &captures.Unexplained{What: nasty, Reason: nasty, Allowed: []captures.Alternative{{What: nasty, When: nasty, State: nasty, Misses: misses}}, Counterfactuals: []captures.Counterfactual{{Change: nasty, Result: nasty}}},
			})
		},
		"both": func(t *ui.UI) {
			tellBoth(t, &captures.Crosscheck{Discrepancies: []string{nasty}}, false)
		},
	} {
		var out strings.Builder
		tell(&ui.UI{Out: &out})
		text := out.String()
		if got := strings.Count(text, want); got != map[string]int{"logs": 6, "capture": 13, "both": 1}[name] || strings.Contains(text, nasty) {
			t.Errorf("%s: %d in %q", name, got, text)
		}
	}
}

// TestUndecidedRun: where packets are missing that the logs have, it is not said that both agree.
func TestUndecidedRun(t *testing.T) {
	var out strings.Builder
	both := &captures.Crosscheck{Reason: "packets are missing", Discrepancies: []string{"one says so, and the other does not"}}
	tellBoth((&ui.UI{Out: &out}), both, false)
	if text := out.String(); !strings.Contains(text, "\n    one says so, and the other does not\n\n"+ui.Doubt.Render("INCONCLUSIVE")+": packets are missing\n") || strings.Contains(text, "agree") {
		t.Error(text)
	}
}

// TestMoreDiscrepancies: where not all that contradicts each other is told, how much more of it there is.
func TestMoreDiscrepancies(t *testing.T) {
	for more, want := range map[int]string{0: "\n    one says so, and the other does not\n\n", 1234: "\n    one says so, and the other does not\n    and 1,234 more\n\n"} {
		var out strings.Builder
		both := &captures.Crosscheck{Verdict: conformance.Refuted, Discrepancies: []string{"one says so, and the other does not"}, More: more}
		tellBoth((&ui.UI{Out: &out}), both, false)
		if !strings.Contains(out.String(), want) {
			t.Errorf("%d more: %s", more, out.String())
		}
	}
}

// TestUndecidedForgeries: forgeries that are not decided are no hole.
func TestUndecidedForgeries(t *testing.T) {
	for _, f := range []matrix.Forged{{Unknown: 1}, {Places: 1}} {
		if r := (matrixReport{Forgeries: []matrix.Forged{f}}); r.undecided() != (f.Unknown > 0) || r.hole() {
			t.Errorf("%+v: undecided %v, a hole %v", f, r.undecided(), r.hole())
		}
	}
}

// TestStatus: a property that the algorithm brings along decides the exit status if it is violated, or was not looked at to
// the end; one that no packet can tell does not.
func TestStatus(t *testing.T) {
	for _, c := range []struct {
		property captures.SafetyReport
		want     error
		told     string
	}{
		{captures.SafetyReport{Own: true, Across: captures.HoldsInAll}, nil, ""},
		{captures.SafetyReport{Own: true, Across: captures.ViolatedInAll}, ui.ExitViolated, ""},
		{captures.SafetyReport{Own: true, Across: captures.Depends}, nil, ""},
		{captures.SafetyReport{Own: true, Across: captures.Undecided}, nil, ""},
		{captures.SafetyReport{Own: true, Across: captures.Undecided, Unfinished: true}, ui.ExitInconclusive, "mc: the property calm: UNDECIDED\n"},
		{captures.SafetyReport{Across: captures.Undecided, Unfinished: true}, nil, ""},
	} {
		c.property.Property = "calm"
		var told strings.Builder
		r := &execution.Report{Verdict: conformance.Conforms, Capture: &captures.Report{Safety: []captures.SafetyReport{c.property}}}
		if got := status(&ui.UI{Err: &told}, &options{}, r); got != c.want || told.String() != c.told {
			t.Errorf("%+v: %v, %q", c.property, got, told.String())
		}
	}
}
