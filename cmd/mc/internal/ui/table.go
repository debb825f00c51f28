package ui

import (
	"strings"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"

	"interleave/internal/printable"
)

// NewTable returns a table with a title row and no lines.
func NewTable(titles ...string) Table {
	for i, title := range titles {
		titles[i] = Title.Render(title)
	}
	return Table{table.New().Headers(titles...).
		Border(lipgloss.HiddenBorder()).BorderTop(false).BorderBottom(false).BorderLeft(false).BorderRight(false).
		BorderHeader(false).BorderColumn(false).
		StyleFunc(func(int, int) lipgloss.Style { return lipgloss.NewStyle().PaddingRight(2) })}
}

// Table are the rows of a table.
type Table struct{ *table.Table }

// Row adds one. What does not print is escaped, or the columns would not be as wide as they are
// shown.
func (r Table) Row(cells ...string) {
	for i, cell := range cells {
		cells[i] = printable.Text(cell)
	}
	r.Table.Row(cells...)
}

// Lines returns the lines of a table, without the blanks that fill up its last column. Those
// that are too long for the terminal go on below that.
func (u *UI) Lines(rows Table) string {
	lines := strings.Split(strings.TrimRight(rows.String(), "\n"), "\n")
	for i, line := range lines {
		if lines[i] = strings.TrimRight(line, " "); u.Columns >= Fewest {
			lines[i] = hung(lines[i], u.Columns)
		}
	}
	return strings.Join(lines, "\n")
}
