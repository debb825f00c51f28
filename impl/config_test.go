package impl

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"interleave/impl/runlog"
	"interleave/impl/transport"
	"interleave/impl/wire"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
	"interleave/spec/fastbully"
	"interleave/spec/syncring"
)

func sensible() Config {
	return Config{Machine: bully.Mended, ID: 1, Ring: []spec.ID{1, 2, 3}, Transport: transport.NewSwitch(nil).Plug(1)}
}

// TestBadConfig: each mistake is told in one sentence that names it.
func TestBadConfig(t *testing.T) {
	for _, c := range []struct {
		want   string
		change func(c *Config)
	}{
		{"there is no algorithm to run", func(c *Config) { c.Machine = nil }},
		{"algorithm : the name", func(c *Config) { c.Machine = &spec.Algorithm[int, int]{} }},
		{"0 processes are out of range: bully/mended is for 1 to 64", func(c *Config) { c.Ring = nil }},
		{"there is no process 4 among the processes 1 to 3", func(c *Config) { c.ID = 4 }},
		{"there is no process 0 among the processes 1 to 3", func(c *Config) { c.ID = 0 }},
		{"the ring [1 2 2] does not name each of the processes 1 to 3 once", func(c *Config) { c.Ring = []spec.ID{1, 2, 2} }},
		{"there is no transport", func(c *Config) { c.Transport = nil }},
		{"delta is 1µs: give 1ms or more", func(c *Config) { c.Delta = time.Microsecond }},
		{"delta is -1s: give 1ms or more", func(c *Config) { c.Delta = -time.Second }},
		{`bully/mended has no timer "T_okay": there are T_coord, T_ok, heartbeat, join, notice, suspect`, func(c *Config) { c.Durations = map[string]time.Duration{"T_okay": 1} }},
		{`bully/mended has no timer "round"`, func(c *Config) { c.Durations = map[string]time.Duration{"round": 1} }},
		{"timer T_ok lasts 0s: give it 1ms to 1000h", func(c *Config) { c.Durations = map[string]time.Duration{"T_ok": 0} }},
		{"timer T_ok lasts 200ms, and must last longer than 200ms: it can make a leader, and an answer may take two deltas",
			func(c *Config) { c.Durations = map[string]time.Duration{"T_ok": 200 * time.Millisecond} }},
		{"timer suspect lasts 150ms, and must last longer than 150ms: the time between two heartbeats",
			func(c *Config) { c.Durations = map[string]time.Duration{"suspect": 150 * time.Millisecond} }},
		{"in lock step all processes begin at the same moment: say when", func(c *Config) { c.Machine = syncring.Published }},
		{"timer round lasts 100ms, and must last longer than 100ms: what is sent in a round has to arrive in it", func(c *Config) {
			c.Machine, c.Begin, c.Durations = syncring.Published, time.Now(), map[string]time.Duration{"round": 100 * time.Millisecond}
		}},
		{"bully/mended does not run in lock step", func(c *Config) { c.Begin = time.Now() }},
		{"in lock step nothing is lost", func(c *Config) { c.Machine, c.Begin, c.Datagrams = syncring.Published, time.Now(), true }},
	} {
		config := sensible()
		c.change(&config)
		if _, err := New(config); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestTimersByDelta: an electing timer of two deltas is refused, with a type
// that says which; one nanosecond more is taken; so is anything if that is asked for.
func TestTimersByDelta(t *testing.T) {
	config := sensible()
	config.Delta = 50 * time.Millisecond
	config.Durations = map[string]time.Duration{"T_ok": 100 * time.Millisecond}
	_, err := New(config)
	var timer *TimerError
	if !errors.As(err, &timer) || timer.Name != "T_ok" || timer.Than != 100*time.Millisecond {
		t.Error(err)
	}
	config.UnsafeTimers = true
	if _, err := New(config); err != nil {
		t.Error(err)
	}
	config.UnsafeTimers, config.Durations["T_ok"] = false, 100*time.Millisecond+1
	if _, err := New(config); err != nil {
		t.Error(err)
	}
	config.Durations = map[string]time.Duration{"T_coord": time.Millisecond} // it makes nobody a leader
	if _, err := New(config); err != nil {
		t.Error(err)
	}
}

// TestDefaultDurations: they are safe for every algorithm and any delta, and are
// what is printed.
func TestDefaultDurations(t *testing.T) {
	for _, m := range slices.Concat(catalog.Machines, catalog.Mutants) {
		for _, delta := range []time.Duration{time.Millisecond, 7 * time.Millisecond, time.Minute} {
			c := sensible()
			c.Machine, c.Delta = m, delta
			if m.Traits().Handles.Has(spec.Round) {
				c.Begin = time.Now()
			}
			if _, err := New(c); err != nil {
				t.Errorf("%s, delta %v: %v", m.Traits().Name, delta, err)
			}
		}
	}
	d := DefaultDurations(fastbully.Mended, 5, 100*time.Millisecond)
	text := ""
	for _, name := range slices.Sorted(maps.Keys(d)) {
		text += fmt.Sprintf("%s=%v ", name, d[name])
	}
	if text != "T2 (answers)=300ms T2 (views)=300ms T3=300ms T4=2.1s heartbeat=50ms join=5.4s notice=300ms suspect=400ms " {
		t.Error(text)
	}
	own := &spec.Algorithm[int, int]{Name: "test/own", Rules: []spec.TimerRule[int, int]{{Name: "T", Lasts: 7}, {Name: "T_elects", Lasts: 4, Elects: true}}}
	if d := DefaultDurations(own, 5, 100*time.Millisecond); d["T"] != 700*time.Millisecond || d["T_elects"] != 400*time.Millisecond {
		t.Errorf("what the rules say: %v", d)
	}
	// SEMANTICS: T4 outlasts T2, two deltas, and one T3 for each possible nominee.
	if d["T4"] <= d["T2 (answers)"]+200*time.Millisecond+4*d["T3"] {
		t.Errorf("T4 lasts %v", d["T4"])
	}
}

// TestPanic: a handler that panics ends the process, with an error that says
// where.
func TestPanic(t *testing.T) {
	fragile := &spec.Algorithm[bool, bool]{
		Name:    "fragile",
		Receive: func(*bool, *spec.Proc[bool], spec.ID, bool) { panic("it fell over") },
		Election: &spec.Election[bool, bool]{
			Notice: func(_ *bool, p *spec.Proc[bool]) {
				if p.ID == 2 { // or 2 might fall over before it sends anything
					p.Send(1, true)
				}
			},
			Leader: func(bool) spec.ID { return spec.None },
		},
	}
	bubble(t, func(t *testing.T) {
		g := newGroup(t, fragile, 2, nil)
		defer g.stop()
		g.start(1, 2)
		err := <-g.members[1].done
		var fell *PanicError
		if !errors.As(err, &fell) || fell.Event != "receive true from 2" || !strings.Contains(err.Error(), "it fell over at config_test.go:") {
			t.Error(err)
		}
		if s := g.members[1].node.Status(); s.Failed == "" {
			t.Error("the status does not say so")
		}
		g.members[1].node, g.members[2].node = nil, nil
		g.members[2].stop()
		<-g.members[2].done
	})
}

// TestPanicElsewhere: so does a function of the algorithm that is no handler.
func TestPanicElsewhere(t *testing.T) {
	type state struct{ Steps int }
	fall := func(s state) {
		if s.Steps > 0 {
			panic("it fell over")
		}
	}
	for name, change := range map[string]func(a *spec.Algorithm[state, bool]){
		"Leader": func(a *spec.Algorithm[state, bool]) {
			a.Election.Leader = func(s state) spec.ID { fall(s); return spec.None }
		},
		"Idle":   func(a *spec.Algorithm[state, bool]) { a.Idle = func(s state) bool { fall(s); return true } },
		"Stable": func(a *spec.Algorithm[state, bool]) { a.Stable = func(s state) state { fall(s); return s } },
		"Stable, at once": func(a *spec.Algorithm[state, bool]) {
			a.Stable = func(state) state { panic("it fell over") }
		},
		"Kind": func(a *spec.Algorithm[state, bool]) {
			a.Kind, a.Kinds = func(sent bool) string { panic("it fell over") }, []string{"A", "B"}
		},
		"Halted": func(a *spec.Algorithm[state, bool]) {
			a.Receive, a.Election.Notice = nil, nil
			a.Round = func(s *state, _ *spec.Proc[bool], _ []spec.Received[bool]) { s.Steps++ }
			a.Halted = func(s state) bool { fall(s); return false }
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				fragile := &spec.Algorithm[state, bool]{
					Name:    "fragile",
					Receive: func(*state, *spec.Proc[bool], spec.ID, bool) {},
					Election: &spec.Election[state, bool]{
						Notice: func(s *state, p *spec.Proc[bool]) {
							s.Steps++
							p.Broadcast(p.Others(), true)
						},
						Leader: func(state) spec.ID { return spec.None },
					},
				}
				change(fragile)
				g := newGroup(t, fragile, 2, nil)
				g.start(1)
				err := <-g.members[1].done
				var fell *PanicError
				if !errors.As(err, &fell) || !strings.Contains(err.Error(), "fragile, process 1: it panics outside of its handlers: it fell over at config_test.go:") {
					t.Error(err)
				}
				if s := g.members[1].node.Status(); s.Failed == "" {
					t.Error("the status does not say so")
				}
			})
		})
	}
}

// picky refuses every message until it has heard a bell, and rings one when its
// timer expires.
var picky = &spec.Algorithm[struct{ Open, Heard int }, int]{
	Name: "picky",
	Init: func(_ *struct{ Open, Heard int }, p *spec.Proc[int]) { p.SetTimer(0) },
	Timeout: func(s *struct{ Open, Heard int }, p *spec.Proc[int], _ spec.Timer) {
		s.Open++
		if s.Open < 3 {
			p.Broadcast(p.Others(), s.Open)
			p.Send(p.ID, 10*s.Open)
			p.SetTimer(0)
		}
	},
	Receive: func(s *struct{ Open, Heard int }, p *spec.Proc[int], _ spec.ID, m int) {
		if s.Open < 3 {
			p.Refuse()
			return
		}
		s.Heard += m
	},
	Election: &spec.Election[struct{ Open, Heard int }, int]{Leader: func(s struct{ Open, Heard int }) spec.ID { return spec.None }},
	Rules:    []spec.TimerRule[struct{ Open, Heard int }, int]{{Name: "bell"}},
}

// TestRefused: what is refused stays where it is, in order, and is handled when
// the machine takes it.
func TestRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, picky, 2, nil)
		g.config.Durations = map[string]time.Duration{"bell": time.Second}
		defer g.stop()
		g.start(1, 2)
		time.Sleep(2500 * time.Millisecond)
		if s := g.members[1].node.Status(); s.Refused == 0 || string(s.State) != `{"Open":2,"Heard":0}` {
			t.Errorf("%d refused, state %s", s.Refused, s.State)
		}
		time.Sleep(time.Second)
		if got := string(g.members[1].node.Status().State); got != `{"Open":3,"Heard":33}` {
			t.Errorf("state %s", got)
		}
		g.stop()
		g.recheck()
		g.calm() // whatever waits has come
		refused := 0
		for _, r := range g.records(1) {
			if r.Line == runlog.LineRefused {
				refused++
			}
		}
		if refused != 2 { // the first of each sender; what is behind it is not tried
			t.Errorf("%d messages are refused in the log", refused)
		}
	})
}

// TestRefusedUntilAnother: what is refused is tried again at once when what came behind it was
// handled, for nothing else may come.
func TestRefusedUntilAnother(t *testing.T) {
	waits := &spec.Algorithm[struct{ Went, Done bool }, string]{
		Name: "waits",
		Init: func(_ *struct{ Went, Done bool }, p *spec.Proc[string]) {
			if p.ID > 1 {
				p.SetTimer(spec.Timer(p.ID - 2))
			}
		},
		Timeout: func(_ *struct{ Went, Done bool }, p *spec.Proc[string], timer spec.Timer) {
			p.Send(1, []string{"wait", "go"}[timer])
		},
		Receive: func(s *struct{ Went, Done bool }, p *spec.Proc[string], _ spec.ID, m string) {
			if m == "wait" && !s.Went {
				p.Refuse()
			}
			s.Went, s.Done = true, m == "wait"
		},
		Election: &spec.Election[struct{ Went, Done bool }, string]{Leader: func(struct{ Went, Done bool }) spec.ID { return spec.None }},
		Rules:    []spec.TimerRule[struct{ Went, Done bool }, string]{{Name: "soon"}, {Name: "late"}},
	}
	for _, datagrams := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			g := newGroup(t, waits, 3, nil)
			g.config.Durations, g.config.Datagrams = map[string]time.Duration{"soon": time.Second, "late": 2 * time.Second}, datagrams
			defer g.stop()
			g.start(g.ring...)
			time.Sleep(4 * time.Second)
			if s := g.members[1].node.Status(); string(s.State) != `{"Went":true,"Done":true}` || s.Refused == 0 {
				t.Errorf("datagrams %v: %d refused, state %s", datagrams, s.Refused, s.State)
			}
		})
	}
}

// TestRefusedUntilRipe: a timer that the machine refuses stays armed, and is due again after as
// long; so is what it is to notice.
func TestRefusedUntilRipe(t *testing.T) {
	type state struct{ Ripe, Rang, Noticed bool }
	unripe := &spec.Algorithm[state, bool]{
		Name: "unripe",
		Init: func(_ *state, p *spec.Proc[bool]) { p.SetTimer(0); p.SetTimer(1) },
		Timeout: func(s *state, p *spec.Proc[bool], timer spec.Timer) {
			if timer == 1 && !s.Ripe {
				p.Refuse()
			}
			s.Ripe, s.Rang = true, timer == 1
		},
		Receive: func(*state, *spec.Proc[bool], spec.ID, bool) {},
		Election: &spec.Election[state, bool]{
			Notice: func(s *state, p *spec.Proc[bool]) {
				if !s.Ripe || s.Noticed {
					p.Refuse()
				}
				s.Noticed = true
			},
			Leader: func(state) spec.ID { return spec.None },
		},
		Rules: []spec.TimerRule[state, bool]{{Name: "ripe"}, {Name: "bell"}},
	}
	bubble(t, func(t *testing.T) {
		g := newGroup(t, unripe, 1, nil)
		g.config.Durations = map[string]time.Duration{"ripe": 2500 * time.Millisecond, "bell": time.Second, timerNotice: time.Second}
		g.start(1)
		time.Sleep(4 * time.Second)
		g.stop()
		var came []string
		records := g.records(1)
		for _, r := range records {
			if r.Line == runlog.LineStep {
				came = append(came, fmt.Sprintf("%v after %v", r.Input, r.Time.Sub(records[0].Time)))
			}
		}
		want := "init after 0s, timeout ripe after 2.5s, timeout bell after 3s, notice after 3s"
		if got := strings.Join(came, ", "); got != want {
			t.Errorf("%s, and not %s", got, want)
		}
	})
}

// TestLateAndRefused: what takes longer than delta is a breach once, also behind what is refused.
func TestLateAndRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		slow := func(_, _ spec.ID, frame []byte) []time.Duration {
			if f, _ := wire.Parse(frame, nil); f.Kind == wire.Data {
				return []time.Duration{101 * time.Millisecond}
			}
			return []time.Duration{time.Millisecond}
		}
		g := newGroup(t, picky, 2, slow)
		g.config.Durations = map[string]time.Duration{"bell": time.Second}
		g.start(1, 2)
		time.Sleep(4 * time.Second)
		g.stop()
		var late []string
		for _, r := range g.records(1) {
			if r.Line == runlog.LineBreach {
				late = append(late, fmt.Sprint(r.Breach.Kind, " ", r.Breach.Message.Sequence, " ", r.Breach.Took))
			}
		}
		if got := strings.Join(late, ", "); got != "delay 1 101ms, delay 3 101ms" {
			t.Errorf("late are %s", got)
		}
	})
}

// wary takes a message while process 3 is up or down, as that says.
var wary = &spec.Algorithm[struct{ Heard int }, bool]{
	Name:   "wary",
	Oracle: true,
	Start: func(_ *struct{ Heard int }, p *spec.Proc[bool]) {
		if p.ID == 1 {
			p.Send(2, false)
			p.Send(2, true)
		}
	},
	Receive: func(s *struct{ Heard int }, p *spec.Proc[bool], _ spec.ID, up bool) {
		if p.Live().Has(3) != up {
			p.Refuse()
			return
		}
		s.Heard++
	},
	Election: &spec.Election[struct{ Heard int }, bool]{Leader: func(struct{ Heard int }) spec.ID { return spec.None }},
}

// TestRefusedForNow: what is refused for the sake of who is live is tried again when that is
// another, though no handler is told of it.
func TestRefusedForNow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, wary, 3, nil)
		defer g.stop()
		g.start(1, 2, 3)
		for i, change := range []func(){func() {}, func() { g.crash(3) }, func() { g.start(3) }} {
			change()
			time.Sleep(time.Second)
			if got := string(g.members[2].node.Status().State); got != fmt.Sprintf(`{"Heard":%d}`, i) {
				t.Errorf("change %d: %s", i, got)
			}
		}
		g.stop()
		g.recheck()
	})
}
