package etcdraft

import (
	"testing"
	"time"

	"interleave/model"
	"interleave/properties"
)

// BenchmarkWorlds searches whole worlds, and tells what the audits take after that: go test -bench Worlds -benchtime 1x.
func BenchmarkWorlds(b *testing.B) {
	matching, err := properties.Catalogue{}.Find(New(Options{}), "log-matching")
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		options Options
		world   model.Config
	}{
		{"fifo-terms=3", Options{}, model.Config{N: 3, Bound: 3, Timers: model.Any}},
		{"set-terms=1-writes=1-crash-restart", Options{Writes: 1}, model.Config{N: 3, Bound: 1, Network: model.Set, Timers: model.Any, Crashes: 1, Recoveries: 1}},
		{"fifo-terms=1-prevote-checkquorum-partition", Options{PreVote: true, CheckQuorum: true}, model.Config{N: 3, Bound: 1, Timers: model.Any, Partitions: 1}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				code := New(c.options)
				began := time.Now()
				r, err := properties.Verify(b.Context(), code, c.world, []properties.Property{matching}, properties.Options{Engine: properties.Explicit, Workers: 2, MaxStates: 40_000_000})
				if err != nil {
					b.Fatal(err)
				}
				steps := code.Traits().Code.Histories()
				b.ReportMetric(float64(r.Stats.States), "states")
				b.ReportMetric(r.Stats.Seconds, "s-to-search")
				b.ReportMetric(time.Since(began).Seconds()-r.Stats.Seconds, "s-to-audit")
				b.ReportMetric(float64(r.Audits), "audits")
				b.ReportMetric(float64(r.Stats.Bytes)/1e6, "MB")
				b.ReportMetric(float64(len(steps)), "local-states")
				b.Log(r.Verdict, r.Why)
			}
		})
	}
}

// BenchmarkLocalStep takes steps that nobody has taken, each to a state that is new: what a step of one process costs.
func BenchmarkLocalStep(b *testing.B) {
	code := New(Options{})
	if _, err := properties.Verify(b.Context(), code, model.Config{N: 3, Bound: 2, Timers: model.Any}, nil, properties.Options{}); err != nil {
		b.Fatal(err)
	}
	histories := code.Traits().Code.Histories()
	states := make([]any, len(histories))
	taken := 0
	for b.Loop() {
		if taken%len(histories) == 0 {
			code, taken = New(Options{}), 0
		}
		h := histories[taken]
		before := h.Memory
		if h.Before >= 0 {
			before = states[h.Before]
		}
		states[taken], _ = code.Step(h.Process, h.Ring, before, h.Event)
		taken++
	}
}
