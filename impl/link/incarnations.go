package link

import (
	"time"

	"interleave/impl/runlog"
	"interleave/impl/wire"
)

// Peer is what a process knows of the incarnations of another one. The present incarnation is
// the latest that has proved that it is there. Beside it there may be one other:
//
//	unproven  a later incarnation, heard of without proof. What is sent to the present
//	          one is sent to it, too.
//	former    the incarnation before the present one, while the proof of that may be made
//	          up. It is brought back if that was so.
//
//	                hearOf            meet               Alive
//	present alone --------> unproven ------> former ------> present alone
//	                                           |  bringBack
//	                                           +----------> former alone, which is present again
//
// An incarnation that is met without being heard of before has a former one, too. While there
// is a former one, no other becomes the unproven one. handshake.go says what a proof is. A Peer
// has neither clock nor socket: its owner has both.
type Peer struct {
	Incarnation              // the present one
	unproven    *Link        // nil: there is none
	former      *Incarnation // nil: there is none
	asked       question     // its last hello without the proof
	stamped     int64        // Sent of the last heartbeat or hello to it
}

// NewPeer returns a peer that was not heard yet. If delta bounds a delay then several copies
// of a message fit into it, should the first be lost.
func NewPeer(delta time.Duration) *Peer {
	return &Peer{Incarnation: Incarnation{Link: newLink(delta)}}
}

// Incarnation is what a process knows of one incarnation of a peer.
type Incarnation struct {
	*Link
	KnowsUs bool   // it knows the present incarnation of this process
	Refused string // why one of the two refuses the other; empty: neither does

	provedAt    time.Time     // when it gave the proof that it is there
	signs       int           // of incarnation, since then
	saidAt      int64         // Sent of its last heartbeat or hello
	ackOwed     bool          // this process owes it an acknowledgement
	lastInOrder uint64        // sequence of the last message that came in order
	received    replayWindows // which numbers were received, on bare datagrams
}

// hearOf records that a frame names a later incarnation, without proof. Unless that frame is
// old, that becomes the unproven one.
func (p *Peer) hearOf(incarnation uint32, old bool) {
	if incarnation <= max(p.To, p.heard) {
		return
	}
	p.heard = incarnation
	p.forgo()
	if p.former == nil && !old {
		p.unproven = p.successor(incarnation)
	}
}

// meet makes a later incarnation the present one, which has given the proof.
func (p *Peer) meet(incarnation uint32, now time.Time) {
	next := p.unproven
	if next != nil && next.To != incarnation {
		next = nil
		p.forgo()
	}
	p.unproven = nil
	if p.former == nil {
		before := p.Incarnation
		p.former = &before
	} else {
		p.former.takeBack(p.Link)
	}
	if next == nil {
		next = p.former.successor(incarnation)
	}
	p.Incarnation = Incarnation{Link: next, provedAt: now, KnowsUs: true, received: p.received}
	p.received.begin(incarnation)
}

// Alive counts a sign of life, and forgets that the peer was refused. Once the present
// incarnation cannot be made up, which is known from its second sign, or from the first if
// frames are signed, the former one is over. It returns the messages that are given up with
// that.
func (p *Peer) Alive(signed bool) (lost []runlog.Name) {
	p.Refused = ""
	if p.signs++; p.former == nil || p.signs < 2 && !signed {
		return nil
	}
	lost = p.former.lost(p.To)
	p.former = nil
	return lost
}

// bringBack makes the former incarnation the present one again.
func (p *Peer) bringBack() {
	p.former.takeBack(p.Link)
	p.Incarnation, p.former = *p.former, nil
}

// forgo drops the unproven incarnation.
func (p *Peer) forgo() {
	if p.unproven != nil {
		p.takeBack(p.unproven)
		p.unproven = nil
	}
}

// Push puts a message in line for the present incarnation, and for the unproven one. It returns
// the messages that are given up to make room.
func (p *Peer) Push(f wire.Frame) (lost []runlog.Name) {
	lost = p.push(f)
	if p.unproven != nil {
		p.unproven.push(f)
		p.unproven.queue[len(p.unproven.queue)-1].taken = true
	}
	return lost
}

// Links returns the link to the present incarnation, and that to the unproven one.
func (p *Peer) Links() []*Link {
	if p.unproven == nil {
		return []*Link{p.Link}
	}
	return []*Link{p.Link, p.unproven}
}
