package cluster

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"interleave/spec"
)

// tap sees every frame that reaches the proxy, and every copy that it passes on.
type tap interface {
	sent(at time.Time, l link, stream bool, frame []byte)
	delivered(at time.Time, l link, stream bool, frame []byte)
	ended(at time.Time, l link) // a stream
}

// proxy is between the processes: it carries each frame from one to another as the
// network decides.
type proxy struct {
	addresses Addresses
	network   *network
	tap       tap
	stall     time.Duration // how long a lost frame of a stream is late

	closed  chan struct{}
	running sync.WaitGroup

	sockets   map[link]*net.UDPConn // by where they are known: that of 127.1.i.j at {i, j}
	lines     map[link]*line
	listeners []*net.TCPListener

	mu      sync.Mutex
	calls   map[*call]bool // connections under way
	hurried chan struct{}  // closed when what is under way is to arrive at once
}

// stallTime is how long a stream stands still for a lost frame: as long as a
// Linux kernel waits at least before it sends a segment again.
const stallTime = 200 * time.Millisecond

func newProxy(a Addresses, n *network, t tap) *proxy {
	p := &proxy{
		addresses: a, network: n, tap: t, stall: stallTime, closed: make(chan struct{}),
		sockets: map[link]*net.UDPConn{}, lines: map[link]*line{}, calls: map[*call]bool{},
		hurried: make(chan struct{}),
	}
	n.onCut = p.hangUp
	return p
}

// hurry makes everything in flight arrive at once: after it, nothing that was delayed
// before arrives.
func (p *proxy) hurry(now time.Time) {
	for _, l := range p.lines {
		l.hurry(now)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.hurried)
	p.hurried = make(chan struct{})
}

// inHurry returns what is closed at the next hurry.
func (p *proxy) inHurry() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hurried
}

// close ends the proxy and waits for all of it.
func (p *proxy) close() {
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

// listen opens the proxy for the processes of a cluster.
func (p *proxy) listen(c Config) error {
	if c.Stream {
		return p.carryStreams(c.N)
	}
	return p.carryDatagrams(c.N, c.Delta/2)
}

// carryDatagrams opens a socket for every ordered pair of n processes and
// carries datagrams between them. A frame that is held for the next to overtake
// waits no longer than hold.
func (p *proxy) carryDatagrams(n int, hold time.Duration) error {
	for _, l := range between(spec.UpTo(n), spec.UpTo(n)) {
		at := p.addresses.Known(l.from, l.to)
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
func (p *proxy) readDatagrams(l link, s *net.UDPConn) {
	buf := make([]byte, 1<<16)
	for {
		size, from, err := s.ReadFromUDPAddrPort(buf)
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil || from != p.addresses.Of(l.from):
			continue // the one before did not reach its process, or it is not from one of ours
		}
		now, frame := time.Now(), append([]byte(nil), buf[:size]...)
		p.tap.sent(now, l, false, frame)
		if fate, passes := p.network.arrive(l, frame, now, false); passes {
			p.lines[l].put(frame, fate, now)
		}
	}
}

// deliverDatagram passes a datagram on. If its receiver is down it is lost there, as
// without the proxy.
func (p *proxy) deliverDatagram(l link, frame []byte) {
	p.tap.delivered(time.Now(), l, false, frame)
	p.sockets[link{l.to, l.from}].WriteToUDPAddrPort(frame, p.addresses.Of(l.to))
}

// ephemeral returns the address without its port.
func ephemeral(a netip.AddrPort) *net.TCPAddr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(a.Addr(), 0))
}
