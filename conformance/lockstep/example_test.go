package lockstep_test

import (
	"testing"
	"testing/synctest"
	"time"

	"interleave/conformance/lockstep"
	"interleave/spec/bully"
)

// A plan runs in virtual time, within a test: this is TestLeaderCrashes of a package
// of one's own.
func ExamplePlan() {
	_ = func(t *testing.T) {
		plan := lockstep.Plan{
			Machine: bully.Mended, N: 3,
			Faults: []lockstep.Fault{{At: time.Second, Kind: lockstep.Crash, Process: 3}},
		}
		synctest.Test(t, func(t *testing.T) {
			if report, err := plan.Run(); err != nil {
				t.Error(report, err)
			}
		})
	}
}
