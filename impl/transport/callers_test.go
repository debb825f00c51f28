package transport

import (
	"bytes"
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
	"time"

	"interleave/impl/wire"
	"interleave/spec"
)

// call makes a connection to somebody.
func call(t *testing.T, to string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// arrival returns what arrives next.
func arrival(t *testing.T, at Transport) Packet {
	t.Helper()
	select {
	case p := <-at.Receive():
		return p
	case <-time.After(10 * time.Second):
		t.Fatal("nothing arrives")
	}
	return Packet{}
}

// wantClosed wants the other end to have ended a connection, without a word.
func wantClosed(t *testing.T, conn net.Conn) {
	t.Helper()
	_ = conn.SetReadDeadline(time.Now().Add(30 * time.Second))
	if b, err := io.ReadAll(conn); len(b) > 0 || err != nil && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("it answers %q, %v", b, err)
	}
}

// TestIdleStrangers: however many connections strangers leave open, a peer that
// calls finds room, and one that has spoken keeps it.
func TestIdleStrangers(t *testing.T) {
	addresses := ports(t, 2)
	one := listen(t, "tcp", Addresses{Listen: addresses[1], Peers: map[spec.ID]string{2: addresses[2]}, Silence: time.Hour})
	defer one.Close()
	frame, err := newTestFrame().Append(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	old := call(t, addresses[1]) // of a peer that is up
	if _, err := old.Write(frame); err != nil {
		t.Fatal(err)
	}
	if p := arrival(t, one); !bytes.Equal(p.Bytes, frame) {
		t.Fatalf("%+v", p)
	}
	limit := one.(*TCP).callers.limit
	const more = 10
	strangers := make([]net.Conn, limit-1+more)
	for i := range strangers {
		strangers[i] = call(t, addresses[1])
	}
	told := map[string]bool{}
	for range more {
		if p := arrival(t, one); Label(p.Err) == "crowded out" {
			told[p.From] = true
		}
	}
	for i, stranger := range strangers[:more] {
		if !told[stranger.LocalAddr().String()] {
			t.Fatalf("that stranger %d is closed is not told", i)
		}
		wantClosed(t, stranger)
	}
	two := listen(t, "tcp", Addresses{Listen: addresses[2], Peers: map[spec.ID]string{1: addresses[1]}})
	defer two.Close()
	wait(t, "a peer that comes back is heard", func() bool {
		_ = two.Send(1, frame)
		select {
		case p := <-one.Receive():
			return bytes.Equal(p.Bytes, frame)
		default:
			return false
		}
	})
	if _, err := old.Write(frame); err != nil {
		t.Fatal(err)
	}
	wait(t, "the one that was up is heard", func() bool {
		p := arrival(t, one)
		return p.From == old.LocalAddr().String() && bytes.Equal(p.Bytes, frame)
	})
}

// TestSilence: a connection that brings no frame in time is closed and told
// of; one that did is not.
func TestSilence(t *testing.T) {
	addresses := ports(t, 2)
	one := listen(t, "tcp", Addresses{Listen: addresses[1], Peers: map[spec.ID]string{2: addresses[2]}, Silence: 20 * time.Millisecond})
	defer one.Close()
	frame, err := newTestFrame().Append(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, bytes := range [][]byte{nil, frame[:7], frame[:len(frame)-1]} {
		conn := call(t, addresses[1])
		if _, err := conn.Write(bytes); err != nil {
			t.Fatal(err)
		}
		if p := arrival(t, one); Label(p.Err) != "silent" || p.From != conn.LocalAddr().String() {
			t.Errorf("after %d bytes: %+v", len(bytes), p)
		}
		wantClosed(t, conn)
	}
}

// TestUnauthenticatedStream: what is no frame of a peer ends the connection, and
// is told of by its own word; nothing behind it is read.
func TestUnauthenticatedStream(t *testing.T) {
	key := wire.Key("a key of more than sixteen bytes")
	encode := func(change func(*wire.Frame), key wire.Key) []byte {
		f := newTestFrame()
		change(&f)
		b, err := f.Append(nil, key)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	same := func(*wire.Frame) {}
	good := encode(same, key)
	forged := bytes.Clone(good)
	forged[len(forged)-1] ^= 1
	senseless := encode(same, key)
	senseless[5] = 9
	addresses := ports(t, 2)
	one := listen(t, "tcp", Addresses{Listen: addresses[1], Peers: map[spec.ID]string{2: addresses[2]}, Key: key})
	defer one.Close()
	for _, c := range []struct {
		reason string
		bytes  []byte
	}{
		{"mac", encode(same, nil)}, {"mac", encode(same, wire.Key("another key of sixteen bytes"))}, {"mac", forged},
		{"malformed", senseless}, {"foreign", []byte("GET / HTTP/1.1\r\n\r\n")}, {"version", []byte("ILVE\x09\x01\x00\x01\x00\x50")},
	} {
		conn := call(t, addresses[1])
		if _, err := conn.Write(append(append(bytes.Clone(good), c.bytes...), good...)); err != nil {
			t.Fatal(err)
		}
		if p := arrival(t, one); !bytes.Equal(p.Bytes, good) {
			t.Errorf("%s: the frame before it: %+v", c.reason, p)
		}
		if p := arrival(t, one); Label(p.Err) != c.reason {
			t.Errorf("%s: %+v", c.reason, p)
		}
		wantClosed(t, conn)
	}
	select {
	case p := <-one.Receive():
		t.Errorf("and then comes %+v", p)
	default:
	}
}
