package properties_test

import (
	"slices"
	"testing"
	"time"

	"interleave/examples/raft"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
	"interleave/spec/fastbully"
	"interleave/spec/twophasecommit"
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

// BenchmarkOwn checks properties that algorithms bring along, with their monitors.
func BenchmarkOwn(b *testing.B) {
	for _, world := range []struct {
		name string
		m    spec.Machine
		c    model.Config
	}{
		{"two-phase-commit,n=5,crash,restart", twophasecommit.Mended, model.Config{N: 5, Crashes: 1, Recoveries: 1}},
		{"raft,n=3,crash,restart,bound=2", raft.Algorithm, model.Config{N: 3, Crashes: 1, Recoveries: 1, Network: model.Set, Timers: model.Any, Bound: 2}},
	} {
		b.Run(world.name, func(b *testing.B) {
			var own []properties.Property
			for _, p := range world.m.Traits().Properties {
				if own = append(own, properties.Of(p)); p.Monitor != nil {
					world.c.Monitors = append(world.c.Monitors, p.Name)
				}
			}
			for b.Loop() {
				r, err := properties.Verify(b.Context(), world.m, world.c, own, properties.Options{Engine: properties.Explicit, Continue: true, MaxStates: 1_000_000})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Stats.States)/r.Stats.Seconds, "states/s")
			}
		})
	}
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
			compare(b, world.m, world.c, world.safety, whole, "liveness/safety")
		})
	}
}

// BenchmarkRecoverable compares checks with and without electable: time of the one over time of the other, both with the
// safety properties.
func BenchmarkRecoverable(b *testing.B) {
	for _, world := range []struct {
		name   string
		m      spec.Machine
		c      model.Config
		safety []properties.Property
	}{
		{"chang-roberts/classic,n=8", changroberts.Classic, model.Config{N: 8, Network: model.Set, Initiators: model.Initiators{Any: true}}, []properties.Property{election.LeaderIsTop, election.OneLeader, election.TopWon}},
		{"chang-roberts/textbook,n=9,descending", changroberts.Textbook, model.Config{N: 9, Ring: []spec.ID{9, 8, 7, 6, 5, 4, 3, 2, 1}}, []properties.Property{election.LeaderIsTop, election.OneLeader, election.AgreementOnTop}},
		{"bully/mended,n=4,crashes=1,set", bully.Mended, model.Config{N: 4, Network: model.Set, Crashes: 1}, []properties.Property{election.LeaderIsTopOrCrashed, election.OneLeader, election.Agreement}},
		{"fast-bully/mended,n=4,leader-down", fastbully.Mended, model.Config{N: 4, Start: model.LeaderDown}, []properties.Property{election.LeaderIsTopOrCrashed, election.OneLeader, election.Agreement}},
	} {
		b.Run(world.name, func(b *testing.B) {
			whole := append(slices.Clone(world.safety), election.Electable)
			compare(b, world.m, world.c, world.safety, whole, "recoverable/safety")
		})
	}
}

// compare measures the time of a check of the whole over that of its safety properties.
func compare(b *testing.B, m spec.Machine, c model.Config, safety, whole []properties.Property, unit string) {
	var took [2]time.Duration
	for b.Loop() {
		for i, props := range [][]properties.Property{safety, whole} {
			began := time.Now()
			r, err := properties.Verify(b.Context(), m, c, props, properties.Options{Continue: true, Engine: properties.Explicit})
			if err != nil {
				b.Fatal(err)
			}
			took[i] += time.Since(began)
			b.ReportMetric(float64(r.Stats.States), "states")
		}
	}
	b.ReportMetric(float64(took[1])/float64(took[0]), unit)
}
