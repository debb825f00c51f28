package impl

import (
	"fmt"
	"strings"
	"time"

	"interleave/impl/wire"
)

// Two processes that run different algorithms, settings or lives refuse to speak, and say why.

// stranger answers a frame of another algorithm or shape.
func (n *Node) stranger(p *peer, f wire.Frame) {
	n.drop("shape")
	why := fmt.Sprintf("process %v runs %s, and process %v runs %s: start both with the same algorithm", p.id, f.Algorithm, n.config.ID, n.traits.Name)
	if f.Algorithm == n.traits.Name {
		why = fmt.Sprintf("processes %v and %v both run %s, but their messages differ in shape (%#x and %#x): start both with the same version of it",
			p.id, n.config.ID, f.Algorithm, f.Shape, n.codec.Shape())
	}
	n.refuse(p, f, "shape", why)
}

// refuse tells a peer why we do not understand each other.
func (n *Node) refuse(p *peer, f wire.Frame, reason, why string) {
	why = strings.ToValidUTF8(why[:min(len(why), wire.MaxBody)], "")
	n.estranged(p, reason, why)
	if f.Kind != wire.Hello && f.Kind != wire.Heartbeat {
		return
	}
	answer := n.frame(wire.Refuse, p.id)
	answer.Acked, answer.Body = f.Incarnation, []byte(why)
	n.transmit(answer)
}

// refusedBy notes that a peer refuses to speak with this life of the process.
func (n *Node) refusedBy(p *peer, f wire.Frame) {
	if f.Acked != n.incarnation {
		n.drop("former life")
		return
	}
	n.drop("refused")
	if p.refused == "" {
		n.estranged(p, "refused", "refused by it: "+string(f.Body))
	}
}

// estranged notes that this process and a peer do not speak, and why, in one word and in a
// sentence.
func (n *Node) estranged(p *peer, reason, why string) {
	if p.refused == why {
		return
	}
	p.refused = why
	if _, due := n.lines.peers.due(reason+" "+p.id.String(), time.Minute); due {
		n.config.Logger.Error("does not speak with a peer", "peer", int(p.id), "why", why)
	}
}
