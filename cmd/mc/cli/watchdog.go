package cli

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"time"

	"github.com/dustin/go-humanize"

	"interleave/cmd/mc/internal/limits"
	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/supervisor"
	"interleave/internal/stacks"
)

// How often the watchdog looks, how often in a row it has to see the same before it ends an
// interrupted program, and how much more memory than the limit a function may take.
const (
	watchEvery  = 200 * time.Millisecond
	watchLooks  = 8 // more than a check needs to say itself what does not come back
	watchMemory = 256 << 20
)

// watchdog ends the program if that does not end itself: when it takes far more memory than it
// may, which only a function of somebody else does; and after an interrupt, when such a function
// does not come back, or nobody reads what it writes, or writes what it reads.
func watchdog(ctx context.Context) {
	var before []stacks.Wait
	seen := 0
	for range time.Tick(watchEvery) {
		if taken, limit := heapInUse(); taken > limit {
			endNow(fmt.Sprintf("it takes %s of memory, far more than --mem allows%s", humanize.IBytes(uint64(taken)), inFunction()))
		}
		if ctx.Err() == nil {
			continue
		}
		waits := stacks.Waits()
		w, still := stacks.Both(before, waits)
		if seen++; !still {
			seen = 0
		}
		before = waits
		if seen >= watchLooks {
			endNow("interrupted" + waitingFor(w))
		}
	}
}

// heapInUse returns how much memory is in use, and how much is too much: half as much again as
// the collector keeps to, and a little.
func heapInUse() (taken, limit int64) {
	most := debug.SetMemoryLimit(-1)
	if most > math.MaxInt64/2 {
		return 0, math.MaxInt64
	}
	return limits.Measured("/memory/classes/heap/objects:bytes"), most + most/2 + watchMemory
}

// inFunction names a function of somebody else that is running.
func inFunction() string {
	for _, w := range stacks.Waits() {
		if w.Function != "" {
			return ": it is in " + w.Function
		}
	}
	return ""
}

func waitingFor(w stacks.Wait) string {
	if w.File {
		return " while it waited for a file or a pipe: nobody reads what it writes, or writes what it reads"
	}
	return fmt.Sprintf(": %s does not come back: make it return, whatever it is told", w.Function)
}

// endNow ends the program without a verdict. It may be that nobody reads standard error, either.
func endNow(why string) {
	said := make(chan struct{})
	go func() {
		defer close(said)
		fmt.Fprintf(os.Stderr, "mc: %s; there is no verdict\n", why)
	}()
	select {
	case <-said:
	case <-time.After(watchEvery):
	}
	supervisor.Exit(int(ui.ExitInconclusive))
}
