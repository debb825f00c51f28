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

// How long a check may take to heed the end of its time, or of its memory.
const (
	toHeed       = time.Second
	toHeedMemory = 200 * time.Millisecond
)

// checked is what run returns.
type checked struct {
	report *tla.Report
	notes  []string
	err    error
}

// runUnheeded is run. If that does not heed the end of the context, since one operation on
// values takes long, nothing is known, and the check is left to itself: the program ends.
func (o *tlaCheckOptions) runUnheeded(ctx context.Context) (*tla.Report, error) {
	done := make(chan checked, 1)
	go func() {
		r, notes, err := o.run(ctx)
		done <- checked{r, notes, err}
	}()
	select {
	case c := <-done:
		return o.finished(c)
	case <-ctx.Done():
	}
	patience, end := toHeed, explore.EndOf(ctx)
	if end == explore.MemoryLimit {
		patience = toHeedMemory
	}
	select {
	case c := <-done:
		return o.finished(c)
	case <-time.After(patience):
	}
	f := tla.Finding{Name: "evaluation", Why: end.Why()}
	return &tla.Report{Findings: []tla.Finding{f}, Outcome: end}, nil
}

// finished takes over what run returned.
func (o *tlaCheckOptions) finished(c checked) (*tla.Report, error) {
	o.notes = c.notes
	return c.report, c.err
}
