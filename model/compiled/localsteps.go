package compiled

import (
	"context"
	"iter"

	"interleave/model"
	"interleave/spec"
)

// LocalSteps are what each process of an algorithm does in a world, as far as that has been learned.
type LocalSteps struct {
	world
	actions
}

// world is what the tables of all processes share.
type world struct {
	machine   spec.Machine
	traits    spec.Traits
	config    model.Config
	ring      []spec.ID
	all       spec.Set
	reference *model.Reference
	watches   []model.Watch
	tables    []*Tables // by process, number 1 first

	hasEnv        bool // the environment is part of the state
	refusing      bool // a process may refuse a message, and something may wait for messages: see Rules.Awaits
	unknownLeader bool // a process may follow one that does not exist, which its view does not show
}

// newLocalSteps learns all local steps if they are few and the context does not end, and else only some of them: the
// rest is learned later.
func newLocalSteps(ctx context.Context, m spec.Machine, c model.Config, watches []model.Watch) (_ *LocalSteps, few bool, _ error) {
	reference, err := model.NewReference(m, c)
	if err != nil {
		return nil, false, err
	}
	switch {
	case len(watches) > model.PanicMark:
		panic("model: too many watches")
	case !c.HasTables():
		panic("model: a world that has no tables")
	}
	s := &LocalSteps{world: world{
		machine: m, traits: m.Traits(), config: reference.Config(), ring: c.Placement(), all: spec.UpTo(c.N), reference: reference, watches: watches,
	}}
	s.hasEnv = s.config.HasEnv()
	s.actions = actions{&s.world}
	for p := range s.all.All() {
		t := &Tables{world: &s.world, ID: p, inboxes: map[string]uint32{}, oracle: map[oracleStep]int32{}, outputs: map[int32][]any{}}
		t.numberLocal(model.Local{})
		t.numberInbox(nil)
		s.tables = append(s.tables, t)
	}
	for _, initiator := range []bool{false, true} {
		for _, t := range s.tables {
			t.numberLocal(reference.FirstLocal(t.ID, initiator))
		}
	}
	return s, s.close(ctx, fewLocalSteps, 0) == nil, nil
}

// Reference is the meaning of the world.
func (s *LocalSteps) Reference() *model.Reference { return s.reference }

// Tables returns what has been learned of each process, number 1 first.
func (s *LocalSteps) Tables() []*Tables { return s.tables }

// Refusing reports whether a process may refuse a message, and something may wait for messages: see Rules.Awaits.
func (s *LocalSteps) Refusing() bool { return s.refusing }

// Bytes is approximately the memory that the tables hold.
func (s *LocalSteps) Bytes() int64 {
	var n int64
	for _, t := range s.tables {
		n += t.bytes()
	}
	return n
}

// TableStats returns how much was learned so far.
func (s *LocalSteps) TableStats() model.TableStats {
	st := model.TableStats{HandlerCalls: s.reference.HandlerCalls}
	for _, t := range s.tables {
		st.Locals += len(t.Info)
		st.Inboxes += len(t.inbox)
		st.Moves += len(t.Moves)
		for i := range t.inbox {
			st.Longest = max(st.Longest, t.inbox[i].content.Longest())
		}
	}
	return st
}

// learnMove runs the handler of e in a local state, while the given processes are live, and
// returns the number of the first move: one for each answer to what the handler chooses.
func (w *world) learnMove(t *Tables, local uint32, live spec.Set, e spec.Event, message uint32) int32 {
	before := t.Locals.Values[local]
	first := len(t.Moves)
	for outcome := range w.reference.Outcomes(before, t.ID, live, e) {
		m := w.newMove(t, before, outcome, message)
		m.number = int32(len(t.Moves))
		if len(w.config.Monitors) > 0 {
			t.outputs[m.number] = outcome.Effects.Outputs
		}
		t.Moves = append(t.Moves, m)
	}
	t.Moves[first].others = int32(len(t.Moves) - first - 1)
	return int32(first)
}

// newMove returns the move that is an outcome in a local state.
func (w *world) newMove(t *Tables, before model.Local, outcome model.Outcome, message uint32) Move {
	e, after, fx := outcome.Event, outcome.After, outcome.Effects
	m := Move{
		Action:  w.handling(t, e, message, len(fx.Sends)),
		Refused: fx.Refused, Panic: fx.Panic,
	}
	if !fx.Refused && fx.Panic == "" {
		m.Beyond = w.reference.Beyond(after)
	}
	m.deadEnd = m.Beyond || m.Panic != ""
	if !fx.Refused && !m.deadEnd {
		m.To = t.numberLocal(after)
		m.down = t.Info[m.To].Down
		m.Saves = w.reference.Saves(before, after)
		if fx.Persists != nil {
			m.persists = &persists{when: fx.Persists}
			for disk := range len(fx.Persists) + 2 {
				m.persists.left = append(m.persists.left, t.numberLocal(w.reference.AfterCut(before, after, fx.Persists, disk)))
			}
		}
		for _, send := range fx.Sends {
			m.Sends = append(m.Sends, w.learnSend(t.ID, send))
		}
		m.Broken = w.reference.BreaksBy(w.watches, t.ID, before.State, after.State, fx.Outputs)
	}
	w.refusing = w.refusing || fx.Refused && e.Kind == spec.Receive && w.reference.Rules().Awaits()
	return m
}

func (w *world) learnSend(from spec.ID, send spec.Send) Sending {
	out := Sending{To: send.To}
	envelope := model.Envelope{From: from, Message: send.Message}
	if send.To != spec.NextLive {
		out.ID = w.tables[send.To-1].numberMessage(envelope)
		return out
	}
	for _, t := range w.tables {
		message := t.numberMessage(envelope)
		out.IDs = append(out.IDs, message)
	}
	return out
}

// liveSets returns the sets of live processes that a step of p may depend on: a single one that
// stands for all, unless the handlers may ask who is live.
func (w *world) liveSets(p spec.ID) []spec.Set {
	if !w.traits.Oracle {
		return []spec.Set{w.all}
	}
	var sets []spec.Set
	for _, down := range w.downSets(w.all.Without(p)) {
		sets = append(sets, w.all&^down)
	}
	return sets
}

// downSets returns which of some processes may be down at the same time.
func (w *world) downSets(of spec.Set) []spec.Set {
	most := w.config.MostDown()
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

// A localStep is what a rule lets a process handle in a local state, and what comes of it.
type localStep struct {
	live    spec.Set
	local   uint32
	rule    model.Rule
	message uint32 // if it receives one
	move    *Move  // nil: not learned
}

// alternatives are the moves of one event, of which the first has that number; a single nil if it is not known.
func (t *Tables) alternatives(number int32, known bool) []*Move {
	if !known {
		return []*Move{nil}
	}
	list := []*Move{&t.Moves[number]}
	for k := range t.Moves[number].others {
		list = append(list, &t.Moves[number+1+k])
	}
	return list
}

// each yields the local steps of one process, after Close. All are learned: a step that is left out would be missing in
// what is made of them.
func (s *LocalSteps) each(t *Tables) iter.Seq[localStep] {
	return func(yield func(localStep) bool) {
		for l := range s.known(t) {
			if l.move == nil {
				panic("model: a local step that was not learned")
			}
			if !yield(l) {
				return
			}
		}
	}
}

// known yields the local steps of one process in the local states and with the messages known so far, learned or not.
func (s *LocalSteps) known(t *Tables) iter.Seq[localStep] {
	return func(yield func(localStep) bool) {
		for _, live := range s.liveSets(t.ID) {
			for l := range uint32(len(t.Info)) {
				if !s.eachIn(t, l, live, yield) {
					return
				}
			}
		}
	}
}

// eachIn yields the local steps of one process in one local state while certain processes are live.
func (s *LocalSteps) eachIn(t *Tables, local uint32, live spec.Set, yield func(localStep) bool) (goOn bool) {
	r := reader{world: &s.world, live: live}
	for k, rules := range model.ByEvent(s.reference.Rules().Of(t.ID, t.Locals.Values[local])) {
		for _, m := range t.alternatives(r.internalMove(t, local, k)) {
			for _, rule := range rules {
				if !yield(s.localStep(live, local, rule, 0, m)) {
					return false
				}
			}
		}
	}
	if t.Info[local].Status != model.Up {
		return true
	}
	for message, e := range t.Messages.Values {
		rule := model.Rule{Step: spec.Event{Kind: spec.Receive, From: e.From, Message: e.Message}}
		for _, m := range t.alternatives(r.delivered(t, local, uint32(message))) {
			if !yield(s.localStep(live, local, rule, uint32(message), m)) {
				return false
			}
		}
	}
	return true
}

// localStep returns the local step of a move, whose rule has its choices.
func (s *LocalSteps) localStep(live spec.Set, local uint32, rule model.Rule, message uint32, m *Move) localStep {
	if m != nil {
		rule.Step.Choices = s.Event(nil, m.Action).Step.Choices
	}
	return localStep{live, local, rule, message, m}
}
