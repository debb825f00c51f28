package capture_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/impl/wire/wiretest"
)

var (
	key   = wire.Key("sixteen bytes ..")
	start = time.Unix(1_790_000_000, 123_456_789)
	one   = address("127.0.0.1")
	two   = address("127.0.0.2")
)

func address(ip string) netip.AddrPort { return netip.AddrPortFrom(netip.MustParseAddr(ip), wire.Port) }

// frame returns the n-th frame, of one kind after the other.
func frame(n int) wire.Frame {
	f := wire.Frame{Header: wire.Header{Algorithm: "bully/mended", Kind: wire.Kinds[n%len(wire.Kinds)], Run: 1, From: 1, To: 2, Sent: start.UnixNano()}}
	switch f.Kind {
	case wire.Data:
		f.Sequence, f.Link, f.Body = uint64(n+1), uint64(n+1), bytes.Repeat([]byte{byte(n)}, n%1000+1)
	case wire.Ack:
		f.Sequence = uint64(n + 1)
	case wire.Refuse:
		f.Body = []byte("no")
	}
	return f
}

// written is what goes into a capture of these tests: n frames, each sent and
// then delivered, by turns over UDP and TCP.
func written(t testing.TB, n int, k wire.Key) ([]byte, []capture.Packet) {
	return writtenOver(t, n, k, func(i int) bool { return i%2 == 1 })
}

func writtenOver(t testing.TB, n int, k wire.Key, tcp func(i int) bool) (file []byte, want []capture.Packet) {
	t.Helper()
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, "a test")
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		for _, side := range []capture.Side{capture.Sent, capture.Delivered} {
			at := start.Add(time.Duration(2*i+int(side)) * time.Millisecond)
			p := capture.Packet{Time: at.UTC(), Interface: side.String(), TCP: tcp(i), From: one, To: two, Frame: frame(i)}
			p.Bytes = wiretest.Encode(t, p.Frame, k)
			write := w.UDP
			if p.TCP {
				write = w.TCP
			}
			if err := write(side, at, one, two, p.Bytes); err != nil {
				t.Fatal(err)
			}
			want = append(want, p)
		}
	}
	for _, side := range []capture.Side{capture.Sent, capture.Delivered} {
		if err := w.EndTCP(side, start.Add(time.Hour), one, two); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), want
}

// read returns what is in a file, and the error at its end.
func read(file []byte, o capture.Options) ([]capture.Packet, error) {
	r, err := capture.NewReader(bytes.NewReader(file), o)
	if err != nil {
		return nil, err
	}
	var all []capture.Packet
	for {
		p, err := r.Next()
		if err != nil {
			return all, err
		}
		all = append(all, p)
	}
}

func TestThereAndBack(t *testing.T) {
	for _, k := range []wire.Key{nil, key} {
		file, want := written(t, 40, k)
		got, err := read(file, capture.Options{Key: k})
		if err != io.EOF || len(got) != len(want) {
			t.Fatalf("%d packets, %v; want %d", len(got), err, len(want))
		}
		number, ports := 0, map[string]uint16{}
		for i, p := range got {
			if p.Number <= number {
				t.Errorf("packet %d after %d", p.Number, number)
			}
			number = p.Number
			if p.TCP {
				ports[p.Interface] = p.From.Port()
				p.From = one
			}
			p.Number = 0
			if !reflect.DeepEqual(p, want[i]) {
				t.Errorf("got  %+v\nwant %+v", p, want[i])
			}
		}
		if ports["sent"] == ports["delivered"] || ports["sent"] < 1024 {
			t.Errorf("the streams of both sides come from ports %v", ports)
		}
	}
}

// TestKeys wants an error for each frame that a key does not vouch for.
func TestKeys(t *testing.T) {
	file, _ := written(t, 10, nil)
	got, err := read(file, capture.Options{Key: key})
	if err != io.EOF || len(got) != 20 {
		t.Fatalf("%d packets, %v", len(got), err)
	}
	for _, p := range got {
		if !errors.Is(p.Err, wire.ErrMAC) || len(p.Bytes) == 0 {
			t.Errorf("%+v", p)
		}
	}
}

// TestCut cuts a capture of datagrams everywhere, and one of streams, which take
// longer to read, here and there.
func TestCut(t *testing.T) {
	file, want := writtenOver(t, 4, nil, func(int) bool { return false })
	cutEvery(t, 1, file, len(want))
	file, want = written(t, 4, nil)
	cutEvery(t, 29, file, len(want))
}

func cutEvery(t *testing.T, step int, file []byte, want int) {
	t.Helper()
	last := 0
	for n := 0; n < len(file); n += step {
		got, err := read(file[:n], capture.Options{})
		wanted := capture.ErrCut
		switch {
		case n == 0:
			wanted = capture.ErrEmpty
		case n < 4:
			wanted = capture.ErrForeign
		case errors.Is(err, capture.ErrUnfinished):
			wanted = capture.ErrUnfinished // between two blocks
		}
		if !errors.Is(err, wanted) || errors.Is(err, io.EOF) {
			t.Errorf("cut to %d bytes: %v, want %v", n, err, wanted)
		}
		if len(got) < last || len(got) > want {
			t.Errorf("cut to %d bytes: %d packets, and %d of a shorter one", n, len(got), last)
		}
		last = len(got)
	}
	if last != want {
		t.Errorf("%d packets before the end, want %d", last, want)
	}
}

// TestNotWritten wants an error, and no packet, for what cannot be in a file.
func TestNotWritten(t *testing.T) {
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, "")
	if err != nil {
		t.Fatal(err)
	}
	f := wiretest.Encode(t, frame(0), nil)
	for want, err := range map[string]error{
		"only IPv4":   w.UDP(capture.Sent, start, address("::1"), one, f),
		"from ::1":    w.TCP(capture.Sent, start, address("::1"), one, f),
		"before 1970": w.UDP(capture.Sent, time.Unix(-1, 0), one, two, f),
		"a packet of": w.TCP(capture.Sent, time.Time{}, one, two, f),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := read(b.Bytes(), capture.Options{}); len(got) != 0 || err != io.EOF {
		t.Errorf("%v, %v", got, err)
	}
}

// TestFullDisk wants the error of the file.
func TestFullDisk(t *testing.T) {
	full := errors.New("no space left")
	w, err := capture.NewWriter(failing{full}, "")
	for err == nil {
		err = w.UDP(capture.Sent, start, one, two, wiretest.Encode(t, frame(0), nil))
	}
	if !errors.Is(err, full) {
		t.Error(err)
	}
	if err := w.Close(); !errors.Is(err, full) {
		t.Error(err)
	}
	if err := w.Flush(); !errors.Is(err, full) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
func (f failing) Read([]byte) (int, error)  { return 0, f.err }

// TestFlush wants all that was written to be there, though it has no end yet.
func TestFlush(t *testing.T) {
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, "")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := errors.Join(w.UDP(capture.Sent, start, one, two, wiretest.Encode(t, frame(0), nil)), w.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := read(b.Bytes(), capture.Options{}); len(got) != 3 || !errors.Is(err, capture.ErrUnfinished) {
		t.Errorf("%d packets, %v", len(got), err)
	}
}

// TestStreams wants a new stream after the end of one, and acknowledgements.
func TestStreams(t *testing.T) {
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, "")
	if err != nil {
		t.Fatal(err)
	}
	f := wiretest.Encode(t, frame(995), nil)
	for range 2 {
		for range 40 {
			if err := w.TCP(capture.Sent, start, one, two, f); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.EndTCP(capture.Sent, start, one, two); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.EndTCP(capture.Sent, start, one, two), w.Close()); err != nil {
		t.Fatal(err)
	}
	got, err := read(b.Bytes(), capture.Options{})
	ports := map[uint16]int{}
	for _, p := range got {
		ports[p.From.Port()]++
	}
	if err != io.EOF || fmt.Sprint(ports) != "map[32768:40 32769:40]" {
		t.Errorf("%v: %v", ports, err)
	}
	const handshake, end, perAck = 3, 3, 16 // an acknowledgement behind every 16th frame of 1068 bytes
	if last := got[len(got)-1].Number; last != handshake+40+40/perAck+end+handshake+40+40/perAck {
		t.Errorf("the last frame is packet %d", last)
	}
}

// TestAnyPort wants the frames of a capture of ours whatever their port, unless
// ports are asked for.
func TestAnyPort(t *testing.T) {
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, "")
	if err != nil {
		t.Fatal(err)
	}
	to, f := netip.AddrPortFrom(two.Addr(), 7000), wiretest.Encode(t, frame(0), nil)
	from := netip.AddrPortFrom(one.Addr(), 7001)
	if err := errors.Join(w.UDP(capture.Sent, start, from, to, f), w.TCP(capture.Sent, start, from, to, f), w.Close()); err != nil {
		t.Fatal(err)
	}
	for want, ports := range map[int][]uint16{2: nil, 1: {7001}, 0: {wire.Port}} {
		if got, err := read(b.Bytes(), capture.Options{Ports: ports}); err != io.EOF || len(got) != want {
			t.Errorf("by ports %d: %d packets, %v", ports, len(got), err)
		}
	}
	foreign := bytes.Replace(b.Bytes(), []byte("Interleave"), []byte("Interlaced"), 1)
	if got, err := read(foreign, capture.Options{}); err != io.EOF || len(got) != 0 {
		t.Errorf("by another program: %d packets, %v", len(got), err)
	}
}

// TestLayer decodes a packet with gopacket alone.
func TestLayer(t *testing.T) {
	f := wiretest.Encode(t, frame(5), key)
	var b = gopacket.NewSerializeBuffer()
	ip := &layers.IPv4{Version: 4, IHL: 5, TTL: 1, Protocol: layers.IPProtocolUDP, SrcIP: []byte{127, 0, 0, 1}, DstIP: []byte{127, 0, 0, 2}}
	udp := &layers.UDP{SrcPort: wire.Port, DstPort: 9}
	if err := gopacket.SerializeLayers(b, gopacket.SerializeOptions{FixLengths: true}, ip, udp, gopacket.Payload(f)); err != nil {
		t.Fatal(err)
	}
	p := gopacket.NewPacket(b.Bytes(), layers.LayerTypeIPv4, gopacket.Default)
	l, ok := p.Layer(capture.LayerType).(*capture.Layer)
	if !ok || !reflect.DeepEqual(l.Frame, frame(5)) || len(l.MAC) != 16 || p.ApplicationLayer() != gopacket.ApplicationLayer(l) {
		t.Fatalf("%v", p)
	}
	if !bytes.Equal(l.LayerPayload(), l.Body) || !bytes.Equal(append(append(bytes.Clone(l.LayerContents()), l.Body...), l.MAC...), f) {
		t.Errorf("contents %x, payload %x", l.LayerContents(), l.LayerPayload())
	}
	b.Bytes()[28] = 'X'
	p = gopacket.NewPacket(b.Bytes(), layers.LayerTypeIPv4, gopacket.Default)
	if failed := p.ErrorLayer(); failed == nil || !errors.Is(failed.Error(), wire.ErrForeign) {
		t.Errorf("%v", p)
	}
}

func BenchmarkWrite(b *testing.B) {
	f := wiretest.Encode(b, frame(0), nil)
	for _, over := range []string{"udp", "tcp"} {
		w, err := capture.NewWriter(io.Discard, "")
		if err != nil {
			b.Fatal(err)
		}
		write := map[string]func(capture.Side, time.Time, netip.AddrPort, netip.AddrPort, []byte) error{"udp": w.UDP, "tcp": w.TCP}[over]
		b.Run(over, func(b *testing.B) {
			for b.Loop() {
				if err := write(capture.Sent, start, one, two, f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	for _, over := range []string{"udp", "tcp"} {
		const n = 10_000
		file, _ := writtenOver(b, n/2, nil, func(int) bool { return over == "tcp" })
		b.Run(over, func(b *testing.B) {
			for b.Loop() {
				if got, err := read(file, capture.Options{}); len(got) != n || err != io.EOF {
					b.Fatal(len(got), err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/frame")
		})
	}
}

// TestTogether writes from several goroutines at once.
func TestTogether(t *testing.T) {
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, "")
	if err != nil {
		t.Fatal(err)
	}
	const writers, each = 8, 50
	f := wiretest.Encode(t, frame(0), nil)
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			side, from := capture.Side(i%2), address(fmt.Sprintf("127.0.0.%d", i+1))
			for range each {
				if err := errors.Join(w.UDP(side, start, from, two, f), w.TCP(side, start, from, two, f), w.Flush()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := read(b.Bytes(), capture.Options{})
	for _, p := range got {
		if p.Err != nil {
			t.Error(p.Err)
		}
	}
	if err != io.EOF || len(got) != 2*writers*each {
		t.Errorf("%d packets, %v", len(got), err)
	}
}

// TestLongFrames: a frame of a stream may be longer than a packet, and one of a datagram is then none.
func TestLongFrames(t *testing.T) {
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, "a test")
	if err != nil {
		t.Fatal(err)
	}
	f, sizes := frame(0), []int{1, 2000, 1 << 16, wire.MaxBody, 1}
	for _, size := range sizes {
		f.Body = bytes.Repeat([]byte("x"), size)
		if err := w.TCP(capture.Sent, start, one, two, wiretest.Encode(t, f, nil)); err != nil {
			t.Fatal(err)
		}
	}
	f.Body = f.Body[:1]
	long := append(wiretest.Encode(t, f, nil), make([]byte, 2000)...)
	if err := errors.Join(w.UDP(capture.Sent, start, one, two, long), w.Close()); err != nil {
		t.Fatal(err)
	}
	got, err := read(b.Bytes(), capture.Options{})
	if err != io.EOF || len(got) != len(sizes)+1 {
		t.Fatalf("%d packets: %v", len(got), err)
	}
	for i, p := range got {
		if i == len(sizes) && !errors.Is(p.Err, wire.ErrLong) || i < len(sizes) && (p.Err != nil || len(p.Frame.Body) != sizes[i]) {
			t.Errorf("packet %d has a body of %d bytes: %v", i, len(p.Frame.Body), p.Err)
		}
	}
}
