package main

import (
	"io"
	"strings"
	"testing"
	"time"

	"interleave/internal/testsize"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
	"interleave/spec/lock"
	"interleave/spec/tokenring"
)

// TestRun: a simulation finds every mutant that a search finds in few states, by what one state or step shows.
func TestRun(t *testing.T) {
	testsize.Alone(t)
	var out strings.Builder
	machines := testsize.Of([]spec.Machine{lock.Mended}, []spec.Machine{bully.Mended, tokenring.Mended, lock.Mended}, catalog.Machines)
	if err := run(t.Context(), machines, options{states: testsize.Of(2_000, 20_000, 20_000), limit: time.Minute}, io.MultiWriter(&out, t.Output())); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(out.String(), "| lock/mended~"); lines != 7 {
		t.Errorf("%d mutants of lock/mended are found", lines)
	}
	if !testing.Short() && !strings.Contains(out.String(), "token-ring/mended~egoist, token-ring/mended~strict, ") {
		t.Error("it is not said which mutants only whole runs show")
	}
}

// TestMissed: what is not found in time is an error.
func TestMissed(t *testing.T) {
	err := run(t.Context(), []spec.Machine{lock.Mended}, options{states: 2_000, limit: 1}, io.Discard)
	if err == nil || !strings.HasPrefix(err.Error(), "not found in 1ns: lock/mended~generous, ") {
		t.Error(err)
	}
}
