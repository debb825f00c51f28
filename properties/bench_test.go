package properties_test

import (
	"slices"
	"testing"
	"time"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
	"interleave/spec/fastbully"
)

// BenchmarkVerify checks the standard properties on whole state spaces.
func BenchmarkVerify(b *testing.B) {
	bench := func(name string, m spec.Machine, c model.Config, workers int) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r, err := properties.Verify(b.Context(), m, c, nil, properties.Options{Catalogue: election.Catalogue, Workers: workers})
				if err != nil || r.Verdict != properties.Verified {
					b.Fatal(err, r.Verdict, r.Why)
				}
				b.ReportMetric(float64(r.Stats.States), "states")
				b.ReportMetric(float64(r.Stats.States)/r.Stats.Seconds, "states/s")
			}
		})
	}
	classic := model.Config{N: 7, Network: model.Set, Initiators: model.Initiators{Any: true}}
	bench("classic/n=7", changroberts.Classic, classic, 1)
	bench("bully/n=4/crashes=1/set", bully.Mended, model.Config{N: 4, Network: model.Set, Crashes: 1}, 1)
}

// BenchmarkLiveness compares checks with and without leader-eventually, stable-leader and termination: time of the
// one over time of the other, both with the safety properties. What runs that
// cycle cost on top shows in Fast Bully, where the tables cannot tell whether there are
// any, and where timers may expire at any moment.
func BenchmarkLiveness(b *testing.B) {
	classic := []properties.Property{election.LeaderIsTop, election.OneLeader, election.TopWon}
	for _, world := range []struct {
		name   string
		m      spec.Machine
		c      model.Config
		safety []properties.Property
	}{
		{"chang-roberts/classic,n=7", changroberts.Classic, model.Config{N: 7, Network: model.Set, Initiators: model.Initiators{Any: true}}, classic},
		{"bully/mended,n=4,crashes=1,set", bully.Mended, model.Config{N: 4, Network: model.Set, Crashes: 1}, nil},
		{"bully/mended,n=4,fifo", bully.Mended, model.Config{N: 4}, nil},
		{"fast-bully/mended,n=4,crashes=1,set", fastbully.Mended, model.Config{N: 4, Crashes: 1, Network: model.Set}, nil},
		{"bully/mended,n=3,crashes=1,set,any", bully.Mended, model.Config{N: 3, Crashes: 1, Network: model.Set, Timers: model.Any}, nil},
	} {
		b.Run(world.name, func(b *testing.B) {
			if world.safety == nil {
				world.safety = []properties.Property{election.LeaderIsTop, election.OneLeader, election.AgreementOnTop}
			}
			whole := append(slices.Clone(world.safety), election.LeaderEventually, election.StableLeader, properties.Termination)
			var took [2]time.Duration
			for b.Loop() {
				for i, props := range [][]properties.Property{world.safety, whole} {
					began := time.Now()
					r, err := properties.Verify(b.Context(), world.m, world.c, props, properties.Options{Continue: true, Engine: properties.Explicit})
					if err != nil {
						b.Fatal(err)
					}
					took[i] += time.Since(began)
					b.ReportMetric(float64(r.Stats.States), "states")
				}
			}
			b.ReportMetric(float64(took[1])/float64(took[0]), "liveness/safety")
		})
	}
}
