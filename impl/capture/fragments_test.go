package capture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
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

// split4 splits an IPv4 packet into fragments of at most n bytes each, a multiple of eight.
func split4(ip []byte, id uint16, n int) (all [][]byte) {
	for at := 20; at < len(ip); at += n {
		end := min(at+n, len(ip))
		f := slices.Concat(ip[:20], ip[at:end])
		binary.BigEndian.PutUint16(f[2:], uint16(len(f)))
		binary.BigEndian.PutUint16(f[4:], id)
		place := uint16((at - 20) / 8)
		if end < len(ip) {
			place |= 0x2000
		}
		binary.BigEndian.PutUint16(f[6:], place)
		all = append(all, f)
	}
	return all
}

// split6 does the same to an IPv6 packet.
func split6(ip []byte, id uint32, n int) (all [][]byte) {
	for at := 40; at < len(ip); at += n {
		end := min(at+n, len(ip))
		header := binary.BigEndian.AppendUint32([]byte{ip[6], 0, 0, 0}, id)
		place := uint16(at - 40)
		if end < len(ip) {
			place |= 1
		}
		binary.BigEndian.PutUint16(header[2:], place)
		f := slices.Concat(ip[:40], header, ip[at:end])
		f[6] = 44
		binary.BigEndian.PutUint16(f[4:], uint16(len(f)-40))
		all = append(all, f)
	}
	return all
}

// TestFragments puts packets together that came in three fragments each: a to c of ours, d to
// f of another of ours, x to z of a port that is not ours. A capital is cut to ten bytes behind
// its headers; "'" makes the one before another of the same place. What is read is the
// sequence of a frame, or that some are missing.
func TestFragments(t *testing.T) {
	one, six := wiretest.Encode(t, frame(0), nil), wiretest.Encode(t, frame(5), nil)
	for version, made := range map[string][][]byte{
		"v4": slices.Concat(
			split4(packet(t, one, ip4(layers.IPProtocolUDP), udp(9, wire.Port)), 1, 32),
			split4(packet(t, six, ip4(layers.IPProtocolUDP), udp(9, wire.Port)), 2, 32),
			split4(packet(t, one, ip4(layers.IPProtocolUDP), udp(9, 53)), 3, 32)),
		"v6": slices.Concat(
			split6(packet(t, one, ip6(layers.IPProtocolUDP), udp(9, wire.Port)), 1, 32),
			split6(extended(packet(t, six[:70], ip6(layers.IPProtocolUDP), udp(9, wire.Port)), 60, 1, 4, 0, 0, 0, 0), 2, 32),
			split6(packet(t, one, ip6(layers.IPProtocolUDP), udp(9, 53)), 3, 32)),
	} {
		if len(made) != 9 {
			t.Fatal(len(made))
		}
		for order, want := range map[string]string{
			"abc": "1", "cba": "1", "bca": "1", "adbecf": "1 6", "fedcba": "6 1", "abcabc": "1 1", "aabbcc": "1 missing",
			"abab": "missing", "aabbc": "1", "bc": "missing", "ac": "missing", "ab": "missing", "abcc": "1 missing",
			"xyz": "", "xy": "", "xz": "", "yz": "missing", "Ay": "missing missing", "Xy": "",
			"Abc": "missing", "aBc": "missing", "abC": "missing", "Xyz": "",
			"ab'c": "1", "abb'c": "missing missing", "def": "6",
		} {
			if version == "v6" {
				want = strings.ReplaceAll(want, "6", "short")
			}
			var all []fragmentOf
			for _, c := range order {
				switch i := strings.IndexRune("abcdefxyz", c|32); {
				case c == '\'':
					f := bytes.Clone(all[len(all)-1].bytes)
					f[len(f)-1]++
					all[len(all)-1].bytes = f
				case c < 'a':
					n := map[string]int{"v4": 30, "v6": 58}[version]
					all = append(all, fragmentOf{made[i][:n], len(made[i])})
				default:
					all = append(all, fragmentOf{made[i], len(made[i])})
				}
			}
			if got := strings.Join(readFragments(t, all, 0), " "); got != want {
				t.Errorf("%s %s: %q, want %q", version, order, got, want)
			}
		}
	}
}

// fragmentOf is a fragment, and the size that the file says it had.
type fragmentOf struct {
	bytes []byte
	size  int
}

// readFragments reads packets that come after each other, for each frame its sequence.
func readFragments(t *testing.T, all []fragmentOf, every time.Duration) (said []string) {
	t.Helper()
	var b bytes.Buffer
	w := pcapgo.NewWriterNanos(&b)
	err := w.WriteFileHeader(65536, layers.LinkTypeRaw)
	for i, f := range all {
		err = errors.Join(err, w.WritePacket(gopacket.CaptureInfo{Timestamp: start.Add(time.Duration(i) * every), CaptureLength: len(f.bytes), Length: f.size}, f.bytes))
	}
	if err != nil {
		t.Fatal(err)
	}
	got, err := read(b.Bytes(), capture.Options{})
	if err != io.EOF {
		t.Fatal(err)
	}
	for _, p := range got {
		switch {
		case errors.Is(p.Err, capture.ErrMissing):
			said = append(said, "missing")
		case p.Err != nil:
			said = append(said, wire.Label(p.Err))
		case p.From.Port() != 9 || p.To.Port() != wire.Port || !p.From.Addr().IsLoopback():
			t.Errorf("%+v", p)
		default:
			said = append(said, fmt.Sprint(p.Frame.Sequence))
		}
	}
	return said
}

// TestFragmentsWait: fragments that are too late are of another packet, and no more packets
// are kept than a few.
func TestFragmentsWait(t *testing.T) {
	ip := packet(t, wiretest.Encode(t, frame(0), nil), ip4(layers.IPProtocolUDP), udp(9, wire.Port))
	parts := split4(ip, 1, 64)
	two := []fragmentOf{{parts[0], len(parts[0])}, {parts[1], len(parts[1])}}
	for every, want := range map[time.Duration]string{30 * time.Second: "1", 31 * time.Second: "missing missing", -time.Hour: "1"} {
		if got := strings.Join(readFragments(t, two, every), " "); got != want {
			t.Errorf("%v: %q, want %q", every, got, want)
		}
	}
	var all []fragmentOf
	for id := range uint16(65) {
		all = append(all, fragmentOf{split4(ip, id, 64)[0], len(parts[0])})
	}
	for id := range uint16(64) {
		all = append(all, fragmentOf{split4(ip, 1+id, 64)[1], len(parts[1])})
	}
	if got := strings.Join(readFragments(t, all, 0), " "); got != "missing"+strings.Repeat(" 1", 64) {
		t.Errorf("%q", got)
	}
}

// TestFragmentsContradict: of a packet whose fragments overlap, or go on behind its end,
// nothing is read.
func TestFragmentsContradict(t *testing.T) {
	ip := packet(t, wiretest.Encode(t, frame(0), nil), ip4(layers.IPProtocolUDP), udp(9, wire.Port))
	at := func(from, to int, more bool) fragmentOf {
		b := slices.Concat(ip[:20], ip[20+from:20+to])
		place := uint16(from / 8)
		if more {
			place |= 0x2000
		}
		binary.BigEndian.PutUint16(b[2:], uint16(len(b)))
		binary.BigEndian.PutUint16(b[6:], place)
		return fragmentOf{b, len(b)}
	}
	end := len(ip) - 20
	for what, c := range map[string]struct {
		all  []fragmentOf
		want string
	}{
		"all fit":                    {[]fragmentOf{at(0, 32, true), at(32, 64, true), at(64, end, false)}, "1"},
		"one begins before":          {[]fragmentOf{at(0, 32, true), at(24, 64, true), at(64, end, false)}, "missing"},
		"one ends behind":            {[]fragmentOf{at(64, end, false), at(0, 72, true)}, "missing"},
		"more behind the end":        {[]fragmentOf{at(64, end, true), at(0, 64, true)}, "missing"},
		"an end before the end":      {[]fragmentOf{at(64, end, false), at(32, 64, false), at(0, 32, true)}, "missing"},
		"one is the end, and is not": {[]fragmentOf{at(64, end, false), at(64, end, true), at(0, 64, true)}, "missing missing"},
		"one is within another":      {[]fragmentOf{at(0, 64, true), at(32, 40, true), at(64, end, false)}, "missing"},
	} {
		if got := strings.Join(readFragments(t, c.all, 0), " "); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// TestFragmentsOfStream: the segments of a stream may come in fragments, too, and what no
// frame can be in does not matter.
func TestFragmentsOfStream(t *testing.T) {
	f := wiretest.Encode(t, frame(0), nil)
	tcp := packet(t, f, ip4(layers.IPProtocolTCP), &layers.TCP{SrcPort: 9, DstPort: wire.Port, Seq: 10, ACK: true})
	ping := packet(t, f, ip4(layers.IPProtocolICMPv4), &layers.ICMPv4{})
	var all []fragmentOf
	for _, b := range append(split4(ping, 7, 64)[1:], split4(tcp, 1, 16)...) {
		all = append(all, fragmentOf{b, len(b)})
	}
	if got := strings.Join(readFragments(t, all, 0), " "); got != "1" {
		t.Errorf("%q", got)
	}
	if got := strings.Join(readFragments(t, all[:3], 0), " "); got != "missing" {
		t.Errorf("no end: %q", got)
	}
	tcp = packet(t, slices.Concat(f, f), ip4(layers.IPProtocolTCP), &layers.TCP{SrcPort: 9, DstPort: wire.Port, Seq: 10, ACK: true})
	all = nil
	for _, b := range split4(tcp, 1, 24+len(f)&^7) {
		all = append(all, fragmentOf{b, len(b)})
	}
	all[0].bytes = all[0].bytes[:60] // and there is a frame behind what is missing
	if got := strings.Join(readFragments(t, all, 0), " "); got != "missing" {
		t.Errorf("cut: %q", got)
	}
}

// TestRest: what is held back is read once nothing is to come.
func TestRest(t *testing.T) {
	f := split4(packet(t, wiretest.Encode(t, frame(0), nil), ip4(layers.IPProtocolUDP), udp(9, wire.Port)), 1, 64)[0]
	r, err := capture.NewReader(bytes.NewReader(pcapFile(t, layers.LinkTypeRaw, f)), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if rest := r.Rest(); len(rest) != 0 {
		t.Errorf("%+v", rest)
	}
	p, err := r.Next()
	if err != nil || !errors.Is(p.Err, capture.ErrMissing) || p.Number != 1 || p.To.Port() != wire.Port {
		t.Errorf("%+v, %v", p, err)
	}
}
