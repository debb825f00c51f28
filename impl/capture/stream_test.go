package capture_test

import (
	"bytes"
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
	got, err := read(pcapFile(t, layers.LinkTypeEthernet, packets...), capture.Options{})
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

func TestSegments(t *testing.T) {
	a, b, c := wiretest.Encode(t, frame(0), nil), wiretest.Encode(t, frame(5), nil), wiretest.Encode(t, frame(10), nil) // sequences 1, 6, 11
	all := bytes.Join([][]byte{a, b, c}, nil)
	n, m := uint32(len(a)), uint32(len(a)+len(b))
	long := bytes.Repeat(all, 40)
	forty := strings.TrimSpace(strings.Repeat("1 6 11 ", 40))
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
		"nothing but acks": {[]segment{{seq: 9}, {seq: 9}}, ""},
	} {
		if got := strings.Join(readSegments(t, c.segments), " "); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
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
