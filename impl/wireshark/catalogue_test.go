package wireshark_test

import (
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/impl/wire/wiretest"
	"interleave/spec"
	"interleave/spec/catalog"
)

var start = time.Unix(1_790_000_000, 987_654_321)

// everything writes a capture with a frame of every kind and messages of every
// algorithm, some with a MAC, over UDP and TCP, sent and delivered.
func everything(t *testing.T) (file string, codecs map[uint64]*wire.Codec) {
	t.Helper()
	file, codecs = filepath.Join(t.TempDir(), "all.pcapng"), map[uint64]*wire.Codec{}
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w, err := capture.NewWriter(out, "all there is")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, m := range catalog.Machines {
		c := codec(t, m)
		codecs[c.Shape()] = c
		for _, f := range frames(t, m, c) {
			n++
			write(t, w, n, f)
		}
	}
	if err := errors.Join(w.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	return file, codecs
}

// write writes one frame everywhere.
func write(t *testing.T, w *capture.Writer, n int, f wire.Frame) {
	t.Helper()
	var k wire.Key
	if n%3 == 0 {
		k = wire.Key("sixteen bytes ..")
	}
	b, err := f.Append(nil, k)
	if err != nil {
		t.Fatal(err)
	}
	from, to := address(f.From), address(f.To)
	for i, side := range []capture.Side{capture.Sent, capture.Delivered} {
		at := start.Add(time.Duration(2*n+i) * time.Millisecond)
		if err := errors.Join(w.UDP(side, at, from, to, b), w.TCP(side, at, from, to, b)); err != nil {
			t.Fatal(err)
		}
	}
}

func address(id spec.ID) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, byte(id)}), wire.Port)
}

// frames returns a frame of each kind, and one for each message of a machine
// that three processes come to send.
func frames(t *testing.T, m spec.Machine, c *wire.Codec) []wire.Frame {
	t.Helper()
	h := wire.Header{Algorithm: m.Traits().Name, Shape: c.Shape(), Run: 1<<63 + 5, From: 3, To: 64, Incarnation: 1<<32 - 1, Acked: 7, Sent: -1}
	var all []wire.Frame
	for _, kind := range wire.Kinds[1:] {
		f := wire.Frame{Header: h}
		f.Kind = kind
		if kind == wire.Ack {
			f.Sequence, f.Link, f.Acked = 1<<64-1, 9, 1<<31
		}
		if kind == wire.Hello {
			f.Body = []byte("ring 3,1,2; delta 50ms; datagrams false")
		}
		if kind == wire.Refuse {
			f.Body = []byte("täuscht sich")
		}
		all = append(all, f)
	}
	for i, message := range wiretest.Messages(m, 40) {
		f := wire.Frame{Header: h}
		f.Kind, f.Sequence, f.Link, f.From, f.To, f.Sent = wire.Data, uint64(i+1), uint64(i), 1, 2, start.UnixNano()
		var err error
		if f.Body, err = c.Append(nil, message); err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

// TestCatalogue compares all there is, field by field.
func TestCatalogue(t *testing.T) {
	file, codecs := everything(t)
	compare(t, file, codecs)
	clean(t, file)
}

// TestRecorded compares what dumpcap wrote of real sockets: frames that share a
// segment, or are cut by one.
func TestRecorded(t *testing.T) {
	compare(t, "../capture/testdata/lo.pcapng", nil)
}

// TestPort finds frames on other ports: by how they begin, and, where another
// protocol is usual, if told of the port.
func TestPort(t *testing.T) {
	const free, usual = 42287, 7000
	for _, c := range []struct {
		port    uint16
		options []string
		want    int
	}{
		{free, nil, 2},
		{usual, nil, 1}, // the datagram
		{usual, []string{"-o", "interleave.port:7000"}, 2},
		{wire.Port, []string{"-o", "interleave.port:7000"}, 2},
	} {
		f := encode(t, 0)
		file := captured(t, func(w *capture.Writer) error {
			from, to := netip.AddrPortFrom(address(1).Addr(), c.port), netip.AddrPortFrom(address(2).Addr(), c.port)
			return errors.Join(w.UDP(capture.Sent, start, from, to, f[:70]), w.UDP(capture.Sent, start, from, to, f), w.TCP(capture.Sent, start, from, to, f[:9]), w.TCP(capture.Sent, start, from, to, f[9:]))
		})
		found := 0
		for _, row := range tshark(t, file, ours, c.options...) {
			found += len(row["interleave.mac"]) + len(row["interleave.part"])
		}
		if found != c.want {
			t.Errorf("port %d: %d frames with %q, want %d", c.port, found, c.options, c.want)
		}
	}
}
