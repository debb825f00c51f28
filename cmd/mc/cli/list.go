package cli

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"
	"github.com/spf13/cobra"

	"interleave/internal/printable"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

func newList(u *tool, known machines) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the algorithms and the properties",
		Args:  noArgument,
		RunE:  func(*cobra.Command, []string) error { return runList(u, known, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// listing is what mc list prints.
type listing struct {
	Algorithms []listedAlgorithm `json:"algorithms"`
	Properties []listedProperty  `json:"properties"`
	Predicates []string          `json:"predicates"` // of which a formula can speak; p is a process
}

type listedAlgorithm struct {
	Name    string            `json:"name"`
	Aliases []string          `json:"aliases,omitempty"`
	Doc     string            `json:"doc"`
	Source  string            `json:"source"`
	Axes    []string          `json:"axes"`            // of the world, that mean something to it
	World   map[string]string `json:"world,omitempty"` // defaults of its own
}

type listedProperty struct {
	Name   string          `json:"name"`
	Kind   properties.Kind `json:"kind"`
	Doc    string          `json:"doc"`
	Source string          `json:"source,omitempty"`
}

func runList(u *tool, known machines, asJSON bool) error {
	l := listed(known)
	if asJSON {
		return u.printJSON(l)
	}
	algorithms := newTable("ALGORITHM", "ALIAS", "WHAT IT IS")
	for _, a := range l.Algorithms {
		algorithms.Row(a.Name, strings.Join(a.Aliases, " "), a.Doc)
	}
	props := newTable("PROPERTY", "KIND", "WHAT IT SAYS")
	for _, p := range l.Properties {
		props.Row(p.Name, p.Kind.String(), p.Doc)
	}
	fmt.Fprintf(u.out, "%s\n\n%s\n\n", u.lines(algorithms), u.lines(props))
	notes := "A family's bare name means its first variant. L(p) is the leader in the eyes of p; top is the\n" +
		"process that ought to win. A formula about runs speaks of up(p), knows(p), leads(p), rest and\n" +
		"what properties say of states, see mc help formulas. mc list --json also tells sources and worlds."
	if u.columns >= fewest {
		notes = narrowed(notes, u.columns)
	}
	for line := range strings.SplitSeq(notes, "\n") { // one by one, or each would be made as long as the longest
		fmt.Fprintln(u.out, styleFaint.Render(line))
	}
	return nil
}

func listed(known machines) listing {
	l := listing{Predicates: properties.Predicates()}
	for _, m := range known.list {
		traits := m.Traits()
		l.Algorithms = append(l.Algorithms, listedAlgorithm{
			Name: traits.Name, Aliases: known.aliasesOf(traits.Name), Doc: traits.Doc,
			Source: traits.Source, Axes: axes(traits), World: traits.World,
		})
	}
	for _, p := range slices.Concat(known.own, properties.All) {
		l.Properties = append(l.Properties, listedProperty{p.Name, p.Kind, p.Doc, p.Source})
	}
	return l
}

// axes returns the axes of the world that mean something to an algorithm.
func axes(t spec.Traits) []string {
	means := map[string]bool{
		"ring":       t.Ring,
		"initiators": t.Handles.Has(spec.Start) || t.Handles.Has(spec.Notice),
		"detector":   t.Handles.Has(spec.Suspect),
		"suspicions": t.Handles.Has(spec.Suspect),
		"timers":     len(t.Rules) > 0,
		"delta":      len(t.Rules) > 0,
		"durations":  len(t.Rules) > 0,
		"start":      t.Follow != nil,
		"bound":      t.Measure != nil,
	}
	if t.Handles.Has(spec.Round) {
		for _, axis := range []string{"losses", "duplicates", "partitions", "split", "recoveries", "suspicions"} {
			means[axis] = false
		}
	}
	var out []string
	for _, axis := range model.Axes {
		if yes, known := means[axis]; yes || !known {
			out = append(out, axis)
		}
	}
	return out
}

// newTable returns a table with a title row and no lines.
func newTable(titles ...string) rows {
	for i, title := range titles {
		titles[i] = styleTitle.Render(title)
	}
	return rows{table.New().Headers(titles...).
		Border(lipgloss.HiddenBorder()).BorderTop(false).BorderBottom(false).BorderLeft(false).BorderRight(false).
		BorderHeader(false).BorderColumn(false).
		StyleFunc(func(int, int) lipgloss.Style { return lipgloss.NewStyle().PaddingRight(2) })}
}

// rows are the rows of a table.
type rows struct{ *table.Table }

// Row adds one. What does not print is escaped, or the columns would not be as wide as they are
// shown.
func (r rows) Row(cells ...string) {
	for i, cell := range cells {
		cells[i] = printable.Text(cell)
	}
	r.Table.Row(cells...)
}

// lines returns the lines of a table, without the blanks that fill up its last column. Those
// that are too long for the terminal go on below that.
func (u *tool) lines(rows rows) string {
	lines := strings.Split(strings.TrimRight(rows.String(), "\n"), "\n")
	for i, line := range lines {
		if lines[i] = strings.TrimRight(line, " "); u.columns >= fewest {
			lines[i] = hung(lines[i], u.columns)
		}
	}
	return strings.Join(lines, "\n")
}
