package ui

import (
	"fmt"

	"interleave/internal/printable"
	"interleave/linear"
)

// TellInRun tells whether one run kept a property that its algorithm brings along: why it did not, or in how many
// states and steps it was judged.
func (u *UI) TellInRun(name, doc, reason string, judged int) {
	verdict := Good.Render("SEEN     ")
	switch {
	case reason != "":
		verdict = Bad.Render("VIOLATED ")
	case judged == 0:
		verdict, reason = Doubt.Render("NOT ASKED"), "there was no state in which it could be judged"
	default:
		reason = "in " + Count(judged, "state")
	}
	u.Hanging(fmt.Sprintf("  %-16s %s ", name, verdict), doc)
	u.Hanging(fmt.Sprintf("  %-16s %9s ", "", ""), reason)
}

// TellObject tells whether one run is linearizable.
func (u *UI) TellObject(v linear.Verdict) {
	verdict := Doubt
	switch v.Outcome {
	case linear.Linearizable:
		verdict = Good
	case linear.NotLinearizable:
		verdict = Bad
	}
	u.Hanging(fmt.Sprintf("  %-16s %s ", printable.Text(v.Object), verdict.Render(v.Outcome.String())), printable.Text(v.Doc))
	text := fmt.Sprintf("%s, %s answered", Count(v.Requests, "request"), Comma(v.Answers))
	if v.Reason != "" {
		text += "; " + printable.Text(v.Reason)
	}
	u.Hanging(fmt.Sprintf("  %-16s %9s ", "", ""), text)
}
