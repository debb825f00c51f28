package model

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestInbox sends and receives at random, and compares with lists told apart
// by sender.
func TestInbox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		network := Network(rapid.IntRange(0, 2).Draw(t, "network"))
		var in Inbox
		bySender := map[Envelope]int{}
		order := []Envelope{}
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			before := slices.Clone(in)
			if places := slices.Collect(in.Deliverable(network)); len(places) > 0 && rapid.Bool().Draw(t, "receive") {
				place := rapid.SampledFrom(places).Draw(t, "place")
				e := in[place]
				first := slices.IndexFunc(order, func(f Envelope) bool { return f.From == e.From })
				if network == FIFO && order[first] != e {
					t.Fatalf("%v overtakes %v", e, order[first])
				}
				at := slices.Index(order, e)
				order = slices.Delete(order, at, at+1)
				bySender[e]--
				in = in.Without(place)
			} else {
				e := Envelope{From: 1, Message: rapid.IntRange(0, 2).Draw(t, "message")}
				if rapid.Bool().Draw(t, "other sender") {
					e.From = 2
				}
				if network != Set || bySender[e] == 0 {
					bySender[e]++
					order = append(order, e)
				}
				sent := in.With(network, e)
				if !slices.Equal(in, before) {
					t.Fatalf("sending changed the inbox it was sent to")
				}
				in = sent
			}
			if len(in) != len(order) {
				t.Fatalf("%v, want %v", in, order)
			}
		}
	})
}

// TestInboxesAreCanonical: whatever the order of sending, a bag or a set of the
// same messages is the same list.
func TestInboxesAreCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		envelopes := []Envelope{{1, 5, 0}, {1, 3, 0}, {2, 5, 0}, {3, 1, 0}, {3, 1, 0}}
		for _, network := range []Network{Bag, Set} {
			var a, b Inbox
			for _, e := range envelopes {
				a = a.With(network, e)
			}
			for _, e := range rapid.Permutation(envelopes).Draw(t, "order") {
				b = b.With(network, e)
			}
			if !slices.Equal(a, b) {
				t.Fatalf("%v: %v and %v", network, a, b)
			}
		}
	})
}
