package diagram

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"interleave/explore/dd"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/spec"
)

// Grouping says which messages in flight share a place of the vector.
type Grouping uint8

const (
	ByReceiver Grouping = iota // the messages to one process
	ByContent                  // equal messages, of any sender and receiver
	ByPair                     // the messages from one process to another
	Fitting                    // ByReceiver or ByContent: see System.fitting
)

func (g Grouping) String() string {
	return [...]string{"by receiver", "by content", "by pair", "by receiver or by content"}[g]
}

// MarshalText writes the grouping in words.
func (g Grouping) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// Order is the order of the processes in the vector.
type Order uint8

const (
	RingOrder Order = iota // along the ring; by number in an algorithm that does not use it
	Reversed               // the other way round
	Numbered               // by number
)

func (o Order) String() string {
	return [...]string{"along the ring", "in reverse", "by number"}[o]
}

// MarshalText writes the order in words.
func (o Order) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// of returns the processes of a ring in this order.
func (o Order) of(ring []spec.ID) []spec.ID {
	ring = slices.Clone(ring)
	switch o {
	case Reversed:
		slices.Reverse(ring)
	case Numbered:
		slices.Sort(ring)
	}
	return ring
}

// ErrNotSymbolic says that a world has no symbolic form, or none that is small enough.
var ErrNotSymbolic = compiled.ErrNotClosed

// Form says how states become vectors.
type Form struct {
	Grouping   Grouping `json:"messages"`
	Order      Order    `json:"order"`
	Overapprox bool     `json:"overapprox,omitempty"` // of a world that can do more: see overapprox.go
}

// System is a world as vectors of small integers for package dd: the budgets used, the local
// states of the processes, and the messages in flight. Unless it over-approximates it has the same states
// and steps. All local steps are learned before the search.
type System struct {
	Forest *dd.Forest
	Events []*Event

	*layout
	sys       *compiled.LocalSteps
	reference *model.Reference
	learned   int64 // what the tables take, in bytes
	views     [model.ReadSets]*dd.Event
}

// New returns the symbolic form of a world. Memory limits the tables and the decision
// diagrams, in bytes; 0: no limit. Later calls are faster: the local steps are reused.
func New(ctx context.Context, s *compiled.LocalSteps, form Form, memory int64) (_ *System, err error) {
	reference := s.Reference()
	c := reference.Config()
	defer model.CatchOutside(reference.Machine(), &err)
	if form.Grouping == ByContent && form.network(c) == model.FIFO {
		return nil, fmt.Errorf("%w: a queue holds messages of any content", ErrNotSymbolic)
	}
	if err := s.Close(ctx, spare(memory)); errors.Is(err, compiled.ErrTablesOutgrow) {
		return nil, dd.ErrMemory // it is for the diagrams that the tables are learned
	} else if err != nil {
		return nil, err
	}
	if s.Refusing() {
		return nil, fmt.Errorf("%w: whether a message has come depends on whether its receiver refuses it", ErrNotSymbolic)
	}
	if len(c.Monitors) > 0 {
		return nil, fmt.Errorf("%w: a monitor sees every step", ErrNotSymbolic)
	}
	if form.Overapprox && s.RefusesMessages() {
		return nil, fmt.Errorf("%w: which message a process refuses depends on the order of arrival", ErrNotSymbolic)
	}
	y := &System{sys: s, reference: reference, layout: newLayout(s, form), learned: s.Bytes()}
	y.Forest = dd.New(ctx, y.places, spare(memory))
	y.Forest.Besides = y.bytes
	return y, (&builder{y, reference.Strengths()}).addEvents(ctx)
}

// spare returns the part of a memory that diagrams may take. Some is needed for garbage that is
// not collected yet, and some for the rest of the program.
func spare(memory int64) int64 { return max(memory-memory/6-(24<<20), memory-memory/2) }

// bytes is approximately what the tables, the messages in flight and the events take.
func (y *System) bytes() int64 {
	const bytesPerEvent = 2000
	bytes := y.learned + int64(len(y.Events))*bytesPerEvent
	for _, c := range y.channels {
		bytes += c.bytes
	}
	return bytes
}

// Initial returns the set of the initial states.
func (y *System) Initial() dd.Set {
	f := y.Forest
	all := f.Keep(dd.Empty)
	vector := make([]uint32, f.Levels())
	for _, state := range y.reference.Initial() {
		for i, t := range y.tables {
			vector[y.locals[i]], _ = t.Locals.Find(state.Locals[i])
		}
		f.Replace(&all, f.Union(all, f.Single(vector)))
	}
	f.Drop(all)
	return all
}

// Reach returns the set of the reachable states; dd.Empty if Forest.Err.
func (y *System) Reach(strategy dd.Strategy) dd.Set {
	return y.Forest.Reach(strategy, y.events(), y.Initial())
}

func (y *System) events() []*dd.Event {
	events := make([]*dd.Event, 0, len(y.Events))
	for _, e := range y.Events {
		if e.leads() {
			events = append(events, e.Event)
		}
	}
	return events
}

// Transitions returns how many steps lead from the states of a set, by kind. The result means
// nothing if the forest failed.
func (y *System) Transitions(s dd.Set) []*big.Int {
	f := y.Forest
	f.Keep(s)
	byKind := make([]*big.Int, len(y.reference.StepKinds().Names()))
	for i := range byKind {
		byKind[i] = new(big.Int)
	}
	for _, e := range y.Events {
		if e.leads() {
			byKind[e.Kind].Add(byKind[e.Kind], f.Count(f.Enabled(e.Event, s)))
		}
	}
	f.Drop(s)
	return byKind
}

// Quiet returns the quiescent states of a set.
func (y *System) Quiet(s dd.Set) dd.Set {
	f := y.Forest
	quiet := f.Keep(s)
	for _, e := range y.Events {
		if e.Fair {
			f.Replace(&quiet, f.Minus(quiet, f.Enabled(e.Event, quiet)))
		}
	}
	f.Drop(quiet)
	return quiet
}

// Path returns the states on a shortest path from an initial state to one in goal, which lies in
// reach, the reachable states; both are kept. It is nil if there is none, or if the forest failed.
func (y *System) Path(reach, goal dd.Set) []model.State {
	return paths{y.layout, y.Forest, y.events()}.between(y.Initial(), goal, reach)
}
