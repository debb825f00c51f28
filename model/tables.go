package model

import (
	"encoding/binary"

	"interleave/explore"
	"interleave/spec"
)

// tables are what has been learned of one process: its local states and
// inboxes, numbered from 0 as they were met, and the steps between them. Local
// state 0 is a crashed process, inbox 0 an empty one.
type tables struct {
	id      spec.ID
	locals  numbering[Local]
	local   []localInfo // by number
	letters numbering[Envelope]
	inboxes map[string]uint32 // by content, as the numbers of its letters
	inbox   []inboxInfo       // by number
	moves   []move
}

// numbering numbers values as they are first met.
type numbering[T comparable] struct {
	numbers map[T]uint32
	values  []T
}

// number returns the number of v, and whether it is new.
func (n *numbering[T]) number(v T) (id uint32, isNew bool) {
	if id, ok := n.numbers[v]; ok {
		return id, false
	}
	if n.numbers == nil {
		n.numbers = map[T]uint32{}
	}
	id = uint32(len(n.values))
	n.numbers[v] = id
	n.values = append(n.values, v)
	return id, true
}

// localInfo is what the search needs to know of a local state.
type localInfo struct {
	Local
	leader  spec.ID
	idle    bool
	offers  []offer                  // what the process may do without a message
	receive []int32                  // by letter: number of the move plus 1, or unlearned
	silent  [spec.MaxTimers]spec.Set // by timer: see spec.TimerRule
}

// An offer is an event that may happen in a local state, if the world lets it.
type offer struct {
	event spec.Event
	move  int32 // number plus 1, or unlearned
}

const unlearned = 0

// A move is one local step: everything about it that does not depend on the
// rest of the world.
type move struct {
	action  explore.Action
	to      uint32 // local state afterwards
	sends   []sending
	refused bool
	panic   string
}

// sending is a message sent, as a letter in its receiver's tables.
type sending struct {
	to      spec.ID // or spec.NextLive
	letter  uint32
	letters []uint32 // for spec.NextLive: by receiver, number 1 first
}

// inboxInfo is what the search needs to know of an inbox.
type inboxInfo struct {
	content Inbox
	senders spec.Set
	choices []choice                 // what may be delivered next
	insert  []int32                  // by letter: number of the inbox with it, plus 1, or unlearned
	holdsUp [spec.MaxTimers]spec.Set // by timer: those whose expiry a message in here makes unjustified
}

// A choice is a letter that may be delivered, and the inbox without it.
type choice struct {
	letter uint32
	place  int
	rest   int32 // number plus 1, or unlearned
}

// entry returns row[i], or unlearned where the row is too short.
func entry(row []int32, i uint32) int32 {
	if int(i) < len(row) {
		return row[i]
	}
	return unlearned
}

func setEntry(row *[]int32, i uint32, v uint32) {
	for len(*row) <= int(i) {
		*row = append(*row, unlearned)
	}
	(*row)[i] = int32(v) + 1
}

// numberLocal returns the number of a local state of t's process.
func (s *System) numberLocal(t *tables, l Local) uint32 {
	id, isNew := t.locals.number(l)
	if isNew {
		t.local = append(t.local, s.describeLocal(t.id, l))
	}
	return id
}

func (s *System) describeLocal(p spec.ID, l Local) localInfo {
	info := localInfo{Local: l, idle: true}
	if l.Status == Down {
		return info
	}
	info.leader, info.idle = s.traits.Leader(l.State), s.traits.Idle(l.State)
	if l.Status == Booting {
		info.offers = []offer{{event: spec.Event{Kind: spec.Start, Initiator: l.Initiator}}}
		return info
	}
	if s.traits.Handles.Has(spec.Notice) && l.Initiator {
		info.offers = append(info.offers, offer{event: spec.Event{Kind: spec.Notice}})
	}
	for t, rule := range s.traits.Rules {
		if rule.Silent != nil {
			info.silent[t] = rule.Silent(l.State, p, s.all)
		}
		if l.Timers>>t&1 != 0 {
			info.offers = append(info.offers, offer{event: spec.Event{Kind: spec.Timeout, Timer: spec.Timer(t)}})
		}
	}
	if s.config.Detector != NoDetector {
		for q := range (s.all &^ l.Suspected).Without(p).All() {
			info.offers = append(info.offers, offer{event: spec.Event{Kind: spec.Suspect, Peer: q}})
		}
	}
	return info
}

// numberInbox returns the number of an inbox of t's process.
func (s *System) numberInbox(t *tables, in Inbox) uint32 {
	key := make([]byte, 0, 4*len(in))
	for _, e := range in {
		letter, _ := t.letters.number(e)
		key = binary.LittleEndian.AppendUint32(key, letter)
	}
	if id, ok := t.inboxes[string(key)]; ok {
		return id
	}
	id := uint32(len(t.inbox))
	t.inboxes[string(key)] = id
	t.inbox = append(t.inbox, s.describeInbox(t, in))
	return id
}

func (s *System) describeInbox(t *tables, in Inbox) inboxInfo {
	info := inboxInfo{content: in, senders: in.senders()}
	for _, place := range in.deliverable(s.config.Network) {
		letter, _ := t.letters.number(in[place])
		info.choices = append(info.choices, choice{letter: letter, place: place})
	}
	for i, rule := range s.traits.Rules {
		if rule.Awaited == nil {
			continue
		}
		for p := range s.all.All() {
			for _, e := range in {
				if rule.Awaited(p, e.From, t.id, e.Message) {
					info.holdsUp[i] = info.holdsUp[i].With(p)
				}
			}
		}
	}
	return info
}

// learnMove runs the handler of e in a local state and returns the number of
// the move.
func (s *System) learnMove(t *tables, local uint32, e spec.Event, letter uint32) int32 {
	before := t.locals.values[local]
	state, fx := s.machine.Step(t.id, s.ring, before.State, e)
	s.handlerCalls++
	m := move{action: handling(s.kinds.of(e, &s.traits), t.id, e, letter), refused: fx.Refused, panic: fx.Panic}
	if !fx.Refused && fx.Panic == "" {
		m.to = s.numberLocal(t, before.after(e, state, fx))
		for _, send := range fx.Sends {
			m.sends = append(m.sends, s.learnSend(t.id, send))
		}
	}
	t.moves = append(t.moves, m)
	return int32(len(t.moves) - 1)
}

func (s *System) learnSend(from spec.ID, send spec.Send) sending {
	out := sending{to: send.To}
	envelope := Envelope{from, send.Message}
	if send.To != spec.NextLive {
		out.letter, _ = s.tables[send.To-1].letters.number(envelope)
		return out
	}
	for _, t := range s.tables {
		letter, _ := t.letters.number(envelope)
		out.letters = append(out.letters, letter)
	}
	return out
}

// bytes is a rough count of the memory held.
func (t *tables) bytes() int64 {
	n := int64(len(t.local))*200 + int64(len(t.moves))*150
	for i := range t.local {
		n += int64(cap(t.local[i].receive)) * 4
	}
	for i := range t.inbox {
		in := &t.inbox[i]
		n += 200 + int64(len(in.content))*36 + int64(cap(in.insert))*4 + int64(len(in.choices))*16
	}
	return n
}
