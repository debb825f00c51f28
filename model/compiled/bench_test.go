package compiled_test

import (
	"context"
	"runtime"
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
)

// BenchmarkSearch explores whole state spaces: states and handler calls are
// exact, speed and memory as measured.
func BenchmarkSearch(b *testing.B) {
	bench := func(name string, m spec.Machine, c model.Config, workers int) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				runtime.GC()
				sys, err := compiled.New(m, c, nil)
				if err != nil {
					b.Fatal(err)
				}
				r, err := explore.Search(context.Background(), sys, explore.Options{Workers: workers})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Stats.States), "states")
				b.ReportMetric(float64(r.Stats.States)/r.Stats.Elapsed.Seconds(), "states/s")
				b.ReportMetric(float64(r.Stats.Transitions)/r.Stats.Elapsed.Seconds(), "transitions/s")
				b.ReportMetric(float64(r.Stats.Bytes)/float64(r.Stats.States), "bytes/state")
				b.ReportMetric(float64(sys.TableStats().HandlerCalls), "handlers")
			}
		})
	}
	classic := model.Config{N: 8, Network: model.Set, Initiators: model.Initiators{Any: true}}
	bench("classic/n=8/workers=1", changroberts.Classic, classic, 1)
	bench("classic/n=8/workers=2", changroberts.Classic, classic, 2)
	bench("bully/n=4/crashes=1/set/workers=1", bully.Mended, model.Config{N: 4, Network: model.Set, Crashes: 1, Timers: model.Just}, 1)
	bench("bully/n=4/fifo/workers=1", bully.Mended, model.Config{N: 4}, 1)
}

// BenchmarkExpand computes the steps out of the states of a space, over and over.
func BenchmarkExpand(b *testing.B) {
	for name, world := range map[string]struct {
		machine spec.Machine
		config  model.Config
	}{
		"classic/n=6": {changroberts.Classic, model.Config{N: 6, Network: model.Set, Initiators: model.Initiators{Any: true}}},
		"bully/n=3":   {bully.Mended, model.Config{N: 3, Crashes: 1, Split: true}},
	} {
		b.Run(name, func(b *testing.B) {
			sys, err := compiled.New(world.machine, world.config, nil)
			if err != nil {
				b.Fatal(err)
			}
			r, err := explore.Search(b.Context(), sys, explore.Options{})
			if err != nil {
				b.Fatal(err)
			}
			x, out := sys.Expander(), explore.Steps{}
			b.ReportAllocs()
			transitions := 0
			for b.Loop() {
				for n := range r.Graph.States() {
					out.Reset()
					x.Expand(r.Graph.State(n), &out)
					transitions += len(out.Actions)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(transitions), "ns/transition")
		})
	}
}
