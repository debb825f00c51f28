// Package limits reads the limits of a search, and keeps the program within them.
package limits

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"

	"interleave/cmd/mc/internal/ui"
	"interleave/explore"
	"interleave/properties"
)

// The defaults of --mem. An array of bits takes half of it at once, so it gets less.
const StateMemory, BitsMemory = "8GiB", "1GiB"

// UsualMemory returns the default of --mem for a store.
func UsualMemory(store string) string {
	if store == explore.Bits.String() {
		return BitsMemory
	}
	return StateMemory
}

// Set fills in the memory, and refuses limits that are out of range.
func Set(check *properties.Options, mem string, timeout time.Duration) (err error) {
	if check.Memory, err = ParseMemory(mem); err != nil {
		return fmt.Errorf("--mem: %w", err)
	}
	return Check(check.Workers, check.MaxStates, check.MaxDepth, timeout)
}

// Check refuses limits of a search that are out of range.
func Check(workers, states, depth int, timeout time.Duration) error {
	switch {
	case workers < 1 || workers > 256:
		return fmt.Errorf("--workers: %d is out of range: give 1 to 256", workers)
	case states < 0:
		return fmt.Errorf("--max-states: %d is negative: leave it out for no limit", states)
	case depth < 0:
		return fmt.Errorf("--max-depth: %d is negative: leave it out for no limit", depth)
	case timeout < 0:
		return fmt.Errorf("--timeout: %v is negative: leave it out for no limit", timeout)
	}
	return nil
}

// ParseMemory reads a size, as in 8GiB.
func ParseMemory(text string) (int64, error) {
	mem, err := humanize.ParseBytes(text)
	_, bare := strconv.ParseFloat(text, 64)
	if err != nil || bare == nil && 0 < mem && mem < 1<<20 { // a small number without a unit is hardly meant as bytes
		return 0, ui.Hint(fmt.Errorf("%q is not a size", text), "give a number and a unit, as in 500MiB or 8GiB")
	}
	return int64(min(mem, 1<<62)), nil
}

// Heap is the limit on the heap that keeps the whole process within --mem; 0 is no limit
// for either. Code and stacks take some MiB, and the slots of states are not on the heap.
// Under a heap limit that is too low for any run, Go would do nothing but collect garbage.
func Heap(memory int64) int64 {
	const others, least = 20 << 20, 16 << 20
	if memory == 0 {
		return math.MaxInt64
	}
	return max(memory-others-memory/8, memory/2, least)
}

// Timed returns a context that ends after some time; 0: no limit. It is to be cancelled after the work.
func Timed(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, d)
}

// Within keeps the program within --mem, for work that does not count what it takes: the context
// ends by a cause when too much is in use. The work is to heed it, and end is to be called after it.
func Within(ctx context.Context, memory int64, cause error, tooMuch func() bool) (_ context.Context, end func()) {
	debug.SetMemoryLimit(Heap(memory))
	if memory == 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		look := time.NewTicker(5 * time.Millisecond)
		defer look.Stop()
		for ctx.Err() == nil {
			if <-look.C; tooMuch() {
				cancel(cause)
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// Measured returns a figure of the runtime in bytes.
func Measured(name string) int64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
