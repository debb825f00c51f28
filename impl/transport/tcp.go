package transport

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"time"

	"interleave/impl/wire"
	"interleave/spec"
)

// TCP is a Transport of two connections between any two processes: each sends on the
// one that it made. Frames contain their length.
type TCP struct {
	listener *net.TCPListener
	lines    map[spec.ID]*line
	inbox    chan Packet
	ctx      context.Context // ends with Close
	stop     context.CancelFunc
	running  sync.WaitGroup
	key      wire.Key
	silence  time.Duration
	callers  callers

	closing sync.Once
	closed  error // the result of Close
}

// line is the way to one peer.
type line struct {
	to     netip.AddrPort
	frames chan []byte
}

const (
	lineSize    = 256 // frames that wait for a connection to take them
	dialAtFirst = 10 * time.Millisecond
	dialAtLast  = 200 * time.Millisecond // so that a peer which comes back is found soon
	dialTimeout = 2 * time.Second
	// writeTimeout is how long a peer may take to read what was sent, before
	// the connection is made anew, and byteTimeout how much longer for each byte.
	writeTimeout = 5 * time.Second
	byteTimeout  = time.Microsecond
)

// NewTCP listens, and begins to connect to the peers.
func NewTCP(a Addresses) (*TCP, error) {
	listen, peers, err := a.resolve()
	if err != nil {
		return nil, err
	}
	listener, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(listen))
	if err != nil {
		return nil, err
	}
	t := &TCP{listener: listener, lines: map[spec.ID]*line{}, inbox: make(chan Packet, inboxSize), key: a.Key, silence: a.Silence}
	if t.silence == 0 {
		t.silence = defaultSilence
	}
	t.callers = callers{limit: 4*len(peers) + 16, open: map[*caller]bool{}}
	t.ctx, t.stop = context.WithCancel(context.Background())
	for id, address := range peers {
		l := &line{to: address, frames: make(chan []byte, lineSize)}
		t.lines[id] = l
		t.running.Go(func() { t.speak(l) })
	}
	t.running.Go(t.accept)
	return t, nil
}

// Address returns where it listens: a port 0 has become a real one.
func (t *TCP) Address() netip.AddrPort { return t.listener.Addr().(*net.TCPAddr).AddrPort() }

// Send puts a frame in line.
func (t *TCP) Send(to spec.ID, frame []byte) error {
	line, ok := t.lines[to]
	if !ok {
		return errStranger
	}
	select {
	case line.frames <- append([]byte(nil), frame...):
		return nil
	default:
		return errFull
	}
}

// Peer returns where a peer listens.
func (t *TCP) Peer(id spec.ID) string { return t.lines[id].to.String() }

// Receive returns the frames that arrive.
func (t *TCP) Receive() <-chan Packet { return t.inbox }

// MaxBody returns that of any frame.
func (t *TCP) MaxBody() int { return wire.MaxBody }

// Close ends all connections, and returns when nothing of it runs any more.
func (t *TCP) Close() error {
	t.closing.Do(func() {
		t.stop()
		t.closed = t.listener.Close()
		t.callers.close()
		t.running.Wait()
		close(t.inbox)
	})
	return t.closed
}

// speak keeps a connection to a peer and writes the frames for it. Frames in line while
// there is no connection are dropped: messages on links are sent again, and the rest is
// useless when it is late.
func (t *TCP) speak(l *line) {
	wait := dialAtFirst
	for t.ctx.Err() == nil {
		conn, err := t.dial(l.to)
		if err != nil {
			t.discard(l, wait)
			wait = min(2*wait, dialAtLast)
			continue
		}
		if t.write(conn, l) {
			wait = dialAtFirst
		}
		conn.Close()
		t.discard(l, wait)
		wait = min(2*wait, dialAtLast)
	}
}

// dial connects from the address that the process listens on, so that the other end
// knows who calls.
func (t *TCP) dial(to netip.AddrPort) (net.Conn, error) {
	dialer := net.Dialer{Timeout: dialTimeout}
	if own := t.Address().Addr().Unmap(); !own.IsUnspecified() && own.IsLoopback() == to.Addr().IsLoopback() {
		dialer.LocalAddr = net.TCPAddrFromAddrPort(netip.AddrPortFrom(own, 0))
	}
	return dialer.DialContext(t.ctx, "tcp", to.String())
}

// discard drops frames for a while.
func (t *TCP) discard(l *line, wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case <-l.frames:
		case <-timer.C:
			return
		case <-t.ctx.Done():
			return
		}
	}
}

// write writes frames until the connection breaks, and reports whether any succeeded.
// Nothing is read from the connection except its end.
func (t *TCP) write(conn net.Conn, l *line) (any bool) {
	broken := make(chan struct{})
	t.running.Go(func() {
		defer close(broken)
		var b [1]byte
		_, _ = conn.Read(b[:]) // a peer that sends on this connection is none of ours
		conn.Close()
	})
	defer func() { conn.Close(); <-broken }()
	for {
		select {
		case frame := <-l.frames:
			_ = conn.SetWriteDeadline(time.Now().Add(writeTimeout + time.Duration(len(frame))*byteTimeout))
			if _, err := conn.Write(frame); err != nil {
				return any
			}
			any = true
		case <-broken:
			return any
		case <-t.ctx.Done():
			return any
		}
	}
}
