package properties_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
)

// straying returns an algorithm that does something odd when it hears 2 from 2, or when it
// begins.
func straying(stray func(), atOnce bool) spec.Machine {
	return odd("straying", func(a *oddState) {
		if atOnce {
			a.Init = func(*int, *oddProc) { stray() }
		}
		a.Start = func(_ *int, p *oddProc) { p.Broadcast(p.Others(), int(p.ID)) }
		a.Receive = func(_ *int, _ *oddProc, _ spec.ID, m int) {
			if m == 2 {
				stray()
			}
		}
	})
}

// TestSlowHandler: a handler that does not come back does not keep Verify beyond the end of
// its context, and is told of before.
func TestSlowHandler(t *testing.T) {
	defer properties.SetPatience(time.Millisecond, 20*time.Millisecond, 20*time.Millisecond)()
	for _, atOnce := range []bool{false, true} {
		for _, engine := range []properties.Engine{properties.Explicit, properties.Symbolic} {
			want := "the handler of process 1 for receive 2 from 2 ("
			if atOnce {
				want = "the handler of process 1 for init ("
			}
			back := make(chan struct{})
			slow := make(chan properties.Call, 1)
			var tell sync.Once
			ctx, end := context.WithCancel(t.Context())
			_, err := properties.Verify(ctx, straying(func() { <-back }, atOnce), model.Config{N: 2}, nil, properties.Options{Catalogue: election.Catalogue,
				Engine: engine,
				Slow: func(c properties.Call) {
					tell.Do(func() { slow <- c; end() })
				},
			})
			close(back)
			if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "watchdog_test.go:") || !strings.Contains(err.Error(), "has not come back for 0 s, in the state 0: make it return") {
				t.Errorf("%v, at once: %v: the error is %v, want %s", engine, atOnce, err, want)
			}
			if told := (<-slow).String(); !strings.HasPrefix(told, want) {
				t.Errorf("%v, at once: %v: told of %s, want %s", engine, atOnce, told, want)
			}
		}
	}
}

// TestSlowRuns: nor does it keep Simulate much beyond the time that runs have.
func TestSlowRuns(t *testing.T) {
	defer properties.SetPatience(time.Millisecond, 20*time.Millisecond, time.Millisecond)()
	back := make(chan struct{})
	defer close(back)
	ctx, end := context.WithTimeout(t.Context(), 3*time.Second)
	defer end()
	_, err := properties.Simulate(ctx, straying(func() { <-back }, false), model.Config{N: 2}, nil, properties.SimulateOptions{For: 300 * time.Millisecond})
	if err == nil || !strings.Contains(err.Error(), "has not come back for 0 s") {
		t.Errorf("%v", err)
	}
}

// TestSlowOutside: neither does anything else that does not come back.
func TestSlowOutside(t *testing.T) {
	defer properties.SetPatience(time.Millisecond, time.Hour, 5*time.Millisecond)()
	for _, workers := range []int{1, 2} {
		ctx, end := context.WithCancel(t.Context())
		back := make(chan struct{})
		var once sync.Once
		m := odd("outside", func(a *oddState) {
			a.Election.Leader = func(s int) spec.ID {
				if s == 1 {
					once.Do(end)
					<-back
				}
				return spec.None
			}
			a.Start = func(s *int, _ *oddProc) { *s = 1 }
		})
		_, err := properties.Verify(ctx, m, model.Config{N: 2}, nil, properties.Options{Catalogue: election.Catalogue, Workers: workers})
		close(back)
		if err == nil || !strings.Contains(err.Error(), "(properties/watchdog_test.go:") {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
}

// TestPatience: whoever ends a search does not call a handler slow that comes back.
func TestPatience(t *testing.T) {
	defer properties.SetPatience(time.Millisecond, time.Hour, time.Hour)()
	ctx, end := context.WithCancel(t.Context())
	r, err := properties.Verify(ctx, straying(func() { end(); time.Sleep(20 * time.Millisecond) }, false), model.Config{N: 2}, nil, properties.Options{Catalogue: election.Catalogue,
		Slow: func(c properties.Call) { t.Errorf("told of %v", c) },
	})
	if err != nil || r.Verdict != properties.Inconclusive {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestGoexit: who ends the goroutine of a search is found out, and no report is made.
func TestGoexit(t *testing.T) {
	for _, o := range []properties.Options{{Engine: properties.Explicit}, {Engine: properties.Symbolic}, {Direct: true}, {Direct: true, Workers: 2}} {
		o.Catalogue = election.Catalogue
		_, err := properties.Verify(t.Context(), straying(runtime.Goexit, false), model.Config{N: 2}, nil, o)
		if err == nil || !strings.Contains(err.Error(), "the handler of process 1 for receive 2 from 2 (") || !strings.Contains(err.Error(), "ends its goroutine") {
			t.Errorf("%+v: a handler that ends its goroutine: %v", o, err)
		}
	}
	for _, workers := range []int{1, 2, 3} {
		fatal := properties.Invariant("fatal", "it ends", func(*model.World) error { runtime.Goexit(); return nil })
		_, err := properties.Verify(t.Context(), straying(func() {}, false), model.Config{N: 2}, []properties.Property{fatal}, properties.Options{Engine: properties.Explicit, Workers: workers})
		if err == nil || !strings.Contains(err.Error(), "runtime.Goexit was called") {
			t.Errorf("%d workers: a property that ends its goroutine: %v", workers, err)
		}
	}
}

// TestSlowOnce: a step is taken twice, and once more at the end, but not if that takes a
// second. The step of this algorithm is asked for before the search and in it.
func TestSlowOnce(t *testing.T) {
	for pause, want := range map[time.Duration]int{0: 6, time.Second/2 - 1: 6, time.Second - 1: 4, time.Second: 2} {
		synctest.Test(t, func(t *testing.T) {
			var calls []time.Time
			m := odd("slow", func(a *oddState) {
				a.Start = func(s *int, _ *oddProc) { calls = append(calls, time.Now()); *s = 1; time.Sleep(pause) }
			})
			o := properties.Options{Engine: properties.Explicit, Workers: 1}
			if _, err := properties.Verify(t.Context(), m, model.Config{N: 1}, []properties.Property{election.WinnerIsTop}, o); err != nil || len(calls) != want {
				t.Errorf("%v: called at %v, want %d calls: %v", pause, calls, want, err)
			}
		})
	}
}

// TestSupervise: other work than that of Verify is supervised, too.
func TestSupervise(t *testing.T) {
	defer properties.SetPatience(time.Millisecond, time.Hour, 5*time.Millisecond)()
	calls := 0
	m := odd("whimsical", func(a *oddState) { a.Start = func(s *int, _ *oddProc) { calls++; *s = calls } })
	begin := func(m spec.Machine) (any, error) {
		after, _ := m.Step(1, []spec.ID{1}, 0, spec.Event{Kind: spec.Start})
		return after, nil
	}
	back := make(chan struct{})
	defer close(back)
	ctx, end := context.WithCancel(t.Context())
	for want, work := range map[string]func(m spec.Machine) (any, error){
		" is no function: in the state 0 it comes to 1, and when called again it comes to 2":   begin,
		"checking odd/whimsical panics outside of its handlers: stumbled at watchdog_test.go:": func(spec.Machine) (any, error) { panic("stumbled") },
		"runtime.Goexit was called":              func(spec.Machine) (any, error) { runtime.Goexit(); return 1, nil },
		"no handler is running: make Idle, Kind": func(spec.Machine) (any, error) { end(); <-back; return 1, nil },
	} {
		began := ctx
		if !strings.HasPrefix(want, "no handler") {
			began = t.Context()
		}
		if got, err := properties.Supervise(began, m, nil, work); err == nil || !strings.Contains(err.Error(), want) || got != nil {
			t.Errorf("%v, %v; want %q", got, err, want)
		}
	}
	if got, err := properties.Supervise(t.Context(), straying(func() {}, false), nil, begin); got != 0 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}
