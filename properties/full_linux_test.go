package properties_test

import (
	"syscall"
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/properties"
	"interleave/spec/fastbully"
)

// TestFullOnTheWay: a disk that is full before all is there takes nothing away that was
// found in memory.
func TestFullOnTheWay(t *testing.T) {
	small := t.TempDir()
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("no small disk is to be had: %v", err)
	}
	defer syscall.Unmount(small, 0)
	c := model.Config{N: 4, Network: model.Set, Crashes: 1, Recoveries: 1}
	props := []properties.Property{properties.SUniq, properties.SLit}
	r := verify(t, fastbully.Published, c, props, properties.Options{Memory: 20 << 20, Spill: small, Continue: true})
	if s := r.Stats; s.Outcome != explore.DiskLimit.String() || s.Complete || s.States < 10_000 {
		t.Errorf("%s after %d states", s.Outcome, s.States)
	}
	for _, f := range r.Findings {
		if f.Verdict != properties.Violated || f.Trace == nil {
			t.Errorf("%s is %v: %s", f.Name, f.Verdict, f.Why)
		}
	}
}
