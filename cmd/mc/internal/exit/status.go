// Package exit tells an error, and says with which status mc ends.
package exit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"interleave/cmd/mc/internal/ui"
	"interleave/conformance/captures"
	"interleave/explore"
	"interleave/properties"
)

// Status tells an error and returns the exit status that it means.
func Status(u *ui.UI, err error) ui.Status {
	var told ui.Status
	var contradiction *properties.ContradictionError
	var stuck *properties.StuckError
	switch {
	case err == nil:
		return ui.ExitHolds
	case errors.As(err, &told):
		return told
	}
	for line := range strings.SplitSeq(err.Error(), "\n") { // of several errors each has one
		if !strings.HasPrefix(line, " ") { // or it goes on from the line before
			line = "mc: " + ui.Bad.Render("error:") + " " + line
		}
		fmt.Fprintln(u.Err, line)
	}
	if h := (ui.Hinted{}); errors.As(err, &h) {
		fmt.Fprintf(u.Err, "mc: hint: %s\n", strings.ReplaceAll(h.Hint, "\n", "\n  "))
	}
	if errors.As(err, &contradiction) || errors.As(err, new(*captures.ContradictionError)) || errors.As(err, new(ui.Troubled)) || errors.As(err, new(*explore.DiskError)) || ofMachine(err) {
		return ui.ExitContradicted
	}
	if errors.As(err, &stuck) {
		return ui.ExitInconclusive
	}
	return ui.ExitUsage
}

// ofMachine reports whether an error is trouble with the machine, as a disk that is full:
// whatever it was given, it may do next time.
func ofMachine(err error) bool {
	troubles := []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EIO, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM}
	return slices.ContainsFunc(troubles, func(trouble error) bool { return errors.Is(err, trouble) })
}
