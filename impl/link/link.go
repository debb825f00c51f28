package link

import (
	"math"
	"slices"
	"time"

	"interleave/impl/runlog"
	"interleave/impl/wire"
)

// Window bounds the messages on their way on one link, and those kept that came too early.
const Window = 64

// windowBytes bounds the bytes on their way, which may all be sent again, if there is more than one message.
const windowBytes = 1 << 20

// maxQueue bounds the messages that wait for the window, or for the peer to be there.
const maxQueue = 4096

// Link is the two directions between this process and a peer, for one pair of incarnations
// of the two. It numbers the messages that it sends from 1, sends them again until they are
// acknowledged, and hands on each message that it receives once, in the order of the numbers.
type Link struct {
	To    uint32 // incarnation of the peer; 0: never met, and until then everything waits
	heard uint32 // the latest incarnation in any frame, which may be made up

	// out
	queue       []message     // not sent yet
	flight      []message     // sent and not acknowledged; its last has the number next-1
	next        uint64        // number of the message that is sent next
	sent        uint64        // sequence of the last message that was sent
	resendAt    time.Time     // when the flight is sent again; zero: it is empty
	wait        time.Duration // for that: firstWait, then twice as long each time, up to longestWait
	firstWait   time.Duration
	longestWait time.Duration

	// in
	expected uint64 // number of the message that is handed on next
	early    map[uint64]wire.Frame
}

// message is a data frame on its way; its Link and Acked are filled in when it
// is sent first.
type message struct {
	frame wire.Frame
	heard uint32 // as of the link when it was pushed
	first uint32 // the incarnation that a successor of the link sent it to first
	taken bool   // it is from a former link, which still has it
}

func (m message) name() runlog.Name {
	return runlog.Name{From: m.frame.From, Incarnation: m.frame.Incarnation, Sequence: m.frame.Sequence}
}

// newLink returns a link to a peer that was not heard yet. If delta bounds a
// delay then several copies fit into it, should the first be lost.
func newLink(delta time.Duration) *Link {
	return &Link{firstWait: max(delta/8, time.Millisecond), longestWait: 8 * delta, next: 1, expected: 1}
}

// push puts a message in line. If the line is full, the oldest message that was never sent is
// given up, and returned.
func (l *Link) push(f wire.Frame) (lost []runlog.Name) {
	if len(l.queue) == maxQueue {
		lost = append(lost, l.queue[0].name())
		l.queue = l.queue[1:]
	}
	l.queue = append(l.queue, message{frame: f, heard: l.heard, first: math.MaxUint32})
	return lost
}

// Ready returns the frames of the line that may be sent now.
func (l *Link) Ready(now time.Time) []wire.Frame {
	if l.To == 0 {
		return nil
	}
	n, bytes := 0, 0
	for _, m := range l.flight {
		bytes += len(m.frame.Body)
	}
	for len(l.flight)+n < Window && n < len(l.queue) && (bytes == 0 || bytes+len(l.queue[n].frame.Body) <= windowBytes) {
		bytes += len(l.queue[n].frame.Body)
		n++
	}
	if n == 0 {
		return nil
	}
	frames := make([]wire.Frame, 0, n)
	for _, m := range l.queue[:n] {
		m.frame.Link, m.frame.Acked = l.next, l.To
		l.next++
		l.sent = m.frame.Sequence
		l.flight = append(l.flight, m)
		frames = append(frames, m.frame)
	}
	l.queue = l.queue[n:]
	if len(l.queue) == 0 {
		l.queue = nil // so that the array does not grow forever
	}
	if l.resendAt.IsZero() {
		l.Rewind(now)
	}
	return frames
}

// Rewind has the flight sent again after the first wait.
func (l *Link) Rewind(now time.Time) {
	l.wait = l.firstWait
	l.resendAt = now.Add(l.wait)
}

// Drain returns the frames of the line for bare datagrams, which have no window. None is
// kept to be sent again.
func (l *Link) Drain() []wire.Frame {
	if l.To == 0 {
		return nil
	}
	frames := make([]wire.Frame, 0, len(l.queue))
	for _, m := range l.queue {
		m.frame.Acked = l.To
		l.sent = m.frame.Sequence
		frames = append(frames, m.frame)
	}
	l.queue = nil
	return frames
}

// ResendAt returns when the flight is sent again; zero: nothing is in flight.
func (l *Link) ResendAt() time.Time { return l.resendAt }

// Unsent returns how many messages wait.
func (l *Link) Unsent() int { return len(l.queue) }

// InFlight returns how many messages were sent and are not acknowledged.
func (l *Link) InFlight() int { return len(l.flight) }

// Due returns the frames to be sent again, because they were not acknowledged for too long.
// Each time it waits twice as long.
func (l *Link) Due(now time.Time) []wire.Frame {
	if l.resendAt.IsZero() || now.Before(l.resendAt) {
		return nil
	}
	l.wait = min(2*l.wait, l.longestWait)
	l.resendAt = now.Add(l.wait)
	frames := make([]wire.Frame, len(l.flight))
	for i, m := range l.flight {
		frames[i] = m.frame
	}
	return frames
}

// Acknowledged records that all messages up to a number have arrived. It returns false
// if no such message was ever sent.
func (l *Link) Acknowledged(number uint64, now time.Time) bool {
	if number >= l.next {
		return false
	}
	first := l.next - uint64(len(l.flight))
	if number < first {
		return true
	}
	l.flight = append([]message(nil), l.flight[number-first+1:]...)
	l.resendAt = time.Time{}
	if len(l.flight) > 0 {
		l.Rewind(now)
	}
	return true
}

// arrived takes a data frame, and returns the messages that can be handed on now, in order.
// It returns false for a copy, and for a frame that is too far ahead.
func (l *Link) arrived(f wire.Frame) (inOrder []wire.Frame, fresh bool) {
	switch {
	case f.Link < l.expected || f.Link >= l.expected+Window:
		return nil, false
	case f.Link > l.expected:
		if _, copied := l.early[f.Link]; copied {
			return nil, false
		}
		if l.early == nil {
			l.early = map[uint64]wire.Frame{}
		}
		l.early[f.Link] = f
		return nil, true
	}
	for ok := true; ok; f, ok = l.early[l.expected] {
		delete(l.early, l.expected)
		inOrder = append(inOrder, f)
		l.expected++
	}
	return inOrder, true
}

// successor returns the link to a later incarnation of the peer. It does not take over
// messages for the former one, since nobody knows which of them arrived. It takes over, in
// copies, what was pushed since the later one was first heard of; and if none was met before,
// every message that was sent to no earlier one.
func (l *Link) successor(incarnation uint32) *Link {
	next := &Link{To: incarnation, heard: l.heard, firstWait: l.firstWait, longestWait: l.longestWait, next: 1, expected: 1}
	for _, m := range l.left() {
		if l.passesOn(m, incarnation) {
			m.taken = true
			next.queue = append(next.queue, m)
		}
	}
	return next
}

// passesOn reports whether a message that is not acknowledged is for a later incarnation as well.
func (l *Link) passesOn(m message, incarnation uint32) bool {
	return m.heard >= incarnation || l.To == 0 && m.first >= incarnation
}

// left returns the messages that are not acknowledged, oldest first.
func (l *Link) left() []message { return slices.Concat(l.flight, l.queue) }

// lost returns the messages that no later incarnation gets, if there is one.
func (l *Link) lost(later uint32) (lost []runlog.Name) {
	for _, m := range l.left() {
		if !l.passesOn(m, later) {
			lost = append(lost, m.name())
		}
	}
	return lost
}

// takeBack puts in line what a successor was to send, if its incarnation turns out to be made
// up, or to be over as well. What the successor has sent may have arrived.
func (l *Link) takeBack(successor *Link) {
	for _, m := range successor.left() {
		if !m.taken {
			l.queue = append(l.queue, m)
		}
	}
	for i := range l.queue {
		if m := &l.queue[i]; m.frame.Sequence <= successor.sent && m.first == math.MaxUint32 {
			m.first = successor.To
		}
	}
}
