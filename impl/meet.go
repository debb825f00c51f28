package impl

import (
	"fmt"
	"time"

	"interleave/impl/wire"
)

// How two processes meet, each of which may come back any number of times.
//
// A life of a process is one incarnation of it. A frame that names the present incarnation
// of this process was written after that began, so it is no recording of what the peer said
// to a former one. Such a frame is the proof that the peer is up; nothing else is.
//
// A hello without the proof is answered by a hello that names the life it speaks of. The
// messages that wait, and those that follow, are also sent to that life: no other life
// accepts them, and nothing is given up for it. If the peer is there, it answers with the
// proof. Only then is its former life over, and the messages for that are given up. So are
// messages to a life that never gave the proof and is over too, as they may have arrived.
// Which of these lives is which is kept in lives.go.
//
// A hello that is older than delta is answered, but no messages go along: they would be
// given up if the hello were a recording of a life that ended long ago.
//
// With a key, the proof cannot be made up. Without one it may be; so what was known before a
// life is kept until that life was heard twice, and comes back if an earlier life goes on to
// speak while the later one is silent.

// question is a hello without the proof.
type question struct {
	incarnation uint32
	sent        int64
}

// current reports whether a frame is from the present life of its sender, and for the
// present life of this process. It notices when a peer has come up again.
func (n *Node) current(p *peer, f wire.Frame) bool {
	n.goBack(p, f)
	proof, hello := f.Acked == n.incarnation, f.Kind == wire.Hello
	switch {
	case f.Incarnation == 0:
		n.drop("malformed")
	case f.Acked > n.incarnation:
		n.drop("later life")
		n.estranged(p, "later life", fmt.Sprintf("process %v has heard incarnation %d of this process, which is now %d: its stable storage was lost, or was not used always: start all processes with another run, or this one with its storage",
			p.id, f.Acked, n.incarnation))
	case f.Incarnation < p.link.incarnation && (n.fifo || f.Kind != wire.Data):
		n.drop("former life")
		if hello { // perhaps it does not know that it lived before
			n.sayTo(wire.Hello, p, p.link.incarnation)
		}
	case !proof && hello:
		n.answer(p, question{f.Incarnation, f.Sent})
	case !proof:
		n.drop("former life")
		n.say(wire.Hello, p)
	case f.Incarnation > p.link.incarnation && !hello && f.Incarnation != p.asked.incarnation: // only a hello says whether the settings agree
		n.drop("unknown life")
		n.say(wire.Hello, p)
	case f.Incarnation > p.link.incarnation:
		n.comesUp(p, f.Incarnation)
		return true
	default:
		p.knowsUs = true
		return true
	}
	return false
}

// answer answers a hello that may be a recording, once.
func (n *Node) answer(p *peer, q question) {
	if q.incarnation == p.asked.incarnation && q.sent <= p.asked.sent || q.incarnation == p.link.incarnation && q.sent <= p.saidAt {
		n.drop("copied")
		return
	}
	p.asked = question{q.incarnation, min(q.sent, time.Now().UnixNano())}
	p.hearOf(q.incarnation, time.Now().UnixNano()-q.sent > int64(n.config.Delta))
	n.sayTo(wire.Hello, p, q.incarnation) // before any message: what comes without it is not heard
	n.flush(p)
}

// comesUp begins a new life of a peer.
func (n *Node) comesUp(p *peer, incarnation uint32) {
	p.meet(incarnation, time.Now())
	if times, due := n.lines.peers.due(fmt.Sprint("meets ", p.id), time.Second); due {
		about := []any{"peer", int(p.id), "incarnation", incarnation}
		n.config.Logger.Info("meets", append(about, times...)...)
	}
	n.say(wire.Hello, p)
	n.flush(p)
}

// goBack takes back that a peer came up, if its new life was heard once and never again, and
// an earlier one now speaks. A frame that the earlier life sent before it went down is too old
// to count.
func (n *Node) goBack(p *peer, f wire.Frame) {
	if p.former == nil || !p.suspected || f.Incarnation >= p.link.incarnation || f.Sent <= p.provedAt.Add(n.config.Delta).UnixNano() {
		return
	}
	if _, due := n.lines.peers.due(fmt.Sprint("made up ", p.id), time.Second); due {
		n.config.Logger.Warn("an incarnation of a peer was made up, or said one thing only", "peer", int(p.id), "incarnation", p.link.incarnation)
	}
	p.bringBack()
	p.suspectedLife = p.link.incarnation
}
