package impl

import (
	"net"
	"time"

	"interleave/impl/runlog"
	"interleave/impl/transport"
	"interleave/impl/wire"
)

// drop counts a packet that is ignored, and logs that at most once a minute for each
// reason and sender. Over TCP each connection has a separate port, so a sender is known
// by its host only.
func (n *Node) drop(reason string) {
	n.counts.dropped[reason]++
	from := n.source
	if _, stream := n.config.Transport.(*transport.TCP); stream {
		from, _, _ = net.SplitHostPort(from)
	}
	times, due := n.lines.drops.due(reason+" "+from, time.Minute)
	if !due {
		return
	}
	about := []any{"reason", reason}
	if from != "" {
		about = append(about, "from", from)
	}
	about = append(about, times...)
	if plain := plainly[reason]; plain != "" {
		about = append(about, "it_is", plain)
	}
	if ordinary[reason] {
		n.config.Logger.Info("drops packets", about...)
		return
	}
	n.config.Logger.Warn("drops packets", about...)
}

// ordinary are the reasons that need nobody's attention: networks copy, and
// processes come back.
var ordinary = map[string]bool{"copied": true, "too early": true, "former life": true, "unknown life": true}

// plainly explains the less obvious reasons for dropping.
var plainly = map[string]string{
	"foreign":               "from another program",
	"version":               "of another version of the frames",
	"mac":                   "signed with another key, or only one of the two has a key",
	"run":                   "of another run: start both with the same --run",
	"misaddressed":          "not for this process, or from none of its peers: the lists of peers differ",
	"shape":                 "of another algorithm, or another version of it",
	"settings":              "from a process with other settings",
	"not of this transport": "from a process that runs with --datagrams, or this one does",
	"inbox full":            "more than this process can take in",
	"silent":                "a connection over which no frame came",
	"crowded out":           "a connection closed to make room: there are more than peers need",
}

// packet handles what arrived. It trusts nothing about it, and checks in this order: its bytes,
// its run and receiver, the algorithm and settings of its sender, and the life of its sender.
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
		if f.Incarnation == p.link.incarnation {
			n.heard(p, now)
		}
		n.pump()
	case wire.Ack:
		if !p.link.acknowledged(f.Link, now) {
			n.drop("malformed")
			return
		}
		n.flush(p)
	case wire.Heartbeat, wire.Hello:
		if f.Sent <= p.saidAt {
			n.drop("copied")
			return
		}
		p.saidAt = min(f.Sent, now.UnixNano()) // or a frame from the future would make copies of all that follow
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
		switch h := p.received.of(f.Incarnation); {
		case h == nil:
			n.drop("former life")
			return false
		case !h.add(f.Sequence):
			n.drop("copied")
			return false
		}
		n.message(f)
		return true
	}
	if len(n.waiting) >= maxWaiting { // not acknowledged, so it comes again
		n.drop("inbox full")
		return false
	}
	ahead := f.Link >= p.link.expected+window
	frames, fresh := p.link.arrived(f)
	switch {
	case ahead:
		n.drop("too early")
	case !fresh:
		n.drop("copied")
	}
	for _, f := range frames {
		p.lastInOrder = f.Sequence
		n.message(f)
	}
	p.ackOwed = p.lastInOrder > 0
	return fresh
}

func (n *Node) message(f wire.Frame) {
	m, err := n.codec.Decode(f.Body)
	if err != nil {
		n.drop(wire.Label(err))
		return
	}
	n.arrive(delivery{name: runlog.Name{From: f.From, Incarnation: f.Incarnation, Sequence: f.Sequence}, message: m, sent: f.Sent})
}

// acknowledge tells peers which of their messages the machine has handled, or refuses for now
// with those behind them: its log says so. In lock step they have arrived. A process that has
// not come up, or has to end, acknowledges nothing.
func (n *Node) acknowledge() {
	if n.up.IsZero() || n.failed != nil {
		return
	}
	for _, id := range n.ids {
		p := n.peers[id]
		if !p.ackOwed {
			continue
		}
		p.ackOwed = false
		f := n.frame(wire.Ack, id)
		f.Sequence, f.Link = p.lastInOrder, p.link.expected-1
		n.transmit(f)
	}
}

// flush sends the messages that wait for a peer, as far as the window allows. On bare datagrams
// there is no window, and nothing is kept to be sent again.
func (n *Node) flush(p *peer) {
	for _, l := range p.links() {
		switch {
		case n.fifo:
			for _, f := range l.ready(time.Now()) {
				n.transmit(f)
			}
		case l.incarnation > 0:
			for _, m := range l.queue {
				m.frame.Acked = l.incarnation
				n.transmit(m.frame)
				l.sent = m.frame.Sequence
			}
			l.queue = nil
		}
	}
}

// resend sends again what was not acknowledged for too long.
func (n *Node) resend(p *peer, now time.Time) {
	for _, l := range p.links() {
		for _, f := range l.due(now) {
			n.counts.resent++
			n.transmit(f)
		}
	}
}

// transmit passes a frame to the transport. If that cannot send it, the frame is lost,
// as on any network.
func (n *Node) transmit(f wire.Frame) {
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

// giveUp logs that messages will never be sent again.
func (n *Node) giveUp(lost []runlog.Name, why string) {
	if len(lost) == 0 {
		return
	}
	n.counts.givenUp += uint64(len(lost))
	n.write(&runlog.Record{Line: runlog.LineLost, Lost: lost, Reason: why})
}
