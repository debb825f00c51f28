package link

import (
	"time"

	"interleave/impl/wire"
)

// How two processes meet, each of which may come back any number of times.
//
// A frame that names the present incarnation of this process was written after that began, so
// it is no recording of what the peer said to a former one. Such a frame is the proof that the
// peer is up; nothing else is.
//
// A hello without the proof is answered by a hello that names the incarnation it speaks of. The
// messages that wait, and those that follow, are also sent to that one: no other accepts them,
// and nothing is given up for it. If the peer is there, it answers with the proof. Only then is
// its former incarnation over, and the messages for that are given up. So are messages to one
// that never gave the proof and is over too, as they may have arrived. incarnations.go keeps
// which of them is which.
//
// A hello that is older than delta is answered, but no messages go along: they would be given
// up if the hello were a recording of an incarnation that ended long ago.
//
// With a key, the proof cannot be made up. Without one it may be; so what was known before an
// incarnation is kept until that was heard twice, and comes back if an earlier one goes on to
// speak while the later one is silent.

// Self is what a handshake asks of the process itself.
type Self struct {
	Incarnation uint32
	Ordered     bool          // links keep order, and lose nothing
	Delta       time.Duration // the longest that a message takes
}

// Heard is what a frame of a peer means for the handshake. The owner of the peer acts on its
// fields in their order.
type Heard struct {
	MadeUp  uint32 // this incarnation of the peer was taken back: it was made up, or said one thing only
	Drop    string // why the frame is ignored, in one word or two; empty: it is not
	Met     bool   // a new incarnation of the peer has proved that it is there
	Hello   bool   // a hello is due, before any message: what comes without it is not heard
	To      uint32 // the incarnation that the hello names
	Flush   bool   // messages may be sent that have waited
	Current bool   // the frame is from the present incarnation of the peer, for the present one of this process
}

// LaterLife is the reason to drop a frame that names an incarnation which this process has not
// reached: it has forgotten that it lived.
const LaterLife = "later life"

// question is a hello without the proof.
type question struct {
	incarnation uint32
	sent        int64
}

// Hear takes in the incarnations that a frame of the peer names. It notices when the peer has
// come up again, and takes that back if an earlier incarnation goes on to speak while the later
// one is suspected.
func (p *Peer) Hear(f wire.Frame, me Self, suspected bool, now time.Time) (h Heard) {
	h.MadeUp = p.goBack(f, me.Delta, suspected)
	proof, hello := f.Acked == me.Incarnation, f.Kind == wire.Hello
	h.To = p.To
	switch {
	case f.Incarnation == 0:
		h.Drop = "malformed"
	case f.Acked > me.Incarnation:
		h.Drop = LaterLife
	case f.Incarnation < p.To && (me.Ordered || f.Kind != wire.Data):
		h.Drop, h.Hello = "former life", hello // perhaps it does not know that it lived before
	case !proof && hello:
		p.answer(&h, question{f.Incarnation, f.Sent}, me.Delta, now)
	case !proof:
		h.Drop, h.Hello = "former life", true
	case f.Incarnation > p.To && !hello && f.Incarnation != p.asked.incarnation: // only a hello says whether the settings agree
		h.Drop, h.Hello = "unknown life", true
	case f.Incarnation > p.To:
		p.meet(f.Incarnation, now)
		h.Met, h.Hello, h.To, h.Flush, h.Current = true, true, p.To, true, true
	default:
		p.KnowsUs, h.Current = true, true
	}
	return h
}

// answer answers a hello that may be a recording, once.
func (p *Peer) answer(h *Heard, q question, delta time.Duration, now time.Time) {
	if q.incarnation == p.asked.incarnation && q.sent <= p.asked.sent || q.incarnation == p.To && q.sent <= p.saidAt {
		h.Drop = "copied"
		return
	}
	p.asked = question{q.incarnation, min(q.sent, now.UnixNano())}
	p.hearOf(q.incarnation, now.UnixNano()-q.sent > int64(delta))
	h.Hello, h.To, h.Flush = true, q.incarnation, true
}

// goBack takes back that the peer came up, if its new incarnation was heard once and never
// again, and an earlier one now speaks. A frame that the earlier one sent before it went down
// is too old to count. It returns the incarnation that was made up; 0: none.
func (p *Peer) goBack(f wire.Frame, delta time.Duration, suspected bool) (madeUp uint32) {
	if p.former == nil || !suspected || f.Incarnation >= p.To || f.Sent <= p.provedAt.Add(delta).UnixNano() {
		return 0
	}
	madeUp = p.To
	p.bringBack()
	return madeUp
}

// Stamp returns when a heartbeat or hello to the peer says that it was sent. No two have the
// same time, so that the peer can recognise a copy.
func (p *Peer) Stamp(now int64) int64 {
	p.stamped = max(now, p.stamped+1)
	return p.stamped
}

// Said takes in a heartbeat or hello, and reports whether it is new.
func (p *Peer) Said(f wire.Frame, now time.Time) bool {
	if f.Sent <= p.saidAt {
		return false
	}
	p.saidAt = min(f.Sent, now.UnixNano()) // or a frame from the future would make copies of all that follow
	return true
}
