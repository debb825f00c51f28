package tla

import (
	"context"
	"time"

	"interleave/cmd/mc/internal/limits"
	"interleave/explore"
	"interleave/tla"
)

// withinMemory ends a context when the program takes more than so much memory, whatever
// takes it; 0: no limit.
func withinMemory(ctx context.Context, memory int64) (_ context.Context, end func()) {
	const leastInUse = 64 << 20 // what the program takes at any rate
	most := max(memory-memory/16, leastInUse)
	return limits.Within(ctx, memory, explore.ErrMemory, func() bool {
		return limits.Measured("/memory/classes/total:bytes")-limits.Measured("/memory/classes/heap/released:bytes") > most
	})
}

// How long a check, and what is told of it, may take to heed the end of its time, or of its
// memory.
const (
	toHeed        = time.Second
	toHeedTelling = 500 * time.Millisecond
	toHeedMemory  = 200 * time.Millisecond
)

// heeded returns the result of f, unless f takes longer than patience after the end of the
// context: then it is left to itself, as the program ends.
func heeded[T any](ctx context.Context, patience time.Duration, f func() T) (result T, ok bool) {
	done := make(chan T, 1)
	go func() { done <- f() }()
	select {
	case result = <-done:
		return result, true
	case <-ctx.Done():
	}
	if explore.EndOf(ctx) == explore.MemoryLimit {
		patience = min(patience, toHeedMemory)
	}
	select {
	case result = <-done:
		return result, true
	case <-time.After(patience):
	}
	return result, false
}

// checked is what run returns.
type checked struct {
	report *tla.Report
	notes  []string
	err    error
}

// runUnheeded is run. If that does not heed the end of the context, since one operation on
// values takes long, nothing is known, and the check is left to itself: the program ends.
func (o *checkOptions) runUnheeded(ctx context.Context) (*tla.Report, error) {
	c, ok := heeded(ctx, toHeed, func() checked {
		r, notes, err := o.run(ctx)
		return checked{r, notes, err}
	})
	if ok {
		o.notes = c.notes
		return c.report, c.err
	}
	end := explore.EndOf(ctx)
	return tla.GivenUp(end.Why(), end), nil
}
