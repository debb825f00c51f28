package cli

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// gcPercent is GOGC as it is in force; 2^64-1 where the collector is off.
func gcPercent() uint64 {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// TestCollectLater: until the first collection it comes late; then it is what the user says.
func TestCollectLater(t *testing.T) {
	const off = math.MaxUint64
	for usual, first := range map[int]uint64{100: 700, 50: 700, -1: off} {
		before := debug.SetGCPercent(usual)
		collectLater()
		if got := gcPercent(); got != first {
			t.Errorf("GOGC %d: at first %d, want %d", usual, got, first)
		}
		then := uint64(usual)
		if usual < 0 {
			then = off
		}
		for began := time.Now(); gcPercent() != then && time.Since(began) < 30*time.Second; time.Sleep(time.Millisecond) {
			runtime.GC()
		}
		if got := gcPercent(); got != then {
			t.Errorf("GOGC %d: after collections %d", usual, got)
		}
		debug.SetGCPercent(before)
	}
}
