package impl

import (
	"time"

	"interleave/spec"
)

// Cue makes one thing happen that a node waits for, as if its time had come. A driver that wants
// to choose what happens next gives a node long durations, so that nothing happens by itself, and
// cues. What follows is the same as by the clock: it takes the same path through the node.
type Cue struct {
	What  Waited
	Timer spec.Timer  // WaitsTimer
	Peer  spec.ID     // WaitsSilence
	At    time.Time   // WaitsRound: when it begins; the same for all processes
	Done  chan<- bool // gets whether the node waited for that, once all results are logged and sent
}

// Waited is something that a node waits for.
type Waited uint8

const (
	WaitsTimer     Waited = iota // an armed timer expires
	WaitsNotice                  // it notices that it has no live leader
	WaitsSilence                 // a peer that is not suspected has been silent for too long
	WaitsHeartbeat               // it says to all peers that it is up
	WaitsJoin                    // it takes its first step without those peers that it has not met
	WaitsRound                   // the next lock-step round begins
)

// cue takes a cue.
func (n *Node) cue(c Cue, target time.Time) {
	waited := n.bring(c)
	n.turn(target)
	if c.Done != nil {
		c.Done <- waited
	}
}

// bring makes due what a cue is about; false if the node does not wait for it.
func (n *Node) bring(c Cue) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	at := (*time.Time)(nil)
	switch c.What {
	case WaitsTimer:
		if int(c.Timer) < len(n.agenda.timers) {
			at = &n.agenda.timers[c.Timer]
		}
	case WaitsNotice:
		at = &n.agenda.notice
	case WaitsSilence:
		if p := n.peers[c.Peer]; p != nil && !p.suspected {
			at = &p.deadline
		}
	case WaitsHeartbeat:
		at = &n.agenda.heartbeat
	case WaitsJoin:
		at = &n.agenda.join
	case WaitsRound:
		if n.rounds != nil {
			n.rounds.forward(c.At)
			return true
		}
	}
	if at == nil || at.IsZero() {
		return false
	}
	*at = time.Now()
	return true
}

// forward makes the next round begin at a moment, and moves all later ones by as much.
func (r *rounds) forward(at time.Time) {
	r.begin = r.begin.Add(at.Sub(r.next))
	r.next = at
}
