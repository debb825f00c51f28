package conformance_test

import (
	"bytes"
	"testing"
	"time"

	"interleave/conformance"
	"interleave/conformance/logs"
	"interleave/spec/catalog"
)

// TestHonestLogs: what ran is never refuted, whatever happens to it.
func TestHonestLogs(t *testing.T) {
	seeds := uint64(5)
	if testing.Short() {
		seeds = 1
	}
	for _, m := range catalog.Machines {
		traits := m.Traits()
		t.Run(traits.Name, func(t *testing.T) {
			total := logs.Report{}
			for seed := range seeds {
				pl := plan{machine: m, n: 2 + int(seed)%4, seed: seed, crashes: int(seed), loss: 4 * int(seed%3), length: 3 * time.Second}
				pl.datagrams = seed%3 == 2 && traits.World["network"] != "" && traits.World["network"] != "rounds"
				written := pl.play(t)
				report, err := check(written, logs.AnyFaults)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if report.Verdict != conformance.Conforms {
					t.Fatalf("seed %d: %v", seed, report.Refutation)
				}
				m := report.Messages
				if m.Sent != m.Handled+m.Lost+m.Dropped+m.Left || m.Copied > 0 {
					t.Errorf("seed %d: %+v", seed, m)
				}
				if report.LateRounds > 0 {
					t.Errorf("seed %d: %d messages came in a later round", seed, report.LateRounds)
				}
				total.Steps += report.Steps
				total.Crashes += report.Crashes
			}
			t.Logf("%d steps, %d crashes", total.Steps, total.Crashes)
		})
	}
}

// FuzzCheckLogs: logs of anything are judged, or refused, and nothing panics.
func FuzzCheckLogs(f *testing.F) {
	one, two := chatter()
	f.Add(one, two)
	f.Add([]byte{}, two)
	f.Add(one[:len(one)-9], two)
	f.Add([]byte("{}\n"), []byte(`{"line":"begin"}`))
	f.Fuzz(func(t *testing.T, one, two []byte) {
		written := []logs.Log{{Name: "1", Reader: bytes.NewReader(one)}, {Name: "2", Reader: bytes.NewReader(two)}}
		report, err := logs.Check(written, logs.Options{Find: findChatter, Budget: logs.AnyFaults})
		if err == nil && report.Verdict == conformance.Unknown {
			t.Error("no verdict")
		}
	})
}
