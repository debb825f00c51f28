package transport

import (
	"bufio"
	"errors"
	"net"
	"sync"
	"time"

	"interleave/impl/wire"
)

// callers are the connections that others made to this process. There is room for one from each
// peer, and for some more that are about to end. When it is full, a new connection replaces one
// that has brought no frame so far, or else the one whose last frame is oldest. So a peer always
// finds room, whoever else is connected.
type callers struct {
	mu    sync.Mutex
	limit int
	ended bool
	open  map[*caller]bool
}

// caller is a connection that another process made.
type caller struct {
	net.Conn
	spoke time.Time // when its last frame came; zero: none came
	came  time.Time
	why   error // why it was closed here; nil: it was not
}

// Reasons to close a connection here, other than what came over it.
var (
	errSilent  = errors.New("no frame came over it for too long")
	errCrowded = errors.New("others called, and it was silent longest")
)

// Label returns one word for why what arrived is ignored, for counters.
func Label(err error) string {
	switch {
	case errors.Is(err, errSilent):
		return "silent"
	case errors.Is(err, errCrowded):
		return "crowded out"
	}
	return wire.Label(err)
}

// defaultSilence is how long a connection may take to bring its first frame, unless
// Addresses say otherwise. After that it may be silent for idleFactor times as long.
const (
	defaultSilence = 10 * time.Second
	idleFactor     = 30
)

// admit makes room for a connection; nil: no more are admitted.
func (c *callers) admit(conn net.Conn) *caller {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return nil
	}
	if len(c.open) >= c.limit {
		c.crowdOut()
	}
	admitted := &caller{Conn: conn, came: time.Now()}
	c.open[admitted] = true
	return admitted
}

// crowdOut closes the connection that is needed least.
func (c *callers) crowdOut() {
	var least *caller
	for one := range c.open {
		if least == nil || one.less(least) {
			least = one
		}
	}
	least.why = errCrowded
	least.Close()
	delete(c.open, least)
}

// less reports whether c is needed less than other.
func (c *caller) less(other *caller) bool {
	if c.spoke.Equal(other.spoke) { // both said nothing
		return c.came.Before(other.came)
	}
	return c.spoke.Before(other.spoke)
}

// spoke records that a good frame came over a connection.
func (c *callers) spoke(one *caller, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	one.spoke = at
}

// leave ends a connection. It returns why it was closed here, nil if it was not.
func (c *callers) leave(one *caller) (why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, one)
	one.Close()
	return one.why
}

// close ends all connections, and refuses further ones.
func (c *callers) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	for one := range c.open {
		one.Close()
	}
}

// accept accepts connections.
func (t *TCP) accept() {
	for {
		conn, err := t.listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // such as too many open files
			if !pause(t.ctx.Done()) {
				return
			}
			continue
		}
		if c := t.callers.admit(conn); c != nil {
			t.running.Go(func() { t.listen(c) })
		} else {
			conn.Close()
		}
	}
}

// listen reads frames until the stream ends or something is no frame of a peer, and
// passes on why.
func (t *TCP) listen(c *caller) {
	err := t.read(c)
	if why := t.callers.leave(c); why != nil {
		err = why
	}
	if Label(err) != "other" { // it ended by itself
		t.hand(Packet{Err: err, At: time.Now(), From: c.RemoteAddr().String()})
	}
}

func (t *TCP) read(c *caller) error {
	from, patience := c.RemoteAddr().String(), t.silence
	r := bufio.NewReaderSize(c, 4*wire.MaxDatagram)
	for {
		_ = c.SetReadDeadline(time.Now().Add(patience))
		b, err := wire.ReadRaw(r)
		if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
			return errSilent
		}
		if err == nil {
			_, err = wire.Parse(b, t.key)
		}
		if err != nil {
			return err
		}
		now := time.Now()
		t.callers.spoke(c, now)
		if !t.hand(Packet{Bytes: b, At: now, From: from}) {
			return net.ErrClosed
		}
		patience = idleFactor * t.silence
	}
}

// hand passes on what arrived, and reports whether anybody takes it.
func (t *TCP) hand(p Packet) bool {
	select {
	case t.inbox <- p:
		return true
	case <-t.ctx.Done():
		return false
	}
}
