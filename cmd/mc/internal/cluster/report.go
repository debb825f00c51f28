package cluster

import (
	"fmt"
	"strings"
	"time"

	"interleave/cmd/mc/internal/ui"
	"interleave/impl/cluster"
	"interleave/impl/runlog"
	"interleave/internal/printable"
	"interleave/linear"
)

// tellVerdict tells people what a run came to.
func tellVerdict(u *ui.UI, c cluster.Config, v *cluster.Verdict) {
	faults := planInWords(c.Plan)
	if c.Stream && strings.Contains(faults, string(cluster.Loss)) {
		faults += "; over TCP what is lost comes late instead (stalled)"
	}
	u.Hanging(ui.Title.Render(v.Algorithm)+": ", fmt.Sprintf("%d real processes, %s, δ %v, seed %d, %.1f s; faults: %s",
		v.N, transportName(c), c.Delta, v.Seed, v.Seconds, faults))
	fmt.Fprintln(u.Out)
	tellJudged(u, v)
	tellCourse(u, v, c.Elections)
	tellMemory(u, v)
	for _, text := range v.Warnings {
		u.Hanging("  "+ui.Doubt.Render("warning:    ")+" ", text)
	}
	for _, text := range append(v.Failures, v.Trouble...) {
		u.Hanging("  "+ui.Bad.Render("trouble:    ")+" ", text)
	}
	row(u, "run", c.Dir)
	fmt.Fprintln(u.Out)
	style := map[cluster.Outcome]printable.Style{cluster.Agreed: ui.Good, cluster.Held: ui.Good, cluster.Disagreed: ui.Bad, cluster.Violated: ui.Bad}[v.Outcome]
	if v.Outcome == cluster.Interrupted {
		style = ui.Doubt
	}
	outcome := string(v.Outcome)
	if v.Outcome == cluster.Unknown {
		outcome = "UNKNOWN"
	}
	u.Hanging(style.Render(outcome)+": ", "in this run: "+v.Reason)
	if v.Outcome == cluster.Agreed || v.Outcome == cluster.Held {
		u.Hanging("  ", "this is one run; mc verify checks all runs of a small world")
	}
	fmt.Fprintf(u.Out, "repeat with: %s\n", cluster.CommandLine(c.Command))
}

// row prints a text behind its name.
func row(u *ui.UI, name, text string) { u.Hanging(fmt.Sprintf("  %-16s ", name), text) }

// planInWords returns what the plan does.
func planInWords(p cluster.Plan) string {
	parts := []string{p.Faults.String()}
	for i, e := range p.Events {
		if i == 5 {
			parts = append(parts, ui.Count(len(p.Events)-i, "more event"))
			break
		}
		when := fmt.Sprintf("%v at %v", e.Action, e.At)
		if e.Every > 0 {
			when = fmt.Sprintf("%v every %v", e.Action, e.Every)
		}
		if e.For > 0 {
			when += fmt.Sprintf(" for %v", e.For)
		}
		parts = append(parts, when)
	}
	if len(parts) > 1 && parts[0] == "none" {
		parts = parts[1:]
	}
	return strings.Join(parts, "; ")
}

func tellJudged(u *ui.UI, v *cluster.Verdict) {
	if len(v.Judged) > 0 {
		fmt.Fprintln(u.Out, "  in this run:")
	}
	var rows []ui.InRun
	for _, j := range v.Judged {
		switch {
		case j.Object != "":
			rows = append(rows, ui.Linear(linear.Verdict{Object: j.Name, Doc: j.Doc, Outcome: linear.Outcome(j.Object), Reason: j.Reason, Requests: j.Requests, Answers: j.Answers}))
		case j.Own:
			rows = append(rows, ui.Kept(j.Name, j.Doc, j.Reason, j.States, j.Cover))
		default:
			rows = append(rows, ui.AtEnd(j.Name, j.Doc, j.Reason))
		}
	}
	u.TellInRun(rows)
	if len(v.Down) > 0 {
		row(u, "down", strings.Trim(fmt.Sprint(v.Down), "[]"))
	}
}

// tellCourse tells what happened along the run.
func tellCourse(u *ui.UI, v *cluster.Verdict, elections int) {
	if v.Requests != nil {
		q := v.Requests
		row(u, "requests", fmt.Sprintf("%s: %s answered, %s refused, %s failed", ui.Comma(q.Asked), ui.Comma(q.Answered), ui.Comma(q.Refused), ui.Comma(q.Failed)))
	}
	if v.Course != nil {
		tellElections(u, v, elections)
	}
	row(u, "network", frames(v.Traffic))
	row(u, "assumptions", assumptions(v.Breaches))
	if v.Late.Count > 0 {
		row(u, "", fmt.Sprintf("mc itself was late %s, by %.0f ms at most", ui.Times(v.Late.Count), v.Late.MostMS))
	}
}

// tellElections tells how often the processes agreed on a leader, and lost it.
func tellElections(u *ui.UI, v *cluster.Verdict, elections int) {
	c := v.Course
	row(u, "elections", fmt.Sprintf("%s, %.1f a minute; %s", ui.Count(c.Agreements, "agreement"), c.PerMinute, deaths(*c)))
	if len(c.Recoveries) > 0 {
		row(u, "after a kill", fmt.Sprintf("median %s, worst %s, until all live processes follow a live one",
			msInDeltas(c.MedianMS, c.MedianD), msInDeltas(c.WorstMS, c.WorstD)))
	}
	if elections > 0 {
		row(u, "healed", fmt.Sprintf("all %d processes agreed after %d of %s", v.N, c.Healed, ui.Count(elections, "kill")))
	}
	tellSpells(u, "split", "two live processes followed different ones", c.Split)
	tellSpells(u, "rivals", "two live processes both followed themselves", c.Rivals)
}

// deaths tells who died, and whether somebody else was agreed on then.
func deaths(c cluster.CourseReport) string {
	text := ui.Count(c.Deaths, "death")
	if c.Kills > 0 {
		text += fmt.Sprintf(", %s of an agreed leader", ui.Comma(c.Kills))
	}
	if c.Unanswered > 0 {
		text += fmt.Sprintf("; after %s of these no leader was agreed on", ui.Comma(c.Unanswered))
	}
	return text
}

func tellSpells(u *ui.UI, name, doc string, s cluster.SpellReport) {
	text := "never: " + doc
	if s.Count > 0 {
		text = fmt.Sprintf("%s, %.0f ms in all, %.0f ms at most: %s", ui.Times(s.Count), s.TotalMS, s.LongestMS, doc)
	}
	row(u, name, text)
}

// assumptions tells which of them the processes saw violated.
func assumptions(breaches map[runlog.BreachKind]int) string {
	var parts []string
	for _, kind := range runlog.BreachKinds {
		if n := breaches[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", kind, ui.Times(n)))
		}
	}
	if parts == nil {
		return "no process saw one violated"
	}
	return "seen violated: " + strings.Join(parts, ", ") + "; faults after that may not be the algorithm's"
}

func msInDeltas(ms, deltas float64) string {
	return fmt.Sprintf("%v = %.1f δ", time.Duration(ms*float64(time.Millisecond)).Round(time.Millisecond), deltas)
}

// tellMemory tells of the process that was up longest, at five times.
func tellMemory(u *ui.UI, v *cluster.Verdict) {
	var longest cluster.ProcessMemory
	for _, m := range v.Memory {
		if m.Samples > longest.Samples {
			longest = m
		}
	}
	if longest.Samples == 0 {
		return
	}
	quarters := make([]string, len(longest.Quarters))
	for i, bytes := range longest.Quarters {
		quarters[i] = fmt.Sprintf("%.1f", float64(bytes)/(1<<20))
	}
	row(u, "memory", fmt.Sprintf("process %v, over %d s: %s MiB, at most %.1f", longest.Process, longest.Samples,
		strings.Join(quarters, ", "), float64(longest.Most)/(1<<20)))
}
