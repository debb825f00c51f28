package verify

import (
	"strings"
	"testing"

	"interleave/cmd/mc/internal/ui"
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

// TestAllTimeIsTold: what was tried before a search is a part of its time.
func TestAllTimeIsTold(t *testing.T) {
	var told strings.Builder
	tellStats((&ui.UI{Out: &told}), &options{}, &properties.Report{Stats: properties.Stats{Choosing: 20, Seconds: 3, Judging: 0.5}})
	if !strings.Contains(told.String(), " quiescent, in 23 s\n") {
		t.Errorf("verify tells %s", told.String())
	}
}
