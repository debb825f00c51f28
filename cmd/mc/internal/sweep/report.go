package sweep

import (
	"fmt"
	"strings"

	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/ui"
	"interleave/model"
	"interleave/model/picture"
	"interleave/properties"
)

// widths are the widths of what stands in a line for a configuration.
type widths struct{ algorithm, world, verdicts int }

func columnsOf(cases []configuration) (w widths) {
	for _, c := range cases {
		var expected []report.Answer
		for _, e := range c.row.expect {
			expected = append(expected, e.Answer)
		}
		w.algorithm = max(w.algorithm, len(c.algorithm()))
		w.world = max(w.world, len(c.Words()))
		w.verdicts = max(w.verdicts, len(tally(expected).String()))
	}
	return w
}

// answerCounts counts answers by word.
type answerCounts map[string]int

func tally(answers []report.Answer) answerCounts {
	counts := answerCounts{}
	for _, o := range answers {
		counts[o.Word]++
	}
	return counts
}

func (c answerCounts) String() string {
	var out []string
	numbers := 0 // of messages, each of which is a word of its own
	for _, n := range c {
		numbers += n
	}
	for _, word := range []string{report.Holds, report.Reached, report.Never, report.Bounded, report.Inconclusive, report.Violated} {
		numbers -= c[word]
		told := word
		if word == report.Holds && c[word] > 1 {
			told = "hold"
		}
		if c[word] > 0 {
			out = append(out, ui.Comma(c[word])+" "+told)
		}
	}
	if numbers > 0 {
		out = append(out, ui.Count(numbers, "number")+" of messages")
	}
	return strings.Join(out, ", ")
}

// tellResult prints a line for a configuration, and what is not as expected.
func tellResult(u *ui.UI, r result, w widths) {
	mark := ui.Good.Render("ok") + "  "
	if !r.passes() {
		mark = ui.Bad.Render("FAIL")
	}
	fmt.Fprintf(u.Out, "%s  %-*s  %-*s  %-*s  %s in %s\n", mark, w.algorithm, r.algorithm(), w.world, r.Words(),
		w.verdicts, tally(r.found()), report.Explored(r.stats), ui.Seconds(r.seconds()))
	for _, j := range r.judged {
		switch {
		case !j.passes():
			fmt.Fprintf(u.Out, "      %s: expected %v, found %s\n", j.name, j.want, j.told())
		case j.finding.OnlyLuck:
			fmt.Fprintf(u.Out, "      %s: %s\n", j.name, properties.OnlyLuck)
		}
	}
	if r.passes() {
		return
	}
	if r.lock != "" {
		fmt.Fprintf(u.Out, "      lock: %s\n", r.lock)
	}
	if r.row.about != "" {
		fmt.Fprintf(u.Out, "      %s\n", ui.Faint.Render("about: "+r.row.about))
	}
	fmt.Fprintf(u.Out, "      %s\n", ui.Faint.Render("repeat with: "+r.Command()))
}

// told says what was found of the property, loudly.
func (j judged) told() string {
	text := ui.StyleOf(j.finding.Verdict).Render(j.found.Loud())
	switch {
	case j.found.Word == report.Violated && j.finding.Trace != nil,
		j.found.Word == report.Reached:
		text += " after " + ui.Steps(j.finding.Depth)
	}
	if j.finding.Why != "" {
		text += ": " + picture.OneLine(j.finding.Why)
	}
	if j.finding.OnlyLuck {
		text += "; " + properties.OnlyLuck
	}
	return text
}

// document is what mc sweep --json prints, and what its summary counts.
type document struct {
	Version int          `json:"version"`
	File    string       `json:"file"`
	Pass    bool         `json:"pass"`             // all was checked, and nothing differs: what the file expects, or the lock says
	Rows    []sweptRow   `json:"rows"`             // the configurations that were checked
	Failed  *failedRow   `json:"failed,omitempty"` // what could not be run, if there is such
	Lock    []difference `json:"lock_differences"` // never null
	Summary summary      `json:"summary"`
}

// sweptRow is one configuration.
type sweptRow struct {
	Line        int             `json:"line"` // of its row in the file
	Algorithm   string          `json:"algorithm"`
	Config      model.Config    `json:"config"`
	AllRings    bool            `json:"all_rings"`
	World       string          `json:"world"` // in words: what differs from the algorithm's own
	About       string          `json:"about,omitempty"`
	Slow        bool            `json:"slow"`
	Pass        bool            `json:"pass"` // each of the properties, and the lock
	Properties  []sweptProperty `json:"properties"`
	States      int             `json:"distinct_states"`
	Transitions int             `json:"transitions"`
	Depth       int             `json:"depth"`
	Seconds     float64         `json:"seconds"`
	Proof       string          `json:"proof,omitempty"` // with --certify
	Repeat      string          `json:"repeat"`
}

// failedRow is a configuration that could not be run.
type failedRow struct {
	Line      int    `json:"line"`
	Algorithm string `json:"algorithm"`
	World     string `json:"world"`
	Why       string `json:"why"`
	Repeat    string `json:"repeat"`
}

type sweptProperty struct {
	Name     string `json:"name"`
	Expected string `json:"expected"`
	Found    string `json:"found"`
	Depth    int    `json:"depth"` // steps of the counterexample, or to the goal
	Why      string `json:"why,omitempty"`
	OnlyLuck bool   `json:"only_luck,omitempty"` // as in what mc verify prints
	Pass     bool   `json:"pass"`
}

type summary struct {
	Configurations int          `json:"configurations"`
	AsExpected     int          `json:"as_expected"`
	Differing      int          `json:"differing"`
	NotRun         int          `json:"not_run"`
	Unlocked       int          `json:"lock_differences"`
	Verdicts       int          `json:"verdicts"`
	Outcomes       answerCounts `json:"outcomes"`
	Proofs         proofCounts  `json:"proofs,omitempty"` // with --certify
	States         int          `json:"distinct_states"`
	Transitions    int          `json:"transitions"`
	Seconds        float64      `json:"seconds"`
}

// documentVersion is the version of the JSON form.
const documentVersion = 1

func documentOf(o *outcome) document {
	d := document{Version: documentVersion, File: o.options.file, Pass: o.passes(), Rows: []sweptRow{}, Summary: o.summary()}
	d.Lock = append([]difference{}, o.differences...)
	if c := o.failed(); c != nil {
		d.Failed = &failedRow{c.row.line, c.algorithm(), c.Words(), o.failure.Error(), c.Command()}
	}
	for _, r := range o.results {
		row := sweptRow{
			Line: r.row.line, Algorithm: r.algorithm(), Config: r.Config, AllRings: r.AllRings, World: r.Words(),
			About: r.row.about, Slow: r.row.slow, Pass: r.passes(), Properties: []sweptProperty{}, Repeat: r.Command(),
			States: r.stats.States, Transitions: r.stats.Transitions, Depth: r.stats.Depth, Seconds: r.seconds(),
			Proof: r.proof.String(),
		}
		for _, j := range r.judged {
			row.Properties = append(row.Properties, sweptProperty{j.name, j.want.String(), j.found.Word, j.finding.Depth, j.finding.Why, j.finding.OnlyLuck, j.passes()})
		}
		d.Rows = append(d.Rows, row)
	}
	return d
}

// conclude prints what stands at the end, or all of it.
func conclude(u *ui.UI, o *outcome) error {
	switch {
	case o.options.json:
		return u.PrintJSON(documentOf(o))
	case o.options.markdown:
		tellMarkdown(u, o)
	default:
		fmt.Fprintln(u.Out)
		u.Hanging("", o.summary().String())
	}
	return nil
}

func (s summary) String() string {
	text := fmt.Sprintf("%s, %s as expected", ui.Count(s.Configurations, "configuration"), ui.Comma(s.AsExpected))
	if s.Differing > 0 {
		text += fmt.Sprintf(", %s not", ui.Bad.Render(ui.Comma(s.Differing)))
	}
	if s.NotRun > 0 {
		text += fmt.Sprintf(", %s not run", ui.Doubt.Render(ui.Comma(s.NotRun)))
	}
	if s.Unlocked > 0 {
		text += "; " + ui.Bad.Render(ui.Count(s.Unlocked, "difference")) + " from the lock"
	}
	if s.Verdicts > 0 {
		text += fmt.Sprintf("; %s: %v", ui.Count(s.Verdicts, "verdict"), s.Outcomes)
	}
	switch n := s.Outcomes[report.Violated]; {
	case n == 1:
		text += ", with a counterexample that replays"
	case n > 1:
		text += ", each with a counterexample that replays"
	}
	if s.Proofs != nil {
		text += "; " + s.Proofs.String()
	}
	return text + fmt.Sprintf("; %s in %s", ui.Count(s.States, "state"), ui.Seconds(s.Seconds))
}
