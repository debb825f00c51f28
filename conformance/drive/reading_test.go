package drive

import (
	"slices"
	"testing"

	"interleave/spec"
)

type tally struct{ Rounds, Sum uint8 }

// tallying sends in the first lock-step round, and sums up what it reads, so that
// every order has another sum.
func tallying(first func(p *spec.Proc[uint8]), order func(in []spec.Received[uint8])) spec.Machine {
	return &spec.Algorithm[tally, uint8]{
		Name: "odd/tallying",
		Round: func(s *tally, p *spec.Proc[uint8], in []spec.Received[uint8]) {
			in = slices.Clone(in)
			order(in)
			for _, m := range in {
				s.Sum = 3*s.Sum + m.Message
			}
			if s.Rounds++; s.Rounds == 1 {
				first(p)
			}
		},
		Halted:   func(s tally) bool { return s.Rounds == 2 },
		Election: &spec.Election[tally, uint8]{Leader: func(tally) spec.ID { return spec.None }},
	}
}

// TestReading: what is read in a lock-step round is what a runtime can read, if a
// process sends several messages to another, or to itself.
func TestReading(t *testing.T) {
	asItIs := func([]spec.Received[uint8]) {}
	for _, c := range []struct {
		name    string
		first   func(p *spec.Proc[uint8])
		classes int
	}{
		{"two to the next", func(p *spec.Proc[uint8]) { // which are not in the order of the model's inbox
			p.Broadcast(p.Others(), 2)
			p.Broadcast(p.Others(), 1)
		}, 4},
		{"twice the same", func(p *spec.Proc[uint8]) {
			p.Broadcast(p.Others(), 2)
			p.Broadcast(p.Others(), 2)
			p.Broadcast(p.Others(), 1)
		}, 4},
		{"to itself", func(p *spec.Proc[uint8]) {
			p.Send(p.ID, 2)
			p.Broadcast(p.Others(), 1)
			p.Send(p.ID, 0)
		}, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := tallying(c.first, asItIs)
			drives(t, m, m, "n=2", Agrees, c.classes)
			drives(t, m, m, "n=2 crashes=1", Agrees, c.classes)
			drives(t, m, tallying(c.first, func(in []spec.Received[uint8]) { slices.Reverse(in) }), "n=2", Wrong, 0)
			later := func(p *spec.Proc[uint8]) { c.first(p); p.Send(p.ID, 1) }
			drives(t, m, tallying(later, asItIs), "n=2", Unexpected, 0)
		})
	}
}
