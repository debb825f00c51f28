package captures

import (
	"net/netip"
	"slices"

	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec"
)

// identify requires each frame to be from a process of the ring, and each process to be a
// single one.
func (s *context) identify() error {
	s.all = spec.UpTo(len(s.ring))
	homes, ways, hosts := map[incarnation]netip.Addr{}, map[way][]source{}, map[host][]begun{}
	o := &origins{packets: s.packets}
	relays := o.relays()
	for _, p := range s.packets {
		f := p.Frame
		if err := s.stranger(p); err != nil {
			return err
		}
		at := incarnation{f.From, f.Incarnation}
		home, known := homes[at]
		if p.Delivered() || relays.addresses[p.From.Addr()] { // even if it is not there as its process sent it
			continue
		}
		if known && home != p.From.Addr() && !o.passedOn(p, home) {
			return unusable("packet %d: process %v speaks from %v, and from %v in the same incarnation: two processes have one number", p.Number, f.From, p.From.Addr(), home)
		}
		if !known {
			homes[at] = p.From.Addr()
		}
		if relays.sockets[p.From] {
			continue
		}
		if other, found := o.twin(ways, p); found {
			return unusable("packet %d: process %v speaks to process %v from %v, and from %v in the same incarnation: two processes have one number", p.Number, f.From, f.To, p.From, other)
		}
		if later := atOnce(hosts, p); later > 0 {
			return unusable("packet %d: process %v speaks from %v in incarnation %d, and has spoken in incarnation %d, by the clock of that machine: two processes have one number", p.Number, f.From, p.From.Addr(), f.Incarnation, later)
		}
	}
	return nil
}

// host is a machine, and a process that runs there.
type host struct {
	id spec.ID
	at netip.Addr
}

// begun is an incarnation of a process, and when it sent the first frame that is there and is sent once only.
type begun struct {
	incarnation uint32
	sent        int64
}

// atOnce returns a later incarnation of the process that has sent a packet, if that had begun on the same machine when it
// did; 0 if there is none. What comes late was sent before, and a clock may be set back: so the order of the capture
// and the clock both have to tell it.
func atOnce(hosts map[host][]begun, p capture.Packet) (later uint32) {
	f := p.Frame
	if f.Kind == wire.Data || f.Sent == 0 {
		return 0
	}
	on := host{f.From, p.From.Addr()}
	for _, b := range hosts[on] {
		if b.incarnation > f.Incarnation && b.sent < f.Sent {
			return b.incarnation
		}
	}
	if !slices.ContainsFunc(hosts[on], func(b begun) bool { return b.incarnation == f.Incarnation }) {
		hosts[on] = append(hosts[on], begun{f.Incarnation, f.Sent})
	}
	return 0
}

// origins are from where frames came: their processes, and those that passed them on.
type origins struct {
	packets []capture.Packet
	copies  map[frameName][]ends // between which sockets each frame went; nil: nobody has asked yet
}

// relays are from where frames come that were seen before, from elsewhere.
type relays struct {
	addresses map[netip.Addr]bool
	sockets   map[netip.AddrPort]bool // at the address of the process itself
}

// relays finds who passes on frames.
func (o *origins) relays() relays {
	r, first := relays{map[netip.Addr]bool{}, map[netip.AddrPort]bool{}}, map[frameName]netip.AddrPort{}
	for _, p := range o.packets {
		name := nameOf(p.Frame)
		switch origin, seen := first[name]; {
		case !seen:
			first[name] = p.From
		case origin.Addr() != p.From.Addr() && slices.Contains(o.of(p), origin):
			r.addresses[p.From.Addr()] = true
		case origin != p.From && !p.TCP && slices.Contains(o.of(p), origin):
			r.sockets[p.From] = true
		}
	}
	return r
}

// way is that from an incarnation of a process to another process.
type way struct {
	from incarnation
	to   spec.ID
	tcp  bool
}

// source is from where a process speaks: a socket, or one end of a connection.
type source struct {
	at   netip.AddrPort
	sent int64 // the first frame that came from there and is sent once only; 0: there is none yet
}

// twin looks for another source of the process on the way of a packet. An incarnation has one
// socket for the datagrams to a process. It may connect anew, but does not come back to a connection
// that it has left. What several sources say alike was passed on.
func (o *origins) twin(ways map[way][]source, p capture.Packet) (other netip.AddrPort, found bool) {
	on := way{incarnation{p.Frame.From, p.Frame.Incarnation}, p.Frame.To, p.TCP}
	at := slices.IndexFunc(ways[on], func(from source) bool { return from.at == p.From })
	if at < 0 {
		at = len(ways[on])
		ways[on] = append(ways[on], source{at: p.From})
	}
	known := ways[on]
	if known[at].sent == 0 && p.Frame.Kind != wire.Data {
		known[at].sent = p.Frame.Sent
	}
	if !p.TCP {
		return known[0].at, at > 0 && len(o.of(p)) == 1
	}
	for _, later := range known[at+1:] {
		// A capture may have what is behind a gap late, and a clock may be set: so both have to tell it.
		if begun := known[at].sent; 0 < begun && begun < later.sent && later.sent < p.Frame.Sent && len(o.of(p)) == 1 {
			return later.at, true
		}
	}
	return other, false
}

// passedOn reports whether a packet was sent by its process from its own address and
// passed on by somebody: a capture of the loopback interface sees both.
func (o *origins) passedOn(p capture.Packet, home netip.Addr) bool {
	return slices.ContainsFunc(o.of(p), func(from netip.AddrPort) bool { return from.Addr() == home })
}

// of returns from where the frame of a packet came. Frames without a time have one name whenever they
// say the same: of those, one that goes to the same socket is no copy.
func (o *origins) of(p capture.Packet) (from []netip.AddrPort) {
	if o.copies == nil {
		o.copies = map[frameName][]ends{}
		for _, q := range o.packets {
			if name, e := nameOf(q.Frame), (ends{q.From, q.To}); !slices.Contains(o.copies[name], e) {
				o.copies[name] = append(o.copies[name], e)
			}
		}
	}
	for _, e := range o.copies[nameOf(p.Frame)] {
		copied := p.Frame.Sent > 0 || e.to != p.To
		if (copied || e.from == p.From) && !slices.Contains(from, e.from) {
			from = append(from, e.from)
		}
	}
	return from
}

// ends are the sockets between which a packet goes.
type ends struct{ from, to netip.AddrPort }

// frameName distinguishes the frames of a process.
type frameName struct {
	kind           wire.Kind
	from           incarnation
	to             spec.ID
	sequence, link uint64
	sent           int64
}

func nameOf(f wire.Frame) frameName {
	return frameName{f.Kind, incarnation{f.From, f.Incarnation}, f.To, f.Sequence, f.Link, f.Sent}
}
