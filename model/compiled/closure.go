package compiled

import (
	"context"
	"errors"
	"fmt"

	"interleave/model"
	"interleave/spec"
)

// Bounds on the local steps that close learns of one process: maxLocalSteps for the symbolic
// engine, which cannot learn during a search; someLocalSteps for a reduction, which is optional;
// and fewLocalSteps before any search.
const maxLocalSteps, someLocalSteps, fewLocalSteps = 1_000_000, 20_000, 500

// ErrNotClosed says that not all local steps can be learned before a search.
var ErrNotClosed = errors.New("no symbolic form")

// ErrTablesOutgrow says that the tables outgrow the memory that they may have.
var ErrTablesOutgrow = errors.New("the tables outgrow their memory")

// Close learns every local step that could be needed for a form that cannot learn during a search. Memory limits the
// tables, in bytes; 0: no limit.
func (s *LocalSteps) Close(ctx context.Context, memory int64) error {
	return s.close(ctx, maxLocalSteps, memory)
}

// close learns every local step that could be needed, unless one process has more than the given
// number, the tables outgrow a memory in bytes (0: no limit), or the context ends. It closes the
// local states and messages under what a process does if any message that is ever sent may arrive at
// any time, timers may expire at any time, and any process may be down. That is more than can happen,
// so a search misses nothing.
func (s *LocalSteps) close(ctx context.Context, most int, memory int64) error {
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

// learned counts what close adds to.
func (s *LocalSteps) learned() int {
	n := 0
	for _, t := range s.tables {
		n += len(t.Info) + len(t.Messages.Values) + len(t.Moves)
	}
	return n
}

// outgrow reports whether the tables take more than a memory in bytes; 0: no limit.
func (s *LocalSteps) outgrow(memory int64) bool { return memory > 0 && s.Bytes() > memory }

// closeTables learns what one process may do in the local states known so far with the messages
// known so far. It stops at the limits of close. It looks often whether the context has ended,
// since a handler may take long.
func (s *LocalSteps) closeTables(ctx context.Context, t *Tables, live spec.Set, most int, memory int64) {
	r := reader{&s.world, live, true}
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
			r.internalMove(t, uint32(l), k)
		}
		if t.Info[l].Status != model.Up {
			continue
		}
		for message := 0; message < len(t.Messages.Values) && !over(); message++ {
			r.delivered(t, uint32(l), uint32(message))
		}
	}
}

// RefusesMessages reports whether some process refuses some message in some local state, after Close.
func (s *LocalSteps) RefusesMessages() bool {
	for _, t := range s.tables {
		for l := range s.each(t) {
			if l.rule.Step.Kind == spec.Receive && l.move.Refused {
				return true
			}
		}
	}
	return false
}
