package cli

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"interleave/impl"
	"interleave/impl/cluster"
)

// tellVerdict tells people what a run came to.
func (t *tool) tellVerdict(c cluster.Config, v *cluster.Verdict) {
	fmt.Fprintf(t.out, "%s: %d real processes, %s, δ %v, seed %d, %.1f s; faults: %s\n\n",
		styleTitle.Render(v.Algorithm), v.N, transport(c), c.Delta, v.Seed, v.Seconds, planInWords(c.Plan))
	t.tellJudged(v)
	t.tellCourse(v, c.Elections)
	t.tellMemory(v)
	for _, text := range v.Warnings {
		fmt.Fprintf(t.out, "  %s %s\n", styleDoubt.Render("warning:    "), text)
	}
	for _, text := range append(v.Failures, v.Trouble...) {
		fmt.Fprintf(t.out, "  %s %s\n", styleBad.Render("trouble:"), text)
	}
	fmt.Fprintf(t.out, "  %-12s %s\n", "run", c.Dir)
	fmt.Fprintf(t.out, "  %-12s %s\n\n", "repeat", strings.Join(c.Command, " "))
	style := map[cluster.Outcome]lipgloss.Style{cluster.Agreed: styleGood, cluster.Disagreed: styleBad}[v.Outcome]
	if v.Outcome == cluster.Interrupted {
		style = styleDoubt
	}
	fmt.Fprintf(t.out, "%s: %s\n", style.Render(string(v.Outcome)), v.Reason)
	if v.Outcome == cluster.Agreed {
		fmt.Fprintln(t.out, "  seen in this one run; of all runs of a small world mc verify tells")
	}
}

// planInWords returns what the plan does.
func planInWords(p cluster.Plan) string {
	parts := []string{p.Faults.String()}
	for i, e := range p.Events {
		if i == 5 {
			parts = append(parts, fmt.Sprintf("%d more events", len(p.Events)-i))
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

func (t *tool) tellJudged(v *cluster.Verdict) {
	for _, j := range v.Judged {
		verdict := styleGood.Render("SEEN     ")
		if !j.Holds {
			verdict = styleBad.Render("VIOLATED ")
		}
		fmt.Fprintf(t.out, "  %-12s %s %s\n", j.Name, verdict, j.Doc)
		if j.Reason != "" {
			fmt.Fprintf(t.out, "  %-12s           %s\n", "", j.Reason)
		}
	}
	if len(v.Down) > 0 {
		fmt.Fprintf(t.out, "  %-12s %v\n", "down", strings.Trim(fmt.Sprint(v.Down), "[]"))
	}
}

// tellCourse tells what happened along the run.
func (t *tool) tellCourse(v *cluster.Verdict, elections int) {
	c := v.Course
	fmt.Fprintf(t.out, "  %-12s %s, %.1f a minute; %s, %d of an agreed leader, %d of those without a next one\n", "elections",
		count(c.Agreements, "agreement"), c.PerMinute, count(c.Deaths, "death"), c.Kills, c.Unanswered)
	if len(c.Recoveries) > 0 {
		fmt.Fprintf(t.out, "  %-12s median %s, worst %s, until all live processes follow a live one\n", "after a kill",
			msInDeltas(c.MedianMS, c.MedianD), msInDeltas(c.WorstMS, c.WorstD))
	}
	if elections > 0 {
		fmt.Fprintf(t.out, "  %-12s all %d processes agreed after %d of %s\n", "healed", v.N, c.Healed, count(elections, "kill"))
	}
	t.tellSpells("split", "two live processes followed different ones", c.Split)
	t.tellSpells("rivals", "two live processes both followed themselves", c.Rivals)
	fmt.Fprintf(t.out, "  %-12s %s\n", "network", frames(v.Traffic))
	fmt.Fprintf(t.out, "  %-12s %s\n", "assumptions", assumptions(v.Breaches))
}

func (t *tool) tellSpells(name, doc string, s cluster.SpellReport) {
	text := "never " + doc
	if s.Count > 0 {
		text = fmt.Sprintf("%s, %.0f ms in all, %.0f ms at most: %s", count(s.Count, "time"), s.TotalMS, s.LongestMS, doc)
	}
	fmt.Fprintf(t.out, "  %-12s %s\n", name, text)
}

// assumptions tells which of them the processes saw violated.
func assumptions(breaches map[impl.BreachKind]int) string {
	var parts []string
	for _, kind := range impl.BreachKinds {
		if n := breaches[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d times", kind, n))
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
func (t *tool) tellMemory(v *cluster.Verdict) {
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
	fmt.Fprintf(t.out, "  %-12s process %v, over %d s: %s MiB, at most %.1f\n", "memory", longest.Process, longest.Samples,
		strings.Join(quarters, ", "), float64(longest.Most)/(1<<20))
}
