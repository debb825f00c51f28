package capture

import (
	"encoding/binary"
	"errors"
	"net/netip"

	"github.com/google/gopacket/layers"
)

// The headers below UDP and TCP are read here, and not by gopacket: it has no Linux cooked
// v2, does not look behind the extension headers of IPv6, and does not tell a packet that
// was cut within its headers from one that is of no interest.

// Why there is no payload of UDP or TCP in a packet.
var (
	errOther    = errors.New("neither UDP nor TCP over IP, or such as nobody takes")
	errShort    = errors.New("cut within its headers")
	errFragment = errors.New("a fragment")
)

// The numbers of protocols in IP headers; those of the IPv6 extensions have the same space.
const (
	protoTCP, protoUDP                                                 = 6, 17
	hopByHop, routing, fragment, authentication, destination, mobility = 0, 43, 44, 51, 60, 135
)

// datagram is an IP packet, or a fragment of one, as far as it was captured.
type datagram struct {
	from, to netip.Addr
	protocol byte
	payload  []byte // behind the IP header
	size     int    // of the payload as it was sent: more, if the packet was cut

	fragment bool   // the rest is set
	id       uint32 // equal in all fragments of a packet
	offset   int    // of the payload in that of the whole packet
	more     bool   // other fragments follow
}

const linuxSLL2 = 276 // Linux cooked v2, as tcpdump writes of the interface "any"; gopacket has no name for it

// linkHeaders are the link types that are read, with the length of their headers, and where in
// them the type of what follows is, if it is told.
var linkHeaders = map[uint32]struct{ size, etherType int }{
	uint32(layers.LinkTypeEthernet): {14, 12},
	uint32(layers.LinkTypeLinuxSLL): {16, 14},
	linuxSLL2:                       {20, 0},
	uint32(layers.LinkTypeNull):     {size: 4},
	uint32(layers.LinkTypeLoop):     {size: 4},
	uint32(layers.LinkTypeRaw):      {},
	uint32(layers.LinkTypeIPv4):     {},
	uint32(layers.LinkTypeIPv6):     {},
}

// network returns the IP packet in a packet.
func network(p raw) (datagram, error) {
	header, data, lost := linkHeaders[p.link], p.data, max(0, p.info.Length-p.info.CaptureLength)
	switch {
	case len(data) < header.size && lost == 0:
		return datagram{}, errOther
	case len(data) < header.size:
		return datagram{}, errShort
	}
	switch {
	case header.size == 4: // a protocol family; its byte order is that of some machine
		family := binary.LittleEndian.Uint32(data)
		if family>>16 != 0 {
			family = binary.BigEndian.Uint32(data)
		}
		data = data[4:]
		switch family {
		case 2, 10, 24, 28, 30: // IPv4, and IPv6 under Linux, BSD, FreeBSD and Darwin
		default:
			return datagram{}, errOther
		}
	case header.size > 0:
		etherType := binary.BigEndian.Uint16(data[header.etherType:])
		for data = data[header.size:]; etherType == 0x8100 || etherType == 0x88a8 || etherType == 0x9100; data = data[4:] { // VLAN tags
			if len(data) < 4 {
				return datagram{}, errShort
			}
			etherType = binary.BigEndian.Uint16(data[2:])
		}
		if etherType != uint16(layers.EthernetTypeIPv4) && etherType != uint16(layers.EthernetTypeIPv6) {
			return datagram{}, errOther
		}
	}
	if len(data) == 0 {
		return datagram{}, errShort
	}
	switch data[0] >> 4 {
	case 4:
		return internet4(data, lost)
	case 6:
		return internet6(data, lost)
	}
	return datagram{}, errOther
}

// internet4 reads an IPv4 packet of which so many bytes were not captured. Its options are of no
// interest.
func internet4(b []byte, lost int) (d datagram, err error) {
	if len(b) < 20 {
		return d, errShort
	}
	header, size := int(b[0]&15)*4, int(binary.BigEndian.Uint16(b[2:]))
	if size == 0 { // of a packet that the network card was to split
		size = len(b) + lost
	}
	if header < 20 || size < header {
		return d, errOther
	}
	if len(b) < header {
		return d, errShort
	}
	split := binary.BigEndian.Uint16(b[6:])
	d = datagram{
		from: netip.AddrFrom4([4]byte(b[12:])), to: netip.AddrFrom4([4]byte(b[16:])), protocol: b[9], payload: b[header:min(size, len(b))], size: size - header,
		id: uint32(binary.BigEndian.Uint16(b[4:])), offset: int(split&0x1fff) * 8, more: split&0x2000 != 0,
	}
	d.fragment = d.more || d.offset > 0
	return d, nil
}

// internet6 reads an IPv6 packet of which so many bytes were not captured.
func internet6(b []byte, lost int) (d datagram, err error) {
	if len(b) < 40 {
		return d, errShort
	}
	size := int(binary.BigEndian.Uint16(b[4:]))
	if size == 0 { // it is larger than that, or to be split
		size = len(b) - 40 + lost
	}
	return datagram{
		from: netip.AddrFrom16([16]byte(b[8:])), to: netip.AddrFrom16([16]byte(b[24:])), protocol: b[6], payload: b[40:min(40+size, len(b))], size: size,
	}, nil
}

// unwrap goes behind the extension headers, to what they extend.
func (d *datagram) unwrap() error {
	for {
		size := 8
		switch d.protocol {
		case protoTCP, protoUDP:
			if d.fragment {
				return errFragment
			}
			return nil
		case hopByHop, routing, fragment, authentication, destination, mobility:
			if d.fragment {
				return errFragment
			}
		default:
			return errOther
		}
		if err := d.has(size); err != nil {
			return err
		}
		next := d.payload[0]
		switch d.protocol {
		case fragment:
			split := binary.BigEndian.Uint16(d.payload[2:])
			d.id, d.offset, d.more = binary.BigEndian.Uint32(d.payload[4:]), int(split&^7), split&1 != 0
			d.fragment = d.more || d.offset > 0
		case authentication:
			size = (int(d.payload[1]) + 2) * 4
		default:
			size = (int(d.payload[1]) + 1) * 8
		}
		if err := d.has(size); err != nil {
			return err
		}
		d.protocol, d.payload, d.size = next, d.payload[size:], d.size-size
	}
}

// has returns an error unless n bytes of the payload were captured.
func (d *datagram) has(n int) error {
	switch {
	case d.size < n:
		return errOther
	case len(d.payload) < n:
		return errShort
	}
	return nil
}

// transport is what the header of UDP or TCP says, and what is behind it.
type transport struct {
	from, to      uint16 // ports
	seq           uint32 // TCP only, as is what follows
	syn, fin, rst bool
	payload       []byte
	size          int  // of the payload as it was sent
	cut           bool // not all of it was captured
}

// transport reads the header of UDP or TCP. Ports are told as soon as they are known.
func (d *datagram) transport() (t transport, err error) {
	b, least := d.payload, 8
	if d.protocol == protoTCP {
		least = 20
	}
	if len(b) >= 4 {
		t.from, t.to = binary.BigEndian.Uint16(b), binary.BigEndian.Uint16(b[2:])
	}
	if err := d.has(least); err != nil {
		return t, err
	}
	header, size := least, d.size
	if d.protocol == protoTCP {
		header = int(b[12]>>4) * 4
		t.seq, t.fin, t.syn, t.rst = binary.BigEndian.Uint32(b[4:]), b[13]&1 != 0, b[13]&2 != 0, b[13]&4 != 0
	} else if n := int(binary.BigEndian.Uint16(b[4:])); n > 0 { // 0: as far as the packet goes
		size = n
	}
	if header < least || size < header {
		return t, errOther
	}
	if err := d.has(header); err != nil {
		return t, err
	}
	t.payload, t.size, t.cut = b[header:min(size, len(b))], size-header, len(b) < size
	return t, nil
}
