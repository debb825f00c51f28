package impl

import (
	"time"

	"interleave/impl/link"
	"interleave/impl/transport"
	"interleave/impl/wire"
	"interleave/spec"
)

// network is the other processes, and what goes out to them.
type network struct {
	journal
	codec    *wire.Codec
	fifo     bool   // links keep order and lose nothing
	settings string // what peers must have in common with this process
	peers    map[spec.ID]*peer
	ids      []spec.ID // of the peers, in ascending order
	buffer   []byte
}

// peer is what a node knows of another process.
type peer struct {
	id spec.ID
	*link.Peer

	// The failure detector.
	deadline      time.Time // when its silence becomes suspicious
	suspected     bool
	suspectedLife uint32 // its incarnation when it was suspected
	reported      bool   // the machine was told that it is suspected
}

// frame returns a frame without its contents.
func (n *network) frame(kind wire.Kind, to spec.ID) wire.Frame {
	h := wire.Header{
		Kind: kind, Algorithm: n.traits.Name, Shape: n.codec.Shape(), Run: n.config.Run,
		From: n.config.ID, To: to, Incarnation: n.incarnation, Sent: time.Now().UnixNano(),
	}
	if p := n.peers[to]; p != nil {
		h.Acked = p.To
	}
	f := wire.Frame{Header: h}
	if kind == wire.Hello {
		f.Body = []byte(n.settings)
	}
	return f
}

// live returns the processes that are not suspected, this one among them.
func (n *network) live() spec.Set {
	live := spec.SetOf(n.config.ID)
	for _, id := range n.ids {
		if !n.peers[id].suspected {
			live = live.With(id)
		}
	}
	return live
}

// known reports whether every peer knows this incarnation of the process.
func (n *network) known() bool {
	for _, p := range n.peers {
		if !p.KnowsUs {
			return false
		}
	}
	return true
}

// say sends a heartbeat or a hello. No two to the same peer have the same time, so that
// the peer can recognise a copy.
func (n *network) say(kind wire.Kind, p *peer) { n.sayTo(kind, p, p.To) }

// sayTo sends a heartbeat or a hello to one incarnation of a peer.
func (n *network) sayTo(kind wire.Kind, p *peer, incarnation uint32) {
	f := n.frame(kind, p.id)
	f.Acked = incarnation
	f.Sent = p.Stamp(f.Sent)
	n.transmit(f)
}

// flush sends the messages that wait for a peer, as far as the window allows. On bare datagrams
// there is no window, and nothing is kept to be sent again.
func (n *network) flush(p *peer) {
	for _, l := range p.Links() {
		frames := l.Drain
		if n.fifo {
			frames = func() []wire.Frame { return l.Ready(time.Now()) }
		}
		for _, f := range frames() {
			n.transmit(f)
		}
	}
}

// resend sends again what was not acknowledged for too long.
func (n *network) resend(p *peer, now time.Time) {
	for _, l := range p.Links() {
		for _, f := range l.Due(now) {
			n.counts.resent++
			n.transmit(f)
		}
	}
}

// acknowledge tells peers which of their messages the machine has handled, or refuses for now
// with those behind them: its log says so. In lock step they have arrived. A process that has
// not come up, or has to end, acknowledges nothing.
func (n *network) acknowledge() {
	if n.up.IsZero() || n.failed != nil {
		return
	}
	for _, id := range n.ids {
		if sequence, place, owed := n.peers[id].TakeAck(); owed {
			f := n.frame(wire.Ack, id)
			f.Sequence, f.Link = sequence, place
			n.transmit(f)
		}
	}
}

// transmit passes a frame to the transport. If that cannot send it, the frame is lost,
// as on any network.
func (n *network) transmit(f wire.Frame) {
	b, err := f.Append(n.buffer[:0], n.config.Key)
	if err != nil {
		n.fail(err)
		return
	}
	n.buffer = b
	n.counts.frames++
	if err := n.config.Transport.Send(f.To, b); err != nil {
		reason := transport.LossReason(err)
		if n.counts.lost[reason]++; n.counts.lost[reason] == 1 {
			n.config.Logger.Warn("cannot send", "peer", int(f.To), "reason", reason, "error", err.Error())
		}
	}
}
