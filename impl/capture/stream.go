package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/tcpassembly"

	"interleave/impl/wire"
)

// assembly reassembles streams and splits them into frames.
type assembly struct {
	emit      func(p Packet, b []byte, wrong error)
	assembler *tcpassembly.Assembler
	streams   map[streamKey]*stream // those that are open
	current   Packet                // the one that is being added
	opening   *stream               // its stream
	opened    uint32
}

// streamKey identifies a direction of a connection. Both interfaces of a capture may
// have the same addresses, and their streams must not be mixed.
type streamKey struct {
	iface    string
	from, to netip.AddrPort
}

func newAssembly(emit func(Packet, []byte, error)) *assembly {
	a := &assembly{emit: emit, streams: map[streamKey]*stream{}}
	a.assembler = tcpassembly.NewAssembler(tcpassembly.NewStreamPool(a))
	a.assembler.MaxBufferedPagesPerConnection = 64
	a.assembler.MaxBufferedPagesTotal = 1024
	return a
}

// add adds a segment, of which some bytes may not have been captured. A stream whose
// beginning was not captured begins with the first segment that was.
func (a *assembly) add(p Packet, t transport) {
	key := streamKey{p.Interface, p.From, p.To}
	segment := layers.TCP{BaseLayer: layers.BaseLayer{Payload: t.payload}, Seq: t.seq, SYN: t.syn, FIN: t.fin, RST: t.rst}
	s, cut := a.streams[key], t.cut
	if s != nil && segment.SYN && segment.Seq != s.first {
		s.ReassemblyComplete() // its end was not captured, and the port is used again
		s = nil
	}
	if s == nil && !segment.SYN {
		if len(segment.Payload) == 0 && !cut {
			return
		}
		segment.SYN = true // which counts as a byte
		segment.Seq--
	}
	if s == nil {
		a.opened++
		s = &stream{assembly: a, key: key, id: a.opened, first: segment.Seq, late: !t.syn}
		a.streams[key] = s
	}
	s.cutOff = s.cutOff || cut
	a.current, a.opening = p, s
	id := binary.BigEndian.AppendUint32(nil, s.id) // in place of the addresses
	a.assembler.AssembleWithTimestamp(gopacket.NewFlow(layers.EndpointIPv4, id, id), &segment, p.Time)
}

// end takes what was held back for lack of something before it.
func (a *assembly) end() { a.assembler.FlushAll() }

// New returns the stream of the segment that is being added.
func (a *assembly) New(_, _ gopacket.Flow) tcpassembly.Stream { return a.opening }

// stream is one direction of a connection.
type stream struct {
	assembly *assembly
	key      streamKey
	id       uint32
	first    uint32 // its first sequence number
	late     bool   // its beginning was not captured, and no frame of it is whole yet
	cutOff   bool   // bytes of a segment were not captured, and nothing behind them was
	last     Packet // the last that added to it
	left     []byte // the beginning of a frame
	lost     bool   // it is unknown where the next frame begins
}

// Reassembled takes the next bytes of the stream.
func (s *stream) Reassembled(parts []tcpassembly.Reassembly) {
	for _, part := range parts {
		s.last = s.assembly.current
		s.last.From, s.last.To, s.last.Interface, s.last.Time = s.key.from, s.key.to, s.key.iface, part.Seen
		if part.Skip != 0 {
			s.refuse(fmt.Errorf("%w: %w: %d bytes of the stream", wire.ErrShort, ErrMissing, part.Skip))
			s.cutOff = false
		}
		if s.lost && bytes.HasPrefix(part.Bytes, []byte(wire.Magic)) {
			s.lost = false
		}
		if !s.lost {
			s.left = append(s.left, part.Bytes...)
			s.cut()
		}
	}
}

// cut emits the frames that are complete.
func (s *stream) cut() {
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

// ReassemblyComplete ends the stream.
func (s *stream) ReassemblyComplete() {
	if len(s.left) > 0 || s.cutOff {
		s.refuse(fmt.Errorf("%w: %w: the stream ends after %d bytes of it", wire.ErrShort, ErrMissing, len(s.left)))
	}
	delete(s.assembly.streams, s.key)
}
