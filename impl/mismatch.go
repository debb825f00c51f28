package impl

import (
	"fmt"
	"strings"
	"time"

	"interleave/impl/wire"
)

// Two processes that run different algorithms, settings or incarnations refuse to speak, and say why.

// stranger answers a frame of another algorithm or shape.
func (n *network) stranger(p *peer, f wire.Frame) {
	n.drop("shape")
	why := fmt.Sprintf("process %v runs %s, and process %v runs %s: start both with the same algorithm", p.id, f.Algorithm, n.config.ID, n.traits.Name)
	if f.Algorithm == n.traits.Name {
		why = fmt.Sprintf("processes %v and %v both run %s, but their messages differ in shape (%#x and %#x): start both with the same version of it",
			p.id, n.config.ID, f.Algorithm, f.Shape, n.codec.Shape())
	}
	n.refuse(p, f, "shape", why)
}

// refuse tells a peer why we do not understand each other.
func (n *network) refuse(p *peer, f wire.Frame, reason, why string) {
	why = strings.ToValidUTF8(why[:min(len(why), wire.MaxDatagramBody)], "")
	n.estranged(p, reason, why)
	if f.Kind != wire.Hello && f.Kind != wire.Heartbeat {
		return
	}
	answer := n.frame(wire.Refuse, p.id)
	answer.Acked, answer.Body = f.Incarnation, []byte(why)
	n.transmit(answer)
}

// refusedBy notes that a peer refuses to speak with this incarnation of the process.
func (n *network) refusedBy(p *peer, f wire.Frame) {
	if f.Acked != n.incarnation {
		n.drop("former life")
		return
	}
	n.drop("refused")
	if p.Refused == "" {
		n.estranged(p, "refused", "refused by it: "+string(f.Body))
	}
}

// estranged notes that this process and a peer do not speak, and why, in one word and in a
// sentence.
func (n *network) estranged(p *peer, reason, why string) {
	if p.Refused == why {
		return
	}
	p.Refused = why
	if _, due := n.lines.peers.due(reason+" "+p.id.String(), time.Minute); due {
		n.config.Logger.Error("does not speak with a peer", "peer", int(p.id), "why", why)
	}
}

// agrees reports whether a hello has the settings of this process; if not, the two
// refuse each other.
func (n *network) agrees(p *peer, f wire.Frame) bool {
	if f.Kind != wire.Hello || string(f.Body) == n.settings {
		return true
	}
	n.drop("settings")
	n.refuse(p, f, "settings", fmt.Sprintf("processes %v and %v differ: %s and %s: start both with the same settings",
		p.id, n.config.ID, wire.DiffSettings(string(f.Body), n.settings), wire.DiffSettings(n.settings, string(f.Body))))
	return false
}
