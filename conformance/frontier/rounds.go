package frontier

import (
	"math"

	"interleave/spec"
)

// mailbox is the inbox of lock step: the messages that are read in each round.
type mailbox map[int64][]Message

func (b mailbox) put(m Message) { b[m.Round] = append(b[m.Round], m) }

func (b mailbox) next(string, func(Message, string)) {}

// rounds yields every way that one lock-step round leads to: each process may be suspected in
// it, and each message of the round may have come in time or not, in any order that keeps the
// order of each sender. A process that did not run for a while misses rounds; that is tried
// only when nothing else explains a packet.
func (l *Incarnation) rounds(n *Node, s search, yield func(*Node)) {
	t := &l.world.traits
	last := n.round + 1
	if l.world.Ahead > DefaultAhead {
		last = n.round + maxMissed
	} else if s.round > last {
		l.world.Short = true
	}
	if n.sent < s.most { // a round is one step, with what is sent on the reports of crashes before
		s.most = math.MaxUint64
	}
	for r := n.round + 1; r <= min(last, s.round) && !t.Halted(n.state); r++ {
		var own []Message // sent in the round before, to itself
		for i := 0; i < len(n.own) && r == n.round+1; i += ownSize {
			own = append(own, l.ownMessage(n.own[i:]))
		}
		for _, m := range l.suspecting(n, r, s) {
			read := reading{round: r, own: len(own), kept: m.own[len(n.own):]}
			l.read(m, read, append(own, l.inbox.(mailbox)[r]...), nil, s, yield)
		}
	}
}

// reading is what all orders of reading in a round have in common.
type reading struct {
	round int64
	own   int    // messages that it sent to itself in the round before: they always come
	kept  string // messages that it sent to itself since this round began, as in way.own
}

// suspecting returns the results of the suspicions at the beginning of a round.
func (l *Incarnation) suspecting(n *Node, round int64, s search) []*Node {
	nodes, seen := []*Node{n}, map[way]bool{n.way: true}
	if !l.world.traits.Handles.Has(spec.Suspect) {
		return nodes
	}
	for q := range spec.UpTo(len(l.world.Ring)).Without(l.ID).All() {
		for _, m := range nodes {
			l.take(m, Input{Event: spec.Event{Kind: spec.Suspect, Peer: q}, Round: round}, s, nil, func(next *Node) {
				if !seen[next.way] {
					seen[next.way] = true
					nodes = append(nodes, next)
				}
			})
		}
	}
	return nodes
}

// read takes the step of a round for every choice of its messages after those that are
// read already.
func (l *Incarnation) read(n *Node, r reading, left, read []Message, s search, yield func(*Node)) {
	in := Input{Event: spec.Event{Kind: spec.Round}, Inbox: append([]Message(nil), read...), Round: r.round}
	own := 0
	for _, m := range read {
		in.Event.Inbox = append(in.Event.Inbox, spec.Received[any]{From: m.From, Message: m.Content})
		if m.From == l.ID {
			own++
		}
	}
	if own == r.own {
		l.take(n, in, s, func(w *way) { w.round, w.own = r.round, r.kept }, yield)
	}
	for i, m := range left {
		if *s.steps <= 0 {
			return
		}
		rest := make([]Message, 0, len(left))
		for j, other := range left {
			if other.From != m.From && j != i || other.From == m.From && j > i {
				rest = append(rest, other)
			}
		}
		l.read(n, r, rest, append(read[:len(read):len(read)], m), s, yield)
	}
}

// maxMissed bounds the rounds that a process misses at once.
const maxMissed = 100
