package capture_test

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"testing"

	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/impl/wire/wiretest"
)

// TestLive sends frames over loopback, and wants each captured once.
func TestLive(t *testing.T) {
	receiver, err := net.ListenPacket("udp", "127.0.0.2:0")
	if err != nil {
		t.Fatal(err)
	}
	defer receiver.Close()
	to := netip.MustParseAddrPort(receiver.LocalAddr().String())
	r, err := capture.Live(capture.Options{Ports: []uint16{to.Port()}})
	switch {
	case errors.Is(err, capture.ErrNoLive) && runtime.GOOS != "linux":
		t.Skip(err)
	case errors.Is(err, capture.ErrPermission) && os.Getuid() != 0:
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	c, err := net.Dial("udp", to.String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const run = 0x7e57_0000_11fe
	for i := range 5 {
		f := frame(i)
		f.Run = run
		if _, err := c.Write(wiretest.Encode(t, f, nil)); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < 5; {
		p, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if p.Err != nil || p.Frame.Run != run {
			continue // somebody else's
		}
		if p.Frame.Kind != wire.Kinds[i] || p.To != to || p.Interface != "lo" || p.Time.IsZero() {
			t.Errorf("frame %d: %+v", i, p)
		}
		i++
	}
	for range 5000 { // more than wait to be read
		if _, err := c.Write(make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
	}
	for dropped := false; !dropped; {
		p, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		dropped = errors.Is(p.Err, capture.ErrMissing) && strings.Contains(p.Err.Error(), "packets were dropped")
	}
	done := make(chan error)
	go func() {
		for {
			if _, err := r.Next(); err != nil {
				done <- err
				return
			}
		}
	}()
	r.Close()
	if err := <-done; !errors.Is(err, capture.ErrClosed) {
		t.Error(err)
	}
	if _, err := r.Next(); !errors.Is(err, capture.ErrClosed) {
		t.Error(err)
	}
}
