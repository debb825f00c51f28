package report

import (
	"fmt"
	"strings"

	"interleave/cmd/mc/internal/ui"
)

// Assuming says on what a pass of existing code rests: what is taken for granted, and how often that was put to the test.
func Assuming(assumes []string, audits int) string {
	switch {
	case audits == 0:
		return ""
	case assumes == nil:
		return fmt.Sprintf(" (%s of other histories)", ui.Count(audits, "test"))
	}
	return fmt.Sprintf(", assuming %s (%s)", strings.Join(assumes, " and "), ui.Count(audits, "test"))
}
