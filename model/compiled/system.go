package compiled

import (
	"context"
	"fmt"
	"math/bits"

	"interleave/explore"
	"interleave/internal/cell"
	"interleave/internal/numbering"
	"interleave/model"
	"interleave/spec"
)

// System is an algorithm in a world as a graph of packed states, ready for
// explore.Search. See the package comment for how it works.
type System struct {
	*LocalSteps
	faults
	onSteps uint64 // the watches that look at steps, as a bit set

	envs      numbering.Of[model.Env]
	observed  map[observation]observed
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
	steps, few, err := newLocalSteps(ctx, m, c, watches)
	if err != nil {
		return nil, err
	}
	s := &System{
		LocalSteps: steps, faults: newFaults(steps.reference), onSteps: model.OnSteps(watches),
		allLocals: few, observed: map[observation]observed{},
	}
	s.envs.Number(steps.reference.Initial()[0].Env)
	s.learner = newExpander(s, true)
	if !s.allLocals || !s.layOutAll() {
		s.layOut(s.counts())
	}
	return s, nil
}

// maxRoom is how many bits of a state layOutAll uses for its fields at most.
const maxRoom = 128

// layOutAll makes the fields of the layout as wide as they will have to be, so that a search need not pack its states
// again, and gives s its flat form, if it has one. It can do so if all local states are known and messages are sets, as
// inboxes are then subsets of the messages that may be sent, and if these need not much room; else it returns false.
func (s *System) layOutAll() bool {
	counts, room := s.counts(), 0
	for i, t := range s.tables {
		messages := len(t.Messages.Values)
		if s.config.Network == model.Set && messages <= 30 {
			counts[2*i+1] = 1 << messages
			room += bits.Len(uint(len(t.Info)-1)) + messages
		}
	}
	if room > maxRoom {
		return false
	}
	s.layOut(counts)
	s.flatten()
	return true
}

// flatten gives s its flat form, if it has one, and the dense one.
func (s *System) flatten() {
	s.flat = newFlat(s.LocalSteps, s.layout, s.version)
	if s.flat != nil && len(s.flat.groups) == mostGroups && s.onSteps == 0 {
		s.dense = newDense(s.flat)
	}
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

// Spoilt returns an error if a property changed a state that it was shown, so that it may have been shown another one
// later.
func (s *System) Spoilt() error {
	for _, t := range s.tables {
		for _, l := range t.Info {
			if !cell.Is(l.State) {
				continue
			}
			if now := cell.Try(l.value); now != l.State {
				return fmt.Errorf("a property of %s changes a state that it is shown, where %s: let it look only, or take a copy, as slices.Clone and maps.Clone make", s.traits.Name, cell.Difference(l.State, now))
			}
		}
	}
	return nil
}

// Bytes is approximately the memory that the tables hold, what is known of monitors, and of existing code.
func (s *System) Bytes() int64 {
	return s.LocalSteps.Bytes() + int64(len(s.observed))*perObservation + s.traits.CodeBytes()
}

// perObservation is about what monitors make of a move takes: some text, and its places in maps.
const perObservation = 400

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

// Pack packs a state that can be reached. No search may be under way, and what was packed before may mean something else now.
func (s *System) Pack(state model.State) (_ []uint64, err error) {
	defer model.CatchOutside(s.machine, &err)
	for i, t := range s.tables {
		t.numberLocal(state.Locals[i])
		t.numberInbox(state.Inboxes[i])
	}
	s.envs.Number(state.Env)
	if counts := s.counts(); !s.layout.holds(counts) {
		s.layOut(counts)
	}
	words := s.laidOut(state)
	if s.dense == nil {
		return words, nil
	}
	if word, one := s.dense.pack(wordPair(words)); one {
		return []uint64{word}, nil
	}
	s.dense = nil // a message is in two inboxes
	return words, nil
}

// pack packs an initial state, whose parts all have numbers.
func (s *System) pack(state model.State) []uint64 {
	words := s.laidOut(state)
	if s.dense != nil {
		word, one := s.dense.pack(wordPair(words))
		if !one {
			panic("model: a message is in two inboxes at the beginning")
		}
		return []uint64{word}
	}
	return words
}

// laidOut packs a state in words of the layout.
func (s *System) laidOut(state model.State) []uint64 {
	words := make([]uint64, s.layout.width)
	for i, t := range s.tables {
		s.layout.local(i).change(words, 0, t.numberLocal(state.Locals[i]))
		s.layout.inbox(i).change(words, 0, t.numberInbox(state.Inboxes[i]))
	}
	if s.hasEnv {
		number, _ := s.envs.Number(state.Env)
		s.layout.env().change(words, 0, number)
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

// Locals appends the number of each process's local state in a packed state, by which Local has it.
func (s *System) Locals(words []uint64, numbers []uint32) []uint32 {
	if s.dense != nil {
		flat := s.dense.unpack(words[0])
		words = flat[:]
	}
	for i := range s.tables {
		numbers = append(numbers, s.layout.local(i).get(words))
	}
	return numbers
}

// Local is the local state of process p with a number.
func (s *System) Local(p spec.ID, number uint32) model.Local {
	return s.tables[p-1].Locals.Values[number]
}

// state returns a state in words of the layout as plain values.
func (s *System) state(words []uint64) model.State {
	state := model.State{Locals: make([]model.Local, len(s.tables)), Inboxes: make([]model.Inbox, len(s.tables))}
	p := packed{s, words}
	for i, t := range s.tables {
		state.Locals[i], state.Inboxes[i] = p.Local(t.ID), p.Inbox(t.ID)
	}
	if s.hasEnv {
		state.Env = s.envs.Values[s.layout.env().get(words)]
	}
	return state
}

// Expander returns a new expander.
func (s *System) Expander() explore.Expander {
	x := newExpander(s, false)
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
