package drive

import (
	"net/netip"
	"time"

	"interleave/impl"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec"
)

// Ran is what is left of a run: the log of each process, of number 1 first, and what
// a tap at the driver saw on both sides of its network.
type Ran struct {
	Logs    [][]byte
	Packets []capture.Packet
}

// tap takes down what passes the driver.
type tap struct {
	packets []capture.Packet
	begin   time.Time          // of the first lock-step round, as processes tell each other
	length  time.Duration      // of a round
	round   int64              // that is under way
	rounds  map[mailName]int64 // in which each message was seen first
}

type mailName struct {
	from        spec.ID
	incarnation uint32
	sequence    uint64
}

func newTap(s *control) *tap {
	return &tap{begin: s.roundsFrom, length: impl.DefaultDurations(s.machine, s.config.N, endless)["round"], rounds: map[mailName]int64{}}
}

// see takes down a frame. The driver is the clock: in lock step a frame says that it was
// sent in the round that the driver called, and not when that was by the wall clock.
func (t *tap) see(side capture.Side, f frame) {
	p := capture.Packet{Number: len(t.packets) + 1, Time: time.Now(), Interface: side.String(), From: home(f.from), To: home(f.to), Bytes: f.bytes}
	p.Frame, p.Err = wire.Parse(f.bytes, nil)
	if !t.begin.IsZero() && p.Err == nil && p.Frame.Kind == wire.Data {
		name := mailName{p.Frame.From, p.Frame.Incarnation, p.Frame.Sequence}
		if t.rounds[name] == 0 {
			t.rounds[name] = t.round
		}
		p.Frame.Sent = t.begin.Add(time.Duration(t.rounds[name]-1)*t.length + 1).UnixNano()
	}
	t.packets = append(t.packets, p)
}

// home is where a capture has a process, whatever its socket is.
func home(id spec.ID) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, byte(id)}), wire.Port)
}

// pass delivers a frame.
func (s *control) pass(f frame) error {
	s.tap.see(capture.Delivered, f)
	return s.net.pass(f)
}
