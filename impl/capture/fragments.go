package capture

import (
	"bytes"
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"interleave/impl/wire"
)

// fragments puts IP packets together of their fragments. What gopacket has for it knows IPv4
// only, counts copies and overlaps as progress, and trusts all lengths.
type fragments struct {
	begun []*partial // the oldest first
	lose  func(*partial)
}

// Systems give a packet up whose fragments have not all come for some time. More than a few
// never wait at once, unless many are lost.
const (
	fragmentsWait = 30 * time.Second
	maxPartial    = 64
)

// partial is a packet of which fragments have come.
type partial struct {
	of    partialName
	own   bool   // as in raw
	found Packet // where its first fragment is in the file
	parts []datagram
}

// partialName is what all fragments of a packet have in common.
type partialName struct {
	iface    string
	from, to netip.Addr
	protocol byte
	id       uint32
}

// add adds a fragment. It returns the packet if that is complete.
func (f *fragments) add(found Packet, own bool, d datagram) (whole datagram, complete bool) {
	for len(f.begun) > 0 && found.Time.Sub(f.begun[0].found.Time) > fragmentsWait {
		f.drop(0)
	}
	name := partialName{found.Interface, d.from, d.to, d.protocol, d.id}
	i := slices.IndexFunc(f.begun, func(p *partial) bool { return p.of == name })
	if i < 0 {
		if len(f.begun) == maxPartial {
			f.drop(0)
		}
		i = len(f.begun)
		f.begun = append(f.begun, &partial{of: name, own: own, found: found})
	}
	p := f.begun[i]
	if !p.fits(d) { // receivers take neither
		f.drop(i)
		return d, false
	}
	if !p.complete() {
		return d, false
	}
	f.begun = slices.Delete(f.begun, i, i+1)
	whole = p.parts[0]
	whole.fragment, whole.payload, whole.size = false, nil, 0
	for _, part := range p.parts {
		if len(whole.payload) == whole.size { // else something before it was not captured
			whole.payload = append(whole.payload, part.payload...)
		}
		whole.size += part.size
	}
	return whole, true
}

// fits puts a fragment into its place, unless it is there already. It returns false if another
// is in that place. A packet of which fragments overlap otherwise never becomes complete.
func (p *partial) fits(d datagram) bool {
	i, there := slices.BinarySearchFunc(p.parts, d, func(a, b datagram) int { return cmp.Compare(a.offset, b.offset) })
	if there {
		has := p.parts[i]
		return has.more == d.more && bytes.Equal(has.payload, d.payload)
	}
	p.parts = slices.Insert(p.parts, i, d)
	return true
}

// complete reports whether each fragment begins where the one before it ends, up to the last.
func (p *partial) complete() bool {
	at := 0
	for i, part := range p.parts {
		if last := i == len(p.parts)-1; part.offset != at || part.more == last {
			return false
		}
		at += part.size
	}
	return true
}

// drop gives up a packet.
func (f *fragments) drop(i int) {
	p := f.begun[i]
	f.begun = slices.Delete(f.begun, i, i+1)
	f.lose(p)
}

// end gives up all packets.
func (f *fragments) end() {
	for len(f.begun) > 0 {
		f.drop(0)
	}
}

// lost returns the error of a packet that is not complete.
func (p *partial) lost() error {
	return fmt.Errorf("%w: %w: it came in fragments of IP, of which some are not there, or contradict each other: capture where all of them pass", wire.ErrShort, ErrMissing)
}
