package exit

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"interleave/cmd/mc/internal/ui"
	"interleave/explore"
	"interleave/properties"
)

// TestStatus: what is no fault of the input is not taken for one.
func TestStatus(t *testing.T) {
	for _, c := range []struct {
		err  error
		want ui.Status
	}{
		{nil, ui.ExitHolds},
		{ui.ExitViolated, ui.ExitViolated},
		{errors.New("no such flag"), ui.ExitUsage},
		{fmt.Errorf("verify: %w", &explore.DiskError{Err: io.ErrUnexpectedEOF}), ui.ExitContradicted},
		{ui.Trouble(os.ErrPermission), ui.ExitContradicted},
		{&properties.ContradictionError{}, ui.ExitContradicted},
		{fmt.Errorf("--out: %w", syscall.ENOSPC), ui.ExitContradicted},
		{errors.Join(errors.New("--junit: no"), ui.Hint(syscall.EDQUOT, "make room")), ui.ExitContradicted},
		{&os.PathError{Err: syscall.EFBIG}, ui.ExitContradicted},
		{fmt.Errorf("a: %w", ui.Hint(syscall.EIO, "b")), ui.ExitContradicted},
		{syscall.EACCES, ui.ExitUsage},
	} {
		if got := Status((&ui.UI{Err: io.Discard}), c.err); got != c.want {
			t.Errorf("%v: exit status %d, want %d", c.err, got, c.want)
		}
	}
}

// TestEachErrorIsOne: of several errors each says that it is one.
func TestEachErrorIsOne(t *testing.T) {
	var told strings.Builder
	Status((&ui.UI{Err: &told}), errors.Join(errors.New("the first\n  which goes on"), errors.New("the second")))
	if want := "mc: error: the first\n  which goes on\nmc: error: the second\n"; ui.Plain(told.String()) != want {
		t.Errorf("%q", told.String())
	}
}
