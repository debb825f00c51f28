package capture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/impl/wire/wiretest"
)

// packet returns the bytes of layers, of which the last is TCP or UDP.
func packet(t testing.TB, payload []byte, below ...gopacket.SerializableLayer) []byte {
	t.Helper()
	b := gopacket.NewSerializeBuffer()
	below = append(below, gopacket.Payload(payload))
	if err := gopacket.SerializeLayers(b, gopacket.SerializeOptions{FixLengths: true}, below...); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func ip4(p layers.IPProtocol) *layers.IPv4 {
	return &layers.IPv4{Version: 4, TTL: 64, Protocol: p, SrcIP: one.Addr().AsSlice(), DstIP: two.Addr().AsSlice()}
}

func ip6(p layers.IPProtocol) *layers.IPv6 {
	loopback := address("::1").Addr().AsSlice()
	return &layers.IPv6{Version: 6, HopLimit: 64, NextHeader: p, SrcIP: loopback, DstIP: loopback}
}

func ether(t layers.EthernetType) *layers.Ethernet {
	return &layers.Ethernet{SrcMAC: make([]byte, 6), DstMAC: make([]byte, 6), EthernetType: t}
}

func udp(from, to uint16) *layers.UDP {
	return &layers.UDP{SrcPort: layers.UDPPort(from), DstPort: layers.UDPPort(to)}
}

// pcapFile returns a file of the older format.
func pcapFile(t testing.TB, link layers.LinkType, packets ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := pcapgo.NewWriterNanos(&b)
	if err := w.WriteFileHeader(65536, link); err != nil {
		t.Fatal(err)
	}
	for i, p := range packets {
		info := gopacket.CaptureInfo{Timestamp: start.Add(time.Duration(i)), CaptureLength: len(p), Length: len(p)}
		if err := w.WritePacket(info, p); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// TestLinkTypes reads pcap files of each link type.
func TestLinkTypes(t *testing.T) {
	f := wiretest.Encode(t, frame(0), nil)
	below4, below6 := packet(t, f, ip4(layers.IPProtocolUDP), udp(9, wire.Port)), packet(t, f, ip6(layers.IPProtocolUDP), udp(9, wire.Port))
	cooked := append([]byte{0, 0, 3, 4, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0}, below4...)
	cooked2 := func(etherType uint16, below []byte) []byte {
		return append(append(binary.BigEndian.AppendUint16(nil, etherType), 0, 0, 0, 0, 0, 1, 3, 4, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0), below...)
	}
	cookedNg := ngFile(t, pcapgo.NgInterface{}, cooked2(0x0800, below4), cooked2(0x86dd, below6))
	cookedNg[ngLink], cookedNg[ngLink+1] = 276&0xff, 276>>8
	tag := func(t layers.EthernetType) *layers.Dot1Q { return &layers.Dot1Q{VLANIdentifier: 7, Type: t} }
	for what, file := range map[string][]byte{
		"ethernet": pcapFile(t, layers.LinkTypeEthernet,
			packet(t, below4, ether(layers.EthernetTypeIPv4)), packet(t, below6, ether(layers.EthernetTypeIPv6))),
		"cooked":              pcapFile(t, layers.LinkTypeLinuxSLL, cooked, cooked),
		"cooked v2":           withLink(pcapFile(t, 0, cooked2(0x0800, below4), cooked2(0x8100, append([]byte{0, 7, 0x86, 0xdd}, below6...))), 276),
		"cooked v2 in pcapng": cookedNg,
		"raw":                 pcapFile(t, layers.LinkTypeRaw, below4, below6),
		"bare v4":             pcapFile(t, layers.LinkTypeIPv4, below4, below4),
		"bare v6":             pcapFile(t, layers.LinkTypeIPv6, below6, below6),
		"tagged": pcapFile(t, layers.LinkTypeEthernet,
			packet(t, below4, ether(layers.EthernetTypeDot1Q), tag(layers.EthernetTypeIPv4)),
			packet(t, below6, ether(layers.EthernetTypeQinQ), tag(layers.EthernetTypeDot1Q), tag(layers.EthernetTypeIPv6))),
		"tagged as before the standard": pcapFile(t, layers.LinkTypeEthernet,
			packet(t, below4, ether(0x9100), tag(layers.EthernetTypeIPv4)), packet(t, below6, ether(0x9100), tag(0x9100), tag(layers.EthernetTypeIPv6))),
		"with checksums behind": withLink(pcapFile(t, 0,
			packet(t, append(bytes.Clone(below4), 1, 2, 3, 4), ether(layers.EthernetTypeIPv4)),
			packet(t, append(bytes.Clone(below6), 1, 2, 3, 4), ether(layers.EthernetTypeIPv6))), 0x4400_0001),
		"padded": pcapFile(t, layers.LinkTypeRaw, append(bytes.Clone(below4), make([]byte, 9)...), append(bytes.Clone(below6), make([]byte, 9)...)),
		"options of IPv4": pcapFile(t, layers.LinkTypeIPv4,
			withOptions(below4, 148, 4, 0, 0), withOptions(below4, 7, 7, 4, 127, 0, 0, 1, 0), // router alert; the route, recorded
		),
		"options that are none": pcapFile(t, layers.LinkTypeIPv4, withOptions(below4, 9, 0, 0, 0), withOptions(below4, 9, 99, 0, 0)),
		"extensions of IPv6": pcapFile(t, layers.LinkTypeIPv6,
			extended(below6, 0, 1, 4, 0, 0, 0, 0), // hop by hop
			extended(extended(extended(extended(below6, 60, 1, 4, 0, 0, 0, 0), 44, 0, 0, 0, 0, 0, 9), 43, 0, 0, 0, 0, 0, 0), 0, 5, 2, 0, 0, 1, 0)),
		"authenticated": pcapFile(t, layers.LinkTypeIPv6, extended(below6, 51, 0, 0, 0, 0, 0, 0), with(extended(below6, 51, make([]byte, 22)...), 41, 4)),
		"of no length":  pcapFile(t, layers.LinkTypeRaw, with(with(below4, 2, 0), 3, 0), with(with(below6, 4, 0), 5, 0)), // to be split by the network card
		"BSD loopback":  pcapFile(t, layers.LinkTypeNull, append([]byte{2, 0, 0, 0}, below4...), append([]byte{0, 0, 0, 30}, below6...)),
		"OpenBSD":       pcapFile(t, layers.LinkTypeLoop, append([]byte{0, 0, 0, 2}, below4...), append([]byte{0, 0, 0, 24}, below6...)),
	} {
		got, err := read(file, capture.Options{})
		if err != io.EOF || len(got) != 2 {
			t.Errorf("%s: %d packets, %v", what, len(got), err)
			continue
		}
		for i, p := range got {
			if p.Err != nil || p.Frame.Sequence != 1 || p.TCP || p.Interface != "" || p.Number != i+1 || p.From.Port() != 9 || p.To.Port() != wire.Port ||
				!p.From.Addr().IsLoopback() || !p.To.Addr().IsLoopback() || !p.Time.Equal(start.Add(time.Duration(i))) {
				t.Errorf("%s: %+v", what, p)
			}
		}
	}
	ng := ngFile(t, pcapgo.NgInterface{LinkType: layers.LinkTypePPP}, below4)
	twenty := ngFile(t, pcapgo.NgInterface{LinkType: 276 & 0xff}, below4) // which the library takes for 276
	for what, file := range map[string][]byte{"read: 9: Ethernet": pcapFile(t, layers.LinkTypePPP), "block 2: Ethernet": ng, "read: 20: block 2": twenty, "read: 532": withLink(pcapFile(t, 0), 512+20)} {
		if _, err := read(file, capture.Options{}); !errors.Is(err, capture.ErrLinkType) || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// ngLink is where in a file of ngFile the link type is.
const ngLink = 28 + 8

// ngFile returns a pcapng file with one interface.
func ngFile(t testing.TB, iface pcapgo.NgInterface, packets ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := pcapgo.NewNgWriterInterface(&b, iface, pcapgo.NgWriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range packets {
		info := gopacket.CaptureInfo{Timestamp: start.Add(time.Duration(i)), CaptureLength: len(p), Length: len(p)}
		if err := w.WritePacket(info, p); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withOptions puts options into an IPv4 header that has none.
func withOptions(ip []byte, options ...byte) []byte {
	b := slices.Concat(ip[:20], options, ip[20:])
	b[0] += byte(len(options) / 4)
	binary.BigEndian.PutUint16(b[2:], uint16(len(b)))
	return b
}

// extended puts an extension header of eight bytes behind an IPv6 header. The first two are
// filled in.
func extended(ip []byte, protocol byte, rest ...byte) []byte {
	b := slices.Concat(ip[:40], []byte{ip[6], 0}, rest, ip[40:])
	b[6] = protocol
	binary.BigEndian.PutUint16(b[4:], uint16(len(b)-40))
	return b
}

func withLink(file []byte, link uint32) []byte {
	binary.LittleEndian.PutUint32(file[20:], link)
	return file
}

// TestOthers puts our frames among other packets.
func TestOthers(t *testing.T) {
	f := wiretest.Encode(t, frame(0), nil)
	eth := func(p layers.IPProtocol, l gopacket.SerializableLayer, payload []byte) []byte {
		return packet(t, payload, ether(layers.EthernetTypeIPv4), ip4(p), l)
	}
	file := pcapFile(t, layers.LinkTypeEthernet,
		eth(layers.IPProtocolUDP, udp(53, 53), f),
		eth(layers.IPProtocolUDP, udp(53, 7000), f),
		eth(layers.IPProtocolUDP, udp(wire.Port, 53), []byte("who?")),
		eth(layers.IPProtocolICMPv4, &layers.ICMPv4{}, f),
		eth(layers.IPProtocolTCP, &layers.TCP{SrcPort: 80, DstPort: 81, PSH: true, ACK: true, DataOffset: 5}, f),
		packet(t, f, ether(layers.EthernetTypeARP)),
		[]byte("short"),
		with(with(eth(layers.IPProtocolUDP, udp(9, wire.Port), f), 38, 0), 39, 7),                                       // shorter than its header
		with(eth(layers.IPProtocolTCP, &layers.TCP{SrcPort: 9, DstPort: wire.Port, PSH: true, ACK: true}, f), 46, 0x40), // the same
		with(with(eth(layers.IPProtocolUDP, udp(9, wire.Port), f), 16, 0), 17, 19),
	)
	r, err := capture.NewReader(bytes.NewReader(file), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Next()
	if err != nil || p.Number != 3 || !errors.Is(p.Err, wire.ErrForeign) || string(p.Bytes) != "who?" {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := r.Next(); err != io.EOF || r.Skipped() != 9 {
		t.Errorf("%+v, %v; %d skipped", p, err, r.Skipped())
	}
	got, err := read(file, capture.Options{Ports: []uint16{53, 7000}})
	if err != io.EOF || len(got) != 3 || got[0].Err != nil || got[1].Err != nil {
		t.Errorf("by other ports: %+v, %v", got, err)
	}
}

// TestSnapped says so of packets that were not captured to their end.
func TestSnapped(t *testing.T) {
	f := wiretest.Encode(t, frame(0), nil)
	datagram := packet(t, f, ether(layers.EthernetTypeIPv4), ip4(layers.IPProtocolUDP), udp(9, wire.Port))
	segment := packet(t, append(f, f...), ether(layers.EthernetTypeIPv4), ip4(layers.IPProtocolTCP), &layers.TCP{SrcPort: 9, DstPort: wire.Port, Seq: 10, ACK: true})
	datagram6 := packet(t, f, ether(layers.EthernetTypeIPv6), ip6(layers.IPProtocolUDP), udp(9, wire.Port))
	segment6 := packet(t, append(f, f...), ether(layers.EthernetTypeIPv6), ip6(layers.IPProtocolTCP), &layers.TCP{SrcPort: 9, DstPort: wire.Port, Seq: 10, ACK: true})
	no := func(b []byte, lengths ...int) []byte { // the network card was to split it
		for _, at := range lengths {
			b = with(with(b, at, 0), at+1, 0)
		}
		return b
	}
	for what, c := range map[string]struct {
		packet []byte
		size   int
		want   string
	}{
		"a datagram of no length":          {no(datagram, 16, 38), 96, "96 bytes of the packet's 115 were captured"},
		"a datagram of IPv6, of no length": {no(datagram6, 18, 58), 96, "96 bytes of the packet's 135 were captured"},
		"a segment of no length":           {no(segment, 16), 54 + len(f), "the stream ends after 0 bytes of it"},
		"a segment of IPv6, of no length":  {no(segment6, 18), 74 + len(f), "the stream ends after 0 bytes of it"},
		"a datagram":                       {datagram, 96, "96 bytes of the packet's 115 were captured"},
		"a datagram's header":              {datagram, 42, "42 bytes of the packet's 115 were captured"},
		"a segment":                        {segment, 96, "the stream ends after 42 bytes of it"},
		"the header of a segment":          {segment, 54, "the stream ends after 0 bytes of it"},
		"a frame and not the next":         {segment, 54 + len(f), "the stream ends after 0 bytes of it"},
	} {
		got, err := read(withLink(snapped(t, c.packet[:c.size], len(c.packet)), 1), capture.Options{})
		if err != io.EOF || len(got) == 0 {
			t.Errorf("%s: %+v, %v", what, got, err)
			continue
		}
		if last := got[len(got)-1].Err; !errors.Is(last, wire.ErrShort) || !errors.Is(last, capture.ErrMissing) || !strings.Contains(last.Error(), c.want) {
			t.Errorf("%s: %v", what, last)
		}
	}
}

// TestSnappedStream: what is behind a segment that was cut is read, and a cut one that comes
// again is not missing.
func TestSnappedStream(t *testing.T) {
	f := wiretest.Encode(t, frame(0), nil)
	n := uint32(len(f))
	at := func(seq uint32) []byte {
		return packet(t, f, ip4(layers.IPProtocolTCP), &layers.TCP{SrcPort: 9, DstPort: wire.Port, Seq: seq, ACK: true})
	}
	for what, c := range map[string]struct {
		packets [][]byte
		want    string
	}{
		"cut":       {[][]byte{at(10), at(10 + n)[:50], at(10 + 2*n)}, "1 missing 1"},
		"cut, last": {[][]byte{at(10), at(10 + n)[:50]}, "1 missing"},
		"cut again": {[][]byte{at(10), at(10 + n), at(10)[:50]}, "1 1"},
	} {
		var said []string
		got, err := read(pcapFile(t, layers.LinkTypeRaw, c.packets...), capture.Options{})
		for _, p := range got {
			said = append(said, map[bool]string{true: "missing", false: fmt.Sprint(p.Frame.Sequence)}[errors.Is(p.Err, capture.ErrMissing)])
		}
		if err != io.EOF || strings.Join(said, " ") != c.want {
			t.Errorf("%s: %v, %v; want %s", what, said, err, c.want)
		}
	}
}

// TestSnappedAnywhere: wherever a packet of ours is cut, there is a frame or it is told that a
// part of it is missing, whether the file knows how long it was or only the packet does. Of a
// packet that is not ours nothing is told once that is certain.
func TestSnappedAnywhere(t *testing.T) {
	f := wiretest.Encode(t, frame(0), nil)
	for what, c := range map[string]struct {
		link  uint32
		below func(p layers.IPProtocol, l gopacket.SerializableLayer) []byte
		ports int // where they end, behind the IP header
		ip    int // where the length of the IP packet ends
	}{
		"IPv4": {1, func(p layers.IPProtocol, l gopacket.SerializableLayer) []byte {
			return packet(t, f, ether(layers.EthernetTypeIPv4), ip4(p), l)
		}, 38, 34},
		"IPv4 with options": {228, func(p layers.IPProtocol, l gopacket.SerializableLayer) []byte {
			return withOptions(packet(t, f, ip4(p), l), 148, 4, 0, 0)
		}, 28, 24},
		"IPv6 with extensions": {229, func(p layers.IPProtocol, l gopacket.SerializableLayer) []byte {
			return extended(extended(packet(t, f, ip6(p), l), 60, 1, 4, 0, 0, 0, 0), 0, 1, 4, 0, 0, 0, 0)
		}, 60, 40},
		"tagged": {1, func(p layers.IPProtocol, l gopacket.SerializableLayer) []byte {
			return packet(t, f, ether(layers.EthernetTypeDot1Q), &layers.Dot1Q{VLANIdentifier: 7, Type: layers.EthernetTypeIPv4}, ip4(p), l)
		}, 42, 38},
	} {
		for _, port := range []uint16{wire.Port, 7} {
			tcp := &layers.TCP{SrcPort: 9, DstPort: layers.TCPPort(port), Seq: 10, ACK: true, Options: []layers.TCPOption{{OptionType: 1}, {OptionType: 1}, {OptionType: 1}, {OptionType: 0}}}
			for proto, whole := range map[string][]byte{"UDP": c.below(layers.IPProtocolUDP, udp(9, port)), "TCP": c.below(layers.IPProtocolTCP, tcp)} {
				for n := range whole {
					for _, size := range []int{len(whole), n} {
						got, err := read(withLink(snapped(t, whole[:n], size), c.link), capture.Options{})
						told := len(got) == 1 && errors.Is(got[0].Err, capture.ErrMissing)
						want := port == wire.Port || n < c.ports
						if size == n && n < c.ip { // not even the packet knows
							want = told
						}
						if err != io.EOF || told != want || len(got) > 1 || !told && len(got) > 0 {
							t.Errorf("%s, %s by port %d, %d of %d bytes: %+v, %v", what, proto, port, n, size, got, err)
						}
					}
				}
			}
		}
	}
}

// snapped returns a pcap file with one packet, the beginning of one of some size.
func snapped(t testing.TB, begins []byte, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := pcapgo.NewWriter(&b)
	if err := errors.Join(w.WriteFileHeader(96, 0), w.WritePacket(gopacket.CaptureInfo{CaptureLength: len(begins), Length: size}, begins)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestDropped: packets that were dropped may be ours, and are told, by a recording, too.
func TestDropped(t *testing.T) {
	f := packet(t, wiretest.Encode(t, frame(0), nil), ip4(layers.IPProtocolUDP), udp(9, wire.Port))
	for _, option := range []byte{4, 5, 7} { // received; dropped by the interface, and by the system
		for dropped, want := range map[uint64]string{0: "", 3: "3 packets were dropped"} {
			if option == 4 {
				want = ""
			}
			var b, again bytes.Buffer
			w, err := pcapgo.NewNgWriterInterface(&b, pcapgo.NgInterface{LinkType: layers.LinkTypeRaw}, pcapgo.NgWriterOptions{})
			if err == nil {
				err = errors.Join(w.WritePacket(gopacket.CaptureInfo{Timestamp: start, CaptureLength: len(f), Length: len(f)}, f),
					w.WriteInterfaceStats(0, pcapgo.NgInterfaceStatistics{LastUpdate: start, PacketsReceived: pcapgo.NgNoValue64, PacketsDropped: dropped}),
					w.WriteInterfaceStats(0, pcapgo.NgInterfaceStatistics{LastUpdate: start, PacketsReceived: pcapgo.NgNoValue64}), // another, of none
					w.WritePacket(gopacket.CaptureInfo{Timestamp: start, CaptureLength: len(f), Length: len(f)}, f), w.Flush())
			}
			if err != nil {
				t.Fatal(err)
			}
			file := bytes.Replace(b.Bytes(), []byte{5, 0, 8, 0}, []byte{option, 0, 8, 0}, 1)
			r, err := capture.NewReader(bytes.NewReader(file), capture.Options{})
			if err != nil {
				t.Fatal(err)
			}
			recording := r.Record(&again)
			for err == nil {
				_, err = r.Next()
			}
			if err := errors.Join(recording.Flush(), recording.Flush()); err != nil {
				t.Fatal(err)
			}
			unknown := bytes.ReplaceAll(file, []byte{option, 0, 8, 0, byte(dropped), 0, 0, 0, 0, 0, 0, 0}, append([]byte{option, 0, 8, 0}, bytes.Repeat([]byte{0xff}, 8)...))
			if got, err := read(unknown, capture.Options{}); err != io.EOF || len(got) != 2 {
				t.Errorf("option %d, not known: %+v, %v", option, got, err)
			}
			for _, file := range [][]byte{file, again.Bytes()} {
				got, err := read(file, capture.Options{})
				if err != io.EOF || want == "" && len(got) != 2 || want != "" && (len(got) != 3 || !slices.ContainsFunc(got, func(p capture.Packet) bool {
					return errors.Is(p.Err, capture.ErrMissing) && strings.Contains(p.Err.Error(), want) && p.Number > 0
				})) {
					t.Errorf("option %d, %d: %+v, %v", option, dropped, got, err)
				}
			}
		}
	}
}

// TestRecorded reads what dumpcap and tcpdump wrote of real sockets on loopback, as the
// interface lo and as a part of "any": six frames over UDP and six over TCP, two and three of
// them in a segment.
func TestRecorded(t *testing.T) {
	for _, name := range []string{"lo.pcapng", "lo.pcap", "any.pcapng", "any.pcap"} {
		file, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := read(file, capture.Options{})
		if err != io.EOF || len(got) != 12 {
			t.Fatalf("%s: %d packets, %v", name, len(got), err)
		}
		for i, p := range got {
			if want := wiretest.Encode(t, frame(i%6), nil); p.Err != nil || p.TCP != (i >= 6) || !bytes.Equal(p.Bytes, want) || p.To != two {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
}

// TestHostile wants one error, the right one, and little memory for each file.
func TestHostile(t *testing.T) {
	file, _ := writtenOver(t, 1, nil, func(int) bool { return false })
	section := int(binary.LittleEndian.Uint32(file[4:]))
	iface := int(binary.LittleEndian.Uint32(file[section+4:]))
	stats := len(file) - 2*40
	at := bytes.Index(file[section:], []byte{9, 0, 1, 0, 9}) + section
	packets := bytes.Index(file, []byte{6, 0, 0, 0})
	set := func(at int, v uint32) []byte {
		b := bytes.Clone(file)
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	old := pcapFile(t, layers.LinkTypeEthernet, make([]byte, 60))
	setOld := func(at int, v uint32) []byte {
		b := bytes.Clone(old)
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	for what, c := range map[string]struct {
		file []byte
		want error
	}{
		"nothing":                        {nil, capture.ErrEmpty},
		"text":                           {[]byte("No. Time Source\n"), capture.ErrForeign},
		"compressed":                     {[]byte("\x1f\x8b\x08\x00zzzzzzzzzzzzzzzzzzzzzzzzz"), capture.ErrForeign},
		"two bytes":                      {[]byte{0x0a, 0x0d}, capture.ErrForeign},
		"no byte order":                  {set(8, 0), capture.ErrDamaged},
		"version 2":                      {set(12, 2), capture.ErrDamaged},
		"a section of 24 bytes":          {set(4, 24), capture.ErrDamaged},
		"a section of 30 bytes":          {set(4, 30), capture.ErrDamaged},
		"an interface of 12 bytes":       {append(bytes.Clone(file[:section]), 1, 0, 0, 0, 12, 0, 0, 0, 12, 0, 0, 0), capture.ErrDamaged},
		"a section of 4 GiB":             {set(4, math.MaxUint32-3), capture.ErrTooLarge},
		"a block of 900 KiB":             {set(4, 900<<10), capture.ErrCut},
		"another length at the end":      {set(section-4, 16), capture.ErrDamaged},
		"option that is too long":        {set(section+16, 0xfff0_0002), capture.ErrDamaged},
		"resolution 10^-64":              {set(at+1, 64<<24|1<<8), capture.ErrDamaged},
		"resolution 10^-20":              {with(file, at+4, 20), capture.ErrDamaged},
		"resolution 2^-64":               {with(file, at+4, 0x80|64), capture.ErrDamaged},
		"resolution of no bytes":         {with(file, at+2, 0), capture.ErrDamaged},
		"a packet of interface 7":        {set(packets+8, 7), capture.ErrDamaged},
		"a packet of 4 GiB":              {set(packets+20, math.MaxUint32), capture.ErrDamaged},
		"a packet without a time":        {set(packets, 3), capture.ErrDamaged},
		"a count of interface 7":         {set(stats+8, 7), capture.ErrDamaged},
		"a count of another number":      {set(stats+24, 5), capture.ErrDamaged},
		"no interface":                   {file[:section], capture.ErrUnfinished},
		"no counts":                      {file[:stats], capture.ErrUnfinished},
		"one count":                      {file[:stats+40], capture.ErrUnfinished},
		"a packet before its interface":  {append(bytes.Clone(file[:section]), file[section+iface:]...), capture.ErrDamaged},
		"pcap: its header is cut":        {old[:23], capture.ErrCut},
		"pcap: version 3":                {setOld(4, 3), capture.ErrDamaged},
		"pcap: cut in a header":          {old[:30], capture.ErrCut},
		"pcap: cut behind a header":      {old[:40], capture.ErrCut},
		"pcap: cut in a packet":          {old[:50], capture.ErrCut},
		"pcap: a packet of 4 GiB":        {setOld(32, math.MaxUint32), capture.ErrTooLarge},
		"pcap: a packet of 2 GiB":        {setOld(32, math.MaxInt32), capture.ErrTooLarge},
		"pcap: and says it may be":       {snapless(setOld(32, math.MaxInt32)), capture.ErrTooLarge},
		"pcap: more captured than there": {setOld(36, 10), capture.ErrDamaged},
	} {
		if _, err := read(c.file, capture.Options{}); !errors.Is(err, c.want) || strings.Contains(err.Error(), "gave up") {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
		if got := wiretest.Allocated(func() { read(c.file, capture.Options{}) }); got > 300<<10 {
			t.Errorf("%s: %d bytes were allocated", what, got)
		}
	}
	if _, err := capture.NewReader(failing{io.ErrNoProgress}, capture.Options{}); !errors.Is(err, io.ErrNoProgress) {
		t.Error(err)
	}
	if _, err := read(append(bytes.Clone(file), file...), capture.Options{}); err != io.EOF {
		t.Errorf("two files one behind the other: %v", err)
	}
}

// snapless lets a pcap file with a packet of 2 GiB allow those.
func snapless(file []byte) []byte {
	binary.LittleEndian.PutUint32(file[16:], math.MaxUint32)
	binary.LittleEndian.PutUint32(file[36:], math.MaxInt32)
	return file
}

func with(b []byte, at int, c byte) []byte {
	b = bytes.Clone(b)
	b[at] = c
	return b
}

func FuzzReader(f *testing.F) {
	file, _ := written(f, 4, nil)
	f.Add(file)
	f.Add(file[:len(file)-3])
	datagrams, _ := writtenOver(f, 2, key, func(int) bool { return false })
	f.Add(datagrams)
	for _, name := range []string{"lo.pcapng", "lo.pcap", "any.pcapng", "any.pcap"} {
		if recorded, err := os.ReadFile("testdata/" + name); err == nil {
			f.Add(recorded)
		}
	}
	f.Add(pcapFile(f, layers.LinkTypeEthernet, make([]byte, 60)))
	f.Add(pcapFile(f, layers.LinkTypeRaw, split4(packet(f, make([]byte, 80), ip4(layers.IPProtocolUDP), udp(9, wire.Port)), 1, 32)...))
	f.Add(pcapFile(f, layers.LinkTypeRaw, split6(packet(f, make([]byte, 80), ip6(layers.IPProtocolUDP), udp(9, wire.Port)), 1, 32)...))
	for _, o := range []order{little, big} {
		for _, c := range files(f, o) {
			f.Add(c.file)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, o := range []capture.Options{{}, {Key: key, Ports: []uint16{wire.Port, 0, 1}}} {
			got, err := read(b, o)
			if err == nil || len(got) > len(b) {
				t.Fatalf("%d packets in %d bytes, %v", len(got), len(b), err)
			}
			for _, p := range got {
				if p.Err == nil && p.Frame.Kind == 0 {
					t.Fatalf("%+v is neither a frame nor an error", p)
				}
			}
		}
	})
}
