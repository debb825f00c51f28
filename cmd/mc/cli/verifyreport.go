package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"interleave/explore"
	"interleave/model"
	"interleave/model/picture"
	"interleave/properties"
)

// tellReport prints a report for people.
func tellReport(u *tool, o *verifyOptions, r *properties.Report) {
	u.hanging("", fmt.Sprintf("%s: %s\n", styleTitle.Render(r.Algorithm), o.machine.Traits().Doc))
	assumptions := slices.Clone(r.Assumptions)
	for i, a := range assumptions {
		if r.AllRings && strings.HasPrefix(a, "ring ") {
			assumptions[i] = fmt.Sprintf("ring        every placement up to rotation, %s of them", comma(r.RingsInAll))
		}
	}
	u.assume(assumptions)
	fmt.Fprintln(u.out)
	var names []string
	for _, f := range r.Findings {
		names = append(names, f.Name)
	}
	width := columnOf(names)
	for _, f := range r.Findings {
		tellFinding(u, f, width, r.Stats.Odds != nil)
	}
	fmt.Fprintln(u.out)
	for _, same := range runs(r.Findings) {
		tellTrace(u, o, same, r.Stats.Reduction == properties.Reduced || r.Stats.Odds != nil)
	}
	for _, f := range r.Findings {
		tellMessages(u, o, f)
	}
	tellStats(u, o, r)
	verdict := styleOf(r.Verdict).Render(r.Verdict.String())
	if r.Why != "" {
		verdict += ": " + r.Why
	}
	fmt.Fprintf(u.out, "\n%s\n%s\n", verdict, styleFaint.Render("repeat with: "+o.command()))
}

// columnOf returns how wide a column of some properties is, without those whose
// names are very long.
func columnOf(names []string) int {
	const least, most = 10, 32
	width := least
	for _, name := range names {
		if n := utf8.RuneCountInString(name); n <= most {
			width = max(width, n)
		}
	}
	return width
}

// inColumn returns the name of a property as it stands in a column; what is too
// long for that stands on a line of its own.
func inColumn(name string, width int) string {
	if utf8.RuneCountInString(name) > width {
		return fmt.Sprintf("%s\n  %*s", name, width, "")
	}
	return fmt.Sprintf("%-*s", width, name)
}

func tellFinding(u *tool, f properties.Finding, width int, lossy bool) {
	verdict := f.Verdict.String()
	if f.Kind == properties.Reachable {
		verdict = map[properties.Verdict]string{properties.Verified: "REACHED", properties.Violated: "NEVER"}[f.Verdict]
		if verdict == "" {
			verdict = f.Verdict.String()
		}
	}
	style := styleOf(f.Verdict)
	if !f.Counts() {
		style = styleFaint
	}
	if utf8.RuneCountInString(f.Name) > width {
		fmt.Fprintf(u.out, "  %s\n", f.Name)
		f.Name = ""
	}
	u.hanging(fmt.Sprintf("  %-*s %s  ", width, f.Name, style.Render(fmt.Sprintf("%-12s", verdict))), meaning(f, lossy))
	if f.Note != "" {
		u.hanging(fmt.Sprintf("  %*s ", width+14, ""), styleFaint.Render(f.Note))
	}
}

// meaning says in words what a finding means. With a lossy store there may be a
// shorter way to the goal of a cover.
func meaning(f properties.Finding, lossy bool) string {
	f.Why = picture.OneLine(f.Why)
	switch {
	case f.Kind == properties.Reachable && f.Verdict == properties.Verified && lossy:
		return fmt.Sprintf("%s, after %s", f.Doc, steps(f.Depth))
	case f.Kind == properties.Reachable && f.Verdict == properties.Verified:
		if f.Depth < 0 {
			return f.Doc
		}
		return fmt.Sprintf("%s, first after %s", f.Doc, steps(f.Depth))
	case f.Verdict == properties.Violated && f.Trace != nil:
		return fmt.Sprintf("after %s: %s", steps(f.Depth), f.Why)
	case f.Why != "":
		return fmt.Sprintf("%s: %s", f.Doc, f.Why)
	}
	return f.Doc
}

// explored says how many states were explored, and of which world.
func explored(s properties.Stats) string {
	if s.Loose > 0 {
		return count(s.Loose, "state") + " of a looser world"
	}
	return count(s.States, "state")
}

// left says that a search ended early, and what it left.
func left(outcome string, frontier, depth int) string {
	switch {
	case outcome == explore.DepthLimit.String(): // those that are left are the deepest
		return fmt.Sprintf("not everything: %s; %s %s away found but not looked at", outcome, count(frontier, "state"), steps(depth))
	case frontier > 0:
		return fmt.Sprintf("not everything: %s; %s found but not expanded", outcome, count(frontier, "state"))
	case outcome == explore.Stopped.String():
		return "perhaps not everything: " + outcome
	}
	return "not everything: " + outcome
}

// searching returns how many seconds a search took, with what was tried before it.
func searching(s properties.Stats) float64 { return s.Choosing + s.Seconds }

// depth tells how deep a search went; empty if nobody knows.
func depth(s properties.Stats) string {
	if s.Depth < 0 {
		return ""
	}
	return fmt.Sprintf("depth %d, ", s.Depth)
}

func tellStats(u *tool, o *verifyOptions, r *properties.Report) {
	s := r.Stats
	took := seconds(searching(s))
	switch {
	case s.Loose > 0:
		fmt.Fprintf(u.out, "%s in %s: there any message under way may arrive next, and again later\n", explored(s), took)
		fmt.Fprintln(u.out, "what holds there holds here; how many states there are here was not counted")
	case s.States > 0 && s.Engine == properties.Symbolic.String() && s.Outcome != explore.Exhausted.String():
		fmt.Fprintf(u.out, "%s, %s quiescent, in %s; what leads from one to the next was not counted: %s\n",
			count(s.States, "distinct state"), comma(s.Quiescent), took, s.Outcome)
	case s.States > 0 || s.Attempts == nil:
		fmt.Fprintf(u.out, "%s, %s, %s%s quiescent, in %s\n",
			count(s.States, "distinct state"), count(s.Transitions, "transition"), depth(s), comma(s.Quiescent), took)
	}
	if s.Nodes > 0 {
		fmt.Fprintf(u.out, "as a decision diagram of %s: %s\n", count(s.Nodes, "node"), s.How)
	}
	if s.Because != "" {
		fmt.Fprintf(u.out, "by the %s engine: %s\n", s.Engine, s.Because)
	}
	if s.Reduction != "" {
		fmt.Fprintf(u.out, "reduction: %s\n", s.Reduction)
	}
	if s.Judging > 1 {
		fmt.Fprintf(u.out, "and %s to look for cycles and to repeat counterexamples\n", seconds(s.Judging))
	}
	switch {
	case s.Complete || s.Loose > 0 && s.Outcome == explore.Exhausted.String(), s.Engine == properties.Symbolic.String() && s.States > 0:
	case s.Outcome == explore.Depleted.String():
		fmt.Fprintln(u.out, "perhaps not everything:", s.Outcome)
	case s.Engine == properties.Symbolic.String():
		fmt.Fprintf(u.out, "not everything: no diagram of all states was found: %s\n", s.Outcome)
	default:
		fmt.Fprintln(u.out, left(s.Outcome, s.Frontier, s.Depth))
	}
	if why := mayGrow(r); why != "" {
		fmt.Fprintf(u.out, "queues may grow without bound%s: try --network set, or --max-depth\n", why)
	}
	if r.CountsOn() {
		fmt.Fprintln(u.out, "what processes remember may grow without bound: try --bound 2")
	}
	if s.Odds != nil && r.Verdict == properties.Violated {
		fmt.Fprintf(u.out, "store: %v\n", s.Odds)
	}
	if len(r.Rings) < r.RingsInAll {
		fmt.Fprintf(u.out, "not everything: %s of %s placements were looked at\n", comma(len(r.Rings)), comma(r.RingsInAll))
	}
	if len(r.NeverFired) > 0 && r.Config.N > 1 { // one alone has nobody to talk to
		fmt.Fprintf(u.out, "%s never happened, though this world allows it: %s\n", styleDoubt.Render("suspicious:"), strings.Join(r.NeverFired, ", "))
	}
	if names := r.NeedNotStay(); names != nil {
		fmt.Fprintf(u.out, "%s --undecided names what is decided: %s\n", styleDoubt.Render("suspicious:"), strings.Join(names, ", "))
	}
	if names := r.BoundLeaves(); names != nil {
		fmt.Fprintf(u.out, "no search decides %s within a bound: --undecided %s leaves that out of the verdict\n", strings.Join(names, ", "), shellWord(strings.Join(names, ",")))
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

func tellSearch(u *tool, r *properties.Report) {
	s := r.Stats
	row := func(name, format string, args ...any) {
		fmt.Fprintf(u.out, "  %-22s %s\n", name, fmt.Sprintf(format, args...))
	}
	fmt.Fprintln(u.out)
	if s.States > 0 || s.Loose > 0 {
		tellCosts(s, row)
	}
	for _, a := range s.Attempts {
		row("attempt", "%v: %s in %s; %s nodes made, up to %s at once", a, a.Outcome, seconds(a.Seconds), comma(a.Nodes), comma(a.Peak))
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Fired)) {
		row("  "+kind, "%s", comma(s.Fired[kind]))
	}
	for _, ring := range r.Rings {
		row(fmt.Sprintf("ring %v", ring.Ring), "%s states, %s transitions, %s%v", comma(ring.States), comma(ring.Transitions), depth(ring.Stats), ring.Verdict)
	}
}

// tellCosts prints what the states that were found took.
func tellCosts(s properties.Stats, row func(name, format string, args ...any)) {
	if s.Loose == 0 {
		row("initial states", "%s", comma(s.Initial))
		row("generated", "%s, as TLC counts: initial states and transitions", comma(s.Generated))
	}
	if s.Engine == properties.Explicit.String() {
		row("states a second", "%s", comma(int(float64(s.States)/max(s.Seconds, 1e-9))))
		switch {
		case s.Disk > 0:
			row("memory", "%s at most; a state is %d bytes", humanize.IBytes(uint64(s.Bytes)), 8*s.WordsPerState)
		case s.Odds != nil:
			row("memory", "%s, %.1f bytes a state", humanize.IBytes(uint64(s.Bytes)), s.BytesPerState)
		default:
			row("memory", "%s, %.1f bytes a state, of which %d are the state", humanize.IBytes(uint64(s.Bytes)), s.BytesPerState, 8*s.WordsPerState)
		}
		if o := s.Odds; o != nil {
			row("store", "%s; %.3g %% full, one more state is omitted with %.2g", o.Store, 100*o.Fill, o.Mistake)
			row("omitted", "%.2g states are expected to be, any with %.2g; %.6g %% kept", o.Omitted, o.Any, 100*o.Coverage)
		}
		if s.Disk > 0 {
			row("disk", "%s at most", humanize.IBytes(uint64(s.Disk)))
		}
	} else {
		row("diagram", "%s nodes, of vectors with %s places; %s events", comma(s.Nodes), comma(s.Places), comma(s.Events))
		row("memory", "%s, collected %s", humanize.IBytes(uint64(s.Bytes)), count(s.Sweeps, "time"))
	}
	row("handler calls", "%s", comma(s.Tables.HandlerCalls))
	row("learned", "%s local states, %s inboxes, %s local steps", comma(s.Tables.Locals), comma(s.Tables.Inboxes), comma(s.Tables.Moves))
}
