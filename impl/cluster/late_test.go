package cluster

import (
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"interleave/impl/cluster/network"
	"interleave/spec"
)

func TestLateness(t *testing.T) {
	var l Lateness
	for _, ms := range []int{-5, 0, 250, 251, 300, 260} {
		l.take(time.Duration(ms) * time.Millisecond)
	}
	if l != (Lateness{3, 300}) {
		t.Errorf("%+v", l)
	}
}

// TestLateEvent: an event takes so long that the next one is late, and so is
// whoever looks on.
func TestLateEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := lateRun(t)
		heal := Event{At: time.Second, Action: Action{Verb: Heal}}
		r.c.Plan.Events, r.c.Duration = []Event{heal, heal}, 3*time.Second
		r.undo[[2]int{0, 0}] = func() error { time.Sleep(2 * time.Second); return nil }
		r.c.Plan.Events[0].For = time.Second
		if err := r.script(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r.late != (Lateness{1, 1000}) {
			t.Errorf("%+v", r.late)
		}
	})
}

func TestLateWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := lateRun(t)
		looks := 0
		r.c.Watch = func(Snapshot) {
			if looks++; looks == 3 {
				time.Sleep(400 * time.Millisecond)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2050*time.Millisecond)
		defer cancel()
		r.watch(ctx)
		if r.late != (Lateness{1, 300}) {
			t.Errorf("%+v", r.late)
		}
	})
}

// lateRun is a run without processes.
func lateRun(t *testing.T) *run {
	r := &run{began: time.Now(), undo: map[[2]int]func() error{}, observed: observed{view: newView(0), news: newNews(0), reports: map[spec.ID]*reports{}}}
	for name, log := range map[string]**lineLog{"fates": &r.fates, "occasions": &r.occasions, "snapshots": &r.snapshots} {
		var err error
		if *log, err = newLineLog(filepath.Join(t.TempDir(), name)); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { (*log).close() })
	}
	r.network = network.New(1, network.Faults{}, func(network.Settled) {})
	return r
}
