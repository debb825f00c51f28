package impl

import (
	"fmt"
	"strings"
	"time"

	"interleave/impl/wire"
)

// How two processes meet, of which each may come back any number of times.
//
// A frame that names the present incarnation of this process was written since
// that began, and is no recording of what a peer said to a former one. Nothing
// else is a sign that the peer is up. So a hello that does not name it is answered
// by one that names the life it speaks of, to which what waits, and what is said
// from then on, goes as well: no other life takes that, and nothing is given up for it. If
// the peer is there it answers, with the proof. Only then is the former life
// over, and what was for it given up. So is what went to a life of which no proof
// came and that is over as well, for it may have arrived.
//
// A hello that is older than delta is answered, and nothing goes along: what is
// sent now would be given up for the recording of a life that ended long ago.
//
// A key vouches for the proof. Without one somebody may have made it up; so
// until a life was heard twice what was before it is kept, and comes back if an
// earlier life goes on to speak while the later one is silent.

// question is a hello without the proof.
type question struct {
	incarnation uint32
	sent        int64
}

// current reports whether a frame is of the present life of its sender, and for the
// present life of this process. It takes in that a peer has come up anew.
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
	case f.Incarnation < p.link.peer && (n.fifo || f.Kind != wire.Data):
		n.drop("former life")
		if hello { // perhaps it does not know that it lived before
			n.sayTo(wire.Hello, p, p.link.peer)
		}
	case !proof && hello:
		n.answer(p, question{f.Incarnation, f.Sent})
	case !proof:
		n.drop("former life")
		n.say(wire.Hello, p)
	case f.Incarnation > p.link.peer && !hello && f.Incarnation != p.asked.incarnation: // only a hello says whether the settings agree
		n.drop("unknown life")
		n.say(wire.Hello, p)
	case f.Incarnation > p.link.peer:
		n.comesUp(p, f.Incarnation)
		return true
	default:
		p.met = true
		return true
	}
	return false
}

// answer answers a hello that may be a recording, once.
func (n *Node) answer(p *peer, q question) {
	if q.incarnation == p.asked.incarnation && q.sent <= p.asked.sent || q.incarnation == p.link.peer && q.sent <= p.said {
		n.drop("copied")
		return
	}
	p.asked = question{q.incarnation, min(q.sent, time.Now().UnixNano())}
	if q.incarnation > max(p.link.peer, p.link.heard) {
		p.link.heard = q.incarnation
		p.forgo()
		if age := time.Now().UnixNano() - q.sent; p.former == nil && age <= int64(n.config.Delta) {
			p.next = p.link.successor(q.incarnation)
		}
	}
	n.sayTo(wire.Hello, p, q.incarnation) // before any message: what comes without it is not heard
	n.flush(p)
}

// comesUp takes in a new life of a peer.
func (n *Node) comesUp(p *peer, incarnation uint32) {
	next := p.next
	if next != nil && next.peer != incarnation {
		next = nil
		p.forgo()
	}
	p.next = nil
	if p.former == nil {
		before := *p
		p.former = &before
	} else {
		p.former.link.takeBack(p.link)
	}
	if next == nil {
		next = p.former.link.successor(incarnation)
	}
	p.link = next
	p.lives.begin(incarnation)
	p.came = time.Now()
	p.met, p.signs, p.said, p.last, p.owed, p.refused = true, 0, 0, 0, false, ""
	if count, due := n.peerLines.count(fmt.Sprint("meets ", p.id), time.Second); due {
		about := []any{"peer", int(p.id), "incarnation", incarnation}
		if count > 1 {
			about = append(about, "times", count)
		}
		n.config.Logger.Info("meets", about...)
	}
	n.say(wire.Hello, p)
	n.flush(p)
}

// settle counts a sign of life of a peer. If that is not made up, its former
// life is over.
func (n *Node) settle(p *peer) {
	if p.signs++; p.former == nil || p.signs < 2 && n.config.Key == nil {
		return
	}
	n.giveUp(p.former.link.lost(p.link.peer), fmt.Sprintf("process %v went down", p.id))
	p.former = nil
}

// goBack takes back that a peer came up, if that was heard once and never again
// while a life before it speaks: what it said before it went down, if it did, was
// sent earlier.
func (n *Node) goBack(p *peer, f wire.Frame) {
	if p.former == nil || !p.suspected || f.Incarnation >= p.link.peer || f.Sent <= p.came.Add(n.config.Delta).UnixNano() {
		return
	}
	if _, due := n.peerLines.count(fmt.Sprint("made up ", p.id), time.Second); due {
		n.config.Logger.Warn("an incarnation of a peer was made up, or said one thing only", "peer", int(p.id), "incarnation", p.link.peer)
	}
	before := p.former
	before.link.takeBack(p.link)
	before.suspected, before.reported, before.deadline, before.life = true, p.reported, p.deadline, before.link.peer
	before.told, before.asked = p.told, p.asked
	*p = *before
}

// push puts a message in line for a peer, and for the life that it may be in.
// It returns what is given up for that.
func (p *peer) push(f wire.Frame) (lost []Name) {
	lost = p.link.push(f)
	if p.next != nil {
		p.next.push(f)
		p.next.queue[len(p.next.queue)-1].taken = true
	}
	return lost
}

// forgo takes in that the life that a peer may be in is another, or none.
func (p *peer) forgo() {
	if p.next != nil {
		p.link.takeBack(p.next)
		p.next = nil
	}
}

// links returns the link to a peer, and that to the life that it may be in.
func (p *peer) links() []*link {
	if p.next == nil {
		return []*link{p.link}
	}
	return []*link{p.link, p.next}
}

// stranger takes in a frame of another algorithm or shape.
func (n *Node) stranger(p *peer, f wire.Frame) {
	n.drop("shape")
	why := fmt.Sprintf("process %v runs %s, and process %v runs %s: start both with the same algorithm", p.id, f.Algorithm, n.config.ID, n.traits.Name)
	if f.Algorithm == n.traits.Name {
		why = fmt.Sprintf("processes %v and %v both run %s, but their messages differ in shape (%#x and %#x): start both with the same version of it",
			p.id, n.config.ID, f.Algorithm, f.Shape, n.codec.Shape())
	}
	n.refuse(p, f, "shape", why)
}

// refuse tells a peer why we do not understand each other.
func (n *Node) refuse(p *peer, f wire.Frame, reason, why string) {
	why = strings.ToValidUTF8(why[:min(len(why), wire.MaxBody)], "")
	n.estranged(p, reason, why)
	if f.Kind != wire.Hello && f.Kind != wire.Heartbeat {
		return
	}
	answer := n.frame(wire.Refuse, p.id)
	answer.Acked, answer.Body = f.Incarnation, []byte(why)
	n.transmit(answer)
}

// refusedBy takes in that a peer refuses to speak with this life of the
// process.
func (n *Node) refusedBy(p *peer, f wire.Frame) {
	if f.Acked != n.incarnation {
		n.drop("former life")
		return
	}
	n.drop("refused")
	if p.refused == "" {
		n.estranged(p, "refused", "refused by it: "+string(f.Body))
	}
}

// estranged takes in that this process and a peer do not speak, for a reason in
// one word and in a sentence.
func (n *Node) estranged(p *peer, reason, why string) {
	if p.refused == why {
		return
	}
	p.refused = why
	if _, due := n.peerLines.count(reason+" "+p.id.String(), time.Minute); due {
		n.config.Logger.Error("does not speak with a peer", "peer", int(p.id), "why", why)
	}
}
