package properties_test

import (
	"context"
	"testing"

	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/changroberts"
	"interleave/spec/fastbully"
)

// TestEarlyCycleAfterFalseAlarm: where some run ends as a violation might, but is none, a
// glance at those that cycle is enough all the same.
func TestEarlyCycleAfterFalseAlarm(t *testing.T) {
	p, err := election.Formula("<>!knows(4) & <>[]rest")
	if err != nil {
		t.Fatal(err)
	}
	r := verify(t, changroberts.Naive, model.Config{N: 4, Network: model.Set, Crashes: 1}, []properties.Property{p}, properties.Options{})
	if f := r.Findings[0]; f.Verdict != properties.Violated || r.Stats.Outcome != explore.Stopped.String() {
		t.Errorf("%v (%s), %s", f.Verdict, f.Why, r.Stats.Outcome)
	}
}

// TestPartialResults: what a search has found stays found where another one follows, or where it
// goes on on disk and there is no room.
func TestPartialResults(t *testing.T) {
	testsize.Alone(t)
	c := model.Config{N: 4, Network: model.Set, Crashes: 1, Recoveries: 1}
	props := []properties.Property{election.OneLeader, election.WinnerIsTop, election.CanElect, election.StableLeader}
	quick := 200_000
	if testing.Short() {
		quick = 50_000
	}
	whole := verify(t, fastbully.Published, c, props, properties.Options{MaxStates: quick, Continue: true})
	if f := whole.Findings[0]; f.Verdict != properties.Violated || whole.Stats.Complete {
		t.Fatalf("one-leader is %v: %s", f.Verdict, whole.Stats.Outcome)
	}
	defer properties.SetQuickStates(quick, quick*3/2)()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := properties.Options{Engine: properties.Auto, Continue: true, Growth: func(properties.Growth) { cancel() }}
	o.Catalogue = election.Catalogue
	r, err := properties.Verify(ctx, fastbully.Published, c, props, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Stats.Because == "" || r.Verdict != properties.Violated {
		t.Errorf("%v by the %s engine, %s", r.Verdict, r.Stats.Engine, r.Stats.Because)
	}
	for i, f := range r.Findings {
		if want := whole.Findings[i]; f.Verdict != want.Verdict || f.Depth != want.Depth {
			t.Errorf("%s is %v after %d steps, else %v after %d", f.Name, f.Verdict, f.Depth, want.Verdict, want.Depth)
		}
	}
}

// TestEarlyCycle: a run that cycles among the first states is found before the others
// are, and no limit takes that away. How it is found changes nothing else.
func TestEarlyCycle(t *testing.T) {
	c := model.Config{N: 4, Network: model.Set, Crashes: 1}
	larger := c
	larger.N = 5
	shown := map[int]properties.Finding{}
	for _, row := range []struct {
		c       model.Config
		o       properties.Options
		outcome explore.Outcome
		safe    properties.Verdict // leader-is-top-or-crashed
	}{
		{c, properties.Options{}, explore.Stopped, properties.Inconclusive},
		{c, properties.Options{Workers: 2}, explore.Stopped, properties.Inconclusive},
		{c, properties.Options{Continue: true}, explore.Exhausted, properties.Verified},
		{c, properties.Options{Continue: true, MaxStates: 150_000}, explore.StateLimit, properties.Inconclusive},
		{larger, properties.Options{}, explore.Stopped, properties.Inconclusive},
		{larger, properties.Options{Continue: true, Memory: 32 << 20}, explore.MemoryLimit, properties.Inconclusive},
		{larger, properties.Options{Continue: true, Memory: 32 << 20, Spill: t.TempDir(), MaxStates: 1_500_000}, explore.StateLimit, properties.Inconclusive},
	} {
		if !testsize.All() && row.o.Workers == 0 && (testing.Short() || row.c.N == 5) {
			continue
		}
		r := verify(t, changroberts.Naive, row.c, []properties.Property{election.LeaderIsTopOrCrashed, properties.Termination}, row.o)
		if v := r.Findings[0].Verdict; r.Stats.Outcome != row.outcome.String() || v != row.safe || r.Stats.States < 1<<16 {
			t.Errorf("%+v: %s after %d states; leader-is-top-or-crashed is %v", row.o, r.Stats.Outcome, r.Stats.States, v)
		}
		f := r.Findings[1]
		first, known := shown[row.c.N]
		if !known {
			first, shown[row.c.N] = f, f
		}
		if f.Verdict != properties.Violated || !f.Cycles() || f.Depth != first.Depth {
			t.Errorf("%+v: termination is %v after %d steps, else %d: %s", row.o, f.Verdict, f.Depth, first.Depth, f.Why)
		}
		if onDisk := r.Stats.Disk > 0; onDisk != (row.o.Spill != "") {
			t.Errorf("%+v: %d bytes on disk", row.o, r.Stats.Disk)
		}
	}
}

// TestLateEnd: a run that ends where a shorter one does that is innocent, and is not, is found
// however the search ends. The process either leads and rests, or does so without having led;
// or it goes on for a while, so that a limit ends the search.
func TestLateEnd(t *testing.T) {
	const rests, goes = 9, 20
	next := map[int][]int{0: {1, 2, goes}, 1: {rests}, 2: {3}, 3: {rests}}
	m := odd("late", func(a *oddState) {
		set := func(s int, p *oddProc) {
			for i := range spec.Timer(3) {
				p.StopTimer(i)
			}
			for i := range next[s] {
				p.SetTimer(spec.Timer(i))
			}
			if s >= goes && s < 60 {
				p.SetTimer(0)
			}
		}
		a.Init = func(s *int, p *oddProc) { set(*s, p) }
		a.Timeout = func(s *int, p *oddProc, i spec.Timer) {
			if *s < goes {
				*s = next[*s][i]
			} else {
				*s++
			}
			set(*s, p)
		}
		a.Rules = []oddRule{{Name: "first"}, {Name: "second"}, {Name: "third"}}
		a.Election.Leader = func(s int) spec.ID {
			if s == 1 || s >= goes {
				return 1
			}
			return spec.None
		}
	})
	leads, err := election.Formula("<>leads(1)")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []properties.Options{{}, {MaxDepth: 10}, {MaxStates: 20}, {MaxDepth: 10, Direct: true}, {MaxStates: 20, Engine: properties.Auto}, {Engine: properties.Symbolic}} {
		r := verify(t, m, model.Config{N: 1, Timers: model.Any}, []properties.Property{leads}, o)
		if f := r.Findings[0]; f.Verdict != properties.Violated || f.Depth != 3 {
			t.Errorf("%+v: %v after %d steps: %s", o, f.Verdict, f.Depth, f.Why)
		}
	}
}
