package transport

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"interleave/impl/wire"
	"interleave/spec"
)

// UDP is a Transport of one datagram a frame.
type UDP struct {
	conn  *net.UDPConn
	peers map[spec.ID]netip.AddrPort
	inbox chan Packet
	quit  chan struct{}

	closing sync.Once
	closed  error // the result of Close
	done    chan struct{}
}

// NewUDP listens.
func NewUDP(a Addresses) (*UDP, error) {
	listen, peers, err := a.resolve()
	if err != nil {
		return nil, err
	}
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(listen))
	if err != nil {
		return nil, err
	}
	u := &UDP{conn: conn, peers: peers, inbox: make(chan Packet, inboxSize), quit: make(chan struct{}), done: make(chan struct{})}
	go u.read()
	return u, nil
}

// Address returns where it listens: a port 0 has become a real one.
func (u *UDP) Address() netip.AddrPort { return u.conn.LocalAddr().(*net.UDPAddr).AddrPort() }

// Send sends a datagram.
func (u *UDP) Send(to spec.ID, frame []byte) error {
	address, ok := u.peers[to]
	if !ok {
		return errStranger
	}
	_, err := u.conn.WriteToUDPAddrPort(frame, address)
	return err
}

// Peer returns where a peer listens.
func (u *UDP) Peer(id spec.ID) string { return u.peers[id].String() }

// Receive returns the datagrams that arrive.
func (u *UDP) Receive() <-chan Packet { return u.inbox }

// MaxBody returns that of a frame that no network splits.
func (u *UDP) MaxBody() int { return wire.MaxDatagramBody }

// read passes on what arrives. It reads a little more than the longest frame, so that a
// frame that is too long is noticed. An error about one datagram, such as that nobody
// listens at the other end, is not an error of the socket.
func (u *UDP) read() {
	defer close(u.done)
	defer close(u.inbox)
	buffer := make([]byte, wire.MaxDatagram+1)
	for {
		n, from, err := u.conn.ReadFromUDPAddrPort(buffer)
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			if !pause(u.quit) {
				return
			}
			continue
		}
		packet := Packet{At: time.Now(), From: from.String(), Err: wire.CheckDatagram(buffer[:n])}
		if packet.Err == nil {
			packet.Bytes = append([]byte(nil), buffer[:n]...)
		}
		select {
		case u.inbox <- packet:
		case <-u.quit:
			return
		}
	}
}

// pause waits a moment, so that repeated failures do not use up the processor. It
// returns false once quit is closed.
func pause(quit <-chan struct{}) bool {
	select {
	case <-quit:
		return false
	case <-time.After(5 * time.Millisecond):
		return true
	}
}

// Close stops listening, and returns when nothing of it runs any more.
func (u *UDP) Close() error {
	u.closing.Do(func() {
		close(u.quit)
		u.closed = u.conn.Close()
		<-u.done
	})
	return u.closed
}
