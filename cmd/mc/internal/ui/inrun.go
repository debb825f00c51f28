package ui

import (
	"fmt"
	"unicode/utf8"

	"interleave/internal/printable"
	"interleave/linear"
)

// InRun is what is told of one run, in two lines: what was judged, and what came of it.
type InRun struct {
	Name, Doc string
	style     printable.Style
	verdict   string
	text      string
}

// Kept tells whether a run kept a property: why it did not, or in how many states or steps it was judged. A cover is
// no promise: it was reached or not.
func Kept(name, doc, reason string, judged int, cover bool) InRun {
	r := InRun{Name: name, Doc: doc, style: Good, verdict: "SEEN", text: "in " + Count(judged, "state")}
	switch {
	case reason != "":
		r.style, r.verdict, r.text = Bad, "VIOLATED", reason
	case judged == 0 && cover:
		r.style, r.verdict, r.text = Doubt, "NOT SEEN", "in no state"
	case judged == 0:
		r.style, r.verdict, r.text = Doubt, "NOT ASKED", "there was no state in which it could be judged"
	}
	return r
}

// AtEnd tells whether a property held at the end of a run: why it did not, or nothing.
func AtEnd(name, doc, reason string) InRun {
	r := Kept(name, doc, reason, 1, false)
	if reason == "" {
		r.text = ""
	}
	return r
}

// Linear tells whether a run is linearizable.
func Linear(v linear.Verdict) InRun {
	r := InRun{Name: v.Object, Doc: v.Doc, style: Doubt, verdict: v.Outcome.String(), text: fmt.Sprintf("%s, %s answered", Count(v.Requests, "request"), Comma(v.Answers))}
	switch v.Outcome {
	case linear.Linearizable:
		r.style = Good
	case linear.NotLinearizable:
		r.style = Bad
	}
	if v.Reason != "" {
		r.text += "; " + v.Reason
	}
	return r
}

// TellInRun tells what is said of one run.
func (u *UI) TellInRun(rows []InRun) {
	name, verdict := 16, len("NOT ASKED")
	for _, r := range rows {
		name, verdict = max(name, min(utf8.RuneCountInString(r.Name), 32)), max(verdict, len(r.verdict))
	}
	for _, r := range rows {
		u.Hanging(fmt.Sprintf("  %-*s %s ", name, printable.Text(r.Name), r.style.Render(fmt.Sprintf("%-*s", verdict, r.verdict))), printable.Text(r.Doc))
		if r.text != "" {
			u.Hanging(fmt.Sprintf("  %-*s %-*s ", name, "", verdict, ""), printable.Text(r.text))
		}
	}
}
