package cluster

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"

	"interleave/impl/wire"
	"interleave/spec"
)

// MaxN is the largest number of processes.
const MaxN = 32

// Addresses are where the processes of a cluster are found, all on one port of
// the loopback network. Process i listens on 127.0.0.i. It knows process j as
// 127.1.i.j, a socket of the proxy, which passes on to 127.0.0.j what arrives
// there, out of 127.1.j.i: as j knows i.
type Addresses struct{ Port uint16 }

// Of returns where a process listens.
func (a Addresses) Of(id spec.ID) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, byte(id)}), a.Port)
}

// Known returns where one process believes another to be.
func (a Addresses) Known(to, other spec.ID) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 1, byte(to), byte(other)}), a.Port)
}

// Status returns where a process tells how it is, over HTTP.
func (a Addresses) Status(id spec.ID) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 2, 0, byte(id)}), a.Port)
}

// AddressError says that the addresses of a cluster cannot be had here.
type AddressError struct {
	Reason, Remedy string
	Err            error
}

func (e *AddressError) Error() string { return e.Reason + ": " + e.Err.Error() }
func (e *AddressError) Unwrap() error { return e.Err }

// pick returns the addresses at a port that n processes and the proxy can have:
// for 0 at that of the protocol, or at a free one if that is taken.
func pick(port uint16, n int) (Addresses, error) {
	if port != 0 {
		return Addresses{port}, Addresses{port}.probe(n)
	}
	port = wire.Port
	for range 20 { // a port that is free at one address may be taken at another
		if err := (Addresses{port}).probe(n); err == nil || !errors.Is(err, syscall.EADDRINUSE) {
			return Addresses{port}, err
		}
		var err error
		if port, err = freePort(); err != nil {
			return Addresses{}, err
		}
	}
	return Addresses{port}, Addresses{port}.probe(n)
}

func freePort() (uint16, error) {
	c, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return 0, err
	}
	defer c.Close()
	return c.Addr().(*net.TCPAddr).AddrPort().Port(), nil
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
