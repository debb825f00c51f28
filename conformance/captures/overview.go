package captures

import (
	"interleave/conformance/frontier"
	"interleave/impl/capture"
	"interleave/spec"
)

// overview is what is known of a capture before it is checked packet by packet: which
// messages it has, and which are missing.
type overview struct {
	whole *traffic           // all of a scene
	there *traffic           // what is checked, which may be a part of it, or differ from it
	more  bool               // messages may be missing that no other packet tells of
	lacks map[spec.ID]uint64 // messages of each process that are missing, by later numbers
}

func newOverview(s *context, packets []capture.Packet, o Options) *overview {
	out := &overview{whole: s.whole, there: readTraffic(s, o, packets), more: !o.evident, lacks: map[spec.ID]uint64{}}
	for name, v := range s.whole.senders {
		there := 0
		if v := out.there.senders[name]; v != nil {
			there = len(v.messages)
		}
		out.lacks[name.id] += v.last - uint64(there)
	}
	return out
}

// moreMissing is how many messages may be missing at the end of a link that keeps
// order, if the options say so.
const moreMissing = 4

// inform gives an incarnation what is known of the packets to come.
func (o *overview) inform(l *frontier.Incarnation) {
	me := incarnation{l.ID, l.Number}
	l.Expects = func(sequence uint64) bool { return o.there.message(me, sequence) != nil }
	l.Future = func(sequence uint64) (frontier.Send, bool) {
		m := o.there.message(me, sequence)
		if m == nil {
			return frontier.Send{}, false
		}
		return frontier.Send{Sequence: sequence, To: m.frame.To, Content: m.content}, true
	}
	if links := outLinksOf(o.there, me, o.more); links != nil {
		l.Links = links.send
	}
	l.Known = func(from spec.ID, number uint32, at uint64) (any, bool) {
		sender := incarnation{from, number}
		fl := o.there.flows[direction{sender, me}]
		if fl == nil || fl.places[at] == 0 {
			return nil, false
		}
		return o.there.message(sender, fl.places[at]).content, true
	}
	l.Lacks = func(from spec.ID, number uint32, at uint64) bool {
		if o.whole.unordered {
			return o.more || at <= o.lacks[from]
		}
		d := direction{incarnation{from, number}, me}
		top := o.whole.top(d)
		if o.more {
			top += moreMissing
		}
		// With more, a message may also have been handled before its first copy in the
		// capture.
		return at <= top && (o.more || !o.there.has(d, at))
	}
	for from := range o.whole.senders {
		if o.more && from.id != l.ID && from.number > 1 {
			l.Expect(from.id, from.number-1)
		}
		if o.more && from.id != l.ID || o.whole.top(direction{from, me}) > 0 {
			l.Expect(from.id, from.number)
		}
	}
}

// missing returns how many frames are missing, by other packets, because they were seen behind
// the network only, or because only a part of them was captured.
func (o *overview) missing() (n int) {
	n = o.whole.missed + o.whole.parts
	for _, lacks := range o.lacks {
		n += int(min(lacks, 1<<30))
	}
	return n
}

// late reports whether the first message of some process that is judged is missing, and may have passed before
// the capture began.
func (o *overview) late(judged func(spec.ID) bool) bool {
	for name, v := range o.whole.senders {
		if v.last > 0 && judged(name.id) && o.there.message(name, 1) == nil && o.before(name) {
			return true
		}
	}
	return false
}

// before reports whether an incarnation may have sent messages before the capture began. It sent none to a process that it
// had not met by then, nor to one of which the first place on the link is known.
func (o *overview) before(me incarnation) bool {
	t := o.there
	if t.unordered {
		return true
	}
	for id := range t.context.all.Without(me.id).All() {
		unmet, first := t.flows[direction{me, incarnation{id: id}}], t.flows[direction{me, incarnation{id, 1}}]
		if (unmet == nil || !unmet.used) && (first == nil || first.at(1) == 0) {
			return true
		}
	}
	return false
}
