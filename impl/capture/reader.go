package capture

import (
	"fmt"
	"io"
	"net/netip"
	"slices"
	"time"

	"github.com/google/gopacket"

	"interleave/impl/wire"
)

// Packet is a frame in a capture, or something else that came by our port, or may have: a
// packet that was cut before its ports, or those that were dropped.
type Packet struct {
	Number    int // of the packet in the file, from 1, as other tools count; in a stream, of the one that completes the frame
	Time      time.Time
	Interface string         // its name, as "sent"; empty if the file has none
	Tap       int            // number of that in the file, over all sections; both interfaces of ours are one tap
	TCP       bool           // a part of a stream; otherwise a datagram
	From, To  netip.AddrPort // as far as they were captured
	Bytes     []byte         // of the frame, MAC included
	Frame     wire.Frame
	Err       error // why Bytes are no frame; nil: they are one, and Frame it is
}

// Delivered reports whether a packet was captured as the network handed it on.
func (p Packet) Delivered() bool { return p.Interface == Delivered.String() }

// Options say what to look for. The zero value looks for all frames, and checks
// no MAC.
type Options struct {
	Ports []uint16 // UDP or TCP, of either end; none: wire.Port, and in a capture of ours any
	Key   wire.Key // with one, a frame without the right MAC is an error

	Buffer int // live: bytes that the kernel keeps for us until they are read; 0: DefaultBuffer
}

// DefaultBuffer holds thousands of frames: the kernel counts about 800 bytes for each.
const DefaultBuffer = 16 << 20

// Reader reads the frames of a capture, in the order in which they are complete.
type Reader struct {
	options   Options
	source    source
	number    int
	skipped   int
	foreign   int
	packets   []Packet // read, and not handed on yet
	err       error    // the end
	assembly  *assembly
	fragments fragments
	recording *Recording // nil: no recording
	buffer    int        // live: bytes that the kernel keeps for us
}

// NewReader begins to read a pcapng or a pcap file.
func NewReader(r io.Reader, o Options) (reader *Reader, err error) {
	defer recovered(&err)
	s, err := openFile(r)
	if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	return newReader(s, o), nil
}

func newReader(s source, o Options) *Reader {
	r := &Reader{options: o, source: s}
	r.fragments.lose, r.assembly = r.lose, newAssembly(r.emit)
	return r
}

// recovered turns a panic of the library into an error.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("capture: %w: the reader gave up: %v", ErrDamaged, p)
	}
}

// Next returns the next frame. It returns io.EOF at the end of a whole capture, and one
// of the other errors of this package at any other end; the same from then on.
func (r *Reader) Next() (Packet, error) {
	for len(r.packets) == 0 {
		if r.err != nil {
			return Packet{}, r.err
		}
		r.err = r.read()
	}
	p := r.packets[0]
	r.packets = r.packets[1:]
	return p, nil
}

// Rest returns what is held back for lack of something before it in its stream, or of other
// fragments, as if the capture ended here. No packet is to be read after that.
func (r *Reader) Rest() []Packet {
	r.end()
	rest := r.packets
	r.packets = nil
	return rest
}

// end takes what was held back.
func (r *Reader) end() {
	r.fragments.end()
	r.assembly.end()
}

// Skipped returns how many packets so far were not of our ports; those that may be are not among
// them.
func (r *Reader) Skipped() int { return r.skipped }

// Foreign returns how many of those were of interfaces whose link type cannot be read.
func (r *Reader) Foreign() int { return r.foreign }

// Buffer returns how much the kernel keeps for us in a live capture, in bytes: less than Options ask for,
// if this user may not have so much.
func (r *Reader) Buffer() int { return r.buffer }

// Close ends a live capture: Next returns what has come until now, and then ErrClosed.
func (r *Reader) Close() { r.source.close() }

// read decodes one packet of the source, or ends what was begun.
func (r *Reader) read() (err error) {
	defer recovered(&err)
	packet, err := r.source.next()
	if err == nil {
		r.number++
	}
	if n := r.source.dropped(); n > 0 {
		r.drop(n)
	}
	if err != nil {
		r.end()
		if err == io.EOF {
			return err
		}
		return fmt.Errorf("capture: behind packet %d: %w", r.number, err)
	}
	return r.take(packet)
}

// drop tells of packets that were not captured, and may be ours.
func (r *Reader) drop(n uint64) {
	if r.recording != nil {
		r.recording.dropped += n
	}
	packets := "packets were"
	if n == 1 {
		packets = "packet was"
	}
	r.emit(Packet{Number: r.number}, nil, fmt.Errorf("%w: %w: %d %s %w: give it a larger buffer, as with mc capture --buffer or tcpdump -B", wire.ErrShort, ErrMissing, n, packets, ErrDropped))
}

// spoilt tells of a packet of which other bytes may have been captured than were sent.
func (r *Reader) spoilt(found Packet, flaws uint32) {
	if r.recording != nil {
		r.recording.dropped++
	}
	r.emit(found, nil, fmt.Errorf("%w: %w", wire.ErrMalformed, flawed(flaws)))
}

// take decodes one packet, and records it if it is ours, or may be.
func (r *Reader) take(packet raw) error {
	found := Packet{Number: r.number, Time: packet.info.Timestamp, Interface: packet.iface, Tap: packet.tap}
	switch {
	case linkType(packet.link) != nil:
		r.skipped++
		r.foreign++
		return nil
	case packet.flaws != 0: // not even its ports are certain
		r.spoilt(found, packet.flaws)
		return nil
	}
	d, err := network(packet)
	var t transport
	if err == nil {
		t, err = r.open(&d, packet.own)
	}
	if err != errOther && r.recording != nil {
		if err := r.recording.add(packet); err != nil {
			return err
		}
	}
	if err == errFragment {
		whole, complete := r.fragments.add(found, packet.own, d)
		if !complete {
			return nil
		}
		d = whole
		t, err = r.open(&d, packet.own)
	}
	found.TCP, found.From, found.To = d.protocol == protoTCP, netip.AddrPortFrom(d.from, t.from), netip.AddrPortFrom(d.to, t.to)
	switch {
	case err == errOther:
		r.skipped++
	case err != nil:
		r.emit(found, nil, cutPacket(packet.info, d))
	case found.TCP:
		r.assembly.add(found, packet.section, t)
	case t.cut:
		r.emit(found, t.payload, cutPacket(packet.info, d))
	default:
		r.emit(found, t.payload, wire.CheckDatagram(t.payload))
	}
	return nil
}

// open goes to what UDP or TCP carries. It returns errOther if that is not of our
// ports.
func (r *Reader) open(d *datagram, own bool) (t transport, err error) {
	if err = d.unwrap(); err == nil {
		t, err = d.transport()
	}
	if known := t.from != 0 || t.to != 0; (known || err == nil) && !r.looksFor(own, t.from, t.to) {
		err = errOther
	}
	return t, err
}

// lose tells of a packet whose fragments are not all there, if it may be ours.
func (r *Reader) lose(p *partial) {
	d, first := p.parts[0], transport{}
	var err error
	if d.offset == 0 {
		d.fragment, d.size = false, 1<<16 // how much there is in all is not known
		first, err = r.open(&d, p.own)
	}
	if err == errOther {
		r.skipped++
		return
	}
	found := p.found
	found.TCP, found.From, found.To = d.protocol == protoTCP, netip.AddrPortFrom(d.from, first.from), netip.AddrPortFrom(d.to, first.to)
	r.emit(found, nil, p.lost())
}

// cutPacket is the error of a packet that was not captured in full, as the file says, or its
// headers.
func cutPacket(info gopacket.CaptureInfo, d datagram) error {
	size := max(info.Length, info.CaptureLength+d.size-len(d.payload))
	return fmt.Errorf("%w: %w: %d bytes of the packet's %d were captured: capture whole packets, as with tcpdump -s 0", wire.ErrShort, ErrMissing, info.CaptureLength, size)
}

// looksFor reports whether one of two ports is looked for. If no ports are given, all
// are in a capture of ours.
func (r *Reader) looksFor(own bool, from, to uint16) bool {
	ports := r.options.Ports
	if len(ports) == 0 {
		return own || from == wire.Port || to == wire.Port
	}
	return slices.Contains(ports, from) || slices.Contains(ports, to)
}

// emit adds a packet of ours, with the bytes that should be a frame, or with what is
// wrong with them.
func (r *Reader) emit(p Packet, b []byte, wrong error) {
	p.Bytes, p.Err = b, wrong
	if wrong == nil {
		p.Frame, p.Err = r.parse(b)
	}
	r.packets = append(r.packets, p)
}

func (r *Reader) parse(b []byte) (wire.Frame, error) {
	if r.options.Key != nil {
		return wire.Parse(b, r.options.Key)
	}
	f, _, err := wire.Inspect(b)
	return f, err
}
