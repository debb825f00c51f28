package network

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"interleave/spec"
)

// Tap sees every frame that reaches the proxy, and every copy that it passes on.
type Tap interface {
	Sent(at time.Time, l Link, stream bool, frame []byte)
	Delivered(at time.Time, l Link, stream bool, frame []byte)
	Ended(at time.Time, l Link) // a stream
}

// Proxy is between the processes: it carries each frame from one to another as the
// Network decides.
type Proxy struct {
	addresses Addresses
	network   *Network
	tap       Tap
	stall     time.Duration // how long a lost frame of a stream is late

	closed  chan struct{}
	running sync.WaitGroup

	sockets   map[Link]*net.UDPConn // by where they are known: that of 127.1.i.j at {i, j}
	lines     map[Link]*line
	listeners []*net.TCPListener

	mu      sync.Mutex
	calls   map[*call]bool // connections under way
	hurried chan struct{}  // closed when what is under way is to arrive at once
}

// StallTime is how long a stream stands still for a lost frame: as long as a
// Linux kernel waits at least before it sends a segment again.
const StallTime = 200 * time.Millisecond

// NewProxy returns a proxy that carries nothing yet.
func NewProxy(a Addresses, n *Network, t Tap) *Proxy {
	p := &Proxy{
		addresses: a, network: n, tap: t, stall: StallTime, closed: make(chan struct{}),
		sockets: map[Link]*net.UDPConn{}, lines: map[Link]*line{}, calls: map[*call]bool{},
		hurried: make(chan struct{}),
	}
	n.onCut = p.hangUp
	return p
}

// Hurry makes everything in flight arrive at once: after it, nothing that was delayed
// before arrives.
func (p *Proxy) Hurry(now time.Time) {
	for _, l := range p.lines {
		l.hurry(now)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.hurried)
	p.hurried = make(chan struct{})
}

// inHurry returns what is closed at the next hurry.
func (p *Proxy) inHurry() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hurried
}

// Close ends the proxy and waits for all of it.
func (p *Proxy) Close() {
	close(p.closed)
	for _, s := range p.sockets {
		s.Close()
	}
	for _, l := range p.listeners {
		l.Close()
	}
	p.mu.Lock()
	for c := range p.calls {
		c.cut()
	}
	p.mu.Unlock()
	p.running.Wait()
	for _, l := range p.lines {
		l.close()
	}
}

// CarryDatagrams opens a socket for every ordered pair of n processes and
// carries datagrams between them. A frame that is held for the next to overtake
// waits no longer than hold.
func (p *Proxy) CarryDatagrams(n int, hold time.Duration) error {
	for _, l := range Between(spec.UpTo(n), spec.UpTo(n)) {
		at := p.addresses.Known(l.From, l.To)
		s, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(at))
		if err != nil {
			return addressError(at, err)
		}
		s.SetReadBuffer(1 << 20) // more than the default, if it may be had
		p.sockets[l] = s
	}
	for l := range p.sockets {
		p.lines[l] = newLine(hold, func(frame []byte) { p.deliverDatagram(l, frame) })
	}
	for l, s := range p.sockets {
		p.running.Go(func() { p.readDatagrams(l, s) })
	}
	return nil
}

// readDatagrams reads what one process sends to another.
func (p *Proxy) readDatagrams(l Link, s *net.UDPConn) {
	buf := make([]byte, 1<<16)
	for {
		size, from, err := s.ReadFromUDPAddrPort(buf)
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil || from != p.addresses.Of(l.From):
			continue // the one before did not reach its process, or it is not from one of ours
		}
		now, frame := time.Now(), append([]byte(nil), buf[:size]...)
		p.tap.Sent(now, l, false, frame)
		if fate, passes := p.network.arrive(l, frame, now, false); passes {
			p.lines[l].put(frame, fate, now)
		}
	}
}

// deliverDatagram passes a datagram on. If its receiver is down it is lost there, as
// without the proxy.
func (p *Proxy) deliverDatagram(l Link, frame []byte) {
	p.tap.Delivered(time.Now(), l, false, frame)
	p.sockets[Link{l.To, l.From}].WriteToUDPAddrPort(frame, p.addresses.Of(l.To))
}

// ephemeral returns the address without its port.
func ephemeral(a netip.AddrPort) *net.TCPAddr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(a.Addr(), 0))
}
