package capture

import (
	"fmt"
	"strings"

	"github.com/google/gopacket/pcapgo"
)

// described is an interface of a section, as the blocks so far describe it.
type described struct {
	link    uint32            // its type, maybe one that cannot be read
	seen    uint64            // packets of it
	between uint64            // packets that were dropped before one of these, as they say
	counted map[uint16]uint64 // by statistics, under the number of their option
	told    uint64            // of the packets that are missing, those that were reported
}

// What statistics count of an interface since the beginning: packets that it dropped, that passed
// the filter, that the system dropped, and that were delivered to who captures. What it received
// (option 4) tells nothing, as the filter may have refused the rest.
const byInterface, accepted, bySystem, delivered = 5, 6, 7, 8

// readable reports whether packets of the interface can be read.
func (d *described) readable() bool { return linkType(d.link) == nil }

// count takes in a count of statistics. Such counts never become smaller.
func (d *described) count(code uint16, n uint64) {
	if n == pcapgo.NgNoValue64 {
		return
	}
	if d.counted == nil {
		d.counted = map[uint16]uint64{}
	}
	d.counted[code] = max(d.counted[code], n)
}

// drop takes in how many packets were dropped before one.
func (d *described) drop(n uint64) {
	if n != pcapgo.NgNoValue64 {
		d.between = plus(d.between, n)
	}
}

// missing returns how many packets are missing that were not reported yet. Packets and statistics
// tell of the same ones. At the end of a section, what passed the filter and is not in the file is
// missing, too.
func (d *described) missing(end bool) uint64 {
	lost := d.counted[bySystem]
	if passed := max(d.counted[accepted], plus(lost, d.counted[delivered])); end && passed > d.seen {
		lost = max(lost, passed-d.seen)
	}
	all := max(d.told, d.between, plus(lost, d.counted[byInterface]))
	n := all - d.told
	d.told = all
	return n
}

// plus adds counts of a file, which may be anything.
func plus(a, b uint64) uint64 {
	if a+b < a {
		return pcapgo.NgNoValue64
	}
	return a + b
}

// describe takes in an interface.
func (b *blocks) describe(body []byte) error {
	d := &described{link: uint32(b.order.Uint16(body))}
	b.interfaces = append(b.interfaces, d)
	switch {
	case d.readable():
		b.readable = true
	case b.foreign == nil:
		b.foreign = b.errorf(linkType(d.link), "%s", readable)
	}
	return b.options(body[8:], interfaceOption)
}

// described returns an interface; if the section has none of the number, the library will say so.
func (b *blocks) described(i uint32) *described {
	if uint64(i) >= uint64(len(b.interfaces)) {
		return &described{}
	}
	return b.interfaces[i]
}

// lose reports what is missing of an interface. If its packets cannot be read, none of those that
// are missing is counted either.
func (b *blocks) lose(d *described, end bool) {
	if d.readable() {
		b.dropped = plus(b.dropped, d.missing(end))
	}
}

// endSection reports what is missing in a section at its end.
func (b *blocks) endSection() {
	for _, d := range b.interfaces {
		b.lose(d, true)
	}
	b.interfaces = nil
}

// statistics takes in the counts of an interface.
func (b *blocks) statistics(body []byte) error {
	d := b.described(b.order.Uint32(body))
	err := b.options(body[12:], func(code uint16, value []byte) bool {
		if code >= byInterface && code <= delivered && len(value) == 8 {
			d.count(code, b.order.Uint64(value))
		}
		return code < 2 || code > 8 || len(value) == 8
	})
	b.lose(d, false)
	return err
}

// packet takes in what a packet says of itself, and of those before it.
func (b *blocks) packet(kind uint32, body []byte) error {
	const flags, dropped, unknown = 2, 4, 0xffff
	size := uint64(b.order.Uint32(body[12:]))
	if size > uint64(len(body)-20) {
		return b.errorf(ErrDamaged, "it has no room for a packet of %d bytes", size)
	}
	d := b.described(b.order.Uint32(body))
	if kind == oldPacketBlock {
		d = b.described(uint32(b.order.Uint16(body)))
		if n := b.order.Uint16(body[2:]); n != unknown {
			d.drop(uint64(n))
		}
	}
	d.seen++
	b.current, b.flaws = d, 0
	rest := min(len(body), 20+(int(size)+3)/4*4)
	err := b.options(body[rest:], func(code uint16, value []byte) bool {
		switch {
		case code == flags && len(value) == 4:
			b.flaws = b.order.Uint32(value) >> 16
		case code == dropped && kind == packetBlock && len(value) == 8:
			d.drop(b.order.Uint64(value))
		default:
			return code != flags && (code != dropped || kind != packetBlock)
		}
		return true
	})
	b.lose(d, false)
	return err
}

// flawNames are the errors of the link layer that a packet may be marked with, by their bits.
var flawNames = []string{8: "wrong checksum", "too long", "too short", "wrong gap", "not aligned", "wrong start", "wrong preamble", "wrong symbol"}

// flawed returns what the flaws of a packet are.
func flawed(flaws uint32) error {
	var names []string
	for i, name := range flawNames {
		if flaws>>i&1 != 0 && name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		names = []string{"unknown"}
	}
	return fmt.Errorf("%w: it came with errors of the link layer (%s): capture where it comes whole", ErrMissing, strings.Join(names, ", "))
}
