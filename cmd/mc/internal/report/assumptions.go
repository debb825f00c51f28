package report

import (
	"fmt"

	"interleave/cmd/mc/internal/ui"
	"interleave/spec"
)

// Assuming says on what a pass of existing code rests: what is taken for granted, and how often that was put to the test.
func Assuming(assumes []spec.Assumption, audits int) string {
	tests := ui.Count(audits, "test")
	switch {
	case audits == 0:
		return ""
	case assumes == nil:
		return fmt.Sprintf(" (%s of other histories)", tests)
	case assumes[0].Field == "Key":
		return fmt.Sprintf(", assuming that %s (%s)", assumes[0].Reason, tests)
	case len(assumes) == 1:
		return fmt.Sprintf(", assuming that 1 ignored field does not matter (%s)", tests)
	}
	return fmt.Sprintf(", assuming that %d ignored fields do not matter (%s)", len(assumes), tests)
}
