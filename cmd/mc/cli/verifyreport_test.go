package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/properties"
)

// TestMayGrow: a search that was cut short says that queues may have no bound where
// something speaks for that.
func TestMayGrow(t *testing.T) {
	for _, c := range []struct {
		network        model.Network
		timers         model.Timing
		outcome        explore.Outcome
		depth, longest int
		want           string
	}{
		{model.FIFO, model.Flush, explore.TimeLimit, 20, 21, ", as one has 21 messages already"},
		{model.Bag, model.Flush, explore.MemoryLimit, 20, 12, ", as one has 12 messages already"},
		{model.FIFO, model.Flush, explore.TimeLimit, 25, 12, ""}, // it need not grow on and on
		{model.FIFO, model.Flush, explore.TimeLimit, 10, 11, ""}, // as when all talk at once
		{model.FIFO, model.Flush, explore.StateLimit, 3, 255, ""},
		{model.FIFO, model.Any, explore.StateLimit, 10, 0, " where timers expire early"},
		{model.Set, model.Flush, explore.TimeLimit, 20, 21, ""},
		{model.FIFO, model.Flush, explore.Exhausted, 20, 21, ""},
		{model.FIFO, model.Any, explore.DepthLimit, 20, 21, ""},
	} {
		r := &properties.Report{Config: model.Config{Network: c.network, Timers: c.timers}, Stats: properties.Stats{
			Outcome: c.outcome.String(), Depth: c.depth, Tables: model.TableStats{Longest: c.longest},
		}}
		if got := mayGrow(r); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestStatus: what is no fault of the input is not taken for one.
func TestStatus(t *testing.T) {
	for _, c := range []struct {
		err  error
		want exitStatus
	}{
		{nil, exitHolds},
		{exitViolated, exitViolated},
		{errors.New("no such flag"), exitUsage},
		{fmt.Errorf("verify: %w", &explore.DiskError{Err: io.ErrUnexpectedEOF}), exitContradicted},
		{trouble(os.ErrPermission), exitContradicted},
		{&properties.ContradictionError{}, exitContradicted},
		{fmt.Errorf("--out: %w", syscall.ENOSPC), exitContradicted},
		{errors.Join(errors.New("--junit: no"), hint(syscall.EDQUOT, "make room")), exitContradicted},
		{&os.PathError{Err: syscall.EFBIG}, exitContradicted},
		{fmt.Errorf("a: %w", hint(syscall.EIO, "b")), exitContradicted},
		{syscall.EACCES, exitUsage},
	} {
		if got := status((&tool{err: io.Discard}), c.err); got != c.want {
			t.Errorf("%v: exit status %d, want %d", c.err, got, c.want)
		}
	}
}

// TestEachErrorIsOne: of several errors each says that it is one.
func TestEachErrorIsOne(t *testing.T) {
	var told strings.Builder
	status((&tool{err: &told}), errors.Join(errors.New("the first\n  which goes on"), errors.New("the second")))
	if want := "mc: error: the first\n  which goes on\nmc: error: the second\n"; plain(told.String()) != want {
		t.Errorf("%q", told.String())
	}
}

// TestAllTimeIsTold: what was tried before a search is a part of the time that verify and
// sweep tell of it.
func TestAllTimeIsTold(t *testing.T) {
	r := sweepResult{stats: properties.Stats{Choosing: 20, Seconds: 3, Judging: 0.5}}
	if got := r.seconds(); got != 23.5 {
		t.Errorf("a sweep tells %v seconds", got)
	}
	var told strings.Builder
	tellStats((&tool{out: &told}), &verifyOptions{}, &properties.Report{Stats: r.stats})
	if !strings.Contains(told.String(), " quiescent, in 23 s\n") {
		t.Errorf("verify tells %s", told.String())
	}
}

// TestLeft: that a search ended early is told even where it happens to have left nothing.
func TestLeft(t *testing.T) {
	for _, c := range []struct {
		outcome  explore.Outcome
		frontier int
		want     string
	}{
		{explore.Stopped, 1, "not everything: stopped; 1 state found but not expanded"},
		{explore.TimeLimit, 2000, "not everything: time ran out; 2,000 states found but not expanded"},
		{explore.Stopped, 0, "perhaps not everything: stopped"},
		{explore.DepthLimit, 4, "not everything: depth limit reached; 4 states 3 steps away found but not looked at"},
		{explore.StateLimit, 0, "not everything: state limit reached"}, // there was no room for the next
	} {
		if got := left(c.outcome.String(), c.frontier, 3); got != c.want {
			t.Errorf("%v with %d states left: %q", c.outcome, c.frontier, got)
		}
	}
}
