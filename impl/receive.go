package impl

import (
	"fmt"
	"net"
	"strings"
	"time"

	"interleave/impl/wire"
)

// drop counts a packet that is not heeded, and says so at most once a minute for
// each reason and sender. Over TCP each connection has a port of its own, so
// there only the host tells senders apart.
func (n *Node) drop(reason string) {
	n.counts.dropped[reason]++
	from := n.source
	if _, stream := n.config.Transport.(*TCP); stream {
		from, _, _ = net.SplitHostPort(from)
	}
	count, due := n.dropLines.count(reason+" "+from, time.Minute)
	if !due {
		return
	}
	about := []any{"reason", reason}
	if from != "" {
		about = append(about, "from", from)
	}
	if count > 1 {
		about = append(about, "times", count)
	}
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

// plainly says what the less plain reasons for dropping mean.
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
}

// packet takes in what arrived. Everything about it is doubted, in this order:
// its bytes, where it belongs, what its sender speaks, and when that lived.
func (n *Node) packet(p Packet) {
	if n.failed != nil {
		return
	}
	n.source = p.From
	defer func() { n.source = "" }()
	if p.Err != nil {
		n.drop(wire.Label(p.Err))
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
		n.refusedBy(from, string(f.Body))
	case f.Algorithm != n.traits.Name || f.Shape != n.codec.Shape():
		n.stranger(from, f)
	case n.agrees(from, f) && n.current(from, f):
		n.frameFrom(from, f)
	}
}

// stranger takes in a frame of another algorithm or shape.
func (n *Node) stranger(p *peer, f wire.Frame) {
	n.drop("shape")
	why := fmt.Sprintf("process %v runs %s, and process %v runs %s: start both with the same algorithm", p.id, f.Algorithm, n.config.ID, n.traits.Name)
	if f.Algorithm == n.traits.Name {
		why = fmt.Sprintf("processes %v and %v both run %s, but their messages differ in shape (%#x and %#x): start both with the same version of it",
			p.id, n.config.ID, f.Algorithm, f.Shape, n.codec.Shape())
	}
	n.refuse(p, f, why)
}

// refuse tells a peer why we do not understand each other.
func (n *Node) refuse(p *peer, f wire.Frame, why string) {
	why = strings.ToValidUTF8(why[:min(len(why), wire.MaxBody)], "")
	n.estranged(p, why)
	if f.Kind != wire.Hello && f.Kind != wire.Heartbeat {
		return
	}
	answer := n.frame(wire.Refuse, p.id)
	answer.Body = []byte(why)
	n.transmit(answer)
}

// refusedBy takes in that a peer refuses to speak with us.
func (n *Node) refusedBy(p *peer, why string) {
	n.drop("refused")
	if p.refused == "" {
		n.estranged(p, "refused by it: "+why)
	}
}

func (n *Node) estranged(p *peer, why string) {
	if p.refused != why {
		n.config.Logger.Error("does not speak with a peer", "peer", int(p.id), "why", why)
	}
	p.refused = why
}

// current reports whether a frame is of the present life of its sender, and for the
// present life of this process. It takes in that a peer has come up anew.
func (n *Node) current(p *peer, f wire.Frame) bool {
	switch {
	case f.Incarnation == 0:
		n.drop("malformed")
		return false
	case f.Acked > n.incarnation:
		n.drop("later life")
		n.estranged(p, fmt.Sprintf("process %v has heard incarnation %d of this process, which is now %d: its stable storage was lost, or was not used always: start all processes with another run, or this one with its storage",
			p.id, f.Acked, n.incarnation))
		return false
	case f.Incarnation < p.link.peer:
		if n.fifo || f.Kind != wire.Data {
			n.drop("former life")
			if f.Kind == wire.Hello { // perhaps it does not know that it lived before
				n.say(wire.Hello, p)
			}
			return false
		}
	case f.Incarnation > p.link.peer && f.Kind != wire.Hello: // only a hello says whether the settings agree
		n.drop("unknown life")
		n.say(wire.Hello, p)
		return false
	case f.Incarnation > p.link.peer:
		n.comesUp(p, f.Incarnation)
	}
	if f.Acked == n.incarnation {
		p.met = true
		return true
	}
	if f.Kind == wire.Hello {
		return true
	}
	n.drop("former life")
	n.say(wire.Hello, p)
	return false
}

// comesUp takes in a new incarnation of a peer.
func (n *Node) comesUp(p *peer, incarnation uint32) {
	n.giveUp(p.link.renew(incarnation), fmt.Sprintf("process %v went down", p.id))
	p.lives.begin(incarnation)
	p.met, p.said, p.last, p.owed, p.refused = false, 0, 0, false, ""
	n.config.Logger.Info("meets", "peer", int(p.id), "incarnation", incarnation)
	n.say(wire.Hello, p) // before any message: what comes without it is not heard
	n.flush(p)
}

// frameFrom takes in a frame that is what it should be.
func (n *Node) frameFrom(p *peer, f wire.Frame) {
	now := time.Now()
	switch f.Kind {
	case wire.Data:
		if !n.data(p, f) {
			return
		}
		if f.Incarnation == p.link.peer {
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
		if f.Sent <= p.said {
			n.drop("copied")
			return
		}
		p.said = f.Sent
		if f.Acked != n.incarnation { // it does not know this process yet, or no longer
			n.say(wire.Hello, p)
		}
		n.heard(p, now)
	}
}

// data takes in a message; false if it is none that is new.
func (n *Node) data(p *peer, f wire.Frame) bool {
	if n.fifo != (f.Link > 0) {
		n.drop("not of this transport")
		return false
	}
	if !n.fifo {
		switch h := p.lives.of(f.Incarnation); {
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
		p.last = f.Sequence
		n.message(f)
	}
	p.owed = p.last > 0
	return fresh
}

func (n *Node) message(f wire.Frame) {
	m, err := n.codec.Decode(f.Body)
	if err != nil {
		n.drop(wire.Label(err))
		return
	}
	n.arrive(delivery{name: Name{f.From, f.Incarnation, f.Sequence}, message: m, sent: f.Sent})
}

// acknowledge tells peers how far their messages have come.
func (n *Node) acknowledge() {
	for _, id := range n.ids {
		p := n.peers[id]
		if !p.owed {
			continue
		}
		p.owed = false
		f := n.frame(wire.Ack, id)
		f.Sequence, f.Link = p.last, p.link.expected-1
		n.transmit(f)
	}
}

// flush puts on their way what waits for a peer, as far as the window allows.
// On bare datagrams there is no window, and nobody remembers what was sent.
func (n *Node) flush(p *peer) {
	if n.fifo {
		for _, f := range p.link.ready(time.Now()) {
			n.transmit(f)
		}
		return
	}
	if p.link.peer == 0 {
		return
	}
	for _, m := range p.link.queue {
		m.frame.Acked = p.link.peer
		n.transmit(m.frame)
	}
	p.link.queue = nil
}

// resend sends again what was not acknowledged for too long.
func (n *Node) resend(p *peer, now time.Time) {
	for _, f := range p.link.due(now) {
		n.counts.resent++
		n.transmit(f)
	}
}

// transmit hands a frame to the transport. If that cannot send it, the frame is
// lost, as on any network.
func (n *Node) transmit(f wire.Frame) {
	b, err := f.Append(n.buffer[:0], n.config.Key)
	if err != nil {
		n.fail(err)
		return
	}
	n.buffer = b
	n.counts.frames++
	if err := n.config.Transport.Send(f.To, b); err != nil {
		reason := lossReason(err)
		if n.counts.lost[reason]++; n.counts.lost[reason] == 1 {
			n.config.Logger.Warn("cannot send", "peer", int(f.To), "reason", reason, "error", err.Error())
		}
	}
}

// giveUp writes down that messages will never be sent again.
func (n *Node) giveUp(lost []Name, why string) {
	if len(lost) == 0 {
		return
	}
	n.counts.givenUp += uint64(len(lost))
	n.write(&Record{Line: LineLost, Lost: lost, Reason: why})
}
