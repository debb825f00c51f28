package ble

import (
	"slices"

	"interleave/spec"
)

// maxReplies is how many answers of one round there is a place for.
const maxReplies = 20

// Replies is a set of answers: sorted, the zero ones last. It is a set of pairs
// as printed: if a request was copied on its way, one process may answer with
// two ballots, and count twice.
type Replies [maxReplies]Answer

// Answer is the ballot that a process answered with.
type Answer struct {
	From   spec.ID
	Ballot Ballot
}

func (r *Replies) count() int {
	n := 0
	for n < maxReplies && r[n] != (Answer{}) {
		n++
	}
	return n
}

// add puts an answer in its place, unless it is there.
func (r *Replies) add(from spec.ID, b Ballot) {
	n, a := r.count(), Answer{from, b}
	at := 0
	for at < n && (r[at].From < from || r[at].From == from && r[at].Ballot.compare(b) < 0) {
		at++
	}
	switch {
	case at < n && r[at] == a:
	case n == maxReplies:
		panic("ble: more answers in one round than there is a place for")
	default:
		copy(r[:], slices.Insert(slices.Clone(r[:n]), at, a))
	}
}

// largest returns the largest ballot; none if there is no answer.
func (r *Replies) largest() Ballot {
	var top Ballot
	for _, a := range r {
		top = top.max(a.Ballot)
	}
	return top
}

// senders returns the processes that answered.
func (r *Replies) senders() spec.Set {
	var s spec.Set
	for _, a := range r[:r.count()] {
		s = s.With(a.From)
	}
	return s
}

// String returns the answers, as in "{2: 0/2, 3: 1/3}".
func (r Replies) String() string {
	text := "{"
	for i, a := range r[:r.count()] {
		if i > 0 {
			text += ", "
		}
		text += a.From.String() + ": " + a.Ballot.String()
	}
	return text + "}"
}
