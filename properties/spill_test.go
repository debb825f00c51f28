package properties_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
	"interleave/spec/changroberts"
)

// TestSpillAgrees compares searches that go on on disk, from the first state or
// from somewhere, with searches in memory: counts, verdicts, and how long the
// counterexamples are.
func TestSpillAgrees(t *testing.T) {
	spilled, stride := 0, testsize.Of(4, 1, 1)
	for i := 0; i < len(catalog.Machines); i += stride {
		m := catalog.Machines[i]
		c, _ := model.Home(m, 3)
		for _, c.Crashes = range []int{0, 1} {
			if c.Check(m) != nil {
				continue
			}
			o := properties.Options{Continue: true, MaxDepth: 7, Workers: 2}
			memory := verify(t, m, c, suiting(m, election.All...), o)
			o.Spill, o.Memory = t.TempDir(), max(memory.Stats.Bytes-1, 1)
			disk := verify(t, m, c, suiting(m, election.All...), o)
			if disk.Stats.Disk > 0 {
				spilled++
			}
			agreeOnDisk(t, memory, disk)
			if left, _ := os.ReadDir(o.Spill); len(left) > 0 {
				t.Errorf("left on disk: %v", left)
			}
		}
	}
	if spilled < 20/stride {
		t.Errorf("only %d searches went on on disk", spilled)
	}
}

// agreeOnDisk compares what was found in memory with what was found on disk,
// where cycles and messages are not judged.
func agreeOnDisk(t *testing.T, memory, disk *properties.Report) {
	t.Helper()
	if disk.Stats.Outcome == explore.MemoryLimit.String() {
		return // the tables take it all
	}
	a, b := memory.Stats, disk.Stats
	for _, s := range []*properties.Stats{&a, &b} {
		s.Seconds, s.Judging, s.Bytes, s.BytesPerState, s.WordsPerState, s.Disk, s.Tables = 0, 0, 0, 0, 0, 0, model.TableStats{}
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%s %+v: on disk %+v\nin memory %+v", memory.Algorithm, memory.Config, b, a)
	}
	for i, f := range memory.Findings {
		g := disk.Findings[i]
		if strings.Contains(g.Why, "the states are on disk: ") && g.Verdict == properties.Inconclusive {
			continue
		}
		if f.Verdict != g.Verdict || f.Depth != g.Depth {
			t.Errorf("%s %+v: %s is %v at depth %d on disk, %v at depth %d in memory: %s",
				memory.Algorithm, memory.Config, f.Name, g.Verdict, g.Depth, f.Verdict, f.Depth, g.Why)
		}
	}
}

// TestSpillOfCycles: what takes all states in memory is not decided, and says
// why.
func TestSpillOfCycles(t *testing.T) {
	for _, row := range []struct {
		m    spec.Machine
		c    model.Config
		prop properties.Property
		want properties.Verdict
	}{
		{bully.Mended, model.Config{N: 3, Crashes: 1, Network: model.Set, Timers: model.Any}, election.LeaderEventually, properties.Inconclusive},
		{bully.Published, model.Config{N: 3, Timers: model.Any}, properties.Termination, properties.Verified}, // no step undoes what others do
		{changroberts.Classic, model.Config{N: 3, Network: model.Set}, properties.MessagesBounded, properties.Inconclusive},
		{changroberts.Classic, model.Config{N: 3, Network: model.Set}, properties.Termination, properties.Verified}, // all steps lead forward
	} {
		props := []properties.Property{row.prop}
		memory := verify(t, row.m, row.c, props, properties.Options{})
		disk := verify(t, row.m, row.c, props, properties.Options{Spill: t.TempDir(), Memory: memory.Stats.Bytes - 1})
		f := finding(t, disk, row.prop.Name)
		if f.Verdict != row.want || disk.Stats.Disk == 0 || row.want == properties.Inconclusive && !strings.HasPrefix(f.Why, "the states are on disk: ") {
			t.Errorf("%s: %s is %v: %s; %+v", row.m.Traits().Name, f.Name, f.Verdict, f.Why, disk.Stats)
		}
	}
}

// TestSpillTooSmall: where the tables alone take more than there is, disk is of no help.
func TestSpillTooSmall(t *testing.T) {
	o := properties.Options{Engine: properties.Explicit, Spill: t.TempDir(), Memory: 1 << 10}
	r := verify(t, bully.Mended, model.Config{N: 3}, []properties.Property{election.OneLeader}, o)
	want := "memory limit reached: the tables alone take more, and they are not moved to disk"
	if f := r.Findings[0]; f.Verdict != properties.Inconclusive || f.Why != "the search did not finish: "+want {
		t.Errorf("%v: %s", f.Verdict, f.Why)
	}
	o.Engine = properties.Auto
	r = verify(t, bully.Mended, model.Config{N: 3}, []properties.Property{election.OneLeader}, o)
	if b := r.Stats.Because; r.Verdict != properties.Inconclusive || !strings.Contains(b, "the explicit engine ran out of memory at once: the tables alone take more") {
		t.Errorf("%v: %s", r.Verdict, b)
	}
}

// TestSpillKeepsNothing: a certificate needs the states in memory.
func TestSpillKeepsNothing(t *testing.T) {
	_, err := properties.Verify(t.Context(), bully.Mended, model.Config{N: 2}, nil, properties.Options{Catalogue: election.Catalogue, Keep: true, Spill: t.TempDir()})
	if err == nil {
		t.Error("it is to keep what it spills")
	}
}
