package compiled

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"interleave/model"
	"interleave/spec"
)

// Bounds on the local steps that close learns of one process: maxLocalSteps for the symbolic
// engine, which cannot learn during a search; someLocalSteps for a reduction, which is optional;
// and fewLocalSteps before any explicit search.
const maxLocalSteps, someLocalSteps, fewLocalSteps = 1_000_000, 20_000, 500

// ErrNotClosed says that not all local steps can be learned before a search.
var ErrNotClosed = errors.New("no symbolic form")

// ErrTablesOutgrow says that the tables outgrow the memory that they may have.
var ErrTablesOutgrow = errors.New("the tables outgrow their memory")

// Close learns every local step that could be needed for a form that cannot learn during a search. Memory limits the
// tables, in bytes; 0: no limit.
func (s *System) Close(ctx context.Context, memory int64) error {
	return s.closeLocalSteps(ctx, maxLocalSteps, memory)
}

// closeLocalSteps learns every local step that could be needed, unless one process has more than the given
// number, the tables outgrow a memory in bytes (0: no limit), or the context ends. It closes the local states and messages under what a process does
// if any message that is ever sent may arrive at any time, timers may expire at any time, and any
// process may be down. That is more than can happen, so a search misses nothing.
func (s *System) closeLocalSteps(ctx context.Context, most int, memory int64) error {
	for before := -1; before != s.learned(); {
		before = s.learned()
		for _, t := range s.tables {
			for _, live := range s.liveSets(t.ID) {
				s.closeTables(ctx, t, live, most, memory)
			}
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case len(t.Moves) > most:
				return fmt.Errorf("%w: a process has more than %d local steps", ErrNotClosed, most)
			case s.outgrow(memory):
				return ErrTablesOutgrow
			}
		}
	}
	return nil
}

// precompute learns what it can before an explicit search, and makes the fields of the layout as
// wide as they will have to be, so that the search need not pack its states again. For local
// states it can do so if the local steps are few. For inboxes it can do so if messages are
// sets, as inboxes are then subsets of the messages that may be sent, and these need not much
// room.
func (s *System) precompute(ctx context.Context) {
	if s.closeLocalSteps(ctx, fewLocalSteps, 0) != nil {
		return
	}
	s.allLocals = true
	counts, room := s.counts(), 0
	for i, t := range s.tables {
		messages := len(t.Messages.Values)
		if s.config.Network == model.Set && messages <= 30 {
			counts[2*i+1] = 1 << messages
			room += bits.Len(uint(len(t.Info)-1)) + messages
		}
	}
	if room > maxRoom {
		counts = s.counts()
	}
	s.layOut(counts)
	if room <= maxRoom {
		s.flatten()
	}
}

// maxRoom is how many bits of a state precompute uses for its fields at most.
const maxRoom = 128

// learned counts what close adds to.
func (s *System) learned() int {
	n := 0
	for _, t := range s.tables {
		n += len(t.Info) + len(t.Messages.Values) + len(t.Moves)
	}
	return n
}

// liveSets returns the sets of live processes that a step of p may depend on: a single one that
// stands for all, unless the handlers may ask who is live.
func (s *System) liveSets(p spec.ID) []spec.Set {
	if !s.traits.Oracle {
		return []spec.Set{s.all}
	}
	var sets []spec.Set
	for _, down := range s.downSets(s.all.Without(p)) {
		sets = append(sets, s.all&^down)
	}
	return sets
}

// downSets returns which of some processes may be down at the same time.
func (s *System) downSets(of spec.Set) []spec.Set {
	most := s.config.MostDown()
	var sets []spec.Set
	for sub := spec.Set(0); ; {
		if sub.Len() <= most {
			sets = append(sets, sub)
		}
		if sub = (sub - of) & of; sub == 0 {
			return sets
		}
	}
}

// outgrow reports whether the tables take more than a memory in bytes; 0: no limit.
func (s *System) outgrow(memory int64) bool { return memory > 0 && s.Bytes() > memory }

// closeTables learns what one process may do in the local states known so far with the messages
// known so far. It stops at the limits of close. It looks often whether the context has ended,
// since a handler may take long.
func (s *System) closeTables(ctx context.Context, t *Tables, live spec.Set, most int, memory int64) {
	x := s.learner
	x.live = live
	over := func() bool {
		select {
		case <-ctx.Done():
			return true
		default:
			return len(t.Moves) > most
		}
	}
	for l := 0; l < len(t.Info) && !over() && !s.outgrow(memory); l++ {
		for k := range t.internal[l] {
			x.internalMove(t, uint32(l), k)
		}
		if t.Info[l].Status != model.Up {
			continue
		}
		for message := 0; message < len(t.Messages.Values) && !over(); message++ {
			x.delivered(t, uint32(l), uint32(message))
		}
	}
}

// RefusesMessages reports whether some process refuses some message in some learned local state.
func (s *System) RefusesMessages() bool {
	x := s.learner
	for _, t := range s.tables {
		for _, live := range s.liveSets(t.ID) {
			x.live = live
			for l := range uint32(len(t.Info)) {
				for message := range uint32(len(t.Messages.Values)) {
					if t.Info[l].Status != model.Up {
						continue
					}
					if number, _ := x.delivered(t, l, message); t.Moves[number].Refused {
						return true
					}
				}
			}
		}
	}
	return false
}
