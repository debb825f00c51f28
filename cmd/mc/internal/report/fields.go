package report

import (
	"fmt"
	"unicode/utf8"

	"interleave/cmd/mc/internal/ui"
	"interleave/model/picture"
	"interleave/spec"
)

// PrintFields prints how many values the parts of objects had, a line each.
func PrintFields(u *ui.UI, fields []spec.FieldValues) {
	width := 0
	for i := range fields {
		if fields[i].Path == "" {
			fields[i].Path = "the object"
		}
		width = max(width, utf8.RuneCountInString(fields[i].Path))
	}
	for _, f := range fields {
		u.Hanging(fmt.Sprintf("  %-*s  %9s  ", width, f.Path, ui.Count(f.Values, "value")), "such as "+picture.OneLine(f.Last))
	}
}
