package impl

import (
	"fmt"
	"time"

	"interleave/impl/link"
	"interleave/impl/wire"
)

// current reports whether a frame is from the present incarnation of its sender, and for the
// present one of this process. It does what the handshake asks for.
func (n *network) current(p *peer, f wire.Frame) bool {
	h := p.Hear(f, link.Self{Incarnation: n.incarnation, Ordered: n.fifo, Delta: n.config.Delta}, p.suspected, time.Now())
	if h.MadeUp > 0 {
		if _, due := n.lines.peers.due(fmt.Sprint("made up ", p.id), time.Second); due {
			n.config.Logger.Warn("an incarnation of a peer was made up, or said one thing only", "peer", int(p.id), "incarnation", h.MadeUp)
		}
		p.suspectedLife = p.To
	}
	if h.Drop != "" {
		n.drop(h.Drop)
	}
	if h.Drop == link.LaterLife {
		n.estranged(p, h.Drop, fmt.Sprintf("process %v has heard incarnation %d of this process, which is now %d: its stable storage was lost, or was not used always: start all processes with another run, or this one with its storage",
			p.id, f.Acked, n.incarnation))
	}
	if h.Met {
		if times, due := n.lines.peers.due(fmt.Sprint("meets ", p.id), time.Second); due {
			about := []any{"peer", int(p.id), "incarnation", f.Incarnation}
			n.config.Logger.Info("meets", append(about, times...)...)
		}
	}
	if h.Hello {
		n.sayTo(wire.Hello, p, h.To)
	}
	if h.Flush {
		n.flush(p)
	}
	return h.Current
}
