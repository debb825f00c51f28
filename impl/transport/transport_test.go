package transport

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"interleave/impl/wire"
	"interleave/internal/porttest"
	"interleave/spec"

	"go.uber.org/goleak"
)

// ports returns addresses for n processes.
func ports(t *testing.T, n int) map[spec.ID]string {
	t.Helper()
	out := map[spec.ID]string{}
	for i, at := range porttest.Free(t, n) {
		out[spec.ID(i+1)] = at
	}
	return out
}

func listen(t *testing.T, network string, a Addresses) Transport {
	t.Helper()
	var transport Transport
	var err error
	if network == "tcp" {
		transport, err = NewTCP(a)
	} else {
		transport, err = NewUDP(a)
	}
	if err != nil {
		t.Fatal(err)
	}
	return transport
}

// TestReconnect: TCP finds a peer again that went away and came back at the
// same address, and a peer that resets every connection harms nobody.
func TestReconnect(t *testing.T) {
	addresses := ports(t, 2)
	one := listen(t, "tcp", Addresses{Listen: addresses[1], Peers: addresses})
	defer one.Close()
	frame := []byte("ILVE")
	if f, err := newTestFrame().Append(nil, nil); err != nil {
		t.Fatal(err)
	} else {
		frame = f
	}
	for range 3 {
		two := listen(t, "tcp", Addresses{Listen: addresses[2], Peers: addresses})
		arrived := make(chan bool)
		go func() {
			p := <-two.Receive()
			arrived <- bytes.Equal(p.Bytes, frame)
		}()
		for done := false; !done; {
			_ = one.Send(2, frame)
			select {
			case same := <-arrived:
				if done = true; !same {
					t.Error("something else arrived")
				}
			case <-time.After(2 * time.Millisecond):
			}
		}
		if err := two.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRudeStream: what makes no sense ends its connection and is told of; the
// rest goes on.
func TestRudeStream(t *testing.T) {
	addresses := ports(t, 2)
	one := listen(t, "tcp", Addresses{Listen: addresses[1], Peers: addresses})
	defer one.Close()
	for _, bytes := range []string{"GET / HTTP/1.1\r\n\r\n", "ILVE\x01\x01\x00\x01\xff\xff", "ILVE\x01\x01\x00\x01\x00\x50cut"} {
		conn, err := net.Dial("tcp", addresses[1])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte(bytes)); err != nil {
			t.Fatal(err)
		}
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if p := <-one.Receive(); p.Err == nil || p.Bytes != nil {
			t.Errorf("%q: %+v", bytes, p)
		}
		if b, err := io.ReadAll(conn); len(b) > 0 || err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("%q: it answers %q, %v", bytes, b, err)
		}
		conn.Close()
	}
}

// TestNobodyThere: that nobody listens at the other end, or that there is no
// such peer, is a loss and no failure.
func TestNobodyThere(t *testing.T) {
	for _, network := range []string{"udp", "tcp"} {
		addresses := ports(t, 2)
		one := listen(t, network, Addresses{Listen: addresses[1], Peers: addresses})
		for range 2 * lineSize {
			if err := one.Send(2, []byte("hello")); err != nil && LossReason(err) == "other" {
				t.Errorf("%s: %v", network, err)
			}
		}
		if err := one.Send(3, nil); LossReason(err) != "stranger" {
			t.Errorf("%s: %v", network, err)
		}
		if err := one.Close(); err != nil {
			t.Errorf("%s: %v", network, err)
		}
		if _, open := <-one.Receive(); open {
			t.Errorf("%s: something arrives after Close", network)
		}
	}
}

// TestLossReason: what a kernel says of a datagram is counted by what it is.
func TestLossReason(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{syscall.EPERM, "forbidden"}, {syscall.ECONNREFUSED, "refused"}, {syscall.ENOBUFS, "full"},
		{syscall.EMSGSIZE, "oversized"}, {syscall.ENETUNREACH, "unreachable"}, {net.ErrClosed, "closed"},
		{os.ErrDeadlineExceeded, "full"}, {errors.New("the moon is full"), "other"},
	} {
		if got := LossReason(&net.OpError{Op: "write", Err: c.err}); got != c.want {
			t.Errorf("%v: %s", c.err, got)
		}
	}
}

// TestAddresses: without a key nobody listens beyond loopback, and addresses
// are told by name.
func TestAddresses(t *testing.T) {
	for _, c := range []struct {
		addresses Addresses
		want      string
	}{
		{Addresses{Listen: "0.0.0.0:0"}, "listen: 0.0.0.0:0 is not loopback, and without a key"},
		{Addresses{Listen: "[::]:0"}, "is not loopback"},
		{Addresses{Listen: "192.0.2.1:0"}, "is not loopback"},
		{Addresses{Listen: ":7001"}, `listen: ":7001" is no address: give host:port`},
		{Addresses{Listen: "7001"}, `"7001" is no address`},
		{Addresses{Listen: "127.0.0.1:70000"}, "listen: "},
		{Addresses{Listen: "127.0.0.1:0", Peers: map[spec.ID]string{2: "127.0.0.1"}}, `peers: process 2: "127.0.0.1" is no address`},
		{Addresses{Listen: "127.0.0.1:0", Peers: map[spec.ID]string{2: "127.0.0.1:0"}}, "peers: process 2: 127.0.0.1:0 is nowhere to send to"},
		{Addresses{Listen: "127.0.0.1:0", Peers: map[spec.ID]string{2: "0.0.0.0:7001"}}, "peers: process 2: 0.0.0.0:7001 is nowhere to send to"},
	} {
		for _, open := range []func(Addresses) (any, error){
			func(a Addresses) (any, error) { return NewUDP(a) }, func(a Addresses) (any, error) { return NewTCP(a) },
		} {
			if _, err := open(c.addresses); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: %v, want %s", c.addresses, err, c.want)
			}
		}
	}
	u, err := NewUDP(Addresses{Listen: "0.0.0.0:0", Open: true})
	if err != nil {
		t.Fatal(err)
	}
	if u.Address().Port() == 0 || u.Address().Addr() == (netip.Addr{}) {
		t.Errorf("it listens at %v", u.Address())
	}
	u.Close()
}

// TestMain wants no goroutine to be left when all tests are over.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// newTestFrame returns a frame from process 2 to process 1.
func newTestFrame() wire.Frame {
	return wire.Frame{Header: wire.Header{Kind: wire.Heartbeat, Algorithm: "bully/mended", Shape: 1, From: 1, To: 2, Incarnation: 1}}
}

// wait wants something to become true before long. Real sockets have no virtual
// time: it is looked at again and again.
func wait(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// TestLongFrames: a stream carries the longest frame, and a datagram that is longer than allowed is told of as that.
func TestLongFrames(t *testing.T) {
	for _, c := range []struct {
		network string
		body    int
		want    string
	}{{"tcp", wire.MaxBody, ""}, {"udp", wire.MaxDatagramBody, ""}, {"udp", 2 * wire.MaxDatagramBody, "long"}} {
		addresses := ports(t, 2)
		one := listen(t, c.network, Addresses{Listen: addresses[1], Peers: addresses})
		two := listen(t, c.network, Addresses{Listen: addresses[2], Peers: addresses})
		if fits := c.body <= one.MaxBody(); fits != (c.want == "") {
			t.Errorf("%s: %d bytes fit: %v", c.network, c.body, fits)
		}
		f := newTestFrame()
		f.Kind, f.Sequence, f.Body = wire.Data, 1, bytes.Repeat([]byte("x"), c.body)
		frame, err := f.Append(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		wait(t, "it arrives", func() bool {
			_ = one.Send(2, frame)
			select {
			case p := <-two.Receive():
				if c.want == "" && !bytes.Equal(p.Bytes, frame) || c.want != "" && Label(p.Err) != c.want {
					t.Errorf("%s, %d bytes: %d bytes arrive, %v", c.network, c.body, len(p.Bytes), p.Err)
				}
				return true
			case <-time.After(time.Second):
				return false
			}
		})
		one.Close()
		two.Close()
	}
}
