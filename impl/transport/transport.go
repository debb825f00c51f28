package transport

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"
	"syscall"
	"time"

	"interleave/impl/wire"
	"interleave/spec"
)

// Transport carries the frames of one process. Frames may be lost, copied and
// come in any order.
type Transport interface {
	// Send sends a frame, which it does not keep. It never blocks for long; an
	// error means that the frame is lost.
	Send(to spec.ID, frame []byte) error
	// Receive returns what arrives. It is closed after Close.
	Receive() <-chan Packet
	// MaxBody returns how long the body of a frame may be.
	MaxBody() int
	Close() error
}

// Packet is what arrived, whatever it is.
type Packet struct {
	Bytes []byte
	At    time.Time
	From  string // the address that it came from, "" if that is not known
	Err   error  // why it, or the rest of a stream, is unreadable; Bytes is nil then
}

// inboxSize bounds the packets that wait for a node. More wait in the kernel; beyond
// its buffers they are lost.
const inboxSize = 1024

// Addresses are where a process listens and where it finds the others, as
// host:port.
type Addresses struct {
	Listen string
	Peers  map[spec.ID]string
	Open   bool // Listen need not be loopback: frames are authenticated, or the user has decided so

	Key     wire.Key      // TCP: a frame without its MAC ends the connection; nil: frames have none
	Silence time.Duration // TCP: how long a connection may take to bring its first frame, longer than between two heartbeats; 0: 10 s
}

// ErrOpen is wrapped by the error of listening beyond loopback unless Open.
var ErrOpen = errors.New("is not loopback, and without a key anybody there could pose as a peer")

var (
	errStranger = errors.New("no such peer")
	errFull     = errors.New("the buffer is full")
	errNoLink   = errors.New("there is no connection")
)

// resolve looks up the addresses, and refuses to listen beyond loopback unless
// Open.
func (a Addresses) resolve() (listen netip.AddrPort, peers map[spec.ID]netip.AddrPort, err error) {
	if listen, err = lookUp(a.Listen); err != nil {
		return listen, nil, fmt.Errorf("listen: %w", err)
	}
	if !a.Open && !listen.Addr().IsLoopback() {
		return listen, nil, fmt.Errorf("listen: %s %w", a.Listen, ErrOpen)
	}
	peers = map[spec.ID]netip.AddrPort{}
	for _, id := range slices.Sorted(maps.Keys(a.Peers)) {
		if peers[id], err = lookUp(a.Peers[id]); err != nil {
			return listen, nil, fmt.Errorf("peers: process %v: %w", id, err)
		}
		if peers[id].Port() == 0 || peers[id].Addr().IsUnspecified() {
			return listen, nil, fmt.Errorf("peers: process %v: %s is nowhere to send to: give a host and a port", id, a.Peers[id])
		}
	}
	return listen, peers, nil
}

// lookUp returns the first address of a host, and its port.
func lookUp(address string) (netip.AddrPort, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil || host == "" {
		return netip.AddrPort{}, fmt.Errorf("%q is no address: give host:port, as in 127.0.0.1:7001", address)
	}
	a, err := net.ResolveUDPAddr("udp", address)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("%q: %w", address, err)
	}
	ap := a.AddrPort()
	return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port()), nil
}

// LossReason returns one word for why a frame could not be sent, for counters.
func LossReason(err error) string {
	for _, known := range []struct {
		err  error
		word string
	}{
		{errFull, "full"}, {errNoLink, "disconnected"}, {errStranger, "stranger"},
		{syscall.EPERM, "forbidden"}, {syscall.EACCES, "forbidden"}, {syscall.ECONNREFUSED, "refused"},
		{syscall.ENOBUFS, "full"}, {syscall.EAGAIN, "full"}, {syscall.EMSGSIZE, "oversized"},
		{syscall.ENETUNREACH, "unreachable"}, {syscall.EHOSTUNREACH, "unreachable"}, {net.ErrClosed, "closed"},
	} {
		if errors.Is(err, known.err) {
			return known.word
		}
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return "full"
	}
	return "other"
}
