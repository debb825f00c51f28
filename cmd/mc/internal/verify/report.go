package verify

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/ui"
	"interleave/explore"
	"interleave/model"
	"interleave/model/picture"
	"interleave/properties"
)

// tellReport prints a report for people.
func tellReport(u *ui.UI, o *options, r *properties.Report) {
	u.Hanging("", fmt.Sprintf("%s: %s\n", ui.Title.Render(r.Algorithm), o.World.Machine.Traits().Doc))
	assumptions := slices.Clone(r.Assumptions)
	for i, a := range assumptions {
		if r.AllRings && strings.HasPrefix(a, "ring ") {
			assumptions[i] = fmt.Sprintf("ring        every placement up to rotation, %s of them", ui.Comma(r.RingsInAll))
		}
	}
	u.Assume(assumptions)
	fmt.Fprintln(u.Out)
	var names []string
	for _, f := range r.Findings {
		names = append(names, f.Name)
	}
	width := report.ColumnOf(names)
	for _, f := range r.Findings {
		tellFinding(u, f, width, r.Stats.Omission != nil)
	}
	if r.Scope != "" {
		u.Hanging("  ", ui.Faint.Render(r.Scope))
	}
	fmt.Fprintln(u.Out)
	for _, same := range report.Runs(r.Findings) {
		report.PrintTrace(u, o.Form, same, r.Stats.Reduction == properties.Reduced || r.Stats.Omission != nil)
	}
	for _, f := range r.Findings {
		report.PrintMessages(u, o.Form, f)
	}
	tellStats(u, o, r)
	if r.Fields != nil {
		fmt.Fprintln(u.Out)
		u.Hanging("", "The parts of the code with the most values keep most states apart. If one cannot matter, as a count of calls, let the Code ignore it:")
		report.PrintFields(u, r.Fields)
	}
	verdict := ui.StyleOf(r.Verdict).Render(r.Verdict.String()) + report.Assuming(r.Assumes, r.Audits)
	if r.Why != "" {
		verdict += ": " + r.Why
	}
	fmt.Fprintf(u.Out, "\n%s\n%s\n", verdict, ui.Faint.Render("repeat with: "+o.Command()))
}

func tellFinding(u *ui.UI, f properties.Finding, width int, lossy bool) {
	verdict := f.Verdict.String()
	if f.Kind == properties.CoverKind {
		verdict = map[properties.Verdict]string{properties.Verified: "REACHED", properties.Violated: "NEVER"}[f.Verdict]
		if verdict == "" {
			verdict = f.Verdict.String()
		}
	}
	style := ui.StyleOf(f.Verdict)
	if !f.Counts() {
		style = ui.Faint
	}
	if utf8.RuneCountInString(f.Name) > width {
		fmt.Fprintf(u.Out, "  %s\n", f.Name)
		f.Name = ""
	}
	u.Hanging(fmt.Sprintf("  %-*s %s  ", width, f.Name, style.Render(fmt.Sprintf("%-12s", verdict))), meaning(f, lossy))
	if f.Note != "" {
		u.Hanging(fmt.Sprintf("  %*s ", width+14, ""), ui.Faint.Render(f.Note))
	}
	if f.OnlyLuck {
		u.Hanging(fmt.Sprintf("  %*s ", width+14, ""), properties.OnlyLuck)
	}
}

// meaning says in words what a finding means. With a lossy store there may be a
// shorter way to the goal of a cover.
func meaning(f properties.Finding, lossy bool) string {
	f.Why = picture.OneLine(f.Why)
	switch {
	case f.Kind == properties.CoverKind && f.Verdict == properties.Verified && lossy:
		return fmt.Sprintf("%s, after %s", f.Doc, ui.Steps(f.Depth))
	case f.Kind == properties.CoverKind && f.Verdict == properties.Verified:
		if f.Depth < 0 {
			return f.Doc
		}
		return fmt.Sprintf("%s, first after %s", f.Doc, ui.Steps(f.Depth))
	case f.Lost > 0 && f.Trace != nil:
		least := ""
		if f.MoreLost {
			least = "at least "
		}
		return fmt.Sprintf("after %s: %s; of all states found, %s%s lost like this one", ui.Steps(f.Depth), f.Why, least, ui.Plural(f.Lost, "is", "are"))
	case f.Verdict == properties.Violated && f.Trace != nil:
		return fmt.Sprintf("after %s: %s", ui.Steps(f.Depth), f.Why)
	case f.Why != "":
		return fmt.Sprintf("%s: %s", f.Doc, f.Why)
	}
	return f.Doc
}

func tellStats(u *ui.UI, o *options, r *properties.Report) {
	s := r.Stats
	took := ui.Seconds(report.Searching(s))
	switch {
	case s.Overapprox > 0:
		fmt.Fprintf(u.Out, "%s in %s: there any message under way may arrive next, and again later\n", report.Explored(s), took)
		fmt.Fprintln(u.Out, "what holds there holds here; how many states there are here was not counted")
	case s.States > 0 && s.Engine == properties.Symbolic.String() && s.Outcome != explore.Exhausted.String():
		fmt.Fprintf(u.Out, "%s, %s quiescent, in %s; what leads from one to the next was not counted: %s\n",
			ui.Count(s.States, "distinct state"), ui.Comma(s.Quiescent), took, s.Outcome)
	case s.States > 0 || s.Attempts == nil:
		fmt.Fprintf(u.Out, "%s, %s, %s%s quiescent, in %s\n",
			ui.Count(s.States, "distinct state"), ui.Count(s.Transitions, "transition"), report.Depth(s), ui.Comma(s.Quiescent), took)
	}
	if s.Nodes > 0 {
		fmt.Fprintf(u.Out, "as a decision diagram of %s: %s\n", ui.Count(s.Nodes, "node"), s.How)
	}
	if s.Because != "" {
		fmt.Fprintf(u.Out, "by the %s engine: %s\n", s.Engine, s.Because)
	}
	if s.Reduction != "" {
		fmt.Fprintf(u.Out, "reduction: %s\n", s.Reduction)
	}
	if s.Judging > 1 {
		fmt.Fprintf(u.Out, "and %s to look for cycles and to repeat counterexamples\n", ui.Seconds(s.Judging))
	}
	switch {
	case s.Complete || s.Overapprox > 0 && s.Outcome == explore.Exhausted.String(), s.Engine == properties.Symbolic.String() && s.States > 0:
	case s.Outcome == explore.Depleted.String():
		fmt.Fprintln(u.Out, "perhaps not everything:", s.Outcome)
	case s.Engine == properties.Symbolic.String():
		fmt.Fprintf(u.Out, "not everything: no diagram of all states was found: %s\n", s.Outcome)
	default:
		fmt.Fprintln(u.Out, report.Left(s.Outcome, s.Frontier, s.Depth))
	}
	if why := mayGrow(r); why != "" {
		fmt.Fprintf(u.Out, "queues may grow without bound%s: try --network set, or --max-depth\n", why)
	}
	if r.CountsOn() {
		fmt.Fprintln(u.Out, "what processes remember may grow without bound: try --bound 2")
	}
	if s.Omission != nil && r.Verdict == properties.Violated {
		fmt.Fprintf(u.Out, "store: %v\n", s.Omission)
	}
	if len(r.Rings) < r.RingsInAll {
		fmt.Fprintf(u.Out, "not everything: %s of %s placements were looked at\n", ui.Comma(len(r.Rings)), ui.Comma(r.RingsInAll))
	}
	if len(r.NeverFired) > 0 && r.Config.N > 1 { // one alone has nobody to talk to
		within := ""
		if r.Config.Bound > 0 {
			within = " within the bound"
		}
		fmt.Fprintf(u.Out, "%s never happened%s, though this world allows it: %s\n", ui.Doubt.Render("suspicious:"), within, strings.Join(r.NeverFired, ", "))
	}
	if names := r.NeedNotStay(); names != nil {
		fmt.Fprintf(u.Out, "%s --undecided names what is decided: %s\n", ui.Doubt.Render("suspicious:"), strings.Join(names, ", "))
	}
	if names := r.BoundLeaves(); names != nil {
		fmt.Fprintf(u.Out, "no search decides %s within a bound: --undecided %s leaves that out of the verdict\n", strings.Join(names, ", "), ui.ShellWord(strings.Join(names, ",")))
	}
	if o.stats {
		tellSearch(u, r)
	}
}

// fewMessages are so many in a queue that one may think of a bound.
const fewMessages = 12

// mayGrow says why messages may pile up where a search did not finish; empty: nothing
// speaks for it.
func mayGrow(r *properties.Report) string {
	piles := r.Config.Network == model.FIFO || r.Config.Network == model.Bag
	longest := r.Stats.Tables.Longest
	switch {
	case !r.Stats.CutShort() || !piles:
		return ""
	case r.Config.Timers == model.Any || r.Config.Timers == model.Mixed:
		return " where timers expire early"
	case min(longest, r.Stats.Depth) >= fewMessages && 2*longest >= r.Stats.Depth: // a few steps may send many at once
		return fmt.Sprintf(", as one has %d messages already", longest)
	}
	return ""
}

func tellSearch(u *ui.UI, r *properties.Report) {
	s := r.Stats
	row := func(name, format string, args ...any) {
		fmt.Fprintf(u.Out, "  %-22s %s\n", name, fmt.Sprintf(format, args...))
	}
	fmt.Fprintln(u.Out)
	if s.States > 0 || s.Overapprox > 0 {
		tellCosts(s, row)
	}
	for _, a := range s.Attempts {
		row("attempt", "%v: %s in %s; %s nodes made, up to %s at once", a, a.Outcome, ui.Seconds(a.Seconds), ui.Comma(a.Nodes), ui.Comma(a.Peak))
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Fired)) {
		row("  "+kind, "%s", ui.Comma(s.Fired[kind]))
	}
	for _, ring := range r.Rings {
		row(fmt.Sprintf("ring %v", ring.Ring), "%s states, %s transitions, %s%v", ui.Comma(ring.States), ui.Comma(ring.Transitions), report.Depth(ring.Stats), ring.Verdict)
	}
}

// tellCosts prints what the states that were found took.
func tellCosts(s properties.Stats, row func(name, format string, args ...any)) {
	if s.Overapprox == 0 {
		row("initial states", "%s", ui.Comma(s.Initial))
		row("generated", "%s, as TLC counts: initial states and transitions", ui.Comma(s.Generated))
	}
	if s.Engine == properties.Explicit.String() {
		row("states a second", "%s", ui.Comma(int(float64(s.States)/max(s.Seconds, 1e-9))))
		switch {
		case s.Disk > 0:
			row("memory", "%s at most; a state is %d bytes", humanize.IBytes(uint64(s.Bytes)), 8*s.WordsPerState)
		case s.Omission != nil:
			row("memory", "%s, %.1f bytes a state", humanize.IBytes(uint64(s.Bytes)), s.BytesPerState)
		default:
			row("memory", "%s, %.1f bytes a state, of which %d are the state", humanize.IBytes(uint64(s.Bytes)), s.BytesPerState, 8*s.WordsPerState)
		}
		if o := s.Omission; o != nil {
			row("store", "%s; %.3g %% full, one more state is omitted with %.2g", o.Store, 100*o.Fill, o.Mistake)
			row("omitted", "%.2g states are expected to be, any with %.2g; %.6g %% kept", o.Omitted, o.Any, 100*o.Coverage)
		}
		if s.Disk > 0 {
			row("disk", "%s at most", humanize.IBytes(uint64(s.Disk)))
		}
	} else {
		row("diagram", "%s nodes, of vectors with %s places; %s events", ui.Comma(s.Nodes), ui.Comma(s.Places), ui.Comma(s.Events))
		row("memory", "%s, collected %s", humanize.IBytes(uint64(s.Bytes)), ui.Count(s.Sweeps, "time"))
	}
	row("handler calls", "%s", ui.Comma(s.Tables.HandlerCalls))
	row("learned", "%s local states, %s inboxes, %s local steps", ui.Comma(s.Tables.Locals), ui.Comma(s.Tables.Inboxes), ui.Comma(s.Tables.Moves))
}
