package capture

import (
	"slices"

	"golang.org/x/net/bpf"

	"interleave/impl/wire"
)

// What a filter says of a packet: that it is captured whole, or not at all.
var (
	pass = bpf.RetConstant{Val: 1<<32 - 1}
	omit = bpf.RetConstant{Val: 0}
)

// program is a part of a filter. It ends in a decision, or goes on to what comes behind it.
type program []bpf.Instruction

// incoming omits a packet on its way out: on loopback each comes in again.
func incoming() program {
	const packetOutgoing = 4
	return append(program{bpf.LoadExtension{Num: bpf.ExtType}}, oneOf(omit, packetOutgoing)...)
}

// mostPorts bounds the ports that a filter asks for: the kernel takes programs of 4096
// instructions, and each port has four of them. With more, all of UDP and TCP passes.
const mostPorts = 1000

// byPorts passes a packet over Ethernet that is by one of some ports, or by ours if none are
// given. It passes what it cannot judge as well, which a Reader does: fragments of an IP packet, of
// which only the first has ports; what has VLAN tags; and what has headers between IP and UDP or TCP.
func byPorts(ports []uint16) program {
	if len(ports) == 0 {
		ports = []uint16{wire.Port}
	}
	ip4 := slices.Concat(
		onward(14+9),
		program{
			bpf.LoadAbsolute{Off: 14 + 6, Size: 2},
			bpf.JumpIf{Cond: bpf.JumpBitsNotSet, Val: 0x3fff, SkipTrue: 1}, // neither "more fragments" nor an offset
			pass,
			bpf.LoadMemShift{Off: 14},
		},
	)
	ip6 := slices.Concat(
		onward(14+6),
		program{bpf.LoadConstant{Dst: bpf.RegX, Val: 40}, bpf.Jump{Skip: uint32(len(ip4))}},
	)
	return slices.Concat(
		program{bpf.LoadAbsolute{Off: 12, Size: 2}},
		oneOf(pass, 0x8100, 0x88a8, 0x9100),
		unless(omit, 0x0800, 0x86dd),
		program{bpf.LoadAbsolute{Off: 14, Size: 1}, bpf.ALUOpConstant{Op: bpf.ALUOpShiftRight, Val: 4}},
		unless(omit, 4, 6),
		program{bpf.JumpIf{Cond: bpf.JumpEqual, Val: 4, SkipTrue: uint8(len(ip6))}},
		ip6, ip4, // each leaves the length of its header in X
		eitherPort(ports),
	)
}

// onward goes on if UDP or TCP follows a header of IP, by its byte that says what does.
func onward(at uint32) program {
	return slices.Concat(
		program{bpf.LoadAbsolute{Off: at, Size: 1}},
		oneOf(pass, hopByHop, routing, fragment, authentication, destination, mobility),
		unless(omit, protoTCP, protoUDP),
	)
}

// eitherPort decides by the ports behind a header of IP whose length is in X.
func eitherPort(ports []uint16) (p program) {
	if len(ports) > mostPorts {
		return program{pass}
	}
	for _, at := range []uint32{14, 16} {
		p = append(p, bpf.LoadIndirect{Off: at, Size: 2})
		for _, port := range ports {
			p = append(p, oneOf(pass, uint32(port))...)
		}
	}
	return append(p, omit)
}

// oneOf decides if what was loaded is one of some values.
func oneOf(decision bpf.Instruction, values ...uint32) (p program) {
	for _, v := range values {
		p = append(p, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: v, SkipTrue: 1}, decision)
	}
	return p
}

// unless decides if what was loaded is none of some values.
func unless(decision bpf.Instruction, values ...uint32) (p program) {
	for i, v := range values {
		p = append(p, bpf.JumpIf{Cond: bpf.JumpEqual, Val: v, SkipTrue: uint8(len(values) - i)})
	}
	return append(p, decision)
}
