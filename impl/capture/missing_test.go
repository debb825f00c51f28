package capture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/gopacket/layers"

	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/impl/wire/wiretest"
)

// option is one of a block.
type option struct {
	code  uint16
	value []byte
}

// order writes the blocks of a pcapng file in a byte order.
type order struct {
	binary.ByteOrder
	binary.AppendByteOrder
}

var (
	little = order{binary.LittleEndian, binary.LittleEndian}
	big    = order{binary.BigEndian, binary.BigEndian}
)

func (o order) u64(n uint64) []byte { return o.AppendUint64(nil, n) }
func (o order) u32(n uint32) []byte { return o.AppendUint32(nil, n) }

// block returns a block with options behind its body.
func (o order) block(kind uint32, body []byte, options ...option) []byte {
	for _, opt := range options {
		body = o.AppendUint16(o.AppendUint16(body, opt.code), uint16(len(opt.value)))
		body = padded(append(body, opt.value...))
	}
	if len(options) > 0 {
		body = append(body, 0, 0, 0, 0)
	}
	size := o.u32(uint32(len(body) + 12))
	return slices.Concat(o.u32(kind), size, body, size)
}

func padded(b []byte) []byte { return append(b, make([]byte, (4-len(b)%4)%4)...) }

// section returns the beginning of a section with interfaces of some link types.
func (o order) section(links ...uint16) []byte {
	b := o.block(0x0a0d0d0a, slices.Concat(o.u32(0x1a2b3c4d), o.AppendUint16(nil, 1), []byte{0, 0}, o.u64(1<<64-1)))
	for _, link := range links {
		b = append(b, o.block(1, slices.Concat(o.AppendUint16(nil, link), []byte{0, 0}, o.u32(0)))...)
	}
	return b
}

// head is what both kinds of packets have behind their interface.
func (o order) head(bytes []byte) []byte {
	at := uint64(start.UnixMicro())
	n := o.u32(uint32(len(bytes)))
	return slices.Concat(o.u32(uint32(at>>32)), o.u32(uint32(at)), n, n, padded(slices.Clone(bytes)))
}

func (o order) packet(iface uint32, bytes []byte, options ...option) []byte {
	return o.block(6, append(o.u32(iface), o.head(bytes)...), options...)
}

func (o order) oldPacket(iface, drops uint16, bytes []byte, options ...option) []byte {
	return o.block(2, append(o.AppendUint16(o.AppendUint16(nil, iface), drops), o.head(bytes)...), options...)
}

func (o order) statistics(iface uint32, options ...option) []byte {
	return o.block(5, append(o.u32(iface), 0, 0, 0, 0, 0, 0, 0, 0), options...)
}

// ours is a frame of ours over bare IP.
func ours(t testing.TB) []byte {
	return packet(t, wiretest.Encode(t, frame(0), nil), ip4(layers.IPProtocolUDP), udp(9, wire.Port))
}

// files are pcapng files that tell of missing packets, in every way in which they can, and those that
// seem to. Of some they tell how many are missing.
func files(t testing.TB, o order) map[string]struct {
	file []byte
	want string
} {
	f, n := ours(t), func(code uint16, n uint64) option { return option{code, o.u64(n)} }
	mark := func(bits uint32) option { return option{2, o.u32(bits)} }
	const raw, unknown = 101, 1<<64 - 1
	one := slices.Concat(o.section(raw), o.packet(0, f))
	const dropped = " packets were dropped"
	return map[string]struct {
		file []byte
		want string
	}{
		"nothing":                             {one, ""},
		"between packets":                     {slices.Concat(one, o.packet(0, f, n(4, 3)), o.packet(0, f)), "3" + dropped},
		"before the first":                    {slices.Concat(o.section(raw), o.packet(0, f, mark(1), n(4, 3))), "3" + dropped},
		"no packet":                           {slices.Concat(one, o.packet(0, f, n(4, 0))), ""},
		"a single one":                        {slices.Concat(one, o.packet(0, f, n(4, 1))), ": 1 packet was dropped while it was captured: give it a larger buffer, as with mc capture --buffer or tcpdump -B"},
		"as a number that is not known":       {slices.Concat(one, o.packet(0, f, n(4, unknown))), ""},
		"in an old packet":                    {slices.Concat(one, o.oldPacket(0, 7, f)), "7" + dropped},
		"in an old packet, not known":         {slices.Concat(one, o.oldPacket(0, 0xffff, f)), ""},
		"in an old packet, of another option": {slices.Concat(one, o.oldPacket(0, 0, f, n(4, 3))), ""},
		"by the interface":                    {slices.Concat(one, o.statistics(0, n(5, 4))), "4" + dropped},
		"by the system":                       {slices.Concat(one, o.statistics(0, n(7, 4))), "4" + dropped},
		"by both":                             {slices.Concat(one, o.statistics(0, n(5, 2), n(7, 3))), "5" + dropped},
		"before the packets":                  {slices.Concat(o.section(raw), o.statistics(0, n(5, 4)), o.packet(0, f)), "4" + dropped},
		"of another interface":                {slices.Concat(o.section(raw, raw), o.packet(0, f), o.statistics(1, n(5, 4))), "4" + dropped},
		"again, and no more":                  {slices.Concat(one, o.statistics(0, n(5, 4)), o.statistics(0, n(5, 4))), "4" + dropped},
		"by the packets as well":              {slices.Concat(one, o.packet(0, f, n(4, 4)), o.statistics(0, n(5, 4))), "4" + dropped},
		"again, and more, and by another":     {slices.Concat(o.section(raw, raw), o.packet(0, f), o.statistics(0, n(5, 2)), o.statistics(0, n(5, 5)), o.statistics(1, n(5, 4)), o.statistics(0, n(5, 5))), "9" + dropped},
		"in a later section":                  {slices.Concat(one, one, o.statistics(0, n(5, 4))), "4" + dropped},
		"in a section before":                 {slices.Concat(one, o.statistics(0, n(5, 4)), one), "4" + dropped},
		"passed the filter":                   {slices.Concat(one, o.statistics(0, n(4, 9), n(6, 3))), "2" + dropped},
		"were delivered":                      {slices.Concat(o.section(raw), o.statistics(0, n(8, 3)), o.packet(0, f), one), "2" + dropped},
		"passed, and were not delivered":      {slices.Concat(one, o.statistics(0, n(6, 3), n(8, 1))), "2" + dropped},
		"passed, and were dropped":            {slices.Concat(one, o.statistics(0, n(6, 3), n(7, 2), n(8, 1))), "2" + dropped},
		"received":                            {slices.Concat(one, o.statistics(0, n(4, 9))), ""},
		"all were delivered":                  {slices.Concat(one, o.statistics(0, n(4, 9), n(6, 1), n(7, 0), n(8, 1)), o.packet(0, f)), ""},
		"more than can be":                    {slices.Concat(one, o.statistics(0, n(5, unknown-1), n(7, unknown-1), n(8, unknown-1))), "18446744073709551615" + dropped},
		"of an interface that is not read":    {slices.Concat(o.section(raw, 105), o.packet(0, f), o.packet(1, f, n(4, 3)), o.statistics(1, n(5, 3))), ""},
		"a wrong checksum":                    {slices.Concat(one, o.packet(0, f, mark(1<<24))), "wrong checksum"},
		"two errors":                          {slices.Concat(one, o.packet(0, f, mark(1<<31|1<<26))), "too short, wrong symbol"},
		"an error without a name":             {slices.Concat(one, o.packet(0, f, mark(1<<16))), "unknown"},
		"a wrong checksum in an old packet":   {slices.Concat(one, o.oldPacket(0, 0, f, mark(1<<24))), "wrong checksum"},
		"flags that are no errors":            {slices.Concat(one, o.packet(0, f, mark(0x1ff))), ""},
	}
}

// TestMissing: in whatever way a file says that packets are missing, or are not as they were sent, that is told,
// in both byte orders.
func TestMissing(t *testing.T) {
	for name, o := range map[string]order{"little": little, "big": big} {
		for what, c := range files(t, o) {
			got, err := read(c.file, capture.Options{})
			var told []string
			for _, p := range got {
				if errors.Is(p.Err, capture.ErrMissing) {
					told = append(told, p.Err.Error())
				} else if p.Err != nil {
					t.Errorf("%s, %s: %v", name, what, p.Err)
				}
			}
			if wanted := len(told) == 1 && strings.Contains(told[0], c.want); err != io.EOF || (c.want == "") != (len(told) == 0) || c.want != "" && !wanted {
				t.Errorf("%s, %s: %q, %v, want %q", name, what, told, err, c.want)
			}
		}
	}
}

// TestForeignInterfaces: an interface whose packets cannot be read costs these, and nothing else, wherever it is
// described.
func TestForeignInterfaces(t *testing.T) {
	for name, o := range map[string]order{"little": little, "big": big} {
		f := ours(t)
		foreign := o.section(105, 101, 256+101) // of which the library keeps one byte
		simple := o.block(3, append(o.u32(4), 1, 2, 3, 4))
		file := slices.Concat(foreign, o.packet(0, f), o.packet(1, f), o.packet(2, f), simple, o.packet(1, f), o.section(101, 105), o.packet(1, f), o.packet(0, f))
		r, err := capture.NewReader(bytes.NewReader(file), capture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, number := range []int{2, 5, 7} {
			if p, err := r.Next(); err != nil || p.Err != nil || p.Number != number {
				t.Errorf("%s: %+v, %v, want packet %d", name, p, err, number)
			}
		}
		if _, err := r.Next(); err != io.EOF || r.Foreign() != 4 || r.Skipped() != 4 {
			t.Errorf("%s: %v, %d of foreign interfaces, %d skipped", name, err, r.Foreign(), r.Skipped())
		}
		if _, err := read(slices.Concat(foreign[:len(foreign)-2*20], o.packet(0, f)), capture.Options{}); !errors.Is(err, capture.ErrLinkType) || !strings.Contains(err.Error(), "105: block 2: Ethernet") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPacketOptions: a packet whose options contradict themselves is damaged.
func TestPacketOptions(t *testing.T) {
	f := ours(t)
	for what, b := range map[string][]byte{
		"flags of two bytes":             little.packet(0, f, option{2, []byte{1, 0}}),
		"a count of four bytes":          little.packet(0, f, option{4, little.u32(3)}),
		"flags of an old packet":         little.oldPacket(0, 0, f, option{2, []byte{1, 0}}),
		"an option larger than it":       little.block(6, slices.Concat(little.u32(0), little.head(f), []byte{4, 0, 99, 0})),
		"statistics of a count too long": little.statistics(0, option{5, make([]byte, 9)}),
	} {
		if _, err := read(slices.Concat(little.section(101), b), capture.Options{}); !errors.Is(err, capture.ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestTaps: each interface of a file is a tap, over all its sections; of a capture of ours both are one.
func TestTaps(t *testing.T) {
	f, own := ours(t), func() []byte { b, _ := written(t, 1, nil); return b }()
	file := slices.Concat(little.section(101, 101), little.packet(1, f), little.packet(0, f), own, big.section(101), big.packet(0, f))
	got, err := read(file, capture.Options{})
	var taps []int
	for _, p := range got {
		taps = append(taps, p.Tap)
	}
	if err != io.EOF || len(taps) < 4 || !slices.Equal(taps[:3], []int{1, 0, 2}) || taps[len(taps)-2] != 2 || taps[len(taps)-1] != 4 {
		t.Errorf("%v, %v", taps, err)
	}
}
