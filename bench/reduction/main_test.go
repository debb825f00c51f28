package main

import (
	"fmt"
	"strings"
	"testing"

	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
	"interleave/spec/syncbully"
)

// TestRun: a line where something is left out, and a reason where nothing is.
func TestRun(t *testing.T) {
	var out strings.Builder
	machines := []spec.Machine{changroberts.Textbook, bully.Mended, syncbully.Mended}
	if err := run(t.Context(), machines, 2_000, &out); err != nil {
		t.Fatal(err)
	}
	var n, states, reduced int
	for line := range strings.Lines(out.String()) {
		if rest, ok := strings.CutPrefix(line, "| chang-roberts/textbook |"); ok {
			if _, err := fmt.Sscanf(rest, "%d | %d | %d |", &n, &states, &reduced); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		}
	}
	if n < 5 || states > 2_000 || reduced*5 > states {
		t.Errorf("N=%d: %d states, %d reduced", n, states, reduced)
	}
	for _, want := range []string{"* rounds in lock step leave no order: sync-bully/mended\n", "depends on all that is under way: bully/mended\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	if err := run(t.Context(), machines, 5, &out); err == nil || !strings.Contains(err.Error(), "more than 5 states") {
		t.Errorf("two processes that have too many states: %v", err)
	}
}
