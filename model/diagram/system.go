package diagram

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"interleave/explore"
	"interleave/explore/dd"
	"interleave/internal/numbering"
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
	Overapprox bool     `json:"loose,omitempty"` // of a world that can do more: see overapprox.go
}

// System is a world as vectors of small integers for package dd: the budgets used, the local
// states of the processes, and the messages in flight. Unless it is loose it has the same states
// and steps. All local steps are learned before the search.
type System struct {
	Forest *dd.Forest
	Events []*Event

	Form

	sys       *compiled.LocalSteps
	reference *model.Reference
	traits    spec.Traits
	config    model.Config
	tables    []*compiled.Tables // by process, number 1 first
	all       spec.Set
	strengths [256]explore.Strength // the fairness owed to each kind of step

	budgets  numbering.Of[budget]
	budgeted bool  // the budgets are place 0
	learned  int64 // what the tables take, in bytes
	locals   []int // places, by process, number 1 first
	channels []*channel
	by       map[any]*channel // by receiver, content, or pair of processes
	views    [model.ReadSets]*dd.Event
}

// budget is how much of each budget is used.
type budget struct {
	model.Env
	down int // crashed processes, if nobody recovers, so that Env does not count them
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
	if form.Overapprox && s.RefusesMessages() {
		return nil, fmt.Errorf("%w: which message a process refuses depends on the order of arrival", ErrNotSymbolic)
	}
	y := &System{
		sys: s, reference: reference, traits: reference.Machine().Traits(), config: c, tables: s.Tables(), all: spec.UpTo(c.N), strengths: reference.Strengths(),
		Form: form, locals: make([]int, c.N), by: map[any]*channel{},
		budgeted: len(c.Counted()) > 0 || c.Crashes > 0, learned: s.Bytes(),
	}
	if form.Grouping == Fitting {
		y.Grouping = y.fitting()
	}
	y.budgets.Number(budget{})
	y.Forest = dd.New(ctx, y.layOut(), spare(memory))
	y.Forest.Besides = y.bytes
	return y, y.addEvents(ctx)
}

// fitting chooses the grouping whose fullest place may hold fewer messages, as a place may have a
// value for every subset of them. But it is ByReceiver unless the other has a half at most: a step
// then looks at fewer places, that of what it takes and those of whom it sends to.
func (y *System) fitting() Grouping {
	toOne, copies, most := 0, map[any]int{}, 0
	for _, t := range y.tables {
		toOne = max(toOne, len(t.Messages.Values))
		for _, e := range t.Messages.Values {
			copies[e.Message]++
			most = max(most, copies[e.Message])
		}
	}
	if y.network(y.config) != model.FIFO && toOne >= 2*most {
		return ByContent
	}
	return ByReceiver
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

// layOut numbers the places and returns how many there are. First come the budgets; then, process
// by process, its local state, and the messages to it, or those that it is the first to send.
func (y *System) layOut() int {
	places := 0
	if y.budgeted {
		places++
	}
	ring := y.config.Placement()
	if !y.traits.Ring {
		ring = slices.Collect(y.all.All())
	}
	contents := y.contents()
	for _, p := range y.Order.of(ring) {
		y.locals[p-1] = places
		places++
		for _, key := range y.keys(p, contents) {
			c := newChannel(places, y.network(y.config))
			y.by[key] = c
			y.channels = append(y.channels, c)
			places++
		}
	}
	for _, t := range y.tables {
		for message := range t.Messages.Values {
			p := t.Message(uint32(message))
			if c := y.channelOf(p); c != nil {
				c.may = append(c.may, p)
			}
		}
	}
	return places
}

// keys returns the keys of the channels whose places come after process p.
func (y *System) keys(p spec.ID, contents map[spec.ID][]any) []any {
	switch y.Grouping {
	case ByContent:
		return contents[p]
	case ByPair:
		senders := spec.Set(0)
		for _, e := range y.tables[p-1].Messages.Values {
			senders |= spec.SetOf(e.From)
		}
		var pairs []any
		for q := range senders.All() {
			pairs = append(pairs, [2]spec.ID{q, p})
		}
		return pairs
	}
	return []any{p}
}

// contents returns the messages that each process may send, except those that were listed for
// another one before.
func (y *System) contents() map[spec.ID][]any {
	first := map[any]bool{}
	lists := map[spec.ID][]any{}
	for _, internal := range []bool{true, false} { // first what is sent without a message received, then replies
		for _, t := range y.tables {
			for _, m := range t.Moves {
				if received := compiled.Handled(m.Action) == spec.Receive; received == internal {
					continue
				}
				for _, send := range m.Sends {
					content := y.content(send)
					if !first[content] {
						first[content] = true
						lists[t.ID] = append(lists[t.ID], content)
					}
				}
			}
		}
	}
	return lists
}

func (y *System) content(m compiled.Sending) any {
	if m.To == spec.NextLive {
		return y.tables[0].Messages.Values[m.IDs[0]].Message
	}
	return y.tables[m.To-1].Messages.Values[m.ID].Message
}

// channelOf returns the channel of a message; nil if there is none.
func (y *System) channelOf(p compiled.Message) *channel {
	switch y.Grouping {
	case ByReceiver:
		return y.by[p.To]
	case ByPair:
		return y.by[[2]spec.ID{p.From, p.To}]
	}
	return y.by[y.tables[p.To-1].Messages.Values[p.ID].Message]
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

// State returns a vector as plain values.
func (y *System) State(vector []uint32) model.State {
	s := model.State{Locals: make([]model.Local, len(y.locals)), Inboxes: make([]model.Inbox, len(y.locals))}
	for i, t := range y.tables {
		s.Locals[i] = t.Locals.Values[vector[y.locals[i]]]
	}
	network := y.config.Network
	if network == model.Set {
		network = model.Bag // a copy is listed, too
	}
	for _, c := range y.channels {
		for _, p := range c.values[vector[c.place]] {
			in := &s.Inboxes[p.To-1]
			*in = in.With(network, y.tables[p.To-1].Messages.Values[p.ID])
		}
	}
	if y.budgeted {
		s.Env = y.budgets.Values[vector[0]].Env
	}
	return s
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
