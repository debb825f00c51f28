package impl

import (
	"time"

	"interleave/impl/runlog"
	"interleave/impl/wire"
)

// lives is what a node knows of the lives of a peer; a life is one incarnation of it. The
// present life is the latest that has proved that it is there. Beside it there may be one
// other:
//
//	unproven  a later life, of which the node has heard without proof. What is sent to the
//	          present life is sent to it, too.
//	former    the life before the present one, while the proof of that may be made up. It
//	          is brought back if that was so.
//
//	                hearOf            meet               settle
//	present alone --------> unproven ------> former ------> present alone
//	                                           |  bringBack
//	                                           +----------> former alone, which is present again
//
// A life that is met without being heard of before has a former one, too. While there is a
// former life, no other becomes the unproven one. What a proof is, is said in meet.go. lives
// has neither clock nor socket: its owner has both.
type lives struct {
	life
	unproven *link // nil: there is none
	former   *life // nil: there is none
}

// life is what a node knows of one life of a peer.
type life struct {
	link        *link
	provedAt    time.Time // when it gave the proof that it is there
	signs       int       // of life, since then
	knowsUs     bool      // it knows the present life of this process
	refused     string    // why one of the two refuses the other; empty: neither does
	saidAt      int64     // runlog.Sent of its last heartbeat or hello
	ackOwed     bool      // this process owes it an acknowledgement
	lastInOrder uint64    // sequence of the last message that came in order
	received    histories // which numbers were received, on bare datagrams
}

// hearOf records that a frame names a later life, without proof. Unless that frame is old,
// the life becomes the unproven one.
func (l *lives) hearOf(incarnation uint32, old bool) {
	if incarnation <= max(l.link.incarnation, l.link.heard) {
		return
	}
	l.link.heard = incarnation
	l.forgo()
	if l.former == nil && !old {
		l.unproven = l.link.successor(incarnation)
	}
}

// meet makes a later life the present one, which has given the proof.
func (l *lives) meet(incarnation uint32, now time.Time) {
	next := l.unproven
	if next != nil && next.incarnation != incarnation {
		next = nil
		l.forgo()
	}
	l.unproven = nil
	if l.former == nil {
		before := l.life
		l.former = &before
	} else {
		l.former.link.takeBack(l.link)
	}
	if next == nil {
		next = l.former.link.successor(incarnation)
	}
	l.life = life{link: next, provedAt: now, knowsUs: true, received: l.received}
	l.received.begin(incarnation)
}

// settle counts a sign of life. Once the present life cannot be made up, which is known from
// its second sign, or from the first if frames are signed, the former one is over. It returns
// the messages that are given up with that.
func (l *lives) settle(signed bool) (lost []runlog.Name) {
	if l.signs++; l.former == nil || l.signs < 2 && !signed {
		return nil
	}
	lost = l.former.link.lost(l.link.incarnation)
	l.former = nil
	return lost
}

// bringBack makes the former life the present one again.
func (l *lives) bringBack() {
	l.former.link.takeBack(l.link)
	l.life, l.former = *l.former, nil
}

// forgo drops the unproven life.
func (l *lives) forgo() {
	if l.unproven != nil {
		l.link.takeBack(l.unproven)
		l.unproven = nil
	}
}

// push puts a message in line for the present life, and for the unproven one. It returns the
// messages that are given up to make room.
func (l *lives) push(f wire.Frame) (lost []runlog.Name) {
	lost = l.link.push(f)
	if l.unproven != nil {
		l.unproven.push(f)
		l.unproven.queue[len(l.unproven.queue)-1].taken = true
	}
	return lost
}

// links returns the link to the present life, and that to the unproven one.
func (l *lives) links() []*link {
	if l.unproven == nil {
		return []*link{l.link}
	}
	return []*link{l.link, l.unproven}
}
