package drive

import (
	"fmt"
	"strings"
	"testing"

	"interleave/model"
	"interleave/spec"
)

// barred makes real processes of a machine take a run of it, of steps as "start 1" or
// "receive 2", and wants the last to be one that they cannot be made to take, for a reason.
func barred(t *testing.T, m spec.Machine, axes, reason string, run ...string) {
	t.Helper()
	d, err := newScheduler(m, world(t, m, axes))
	if err != nil {
		t.Fatal(err)
	}
	s, err := newTestbed(m, d.config, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	b, err := beginningOf(t.Context(), d, d.reference.Initial()[0], 300)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.begin(b); err != nil {
		t.Fatal(err)
	}
	pt := b.point
	for i, want := range run {
		groups, bars, all := d.groups(pt)
		if i == len(run)-1 {
			for k, step := range all {
				if means(step, want) && strings.Contains(bars[k], reason) {
					return
				}
			}
			t.Errorf("%s is not barred because %s: %v", want, reason, bars)
			return
		}
		at := -1
		for k, group := range groups {
			if means(group.steps[0], want) {
				at = k
			}
		}
		if at < 0 {
			t.Fatalf("%s does not happen: %v", want, bars)
		}
		if err := s.perform(pt, &groups[at]); err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		pt = groups[at].after
	}
}

// means reports whether a step is what a few words say.
func means(step model.Step, words string) bool {
	what := step.Event.Action.String()
	if step.Event.Action == model.Handle {
		what = step.Event.Step.Kind.String()
		if step.Event.Step.Kind == spec.Act {
			what = spec.Notice
		}
	}
	return fmt.Sprintf("%s %v", what, step.Event.Process) == words
}

// once is an algorithm of which one process does something when it first notices.
func once(id spec.ID, acts func(p *spec.Proc[string])) *spec.Algorithm[uint8, string] {
	return &spec.Algorithm[uint8, string]{
		Name:    "odd/once",
		Receive: func(s *uint8, _ *spec.Proc[string], _ spec.ID, _ string) { *s = 2 },
		Election: &spec.Election[uint8, string]{
			Notice: func(s *uint8, p *spec.Proc[string]) {
				if *s > 0 || p.ID != id {
					p.Refuse()
				}
				*s = 1
				acts(p)
			},
			Leader: func(uint8) spec.ID { return spec.None },
		},
	}
}

// TestFormerLives: what was sent to a life that never started goes to no other if its sender is
// down, and nobody hears a life before the former one.
func TestFormerLives(t *testing.T) {
	m := once(3, func(p *spec.Proc[string]) { p.Send(1, "call") })
	m.Start = func(*uint8, *spec.Proc[string]) {}
	barred(t, m, "n=3 crashes=2 recoveries=1", "may have gone to its former life",
		"start 2", "start 3", "crash 1", "recover 1", "notice 3", "crash 3", "start 1")
	m = once(1, func(p *spec.Proc[string]) { p.Send(2, "call") })
	barred(t, m, "n=2 network=bag crashes=2 recoveries=2", "nobody hears what was sent in a life before the former one",
		"notice 1", "crash 1", "recover 1", "crash 1", "recover 1")
}

// TestWhoIsUp: a process that refuses what it sent to itself may handle it whenever it hears that
// another is up, or down; of several it hears one after the other.
func TestWhoIsUp(t *testing.T) {
	waits := func(live int) *spec.Algorithm[uint8, string] {
		a := once(1, func(p *spec.Proc[string]) { p.Send(p.ID, "wait") })
		a.Oracle = true
		a.Receive = func(s *uint8, p *spec.Proc[string], _ spec.ID, _ string) {
			if p.Live().Len() != live {
				p.Refuse()
			}
			*s = 2
		}
		return a
	}
	barred(t, waits(2), "n=2 crashes=1 recoveries=1", "handles at once what it sent to itself", "crash 2", "notice 1", "recover 2")
	drives(t, waits(2), waits(2), "n=2 crashes=1 recoveries=1", Agrees, 0)
	timed := waits(2)
	timed.Init = func(_ *uint8, p *spec.Proc[string]) { p.SetTimer(0) }
	timed.Timeout = func(*uint8, *spec.Proc[string], spec.Timer) {}
	timed.Rules = []spec.TimerRule[uint8, string]{{Name: "A"}}
	barred(t, timed, "n=3 crashes=2 timers=any", "as soon as it hears who is down", "notice 1", "crash 2", "crash 3", "timeout 1")
}

// TestPanicsAtALie: a step that looks at who is live is not driven where the detector is wrong,
// though it panics.
func TestPanicsAtALie(t *testing.T) {
	m := once(0, nil)
	m.Oracle = true
	m.Suspect = func(s *uint8, p *spec.Proc[string], q spec.ID) {
		if p.Live().Has(q) {
			panic("a lie")
		}
		*s = 1
	}
	drives(t, m, m, "n=2 detector=eventual suspicions=1", Agrees, 0)
}

// TestAlone: a process without peers starts before it could be crashed.
func TestAlone(t *testing.T) {
	m := once(0, nil)
	m.Start = func(s *uint8, _ *spec.Proc[string]) { *s = min(*s+1, 3) }
	m.Stable = func(s uint8) uint8 { return s }
	barred(t, m, "n=1 crashes=1 recoveries=1", "starts before anybody could crash it", "crash 1")
	drives(t, m, m, "n=1 crashes=1 recoveries=1", Agrees, 0)
}

// TestTwiceAgain: who comes up again and says the same to itself twice handles both.
func TestTwiceAgain(t *testing.T) {
	m := once(0, nil)
	m.Recover = func(_ *uint8, p *spec.Proc[string]) { p.Send(p.ID, "again"); p.Send(p.ID, "again") }
	barred(t, m, "n=2 network=set crashes=1 recoveries=1", "two equal messages", "crash 1", "recover 1")
	drives(t, m, m, "n=2 network=set crashes=1 recoveries=1", Agrees, 0)
}

// TestEachTells: in a round it matters who tells, and that a process does so only when it is alone.
func TestEachTells(t *testing.T) {
	m := func(tells func(p *spec.Proc[string]) string) spec.Machine {
		return &spec.Algorithm[bool, string]{
			Name: "odd/telling", Oracle: true,
			Round: func(s *bool, p *spec.Proc[string], _ []spec.Received[string]) {
				if word := tells(p); word != "" {
					p.Output(word)
				}
			},
			Election: &spec.Election[bool, string]{Leader: func(bool) spec.ID { return spec.None }},
		}
	}
	says := func(who spec.ID) spec.Machine {
		return m(func(p *spec.Proc[string]) string { return map[bool]string{true: "hello"}[p.ID == who] })
	}
	alone := func(word string) spec.Machine {
		return m(func(p *spec.Proc[string]) string { return map[bool]string{true: word}[p.Live().Len() == 1] })
	}
	drives(t, says(1), says(1), "n=2", Agrees, 1)
	drives(t, says(1), says(2), "n=2", Wrong, 0)
	drives(t, alone("alone"), alone("alone"), "n=3 crashes=2", Agrees, 1)
	drives(t, alone("alone"), alone(""), "n=3 crashes=2", Wrong, 0)
	drives(t, alone("alone"), alone("lonely"), "n=3 crashes=2", Wrong, 0)
}
