package model

import (
	"errors"

	"interleave/spec"
)

// A loose Symbolic is of a looser world than that of its System: one that can do
// all that the world can, and more. What never happens there never happens here.
//
// A message in flight may arrive next whatever was sent before it, and when it
// arrives it may stay where it is, to arrive again. So of a state of the world
// there is no more to know than its local states, its budgets, and which messages
// are in flight, not how many of each or in which order; let that be its image.
// Each step of the world, from s to s', is one of the looser world from the image
// of s to the image of s':
//
//   - What may happen depends on local states, on budgets, and on there being no
//     message of some kind in flight. These are the same in s and in its image.
//   - A message that arrives, or is lost, was in flight. After it either none like it
//     is, or one still is; the looser world can do both. What is sent is in flight
//     afterwards, whether or not one like it was before.
//
// A state of the world is quiescent where its image is: what may happen is the same,
// but for the arrival of messages. If one may arrive in the image, it is in flight to
// a process that handles it, and then that which was sent first arrives. Hence a
// loose form is for algorithms that refuse no message.
//
// A run for ever of the world has an image that goes on for ever, too; what happens in
// it again and again is restored as in a cycle (see restoring): local states are few,
// and what is taken again and again is sent again and again. But what is sent need not
// be taken: messages may pile up in a queue. So of the looser world those runs count
// only that take no message for ever which they do not send for ever (see dd.Stock);
// without that, one that stays would arrive for ever. Whatever sends for ever has its
// traffic: the rest, such as copies, false suspicions and what a crash cuts short, spends
// a budget each time.
//
// If the run is fair, so is its image: fairness is owed to the same classes of steps, to
// the next message from one process to another as in the world, and something of a
// class is possible in a state where it is in the image, unless a handler panics there,
// where no run stays that counts. Hence a liveness property holds if no fair run of the
// looser world violates it, of those that count. They are followed past states where a
// handler may panic: in the world another message may come first.
//
// The looser world is often a small diagram where that of the world is large, as queues
// are. It is finite even if they grow without bound.

// ErrLoose says that a condition asks for what a looser world does not tell: how many
// messages are in flight, or in which order.
var ErrLoose = errors.New("it looks at messages under way, and a looser world does not tell how many there are, nor in which order")

// network is that whose messages the places of a vector hold.
func (f Form) network(c Config) Network {
	if f.Loose {
		return Set
	}
	return c.Network
}

// refusesMessages reports whether some process refuses some message in some local
// state, among those that are learned.
func (s *System) refusesMessages() bool {
	x := s.learner
	for _, t := range s.tables {
		for _, live := range s.liveSets(t.id) {
			x.live = live
			for l := range uint32(len(t.local)) {
				for letter := range uint32(len(t.letters.values)) {
					if t.local[l].Status != Up {
						continue
					}
					if number, _ := x.delivered(t, l, letter); t.moves[number].refused {
						return true
					}
				}
			}
		}
	}
	return false
}

// blind returns ErrLoose if somebody looked at messages in flight, and there are some,
// in a looser world. That nothing is in flight is so in the world, too.
func (y *Symbolic) blind(w *World) error {
	if !y.Loose || !w.lookedInside {
		return nil
	}
	for p := range spec.UpTo(w.n).All() {
		if len(w.source.inbox(p)) > 0 {
			return ErrLoose
		}
	}
	return nil
}
