package properties

import (
	"context"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"interleave/model"
	"interleave/spec"
)

// grace is left before a test's deadline to report what was found.
const grace = 5 * time.Second

// Test checks machine m in the world c as part of a Go test: nil properties
// mean the Standard ones. It fails the test unless all that count are
// Verified, and leaves the counterexample in the test's artifact directory, for
// mc replay; go test -artifacts keeps it. A test deadline makes the check Inconclusive, which fails too.
func Test(t *testing.T, m spec.Machine, c model.Config, props ...Property) *Report {
	t.Helper()
	ctx := t.Context()
	if deadline, ok := t.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-grace))
		defer cancel()
	}
	r, err := Verify(ctx, m, c, props, Options{Workers: runtime.GOMAXPROCS(0)})
	if err != nil {
		t.Fatalf("%s: %v", m.Traits().Name, err)
	}
	for _, f := range r.Findings {
		if f.Verdict == Verified || !f.Counts() {
			continue
		}
		t.Errorf("%s: %s %v: %s", r.Algorithm, f.Name, f.Verdict, f.Why)
		if f.Trace != nil {
			file := filepath.Join(t.ArtifactDir(), f.Name+".json")
			if err := f.Trace.WriteFile(file); err != nil {
				t.Error(err)
			}
			t.Logf("%s: counterexample at depth %d in %s", f.Name, f.Depth, file)
			for _, line := range Tell(m, f.Trace) {
				t.Log(line)
			}
		}
	}
	return r
}
