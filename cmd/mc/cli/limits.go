package cli

import (
	"context"
	"errors"
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
const stateMemory, bitsMemory = "8GiB", "1GiB"

func usualMemory(store string) string {
	if store == explore.Bits.String() {
		return bitsMemory
	}
	return stateMemory
}

// limit fills in the memory, and refuses limits that are out of range.
func limit(check *properties.Options, mem string, timeout time.Duration) (err error) {
	if check.Memory, err = parseMemory(mem); err != nil {
		return fmt.Errorf("--mem: %w", err)
	}
	return limits(check.Workers, check.MaxStates, check.MaxDepth, timeout)
}

// limits refuses limits of a search that are out of range.
func limits(workers, states, depth int, timeout time.Duration) error {
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

func parseMemory(text string) (int64, error) {
	mem, err := humanize.ParseBytes(text)
	_, bare := strconv.ParseFloat(text, 64)
	if err != nil || bare == nil && 0 < mem && mem < 1<<20 { // a small number without a unit is hardly meant as bytes
		return 0, ui.Hint(fmt.Errorf("%q is not a size", text), "give a number and a unit, as in 500MiB or 8GiB")
	}
	return int64(min(mem, 1<<62)), nil
}

// heap is the limit on the heap that keeps the whole process within --mem; 0 is no limit
// for either. Code and stacks take some MiB, and the slots of states are not on the heap.
// Under a heap limit that is too low for any run, Go would do nothing but collect garbage.
func heap(memory int64) int64 {
	const others, least = 20 << 20, 16 << 20
	if memory == 0 {
		return math.MaxInt64
	}
	return max(memory-others-memory/8, memory/2, least)
}

// errMemory is why a context of within has ended.
var errMemory = errors.New("memory limit reached")

// within keeps the program within --mem, for work that does not count what it takes: the context
// ends when more than that is in use. The work is to heed it, and end is to be called after it.
func within(ctx context.Context, memory int64) (_ context.Context, end func()) {
	debug.SetMemoryLimit(heap(memory))
	if memory == 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		look := time.NewTicker(10 * time.Millisecond)
		defer look.Stop()
		inUse := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		for ctx.Err() == nil {
			<-look.C
			if metrics.Read(inUse); int64(inUse[0].Value.Uint64()) > heap(memory) {
				cancel(errMemory)
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}
