package compiled

import (
	"context"

	"interleave/explore"
	"interleave/internal/numbering"
	"interleave/model"
	"interleave/spec"
)

// System is an algorithm in a world as a graph of packed states, ready for
// explore.Search. See the package comment for how it works.
type System struct {
	machine       spec.Machine
	traits        spec.Traits
	config        model.Config
	ring          []spec.ID
	all           spec.Set
	watches       []model.Watch
	stepwise      bool // some watch looks at steps
	unknownLeader bool // a process may follow one that does not exist, which its view does not show
	reference     *model.Reference

	messageFaults    [][]fault          // by process: what may happen to messages to it
	hasMessageFaults bool               // there are any
	network          []fault            // what may happen to the network
	cuts             []model.Cut        // what may cut a step short
	limits           [model.Budgets]int // how many faults the world allows
	refusing         bool               // a process may refuse a message, and something may wait for messages: see Config.Awaits

	tables    []*Tables // by process, number 1 first
	envs      numbering.Of[model.Env]
	hasEnv    bool // the environment is part of the state
	layout    layout
	version   int  // of the layout
	allLocals bool // all local states are known
	learner   *expander
	flat      *flat  // nil if there is no flat form
	dense     *dense // nil if states are packed as the layout says

	expanders []*expander
	reduction *reduction // nil: every step is taken
}

// New returns the system of machine m in the world c. A search of it marks what the watches
// find: bit i for watch i, and PanicMark for a step in which a handler panics. There are no
// tables for lock-step rounds and timed timers: see HasTables.
func New(m spec.Machine, c model.Config, watches []model.Watch) (*System, error) {
	return NewWithin(context.Background(), m, c, watches)
}

// NewWithin is New, but if ctx ends less is learned before the search.
func NewWithin(ctx context.Context, m spec.Machine, c model.Config, watches []model.Watch) (_ *System, err error) {
	defer model.CatchOutside(m, &err)
	reference, err := model.NewReference(m, c)
	if err != nil {
		return nil, err
	}
	switch {
	case len(watches) > model.PanicMark:
		panic("model: too many watches")
	case !c.HasTables():
		panic("model: a world that has no tables")
	}
	s := &System{
		machine: m, traits: m.Traits(), config: c, ring: c.Placement(), all: spec.UpTo(c.N),
		watches: watches, stepwise: model.Stepwise(watches), reference: reference,
		messageFaults: make([][]fault, c.N),
		cuts:          reference.Rules().Cuts(),
		hasEnv:        len(c.Counted()) > 0,
		tables:        make([]*Tables, c.N),
	}
	for b := range model.Budgets {
		s.limits[b] = c.Limit(b)
	}
	s.envs.Number(model.Env{})
	for i := range s.tables {
		for _, rule := range reference.Rules().Messages(spec.ID(i + 1)) {
			s.hasMessageFaults, s.messageFaults[i] = true, append(s.messageFaults[i], s.fault(spec.ID(i+1), rule))
		}
		t := &Tables{ID: spec.ID(i + 1), inboxes: map[string]uint32{}, oracle: map[oracleStep]int32{}}
		s.tables[i] = t
		s.numberLocal(t, model.Local{})
		s.numberInbox(t, nil)
	}
	for _, rule := range reference.Rules().Network() {
		s.network = append(s.network, s.fault(spec.None, rule))
	}
	for _, initiator := range []bool{false, true} {
		for p := range s.all.All() {
			s.numberLocal(s.tables[p-1], reference.FirstLocal(p, initiator))
		}
	}
	s.learner = &expander{sys: s, learning: true}
	if s.precompute(ctx); !s.allLocals {
		s.layOut(s.counts())
	}
	return s, nil
}

// counts returns how many values each field of the layout has to hold.
func (s *System) counts() []int {
	counts := make([]int, 0, 2*len(s.tables))
	for _, t := range s.tables {
		counts = append(counts, len(t.Info), len(t.inbox))
	}
	if s.hasEnv {
		counts = append(counts, len(s.envs.Values))
	}
	return counts
}

// layOut gives s a layout for that many values of each field. With messages that are sets, which
// may have a flat form, the processes are in order.
func (s *System) layOut(counts []int) {
	s.layout = newLayout(counts, s.allLocals, s.config.Network == model.Set)
	s.version++
}

// Width is the number of words in a state.
func (s *System) Width() int {
	if s.dense != nil {
		return 1
	}
	return s.layout.width
}

// Initial yields the initial states.
func (s *System) Initial(yield func([]uint64) bool) {
	for _, state := range s.reference.Initial() {
		if !yield(s.pack(state)) {
			return
		}
	}
}

// pack packs a state, whose parts all have numbers.
func (s *System) pack(state model.State) []uint64 {
	words := make([]uint64, s.layout.width)
	for i, t := range s.tables {
		s.layout.local(i).change(words, 0, s.numberLocal(t, state.Locals[i]))
		s.layout.inbox(i).change(words, 0, s.numberInbox(t, state.Inboxes[i]))
	}
	if s.dense != nil {
		word, one := s.dense.pack(wordPair(words))
		if !one {
			panic("model: a message is in two inboxes at the beginning")
		}
		return []uint64{word}
	}
	return words
}

// State returns a packed state as plain values.
func (s *System) State(words []uint64) model.State {
	if s.dense != nil {
		flat := s.dense.unpack(words[0])
		words = flat[:]
	}
	return s.state(words)
}

// state returns a state in words of the layout as plain values.
func (s *System) state(words []uint64) model.State {
	state := model.State{Locals: make([]model.Local, len(s.tables)), Inboxes: make([]model.Inbox, len(s.tables))}
	for i, t := range s.tables {
		state.Locals[i] = t.Locals.Values[s.layout.local(i).get(words)]
		state.Inboxes[i] = t.inbox[s.layout.inbox(i).get(words)].content
	}
	if s.hasEnv {
		state.Env = s.envs.Values[s.layout.env().get(words)]
	}
	return state
}

// Reference is the meaning of the world.
func (s *System) Reference() *model.Reference { return s.reference }

// Tables returns what has been learned of each process, number 1 first.
func (s *System) Tables() []*Tables { return s.tables }

// Refusing reports whether a process may refuse a message, and something may wait for messages: see Config.Awaits.
func (s *System) Refusing() bool { return s.refusing }

// Expander returns a new expander.
func (s *System) Expander() explore.Expander {
	x := &expander{sys: s}
	s.expanders = append(s.expanders, x)
	return x
}

// Learn makes states expandable, and widens the layout if it has to.
func (s *System) Learn(states [][]uint64) (_ explore.Repack, err error) {
	defer model.CatchOutside(s.machine, &err)
	var scratch explore.Steps
	for _, words := range states {
		scratch.Reset()
		s.learner.Expand(words, &scratch)
	}
	if d := s.dense; d != nil && d.lost {
		s.dense = nil
		return d.repack, nil
	}
	counts := s.counts()
	if s.layout.holds(counts) {
		return nil, nil
	}
	old := s.layout
	s.layOut(counts)
	return s.layout.repacking(&old), nil
}

// Bytes is approximately the memory that the tables hold.
func (s *System) Bytes() int64 {
	var n int64
	for _, t := range s.tables {
		n += t.bytes()
	}
	return n
}

// TableStats returns how much was learned so far.
func (s *System) TableStats() model.TableStats {
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
