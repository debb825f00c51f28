package sweep

import (
	"strings"
	"testing"

	"interleave/properties"
	"interleave/spec"
)

// A field of existing code that is ignored from now on is a difference from the lock, though as much is explored.
func TestLockAssumes(t *testing.T) {
	s := sweepOf(t, "version: 1\nrows:\n  - {algorithm: bully/mended, n: [2], expect: {agreement-on-top: holds}}\n")
	r := result{configuration: s.cases[0], stats: properties.Stats{Complete: true, States: 3, Transitions: 4}}
	l := &lock{Counts: map[string]counts{r.key(): r.counts()}}
	if why := l.difference(r); why != "" {
		t.Error(why)
	}
	r.assumes = []spec.Assumption{{Field: "Core.granted", Reason: "who cares"}, {Field: "Core.handled", Reason: "it is counted"}}
	if why := l.difference(r); !strings.Contains(why, "3 states, 4 transitions, assuming that nothing depends on Core.granted, Core.handled, and in the lock") {
		t.Error(why)
	}
}
