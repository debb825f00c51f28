package report

import (
	"cmp"
	"fmt"
	"unicode/utf8"

	"interleave/cmd/mc/internal/ui"
	"interleave/model/picture"
	"interleave/spec"
)

// PrintFields prints how many values the parts of objects had, a line each.
func PrintFields(u *ui.UI, fields []spec.FieldValues) {
	width := 0
	for _, f := range fields {
		width = max(width, utf8.RuneCountInString(named(f)))
	}
	for _, f := range fields {
		u.Hanging(fmt.Sprintf("  %-*s  %9s  ", width, named(f), ui.Count(f.Values, "value")), "such as "+picture.OneLine(f.Last))
	}
}

// named returns what a part of an object is called.
func named(f spec.FieldValues) string { return cmp.Or(f.Path, "the object") }
