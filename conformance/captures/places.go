package captures

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"interleave/impl/wire"
	"interleave/spec"
)

// A link that keeps order has a place for each message, from 1 without gaps. Messages and
// acknowledgements tell which message has which place. So a message that is missing was sent on a
// link only if a place is free for it there: between those of the messages before and behind it.

// at returns the number of the message at a place, by a message or an acknowledgement; 0: it is not
// known.
func (fl *flow) at(place uint64) uint64 {
	if number := fl.places[place]; number > 0 {
		return number
	}
	return fl.acks[place]
}

// placeOf returns the place of a message, likewise.
func (fl *flow) placeOf(number uint64) uint64 {
	if place := fl.links[number]; place > 0 {
		return place
	}
	return fl.ackPlaces[number]
}

// misfit returns why a message cannot have a place on its link; "" if it can.
func (fl *flow) misfit(number, place uint64) string {
	if place > number {
		return fmt.Sprintf("it has place %d on its link, and is message %d of its process at all", place, number)
	}
	if other := fl.at(place); other > 0 && other != number {
		return fmt.Sprintf("its place %d on the link is that of message %d", place, other)
	}
	if other := fl.placeOf(number); other > 0 && other != place {
		return fmt.Sprintf("its place on the link is %d, and an acknowledgement says that it is %d", place, other)
	}
	if m := fl.at(place - 1); m > number {
		return fmt.Sprintf("the place before it on the link has message %d, which was sent later", m)
	}
	if m := fl.at(place + 1); m > 0 && m < number {
		return fmt.Sprintf("the place behind it on the link has message %d, which was sent before", m)
	}
	return ""
}

// put gives a message its place on its link, and returns why it cannot have it; "" if it can.
func (fl *flow) put(f wire.Frame) string {
	if f.Link == 0 {
		return ""
	}
	reason := fl.misfit(f.Sequence, f.Link)
	if _, taken := fl.places[f.Link]; !taken && f.Link <= f.Sequence {
		fl.places[f.Link] = f.Sequence
	}
	return reason
}

// fromStart reports whether a direction has all that its sender had for its receiver: it spoke to no incarnation
// of it before.
func (t *traffic) fromStart(d direction) bool {
	if d.to.number == 1 { // there was none
		return true
	}
	met := d.to.number // the first incarnation to which anything went
	for e, fl := range t.flows {
		if e.from == d.from && e.to.id == d.to.id && fl.used && e.to.number > 0 {
			met = min(met, e.to.number)
		}
	}
	return met == d.to.number
}

// outLinks keeps account of the places on the links from an incarnation of which messages are missing.
type outLinks struct {
	traffic *traffic
	of      incarnation
	links   []outLink
}

// outLink is a link from an incarnation, with the messages on it that are known.
type outLink struct {
	*flow
	to    incarnation
	last  uint64 // the largest number of them
	start bool   // the link has all that the incarnation sent to its receiver, from the first message on
}

// maxLine is how many messages wait for a process in our runtime. Of more than that, some may
// have been given up.
const maxLine = 4096

// outLinksOf returns nil if no message of an incarnation is missing: then every place is known anyway. More
// is set if any packet may be missing.
func outLinksOf(t *traffic, me incarnation, more bool) *outLinks {
	v := t.senders[me]
	if t.unordered || v == nil || v.last == uint64(len(v.messages)) || v.last > maxLine {
		return nil
	}
	o := &outLinks{traffic: t, of: me}
	for d, fl := range t.flows {
		if d.from != me || len(fl.links)+len(fl.ackPlaces) == 0 {
			continue
		}
		link := outLink{flow: fl, to: d.to, start: d.to.number == 1 || !more && t.fromStart(d)}
		for _, places := range []map[uint64]uint64{fl.links, fl.ackPlaces} {
			for number := range places {
				link.last = max(link.last, number)
			}
		}
		o.links = append(o.links, link)
	}
	slices.SortFunc(o.links, func(a, b outLink) int {
		return cmp.Or(cmp.Compare(a.to.id, b.to.id), cmp.Compare(a.to.number, b.to.number))
	})
	return o
}

// send takes account of a message to a process. Next has the place of the next message on each link, 0
// where it is not known; it is empty before the first message. It returns false if the message cannot
// have been sent there: the place that it would have is that of another.
func (o *outLinks) send(next string, to spec.ID, number uint64) (then string, ok bool) {
	b := make([]byte, 8*len(o.links))
	copy(b, next)
	for i, link := range o.links {
		at := b[8*i : 8*i+8]
		if next == "" && link.start {
			binary.BigEndian.PutUint64(at, 1)
		}
		place := link.placeOf(number)
		if link.to.id != to {
			if place > 0 {
				return "", false
			}
			continue
		}
		free, ok := o.behind(link, number, place, binary.BigEndian.Uint64(at))
		if !ok {
			return "", false
		}
		binary.BigEndian.PutUint64(at, free)
	}
	return string(b), true
}

// behind returns the place behind that of a message, whose own place is known from packets (0: it is
// not), and would be the next.
func (o *outLinks) behind(link outLink, number, place, next uint64) (free uint64, ok bool) {
	switch {
	case place > 0:
		return place + 1, next == 0 || next == place
	case next == 0, number > link.last, o.traffic.message(o.of, number) != nil: // it may be for a later incarnation
		return 0, true
	}
	return next + 1, link.at(next) == 0
}
