package frontier

import (
	"fmt"

	"interleave/spec"
)

// Incarnation is one incarnation of a process.
type Incarnation struct {
	ID     spec.ID
	Number uint32

	// Expects says whether the tap will see the message with a number that it
	// has not seen; nil: it may see any.
	Expects func(sequence uint64) bool
	// Future returns the message with a number that the tap will see; nil: it is
	// unknown.
	Future func(sequence uint64) (s Send, known bool)

	// Lacks reports whether the message at a place on a link to this incarnation was sent, but
	// is not in the capture. Where links keep no order, it reports whether so many messages
	// of a process are missing. nil: none is missing.
	Lacks func(from spec.ID, incarnation uint32, place uint64) bool

	// Links takes account of a message that this incarnation sends to another process. Places are those
	// of the next messages on its links, as Links returned them before, and "" at first. It returns
	// false if the message cannot have been sent there, as its place on the link is that of
	// another. nil: each message of this incarnation is in the capture.
	Links func(places string, to spec.ID, sequence uint64) (then string, ok bool)
	// Known returns the message at a place on a link to this incarnation that the tap will see, or has seen.
	// nil: none is known.
	Known func(from spec.ID, incarnation uint32, place uint64) (content any, known bool)

	// Again says that its process was up before, and knows it: so it recovers. Else an incarnation that is not
	// the first may do so, or not.
	Again bool

	Frontier []*Node
	Failed   bool   // nothing explains what was seen, or will be
	Seen     uint64 // the largest number of a message that the tap has seen

	world    *World
	inbox    inbox
	contents table
	round    int64 // lock step: the last round in which the tap saw it send
}

// Memory is what a process can find when it comes up.
type Memory struct {
	State any
	Left  *Node // the end of the incarnation that left it; nil: there was none, or it leaves nothing
}

// NewIncarnation returns an incarnation of a process that finds one of the given memories.
func (w *World) NewIncarnation(id spec.ID, incarnation uint32, memories []Memory) *Incarnation {
	l := &Incarnation{ID: id, Number: incarnation, world: w}
	switch {
	case w.traits.Handles.Has(spec.Round):
		l.inbox = mailbox{}
	case w.Unordered:
		l.inbox = newBag(l)
	default:
		l.inbox = newOrdered(l)
	}
	for _, m := range memories {
		l.Frontier = append(l.Frontier, &Node{way: way{state: m.State}, Former: m.Left})
	}
	return l
}

func (l *Incarnation) lacks(from spec.ID, incarnation uint32, place uint64) bool {
	return l.world.Gaps && from != l.ID && l.Lacks != nil && l.Lacks(from, incarnation, place)
}

// missed yields what a message that has not passed the tap can have been.
func (l *Incarnation) missed(from spec.ID, incarnation uint32, place uint64, yield func(content any)) {
	if l.Known != nil {
		if content, known := l.Known(from, incarnation, place); known { // only its first packet is missing
			yield(content)
			return
		}
	}
	l.world.hearsay(from, l.ID, yield)
}

// Expect records that an incarnation of a process has sent messages to this incarnation, even
// if none passes the tap.
func (l *Incarnation) Expect(from spec.ID, incarnation uint32) {
	if o, ok := l.inbox.(*ordered); ok {
		o.direction(from, incarnation)
	}
}

// Put records that a message to this incarnation has passed the tap.
func (l *Incarnation) Put(m Message) { l.inbox.put(m) }

// Missing returns the first place up to last on the link from a sender whose message
// has not passed the tap, 0 if all have.
func (l *Incarnation) Missing(from spec.ID, incarnation uint32, last uint64) uint64 {
	if o, ok := l.inbox.(*ordered); ok {
		return o.missing(from, incarnation, last)
	}
	return 0
}

// Alternative is a message that a process could have sent in place of another.
type Alternative struct {
	Send  Send
	After any // the state after that
	Input Input
}

// Sent records that the tap has seen a message of this incarnation for the first time. It
// returns false if nothing explains it, with the messages that the process could have
// sent under that number, and ErrLimit if that is unknown.
func (l *Incarnation) Sent(s Send) (ok bool, instead []Alternative, err error) {
	told := map[Send]bool{}
	l.Seen = max(l.Seen, s.Sequence)
	l.round = max(l.round, s.Round)
	next, err := l.search(search{
		most:  s.Sequence,
		round: l.round,
		goal: func(n *Node) (*Node, bool) {
			if n.sent < s.Sequence {
				return nil, false
			}
			unseen, rest, known := l.contents.removeSend(n.unseen, s.Sequence)
			if known && unseen == s.bare() {
				seen := &Node{way: n.way, Before: n, Input: Input{Seen: true}}
				seen.unseen = rest
				return seen, true
			}
			if known && !told[unseen] && len(instead) < maxAlternatives {
				told[unseen] = true
				instead = append(instead, alternativeAt(n, unseen))
			}
			return nil, true
		},
	})
	if err != nil {
		return false, nil, err
	}
	l.Frontier, l.Failed = next, len(next) == 0
	return !l.Failed, instead, nil
}

const maxAlternatives = 64

// alternativeAt finds the step that sent a message on the way to n.
func alternativeAt(n *Node, s Send) Alternative {
	for n.Before != nil && n.Before.sent >= s.Sequence {
		n = n.Before
	}
	return Alternative{s, n.state, n.Input}
}

// Acknowledged records that this incarnation has acknowledged all messages on a link up to
// one. Our runtime acknowledges messages once it has handed them to the algorithm: each
// is handled, or refused in the present state.
func (l *Incarnation) Acknowledged(from spec.ID, incarnation uint32, last uint64) (ok bool, err error) {
	o, ok := l.inbox.(*ordered)
	if !ok {
		return true, nil
	}
	find := search{
		most:  l.Seen + uint64(l.world.Ahead),
		ahead: true,
		goal: func(n *Node) (*Node, bool) {
			if n.stage != up {
				return nil, false
			}
			reached, place := o.place(n.read, int(from-1))
			if reached > incarnation || reached == incarnation && place >= last {
				return n, true
			}
			refused := l.refuses(n, from)
			return refused, refused != nil
		},
		foresee: l.Future != nil,
	}
	next, err := l.search(find)
	if err == nil && len(next) == 0 && find.foresee { // the fault may lie with a packet to come
		find.foresee = false
		next, err = l.search(find)
	}
	if err != nil {
		return false, err
	}
	l.Frontier, l.Failed = next, len(next) == 0
	return !l.Failed, nil
}

// refuses returns a way on which a process that is up has refused the next message of a sender,
// if its algorithm asks who is up for some answer; nil if it refuses none.
func (l *Incarnation) refuses(n *Node, from spec.ID) (refused *Node) {
	sets := []spec.Set{0}
	if l.world.traits.Oracle {
		sets = l.world.liveSets(l.ID)
	}
	l.inbox.next(n.read, func(m Message, _ string) {
		if m.From != from {
			return
		}
		for _, live := range sets {
			e := spec.Event{Kind: spec.Receive, From: from, Message: m.Content, Live: live}
			if len(l.world.step(l.ID, n.state, e)) == 0 && refused == nil {
				refused = &Node{way: n.way, Before: n, Input: Input{Event: e, Received: m, Refused: true}}
			}
		}
	})
	return refused
}

// Possible returns every present way of the process, if it takes no step that sends
// once it has sent so many messages. It considers so many ways; 0: as many as any search.
func (l *Incarnation) Possible(most uint64, limit int) ([]*Node, error) {
	all := []*Node{}
	_, err := l.search(search{
		most:    most,
		limit:   limit,
		round:   l.round + 1,
		foresee: l.Future != nil,
		every:   true,
		goal: func(n *Node) (*Node, bool) {
			all = append(all, n)
			return nil, false
		},
	})
	return all, err
}

// Memories returns what the process can find if it crashes and comes up again. It has sent at
// least so many messages, and at most so many; it may have sent more only in its last step, of
// which a crash kept them.
func (l *Incarnation) Memories(least, most uint64) (list []Memory, err error) {
	known := map[any]bool{}
	add := func(n *Node) {
		if m := n.memory(l.world.traits); n.sent >= least && !known[m] {
			known[m] = true
			list = append(list, Memory{m, n})
		}
	}
	_, err = l.search(search{
		most:    most + 1,
		round:   l.round + 1,
		foresee: l.Future != nil,
		last: func(n *Node) bool {
			if n.sent > most {
				add(n)
			}
			return n.sent > most
		},
		goal: func(n *Node) (*Node, bool) {
			add(n)
			return nil, false
		},
	})
	return list, err
}

// search takes hidden steps from the frontier.
type search struct {
	steps   *int                                   // steps that may still be tried
	round   int64                                  // lock step: the last round in which it may take part
	goal    func(n *Node) (found *Node, done bool) // done: goes no further; found: is in the result then
	last    func(n *Node) bool                     // true: the search goes no further there; nil: it is never true
	limit   int                                    // ways that it considers; 0: those of the world
	most    uint64                                 // a process that has sent so many messages takes no step that sends
	foresee bool                                   // it sends only what the tap will see
	every   bool                                   // regardless of the world
	ahead   bool                                   // most is what the world says
}

// stepsPerWay is how many steps may be tried for each way that may be considered.
const stepsPerWay = 32

// comparisonsPerStep is how many ways are compared in the time of a step.
const comparisonsPerStep = 8

// allowance is how many steps a search may try.
func (w *World) allowance() int {
	most := stepsPerWay * w.Limit
	if w.Work > 0 {
		most = min(most, w.Work-w.Tried)
	}
	return most
}

// look counts a way that is considered, number i of its search, which considers no more than limit, and may try
// so many steps more.
func (w *World) look(i, limit, left int) error {
	if w.Looked++; i >= limit || left <= 0 {
		return ErrLimit
	}
	if w.Stop != nil && w.Looked%1024 == 1 {
		return w.Stop()
	}
	return nil
}

func (l *Incarnation) search(s search) ([]*Node, error) {
	narrow := l.world.Narrow && !s.every
	visited, result := l.world.newSet(narrow && l.world.Unordered), l.world.newSet(narrow)
	queue := make([]*Node, 0, len(l.Frontier))
	push := func(n *Node) {
		if s.last != nil && s.last(n) {
			return
		}
		if visited.add(n) {
			queue = append(queue, n)
		}
	}
	for _, n := range l.Frontier {
		push(n)
	}
	var found []*Node
	whole, limit := l.world.allowance(), l.world.Limit
	if s.limit > 0 {
		limit = min(limit, s.limit)
	}
	left := whole
	s.steps = &left
	defer func() { l.world.Tried += whole - left }()
	for i := 0; i < len(queue); i++ {
		n := queue[i]
		queue[i] = nil
		if !visited.has(n) {
			continue
		}
		left -= (visited.work + result.work) / comparisonsPerStep
		visited.work, result.work = 0, 0
		if err := l.world.look(i, limit, left); err != nil {
			return nil, fmt.Errorf("process %v, incarnation %d, after %d of its messages: %w", l.ID, l.Number, l.Seen, err)
		}
		next, done := s.goal(n)
		if done {
			if next != nil && result.add(next) {
				found = append(found, next)
			}
			continue
		}
		l.hidden(n, s, push)
	}
	if left <= 0 || l.world.crowded { // the last ways were not taken to their end
		return nil, fmt.Errorf("process %v, incarnation %d, after %d of its messages: %w", l.ID, l.Number, l.Seen, ErrLimit)
	}
	kept := found[:0]
	for _, n := range found {
		if result.has(n) {
			kept = append(kept, n)
		}
	}
	l.world.Peak = max(l.world.Peak, len(kept))
	return kept, nil
}
