package capture

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/google/gopacket"
	"github.com/google/gopacket/pcapgo"
)

// source yields the packets below our frames, and then an error.
type source interface {
	next() (raw, error)
	dropped() uint64 // packets that it says were there and not captured, since it was asked last
	close()
}

// raw is a packet as it was captured.
type raw struct {
	info  gopacket.CaptureInfo
	iface string
	tap   int    // see Packet
	link  uint32 // its type; in a pcapng file maybe none of linkHeaders
	flaws uint32 // errors of the link layer that it came with, as bits
	data  []byte
	own   bool // in a capture that a Writer wrote

	section int // which one of the file, if it is own: its streams are not those of another
}

// openFile recognises the kind of file by its first bytes.
func openFile(r io.Reader) (source, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	head, err := b.Peek(24)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(head) == 0 {
		return nil, ErrEmpty
	}
	if len(head) >= 4 {
		switch binary.LittleEndian.Uint32(head) {
		case sectionBlock:
			return openPcapng(b)
		case 0xa1b2c3d4, 0xa1b23c4d:
			return openPcap(b, head, binary.LittleEndian)
		case 0xd4c3b2a1, 0x4d3cb2a1:
			return openPcap(b, head, binary.BigEndian)
		}
	}
	if len(head) >= 2 && head[0] == 0x1f && head[1] == 0x8b {
		return nil, fmt.Errorf("%w: it is compressed: gunzip it first", ErrForeign)
	}
	return nil, fmt.Errorf("%w: it begins with %q", ErrForeign, head[:min(len(head), 16)])
}

// pcapng is a file with blocks, in one or more sections.
type pcapng struct {
	blocks   *blocks
	r        *pcapgo.NgReader
	received map[int]uint64 // what the end of the section says of each interface
	seen     map[int]uint64
	wrong    error // with a section that came to its end
	sections int   // that came to their end
	taps     int   // in those
}

func openPcapng(b *bufio.Reader) (source, error) {
	f := &pcapng{blocks: &blocks{r: b, order: binary.LittleEndian}, received: map[int]uint64{}, seen: map[int]uint64{}}
	r, err := pcapgo.NewNgReader(f.blocks, pcapgo.NgReaderOptions{
		WantMixedLinkType:  true,
		StatisticsCallback: func(i int, s pcapgo.NgInterfaceStatistics) { f.received[i] = s.PacketsReceived },
		SectionEndCallback: func(interfaces []pcapgo.NgInterface, info pcapgo.NgSectionInfo) {
			f.wrong = errors.Join(f.wrong, f.endSection(len(interfaces), info))
		},
	})
	f.r = r
	return f, ngError(err)
}

// ngError rewords an error of the library.
func ngError(err error) error {
	switch {
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, ErrCut), errors.Is(err, ErrDamaged), errors.Is(err, ErrTooLarge), errors.Is(err, ErrLinkType):
		return err
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

func (f *pcapng) next() (raw, error) {
	data, info, err := f.r.ReadPacketData()
	if errors.Is(err, io.EOF) {
		f.wrong = errors.Join(f.wrong, f.endSection(f.r.NInterfaces(), f.r.SectionInfo()))
	}
	switch {
	case f.wrong != nil:
		return raw{}, f.wrong
	case errors.Is(err, io.EOF) && !f.blocks.readable && f.blocks.foreign != nil:
		return raw{}, f.blocks.foreign
	case err != nil:
		return raw{}, ngError(err)
	}
	f.seen[info.InterfaceIndex]++
	iface, err := f.r.Interface(info.InterfaceIndex)
	packet := raw{ // the library keeps one byte of the link type
		info: info, iface: iface.Name, link: f.blocks.current.link, flaws: f.blocks.flaws, data: data, own: f.r.SectionInfo().Application == application,
	}
	packet.tap = f.taps + info.InterfaceIndex
	if packet.own {
		packet.section, packet.tap = f.sections, f.taps
	}
	return packet, err
}

// endSection returns ErrUnfinished for a section of ours that lacks its end, and
// ErrDamaged if the end counts other packets.
func (f *pcapng) endSection(interfaces int, info pcapgo.NgSectionInfo) error {
	f.sections++
	f.taps += max(1, interfaces)
	received, seen := f.received, f.seen
	f.received, f.seen = map[int]uint64{}, map[int]uint64{}
	if info.Application != application {
		return nil
	}
	for i := range max(2, interfaces) {
		if n, ok := received[i]; !ok {
			return fmt.Errorf("%w: the count of interface %d is missing: the writer was killed, or the file cut", ErrUnfinished, i)
		} else if n != seen[i] {
			return fmt.Errorf("%w: %d packets of interface %d, and its count says %d", ErrDamaged, seen[i], i, n)
		}
	}
	return nil
}

func (f *pcapng) dropped() (n uint64) {
	n, f.blocks.dropped = f.blocks.dropped, 0
	return n
}

func (f *pcapng) close() {}

// pcap is a file of the older format.
type pcap struct {
	r    *pcapgo.Reader
	link uint32
}

func openPcap(b *bufio.Reader, head []byte, order binary.ByteOrder) (source, error) {
	if len(head) < 24 {
		return nil, fmt.Errorf("%w: %d bytes of its first 24", ErrCut, len(head))
	}
	link := order.Uint32(head[20:]) & 0x03ff_ffff // the rest tells how long the checksum behind each packet is
	if err := linkType(link); err != nil {
		return nil, fmt.Errorf("%w: %s", err, readable)
	}
	r, err := pcapgo.NewReader(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	r.SetSnaplen(maxBlock)
	return &pcap{r, link}, nil
}

func (f *pcap) next() (raw, error) {
	data, info, err := f.r.ReadPacketData()
	switch {
	case err == nil:
		return raw{info: info, link: f.link, data: data}, nil
	case info.CaptureLength > maxBlock:
		return raw{}, fmt.Errorf("%w: a packet of %d bytes, at most %d are read", ErrTooLarge, info.CaptureLength, maxBlock)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF) && info.CaptureLength > 0:
		return raw{}, ErrCut
	case errors.Is(err, io.EOF):
		return raw{}, io.EOF
	}
	return raw{}, fmt.Errorf("%w: %w", ErrDamaged, err)
}

func (f *pcap) dropped() uint64 { return 0 } // it has no place for it
func (f *pcap) close()          {}
