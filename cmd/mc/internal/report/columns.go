package report

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// ColumnOf returns how wide a column of some properties is, without those whose
// names are very long.
func ColumnOf(names []string) int {
	const least, most = 10, 32
	width := least
	for _, name := range names {
		if n := utf8.RuneCountInString(name); n <= most {
			width = max(width, n)
		}
	}
	return width
}

// InColumn returns the name of a property as it stands in a column; what is too
// long for that stands on a line of its own.
func InColumn(name string, width int) string {
	if utf8.RuneCountInString(name) > width {
		return fmt.Sprintf("%s\n  %*s", name, width, "")
	}
	return fmt.Sprintf("%-*s", width, name)
}

// Together groups what is the same, in the order of the first of each group.
func Together[F any](all []F, same func(f, g F) bool) (groups [][]F) {
	for _, f := range all {
		i := slices.IndexFunc(groups, func(g []F) bool { return same(g[0], f) })
		if i < 0 {
			groups = append(groups, []F{f})
		} else {
			groups[i] = append(groups[i], f)
		}
	}
	return groups
}
