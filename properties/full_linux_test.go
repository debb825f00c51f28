package properties_test

import (
	"syscall"
	"testing"

	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec/changroberts"
	"interleave/spec/fastbully"
)

// TestFullOnTheWay: a disk that is full before all is there takes nothing away that was
// found in memory.
func TestFullOnTheWay(t *testing.T) {
	testsize.Alone(t)
	small := smallDisk(t)
	c := model.Config{N: 4, Network: model.Set, Crashes: 1, Recoveries: 1}
	props := []properties.Property{election.OneLeader, election.LeaderIsTop}
	for _, engine := range []properties.Engine{properties.Explicit, properties.Auto} {
		o := properties.Options{Memory: 20 << 20, Spill: small, Continue: true, Engine: engine}
		r := verify(t, fastbully.Published, c, props, o)
		if s := r.Stats; s.Outcome != explore.DiskLimit.String() || s.Complete || s.States < 10_000 {
			t.Errorf("%v: %s after %d states", engine, s.Outcome, s.States)
		}
		for _, f := range r.Findings {
			if f.Verdict != properties.Violated || f.Trace == nil {
				t.Errorf("%v: %s is %v: %s", engine, f.Name, f.Verdict, f.Why)
			}
		}
	}
}

// TestFullBesideDiagrams: what the diagrams of an over-approximation decide stays so if the disk is
// full before the states near the beginning, which are to tell the rest, are there.
func TestFullBesideDiagrams(t *testing.T) {
	testsize.Alone(t)
	c, props := model.Config{N: 8, Network: model.Bag}, []properties.Property{election.OneLeader, unique}
	o := properties.Options{Memory: 20 << 20, Spill: smallDisk(t), Continue: true, Engine: properties.Symbolic, Diagram: diagramOf(t, "overapprox")}
	r := verify(t, changroberts.Classic, c, props, o)
	if a, b := r.Findings[0].Verdict, r.Findings[1].Verdict; a != properties.Verified || b != properties.Inconclusive {
		t.Errorf("%v and %v", a, b)
	}
}

// smallDisk returns a folder in which there is hardly any room.
func smallDisk(t *testing.T) string {
	t.Helper()
	small := t.TempDir()
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("no small disk is to be had: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(small, 0) })
	return small
}
