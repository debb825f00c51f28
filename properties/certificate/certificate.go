package certificate

import (
	"encoding/binary"
	"iter"
	"slices"

	"interleave/model"
)

// Format and Version head every certificate.
const (
	Format  = "interleave certificate"
	Version = 2
)

// Header says what a certificate is about, and how much follows.
type Header struct {
	Format     string         `json:"format"`
	Version    int            `json:"version"`
	Algorithm  string         `json:"algorithm"`
	Config     model.Config   `json:"config"`
	Properties []string       `json:"properties"`          // the names of the properties that are claimed to hold
	Runs       []*model.Trace `json:"runs,omitempty"`      // to the goals of covers
	Histories  int            `json:"histories,omitempty"` // of existing code, how many make its local states
	Parts      []int          `json:"parts"`               // how many different parts there are, by place
	States     int            `json:"states"`
}

// set is a set of states. A state has a part in each of 2N+1 places: the local state of process 1,
// its inbox, the same of process 2 and so on, and the environment. At each place the parts are
// numbered. A row is the numbers of the parts of one state, four bytes each, the highest first.
type set struct {
	values  [][]any       // by place and number
	numbers []map[any]int // by place: the number of a part, by its key
	rows    []byte        // one after the other
}

func newSet(n int) *set {
	s := &set{values: make([][]any, 2*n+1), numbers: make([]map[any]int, 2*n+1)}
	for place := range s.numbers {
		s.numbers[place] = map[any]int{}
	}
	return s
}

// changes yields the parts of a state in which it differs from another one, by place; all of
// them, if the other is no state but zero.
func changes(from, to model.State) iter.Seq2[int, any] {
	return func(yield func(int, any) bool) {
		all := from.Locals == nil
		for i, local := range to.Locals {
			if (all || local != from.Locals[i]) && !yield(2*i, local) {
				return
			}
			if in := to.Inboxes[i]; (all || !slices.Equal(in, from.Inboxes[i])) && !yield(2*i+1, in) {
				return
			}
		}
		if all || to.Env != from.Env {
			yield(2*len(to.Locals), to.Env)
		}
	}
}

// link is the key of an inbox: the key of all but its last message, and that message.
type link struct {
	before any
	last   model.Envelope
}

// keyOf returns a comparable value that is equal for equal parts only.
func keyOf(part any) (key any) {
	in, ok := part.(model.Inbox)
	if !ok {
		return part
	}
	for _, e := range in {
		key = link{key, e}
	}
	return key
}

// learn numbers a part, unless it has a number at this place already.
func (s *set) learn(place int, part any) (isNew bool) {
	key := keyOf(part)
	if _, known := s.numbers[place][key]; known {
		return false
	}
	s.numbers[place][key] = len(s.values[place])
	s.values[place] = append(s.values[place], part)
	return true
}

// width is the number of bytes in a row.
func (s *set) width() int { return 4 * len(s.values) }

// size is the number of states.
func (s *set) size() int { return len(s.rows) / s.width() }

func (s *set) row(n int) []byte { return s.rows[n*s.width() : (n+1)*s.width()] }

// pack turns the row of a state into that of another one; false if this has a part without a
// number.
func (s *set) pack(row []byte, from, to model.State) bool {
	for place, part := range changes(from, to) {
		n, known := s.numbers[place][keyOf(part)]
		if !known {
			return false
		}
		binary.BigEndian.PutUint32(row[4*place:], uint32(n))
	}
	return true
}

// numberAt returns the number at a place in a row.
func numberAt(row []byte, place int) int { return int(binary.BigEndian.Uint32(row[4*place:])) }
