package impl

import (
	"fmt"
	"strings"
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
	case f.Incarnation < p.link.life && (n.fifo || f.Kind != wire.Data):
		n.drop("former life")
		if hello { // perhaps it does not know that it lived before
			n.sayTo(wire.Hello, p, p.link.life)
		}
	case !proof && hello:
		n.answer(p, question{f.Incarnation, f.Sent})
	case !proof:
		n.drop("former life")
		n.say(wire.Hello, p)
	case f.Incarnation > p.link.life && !hello && f.Incarnation != p.asked.incarnation: // only a hello says whether the settings agree
		n.drop("unknown life")
		n.say(wire.Hello, p)
	case f.Incarnation > p.link.life:
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
	if q.incarnation == p.asked.incarnation && q.sent <= p.asked.sent || q.incarnation == p.link.life && q.sent <= p.saidAt {
		n.drop("copied")
		return
	}
	p.asked = question{q.incarnation, min(q.sent, time.Now().UnixNano())}
	if q.incarnation > max(p.link.life, p.link.heard) {
		p.link.heard = q.incarnation
		p.forgo()
		if age := time.Now().UnixNano() - q.sent; p.former == nil && age <= int64(n.config.Delta) {
			p.unproven = p.link.successor(q.incarnation)
		}
	}
	n.sayTo(wire.Hello, p, q.incarnation) // before any message: what comes without it is not heard
	n.flush(p)
}

// comesUp begins a new life of a peer.
func (n *Node) comesUp(p *peer, incarnation uint32) {
	next := p.unproven
	if next != nil && next.life != incarnation {
		next = nil
		p.forgo()
	}
	p.unproven = nil
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
	p.cameUp = time.Now()
	p.knowsUs, p.signsOfLife, p.saidAt, p.lastInOrder, p.ackOwed, p.refused = true, 0, 0, 0, false, ""
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

// settle counts a sign of life of a peer. Once its present life cannot be made up, its former
// life is over.
func (n *Node) settle(p *peer) {
	if p.signsOfLife++; p.former == nil || p.signsOfLife < 2 && n.config.Key == nil {
		return
	}
	n.giveUp(p.former.link.lost(p.link.life), fmt.Sprintf("process %v went down", p.id))
	p.former = nil
}

// goBack takes back that a peer came up, if its new life was heard once and never again, and
// an earlier one now speaks. A frame that the earlier life sent before it went down is too old
// to count.
func (n *Node) goBack(p *peer, f wire.Frame) {
	if p.former == nil || !p.suspected || f.Incarnation >= p.link.life || f.Sent <= p.cameUp.Add(n.config.Delta).UnixNano() {
		return
	}
	if _, due := n.peerLines.count(fmt.Sprint("made up ", p.id), time.Second); due {
		n.config.Logger.Warn("an incarnation of a peer was made up, or said one thing only", "peer", int(p.id), "incarnation", p.link.life)
	}
	before := p.former
	before.link.takeBack(p.link)
	before.suspected, before.reported, before.deadline, before.suspectedLife = true, p.reported, p.deadline, before.link.life
	before.toldAt, before.asked = p.toldAt, p.asked
	*p = *before
}

// push puts a message in line for the present life of a peer, and for the unproven one. It
// returns the messages that are given up to make room.
func (p *peer) push(f wire.Frame) (lost []Name) {
	lost = p.link.push(f)
	if p.unproven != nil {
		p.unproven.push(f)
		p.unproven.queue[len(p.unproven.queue)-1].taken = true
	}
	return lost
}

// forgo drops the unproven life of a peer.
func (p *peer) forgo() {
	if p.unproven != nil {
		p.link.takeBack(p.unproven)
		p.unproven = nil
	}
}

// links returns the link to the present life of a peer, and that to the unproven one.
func (p *peer) links() []*link {
	if p.unproven == nil {
		return []*link{p.link}
	}
	return []*link{p.link, p.unproven}
}

// stranger answers a frame of another algorithm or shape.
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

// refusedBy notes that a peer refuses to speak with this life of the process.
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

// estranged notes that this process and a peer do not speak, and why, in one word and in a
// sentence.
func (n *Node) estranged(p *peer, reason, why string) {
	if p.refused == why {
		return
	}
	p.refused = why
	if _, due := n.peerLines.count(reason+" "+p.id.String(), time.Minute); due {
		n.config.Logger.Error("does not speak with a peer", "peer", int(p.id), "why", why)
	}
}
