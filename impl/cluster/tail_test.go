package cluster

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"interleave/impl/runlog"
	"interleave/spec"
)

// TestTail writes a log in pieces, late, and with a line cut by a kill.
func TestTail(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	ctx, cancel := context.WithCancel(t.Context())
	heard := make(chan report, 10)
	var running sync.WaitGroup
	running.Go(func() {
		if err := tail(ctx, file, func(r report) { heard <- r }); err != nil {
			t.Error(err)
		}
	})
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, part := range []string{
		`{"line":"begin","process":2,"time":"2026-01-01T00:00:00.5Z","leader":0}` + "\n" + `{"line":"st`, `ep","process":2,"lea`, `der":3}` + "\n",
		`{"line":"step","process":2,"leader":` + "\n", `{"line":"step","process":2,"leader":-1}` + "\n", `{"line":"step","process":2,"leader":65}` + "\n",
		`{"line":"breach","process":2,"leader":3,"breach":{"kind":"delay"}}` + "\n",
	} {
		if _, err := f.WriteString(part); err != nil {
			t.Fatal(err)
		}
		time.Sleep(tailPeriod)
	}
	first, second, third := <-heard, <-heard, <-heard
	if first.Line != runlog.LineBegin || first.Process != 2 || *first.Leader != spec.None || first.Time.Nanosecond() != 5e8 {
		t.Errorf("%+v", first)
	}
	if second.Line != runlog.LineStep || *second.Leader != 3 || third.Breach == nil || third.Breach.Kind != runlog.BreachDelay {
		t.Errorf("%+v %+v", second, third)
	}
	f.WriteString(`{"line":"step","process":2}` + "\n")
	if none := <-heard; none.Line != runlog.LineStep || none.Leader != nil {
		t.Errorf("where nobody is elected: %+v", none)
	}
	f.WriteString(`{"line":"step","process":2,"leader":1}` + "\n")
	cancel()
	running.Wait()
	if last := <-heard; *last.Leader != 1 || len(heard) > 0 {
		t.Errorf("at the end: %+v, and %d more", last, len(heard))
	}
}

// TestTailOfNothing: a log that never comes to be is no error.
func TestTailOfNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := tail(ctx, filepath.Join(t.TempDir(), "none"), func(report) { t.Error("a line") }); err != nil {
		t.Error(err)
	}
}

// FuzzReport: whatever stands in a log, a report is of a process that may be.
func FuzzReport(f *testing.F) {
	f.Add([]byte(`{"line":"step","process":2,"time":"2026-01-01T00:00:00Z","leader":3}`))
	f.Add([]byte(`{"line":"breach","leader":0,"breach":{"kind":"delay"}}`))
	f.Add([]byte(`{"leader":null}`))
	f.Add([]byte(`{"leader":1e3}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if r, ok := parseReport(line); ok && r.Leader != nil && (*r.Leader < spec.None || *r.Leader > spec.MaxID) {
			t.Fatalf("%+v", r)
		}
	})
}
