package frontier

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"interleave/spec"
)

// Message is a message that was sent to a process.
type Message struct {
	From        spec.ID
	Incarnation uint32 // of the sender
	Sequence    uint64 // counts all messages of the sender in that incarnation
	Link        uint64 // place on the link, from 1; unordered: 0
	Content     any
	Round       int64 // lock step: the round in which it is read
}

// inbox has all messages that were sent to an incarnation so far. How far it was read is part
// of each way, as a string: where links keep order, the incarnation and the place of
// the last message read from each sender; otherwise, how many messages of each class
// were read.
type inbox interface {
	put(m Message)
	// next yields each message that can be read next, and how far the inbox is read
	// then.
	next(read string, yield func(m Message, then string))
}

// ordered is the inbox of links that keep order.
type ordered struct {
	of    *Incarnation
	links [][]direction // by sender, in the order of its incarnations
}

// direction has the messages of one incarnation of a sender, by place.
type direction struct {
	incarnation uint32
	messages    map[uint64]Message
	whole       uint64 // every place up to this has one
}

func newOrdered(l *Incarnation) *ordered { return &ordered{l, make([][]direction, len(l.world.Ring))} }

func (o *ordered) put(m Message) {
	d := o.direction(m.From, m.Incarnation)
	d.messages[m.Link] = m
	for _, ok := d.messages[d.whole+1]; ok; _, ok = d.messages[d.whole+1] {
		d.whole++
	}
}

// direction returns the messages of an incarnation of a process.
func (o *ordered) direction(from spec.ID, incarnation uint32) *direction {
	link := &o.links[from-1]
	i, known := slices.BinarySearchFunc(*link, incarnation, func(d direction, k uint32) int { return cmp.Compare(d.incarnation, k) })
	if !known {
		*link = slices.Insert(*link, i, direction{incarnation, map[uint64]Message{}, 0})
	}
	return &(*link)[i]
}

// next: a message follows the one before it on the link, or is the first of a later
// incarnation of its sender.
func (o *ordered) next(read string, yield func(Message, string)) {
	for i, link := range o.links {
		incarnation, place := o.place(read, i)
		for _, d := range link {
			at := uint64(0)
			switch {
			case d.incarnation < incarnation:
				continue
			case d.incarnation == incarnation:
				at = place
			}
			then := o.with(read, i, d.incarnation, at+1)
			if m, ok := d.messages[at+1]; ok {
				yield(m, then)
			} else if from := spec.ID(i + 1); o.of.lacks(from, d.incarnation, at+1) {
				o.of.missed(from, d.incarnation, at+1, func(content any) {
					yield(Message{From: from, Incarnation: d.incarnation, Link: at + 1, Content: content}, then)
				})
			}
		}
	}
}

// place returns the message that was read last of the sender with index i.
func (o *ordered) place(read string, i int) (incarnation uint32, place uint64) {
	if read == "" {
		return 0, 0
	}
	b := []byte(read[8*i : 8*i+8])
	return binary.BigEndian.Uint32(b), uint64(binary.BigEndian.Uint32(b[4:]))
}

func (o *ordered) with(read string, i int, incarnation uint32, place uint64) string {
	b := make([]byte, 8*len(o.links))
	copy(b, read)
	binary.BigEndian.PutUint32(b[8*i:], incarnation)
	binary.BigEndian.PutUint32(b[8*i+4:], uint32(place))
	return string(b)
}

// missing returns the first place up to last that has no message, 0 if all have one.
func (o *ordered) missing(from spec.ID, incarnation uint32, last uint64) uint64 {
	whole := uint64(0)
	for _, d := range o.links[from-1] {
		if d.incarnation == incarnation {
			whole = d.whole
		}
	}
	if whole < last {
		return whole + 1
	}
	return 0
}

// bag is an inbox of messages that may overtake each other or be lost. Equal messages
// of one sender are a class: which of them is read makes no difference.
type bag struct {
	of      *Incarnation
	index   map[class]int
	classes [][]Message
}

type class struct {
	from    spec.ID
	content any
}

func newBag(l *Incarnation) *bag {
	b := &bag{of: l, index: map[class]int{}}
	if l.world.Gaps { // a class of each sender for messages that were not seen
		b.classes = make([][]Message, len(l.world.Ring))
	}
	return b
}

func (b *bag) put(m Message) {
	c := class{m.From, m.Content}
	i, known := b.index[c]
	if !known {
		i = len(b.classes)
		b.index[c], b.classes = i, append(b.classes, nil)
	}
	b.classes[i] = append(b.classes[i], m)
}

func (b *bag) next(read string, yield func(Message, string)) {
	for i, messages := range b.classes {
		n, from := count(read, i), spec.ID(i+1)
		switch {
		case b.of.world.Gaps && i < len(b.of.world.Ring):
			if b.of.lacks(from, 0, uint64(n)+1) {
				b.of.world.hearsay(from, b.of.ID, func(content any) {
					yield(Message{From: from, Content: content}, withCount(read, i, n+1))
				})
			}
		case b.of.world.Duplicates:
			yield(messages[0], read)
		case n < len(messages):
			yield(messages[n], withCount(read, i, n+1))
		}
	}
}

// count returns the number with index i of a list that may be shorter.
func count(list string, i int) int {
	if 4*i >= len(list) {
		return 0
	}
	return int(binary.BigEndian.Uint32([]byte(list[4*i:])))
}

func withCount(list string, i, n int) string {
	b := make([]byte, max(len(list), 4*i+4))
	copy(b, list)
	binary.BigEndian.PutUint32(b[4*i:], uint32(n))
	return string(b)
}

// fewer reports whether no number of list a is greater than that of list b.
func fewer(a, b string) bool {
	if a == b || a == "" {
		return true
	}
	if len(a) > len(b) && strings.Trim(a[len(b):], "\x00") != "" {
		return false
	}
	for i := range min(len(a), len(b)) / 4 {
		if a[4*i:4*i+4] > b[4*i:4*i+4] {
			return false
		}
	}
	return true
}
