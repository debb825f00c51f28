package sweep

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/ui"
	"interleave/properties"
	"interleave/properties/election"
)

// markdownLegend explains the cells of the tables.
const markdownLegend = "✓ holds; ✗ n is violated, a shortest run has n steps (of messages-bounded(k): one that sends the most); ✗ ↻n is violated, a run of n steps that cycles; ≤ holds up to a bound; ? is not decided."

// tellMarkdown prints a table of each family, in the order of the file.
func tellMarkdown(u *ui.UI, o *outcome) {
	var families []string
	rows := map[string][]result{}
	for _, r := range o.results {
		f := names.Family(r.algorithm())
		if rows[f] == nil {
			families = append(families, f)
		}
		rows[f] = append(rows[f], r)
	}
	fmt.Fprintf(u.Out, "%s\n", markdownLegend)
	for _, f := range families {
		fmt.Fprintf(u.Out, "\n### %s\n\n", markdownText(f))
		tellFamily(u, rows[f])
	}
	if n := len(o.cases) - len(o.results); n > 0 {
		fmt.Fprintf(u.Out, "\n%s not run.\n", ui.Count(n, "configuration"))
	}
	if n := len(o.differences); n > 0 {
		fmt.Fprintf(u.Out, "\n%s from the lock:\n\n%s", ui.Count(n, "difference"), markdownLock(o.differences, math.MaxInt))
	}
}

// markdownLock lists what differs from the lock in so many bytes, and says how that is accepted.
func markdownLock(differences []difference, room int) string {
	var out strings.Builder
	for i, d := range differences {
		line := fmt.Sprintf("- lock: %s\n", markdownText(d.String()))
		if out.Len()+len(line) > room {
			fmt.Fprintf(&out, "- %d more\n", len(differences)-i)
			break
		}
		out.WriteString(line)
	}
	out.WriteString("\nIf this is meant, accept it with `--update-lock`.\n")
	return out.String()
}

func tellFamily(u *ui.UI, rows []result) {
	names := checkedNames(rows)
	about := slices.ContainsFunc(rows, func(r result) bool { return r.row.about != "" })
	titles, rule := []string{"algorithm", "world"}, "|---|---|"
	for _, name := range names {
		titles = append(titles, markdownText(name))
	}
	titles = append(titles, "states")
	rule += strings.Repeat(":-:|", len(names)) + "--:|"
	if about {
		titles, rule = append(titles, "about"), rule+"---|"
	}
	fmt.Fprintf(u.Out, "| %s |\n%s\n", strings.Join(titles, " | "), rule)
	for _, r := range rows {
		cells := []string{markdownText(r.algorithm()), markdownText(r.Words())}
		for _, name := range names {
			cells = append(cells, cell(r, name))
		}
		states := ui.Comma(r.stats.States)
		if r.stats.Overapprox > 0 {
			states = "not counted"
		}
		cells = append(cells, states)
		if about {
			cells = append(cells, markdownText(r.row.about))
		}
		fmt.Fprintf(u.Out, "| %s |\n", strings.Join(cells, " | "))
	}
}

// checkedNames returns the properties that occur, in the order of all.
func checkedNames(rows []result) []string {
	var names []string
	for _, r := range rows {
		for _, j := range r.judged {
			if !slices.Contains(names, j.name) {
				names = append(names, j.name)
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	return names
}

func rank(name string) int {
	i := slices.IndexFunc(election.All, func(p properties.Property) bool { return p.Name == name })
	if i < 0 {
		return len(election.All)
	}
	return i
}

// cell returns what was found of a property, and what was expected if that is
// something else; nothing if it was not checked.
func cell(r result, name string) string {
	for _, j := range r.judged {
		switch {
		case j.name != name:
		case j.passes():
			return j.sign()
		default:
			return fmt.Sprintf("**%s**, expected %s", j.sign(), signOf(j.want))
		}
	}
	return ""
}

// sign returns what was found, with a mark if the run cycles.
func (j judged) sign() string {
	if j.found.Word == report.Violated && j.finding.Cycles() {
		return fmt.Sprintf("✗ ↻%d", j.finding.Depth)
	}
	return signOf(j.found)
}

// signOf returns an answer as short as it goes.
func signOf(a report.Answer) string {
	switch a.Word {
	case report.Holds:
		return "✓"
	case report.Bounded:
		return "≤"
	case report.Inconclusive:
		return "?"
	case report.Violated:
		if a.Steps == report.AnySteps {
			return "✗"
		}
		return fmt.Sprintf("✗ %d", a.Steps)
	}
	return a.Word
}
