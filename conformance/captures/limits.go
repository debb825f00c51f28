package captures

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"

	"interleave/conformance"
	"interleave/conformance/frontier"
)

// stop returns what asks now and then whether a check may go on.
func (o *Options) stop() func() error {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	used := func() int64 {
		metrics.Read(heap)
		return int64(heap[0].Value.Uint64())
	}
	return func() error {
		select {
		case <-o.Done:
			return conformance.ErrInterrupted
		default:
		}
		if o.Memory <= 0 || used() <= o.Memory {
			return nil
		}
		if runtime.GC(); used() <= o.Memory-o.Memory/8 { // or it is all garbage, and soon there again
			return nil
		}
		return fmt.Errorf("%w: it would take more than %d MiB of memory", conformance.ErrStopped, o.Memory>>20)
	}
}

// work is how many hidden steps one pass over a capture may try: some seconds, and in a
// long capture a bit for each packet.
func (o *Options) work(packets int) int {
	limit := o.Limit
	if limit == 0 {
		limit = frontier.DefaultLimit
	}
	work := 16*limit + 1024*packets
	if o.left != nil {
		work = max(1, min(work, *o.left)) // 0: no limit
	}
	return work
}

// spend counts a pass that has tried some hidden steps.
func (o *Options) spend(tried, packets int) {
	if o.left != nil {
		*o.left -= tried + packets
	}
}

// nobodyKnows reports whether an error says that a check came to no end.
func nobodyKnows(err error) bool {
	return errors.Is(err, frontier.ErrLimit) || errors.Is(err, conformance.ErrStopped)
}
