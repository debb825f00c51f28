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
// under every message that may be sent. The error wraps ErrNotSymbolic if that is too much for
// one process. The world must have tables.
func LocalTables(ctx context.Context, m spec.Machine, c model.Config) (_ []LocalTable, _ *model.Reference, err error) {
	defer model.CatchOutside(m, &err)
	s, err := New(m, c, nil)
	if err != nil {
		return nil, nil, err
	}
	if err := s.closeLocalSteps(ctx, someLocalSteps, 0); err != nil {
		return nil, nil, err
	}
	var tables []LocalTable
	for _, t := range s.tables {
		tables = append(tables, s.localTable(t))
	}
	return tables, s.reference, nil
}

func (s *System) localTable(t *Tables) LocalTable {
	out := LocalTable{Process: t.ID, Locals: t.Locals.Values, Messages: t.Messages.Values}
	for _, l := range t.Info {
		out.Crashed = append(out.Crashed, int(l.Down))
	}
	for _, initial := range s.reference.Initial() {
		if at := int(s.numberLocal(t, initial.Local(t.ID))); !slices.Contains(out.Begins, at) {
			out.Begins = append(out.Begins, at)
		}
	}
	for _, live := range s.liveSets(t.ID) {
		out.Steps = append(out.Steps, s.localSteps(t, live)...)
	}
	return out
}

// localSteps returns what one process does while certain processes are live.
func (s *System) localSteps(t *Tables, live spec.Set) (steps []LocalStep) {
	x := s.learner
	x.live = live
	add := func(before int, rule model.Rule, move int32, known bool) {
		if !known {
			panic("model: a local step that was not learned")
		}
		m := &t.Moves[move]
		step := LocalStep{Before: before, Event: rule.Step, Rule: rule, After: -1, Refused: m.Refused, Beyond: m.Beyond, Panic: m.Panic}
		if s.traits.Oracle {
			step.Live = live
		}
		if !m.Refused && !m.deadEnd {
			step.After, step.Sends, step.Saves = int(m.To), s.sendsOf(m), m.Saves
		}
		steps = append(steps, step)
	}
	for l := range t.Info {
		for k, rules := range model.ByEvent(s.reference.Rules().Of(t.ID, t.Locals.Values[l])) {
			move, known := x.internalMove(t, uint32(l), k)
			for _, rule := range rules {
				add(l, rule, move, known)
			}
		}
		if t.Info[l].Status != model.Up {
			continue
		}
		for message, e := range t.Messages.Values {
			move, known := x.delivered(t, uint32(l), uint32(message))
			add(l, model.Rule{Step: spec.Event{Kind: spec.Receive, From: e.From, Message: e.Message}}, move, known)
		}
	}
	return steps
}

func (s *System) sendsOf(m *Move) (sends []spec.Send) {
	for _, send := range m.Sends {
		to, message := send.To, send.ID
		if to == spec.NextLive {
			to, message = 1, send.IDs[0] // any of them has the message
		}
		sends = append(sends, spec.Send{To: send.To, Message: s.tables[to-1].Messages.Values[message].Message})
	}
	return sends
}
