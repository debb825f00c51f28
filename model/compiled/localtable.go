package compiled

import (
	"context"
	"slices"

	"interleave/model"
	"interleave/spec"
)

// LocalTable is everything that one process may ever do: the handlers of its algorithm as a
// table.
type LocalTable struct {
	Process  spec.ID
	Locals   []model.Local    // the first is that of a process that crashed and remembers nothing
	Crashed  []int            // by index in Locals: the index of the local state after a crash
	Begins   []int            // indices in Locals of its first states; if it may be an initiator or not, the initiator is last
	Messages []model.Envelope // messages that may be in flight to it
	Steps    []LocalStep
}

// LocalStep is what the handler of an event does in a local state, if a rule lets the event happen.
type LocalStep struct {
	Before  int // in Locals
	Event   spec.Event
	Rule    model.Rule
	Live    spec.Set // the processes that have to be up, if the algorithm asks an oracle; else empty
	After   int      // index in Locals; -1 if it leads nowhere, for one of the reasons below
	Sends   []spec.Send
	Saves   bool // a crash leaves something else after it than before
	Refused bool
	Beyond  bool // it exceeds the bound of the world
	Panic   string
}

// LocalTables learns every local step that could be needed, and more: it closes the local states
// under every message that may be sent. The error wraps ErrNotClosed if that is too much for
// one process. The world must have tables.
func LocalTables(ctx context.Context, m spec.Machine, c model.Config) (_ []LocalTable, _ *model.Reference, err error) {
	defer model.CatchOutside(m, &err)
	s, _, err := newLocalSteps(ctx, m, c, nil)
	if err != nil {
		return nil, nil, err
	}
	if err := s.close(ctx, someLocalSteps, 0); err != nil {
		return nil, nil, err
	}
	var tables []LocalTable
	for _, t := range s.tables {
		tables = append(tables, newLocalTable(s, t))
	}
	return tables, s.reference, nil
}

func newLocalTable(s *LocalSteps, t *Tables) LocalTable {
	out := LocalTable{Process: t.ID, Locals: t.Locals.Values, Messages: t.Messages.Values}
	for _, l := range t.Info {
		out.Crashed = append(out.Crashed, int(l.Down))
	}
	for _, initial := range s.reference.Initial() {
		if at := int(t.numberLocal(initial.Local(t.ID))); !slices.Contains(out.Begins, at) {
			out.Begins = append(out.Begins, at)
		}
	}
	for l := range s.each(t) {
		m := l.move
		step := LocalStep{Before: int(l.local), Event: l.rule.Step, Rule: l.rule, After: -1, Refused: m.Refused, Beyond: m.Beyond, Panic: m.Panic}
		if s.traits.Oracle {
			step.Live = l.live
		}
		if !m.Refused && !m.deadEnd {
			step.After, step.Sends, step.Saves = int(m.To), sendsOf(m, s.tables), m.Saves
		}
		out.Steps = append(out.Steps, step)
	}
	return out
}

// sendsOf returns the sends of a move. The tables are those of all processes.
func sendsOf(m *Move, tables []*Tables) (sends []spec.Send) {
	for _, send := range m.Sends {
		to, message := send.To, send.ID
		if to == spec.NextLive {
			to, message = 1, send.IDs[0] // any of them has the message
		}
		sends = append(sends, spec.Send{To: send.To, Message: tables[to-1].Messages.Values[message].Message})
	}
	return sends
}
