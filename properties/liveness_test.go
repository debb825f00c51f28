package properties_test

import (
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/properties"
	"interleave/spec/changroberts"
)

// TestGlance: a run that circles among the first states is found before the others
// are, and no limit takes that away. How it is found changes nothing else.
func TestGlance(t *testing.T) {
	c := model.Config{N: 4, Network: model.Set, Crashes: 1}
	larger := c
	larger.N = 5
	shown := map[int]properties.Finding{}
	for _, row := range []struct {
		c       model.Config
		o       properties.Options
		outcome explore.Outcome
		safe    properties.Verdict // S-lmax
	}{
		{c, properties.Options{}, explore.Stopped, properties.Inconclusive},
		{c, properties.Options{Workers: 2}, explore.Stopped, properties.Inconclusive},
		{c, properties.Options{Continue: true}, explore.Exhausted, properties.Verified},
		{c, properties.Options{Continue: true, MaxStates: 150_000}, explore.StateLimit, properties.Inconclusive},
		{larger, properties.Options{}, explore.Stopped, properties.Inconclusive},
		{larger, properties.Options{Continue: true, Memory: 32 << 20}, explore.MemoryLimit, properties.Inconclusive},
		{larger, properties.Options{Continue: true, Memory: 32 << 20, Spill: t.TempDir(), MaxStates: 1_500_000}, explore.StateLimit, properties.Inconclusive},
	} {
		if testing.Short() && row.c.N > c.N {
			continue
		}
		r := verify(t, changroberts.Naive, row.c, []properties.Property{properties.SLmax, properties.T}, row.o)
		if v := r.Findings[0].Verdict; r.Stats.Outcome != row.outcome.String() || v != row.safe || r.Stats.States < 1<<16 {
			t.Errorf("%+v: %s after %d states; S-lmax is %v", row.o, r.Stats.Outcome, r.Stats.States, v)
		}
		f := r.Findings[1]
		first, known := shown[row.c.N]
		if !known {
			first, shown[row.c.N] = f, f
		}
		if f.Verdict != properties.Violated || !f.Circles() || f.Depth != first.Depth {
			t.Errorf("%+v: T is %v after %d steps, else %d: %s", row.o, f.Verdict, f.Depth, first.Depth, f.Why)
		}
		if onDisk := r.Stats.Disk > 0; onDisk != (row.o.Spill != "") {
			t.Errorf("%+v: %d bytes on disk", row.o, r.Stats.Disk)
		}
	}
}
