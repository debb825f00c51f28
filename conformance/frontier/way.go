package frontier

import (
	"encoding/binary"
	"slices"

	"interleave/spec"
)

// stage says how far an incarnation has come up.
type stage uint8

const (
	down    stage = iota
	booting       // Init has run
	started       // Recover has run, or is not needed; Start has not run
	up
)

// way is one possible condition of an incarnation. It is a plain value: two that are equal have
// the same future.
type way struct {
	stage     stage
	state     any
	armed     uint8
	suspected spec.Set
	read      string // how far its inbox is read
	own       string // messages to itself that it has not handled, as places in Incarnation.own
	sent      uint64 // messages sent so far
	unseen    string // those of them that were not seen on the wire yet, but will be
	places    string // of the next messages on its links, as Incarnation.Links has them
	round     int64  // lock step: the last round in which it took part
}

// Node is a way and the steps that led to it.
type Node struct {
	way
	Before *Node // nil: the incarnation begins
	Former *Node // if it begins: the end of the incarnation that left this memory; nil: there is none
	Input  Input // the step from Before to here
}

// Input is the input of a hidden step, in what was not known.
type Input struct {
	spec.Event
	Memory   any       // Init
	Received Message   // Receive
	Inbox    []Message // Round
	Round    int64     // Round, and Suspect in lock step
	Seen     bool      // no step: a packet was seen, and is no longer unseen
	Refused  bool      // no step: a message was acknowledged, and it is refused
}

// Up reports whether the process has come up.
func (n *Node) Up() bool { return n.stage == up }

// State returns the local state; nil if it has not come up.
func (n *Node) State() any {
	if n.stage == down {
		return nil
	}
	return n.state
}

// Root returns the beginning of the incarnation.
func (n *Node) Root() *Node {
	for n.Before != nil {
		n = n.Before
	}
	return n
}

// Path returns the steps that lead to n, and the refusals, from the beginning of its incarnation.
func (n *Node) Path() (steps []*Node) {
	for ; n != nil && n.Before != nil; n = n.Before {
		if !n.Input.Seen {
			steps = append(steps, n)
		}
	}
	for i, j := 0, len(steps)-1; i < j; i, j = i+1, j-1 {
		steps[i], steps[j] = steps[j], steps[i]
	}
	return steps
}

// Send is a message that a process sends.
type Send struct {
	Sequence uint64
	To       spec.ID
	Content  any
	Round    int64 // lock step: the round in which it was sent; unknown if it is unseen
}

// bare is s without its round.
func (s Send) bare() Send {
	s.Round = 0
	return s
}

// sendSize is that of a Send in way.unseen: its sequence, its receiver, and its content as a
// place in Incarnation.contents.
const sendSize = 8 + 1 + 4

func (t *table) appendSend(unseen string, s Send) string {
	b := make([]byte, len(unseen), len(unseen)+sendSize)
	copy(b, unseen)
	b = binary.BigEndian.AppendUint64(b, s.Sequence)
	b = append(b, byte(s.To))
	return string(binary.BigEndian.AppendUint32(b, t.place(s.Content)))
}

// removeSend returns the send with a sequence, and the unseen ones without it.
func (t *table) removeSend(unseen string, sequence uint64) (s Send, rest string, ok bool) {
	for i := 0; i < len(unseen); i += sendSize {
		b := []byte(unseen[i : i+sendSize])
		if binary.BigEndian.Uint64(b) == sequence {
			s = Send{Sequence: sequence, To: spec.ID(b[8]), Content: t.values[binary.BigEndian.Uint32(b[9:])]}
			return s, unseen[:i] + unseen[i+sendSize:], true
		}
	}
	return s, unseen, false
}

// table numbers values.
type table struct {
	values []any
	places map[any]uint32
}

func (t *table) place(v any) uint32 {
	i, known := t.places[v]
	if !known {
		if t.places == nil {
			t.places = map[any]uint32{}
		}
		i = uint32(len(t.values))
		t.places[v], t.values = i, append(t.values, v)
	}
	return i
}

// set is a set of ways without those that others make redundant.
type set struct {
	world *World
	nodes map[way][]*Node // by everything except what was read, if that can be compared
	one   bool            // of ways that differ only in that, the first is enough
	work  int             // comparisons so far
}

func (w *World) newSet(one bool) *set { return &set{world: w, nodes: map[way][]*Node{}, one: one} }

func (s *set) key(n *Node) way {
	key := n.way
	if s.world.Unordered || s.one {
		key.read = ""
	}
	return key
}

// add adds a way unless the set has one that can do all that it can, or still must do.
func (s *set) add(n *Node) bool {
	key := s.key(n)
	same := s.nodes[key]
	if s.one && len(same) > 0 {
		return false
	}
	s.work += len(same)
	kept := same[:0:0]
	for _, other := range same {
		if other.read == n.read || s.world.Unordered && fewer(other.read, n.read) {
			return false
		}
		if !s.world.Unordered || !fewer(n.read, other.read) {
			kept = append(kept, other)
		}
	}
	s.nodes[key] = append(kept, n)
	return true
}

// has reports whether a node is still in the set.
func (s *set) has(n *Node) bool {
	same := s.nodes[s.key(n)]
	s.work += len(same)
	return slices.Contains(same, n)
}

// memory returns what the process would find after a crash.
func (n *Node) memory(t spec.Traits) any {
	if n.stage == down {
		return n.state
	}
	return t.Stable(n.state)
}
