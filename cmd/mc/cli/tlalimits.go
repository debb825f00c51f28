package cli

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"interleave/explore"
	"interleave/tla"
)

// withinMemory ends a context when the program takes more than so much memory, whatever
// takes it; 0: no limit.
func withinMemory(ctx context.Context, memory int64) (_ context.Context, end func()) {
	debug.SetMemoryLimit(heap(memory))
	if memory == 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		look := time.NewTicker(5 * time.Millisecond)
		defer look.Stop()
		most := max(memory-memory/16, leastInUse)
		for ctx.Err() == nil {
			<-look.C
			if inMemory() > most {
				cancel(explore.ErrMemory)
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// leastInUse is what the program takes at any rate.
const leastInUse = 64 << 20

// inMemory returns the bytes that the program takes.
func inMemory() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
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
func (o *tlaCheckOptions) runUnheeded(ctx context.Context) (*tla.Report, error) {
	c, ok := heeded(ctx, toHeed, func() checked {
		r, notes, err := o.run(ctx)
		return checked{r, notes, err}
	})
	if ok {
		o.notes = c.notes
		return c.report, c.err
	}
	end := explore.EndOf(ctx)
	f := tla.Finding{Name: "evaluation", Why: end.Why()}
	return &tla.Report{Findings: []tla.Finding{f}, Outcome: end}, nil
}
