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

	"github.com/google/gopacket/layers"
	"pgregory.net/rapid"

	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/impl/wire/wiretest"
)

// segment is a part of a stream from one to two.
type segment struct {
	seq       uint32
	flags     string // s, f and r
	from      uint16 // port; 0: 40000
	bytes     []byte
	backwards bool // from two to one
}

// readSegments returns what is read from a capture of segments: for each frame
// its sequence, for what is none the error.
func readSegments(t *testing.T, segments []segment) []string {
	t.Helper()
	got, err := read(segmentsFile(t, segments), capture.Options{})
	if err != io.EOF {
		t.Fatal(err)
	}
	var said []string
	for _, p := range got {
		switch {
		case !p.TCP || p.From.Port() == p.To.Port():
			t.Errorf("%+v", p)
		case errors.Is(p.Err, capture.ErrMissing):
			said = append(said, "missing")
		case p.Err != nil:
			said = append(said, wire.Label(p.Err))
		default:
			said = append(said, fmt.Sprint(p.Frame.Sequence))
		}
	}
	return said
}

// segmentsFile returns a capture of segments.
func segmentsFile(t *testing.T, segments []segment) []byte {
	t.Helper()
	var packets [][]byte
	for _, s := range segments {
		tcp := &layers.TCP{DstPort: wire.Port, SrcPort: 40000, Seq: s.seq, Window: 1000, ACK: true,
			SYN: strings.Contains(s.flags, "s"), FIN: strings.Contains(s.flags, "f"), RST: strings.Contains(s.flags, "r")}
		if s.from != 0 {
			tcp.SrcPort = layers.TCPPort(s.from)
		}
		ip := ip4(layers.IPProtocolTCP)
		if s.backwards {
			tcp.SrcPort, tcp.DstPort = tcp.DstPort, tcp.SrcPort
			ip.SrcIP, ip.DstIP = ip.DstIP, ip.SrcIP
		}
		packets = append(packets, packet(t, s.bytes, ether(layers.EthernetTypeIPv4), ip, tcp))
	}
	return pcapFile(t, layers.LinkTypeEthernet, packets...)
}

func TestSegments(t *testing.T) {
	a, b, c := wiretest.Encode(t, frame(0), nil), wiretest.Encode(t, frame(5), nil), wiretest.Encode(t, frame(10), nil) // sequences 1, 6, 11
	all := bytes.Join([][]byte{a, b, c}, nil)
	n, m := uint32(len(a)), uint32(len(a)+len(b))
	long := bytes.Repeat(all, 40)
	longer := func(times int) (made []segment) {
		made = []segment{{seq: 9, flags: "s"}}
		for i := range times {
			made = append(made, segment{seq: uint32(10 + i*len(long)), bytes: long})
		}
		return made
	}
	forty := strings.TrimSpace(strings.Repeat("1 6 11 ", 40))
	a2, b2 := with(a, len(a)-1, 7), with(b, 5, 7)
	garbage := []byte("GET / HTTP/1.1\r\n\r\n")
	for what, c := range map[string]struct {
		segments []segment
		want     string
	}{
		"one by one":               {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a}, {seq: 10 + n, bytes: b}, {seq: 10 + m, bytes: c}}, "1 6 11"},
		"all at once":              {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: all}}, "1 6 11"},
		"many at once":             {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: long}}, forty},
		"with the handshake":       {[]segment{{seq: 9, flags: "s", bytes: all}}, "1 6 11"},
		"in pieces":                {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: all[:1]}, {seq: 11, bytes: all[1:100]}, {seq: 110, bytes: all[100:]}}, "1 6 11"},
		"out of order":             {[]segment{{seq: 9, flags: "s"}, {seq: 10 + n, bytes: b}, {seq: 10, bytes: a}, {seq: 10 + m, bytes: c}}, "1 6 11"},
		"twice":                    {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a}, {seq: 10, bytes: all}, {seq: 10 + n, bytes: b}}, "1 6 11"},
		"the handshake twice":      {[]segment{{seq: 9, flags: "s"}, {seq: 9, flags: "s"}, {seq: 10, bytes: a}}, "1"},
		"the handshake late":       {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a[:20]}, {seq: 9, flags: "s"}, {seq: 30, bytes: a[20:]}}, "1"},
		"sequence numbers wrap":    {[]segment{{seq: ^uint32(9), flags: "s"}, {seq: ^uint32(8), bytes: a}, {seq: n - 9, bytes: b}}, "1 6"},
		"no beginning":             {[]segment{{seq: 10, bytes: a}, {seq: 10 + n, bytes: b}}, "1 6"},
		"begins within a frame":    {[]segment{{seq: 10, bytes: a[5:]}, {seq: 5 + n, bytes: b}}, "missing 6"},
		"a gap within":             {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a}, {seq: 10 + m, bytes: c, flags: "f"}}, "1 missing 11"},
		"a gap within a frame":     {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: all[:n+9]}, {seq: 10 + m, bytes: c, flags: "f"}}, "1 missing 11"},
		"ends within a frame":      {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: all[:n+9], flags: "f"}}, "1 missing"},
		"never ends, in a frame":   {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: all[:n+9]}}, "1 missing"},
		"reset within a frame":     {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: all[:n+9]}, {seq: 19 + n, flags: "r"}}, "1 missing"},
		"foreign":                  {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: garbage}, {seq: 28, bytes: garbage}, {seq: 46, bytes: a}}, "foreign 1"},
		"the port again":           {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a}, {seq: 5009, flags: "s"}, {seq: 5010, bytes: b}}, "1 6"},
		"the port again, half way": {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: all[:n+9]}, {seq: 5009, flags: "s"}, {seq: 5010, bytes: b}}, "1 missing 6"},
		"the port again, ended":    {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a, flags: "f"}, {seq: 5009, flags: "s"}, {seq: 5010, bytes: b}}, "1 6"},
		"goes on after its end":    {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a, flags: "f"}, {seq: 11 + n, bytes: b}}, "1 6"},
		"two streams": {[]segment{{seq: 9, flags: "s"}, {seq: 9, flags: "s", from: 40001}, {seq: 10, bytes: a[:20]},
			{seq: 10, bytes: b[:20], from: 40001}, {seq: 30, bytes: a[20:]}, {seq: 30, bytes: b[20:], from: 40001}}, "1 6"},
		"two directions": {[]segment{{seq: 9, flags: "s"}, {seq: 9, flags: "s", backwards: true}, {seq: 10, bytes: a[:20]},
			{seq: 10, bytes: b[:20], backwards: true}, {seq: 30, bytes: a[20:]}, {seq: 30, bytes: b[20:], backwards: true}}, "1 6"},
		"again, as another":                  {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a}, {seq: 10, bytes: a2}, {seq: 10 + n, bytes: b}}, "1 missing 6"},
		"again in part, as another":          {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: all[:n+9]}, {seq: 10 + n, bytes: b2}}, "1 missing 6"},
		"again from just before, as another": {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a}, {seq: 9 + n, bytes: append([]byte{a[n-1] + 1}, b...)}}, "1 missing 6"},
		"just before its beginning":          {[]segment{{seq: 10, bytes: a}, {seq: 9, bytes: append([]byte{9}, a...)}}, "1 missing"},
		"goes on within a frame":             {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a}, {seq: 10 + n, flags: "r"}, {seq: 10 + n, bytes: b[:20]}}, "1 missing"},
		"again ahead, as another":            {[]segment{{seq: 9, flags: "s"}, {seq: 10 + n, bytes: b}, {seq: 10 + n, bytes: b2}, {seq: 10, bytes: a}}, "1 6 missing"},
		"again, out of memory":               {append(longer(160), segment{seq: 10, bytes: a}), strings.Repeat(forty+" ", 160) + "missing"},
		"again, long ago":                    {append(longer(2), segment{seq: 10, bytes: a}), forty + " " + forty},
		"again, long ended":                  {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a[:20]}, {seq: 30, bytes: a[20:], flags: "f"}, {seq: 10, bytes: a[:20]}, {seq: 30, bytes: a[20:], flags: "f"}}, "1"},
		"kept alive":                         {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a}, {seq: 9 + n}, {seq: 9 + n, bytes: []byte{9}}, {seq: 10 + n, bytes: b}}, "1 6"},
		"the port again, alike":              {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a, flags: "f"}, {seq: 9, flags: "s"}, {seq: 10, bytes: b}}, "1 6"},
		"the port again, unnoticed":          {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a}, {seq: 9, flags: "s"}, {seq: 10, bytes: b}}, "1 missing foreign"},
		"begins before its beginning":        {[]segment{{seq: 10 + n, bytes: b}, {seq: 10, bytes: a}}, "6 missing"},
		"behind its end":                     {[]segment{{seq: 9, flags: "s"}, {seq: 10 + m, bytes: c}, {seq: 10, bytes: a, flags: "f"}}, "1 missing 11"},
		"too much ahead":                     {slices.Concat([]segment{{seq: 8, flags: "s"}}, longer(160)[1:], []segment{{seq: 9, bytes: a[:1]}}), "missing " + strings.Repeat(forty+" ", 160) + "missing"},
		"often ahead":                        {swapped(longer(40)), strings.TrimSpace(strings.Repeat(forty+" ", 40))},
		"ends before its end":                {[]segment{{seq: 9, flags: "s"}, {seq: 10 + n, bytes: b}, {seq: 10, bytes: a, flags: "f"}}, "1 6"},
		"the port again, reset":              {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a}, {seq: 10 + n, flags: "r"}, {seq: 9, flags: "s"}, {seq: 10, bytes: b}}, "1 6"},
		"much ahead":                         {slices.Concat([]segment{{seq: 9 - n, flags: "s"}}, longer(2)[1:], []segment{{seq: 10 - n, bytes: a}}), "1 " + forty + " " + forty},
		"an ack tells of more":               {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a}, {seq: 60 + n}}, "1 missing"},
		"acks and ends":                      {[]segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a}, {seq: 10 + n, flags: "f"}, {seq: 11 + n}}, "1"},
		"nothing but acks":                   {[]segment{{seq: 9}, {seq: 9}}, ""},
	} {
		if got := strings.Join(readSegments(t, c.segments), " "); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
	for i := range 20 { // the last one again, wherever that is
		if got := readSegments(t, append(longer(i+1), longer(i + 1)[i+1])); slices.Contains(got, "missing") {
			t.Errorf("%d long ones: %v", i+1, got)
		}
	}
}

// TestPadding: what follows a packet in its frame on the wire is no part of it.
func TestPadding(t *testing.T) {
	f := wiretest.Encode(t, frame(0), nil)
	tcp := func(seq int) *layers.TCP {
		return &layers.TCP{SrcPort: 9, DstPort: wire.Port, Seq: uint32(seq), ACK: true}
	}
	padded := func(b []byte) []byte { return append(b, make([]byte, 6)...) }
	shorter := packet(t, padded(f), ip4(layers.IPProtocolUDP), udp(9, wire.Port)) // the datagram is, and not the packet
	binary.BigEndian.PutUint16(shorter[24:], uint16(8+len(f)))
	for what, file := range map[string][]byte{
		"v4":      pcapFile(t, layers.LinkTypeRaw, padded(packet(t, f, ip4(layers.IPProtocolTCP), tcp(1))), padded(packet(t, f, ip4(layers.IPProtocolTCP), tcp(1+len(f))))),
		"v6":      pcapFile(t, layers.LinkTypeRaw, padded(packet(t, f, ip6(layers.IPProtocolTCP), tcp(1))), padded(packet(t, f, ip6(layers.IPProtocolTCP), tcp(1+len(f))))),
		"v4, UDP": pcapFile(t, layers.LinkTypeRaw, shorter, shorter),
	} {
		got, err := read(file, capture.Options{})
		if err != io.EOF || len(got) != 2 || got[0].Err != nil || got[1].Err != nil {
			t.Errorf("%s: %+v, %v", what, got, err)
		}
	}
}

// TestSections: streams of two captures of ours in one file are not one, whatever their ports.
func TestSections(t *testing.T) {
	var files []byte
	for i := range 2 {
		var b bytes.Buffer
		w, err := capture.NewWriter(&b, "a test")
		if err == nil {
			err = errors.Join(w.TCP(capture.Sent, start, one, two, wiretest.Encode(t, frame(5*i), nil)), w.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, b.Bytes()...)
	}
	got, err := read(files, capture.Options{})
	if err != io.EOF || len(got) != 2 || got[0].Frame.Sequence != 1 || got[1].Frame.Sequence != 6 {
		t.Errorf("%+v, %v", got, err)
	}
}

// swapped returns segments in which neighbours have changed places.
func swapped(segments []segment) []segment {
	for i := 1; i+1 < len(segments); i += 2 {
		segments[i], segments[i+1] = segments[i+1], segments[i]
	}
	return segments
}

// TestSegmentNumbers: a frame is complete with the packet that brings what was missing before it.
func TestSegmentNumbers(t *testing.T) {
	a, b := wiretest.Encode(t, frame(0), nil), wiretest.Encode(t, frame(5), nil)
	got, err := read(segmentsFile(t, []segment{{seq: 9, flags: "s"}, {seq: 10 + uint32(len(a)), bytes: b}, {seq: 10, bytes: a}}), capture.Options{})
	if err != io.EOF || len(got) != 2 || got[0].Number != 3 || got[1].Number != 3 || !got[1].Time.Before(got[0].Time) {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestPortUsedAgain: a stream is not forgotten because another of its ports ended long ago.
func TestPortUsedAgain(t *testing.T) {
	a := wiretest.Encode(t, frame(0), nil)
	all := []segment{{seq: 9, flags: "s"}, {seq: 10, bytes: a, flags: "f"}, {seq: 9, flags: "s"}, {seq: 10, bytes: a[:20]}}
	for i := range uint16(257) {
		all = append(all, segment{seq: 9, flags: "s", from: 1000 + i}, segment{seq: 10, bytes: a, flags: "f", from: 1000 + i})
	}
	all = append(all, segment{seq: 30, bytes: a[20:]})
	if got := readSegments(t, all); len(got) != 259 || slices.Contains(got, "missing") {
		t.Errorf("%d frames: %v", len(got), got)
	}
}

// TestManyStreams: of streams that ended long ago nothing is known.
func TestManyStreams(t *testing.T) {
	a := wiretest.Encode(t, frame(0), nil)
	var all []segment
	for i := range uint16(257) {
		all = append(all, segment{seq: 9, flags: "s", from: 1000 + i}, segment{seq: 10, bytes: a, flags: "f", from: 1000 + i})
	}
	for _, from := range []uint16{1000, 1001} {
		all = append(all, segment{seq: 10, bytes: a, from: from})
	}
	if got := readSegments(t, all); len(got) != 258 {
		t.Errorf("%d frames", len(got))
	}
}

// TestAnyCut cuts a stream of frames anyhow, swaps neighbours and repeats some.
func TestAnyCut(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var all []byte
		var want []string
		for i := range rapid.IntRange(1, 6).Draw(r, "frames") {
			all = append(all, wiretest.Encode(t, frame(5*i), nil)...)
			want = append(want, fmt.Sprint(5*i+1))
		}
		first := rapid.Uint32().Draw(r, "first")
		segments := []segment{{seq: first, flags: "s"}}
		for at := 0; at < len(all); {
			size := min(rapid.IntRange(1, 200).Draw(r, "size"), len(all)-at)
			s := segment{seq: first + 1 + uint32(at), bytes: all[at : at+size]}
			segments = append(segments, s)
			if rapid.Bool().Draw(r, "twice") {
				segments = append(segments, s)
			}
			if last := len(segments) - 1; last > 2 && rapid.Bool().Draw(r, "swap") {
				segments[last], segments[last-1] = segments[last-1], segments[last]
			}
			at += size
		}
		if got := readSegments(t, segments); !slices.Equal(got, want) {
			r.Fatalf("%v, want %v", got, want)
		}
	})
}
