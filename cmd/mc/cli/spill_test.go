package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"interleave/cmd/mc/internal/ui"
	"interleave/internal/testsize"
)

// spilling is a check that goes on on disk before long.
const spilling = "verify chang-roberts/classic --n 7 --engine explicit --json --mem 8MiB --spill "

// TestSpillCeiling runs a check that takes more memory than it may have, and
// looks at how much the process had at most.
func TestSpillCeiling(t *testing.T) {
	testsize.Test(t)
	if asChild(t) {
		return
	}
	skipUnlessWeighed(t)
	dir := t.TempDir()
	belowCeiling(t, "verify chang-roberts/classic --n 8 --engine explicit --workers 2 --stats --spill "+dir, 80<<20,
		"3,095,363 distinct states", " at most; a state is 8 bytes", "  disk ")
	belowCeiling(t, "verify token-ring/mended --n 4 --crashes 1 --engine explicit --workers 2 --property winner-is-top --stats --spill "+dir, 100<<20,
		"the tables alone take more", " at most; a state is 16 bytes", "  disk ")
	if left, _ := filepath.Glob(dir + "/*"); len(left) > 0 {
		t.Errorf("left on disk: %v", left)
	}
}

// TestSpillKilled kills a check that is on disk. It leaves its files, and the
// next one, in the same folder, removes them and is none the wiser.
func TestSpillKilled(t *testing.T) {
	testsize.Test(t)
	if asChild(t) {
		return
	}
	dir := t.TempDir()
	child := inChild(t, strings.Replace(spilling, "--n 7", "--n 8", 1)+dir) // which takes longer
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if runs, _ := filepath.Glob(dir + "/*/*"); len(runs) > 5 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("nothing was spilled")
		}
	}
	child.Process.Kill()
	if err := child.Wait(); err == nil {
		t.Fatal("it ended before it was killed")
	}
	left, _ := filepath.Glob(dir + "/*")
	if len(left) != 1 {
		t.Fatalf("the killed one left %v", left)
	}
	before := time.Now().Add(-time.Minute)
	if err := os.Chtimes(filepath.Join(left[0], "interleave.lock"), before, before); err != nil {
		t.Fatal(err)
	}
	spilled, inMemory := mc(t.Context(), spilling+dir), mc(t.Context(), strings.Split(spilling, " --mem")[0])
	if spilled.status != ui.ExitHolds || inMemory.status != ui.ExitHolds {
		t.Fatalf("%+v\n%+v", spilled, inMemory)
	}
	if a, b := withoutCosts(t, spilled.out), withoutCosts(t, inMemory.out); !reflect.DeepEqual(a, b) {
		t.Errorf("on disk:\n%v\nin memory:\n%v", a, b)
	}
	if after, _ := filepath.Glob(dir + "/*"); len(after) > 0 {
		t.Errorf("left %v, after that %v", left, after)
	}
}

// withoutCosts reads a report, but for time and memory.
func withoutCosts(t *testing.T, out string) map[string]any {
	t.Helper()
	var report map[string]any
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	stats := report["stats"].(map[string]any)
	for _, cost := range []string{"seconds", "judging_seconds", "bytes", "bytes_per_state", "disk_bytes"} {
		delete(stats, cost)
	}
	return report
}

// TestSpillRefused: what does not go with disk is refused before the work.
func TestSpillRefused(t *testing.T) {
	for typed, want := range map[string]string{
		"--spill /nowhere/at/all":                  "--spill: there is no folder /nowhere/at/all",
		"--spill . --engine symbolic":              "--spill: decision diagrams stay in memory",
		"--spill . --certificate here.certificate": "--certificate: it is written from memory",
	} {
		if o := mc(t.Context(), "verify bully "+typed); o.status != ui.ExitUsage || !strings.Contains(o.err, want) {
			t.Errorf("%s: status %d, %s", typed, o.status, o.err)
		}
	}
}
