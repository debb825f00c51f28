package capture_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/impl/wire/wiretest"
)

// liveRun is the run of the frames that these tests send.
const liveRun = 0x7e57_0000_11fe

// channel is a connection over loopback.
type channel struct {
	t        *testing.T
	from, at net.Conn
	to       netip.AddrPort
}

// connect makes one, to an address of this machine.
func connect(t *testing.T, network, address string) channel {
	t.Helper()
	c := channel{t: t}
	var err error
	if network == "tcp" {
		l, failed := net.Listen(network, address)
		if failed != nil {
			t.Skip(failed) // not under Linux
		}
		defer l.Close()
		c.from, c.to = dial(t, network, l.Addr()), netip.MustParseAddrPort(l.Addr().String())
		c.at, err = l.Accept()
	} else {
		l, failed := net.ListenPacket(network, address)
		if failed != nil {
			t.Skip(failed) // the same, or without IPv6
		}
		c.at, c.to = l.(*net.UDPConn), netip.MustParseAddrPort(l.LocalAddr().String())
		c.from = dial(t, network, l.LocalAddr())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.at.Close() })
	return c
}

func dial(t *testing.T, network string, to net.Addr) net.Conn {
	t.Helper()
	c, err := net.Dial(network, to.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// send sends some bytes, and waits until they have come: they are captured before that.
func (c channel) send(b []byte) {
	c.t.Helper()
	_, err := c.from.Write(b)
	if err == nil {
		err = c.arrive(len(b))
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// arrive waits for so many bytes.
func (c channel) arrive(n int) error {
	_ = c.at.SetReadDeadline(time.Now().Add(30 * time.Second))
	_, err := io.ReadFull(c.at, make([]byte, n))
	return err
}

// live begins a capture, or skips the test where that is not possible.
func live(t *testing.T, o capture.Options) *capture.Reader {
	t.Helper()
	r, err := capture.Live(o)
	switch {
	case errors.Is(err, capture.ErrNoLive) && runtime.GOOS != "linux":
		t.Skip(err)
	case errors.Is(err, capture.ErrPermission) && os.Getuid() != 0:
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	t.Cleanup(func() { readAll(r) })
	return r
}

// readAll ends a live capture and returns what it has, and how many packets it says were dropped.
func readAll(r *capture.Reader) (packets []capture.Packet, dropped int, err error) {
	r.Close()
	for {
		p, err := r.Next()
		switch {
		case err != nil:
			return packets, dropped, err
		case errors.Is(p.Err, capture.ErrDropped):
			n := 0
			_, text, _ := strings.Cut(p.Err.Error(), "captured: ")
			fmt.Sscan(text, &n)
			dropped += n
		default:
			packets = append(packets, p)
		}
	}
}

func liveFrame(t *testing.T, i int) []byte {
	f := frame(i)
	f.Run = liveRun
	return wiretest.Encode(t, f, nil)
}

// TestLive sends frames over loopback in every way, and wants each captured once.
func TestLive(t *testing.T) {
	for _, way := range []struct{ network, address string }{{"udp", "127.0.0.2:0"}, {"tcp", "127.0.0.2:0"}, {"udp", "[::1]:0"}} {
		t.Run(way.network+" "+way.address, func(t *testing.T) {
			c := connect(t, way.network, way.address)
			r := live(t, capture.Options{Ports: []uint16{c.to.Port()}})
			for i := range 5 {
				c.send(liveFrame(t, i))
			}
			got, dropped, err := readAll(r)
			if len(got) != 5 || dropped > 0 || !errors.Is(err, capture.ErrClosed) {
				t.Fatalf("%d packets, %d dropped, %v", len(got), dropped, err)
			}
			for i, p := range got {
				if p.Err != nil || p.Frame.Run != liveRun || p.Frame.Kind != wire.Kinds[i] || p.To != c.to || p.TCP != (way.network == "tcp") || p.Interface != "lo" || p.Time.IsZero() {
					t.Errorf("frame %d: %+v", i, p)
				}
			}
			if _, err := r.Next(); !errors.Is(err, capture.ErrClosed) {
				t.Error(err)
			}
		})
	}
}

// TestLiveAmongOthers: what others send does not cost us a packet, even if they fill the buffer
// many times.
func TestLiveAmongOthers(t *testing.T) {
	ours, others := connect(t, "udp", "127.0.0.2:0"), connect(t, "udp", "127.0.0.2:0")
	r := live(t, capture.Options{Ports: []uint16{ours.to.Port()}, Buffer: 1 << 17})
	for i := range 50 {
		ours.send(liveFrame(t, i))
		for range 20 {
			others.send(make([]byte, 1000))
		}
	}
	if got, dropped, err := readAll(r); len(got) != 50 || dropped > 0 || r.Skipped() > 0 {
		t.Errorf("%d packets of 50, %d dropped, %d skipped: %v", len(got), dropped, r.Skipped(), err)
	}
}

// TestLiveDropped: each packet is captured, or told to be dropped, as often as it was sent: by the
// capture and by the file that is made of it.
func TestLiveDropped(t *testing.T) {
	const sent = 1000
	c := connect(t, "udp", "127.0.0.2:0")
	r := live(t, capture.Options{Ports: []uint16{c.to.Port()}, Buffer: 1 << 16})
	var file bytes.Buffer
	recording := r.Record(&file)
	for i := range sent {
		c.send(liveFrame(t, i))
	}
	got, dropped, err := readAll(r)
	if len(got) == 0 || dropped == 0 || len(got)+dropped != sent || recording.Dropped() != uint64(dropped) {
		t.Errorf("%d packets and %d dropped, or %d, of %d: %v", len(got), dropped, recording.Dropped(), sent, err)
	}
	if err := recording.Flush(); err != nil {
		t.Fatal(err)
	}
	if file, err := capture.NewReader(&file, capture.Options{Ports: []uint16{c.to.Port()}}); err != nil {
		t.Error(err)
	} else if again, told, err := readAll(file); err != io.EOF || len(again) != len(got) || told != dropped {
		t.Errorf("the file has %d packets of %d, and says that %d of %d were dropped: %v", len(again), len(got), told, dropped, err)
	}
}

// TestLiveBuffer: the buffer is as large as is asked for, where that is allowed.
func TestLiveBuffer(t *testing.T) {
	for _, want := range []int{0, 1 << 16, 50 << 20} {
		got := live(t, capture.Options{Buffer: want}).Buffer()
		if want == 0 {
			want = capture.DefaultBuffer
		}
		if got > want || os.Getuid() == 0 && got < want {
			t.Errorf("%d bytes for %d", got, want)
		}
	}
}

// TestLiveClose: a capture that is closed while it waits ends, and one that is not read is released.
func TestLiveClose(t *testing.T) {
	r := live(t, capture.Options{Ports: []uint16{9}})
	done := make(chan error)
	go func() {
		_, err := r.Next()
		done <- err
	}()
	r.Close()
	if err := <-done; !errors.Is(err, capture.ErrClosed) {
		t.Error(err)
	}
}
