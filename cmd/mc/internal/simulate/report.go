package simulate

import (
	"fmt"
	"math"
	"strings"

	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/ui"
	"interleave/model/picture"
	"interleave/properties"
)

// tell prints a simulation for people.
func tell(u *ui.UI, o *options, s *properties.Simulation) {
	u.Hanging("", fmt.Sprintf("%s: %s\n", ui.Title.Render(s.Algorithm), o.World.Machine.Traits().Doc))
	u.Assume(s.Assumptions)
	fmt.Fprintln(u.Out)
	tellFindings(u, s)
	fmt.Fprintln(u.Out)
	for _, same := range report.Runs(s.Findings) {
		report.PrintTrace(u, o.Form, same, true)
	}
	tellStats(u, s)
	if s.Verdict == properties.Violated {
		fmt.Fprintf(u.Out, "\n%s: run %s, of %s%s, of which %s are left%s\n", ui.StyleOf(s.Verdict).Render(s.Verdict.String()), ui.Comma(s.Run), ui.Steps(s.RunSteps-s.AheadSteps), ahead(s), ui.Comma(depth(s)), cutOff(s))
	} else if s.Stats.Runs == 0 {
		fmt.Fprintln(u.Out, "\nnothing found, and no run came to its end; this verifies nothing: give it more time, or fewer --steps")
		return
	} else {
		fmt.Fprintf(u.Out, "\nnothing found in %s of up to %s; this verifies nothing\n", ui.Count(s.Stats.Runs, "run"), ui.Steps(s.MaxSteps))
	}
	fmt.Fprintln(u.Out, ui.Faint.Render("repeat with: "+o.command(s)))
}

// ahead says how many steps were added to the run by a search; empty: none.
func ahead(s *properties.Simulation) string {
	if s.AheadSteps == 0 {
		return ""
	}
	return " and " + ui.Comma(s.AheadSteps) + " that a search added"
}

// cutOff says that the run may be larger than it has to be; empty: it is not.
func cutOff(s *properties.Simulation) string {
	if !s.CutOff {
		return ""
	}
	return "; it was not made smaller to the end, which takes long"
}

// depth is how many steps the counterexample has.
func depth(s *properties.Simulation) (n int) {
	for _, f := range s.Findings {
		n = max(n, f.Depth)
	}
	return n
}

// tellFindings prints a line for each property.
func tellFindings(u *ui.UI, s *properties.Simulation) {
	var names []string
	for _, f := range s.Findings {
		names = append(names, f.Name)
	}
	for _, r := range s.Reached {
		names = append(names, r.Name)
	}
	width := report.ColumnOf(append(append(names, s.Unreached...), s.NotJudged...))
	line := func(name, verdict, text string) {
		u.Hanging(fmt.Sprintf("  %s %-13s  ", report.InColumn(name, width), verdict), text)
	}
	for _, f := range s.Findings {
		if f.Verdict == properties.Violated {
			line(f.Name, ui.StyleOf(f.Verdict).Render(fmt.Sprintf("%-13v", f.Verdict)), fmt.Sprintf("after %s: %s", ui.Steps(f.Depth), picture.OneLine(f.Why)))
		} else {
			line(f.Name, "nothing found", strings.TrimSuffix(f.Doc+"; "+f.Why, "; "))
		}
	}
	for _, r := range s.Reached {
		line(r.Name, "REACHED", fmt.Sprintf("%s, first in run %s after %s", r.Doc, ui.Comma(r.Run), ui.Steps(r.Steps)))
	}
	for _, name := range s.Unreached {
		line(name, "not reached", "")
	}
	for _, name := range s.NotJudged {
		line(name, "not judged", "it is about whole runs, or what can follow")
	}
}

// tellStats says what the runs met.
func tellStats(u *ui.UI, s *properties.Simulation) {
	st := s.Stats
	say := func(format string, args ...any) { u.Hanging("", fmt.Sprintf(format, args...)) }
	say("%s of %s, the longest of %s, by %v, seed %d", ui.Count(st.Runs, "run"), ui.Steps(int(st.Steps)), ui.Comma(st.Longest), s.Scheduler, s.Seed)
	ends := []string{ui.Comma(st.Rested) + " became quiescent"}
	if st.Unrested > 0 {
		ends = append(ends, fmt.Sprintf("%s did not within %s", ui.Comma(st.Unrested), ui.Steps(s.MaxSteps)))
	}
	if st.CutShort > 0 {
		ends = append(ends, ui.Comma(st.CutShort)+" were cut short by the bound")
	}
	say("%s", strings.Join(ends, ", "))
	if s.Verdict == properties.Violated { // the runs before tell little
		return
	}
	if s.Bound > 0 {
		say("pct: %s of up to %s and %s each find a bug of depth %d with a probability of at least %s, together of at least %s",
			ui.Count(st.Measured, "run"), ui.Count(st.Threads, "thread"), ui.Steps(st.Longest), s.Depth, atLeast(s.Bound), atLeast(-math.Expm1(float64(st.Measured)*math.Log1p(-s.Bound))))
	}
	more := ""
	if st.Full {
		more = "at least "
	}
	say("%s%s and %s, %s and %s of them new in the last tenth of the runs",
		more, ui.Count(st.LocalSteps, "distinct local step"), ui.Count(st.Views, "view"), ui.Comma(st.LateSteps), ui.Comma(st.LateViews))
	if a := s.Ahead; a != nil {
		say("then searched from %s, up to %s each: all that can follow %s was seen", ui.Count(a.States, "suspicious state"), ui.Count(s.ThenVerify, "state"), ui.Comma(a.Whole))
	}
	if len(s.NeverFired) > 0 {
		say("never happened, though the world allows it: %s", strings.Join(s.NeverFired, ", "))
	}
	if st.LateSteps+st.LateViews > 0 {
		say("The last runs still met something new: more runs would meet more.")
	} else {
		say("The last runs met no new local step and no new view; that says little of how these can be combined.")
	}
}

// atLeast writes a probability with two digits, never larger than it is.
func atLeast(p float64) string {
	if p <= 0 {
		return "0"
	}
	unit := math.Pow(10, math.Floor(math.Log10(p))-1)
	return fmt.Sprintf("%.2g", math.Floor(p/unit)*unit)
}
