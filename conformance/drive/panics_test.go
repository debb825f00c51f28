package drive

import (
	"errors"
	"strings"
	"testing"

	"interleave/internal/testsize"
	"interleave/spec"
)

// fragile is an algorithm of which process 1 panics in one of its handlers, if any.
func fragile(where string) *spec.Algorithm[uint8, string] {
	falls := func(handler string, id spec.ID) {
		if handler == where && id == 1 {
			panic("planted")
		}
	}
	return &spec.Algorithm[uint8, string]{
		Name:    "odd/fragile",
		Receive: func(s *uint8, p *spec.Proc[string], _ spec.ID, _ string) { *s |= called; falls("receive", p.ID) },
		Election: &spec.Election[uint8, string]{
			Notice: func(s *uint8, p *spec.Proc[string]) {
				if *s&waits != 0 {
					p.Refuse()
					return
				}
				*s |= waits
				falls("notice", p.ID)
				p.Broadcast(p.Others(), "call")
			},
			Leader: func(uint8) spec.ID { return spec.None },
		},
	}
}

// fragileStart panics when it starts, fragileRecover when it comes up again.
func fragileStart(where string) spec.Machine {
	a := fragile("")
	a.Start = func(_ *uint8, p *spec.Proc[string]) {
		if where == "start" && p.ID == 1 {
			panic("planted")
		}
	}
	return a
}

func fragileRecover(where string) spec.Machine {
	a := fragile("")
	a.Recover = func(_ *uint8, p *spec.Proc[string]) {
		if where == "recover" && p.ID == 1 {
			panic("planted")
		}
	}
	return a
}

// fragileRound calls all in its first round, and panics in the next one.
func fragileRound(where string) spec.Machine {
	return &spec.Algorithm[uint8, string]{
		Name: "odd/fragile",
		Round: func(s *uint8, p *spec.Proc[string], _ []spec.Received[string]) {
			if *s&waits != 0 && *s&done == 0 && where == "round" && p.ID == 1 {
				panic("planted")
			}
			if *s&waits != 0 {
				*s |= done
			}
			*s |= waits
			p.Broadcast(p.Others(), "call")
		},
		Election: &spec.Election[uint8, string]{Leader: func(uint8) spec.ID { return spec.None }},
	}
}

// TestPanics: wherever a handler panics in the model, it does in the real process, and that is told; or
// the step is listed among those that are not covered.
func TestPanics(t *testing.T) {
	testsize.Test(t)
	plain := func(where string) spec.Machine { return fragile(where) }
	for _, c := range []struct {
		where, axes string
		machine     func(where string) spec.Machine
		uncovered   string // why; "": it is covered
	}{
		{"notice", "n=2", plain, ""},
		{"receive", "n=2", plain, ""},
		{"start", "n=2", fragileStart, ""},
		{"start", "n=3", fragileStart, ""},
		{"recover", "n=2 crashes=1 recoveries=1", fragileRecover, ""},
		{"recover", "n=3 crashes=1 recoveries=1", fragileRecover, ""},
		{"round", "n=2", fragileRound, "a round in which a handler panics"},
	} {
		m, sane := c.machine(c.where), c.machine("")
		r, err := Cover(t.Context(), m, world(t, m, c.axes), Options{})
		if err != nil {
			t.Fatal(c.where, err)
		}
		listed := len(r.Uncovered) > 0 && strings.Contains(r.Uncovered[0].Reason, c.uncovered)
		if r.Verdict != Agrees || (r.Panics > 0) != (c.uncovered == "") || listed != (c.uncovered != "") {
			t.Errorf("%s, %s: %d panics, %v\n%s", c.where, c.axes, r.Panics, r.Disagreement, told(r))
		}
		drives(t, sane, m, c.axes, Unexpected, 0)
	}
	if !testing.Short() {
		drives(t, fragileStart("start"), fragileStart(""), "n=2", Missing, 0)
		drives(t, fragileRecover("recover"), fragileRecover(""), "n=2 crashes=1 recoveries=1", Missing, 0)
	}
}

// TestPanicsBefore: where a handler panics on the way to a world that begins with a leader that is
// down, another way is looked for.
func TestPanicsBefore(t *testing.T) {
	for _, rounds := range []bool{false, true} {
		a := &spec.Algorithm[spec.ID, bool]{
			Name: "odd/fragile",
			Election: &spec.Election[spec.ID, bool]{
				Follow: func(s *spec.ID, l spec.ID) { *s = l },
				Leader: func(s spec.ID) spec.ID { return s },
			},
		}
		acts := func(s *spec.ID, p *spec.Proc[bool]) {
			if *s == spec.None && p.ID == 1 {
				panic("planted")
			}
			*s = p.ID
		}
		if rounds {
			a.Round = func(s *spec.ID, p *spec.Proc[bool], _ []spec.Received[bool]) { acts(s, p) }
		} else {
			a.Election.Notice, a.Receive = acts, func(*spec.ID, *spec.Proc[bool], spec.ID, bool) {}
		}
		_, err := Cover(t.Context(), a, world(t, a, "n=2 start=leader-down"), Options{})
		if !errors.As(err, new(*ImpossibleError)) || !strings.Contains(err.Error(), "no election to be found") {
			t.Errorf("rounds %v: %v", rounds, err)
		}
	}
}
