package properties

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"

	"interleave/model"
	"interleave/spec"
)

// TestSimulate takes runs of machine m in the world c as part of a Go test, as Simulate does, with a worker for each
// processor unless Workers says otherwise. It fails the test if a run violates a property, and leaves the trace as Test
// does. With go test -short it takes a tenth of the runs. A test that passes says how many runs there were: they verify
// nothing.
func TestSimulate(t *testing.T, m spec.Machine, c model.Config, o SimulateOptions, props ...Property) *Simulation {
	t.Helper()
	ctx := t.Context()
	if deadline, ok := t.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-grace))
		defer cancel()
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.fill(); testing.Short() {
		o.Runs = (o.Runs + 9) / 10
	}
	s, err := Simulate(ctx, m, c, props, o)
	if err != nil {
		t.Fatalf("%s: %v", m.Traits().Name, err)
	}
	if len(s.Findings) == 0 {
		t.Errorf("%s: %v", m.Traits().Name, errNothingJudged)
	}
	t.Logf("%s: %d runs by %v, seed %d, %d steps, %d distinct local steps: this verifies nothing", s.Algorithm, s.Stats.Runs, s.Scheduler, s.Seed, s.Stats.Steps, s.Stats.LocalSteps)
	if s.Verdict != Violated && (s.Stats.Runs == 0 || o.For == 0 && s.Stats.Runs < o.Runs) {
		t.Errorf("%s: time ran out after %d of %d runs: give go test a longer -timeout, or fewer Runs", s.Algorithm, s.Stats.Runs, o.Runs)
	}
	for i, f := range s.Findings {
		if f.Verdict == Violated {
			fail(t, m, &Report{Algorithm: s.Algorithm, Findings: s.Findings}, i)
			t.Logf("%s: run %d with seed %d, made smaller", f.Name, s.Run, s.Seed)
		}
	}
	return s
}

// Fuzz takes runs of machine m in the world c as a fuzz target of package testing: the bytes of an input choose the steps.
// It fails for an input whose run violates a property, and leaves the trace as Test does. Without properties they are
// the Standard ones that a run can violate.
//
//	func FuzzLock(f *testing.F) { properties.Fuzz(f, lock.Algorithm, model.Config{N: 3, Crashes: 1}) }
//
// go test runs it on a few inputs and on those in testdata/fuzz; go test -fuzz FuzzLock looks for more.
func Fuzz(f *testing.F, m spec.Machine, c model.Config, props ...Property) {
	f.Helper()
	fuzz(f, Catalogue{}, m, c, props)
}

func fuzz(f *testing.F, k Catalogue, m spec.Machine, c model.Config, props []Property) {
	f.Helper()
	o := SimulateOptions{Catalogue: k, Steps: MostSimulateSteps, Direct: true}
	o.fill()
	q, judged, err := o.question(m, c, props, &Simulation{})
	if err == nil && len(judged) == 0 {
		err = errNothingJudged
	}
	if err != nil {
		f.Fatalf("%s: %v", m.Traits().Name, err)
	}
	random := rand.New(rand.NewPCG(0, 0))
	for range 16 {
		data := make([]byte, 64)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		found, err := q.Follow(data)
		switch {
		case err != nil:
			t.Fatalf("%s: %v", m.Traits().Name, err)
		case found != nil:
			s := &Simulation{}
			s.violated(append(judged, NoPanic)[found.Property], found)
			fail(t, m, &Report{Algorithm: m.Traits().Name, Findings: s.Findings}, 0)
		}
	})
}
