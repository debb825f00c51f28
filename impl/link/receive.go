package link

import "interleave/impl/wire"

// Arrived takes a message on the link from the present incarnation. It returns the messages
// that can be handed on now, in order, or why the frame is ignored.
func (p *Peer) Arrived(f wire.Frame) (inOrder []wire.Frame, drop string) {
	ahead := f.Link >= p.expected+Window
	inOrder, fresh := p.arrived(f)
	switch {
	case ahead:
		drop = "too early"
	case !fresh:
		drop = "copied"
	}
	for _, f := range inOrder {
		p.lastInOrder = f.Sequence
	}
	p.ackOwed = p.lastInOrder > 0
	return inOrder, drop
}

// Datagram takes a message that came without a link. It returns why it is ignored; "" if it is
// not.
func (p *Peer) Datagram(f wire.Frame) (drop string) {
	switch w := p.received.of(f.Incarnation); {
	case w == nil:
		return "former life"
	case !w.add(f.Sequence):
		return "copied"
	}
	return ""
}

// TakeAck returns the acknowledgement that is owed to the peer, by the sequence and the place
// of the last message that came in order; false: none is.
func (p *Peer) TakeAck() (sequence, place uint64, owed bool) {
	owed, p.ackOwed = p.ackOwed, false
	return p.lastInOrder, p.expected - 1, owed
}

// Expected returns the place on the link of the next message in order, from 1.
func (p *Peer) Expected() uint64 { return p.expected }
