package capture

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"interleave/impl/wire"
)

// assembly reassembles streams and splits them into frames. gopacket's tcpassembly is not used:
// what comes again it leaves out without a look, so other bytes in the same place are lost.
type assembly struct {
	emit    func(p Packet, b []byte, wrong error)
	streams map[streamKey]*stream
	over    []*stream // of these, those that ended, the oldest first
	opened  int
	number  int // of the last packet
}

// streamKey identifies a direction of a connection. Both interfaces of a capture may
// have the same addresses, and so may two captures of ours in one file: their streams must not
// be mixed.
type streamKey struct {
	iface    string
	section  int
	from, to netip.AddrPort
}

const (
	maxAhead = 1 << 20   // bytes of a stream that are held back for lack of some before them
	maxPast  = 512 << 10 // bytes of a stream that are kept to compare them with what comes again
	maxOver  = 256       // streams that are kept though they ended, for the same reason
)

func newAssembly(emit func(Packet, []byte, error)) *assembly {
	return &assembly{emit: emit, streams: map[streamKey]*stream{}}
}

// segment is a part of a stream.
type segment struct {
	found Packet
	transport
}

// add adds a segment, of which some bytes may not have been captured. A stream whose
// beginning was not captured begins with the first segment that was.
func (a *assembly) add(p Packet, section int, t transport) {
	key := streamKey{p.Interface, section, p.From, p.To}
	a.number = p.Number
	first := t.seq
	if t.syn { // which counts as a byte
		t.seq++
	} else {
		first--
	}
	s := a.streams[key]
	again := s != nil && t.syn && (s.over || s.first != first) // the port is used again
	if s != nil && (again || s.over && t.size > 0 && int32(t.seq-s.next) >= 0) {
		s.end()
		s = nil
	}
	if !t.syn && t.size == 0 && (s == nil || s.over) {
		return
	}
	if s == nil {
		a.opened++
		s = &stream{assembly: a, key: key, id: a.opened, first: first, next: t.seq, late: !t.syn}
		a.streams[key] = s
	}
	s.add(segment{p, t})
}

// end takes what was held back for lack of something before it.
func (a *assembly) end() {
	open := slices.SortedFunc(maps.Values(a.streams), func(s, t *stream) int { return cmp.Compare(s.id, t.id) })
	for _, s := range open {
		s.end()
	}
}

// stream is one direction of a connection.
type stream struct {
	assembly *assembly
	key      streamKey
	id       int
	first    uint32    // its first sequence number
	next     uint32    // that of the first byte that was not taken yet
	ahead    []segment // that are behind it, by their numbers
	held     int       // bytes of those
	past     []byte    // that were taken last
	over     bool      // it ended
	late     bool      // its beginning was not captured, and no frame of it is whole yet
	cutOff   bool      // bytes of a segment were not captured, and nothing behind them was
	last     Packet    // the last that added to it
	left     []byte    // the beginning of a frame
	lost     bool      // it is unknown where the next frame begins
}

// add takes a segment, or holds it back until what is before it has come.
func (s *stream) add(g segment) {
	if int32(g.seq-s.next) <= 0 {
		s.take(g)
		s.takeAhead()
		return
	}
	i := slices.IndexFunc(s.ahead, func(a segment) bool { return int32(a.seq-g.seq) > 0 })
	if i < 0 {
		i = len(s.ahead)
	}
	s.ahead = slices.Insert(s.ahead, i, g)
	if s.held += held(g); s.held > maxAhead {
		s.skip()
	}
}

// held is how much memory a segment takes, roughly.
func held(g segment) int { return len(g.payload) + 256 }

// takeAhead takes what is not ahead any more.
func (s *stream) takeAhead() {
	for len(s.ahead) > 0 && int32(s.ahead[0].seq-s.next) <= 0 {
		g := s.ahead[0]
		s.ahead, s.held = s.ahead[1:], s.held-held(g)
		s.take(g)
	}
}

// skip gives up what did not come before the segments that are ahead.
func (s *stream) skip() {
	missing := s.ahead[0].seq - s.next
	s.seen(s.ahead[0].found)
	s.refuse(fmt.Errorf("%w: %w: %d bytes of the stream", wire.ErrShort, ErrMissing, missing))
	s.next, s.past, s.cutOff = s.ahead[0].seq, nil, false
	s.takeAhead()
}

// take takes the bytes of a segment that are new. Those that are not must be the same as before:
// which ones the receiver took is not known.
func (s *stream) take(g segment) {
	before := int(s.next - g.seq)
	again := g.payload[:min(before, len(g.payload))]
	keepAlive := before == 1 && g.size == 1
	if n := len(s.past); len(again) > 0 && !keepAlive && (before > n || !bytes.HasPrefix(s.past[n-before:], again)) {
		s.assembly.emit(g.found, g.payload, fmt.Errorf("%w: %w: %d bytes of the stream come again, and are others than before, or those were not seen", wire.ErrMalformed, ErrMissing, len(again)))
	}
	if b := g.payload[len(again):]; len(b) > 0 {
		s.seen(g.found)
		s.past = append(s.past, b...)
		if n := len(s.past); n > 2*maxPast {
			s.past = slices.Clone(s.past[n-maxPast:])
		}
		s.next += uint32(len(b))
		s.split(b)
	}
	if g.cut && int32(g.seq+uint32(g.size)-s.next) > 0 {
		s.seen(g.found)
		s.cutOff = true
	}
	if g.fin || g.rst {
		s.end()
	}
}

// seen notes the packet that added to the stream last. A frame is complete only once what was
// missing before it has come.
func (s *stream) seen(p Packet) {
	s.last = p
	s.last.Number = s.assembly.number
}

// split takes the next bytes, and emits the frames that are complete.
func (s *stream) split(b []byte) {
	if s.lost && bytes.HasPrefix(b, []byte(wire.Magic)) {
		s.lost = false
	}
	if s.lost {
		return
	}
	s.left = append(s.left, b...)
	for len(s.left) > 0 {
		size, err := wire.Size(s.left)
		if errors.Is(err, wire.ErrShort) && len(s.left) < wire.PrefixSize {
			return
		}
		if err != nil && s.late { // it begins within a frame
			err = fmt.Errorf("%w: %w", err, ErrMissing)
		}
		if err != nil {
			s.refuse(err)
			return
		}
		if len(s.left) < size {
			return
		}
		s.assembly.emit(s.last, s.left[:size], nil)
		s.left, s.late = s.left[size:], false
	}
	s.left = nil
}

// refuse emits what is left as no frame. What follows is left out until a segment
// begins with a frame.
func (s *stream) refuse(wrong error) {
	s.assembly.emit(s.last, s.left, wrong)
	s.left, s.lost, s.late = nil, true, false
}

// end ends the stream with what there is of it.
func (s *stream) end() {
	for s.takeAhead(); len(s.ahead) > 0; {
		s.skip()
	}
	if s.over { // by what was ahead
		return
	}
	s.over = true
	if len(s.left) > 0 || s.cutOff {
		s.refuse(fmt.Errorf("%w: %w: the stream ends after %d bytes of it", wire.ErrShort, ErrMissing, len(s.left)))
	}
	a := s.assembly
	if a.over = append(a.over, s); len(a.over) <= maxOver {
		return
	}
	if oldest := a.over[0]; a.streams[oldest.key] == oldest {
		delete(a.streams, oldest.key)
	}
	a.over = a.over[1:]
}
