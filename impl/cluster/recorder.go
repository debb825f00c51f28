package cluster

import (
	"bufio"
	"errors"
	"os"
	"sync"
	"time"

	packets "interleave/impl/capture"
)

// recorder writes what the proxy sees to a capture, and remembers the first
// error. It says where the processes are, and not by which sockets of the proxy
// they reach each other. nil: there is no capture.
type recorder struct {
	addresses Addresses
	file      *os.File
	buf       *bufio.Writer
	w         *packets.Writer
	mu        sync.Mutex
	err       error
}

func newRecorder(file, comment string, a Addresses) (*recorder, error) {
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	buf := bufio.NewWriterSize(f, 1<<16)
	w, err := packets.NewWriter(buf, comment)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &recorder{addresses: a, file: f, buf: buf, w: w}, nil
}

func (c *recorder) sent(at time.Time, l link, stream bool, frame []byte) {
	c.write(packets.Sent, at, l, stream, frame)
}

func (c *recorder) delivered(at time.Time, l link, stream bool, frame []byte) {
	c.write(packets.Delivered, at, l, stream, frame)
}

func (c *recorder) write(side packets.Side, at time.Time, l link, stream bool, frame []byte) {
	if c == nil {
		return
	}
	write := c.w.UDP
	if stream {
		write = c.w.TCP
	}
	c.note(write(side, at, c.addresses.Of(l.from), c.addresses.Of(l.to), frame))
}

// ended says that a stream is over.
func (c *recorder) ended(at time.Time, l link) {
	if c == nil {
		return
	}
	for _, side := range []packets.Side{packets.Sent, packets.Delivered} {
		c.note(c.w.EndTCP(side, at, c.addresses.Of(l.from), c.addresses.Of(l.to)))
	}
}

func (c *recorder) note(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
}

func (c *recorder) close() error {
	if c == nil {
		return nil
	}
	return errors.Join(c.err, c.w.Close(), c.buf.Flush(), c.file.Close())
}
