package capture

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"golang.org/x/net/bpf"

	"interleave/impl/wire"
)

// passes runs a filter as the kernel would.
func passes(t *testing.T, filter program, packet []byte) bool {
	t.Helper()
	if _, err := bpf.Assemble(filter); err != nil {
		t.Fatal(err)
	}
	vm, err := bpf.NewVM(filter)
	if err != nil {
		t.Fatal(err)
	}
	n, err := vm.Run(packet)
	if err != nil {
		t.Fatal(err)
	}
	if n > 0 && n < len(packet) {
		t.Fatalf("%d bytes of %d are taken", n, len(packet))
	}
	return n > 0
}

// over returns a packet over Ethernet.
func over(etherType uint16, below ...[]byte) []byte {
	b := binary.BigEndian.AppendUint16(make([]byte, 12), etherType)
	for _, part := range below {
		b = append(b, part...)
	}
	return b
}

// ipv4 returns a header with so many words, whose packet is followed by what has ports.
func ipv4(words, protocol byte, split uint16) []byte {
	b := make([]byte, 4*int(words))
	b[0], b[9] = 4<<4|words, protocol
	binary.BigEndian.PutUint16(b[2:], uint16(len(b)+20))
	binary.BigEndian.PutUint16(b[6:], split)
	return b
}

func ipv6(next byte) []byte {
	b := make([]byte, 40)
	b[0], b[5], b[6] = 6<<4, 20, next
	return b
}

// ports returns what begins as UDP and TCP do.
func ports(from, to uint16) []byte {
	b := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, from), to)
	return append(b, 0, 20, 0, 0, 0, 0, 0, 0, 5<<4, 0, 0, 0, 0, 0, 0, 0)
}

// TestFilter: what is by one of the ports passes, and what may be; the rest does not.
func TestFilter(t *testing.T) {
	const vlan, more, keep = 0x8100, 0x2000, 0x4000
	ours, others := ports(9, 7002), ports(7004, 9)
	tag := func(next uint16) []byte { return binary.BigEndian.AppendUint16([]byte{0, 7}, next) }
	filter := byPorts([]uint16{7001, 7002, 7003})
	for _, c := range []struct {
		what   string
		packet []byte
		want   bool
	}{
		{"UDP to a port", over(0x0800, ipv4(5, protoUDP, keep), ours), true},
		{"UDP from a port", over(0x0800, ipv4(5, protoUDP, 0), ports(7003, 9)), true},
		{"TCP", over(0x0800, ipv4(5, protoTCP, keep), ports(7001, 7002)), true},
		{"UDP of others", over(0x0800, ipv4(5, protoUDP, 0), others), false},
		{"TCP of others", over(0x0800, ipv4(5, protoTCP, keep), others), false},
		{"options", over(0x0800, ipv4(8, protoUDP, 0), ours), true},
		{"options, of others", over(0x0800, ipv4(15, protoUDP, 0), others), false},
		{"ports where options are", over(0x0800, ipv4(5, protoUDP, 0), others, ours), false},
		{"the first fragment", over(0x0800, ipv4(5, protoUDP, more), ours), true},
		{"the first fragment of others, to be sure", over(0x0800, ipv4(5, protoUDP, more), others), true},
		{"a later fragment", over(0x0800, ipv4(5, protoUDP, more|8), others), true},
		{"the last fragment", over(0x0800, ipv4(5, protoTCP, 0x1fff), []byte{1, 2, 3}), true},
		{"an authenticated packet", over(0x0800, ipv4(5, authentication, 0), others), true},
		{"ICMP", over(0x0800, ipv4(5, 1, 0), ours), false},
		{"a fragment of ICMP", over(0x0800, ipv4(5, 1, more|8), ours), false},
		{"UDP over IPv6", over(0x86dd, ipv6(protoUDP), ours), true},
		{"TCP over IPv6", over(0x86dd, ipv6(protoTCP), ports(7002, 9)), true},
		{"others over IPv6", over(0x86dd, ipv6(protoTCP), others), false},
		{"a fragment of IPv6", over(0x86dd, ipv6(fragment), make([]byte, 8)), true},
		{"extensions of IPv6", over(0x86dd, ipv6(hopByHop), make([]byte, 8), others), true},
		{"ICMPv6", over(0x86dd, ipv6(58), ours), false},
		{"tagged", over(vlan, tag(0x0800), ipv4(5, protoUDP, 0), ours), true},
		{"tagged twice", over(0x88a8, tag(vlan), tag(0x86dd), ipv6(protoTCP), ours), true},
		{"tagged as before the standard", over(0x9100, tag(0x0800), ipv4(5, protoUDP, 0), ours), true},
		{"ARP", over(0x0806, make([]byte, 28)), false},
		{"IP of another version", over(0x0800, make([]byte, 60)), false},
	} {
		if got := passes(t, filter, c.packet); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
	if none := byPorts(nil); !passes(t, none, over(0x0800, ipv4(5, protoUDP, 0), ports(9, wire.Port))) || passes(t, none, over(0x0800, ipv4(5, protoUDP, 0), ours)) {
		t.Error("without ports, ours is not the one that passes")
	}
}

// TestFilterManyPorts: the kernel takes the filter for any number of ports.
func TestFilterManyPorts(t *testing.T) {
	const most = 4096 // BPF_MAXINSNS
	var all []uint16
	for port := range uint16(mostPorts) {
		all = append(all, 2*port+2)
	}
	longest := byPorts(all)
	if n := len(incoming()) + len(longest); n > most {
		t.Errorf("%d instructions", n)
	}
	even, odd := over(0x0800, ipv4(5, protoUDP, 0), ports(9, 2*mostPorts)), over(0x0800, ipv4(5, protoUDP, 0), ports(9, 2*mostPorts-1))
	if !passes(t, longest, even) || passes(t, longest, odd) {
		t.Error("the last port is not found, or another is")
	}
	if beyond := byPorts(append(all, 1)); len(beyond) > most || !passes(t, beyond, even) || !passes(t, beyond, odd) {
		t.Error("with more ports than fit, not all packets pass")
	}
}

// TestFilterAgainstReader: what a Reader finds to be ours, or to be a fragment, passes the filter,
// whatever the packet looks like.
func TestFilterAgainstReader(t *testing.T) {
	seeds := [][]byte{
		over(0x0800, ipv4(5, protoUDP, 0), ports(9, wire.Port)), over(0x0800, ipv4(7, protoTCP, 0), ports(wire.Port, 9)),
		over(0x0800, ipv4(5, protoUDP, 0x2000), ports(9, wire.Port)), over(0x0800, ipv4(5, authentication, 0), []byte{protoUDP, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, ports(9, wire.Port)),
		over(0x86dd, ipv6(protoUDP), ports(9, wire.Port)), over(0x86dd, ipv6(hopByHop), []byte{protoTCP, 0, 0, 0, 0, 0, 0, 0}, ports(9, wire.Port)),
		over(0x86dd, ipv6(fragment), []byte{protoUDP, 0, 0, 9, 0, 0, 0, 1}), over(0x8100, []byte{0, 7, 0x08, 0}, ipv4(5, protoUDP, 0), ports(9, wire.Port)),
	}
	random, ours, filter := rand.New(rand.NewPCG(1, 2)), 0, byPorts(nil)
	reader := newReader(&live{}, Options{})
	for range 40_000 {
		packet := append([]byte(nil), seeds[random.IntN(len(seeds))]...)
		for range random.IntN(3) {
			packet[12+random.IntN(len(packet)-12)] = byte(random.Uint32())
		}
		info := gopacket.CaptureInfo{CaptureLength: len(packet), Length: len(packet)}
		d, err := network(raw{info: info, link: uint32(layers.LinkTypeEthernet), data: packet})
		if err == nil {
			_, err = reader.open(&d, false)
		}
		if err != nil && err != errFragment { // others', or cut, as none on loopback is
			continue
		}
		if ours++; !passes(t, filter, packet) {
			t.Fatalf("the filter omits %x, and a reader takes it: %v", packet, err)
		}
	}
	if ours < 10_000 {
		t.Errorf("only %d packets were ours", ours)
	}
}
