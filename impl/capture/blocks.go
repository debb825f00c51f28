package capture

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// maxBlock is the size of the largest part of a file that is read, in bytes. A
// packet on loopback has at most 64 KiB.
const maxBlock = 1 << 20

// The types of blocks of a pcapng file.
const (
	interfaceBlock  = 1
	oldPacketBlock  = 2
	simpleBlock     = 3
	statisticsBlock = 5
	packetBlock     = 6
	sectionBlock    = 0x0a0d0d0a
)

// fixedSize is the least size of a block, with its type and both its lengths.
var fixedSize = map[uint32]int{
	interfaceBlock: 20, oldPacketBlock: 32, simpleBlock: 16, statisticsBlock: 24, packetBlock: 32, sectionBlock: 28,
}

// blocks passes on a pcapng file block by block, each only once it is whole and sound.
// The library behind it takes a cut file for a whole one, trusts any length, and panics
// on a resolution that it can't compute with.
type blocks struct {
	r       *bufio.Reader
	order   binary.ByteOrder
	number  int    // of the block
	pending []byte // the rest of the block that is passed on
	dropped uint64 // packets that are missing, as the file says, and that were not asked for yet

	interfaces []*described // of the section
	current    *described   // that of the last packet
	flaws      uint32       // of the last packet: its errors of the link layer, as bits
	readable   bool         // an interface so far can be read
	foreign    error        // of the first interface that cannot; nil: there is none
}

func (b *blocks) Read(p []byte) (int, error) {
	for len(b.pending) == 0 {
		if err := b.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, b.pending)
	b.pending = b.pending[n:]
	return n, nil
}

// next reads one block.
func (b *blocks) next() error {
	b.number++
	head, err := b.r.Peek(12) // no block has less
	switch {
	case len(head) == 0 && errors.Is(err, io.EOF):
		b.endSection()
		return io.EOF
	case errors.Is(err, io.EOF):
		return b.errorf(ErrCut, "%d bytes of its first 12", len(head))
	case err != nil:
		return err
	}
	if err := b.turn(head); err != nil {
		return err
	}
	kind, size := b.order.Uint32(head), int(b.order.Uint32(head[4:]))
	if size < max(12, fixedSize[kind]) || size%4 != 0 {
		return b.errorf(ErrDamaged, "%d bytes cannot be the size of a block of type %#x", size, kind)
	}
	if size > maxBlock {
		return b.errorf(ErrTooLarge, "%d bytes, at most %d are read", size, maxBlock)
	}
	block, err := b.take(size)
	if err != nil {
		return err
	}
	if end := int(b.order.Uint32(block[size-4:])); end != size {
		return b.errorf(ErrDamaged, "it begins as one of %d bytes and ends as one of %d", size, end)
	}
	b.pending = block
	return b.check(kind, block[8:size-4])
}

// turn sets the byte order of a section.
func (b *blocks) turn(head []byte) error {
	const magic = 0x1a2b3c4d
	switch {
	case binary.LittleEndian.Uint32(head) != sectionBlock: // the same in both orders
		return nil
	case binary.LittleEndian.Uint32(head[8:]) == magic:
		b.order = binary.LittleEndian
	case binary.BigEndian.Uint32(head[8:]) == magic:
		b.order = binary.BigEndian
	default:
		return b.errorf(ErrDamaged, "the section is in neither byte order")
	}
	return nil
}

// take reads a block of a size that is not too large. Memory is taken only as
// the bytes come.
func (b *blocks) take(size int) ([]byte, error) {
	var block []byte
	for len(block) < size {
		at := len(block)
		block = slices.Grow(block, min(size-at, 4096))[:min(size, at+4096)]
		n, err := io.ReadFull(b.r, block[at:])
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, b.errorf(ErrCut, "%d bytes of %d", at+n, size)
		}
		if err != nil {
			return nil, err
		}
	}
	return block, nil
}

// check checks what the library would trust.
func (b *blocks) check(kind uint32, body []byte) error {
	switch kind {
	case simpleBlock:
		if b.current = b.described(0); b.current.readable() {
			return b.errorf(ErrDamaged, "a packet without a time: capture in another way")
		}
	case packetBlock, oldPacketBlock:
		return b.packet(kind, body)
	case sectionBlock:
		b.endSection()
		return b.options(body[16:], nil)
	case statisticsBlock:
		return b.statistics(body)
	case interfaceBlock:
		return b.describe(body)
	}
	return nil
}

// interfaceOption reports whether an option of an interface can be computed
// with.
func interfaceOption(code uint16, value []byte) bool {
	const resolution, filter, offset = 9, 11, 14
	switch code {
	case resolution: // a power of two, or of ten, that fits 64 bits
		return len(value) == 1 && (value[0] >= 0x80 && value[0] < 0x80+64 || value[0] <= 19)
	case filter:
		return len(value) > 0
	case offset:
		return len(value) == 8
	}
	return true
}

// options walks through the options of a block; sound says of each whether it
// can be used.
func (b *blocks) options(list []byte, sound func(code uint16, value []byte) bool) error {
	for len(list) >= 4 {
		code, size := b.order.Uint16(list), int(b.order.Uint16(list[2:]))
		padded := 4 + (size+3)/4*4
		if code == 0 {
			return nil
		}
		if padded > len(list) {
			return b.errorf(ErrDamaged, "it has no room for option %d of %d bytes", code, size)
		}
		if sound != nil && !sound(code, list[4:4+size]) {
			return b.errorf(ErrDamaged, "option %d cannot be %x", code, list[4:4+min(size, 16)])
		}
		list = list[padded:]
	}
	return nil
}

func (b *blocks) errorf(err error, format string, args ...any) error {
	return fmt.Errorf("%w: block %d: %w", err, b.number, fmt.Errorf(format, args...))
}

// readable is a hint for link types that can't be read.
const readable = "Ethernet, Linux cooked, BSD loopback and bare IP can be read: capture on one interface, as with tcpdump -i lo"

// linkType returns ErrLinkType unless packets of the type can be read.
func linkType(t uint32) error {
	if _, known := linkHeaders[t]; !known {
		return fmt.Errorf("%w: %d", ErrLinkType, t)
	}
	return nil
}
