package drive

import (
	"testing"

	"interleave/spec"
)

// drives makes real processes of one machine take runs of another in a world, and
// wants a verdict, and so many classes covered at least.
func drives(t *testing.T, m, real spec.Machine, axes string, want Verdict, classes int) {
	t.Helper()
	r, err := Cover(t.Context(), m, world(t, m, axes), Options{Real: real})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != want || want == Agrees && r.Classes.Covered < classes {
		t.Errorf("%v, and %v is wanted: %v\n%s", r.Verdict, want, r.Disagreement, told(r))
	}
}

const (
	waits uint8 = 1 << iota
	called
	done
)

// patient sends itself a message that it refuses until another calls, and perhaps
// one more.
func patient(handles func(s uint8) bool, own ...string) spec.Machine {
	return &spec.Algorithm[uint8, string]{
		Name: "odd/patient",
		Receive: func(s *uint8, p *spec.Proc[string], from spec.ID, m string) {
			switch {
			case from != p.ID:
				*s |= called
			case m == "wait" && !handles(*s):
				p.Refuse()
			default:
				*s |= done
			}
		},
		Election: &spec.Election[uint8, string]{
			Notice: func(s *uint8, p *spec.Proc[string]) {
				if *s&waits != 0 {
					p.Refuse()
					return
				}
				*s |= waits
				for _, m := range own {
					p.Send(p.ID, m)
				}
				p.Broadcast(p.Others(), "call")
			},
			Leader: func(uint8) spec.ID { return spec.None },
		},
	}
}

// TestOwnRefused: a process refuses what it sent to itself, and handles it when it no
// longer does.
func TestOwnRefused(t *testing.T) {
	sometime := func(s uint8) bool { return s&called != 0 }
	always := func(uint8) bool { return true }
	never := func(uint8) bool { return false }
	wait, both := patient(sometime, "wait"), patient(sometime, "wait", "go", "wait")
	for _, axes := range []string{"n=2", "n=2 network=bag", "n=2 network=set", "n=2 crashes=1 recoveries=1", "n=2 crashes=1 split=true", "n=2 losses=1"} {
		drives(t, wait, wait, axes, Agrees, 6)
		drives(t, wait, patient(always, "wait"), axes, Unexpected, 0)
		drives(t, patient(always, "wait"), patient(never, "wait"), axes, Missing, 0)
	}
	drives(t, both, both, "n=2", Agrees, 6)
	drives(t, both, patient(always, "wait", "go", "wait"), "n=2", Unexpected, 0)
	drives(t, both, patient(sometime, "go", "wait", "wait"), "n=2", Unexpected, 0)
	drives(t, both, both, "n=2 network=set", Unknown, 0)
}

// TestOwnPanics: a handler that panics at what a process sent to itself does so in
// both.
func TestOwnPanics(t *testing.T) {
	m := patient(func(uint8) bool { panic("planted") }, "wait")
	drives(t, m, m, "n=2", Agrees, 1)
	drives(t, patient(func(uint8) bool { return true }, "wait"), m, "n=2", Unexpected, 0)
}

// TestHeardOnTheWay: in a round, what a process sends to itself as it hears of a crash reaches it,
// though it is halted until it takes its step.
func TestHeardOnTheWay(t *testing.T) {
	m := func(sends bool) spec.Machine {
		return &spec.Algorithm[uint8, string]{
			Name: "odd/halted",
			Suspect: func(s *uint8, p *spec.Proc[string], _ spec.ID) {
				if *s&called == 0 && sends {
					p.Send(p.ID, "on the way")
				}
				*s |= waits | called
			},
			Round: func(s *uint8, _ *spec.Proc[string], in []spec.Received[string]) {
				if *s &^= waits; len(in) > 0 {
					*s |= done
				}
			},
			Halted:   func(s uint8) bool { return s&waits != 0 },
			Election: &spec.Election[uint8, string]{Leader: func(uint8) spec.ID { return spec.None }},
		}
	}
	drives(t, m(true), m(true), "n=2 crashes=1 detector=perfect", Agrees, 8)
	drives(t, m(true), m(false), "n=2 crashes=1 detector=perfect", Missing, 0)
}
