package impl

import (
	"fmt"
	"time"

	"interleave/impl/runlog"
	"interleave/impl/wire"
	"interleave/spec"
)

// The failure detector. A process that is up sends heartbeats, and one that is silent for too
// long is suspected. As long as no message takes longer than delta, and no process is stopped for
// a while, every suspicion is right, and all messages of the suspected process have arrived: the
// detector is perfect, and flushed. Otherwise a suspicion may be wrong. That shows when the
// process is heard again, and is a breach.

// beat tells the peers that this process is up, and says hello to those that were never
// heard.
func (n *Node) beat() {
	for _, id := range n.ids {
		p := n.peers[id]
		kind := wire.Heartbeat
		if p.To == 0 {
			kind = wire.Hello
		}
		n.say(kind, p)
		n.report(p)
	}
}

// judge suspects a process that is silent for too long.
func (n *Node) judge(p *peer, now time.Time) {
	if p.suspected || now.Before(p.deadline) {
		return
	}
	p.suspected, p.suspectedLife = true, p.To
	if p.suspectedLife == 0 && p.Refused == "" {
		n.config.Logger.Warn(n.silence(p.id), "peer", int(p.id))
	} else {
		n.config.Logger.Warn("suspects", "peer", int(p.id))
	}
	n.changed(p)
}

// silence returns what may be wrong with a peer that was never heard.
func (n *Node) silence(id spec.ID) string {
	at := ""
	if t, ok := n.config.Transport.(interface{ Peer(spec.ID) string }); ok {
		at = " at " + t.Peer(id)
	}
	return fmt.Sprintf("has never heard of process %v%s: wrong address, another transport, or not started", id, at)
}

// report tells the machine what is new about a process. A machine that takes no
// suspicion back is not told of a second one, as in the model. In lock step every round
// tells it anew.
func (n *Node) report(p *peer) {
	handles := n.traits.Handles.Has
	if n.up.IsZero() || n.rounds != nil || p.suspected == p.reported {
		return
	}
	kind := spec.Restore
	if p.suspected {
		kind = spec.Suspect
	}
	if handles(kind) && n.step(spec.Event{Kind: kind, Peer: p.id}, runlog.Input{Peer: p.id}) != nil {
		p.reported = p.suspected
		n.pump()
	}
}

// heard records a sign of life.
func (n *Node) heard(p *peer, now time.Time) {
	p.deadline = now.Add(n.config.Durations[timerSuspect])
	n.giveUp(p.Alive(n.config.Key != nil), fmt.Sprintf("process %v went down", p.id))
	if !p.suspected {
		return
	}
	p.suspected = false
	n.config.Logger.Info("hears again", "peer", int(p.id))
	if p.suspectedLife != 0 && p.suspectedLife == p.To {
		n.breach(runlog.Breach{Kind: runlog.BreachSuspicion, Peer: p.id, Text: "it was suspected, and never went down"})
	}
	if p.InFlight() > 0 {
		p.Rewind(now)
	}
	n.changed(p)
}

// changed handles a change of who is suspected. A machine that asks who is live may now
// take a message that it refused before.
func (n *Node) changed(p *peer) {
	n.report(p)
	if n.traits.Oracle {
		n.pump()
	}
}
