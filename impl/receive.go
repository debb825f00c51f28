package impl

import (
	"time"

	"interleave/impl/runlog"
	"interleave/impl/transport"
	"interleave/impl/wire"
)

// packet handles what arrived. It trusts nothing about it, and checks in this order: its bytes,
// its run and receiver, the algorithm and settings of its sender, and the incarnation of its sender.
func (n *Node) packet(p transport.Packet) {
	if n.failed != nil {
		return
	}
	n.source = p.From
	defer func() { n.source = "" }()
	if p.Err != nil {
		n.drop(transport.Label(p.Err))
		return
	}
	f, err := wire.Parse(p.Bytes, n.config.Key)
	if err != nil {
		n.drop(wire.Label(err))
		return
	}
	from := n.peers[f.From]
	switch {
	case f.Run != n.config.Run:
		n.drop("run")
	case f.To != n.config.ID || from == nil:
		n.drop("misaddressed")
	case f.Kind == wire.Refuse:
		n.refusedBy(from, f)
	case f.Algorithm != n.traits.Name || f.Shape != n.codec.Shape():
		n.stranger(from, f)
	case n.agrees(from, f) && n.current(from, f):
		n.frameFrom(from, f)
	}
}

// frameFrom handles a frame that passed these checks.
func (n *Node) frameFrom(p *peer, f wire.Frame) {
	now := time.Now()
	switch f.Kind {
	case wire.Data:
		if !n.data(p, f) {
			return
		}
		if f.Incarnation == p.To {
			n.heard(p, now)
		}
		n.pump()
	case wire.Ack:
		if !p.Acknowledged(f.Link, now) {
			n.drop("malformed")
			return
		}
		n.flush(p)
	case wire.Heartbeat, wire.Hello:
		if !p.Said(f, now) {
			n.drop("copied")
			return
		}
		n.heard(p, now)
	}
}

// data handles a message; false if it is not a new one.
func (n *Node) data(p *peer, f wire.Frame) bool {
	if n.fifo != (f.Link > 0) {
		n.drop("not of this transport")
		return false
	}
	if !n.fifo {
		if reason := p.Datagram(f); reason != "" {
			n.drop(reason)
			return false
		}
		n.message(f)
		return true
	}
	if len(n.waiting) >= maxWaiting { // not acknowledged, so it comes again
		n.drop("inbox full")
		return false
	}
	frames, reason := p.Arrived(f)
	if reason != "" {
		n.drop(reason)
	}
	for _, f := range frames {
		n.message(f)
	}
	return reason == ""
}

func (n *Node) message(f wire.Frame) {
	m, err := n.codec.Decode(f.Body)
	if err != nil {
		n.drop(wire.Label(err))
		return
	}
	n.arrive(delivery{name: runlog.Name{From: f.From, Incarnation: f.Incarnation, Sequence: f.Sequence}, message: m, sent: f.Sent})
}
