package compiled

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"interleave/explore"
	"interleave/internal/cell"
	"interleave/internal/numbering"
	"interleave/model"
	"interleave/spec"
)

// Tables are what has been learned of one process: its local states and inboxes, numbered from 0
// as they were met, and the steps between them. Local state 0 is a crashed process, inbox 0 is
// empty.
//
// What each part of the search reads has a list of its own, so that little memory is touched.
type Tables struct {
	*world
	ID spec.ID

	Locals   numbering.Of[model.Local]
	Info     []LocalInfo        // by local state
	internal [][]internalAction // by local state: what the process may do without a message
	receive  grid               // by local state and message: number of the move plus 1, or unlearned

	Messages numbering.Of[model.Envelope]
	blocks   []blocks          // by message
	inboxes  map[string]uint32 // by content, as the numbers of its messages
	inbox    []inboxInfo       // by inbox
	choices  [][]choice        // by inbox: what may be delivered next
	insert   grid              // by inbox and message: number of the inbox with it, plus 1, or unlearned

	Moves   []Move
	chosen  numbering.Of[chosenEvent]
	outputs map[int32][]any      // by number of the move: what it outputs, if there are monitors
	oracle  map[oracleStep]int32 // number of the move, for an algorithm with an Oracle

	held int64 // approximate bytes of local states and inboxes
}

// oracleStep is what a move depends on if the handlers may ask who is live.
type oracleStep struct {
	local     uint32
	isMessage bool   // number is that of a message, else of an internal action
	number    uint32 // of the message or the internal action
	live      spec.Set
}

// LocalInfo is what the search needs to know of a local state.
type LocalInfo struct {
	model.Local
	Leader spec.ID
	Down   uint32                   // the local state after a crash
	Fails  bool                     // the process may crash there, between its steps
	Owing  [spec.MaxTimers]spec.Set // by timer: see spec.TimerRule
	value  any                      // the State as properties see it, all the same one
}

// An internal action is an event that may happen in a local state, if the world lets it.
type internalAction struct {
	event     spec.Event
	enablings []enabling // any of which lets it happen
	move      int32      // number plus 1, or unlearned
}

const unlearned = 0

// A move is one local step: everything about it that does not depend on the
// rest of the world.
type Move struct {
	Action  explore.Action
	To      uint32 // local state afterwards
	down    uint32 // local state if the process crashes instead of getting there
	Sends   []Sending
	number  int32 // its place in Tables.Moves
	others  int32 // how many moves after it are of the same event, in which the handler chooses otherwise
	Refused bool
	Saves   bool // a crash leaves something else after it than before
	deadEnd bool // it leads nowhere, for one of the following reasons
	Beyond  bool // it exceeds the bound
	Panic   string
	Broken  uint64 // watches whose claim it breaks, as a bit set

	persists *persists
}

// persists says when existing code persists in a step, if it tells that and there are recoveries.
type persists struct {
	when []spec.Persisted
	left []uint32 // the local state that a crash leaves, by model.Event.Disk
}

// Persists says when existing code persists.
func (m *Move) Persists() []spec.Persisted {
	if m.persists == nil {
		return nil
	}
	return m.persists.when
}

// Sending is a message sent, by its number in its receiver's tables.
type Sending struct {
	To  spec.ID // or spec.NextLive
	ID  uint32
	IDs []uint32 // for spec.NextLive: by receiver, number 1 first
}

// inboxInfo is what the search needs to know of an inbox.
type inboxInfo struct {
	content model.Inbox
	blocks
}

// blocks says what some messages hold up.
type blocks struct {
	senders spec.Set                 // of the messages
	timers  [spec.MaxTimers]spec.Set // by timer: the processes whose expiry is not justified while one of the messages is in flight
}

// A choice is a message that may be delivered, and the inbox without it.
type choice struct {
	message uint32
	place   int32
	rest    int32 // number plus 1, or unlearned
	more    int32 // the inbox with a copy of it: number plus 1, or unlearned
}

// numberMessage returns the number of a message.
func (t *Tables) numberMessage(e model.Envelope) uint32 {
	number, isNew := t.Messages.Number(e)
	if isNew {
		t.held += int64(cell.Size(e.Message))
	}
	return number
}

// localBytes is about what a numbered local state takes, without its internal events.
const localBytes = 310

// numberLocal returns the number of a local state.
func (t *Tables) numberLocal(l model.Local) uint32 {
	id, isNew := t.Locals.Number(l)
	if isNew {
		t.Info = append(t.Info, t.describeLocal(l))
		internal := t.internalOf(l)
		t.internal = append(t.internal, internal)
		t.held += localBytes + int64(3*cell.Size(l.State)+len(internal)*80) // the value takes more than its text
		if l.Status != model.Down {
			down := t.numberLocal(t.reference.AfterCrash(l)) // may grow t.Info
			t.Info[id].Down = down
		}
	}
	return id
}

func (t *Tables) describeLocal(l model.Local) LocalInfo {
	info := LocalInfo{Local: l, Fails: len(t.reference.Rules().Crashes(l)) > 0, value: cell.Value(l.State)}
	if l.Status == model.Down {
		return info
	}
	info.Leader = t.traits.Leader(l.State)
	if info.Leader < 0 || int(info.Leader) > t.config.N {
		t.unknownLeader = true
	}
	for timer, rule := range t.traits.Rules {
		if rule.Owing != nil {
			info.Owing[timer] = rule.Owing(l.State, t.ID, t.all)
		}
	}
	return info
}

// internalOf returns what the process may do in a local state without a message, in the order of
// Reference.events.
func (t *Tables) internalOf(l model.Local) (internal []internalAction) {
	for _, rules := range model.ByEvent(t.reference.Rules().Of(t.ID, l)) {
		o := internalAction{event: rules[0].Step}
		for _, rule := range rules {
			o.enablings = append(o.enablings, newEnabling(t.reference, rule))
		}
		internal = append(internal, o)
	}
	return internal
}

// numberInbox returns the number of an inbox.
func (t *Tables) numberInbox(in model.Inbox) uint32 {
	key := make([]byte, 0, 4*len(in))
	for _, e := range in {
		message := t.numberMessage(e)
		key = binary.LittleEndian.AppendUint32(key, message)
	}
	if id, ok := t.inboxes[string(key)]; ok {
		return id
	}
	id := uint32(len(t.inbox))
	t.inboxes[string(key)] = id
	t.inbox = append(t.inbox, t.describeInbox(in))
	choices := t.choicesOf(in)
	t.choices = append(t.choices, choices)
	t.held += 250 + int64(len(in))*36 + int64(len(choices))*12
	return id
}

func (t *Tables) describeInbox(in model.Inbox) inboxInfo {
	if cap(in) > len(in) {
		in = slices.Clone(in) // which has no room to grow
	}
	info := inboxInfo{content: in}
	for _, e := range in {
		message := t.numberMessage(e)
		for int(message) >= len(t.blocks) {
			t.blocks = append(t.blocks, t.describeMessage(t.Messages.Values[len(t.blocks)]))
		}
		info.add(&t.blocks[message])
	}
	return info
}

func (t *Tables) describeMessage(e model.Envelope) blocks {
	u := blocks{senders: spec.SetOf(e.From)}
	for i, rule := range t.traits.Rules {
		if rule.Awaited == nil {
			continue
		}
		for p := range t.all.All() {
			if rule.Awaited(p, e.From, t.ID, e.Message) {
				u.timers[i] = u.timers[i].With(p)
			}
		}
	}
	return u
}

func (u *blocks) add(v *blocks) {
	u.senders |= v.senders
	for i := range u.timers {
		u.timers[i] |= v.timers[i]
	}
}

// choicesOf returns what may be delivered next from an inbox.
func (t *Tables) choicesOf(in model.Inbox) []choice {
	var choices []choice
	for place := range in.Deliverable(t.config.Network) {
		message := t.numberMessage(in[place])
		choices = append(choices, choice{message: message, place: int32(place)})
	}
	return choices
}

// inOrder returns the messages in the order of inboxes.
func (t *Tables) inOrder() []uint32 {
	order := make([]uint32, len(t.Messages.Values))
	for message := range order {
		order[message] = uint32(message)
	}
	slices.SortFunc(order, func(a, b uint32) int { return model.CompareEnvelopes(t.Messages.Values[a], t.Messages.Values[b]) })
	return order
}

// numberSubsets numbers every inbox by the bit set of its messages.
func (t *Tables) numberSubsets() {
	order := t.inOrder()
	for set := range 1 << len(order) {
		in := make(model.Inbox, 0, bits.OnesCount(uint(set)))
		for k, message := range order {
			if set>>k&1 != 0 {
				in = append(in, t.Messages.Values[message])
			}
		}
		if t.numberInbox(in) != uint32(set) {
			panic("model: an inbox was numbered before")
		}
	}
}

// outstanding sums up the messages in an inbox that have not arrived yet: all except those that
// are refused and those behind them in a queue. See Reference.waits.
func (t *Tables) outstanding(box uint32, refused []model.Envelope) *blocks {
	sum := &blocks{}
	for _, e := range t.inbox[box].content {
		if !slices.ContainsFunc(refused, func(f model.Envelope) bool { return e == f || t.config.Network == model.FIFO && e.From == f.From }) {
			message, _ := t.Messages.Find(e)
			sum.add(&t.blocks[message])
		}
	}
	return sum
}

// Message returns a message to the process.
func (t *Tables) Message(id uint32) Message {
	return Message{To: t.ID, From: t.Messages.Values[id].From, ID: id}
}

// perMove is about what a move takes with what it sends, and what its place in a list that grows is copied from.
const perMove = 240

// bytes is a rough count of the memory held, and of what a table that grows is copied from.
func (t *Tables) bytes() int64 {
	return t.held + int64(len(t.Moves)+len(t.oracle))*perMove + (t.receive.bytes()+t.insert.bytes())*3/2
}
