package model

import (
	"math/rand/v2"
	"testing"

	"interleave/spec"
	"interleave/spec/syncbully"
)

// TestCountOrders: an inbox may be read in as many orders as are counted.
func TestCountOrders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var in Inbox
		for range r.IntN(7) {
			in = in.With(Rounds, Envelope{From: spec.ID(1 + r.IntN(3)), Message: r.IntN(2)})
		}
		if orders := len(in.orders()); in.countOrders() != orders {
			t.Errorf("%v: %d orders, counted are %d", in, orders, in.countOrders())
		}
	}
	var twins Inbox
	for range 40 {
		twins = twins.With(Rounds, Envelope{From: 1, Message: 7})
	}
	if n := twins.countOrders(); n != 1 {
		t.Errorf("40 messages that are the same may be read in %d orders", n)
	}
}

// TestCombinations: as many rounds follow a state as its turns have combinations, but for
// one at most, in which nothing happens.
func TestCombinations(t *testing.T) {
	for crashes := range 4 {
		c := Config{N: 4, Network: Rounds, Crashes: crashes}
		r, err := NewReference(syncbully.Mended, c)
		if err != nil {
			t.Fatal(err)
		}
		states, seen := r.Initial(), map[string]bool{}
		for len(states) > 0 && len(seen) < 300 {
			s := states[0]
			states = states[1:]
			if seen[s.Key()] {
				continue
			}
			seen[s.Key()] = true
			var turns [][]turn
			for p := range r.all.All() {
				turns = append(turns, newLockStep(r, s, anyPart).turns(p))
			}
			steps := r.Steps(s)
			if n := combinations(turns, crashes-r.config.Crashed((r.all&^s.live()).Len())); len(steps) != n && len(steps) != n-1 {
				t.Fatalf("%d crashes: %d rounds, and %d combinations", crashes, len(steps), n)
			}
			for _, step := range steps {
				states = append(states, step.After)
			}
		}
		if len(seen) < 3 {
			t.Errorf("%d crashes: %d states", crashes, len(seen))
		}
	}
}
