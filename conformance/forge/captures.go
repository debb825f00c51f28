package forge

import (
	"slices"

	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec"
)

// Capture is a way to forge a capture.
type Capture struct {
	Name string
	// Never: no network makes this of an honest run. What others make may be
	// what another honest run looks like.
	Never bool
	// Always: every network may do this to an honest run.
	Always bool

	spoil func(packets []capture.Packet, i int) []capture.Packet
}

// Forge returns packets, forged at one of them; false if there is nothing to forge.
func (c Capture) Forge(packets []capture.Packet, at int) ([]capture.Packet, bool) {
	if packets[at].Err != nil || packets[at].Frame.Kind != wire.Data {
		return nil, false
	}
	forged := c.spoil(packets, at)
	return forged, forged != nil
}

// Captures are all ways to forge a capture.
var Captures = []Capture{
	{Name: "make a message that is none", Never: true, spoil: func(packets []capture.Packet, i int) []capture.Packet {
		return Changed(packets, i, func(f *wire.Frame) { f.Body = []byte{99, 99, 99} })
	}},
	{Name: "give two messages one name", Never: true, spoil: func(packets []capture.Packet, i int) []capture.Packet {
		p := packets[i]
		p.Frame.Body = flipped(p.Frame.Body)
		return slices.Insert(slices.Clone(packets), i+1, p)
	}},
	{Name: "give a message an impossible place on its link", Never: true, spoil: func(packets []capture.Packet, i int) []capture.Packet {
		if packets[i].Frame.Link == 0 {
			return nil
		}
		return Changed(packets, i, func(f *wire.Frame) { f.Link += 1000 })
	}},
	{Name: "copy a packet", Always: true, spoil: func(packets []capture.Packet, i int) []capture.Packet {
		return append(slices.Clone(packets), packets[i])
	}},
	{Name: "make up a message", spoil: func(packets []capture.Packet, i int) []capture.Packet {
		p := packets[i]
		for _, q := range packets { // behind all of its process
			if q.Frame.Kind == wire.Data && q.Frame.From == p.Frame.From && q.Frame.Sequence > p.Frame.Sequence {
				return nil
			}
		}
		p.Frame.Sequence += 50
		if p.Frame.Link > 0 {
			p.Frame.Link += 50
		}
		return append(slices.Clone(packets), p)
	}},
	{Name: "delete a message", spoil: func(packets []capture.Packet, i int) []capture.Packet {
		return slices.DeleteFunc(slices.Clone(packets), func(p capture.Packet) bool { return sameMessage(p, packets[i]) })
	}},
	{Name: "swap two messages", spoil: func(packets []capture.Packet, i int) []capture.Packet {
		for j, p := range packets {
			if f := p.Frame; f.Kind == wire.Data && f.From == packets[i].Frame.From && f.Incarnation == packets[i].Frame.Incarnation && f.Sequence == packets[i].Frame.Sequence+1 {
				a, b := packets[i].Frame.Body, f.Body
				all := Changed(packets, i, func(f *wire.Frame) { f.Body = b })
				return Changed(all, j, func(f *wire.Frame) { f.Body = a })
			}
		}
		return nil
	}},
	{Name: "move a packet before all others", spoil: func(packets []capture.Packet, i int) []capture.Packet {
		return slices.Insert(slices.Delete(slices.Clone(packets), i, i+1), 0, packets[i])
	}},
	{Name: "move a packet behind all others", spoil: func(packets []capture.Packet, i int) []capture.Packet {
		return append(slices.Delete(slices.Clone(packets), i, i+1), packets[i])
	}},
	{Name: "alter to whom a message goes", spoil: func(packets []capture.Packet, i int) []capture.Packet {
		n := spec.ID(0)
		for _, p := range packets {
			n = max(n, p.Frame.From, p.Frame.To)
		}
		if n < 3 {
			return nil
		}
		return Changed(packets, i, func(f *wire.Frame) {
			for f.To = f.To%n + 1; f.To == f.From; f.To = f.To%n + 1 {
			}
		})
	}},
	{Name: "alter what a message says", spoil: func(packets []capture.Packet, i int) []capture.Packet {
		return Changed(packets, i, func(f *wire.Frame) { f.Body = flipped(f.Body) })
	}},
}

// Changed returns packets in which every copy of a message is changed.
func Changed(packets []capture.Packet, i int, change func(*wire.Frame)) []capture.Packet {
	all := slices.Clone(packets)
	for j, p := range all {
		if sameMessage(p, packets[i]) {
			change(&all[j].Frame)
		}
	}
	return all
}

// sameMessage reports whether two packets have a message of one name.
func sameMessage(p, q capture.Packet) bool {
	f, g := p.Frame, q.Frame
	return f.Kind == wire.Data && f.From == g.From && f.Incarnation == g.Incarnation && f.Sequence == g.Sequence
}

// flipped returns a body with another first byte.
func flipped(body []byte) []byte {
	if len(body) == 0 {
		return []byte{1}
	}
	body = slices.Clone(body)
	body[0] ^= 1
	return body
}
