package logs

import (
	"fmt"

	"interleave/impl/runlog"
	"interleave/spec"
)

// link has the messages from one process to another, possibly to itself.
type link struct {
	pending map[runlog.Name]sent // not handled yet in the lines read so far
	queue   []runlog.Name        // messages in flight and some more, oldest first; only if links keep order
	copies  map[runlog.Name]sent // handled; only if a message may be handled again
	handled map[uint32]bits      // sequences, by incarnation of the sender
	skipped map[uint32]bits      // sequences that can never be handled any more
	last    runlog.Name          // handled last
	heard   uint32               // incarnation of the receiver when it handled that
}

// sent is a message that a step sent.
type sent struct {
	kind  string
	text  []byte
	value any
	round int64 // in which it was sent, 0 outside of lock step
}

// bits is a set of small numbers.
type bits []uint64

func (b bits) has(n uint64) bool { return n/64 < uint64(len(b)) && b[n/64]>>(n%64)&1 == 1 }

func (b bits) with(n uint64) bits {
	for n/64 >= uint64(len(b)) {
		b = append(b, 0)
	}
	b[n/64] |= 1 << (n % 64)
	return b
}

// mark adds a message to those of a set.
func mark(set map[uint32]bits, name runlog.Name) {
	set[name.Incarnation] = set[name.Incarnation].with(name.Sequence)
}

func newLink() *link {
	return &link{pending: map[runlog.Name]sent{}, copies: map[runlog.Name]sent{}, handled: map[uint32]bits{}, skipped: map[uint32]bits{}}
}

// push records a message that was sent.
func (l *link) push(name runlog.Name, s sent, ordered bool) {
	l.pending[name] = s
	if ordered {
		l.queue = append(l.queue, name)
	}
}

// skip forgets the messages before one on a link that keeps order, since they can never
// be handled now, and returns how many of them were never handled.
func (l *link) skip(name runlog.Name) (skipped int) {
	for len(l.queue) > 0 && l.queue[0].Compare(name) <= 0 {
		first := l.queue[0]
		if _, ok := l.pending[first]; ok && first != name {
			delete(l.pending, first)
			mark(l.skipped, first)
			skipped++
		}
		l.queue = l.queue[1:]
	}
	return skipped
}

// take marks a message as handled by an incarnation of its receiver.
func (l *link) take(name runlog.Name, s sent, by uint32, keep bool) {
	delete(l.pending, name)
	mark(l.handled, name)
	if keep {
		l.copies[name] = s
	}
	if name.Compare(l.last) > 0 {
		l.last = name
	}
	l.heard = by
}

// find returns the message of a name that was sent to a process and not handled yet, or one that
// is handled once more; or the reason why there is none. So far so many messages were handled once
// more, and most is how many may be.
func (ls links) find(to spec.ID, name runlog.Name, soFar, most int) (s sent, copied bool, reason string) {
	l := ls.between(name.From, to)
	if s, ok := l.pending[name]; ok {
		return s, false, ""
	}
	s, copied = l.copies[name]
	switch {
	case copied && (soFar < most || most == Any):
		return s, true, ""
	case l.handled[name.Incarnation].has(name.Sequence):
		return s, true, fmt.Sprintf("the message has been handled before, and no more than %d may be handled again", most)
	case l.skipped[name.Incarnation].has(name.Sequence):
		return s, false, fmt.Sprintf("process %v has handled a message of process %v that was sent after this one, and links keep order", to, name.From)
	}
	for q := range spec.UpTo(ls.n).Without(to).All() {
		other := ls.between(name.From, q)
		if _, ok := other.pending[name]; ok || other.handled[name.Incarnation].has(name.Sequence) {
			return s, false, fmt.Sprintf("the message was sent to process %v, not to process %v", q, to)
		}
	}
	return s, false, fmt.Sprintf("process %v sent no message of this name", name.From)
}

// links are those between all processes of a run.
type links struct {
	n   int // processes
	all []*link
}

func newLinks(n int) links {
	ls := links{n: n}
	for range n * n {
		ls.all = append(ls.all, newLink())
	}
	return ls
}

// between returns the link from a process to another.
func (ls links) between(from, to spec.ID) *link { return ls.all[int(from-1)*ls.n+int(to-1)] }
