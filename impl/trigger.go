package impl

import (
	"time"

	"interleave/spec"
)

// Trigger makes one thing happen that a node waits for, as if its time had come. A driver that
// wants to choose what happens next gives a node long durations, so that nothing happens by
// itself, and triggers. What follows is the same as by the clock: it takes the same path through the node.
type Trigger struct {
	What  Waited
	Timer spec.Timer  // WaitsTimer
	Peer  spec.ID     // WaitsSilence
	Act   uint8       // WaitsAction: which one
	Value any         // WaitsAction: nil if it takes none
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
	WaitsAction                  // it does an action, with a value
)
