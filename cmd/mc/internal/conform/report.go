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
	"interleave/conformance/drive"
	"interleave/conformance/logs"
	"interleave/conformance/matrix"
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

// printDrive prints what came of driving real processes through a model.
func printDrive(u *ui.UI, m spec.Machine, r *drive.Report, json bool) error {
	if json {
		return u.PrintJSON(r)
	}
	over := "links over UDP"
	if r.Datagrams {
		over = "bare UDP datagrams"
	}
	runs := r.Algorithm
	if r.Real != "" {
		runs = r.Real
	}
	fmt.Fprintf(u.Out, "%s: %d real processes of %s on %s, driven through %s of the model\n\n", ui.Title.Render(r.Algorithm), r.Config.N, runs, over, ui.Count(r.States, "state"))
	u.Assume(r.Config.Assumptions(m))
	fmt.Fprintln(u.Out)
	for _, k := range r.Kinds {
		note := never(k.Performed)
		if k.Performed == 0 && !k.Possible {
			note = "  the model never takes it"
		}
		tellKind(u, k.Kind, k.Performed, note)
	}
	fmt.Fprintf(u.Out, "\n  classes of local steps %s of %s, in %s and %s\n", ui.Comma(r.Classes.Covered), ui.Comma(r.Classes.Total), ui.Count(r.Runs, "run"), ui.Count(r.Steps, "step"))
	if r.Panics > 0 {
		fmt.Fprintf(u.Out, "  a handler panics in %s of these steps, in the model and in the real process\n", ui.Comma(r.Panics))
	}
	if r.Refusals.Total > 0 {
		fmt.Fprintf(u.Out, "  what a process refuses in the model it refused in %s of %s classes\n", ui.Comma(r.Refusals.Covered), ui.Comma(r.Refusals.Total))
	}
	tellUncovered(u, r)
	if d := r.Disagreement; d != nil {
		fmt.Fprintf(u.Out, "\n%s %v\n", ui.Bad.Render("DISAGREES"), d)
		return nil
	}
	switch {
	case r.Interrupted:
		fmt.Fprintf(u.Out, "\n%s: all that was driven agrees, but it was interrupted\n", ui.Doubt.Render("INCONCLUSIVE"))
	case r.Runs == 0:
		fmt.Fprintf(u.Out, "\n%s: there is nothing that real processes can be made to do\n", ui.Doubt.Render("INCONCLUSIVE"))
	case r.Verdict != drive.Agrees:
		fmt.Fprintf(u.Out, "\n%s: all that was driven agrees, but the model has more states than --max-states\n", ui.Doubt.Render("INCONCLUSIVE"))
	case len(r.Uncovered) > 0:
		fmt.Fprintf(u.Out, "\n%s every step that real processes can be made to take\n", ui.Good.Render("AGREES"))
	default:
		fmt.Fprintf(u.Out, "\n%s in every class of local steps\n", ui.Good.Render("AGREES"))
	}
	return nil
}

// maxTold is how many of the classes that were not covered are shown of each
// reason.
const maxTold = 3

// tellUncovered lists what was not covered, by reason.
func tellUncovered(u *ui.UI, r *drive.Report) {
	var reasons []string
	of := map[string][]string{}
	for _, left := range r.Uncovered {
		if of[left.Reason] == nil {
			reasons = append(reasons, left.Reason)
		}
		of[left.Reason] = append(of[left.Reason], left.Class)
	}
	for _, reason := range reasons {
		fmt.Fprintf(u.Out, "  %s not covered: %s\n", ui.Comma(len(of[reason])), reason)
		for i, class := range of[reason] {
			if i == maxTold {
				fmt.Fprintf(u.Out, "    and %s more (--json lists all)\n", ui.Comma(len(of[reason])-i))
				break
			}
			fmt.Fprintf(u.Out, "    %s\n", picture.OneLine(class))
		}
	}
}

// tellMatrix shows which layers kill which mutants of an algorithm.
func tellMatrix(u *ui.UI, m spec.Machine, rows []matrix.Row, layers []matrix.Layer) {
	u.Hanging("", ui.Title.Render(m.Traits().Name)+": "+m.Traits().Doc)
	head := []string{"MUTANT"}
	for _, l := range layers {
		head = append(head, l.Name)
	}
	table := ui.NewTable(append(head, "WHAT IT DOES")...)
	for _, r := range rows {
		_, name := spec.Original(r.Mutant)
		cells := []string{name}
		for _, l := range layers {
			switch {
			case l.Name == "verify" && r.Killed[l.Name] != "":
				cells = append(cells, r.Killed[l.Name])
			case r.Killed[l.Name] != "":
				cells = append(cells, "killed")
			case r.Limits[l.Name] != "":
				cells = append(cells, "undecided")
			default:
				cells = append(cells, "-")
			}
		}
		what := r.Doc
		switch {
		case r.Hole():
			what = "SURVIVES: " + what
		case r.Undecided():
			what = "UNDECIDED: " + what
		case len(r.Killed) == 0:
			what = "assumed to survive: " + r.Survives
		}
		table.Row(append(cells, what)...)
	}
	fmt.Fprintln(u.Out, u.Lines(table))
	fmt.Fprintln(u.Out)
}

// tellForged shows at how many places a forgery is seen.
func tellForged(u *ui.UI, rows []matrix.Forged) {
	table := ui.NewTable(slices.Concat([]string{"FORGERY", "places"}, matrix.ForgedLayers(), []string{"WHAT NO LAYER SEES"})...)
	for _, r := range rows {
		if r.Places == 0 {
			continue
		}
		cells := []string{r.Forgery, fmt.Sprint(r.Places)}
		for _, l := range matrix.ForgedLayers() {
			n, looks := r.Killed[l]
			cells = append(cells, map[bool]string{true: fmt.Sprint(n), false: "-"}[looks])
		}
		var left []string
		if len(r.Holes) > 0 {
			left = append(left, fmt.Sprintf("%d SURVIVE: %s", len(r.Holes), r.Holes[0]))
		}
		if r.Honest > 0 {
			left = append(left, fmt.Sprintf("%d may be true: %s", r.Honest, strings.Join(r.Why, "; ")))
		}
		if r.Unknown > 0 {
			left = append(left, fmt.Sprintf("%d not decided: too many ways", r.Unknown))
		}
		table.Row(append(cells, strings.Join(left, "; "))...)
	}
	fmt.Fprintln(u.Out, u.Lines(table))
	fmt.Fprintln(u.Out)
}

// printMatrix prints what each layer kills, and what nothing does, in all algorithms. Those of each were told when
// they were known, but for JSON.
func printMatrix(u *ui.UI, all []matrixReport, layers []matrix.Layer, json bool) error {
	if json {
		return u.PrintJSON(all)
	}
	var rows []matrix.Row
	for _, r := range all {
		rows = append(rows, r.Mutants...)
	}
	for _, l := range layers {
		n := 0
		for _, r := range rows {
			if r.Killed[l.Name] != "" {
				n++
			}
		}
		fmt.Fprintf(u.Out, "%-7s kills %d of %s\n", l.Name, n, ui.Count(len(rows), "mutant"))
	}
	for _, r := range rows {
		switch {
		case r.Hole():
			fmt.Fprintf(u.Out, "%s %s\n", ui.Bad.Render("SURVIVES"), r.Mutant)
		case r.Undecided():
			fmt.Fprintf(u.Out, "%s %s\n", ui.Bad.Render("UNDECIDED"), r.Mutant)
			for _, l := range layers {
				if limit := r.Limits[l.Name]; limit != "" {
					fmt.Fprintf(u.Out, "  %s: %s\n", l.Name, limit)
				}
			}
		}
	}
	for _, r := range all {
		for _, f := range r.Forgeries {
			for _, hole := range f.Holes {
				fmt.Fprintf(u.Out, "%s %s, %s, %s\n", ui.Bad.Render("SURVIVES"), r.Algorithm, f.Forgery, hole)
			}
			if f.Unknown > 0 {
				fmt.Fprintf(u.Out, "%s %s, %s, at %s: there are more ways than are looked at\n", ui.Bad.Render("UNDECIDED"), r.Algorithm, f.Forgery, ui.Count(f.Unknown, "place"))
			}
		}
	}
	return nil
}

// tellProperty tells what --property asked for, beside a report of any form.
func tellProperty(u *ui.UI, p captures.SafetyReport) {
	fmt.Fprintf(u.Err, "mc: --property %s: %v\n", p.Property, p.Across)
}
