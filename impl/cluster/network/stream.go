package network

import (
	"bufio"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"interleave/impl/wire"
	"interleave/spec"
)

// backlog is how many frames of a connection may wait in the proxy: one that is
// slower makes the sender wait.
const backlog = 1024

// call is a connection that one process made to another, and the one that the
// proxy made to carry it on. Frames may go either way.
type call struct {
	link   Link // who called whom
	caller *net.TCPConn
	callee *net.TCPConn
	gone   chan struct{} // closed when it is cut
	once   sync.Once
}

// CarryStreams listens where every process believes the others to be, and
// carries connections between them, frame by frame and in their order. A lost
// frame stalls its stream, as it would with the retransmission of TCP. A cut of
// either direction ends the connection, and while it lasts none can be made:
// TCP knows no one-way streams.
func (p *Proxy) CarryStreams(n int) error {
	for _, l := range Between(spec.UpTo(n), spec.UpTo(n)) {
		at := p.addresses.Known(l.From, l.To)
		listener, err := net.ListenTCP("tcp4", net.TCPAddrFromAddrPort(at))
		if err != nil {
			return addressError(at, err)
		}
		p.listeners = append(p.listeners, listener)
		p.running.Go(func() { p.accept(l, listener) })
	}
	return nil
}

func (p *Proxy) accept(l Link, listener *net.TCPListener) {
	for {
		caller, err := listener.AcceptTCP()
		select {
		case <-p.closed:
			if err == nil {
				caller.Close()
			}
			return
		default:
		}
		if err == nil {
			p.running.Go(func() { p.carry(l, caller) })
		}
	}
}

// carry carries one connection until either side ends it, or a cut does.
func (p *Proxy) carry(l Link, caller *net.TCPConn) {
	if p.blockedEitherWay(l) {
		reset(caller)
		return
	}
	dialer := net.Dialer{LocalAddr: ephemeral(p.addresses.Known(l.To, l.From)), Timeout: time.Second}
	conn, err := dialer.Dial("tcp4", p.addresses.Of(l.To).String())
	if err != nil { // the process is down
		reset(caller)
		return
	}
	c := &call{link: l, caller: caller, callee: conn.(*net.TCPConn), gone: make(chan struct{})}
	if !p.begin(c) {
		c.cut()
		return
	}
	var pumps sync.WaitGroup
	pumps.Go(func() { p.pump(c, l, c.caller, c.callee) })
	pumps.Go(func() { p.pump(c, Link{l.To, l.From}, c.callee, c.caller) })
	pumps.Wait()
	p.mu.Lock()
	delete(p.calls, c)
	p.mu.Unlock()
	c.caller.Close()
	c.callee.Close()
}

func (p *Proxy) blockedEitherWay(l Link) bool {
	return p.network.isBlocked(l) || p.network.isBlocked(Link{l.To, l.From})
}

// begin registers a call, unless it has been cut or the proxy closed meanwhile.
func (p *Proxy) begin(c *call) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.closed:
		return false
	default:
	}
	p.calls[c] = true
	return !p.blockedEitherWay(c.link)
}

// hangUp cuts the connections that a new cut concerns.
func (p *Proxy) hangUp(blocked func(Link) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.calls {
		if blocked(c.link) || blocked(Link{c.link.To, c.link.From}) {
			c.cut()
		}
	}
}

// cut ends both connections at once, and what is on its way in them is lost.
func (c *call) cut() {
	c.once.Do(func() {
		close(c.gone)
		reset(c.caller)
		reset(c.callee)
	})
}

// reset closes a connection without a farewell.
func reset(c *net.TCPConn) {
	c.SetLinger(0)
	c.Close()
}

var errPartition = errors.New("a partition stands in the way")

// passing is a frame of a stream on its way.
type passing struct {
	at      time.Time
	frame   []byte
	hurried <-chan struct{} // closed when it is not to wait any longer
}

// pump carries the frames of one direction, and then passes on its end.
func (p *Proxy) pump(c *call, l Link, from, to *net.TCPConn) {
	frames := make(chan passing, backlog)
	var writer sync.WaitGroup
	writer.Go(func() {
		lost := 0
		for f := range frames {
			if lost > 0 || !p.passOn(c, l, to, f) {
				lost++
				c.cut() // so that the reader ends, too
			}
		}
		p.network.broken(l, lost, time.Now())
	})
	err := p.readFrames(l, from, frames)
	close(frames)
	writer.Wait()
	if err != io.EOF {
		c.cut()
	}
	to.CloseWrite()
	p.tap.Ended(time.Now(), l)
}

// readFrames reads a stream to its end, and returns io.EOF if the sender meant
// it to end there. What is no frame of ours ends it, and so does a partition.
func (p *Proxy) readFrames(l Link, from io.Reader, frames chan<- passing) error {
	r := bufio.NewReader(from)
	var last time.Time
	hurried := p.inHurry()
	for {
		frame, err := wire.ReadRaw(r)
		if err != nil {
			return err
		}
		now := time.Now()
		p.tap.Sent(now, l, true, frame)
		fate, passes := p.network.arrive(l, frame, now, true)
		if !passes {
			return errPartition
		}
		if now := p.inHurry(); now != hurried {
			last, hurried = time.Time{}, now
		}
		at := now.Add(fate.Delay[0])
		if fate.Lost {
			at = at.Add(p.stall)
		}
		if at.Before(last) { // it has to wait for those before it
			at = last
		}
		last = at
		frames <- passing{at, frame, hurried}
	}
}

// passOn writes a frame when it is due. It reports whether it was written.
func (p *Proxy) passOn(c *call, l Link, to *net.TCPConn, f passing) bool {
	if wait := time.Until(f.at); wait > 0 {
		select {
		case <-c.gone:
			return false
		case <-f.hurried:
		case <-time.After(wait):
		}
	}
	p.tap.Delivered(time.Now(), l, true, f.frame) // before it can be answered
	_, err := to.Write(f.frame)
	return err == nil
}
