package drive

import (
	"errors"
	"testing"

	"interleave/spec"
)

// refusing is an algorithm that refuses all that it may refuse, but for some kinds of events.
func refusing(takes ...spec.EventKind) spec.Machine {
	take := func(kind spec.EventKind, s *spec.EventKind, p *spec.Proc[string]) {
		for _, k := range takes {
			if k == kind {
				*s = kind
				return
			}
		}
		p.Refuse()
	}
	return &spec.Algorithm[spec.EventKind, string]{
		Name: "odd/refusing",
		Start: func(_ *spec.EventKind, p *spec.Proc[string]) {
			p.SetTimer(0)
			p.Broadcast(p.Others(), "call")
		},
		Receive: func(s *spec.EventKind, p *spec.Proc[string], _ spec.ID, _ string) { take(spec.Receive, s, p) },
		Timeout: func(s *spec.EventKind, p *spec.Proc[string], _ spec.Timer) { take(spec.Timeout, s, p) },
		Suspect: func(s *spec.EventKind, p *spec.Proc[string], _ spec.ID) { take(spec.Suspect, s, p) },
		Restore: func(s *spec.EventKind, p *spec.Proc[string], _ spec.ID) { take(spec.Restore, s, p) },
		Rules:   []spec.TimerRule[spec.EventKind, string]{{Name: "A"}},
		Election: &spec.Election[spec.EventKind, string]{
			Notice: func(s *spec.EventKind, p *spec.Proc[string]) { take(spec.Act, s, p) },
			Leader: func(spec.EventKind) spec.ID { return spec.None },
		},
	}
}

// TestRefuses: what a process refuses in the model it refuses, whatever that is.
func TestRefuses(t *testing.T) {
	for _, axes := range []string{"", " network=bag", " crashes=1 recoveries=1"} {
		axes = "n=2 timers=any crashes=1 detector=eventual suspicions=1" + axes
		drives(t, refusing(), refusing(), axes, Agrees, 2)
		drives(t, refusing(spec.Suspect), refusing(spec.Suspect), axes, Agrees, 3)
		for _, kind := range []spec.EventKind{spec.Act, spec.Receive, spec.Timeout, spec.Suspect} {
			drives(t, refusing(), refusing(kind), axes, Unexpected, 0)
			drives(t, refusing(kind), refusing(), axes, Missing, 0)
		}
		drives(t, refusing(spec.Suspect), refusing(spec.Suspect, spec.Restore), axes, Unexpected, 0)
		drives(t, refusing(spec.Suspect, spec.Restore), refusing(spec.Suspect), axes, Missing, 0)
	}
}

// TestReplayRefuses: what a process refuses at the end of a run it refuses in a replay, too.
func TestReplayRefuses(t *testing.T) {
	m := refusing()
	trace, run := recorded(t, m, "n=2 timers=any", []string{"start", "start"})
	for _, c := range []struct {
		model, real spec.Machine
		agree       bool
	}{
		{m, m, true},
		{m, refusing(spec.Act), false},
		{m, refusing(spec.Receive), false},
		{m, refusing(spec.Timeout), false},
		{refusing(spec.Act), m, true}, // it does not refuse that in the model
		{refusing(spec.Timeout), refusing(spec.Act), false},
	} {
		_, err := Replay(t.Context(), c.model, c.real, trace, run)
		var d *Disagreement
		if c.agree && err != nil || !c.agree && (!errors.As(err, &d) || d.Verdict != Unexpected) {
			t.Errorf("%v agrees: %v", c.agree, err)
		}
	}
}
