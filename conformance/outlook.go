package conformance

import (
	"interleave/conformance/frontier"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec"
)

// outlook is what is known of a capture before it is checked packet by packet: which
// messages it has, and which are missing.
type outlook struct {
	scene *scene
	more  bool // messages may be missing that no other packet tells of
	sent  map[lifeName]map[uint64]*frontier.Send
	last  map[lifeName]uint64  // number of the last message
	tops  map[direction]uint64 // last place on each link, by messages or by acknowledgements
	has   map[place]bool
	known map[lifeName]bool  // incarnations that sent a packet
	lacks map[spec.ID]uint64 // messages of each process that are missing, by later numbers
	only  int                // frames that were seen behind the network, but not before it
}

// direction is the link from one incarnation of a process to one of another.
type direction struct{ from, to lifeName }

// sending identifies a frame to one life of its receiver.
type sending struct {
	direction
	kind     wire.Kind
	sequence uint64
	sent     int64
}

// newOutlook reads packets, which may be only a part of those of a scene.
func newOutlook(s *scene, packets []capture.Packet, more bool) *outlook {
	o := &outlook{
		scene: s, more: more, sent: map[lifeName]map[uint64]*frontier.Send{}, last: map[lifeName]uint64{},
		tops: map[direction]uint64{}, known: map[lifeName]bool{}, has: map[place]bool{}, lacks: map[spec.ID]uint64{},
	}
	for _, p := range packets {
		o.takeIn(p.Frame)
	}
	seen := map[sending]bool{}
	for _, p := range s.packets {
		f := p.Frame
		d := direction{lifeName{f.From, f.Incarnation}, lifeName{f.To, f.Acked}}
		if to := (sending{d, f.Kind, f.Sequence, f.Sent}); s.tapped && !seen[to] {
			if seen[to] = true; p.Interface == capture.Delivered.String() {
				o.only++
			}
		}
		if o.known[d.from] = true; f.Acked > 0 {
			o.known[d.to] = true
		}
		switch f.Kind {
		case wire.Data:
			o.last[d.from] = max(o.last[d.from], f.Sequence)
			o.tops[d] = max(o.tops[d], f.Link)
		case wire.Ack:
			back := direction{d.to, d.from}
			o.tops[back] = max(o.tops[back], f.Link)
			o.last[d.to] = max(o.last[d.to], f.Sequence)
		}
	}
	for name, last := range o.last {
		o.lacks[name.id] += last - uint64(len(o.sent[name]))
	}
	return o
}

// takeIn records a message that will be seen.
func (o *outlook) takeIn(f wire.Frame) {
	if f.Kind != wire.Data {
		return
	}
	name := lifeName{f.From, f.Incarnation}
	if o.sent[name] == nil {
		o.sent[name] = map[uint64]*frontier.Send{}
	}
	o.has[place{f.From, f.To, f.Incarnation, f.Acked, f.Link}] = true
	if o.sent[name][f.Sequence] != nil {
		return
	}
	content, _ := o.scene.codec.Decode(f.Body)
	o.sent[name][f.Sequence] = &frontier.Send{Sequence: f.Sequence, To: f.To, Content: content}
}

// moreMissing is how many messages may be missing at the end of a link that keeps
// order, if the options say so.
const moreMissing = 4

// tell gives a life what is known of the packets to come.
func (o *outlook) tell(l *frontier.Life) {
	me := lifeName{l.ID, l.Incarnation}
	l.Expects = func(sequence uint64) bool { return o.sent[me][sequence] != nil }
	l.Future = func(sequence uint64) (frontier.Send, bool) {
		s := o.sent[me][sequence]
		if s == nil {
			return frontier.Send{}, false
		}
		return *s, true
	}
	l.Misses = func(from spec.ID, incarnation uint32, at uint64) bool {
		if o.scene.unordered {
			return o.more || at <= o.lacks[from]
		}
		top := o.tops[direction{lifeName{from, incarnation}, me}]
		if o.more {
			top += moreMissing
		}
		// With more, a message may also have been handled before its first copy in the
		// capture.
		return at <= top && (o.more || !o.has[place{from, l.ID, incarnation, l.Incarnation, at}])
	}
	for from := range o.known {
		if o.more && from.id != l.ID && from.incarnation > 1 {
			l.Expect(from.id, from.incarnation-1)
		}
		if o.more && from.id != l.ID || o.tops[direction{from, me}] > 0 {
			l.Expect(from.id, from.incarnation)
		}
	}
}

// missing returns how many frames are missing, by other packets, because they were seen behind
// the network only, or because only a part of them was captured.
func (o *outlook) missing() (n int) {
	n = o.only + o.scene.parts
	for _, lacks := range o.lacks {
		n += int(min(lacks, 1<<30))
	}
	return n
}

// late reports whether the first message of some process that is judged is missing.
func (o *outlook) late(judged func(spec.ID) bool) bool {
	for name, last := range o.last {
		if last > 0 && judged(name.id) && o.sent[name][1] == nil {
			return true
		}
	}
	return false
}
