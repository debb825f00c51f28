package conform

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"interleave/cmd/mc/internal/execution"
	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/logs"
	"interleave/impl/runlog"
	"interleave/model/picture"
	"interleave/spec"
)

// printExecution prints what was found of an execution.
func printExecution(u *ui.UI, o *options, r *execution.Report) error {
	switch {
	case o.json && r.Directory:
		return u.PrintJSON(r)
	case o.json && r.Logs != nil:
		return u.PrintJSON(r.Logs)
	case o.json:
		return u.PrintJSON(r.Capture)
	}
	if r.Logs != nil {
		tellLogs(u, r.Logs, r.Budget)
	}
	if r.Logs != nil && r.Directory {
		fmt.Fprintln(u.Out)
	}
	if r.Capture != nil {
		tellCapture(u, r.Read.File, r.Capture)
	}
	if r.Silent != "" {
		fmt.Fprintf(u.Out, "  capture    %s: %s\n", r.Read.File, r.Silent)
	}
	if r.Both != nil {
		tellBoth(u, r.Both, o.Gaps || o.Cut)
	}
	tellInAll(u, r)
	return nil
}

// tellLogs tells what logs were found to be.
func tellLogs(u *ui.UI, r *logs.Report, budget logs.Budget) {
	u.Hanging("", fmt.Sprintf("%s: the logs of %s of %d processes: %s, %s\n", ui.Title.Render(r.Algorithm), ui.Count(r.Incarnations, "incarnation"), r.Processes,
		ui.Count(r.Lines, "line"), ui.Count(r.Steps, "step")))
	if r.Logged != "" {
		u.Hanging("  note       ", fmt.Sprintf("the logs are of %s, and are compared with %s", escaped(r.Logged), r.Algorithm))
		fmt.Fprintln(u.Out)
	}
	for _, k := range r.Kinds {
		tellKind(u, k.Kind, k.Count, never(k.Count))
	}
	tellFaults(u, r, budget)
	for _, n := range r.Notes {
		u.Hanging("  note       ", fmt.Sprintf("%v: %s", n.Place, n.Text))
	}
	if len(r.Properties)+len(r.Objects) > 0 || r.Unjudged != "" {
		fmt.Fprintln(u.Out, "\n  in this run:")
	}
	var rows []ui.InRun
	for _, p := range r.Properties {
		rows = append(rows, ui.Kept(p.Property, p.Doc, p.Reason, p.Judged, p.Cover))
	}
	for _, v := range r.Objects {
		rows = append(rows, ui.Linear(v))
	}
	u.TellInRun(rows)
	if r.JudgedUntil != "" {
		u.Hanging("  note       ", "judged until "+escaped(r.JudgedUntil))
	}
	if r.Unjudged != "" {
		u.Hanging("  note       ", "the properties of the algorithm were not judged: "+escaped(r.Unjudged))
	}
	switch r.Verdict {
	case conformance.Unknown:
		u.Hanging("\n", ui.Doubt.Render("INCONCLUSIVE")+": "+r.Reason)
		return
	case conformance.Conforms:
		u.Hanging("\n", fmt.Sprintf("%s: each step is one of %s, and each message that was handled had been sent", ui.Good.Render("CONFORMS"), r.Algorithm))
		return
	}
	tellRefutation(u, r.Refutation)
}

// tellKind prints a row of a table of kinds of steps or messages, which are named as the
// algorithm likes.
func tellKind(u *ui.UI, kind string, n int, note string) {
	fmt.Fprintf(u.Out, "  %-24s %7s%s\n", picture.OneLine(kind), ui.Comma(n), note)
}

func never(count int) string {
	if count > 0 {
		return ""
	}
	return "  never happened"
}

// tellFaults tells what became of the messages, and what went wrong.
func tellFaults(u *ui.UI, r *logs.Report, budget logs.Budget) {
	m := r.Messages
	u.Hanging("\n  messages   ", fmt.Sprintf("%s sent, %s handled, %s lost%s, %s dropped as their receiver went down, %s left at the end",
		ui.Comma(m.Sent), ui.Comma(m.Handled), ui.Comma(m.Lost), budgeted(budget.Losses), ui.Comma(m.Dropped), ui.Comma(m.Left)))
	tellCounts(u, []count{
		{m.Copied, "handled once more" + budgeted(budget.Duplicates)}, {m.Overtook, "overtaken by later ones"},
		{r.Refusals, "had to wait"}, {m.GivenUp, "given up by their senders, arrived or not"}, {r.LateRounds, "read in a later round than the next"},
	})
	fmt.Fprintf(u.Out, "  crashes    %s%s, %s%s\n", ui.Comma(r.Crashes), budgeted(budget.Crashes), ui.Count(r.Recoveries, "restart"), budgeted(budget.Recoveries))
	if r.FirstBreach == nil {
		fmt.Fprintf(u.Out, "  delta      no process saw it broken\n")
		return
	}
	var breaches []string
	for _, kind := range runlog.BreachKinds {
		if n := r.Breaches[kind]; n > 0 {
			breaches = append(breaches, fmt.Sprintf("%s %s", kind, ui.Comma(n)))
		}
	}
	u.Hanging("  delta      ", fmt.Sprintf("%s: %s; first at %v", ui.Doubt.Render("assumption violated"), strings.Join(breaches, ", "), *r.FirstBreach))
}

// count is how often something happened.
type count struct {
	times int
	what  string
}

// tellCounts tells what happened at all.
func tellCounts(u *ui.UI, all []count) {
	for _, c := range all {
		if c.times > 0 {
			fmt.Fprintf(u.Out, "             %s %s\n", ui.Comma(c.times), c.what)
		}
	}
}

// budgeted says how many faults of a kind there may be.
func budgeted(n int) string {
	if n == logs.Any {
		return ""
	}
	return fmt.Sprintf(" of at most %d", n)
}

// tellRefutation tells of the first line that nothing explains.
func tellRefutation(u *ui.UI, f *logs.Refutation) {
	fmt.Fprintf(u.Out, "\n%s %v: nothing explains this line\n\n", ui.Bad.Render("REFUTED"), f.Place)
	who := fmt.Sprintf("process %v, incarnation %d", f.Process, f.Incarnation)
	if f.Step > 0 {
		who += fmt.Sprintf(", step %d", f.Step)
	}
	fmt.Fprintf(u.Out, "  %s: %s\n  %s\n", who, escaped(f.What), escaped(f.Reason))
	for _, m := range f.Misses {
		fmt.Fprintf(u.Out, "    %s\n      expected %s\n      found    %s\n", escaped(m.Field), orNone(m.Expected), orNone(m.Found))
	}
}

func orNone(s string) string {
	if s == "" {
		return "nothing"
	}
	return escaped(s)
}

// escaped returns a text in which what does not print is escaped as in Go: logs and packets
// say what they like.
func escaped(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
	}
	return b.String()
}

// tellCapture tells people what was found in a capture.
func tellCapture(u *ui.UI, file string, r *captures.Report) {
	p := r.Packets
	took := ""
	if !r.First.IsZero() {
		took = fmt.Sprintf(", %v", r.Last.Sub(r.First).Round(time.Millisecond))
	}
	u.Hanging("", fmt.Sprintf("%s: the packets of %s of %d processes: %s, %s on links of %s, run %d%s\n", ui.Title.Render(r.Algorithm), ui.Count(r.Incarnations, "incarnation"),
		len(r.Ring), ui.Count(p.Total, "packet"), ui.Count(p.Data, "message"), r.Network, r.Run, took))
	if r.Captured != "" {
		u.Hanging("  note       ", fmt.Sprintf("the capture is of %s, and is compared with %s", escaped(r.Captured), r.Algorithm))
		fmt.Fprintln(u.Out)
	}
	for _, k := range r.Messages {
		tellKind(u, k.Kind, k.Count, never(k.Count))
	}
	tellPackets(u, r)
	if r.Restarts > 0 {
		fmt.Fprintf(u.Out, "             %s\n", ui.Count(r.Restarts, "restart"))
	}
	fmt.Fprintf(u.Out, "  evidence   %s\n", r.Evidence)
	tellSafety(u, r)
	if len(r.Leaders) > 0 {
		u.Hanging("  leaders    ", fmt.Sprintf("%v: each is followed by some process, in all explanations", r.Leaders))
	} else if r.Verdict == conformance.Conforms && r.Leaders != nil {
		fmt.Fprintf(u.Out, "  leaders    none that is followed in all explanations\n")
	}
	fmt.Fprintf(u.Out, "  frontier   %s at most, %s looked at\n", ui.Count(r.Peak, "way"), ui.Comma(r.Looked))
	for _, n := range r.Notes {
		u.Hanging("  note       ", n)
	}
	tellExplained(u, file, r)
}

// tellPackets counts the packets that carry no new message.
func tellPackets(u *ui.UI, r *captures.Report) {
	p := r.Packets
	u.Hanging("\n  packets    ", fmt.Sprintf("%s again, %s, %s, %s, %s", ui.Comma(p.Again), ui.Count(p.Acks, "ack"), ui.Count(p.Heartbeats, "heartbeat"), ui.Count(p.Hellos, "hello"), ui.Count(p.Refusals, "refusal")))
	tellCounts(u, []count{
		{p.Delivered, "delivered by the network"}, {p.OtherRuns, "of other runs"}, {p.Unreadable, "no frames of ours, or not whole"},
		{r.Unseen, "that did not pass the tap whole, as they or others say"},
	})
}

// tellSafety tells of the properties that were judged along the explanations.
func tellSafety(u *ui.UI, r *captures.Report) {
	var names []string
	for _, p := range r.Safety {
		names = append(names, p.Property)
	}
	width := report.ColumnOf(names)
	for _, p := range r.Safety {
		text := p.Across.String()
		if p.Packet > 0 {
			text += fmt.Sprintf(": packet %d", p.Packet)
		}
		if p.Reason != "" {
			text += ": " + escaped(p.Reason)
		}
		u.Hanging("  "+report.InColumn(p.Property, width)+" ", text)
	}
	violated := slices.ContainsFunc(r.Safety, func(p captures.SafetyReport) bool { return p.Across == captures.ViolatedInAll })
	if violated && r.Restarts > 0 {
		u.Hanging("  note       ", fmt.Sprintf("processes came up again: mc verify %s --crashes 1 --recoveries 1 --continue tells what that alone may violate", r.Algorithm))
	}
}

// tellExplained tells whether the algorithm explains the packets.
func tellExplained(u *ui.UI, file string, r *captures.Report) {
	switch r.Verdict {
	case conformance.Conforms:
		fmt.Fprintf(u.Out, "\n%s: %s explains every packet%s\n", ui.Good.Render("CONFORMS"), r.Algorithm, ofProcess(r.Process))
	case conformance.Refuted:
		tellUnexplained(u, file, r)
	default:
		u.Hanging("\n", ui.Doubt.Render("INCONCLUSIVE")+": "+r.Reason)
	}
}

// ofProcess says that the packets of one process were judged, and no others.
func ofProcess(id spec.ID) string {
	if id == spec.None {
		return ""
	}
	return fmt.Sprintf(" of process %v; those of the others were not judged", id)
}

// tellUnexplained tells of the first packet that nothing explains.
func tellUnexplained(u *ui.UI, file string, r *captures.Report) {
	bad := r.Unexplained
	fmt.Fprintf(u.Out, "\n%s %s, packet %d at %s: nothing explains it\n\n", ui.Bad.Render("REFUTED"), file, bad.Number, bad.Time.UTC().Format(time.RFC3339Nano))
	fmt.Fprintf(u.Out, "  process %v, incarnation %d: %s\n  %s\n", bad.Process, bad.Incarnation, escaped(bad.What), escaped(bad.Reason))
	for i, a := range bad.Allowed {
		if i == 5 {
			fmt.Fprintf(u.Out, "    and %d more\n", len(bad.Allowed)-i)
			break
		}
		fmt.Fprintf(u.Out, "    allowed  %s, on %s, in state %s\n", escaped(a.What), escaped(a.When), escaped(a.State))
		for _, m := range a.Misses {
			fmt.Fprintf(u.Out, "      %s: expected %s, found %s\n", escaped(m.Field), orNone(m.Expected), orNone(m.Found))
		}
	}
	for _, trial := range bad.Counterfactuals {
		fmt.Fprintf(u.Out, "    %s: %s\n", escaped(trial.Change), escaped(trial.Result))
	}
}

// tellBoth tells what logs and a capture say of each other. The capture may be incomplete if
// that is declared.
func tellBoth(u *ui.UI, b *captures.Crosscheck, incomplete bool) {
	silent := "that never left"
	if incomplete {
		silent = "that are not on the wire"
	}
	u.Hanging("\n  both       ", fmt.Sprintf("%s logged as on the wire, %s handled as delivered, %s to themselves, %s %s",
		ui.Count(b.Sent, "message"), ui.Comma(b.Handled), ui.Comma(b.Itself), ui.Comma(b.Silent), silent))
	tellCounts(u, []count{{b.Unseen, "handled that the capture need not have"}})
	for _, discrepancy := range b.Discrepancies {
		fmt.Fprintf(u.Out, "    %s\n", escaped(discrepancy))
	}
	if b.More > 0 {
		fmt.Fprintf(u.Out, "    and %s more\n", ui.Comma(b.More))
	}
	switch b.Verdict {
	case conformance.Refuted:
		fmt.Fprintf(u.Out, "\n%s: the logs and the wire contradict each other\n", ui.Bad.Render("REFUTED"))
	case conformance.Conforms:
		fmt.Fprintf(u.Out, "\n%s: the logs and the wire agree\n", ui.Good.Render("CONFORMS"))
	default:
		u.Hanging("\n", ui.Doubt.Render("INCONCLUSIVE")+": "+b.Reason)
	}
}

// tellInAll tells the verdict on a run of which several things were judged.
func tellInAll(u *ui.UI, r *execution.Report) {
	names, all := r.Verdicts()
	if len(all) < 2 {
		return
	}
	words := map[conformance.Verdict]string{
		conformance.Conforms: ui.Good.Render("CONFORMS"), conformance.Refuted: ui.Bad.Render("REFUTED"), conformance.Unknown: ui.Doubt.Render("INCONCLUSIVE"),
	}
	for i, v := range all {
		names[i] += " " + words[v]
	}
	fmt.Fprintf(u.Out, "\n%s in all: %s\n", words[r.Verdict], strings.Join(names, ", "))
}

// tellProperty tells of a property that decides the exit status, beside a report of any form.
func tellProperty(u *ui.UI, p captures.SafetyReport, which string) {
	fmt.Fprintf(u.Err, "mc: %s %s: %v\n", which, p.Property, p.Across)
}
