package conformance_test

import (
	"slices"
	"testing"
	"time"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/internal/testsize"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
)

// TestMutantsOnTheWire runs mutants, and compares what they send with what their
// originals do. Not all can be told apart so: who waits too long, believes too
// much or hears nothing may do what a slow network makes of an honest process.
func TestMutantsOnTheWire(t *testing.T) {
	testsize.Alone(t)
	killed := map[string]bool{}
	for _, m := range slices.Concat(bully.Mutants, changroberts.Mutants) {
		name := m.Traits().Name
		original, mutant := spec.Original(name)
		if original != "bully/mended" && original != "chang-roberts/textbook" {
			continue
		}
		machine, err := find(original)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(6) {
			_, packets := plan{machine: m, n: 3, seed: seed, loss: 10, crashes: int(seed) / 2, length: time.Second}.record(t)
			report, err := captures.Check(packets, captures.Options{Find: func(string) (spec.Machine, error) { return machine, nil }})
			if err == nil && report.Verdict == conformance.Refuted {
				killed[original+" "+mutant] = true
			}
		}
	}
	t.Log(killed)
	for _, name := range []string{
		"bully/mended mute", "bully/mended passive", "bully/mended discreet", "chang-roberts/textbook generous",
		"chang-roberts/textbook lost", "chang-roberts/textbook proud",
	} {
		if !killed[name] {
			t.Error(name, "survives")
		}
	}
}
