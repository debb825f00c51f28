package conformance_test

import (
	"net/netip"
	"strings"
	"testing"

	"interleave/conformance/captures"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec"
)

// TestTwins: that two processes have one number is seen by their ports, too, if they have one address. One process
// may have another socket for each peer and each life, and may connect anew; and somebody may pass on what it says.
func TestTwins(t *testing.T) {
	beat := func(port uint16, sent int64) capture.Packet {
		p := told(wire.Heartbeat, 1, 0, 0)
		p.From, p.Frame.Sent = netip.AddrPortFrom(p.From.Addr(), port), sent
		return p
	}
	to := func(id spec.ID, p capture.Packet) capture.Packet { p.Frame.To, p.To = id, home(id); return p }
	via := func(p capture.Packet) capture.Packet { p.To = netip.AddrPortFrom(p.To.Addr(), 9999); return p } // to who passes it on
	later := func(p capture.Packet) capture.Packet { p.Frame.Incarnation++; return p }
	behind := func(p capture.Packet) capture.Packet { p.Interface = capture.Delivered.String(); return p } // the network
	far := func(p capture.Packet) capture.Packet {                                                         // from another machine
		p.From = netip.AddrPortFrom(netip.MustParseAddr("10.0.0.9"), p.From.Port())
		return p
	}
	again := func(p capture.Packet) capture.Packet { p.Frame.Kind = wire.Data; return p } // of which Sent is of the first time
	type packets []capture.Packet
	for _, c := range []struct {
		name     string
		tcp      bool
		packets  packets
		wantTwin bool
	}{
		{"one port", false, packets{beat(7, 1), beat(7, 2)}, false},
		{"another port", false, packets{beat(7, 1), beat(8, 2)}, true},
		{"another port, without times", false, packets{beat(7, 0), beat(8, 0)}, true},
		{"passed on without times", false, packets{via(beat(7, 0)), beat(8, 0), via(beat(7, 0)), beat(8, 0)}, false},
		{"another life at once", false, packets{beat(7, 1), later(beat(8, 2)), beat(7, 3)}, true},
		{"another life at once, in connections", true, packets{beat(7, 1), later(beat(8, 2)), beat(7, 3)}, true},
		{"two of three lives at once", false, packets{beat(7, 1), later(beat(8, 2)), later(later(beat(9, 3))), later(beat(8, 4))}, true},
		{"a former life that comes late", false, packets{beat(7, 1), later(beat(8, 3)), beat(7, 2)}, false},
		{"a life after the clock was set back", false, packets{beat(7, 3), later(beat(8, 1)), later(beat(8, 2))}, false},
		{"both ports", false, packets{beat(7, 1), beat(8, 2), beat(7, 3), beat(8, 4)}, true},
		{"a socket for each peer", false, packets{beat(7, 1), to(3, beat(8, 2)), beat(7, 3), to(3, beat(8, 4))}, false},
		{"a socket for each life", false, packets{beat(7, 1), later(beat(8, 2))}, false},
		{"passed on from another port", false, packets{beat(7, 1), beat(8, 1), beat(7, 2), beat(8, 2)}, false},
		{"passed on, and once only so", false, packets{beat(7, 1), beat(8, 1), beat(8, 2), beat(7, 3), beat(8, 3)}, false},
		{"passed on by another machine, and once only so", false, packets{beat(7, 1), far(beat(8, 1)), far(beat(8, 2)), beat(7, 3)}, false},
		{"delivered in a connection of its own", true, packets{beat(7, 1), behind(beat(8, 2)), beat(7, 3)}, false},
		{"a twin on another machine", false, packets{far(beat(8, 2)), beat(7, 3), far(beat(8, 4))}, true},
		{"passed on, and a twin", false, packets{beat(7, 1), beat(8, 1), beat(9, 2)}, true},
		{"a new connection", true, packets{beat(7, 1), beat(7, 2), beat(8, 3), beat(8, 4), beat(9, 5)}, false},
		{"two connections at once", true, packets{beat(7, 1), beat(8, 2), beat(7, 3)}, true},
		{"two of three at once", true, packets{beat(7, 1), beat(8, 2), beat(9, 3), beat(8, 4)}, true},
		{"read late, behind a gap", true, packets{beat(7, 1), beat(8, 3), beat(7, 2)}, false},
		{"all of it read late", true, packets{beat(8, 3), beat(7, 1), beat(8, 4), beat(7, 2)}, false},
		{"read late, and sent again", true, packets{beat(7, 1), again(beat(8, 2)), beat(8, 5), beat(7, 3)}, false},
		{"a clock that is set back", true, packets{beat(7, 4), beat(8, 2), beat(8, 5)}, false},
		{"connections that are passed on", true, packets{beat(7, 1), beat(8, 1), beat(7, 2), beat(8, 2), beat(7, 3)}, false},
	} {
		for i := range c.packets {
			c.packets[i].TCP = c.tcp
		}
		_, err := captures.Check(c.packets, captures.Options{Find: findChatter, Ring: ascending(3)})
		if got := err != nil && strings.Contains(err.Error(), ": two processes have one number"); got != c.wantTwin {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
