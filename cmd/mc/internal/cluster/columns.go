package cluster

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"interleave/cmd/mc/internal/ui"
	"interleave/impl/cluster"
	"interleave/internal/printable"
	"interleave/spec"
)

// column is a column of figures about the processes.
type column struct {
	title  string
	width  int // with the blanks before it
	weight int // on a narrow terminal the lightest goes first
	cell   func(row cluster.Row) string
}

var columns = []column{
	{"starts", 8, 5, func(r cluster.Row) string { return fmt.Sprint(r.Starts) }},
	{"frames/s", 10, 3, func(r cluster.Row) string { return ifUp(r, fmt.Sprintf("%.0f", r.Rate)) }},
	{"steps", 8, 2, func(r cluster.Row) string { return fmt.Sprint(r.Steps) }},
	{"breaches", 10, 4, func(r cluster.Row) string { return fmt.Sprint(r.Breaches) }},
	{"memory", 10, 1, func(r cluster.Row) string {
		if r.Memory <= 0 {
			return "-"
		}
		return ifUp(r, humanize.IBytes(uint64(r.Memory)))
	}},
}

// ifUp returns what is true of a process as long as it is up.
func ifUp(row cluster.Row, text string) string {
	if row.State == cluster.Up || row.State == cluster.Halted {
		return text
	}
	return "-"
}

// identified is how wide the columns are that are always there: who a process
// is, its state, and whom it follows.
const identified = 9 + 8 + 12

// fitting returns the columns that a terminal has room for.
func fitting(width int) []column {
	var shown []column
	for _, c := range columns {
		room := width - identified
		for _, other := range columns {
			if other.weight >= c.weight {
				room -= other.width
			}
		}
		if room >= 0 {
			shown = append(shown, c)
		}
	}
	return shown
}

func titles(shown []column, elects bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-9s%-8s", "process", "state")
	if elects {
		fmt.Fprintf(&b, "%-12s", "follows")
	}
	for _, c := range shown {
		fmt.Fprintf(&b, "%*s", c.width, c.title)
	}
	return b.String()
}

func processLine(row cluster.Row, agreed spec.ID, shown []column, elects bool) string {
	state := printable.Style("31") // red
	switch row.State {
	case cluster.Up:
		state = "32" // green
	case cluster.Halted:
		state = "33" // yellow
	}
	follows, style := ifUp(row, row.Leader.String()), printable.Style("")
	if follows != "-" {
		itself, alone := row.Leader == row.Process, row.Leader != agreed || agreed == spec.None
		switch {
		case itself && alone:
			style = ui.Doubt
		case itself:
			style = ui.Title
		case alone:
			style = "33"
		}
		if itself {
			follows += " (itself)"
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-9v%s", row.Process, state.Render(fmt.Sprintf("%-8s", row.State)))
	if elects {
		b.WriteString(style.Render(fmt.Sprintf("%-12s", follows)))
	}
	for _, c := range shown {
		fmt.Fprintf(&b, "%*s", c.width, c.cell(row))
	}
	return b.String()
}
