// Package report prints runs and findings in the same way for every verb.
package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"interleave/cmd/mc/internal/ui"
	"interleave/model"
	"interleave/model/picture"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
)

// Form says how runs of an algorithm are printed.
type Form struct {
	Machine    spec.Machine
	FullStates bool
	Mermaid    bool
	Sequence   bool
}

// Runs groups the findings that count and have a trace: those of the same run
// together.
func Runs(findings []properties.Finding) [][]properties.Finding {
	shown := slices.DeleteFunc(slices.Clone(findings), func(f properties.Finding) bool { return f.Trace == nil || !f.Counts() })
	return Together(shown, func(f, g properties.Finding) bool { return f.Trace.SameRun(g.Trace) })
}

// PrintTrace tells the run that all the findings have in common, which may be
// longer than it has to be.
func PrintTrace(u *ui.UI, o Form, same []properties.Finding, long bool) {
	f := same[0]
	reference, run, _, err := election.Replay(o.Machine, f.Trace, f.Property)
	if err != nil {
		fmt.Fprintf(u.Out, "%v\n", err)
		return
	}
	names := f.Name
	for _, g := range same[1:] {
		names += ", " + g.Name
	}
	title := fmt.Sprintf("%s %s: a shortest run", names, f.Verdict)
	if long || slices.ContainsFunc(same, func(f properties.Finding) bool { return f.MoreLost }) {
		title = fmt.Sprintf("%s %s: a run, not always a shortest", names, f.Verdict)
	}
	switch {
	case f.Trace.Loop > len(f.Trace.Steps):
		title = fmt.Sprintf("%s %s: a run that ends", names, f.Verdict)
	case f.Trace.Loop > 0:
		title = fmt.Sprintf("%s %s: a run that cycles, from step %d forever", names, f.Verdict, f.Trace.Loop)
	case f.Kind == properties.MessagesKind:
		title = fmt.Sprintf("%s %s: a run that sends the most", names, f.Verdict)
	}
	fmt.Fprintf(u.Out, "%s\n", ui.Title.Render(title))
	tellSteps(u, o, reference, run, f.Trace)
	PrintForever(u, reference, run, f.Trace)
	PrintCourses(u, reference, run, same)
	for _, g := range same {
		fmt.Fprintf(u.Out, "  %s: %s\n", g.Name, picture.OneLine(g.Why))
	}
	fmt.Fprintln(u.Out)
}

// PrintForever tells how a run goes on after its last step, if it does, and why
// that is fair.
func PrintForever(u *ui.UI, r *model.Reference, run *model.Run, trace *model.Trace) {
	switch {
	case trace.Loop == 0:
		return
	case trace.Loop > len(trace.Steps):
		fmt.Fprintln(u.Out, "  and there it is quiescent: nothing that must happen in the end is possible")
		return
	}
	fmt.Fprintf(u.Out, "  and again from step %d", trace.Loop)
	witnesses, err := properties.Witnesses(r, run, trace.Loop)
	if err != nil { // a run of messages without end need not be fair
		fmt.Fprintln(u.Out)
		return
	}
	fmt.Fprintln(u.Out, ", forever, which is fair:")
	rows := ui.NewTable("FAIRNESS", "STEP", "BECAUSE IT")
	for _, w := range witnesses {
		rows.Row(w.Owed.String(), w.Class, w.Because())
	}
	fmt.Fprintln(u.Out, u.Lines(rows))
}

// PrintCourses tells where on a run the atoms of formulas are true.
func PrintCourses(u *ui.UI, r *model.Reference, run *model.Run, same []properties.Finding) {
	var all []properties.Course
	for _, f := range same {
		all = append(all, f.Property.Courses(r, run)...)
	}
	if all == nil {
		return
	}
	slices.SortFunc(all, func(a, b properties.Course) int { return strings.Compare(a.Atom, b.Atom) })
	rows := ui.NewTable("ATOM", "TRUE AFTER STEP", "FALSE AFTER STEP")
	for _, c := range slices.Compact(all) {
		rows.Row(c.Atom, c.True, c.False)
	}
	fmt.Fprintln(u.Out, u.Lines(rows))
}

// PrintMessages tells a run that sends the least messages and, unless it is told
// as a counterexample, one that sends the most.
func PrintMessages(u *ui.UI, o Form, f properties.Finding) {
	if f.Messages == nil {
		return
	}
	runs := []struct {
		trace *model.Trace
		title string
	}{{f.Messages.LeastRun, "a run that sends the least"}, {f.Messages.MostRun, "a run that sends the most"}}
	if f.Messages.Least == f.Messages.Most && f.Messages.Ends && !f.Messages.Unbounded {
		runs = runs[:1]
		runs[0].title = "every run sends as much as this one"
	}
	for _, run := range runs {
		if run.trace == nil || run.trace == f.Trace {
			continue
		}
		reference, repeated, err := model.Replay(o.Machine, run.trace)
		if err != nil {
			fmt.Fprintf(u.Out, "%v\n", err)
			continue
		}
		fmt.Fprintf(u.Out, "%s\n", ui.Title.Render(fmt.Sprintf("%s: %s, %d", f.Name, run.title, repeated.MessagesSent())))
		tellSteps(u, o, reference, repeated, run.trace)
		fmt.Fprintln(u.Out)
	}
}

// tellSteps prints a run as a diagram or as a table.
func tellSteps(u *ui.UI, o Form, r *model.Reference, run *model.Run, trace *model.Trace) {
	switch {
	case o.Mermaid:
		fmt.Fprintln(u.Out)
		Draw(u, picture.Of(r, run, trace), true)
	case o.Sequence:
		Draw(u, picture.Of(r, run, trace), false)
	default:
		PrintRun(u, r, run, trace, o.FullStates)
	}
}

// Draw prints a run as a sequence diagram: in a Markdown block, or for a terminal.
func Draw(u *ui.UI, p *picture.Picture, mermaid bool) {
	if mermaid {
		fmt.Fprintf(u.Out, "```mermaid\n%s```\n", picture.Mermaid(p))
		return
	}
	fmt.Fprint(u.Out, picture.Text(p, picture.TextOptions{Columns: u.Columns, Paint: Paint}))
}

// PrintRun prints the steps of a run, each with what it changes.
func PrintRun(u *ui.UI, r *model.Reference, run *model.Run, trace *model.Trace, fullStates bool) {
	if trace.Config.Ring != nil {
		fmt.Fprintf(u.Out, "  ring %s\n", trace.Config.Value("ring"))
	}
	if trace.Config.Initiators != (model.Initiators{}) {
		fmt.Fprintf(u.Out, "  initiators %v\n", trace.Initiators)
	}
	if fullStates {
		PrintState(u, run.States[0])
	}
	rows := ui.NewTable("STEP", "PROCESS", "EVENT", "WHAT CHANGES")
	eventRoom, room := rooms(u, r, run)
	for i, step := range run.Steps {
		action, changes := ActionOf(r, step), picture.OneLine(strings.Join(r.Changes(run.States[i], step), "; "))
		mark := " "
		if trace.Loop > 0 && i+1 >= trace.Loop {
			mark = "↻"
		}
		if fullStates {
			fmt.Fprintf(u.Out, "%s %d  process %v: %s: %s\n", mark, i+1, step.Event.Process, action, changes)
			if step.Panic == "" {
				PrintState(u, step.After)
			}
			continue
		}
		process := "all"
		if step.Event.Process != spec.None {
			process = step.Event.Process.String()
		}
		rows.Row(fmt.Sprintf("%s%3d", mark, i+1), fmt.Sprintf("%7s", process), ui.Wrapped(action, eventRoom), ui.Wrapped(changes, room))
	}
	if !fullStates && len(run.Steps) > 0 {
		fmt.Fprintln(u.Out, u.Lines(rows))
	}
}

// rooms returns how many columns a terminal has for the events of a run and for what they change;
// without a terminal, or on a very narrow one, so many that nothing is cut off.
func rooms(u *ui.UI, r *model.Reference, run *model.Run) (events, changes int) {
	const before, between, few = len("STEP  PROCESS  "), 2, 14
	events = len("EVENT")
	for _, step := range run.Steps {
		events = max(events, utf8.RuneCountInString(ActionOf(r, step)))
	}
	room := u.Columns - before - between
	switch {
	case room < 2*few:
		return math.MaxInt, math.MaxInt
	case room-events < ui.Fewest:
		events = room / 2
	}
	return events, room - events
}

// PrintState prints a state, a line for each process.
func PrintState(u *ui.UI, s model.State) {
	for i, l := range s.Locals {
		text := l.Status.String()
		if l.Status != model.Down {
			text = picture.OneLine(fmt.Sprintf("%+v", l.State))
			if l.Status == model.Booting {
				text += " booting"
			}
		}
		for _, e := range s.Inboxes[i] {
			text += "  " + picture.OneLine(fmt.Sprintf("%v from %v", e.Message, e.From))
		}
		fmt.Fprintf(u.Out, "       %s\n", ui.Faint.Render(fmt.Sprintf("%2d  %s", i+1, text)))
	}
}

// ActionOf says on one line what a step is.
func ActionOf(r *model.Reference, step model.Step) string {
	return picture.OneLine(r.Describe(step.Event))
}
