package network

import (
	"bufio"
	"errors"
	"os"
	"sync"
	"time"

	packets "interleave/impl/capture"
)

// Recorder writes what the proxy sees to a capture, and remembers the first
// error. It says where the processes are, and not by which sockets of the proxy
// they reach each other. nil: there is no capture.
type Recorder struct {
	addresses Addresses
	file      *os.File
	buf       *bufio.Writer
	w         *packets.Writer
	mu        sync.Mutex
	err       error
}

// NewRecorder begins a capture in a file.
func NewRecorder(file, comment string, a Addresses) (*Recorder, error) {
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	buf := bufio.NewWriterSize(f, 1<<16)
	w, err := packets.NewWriter(buf, comment)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Recorder{addresses: a, file: f, buf: buf, w: w}, nil
}

// Sent records a frame that a process sent.
func (c *Recorder) Sent(at time.Time, l Link, stream bool, frame []byte) {
	c.write(packets.Sent, at, l, stream, frame)
}

// Delivered records a frame, or a copy of one, that goes on to its receiver.
func (c *Recorder) Delivered(at time.Time, l Link, stream bool, frame []byte) {
	c.write(packets.Delivered, at, l, stream, frame)
}

func (c *Recorder) write(side packets.Side, at time.Time, l Link, stream bool, frame []byte) {
	if c == nil {
		return
	}
	write := c.w.UDP
	if stream {
		write = c.w.TCP
	}
	c.note(write(side, at, c.addresses.Of(l.From), c.addresses.Of(l.To), frame))
}

// Ended says that a stream is over.
func (c *Recorder) Ended(at time.Time, l Link) {
	if c == nil {
		return
	}
	for _, side := range []packets.Side{packets.Sent, packets.Delivered} {
		c.note(c.w.EndTCP(side, at, c.addresses.Of(l.From), c.addresses.Of(l.To)))
	}
}

func (c *Recorder) note(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
}

// Close ends the capture. It returns the first error.
func (c *Recorder) Close() error {
	if c == nil {
		return nil
	}
	return errors.Join(c.err, c.w.Close(), c.buf.Flush(), c.file.Close())
}
