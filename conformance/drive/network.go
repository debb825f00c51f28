package drive

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"

	"interleave/impl/wire"
	"interleave/spec"
)

// link is the way from one process to another.
type link struct{ from, to spec.ID }

// network has the driver's sockets, one for each ordered pair of processes: what
// process i believes to be the address of process j. Nothing passes unless the network
// is told to pass it.
type network struct {
	sockets map[link]*net.UDPConn
	homes   map[spec.ID]netip.AddrPort // where processes listen
	arrived chan frame
	quit    chan struct{}
	readers sync.WaitGroup
}

// frame is a frame of a process, as it came to the driver.
type frame struct {
	link
	bytes []byte
}

// newNetwork opens the sockets of n processes on loopback.
func newNetwork(n int) (*network, error) {
	w := &network{
		sockets: map[link]*net.UDPConn{}, homes: map[spec.ID]netip.AddrPort{},
		arrived: make(chan frame, 1024), quit: make(chan struct{}),
	}
	for from := range spec.UpTo(n).All() {
		for to := range spec.UpTo(n).Without(from).All() {
			conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
			if err != nil {
				w.close()
				return nil, fmt.Errorf("a socket for what process %v sends to %v: %w", from, to, err)
			}
			l := link{from, to}
			w.sockets[l] = conn
			w.readers.Go(func() { w.read(l, conn) })
		}
	}
	return w, nil
}

// read delivers what comes to a socket, in order.
func (w *network) read(l link, conn *net.UDPConn) {
	buffer := make([]byte, wire.MaxDatagram+1)
	for {
		n, _, err := conn.ReadFromUDPAddrPort(buffer)
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // about one datagram, such as that nobody listens at its other end
			select {
			case <-w.quit:
				return
			case <-time.After(time.Millisecond):
			}
			continue
		}
		select {
		case w.arrived <- frame{l, append([]byte(nil), buffer[:n]...)}:
		case <-w.quit:
			return
		}
	}
}

// peers returns the addresses of the others for a process: sockets of the driver.
func (w *network) peers(id spec.ID) map[spec.ID]string {
	peers := map[spec.ID]string{}
	for l, conn := range w.sockets {
		if l.from == id {
			peers[l.to] = conn.LocalAddr().String()
		}
	}
	return peers
}

// pass delivers a frame to its receiver, from the address that this has for the sender.
func (w *network) pass(f frame) error {
	_, err := w.sockets[link{f.to, f.from}].WriteToUDPAddrPort(f.bytes, w.homes[f.to])
	return err
}

// close closes the sockets.
func (w *network) close() {
	close(w.quit)
	for _, conn := range w.sockets {
		conn.Close()
	}
	w.readers.Wait()
}
