package properties_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/object/objecttest"
)

// TestSimulateCode: what walkers know of existing code is their own, and may be forgotten at any time. The machine that is
// given learns nothing of it.
func TestSimulateCode(t *testing.T) {
	t.Parallel()
	c := model.Config{N: 3, Network: model.Set, Crashes: 1, Recoveries: 1}
	ways := []properties.SimulateOptions{{}, {ThenVerify: 100}, {Direct: true}, {ThenVerify: 100, Direct: true}}
	for _, o := range ways[:testsize.Of(2, 2, 4)] {
		o.Runs, o.Steps, o.Seed = 6, 12, 3
		text := func(m spec.Machine, o properties.SimulateOptions) string {
			out, err := json.Marshal(simulate(t, m, c, o))
			if err != nil {
				t.Fatal(err)
			}
			return string(out)
		}
		for _, bug := range []bool{false, true} {
			m, few := spec.Machine(objecttest.NewStore()), 9 // boots, and what a crash leaves
			if bug {
				m, few = objecttest.Forgetful.Traits().Code.Fresh(), 1000 // what makes a run smaller
			}
			one := text(m, o)
			if n := len(m.Traits().Code.Histories()); n > few {
				t.Errorf("%+v: the machine that is given knows %d histories", o, n)
			}
			many := o
			many.Workers = 3
			if other := text(m, many); other != one {
				t.Errorf("with 3 workers\n%s\nwith one\n%s", other, one)
			}
			if other := text(m, o.Forgetting()); other != one {
				t.Errorf("if it is forgotten\n%s\nif it is not\n%s", other, one)
			}
		}
	}
}

// TestSimulateCutOff: when the context ends, the run that was found is shown as it is, and a run without a violation is given up.
func TestSimulateCutOff(t *testing.T) {
	c := model.Config{N: 3, Network: model.Set}
	for _, late := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		committed := properties.Invariant("none", "nothing is committed", func(w *model.World) error {
			for p := range spec.UpTo(w.N()).All() {
				if s, up := w.State(p).(interface{ Seen() any }); !up || !hasCommitted(s) {
					continue
				}
				if !late {
					cancel()
				}
				return errors.New("something is committed")
			}
			return nil
		})
		s, err := properties.Simulate(ctx, objecttest.NewStore(), c, []properties.Property{committed}, properties.SimulateOptions{Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		if f := s.Findings[0]; f.Verdict != properties.Violated || s.CutOff == late || (f.Depth == s.RunSteps) == late {
			t.Errorf("%v: cut off: %t, %d of %d steps are left", f.Verdict, s.CutOff, f.Depth, s.RunSteps)
		}
	}
	wait := func() {}
	slow := func() spec.Machine {
		return objecttest.NewStore().Mutant("slow", "takes long once", func(_ *objecttest.Replica, e spec.Event, _ *spec.Proc[objecttest.Message], handle func()) {
			if e.Kind == spec.Receive {
				wait()
			}
			handle()
		})
	}
	none := properties.Invariant("none", "nothing is committed", func(w *model.World) error {
		for p := range spec.UpTo(w.N()).All() {
			if s, up := w.State(p).(interface{ Seen() any }); up && hasCommitted(s) {
				return errors.New("something is committed")
			}
		}
		return nil
	})
	o := properties.SimulateOptions{Seed: 3, Workers: 2, Runs: 100, Direct: true}
	want := simulate(t, slow(), c, o, none).Run
	var waited atomic.Bool
	wait = func() { // for longer than runs have: this one is cut off, and the other worker goes on
		if waited.CompareAndSwap(false, true) {
			time.Sleep(400 * time.Millisecond)
		}
	}
	o.For = 300 * time.Millisecond
	if s := simulate(t, slow(), c, o, none); s.Run > 0 && s.Run != want { // on a busy machine there may be none
		t.Errorf("run %d violates it, and without a limit run %d", s.Run, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ends := properties.Invariant("ends", "", func(*model.World) error { cancel(); return nil })
	s, err := properties.Simulate(ctx, objecttest.NewStore(), c, []properties.Property{ends}, properties.SimulateOptions{})
	if err != nil || s.Stats.Runs > 0 {
		t.Errorf("%d runs, %v", s.Stats.Runs, err)
	}
}

func hasCommitted(s interface{ Seen() any }) bool {
	return s.Seen().(struct {
		Disk objecttest.Disk
		View objecttest.View
	}).View.Committed > 0
}
