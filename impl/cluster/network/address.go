package network

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"syscall"

	"interleave/impl/wire"
	"interleave/spec"
)

// MaxN is the largest number of processes.
const MaxN = 32

// Addresses are the addresses of the processes of a cluster, all on one port of the
// loopback network. Process i listens on 127.0.0.i. It knows process j as 127.1.i.j, a
// socket of the proxy. The proxy passes on what arrives there to 127.0.0.j, from
// 127.1.j.i, which is the address that j has for i.
type Addresses struct{ Port uint16 }

// Of returns where a process listens.
func (a Addresses) Of(id spec.ID) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, byte(id)}), a.Port)
}

// Known returns where one process believes another to be.
func (a Addresses) Known(to, other spec.ID) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 1, byte(to), byte(other)}), a.Port)
}

// Status returns where a process serves its status, over HTTP.
func (a Addresses) Status(id spec.ID) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 2, 0, byte(id)}), a.Port)
}

// AddressError says that the addresses of a cluster are not available here.
type AddressError struct {
	Reason, Remedy string
	Err            error
}

func (e *AddressError) Error() string { return e.Reason + ": " + e.Err.Error() }
func (e *AddressError) Unwrap() error { return e.Err }

// Claim claims the addresses at a port that n processes and the proxy can have:
// for 0 at that of the protocol, or at one of the next if that is taken. No other
// cluster takes them until the claim is closed, and nobody who leaves the choice to the
// system, which chooses larger ones.
func Claim(port uint16, n int) (a Addresses, claim io.Closer, err error) {
	if a.Port = port; port != 0 {
		claim, err = a.claim(n)
		return a, claim, err
	}
	for a.Port = wire.Port; a.Port < wire.Port+100; a.Port++ {
		if claim, err = a.claim(n); err == nil || !errors.Is(err, syscall.EADDRINUSE) {
			break
		}
	}
	return a, claim, err
}

// claim tries out every address, and keeps one that every cluster has to ask
// for first.
func (a Addresses) claim(n int) (io.Closer, error) {
	at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 2, 255, 1}), a.Port)
	kept, err := net.ListenTCP("tcp4", net.TCPAddrFromAddrPort(at))
	if err != nil {
		return nil, addressError(at, err)
	}
	if err := a.probe(n); err != nil {
		kept.Close()
		return nil, err
	}
	return kept, nil
}

// probe tries out every address, for datagrams and for streams.
func (a Addresses) probe(n int) error {
	for id := range spec.UpTo(n).All() {
		for _, at := range []netip.AddrPort{a.Of(id), a.Known(id, 1), a.Status(id)} {
			udp, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(at))
			if err != nil {
				return addressError(at, err)
			}
			udp.Close()
			tcp, err := net.ListenTCP("tcp4", net.TCPAddrFromAddrPort(at))
			if err != nil {
				return addressError(at, err)
			}
			tcp.Close()
		}
	}
	return nil
}

func addressError(at netip.AddrPort, err error) error {
	e := &AddressError{Reason: fmt.Sprintf("nothing can listen on %v", at), Err: err}
	switch {
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		e.Remedy = "a cluster needs the whole network 127.0.0.0/8 as Linux has it; on macOS and BSD each address is an alias to be made first, as in: ifconfig lo0 alias " + at.Addr().String()
	case errors.Is(err, syscall.EADDRINUSE):
		e.Remedy = "another cluster may be running: give another port, or 0 for a free one"
	default:
		e.Remedy = "the loopback network must be up, and open to this user"
	}
	return e
}
