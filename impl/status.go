package impl

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"interleave/impl/runlog"
	"interleave/spec"
)

// counts is what a node counts.
type counts struct {
	elections, outputs, refused, resent, givenUp, frames uint64
	sent, received, dropped, lost                        map[string]uint64
	breaches                                             map[runlog.BreachKind]uint64
}

func newCounts() counts {
	return counts{sent: map[string]uint64{}, received: map[string]uint64{}, dropped: map[string]uint64{}, lost: map[string]uint64{}, breaches: map[runlog.BreachKind]uint64{}}
}

// Status is the condition of a node at one moment.
type Status struct {
	Algorithm   string          `json:"algorithm"`
	Process     spec.ID         `json:"process"`
	Incarnation uint32          `json:"incarnation"` // 0: it does not run yet
	Run         uint64          `json:"run,string"`
	Since       time.Time       `json:"since"` // its first step
	*Elected                    // nil: nobody is elected
	Idle        bool            `json:"idle"` // waits for nothing
	State       json.RawMessage `json:"state,omitempty"`
	Timers      []string        `json:"timers"` // that are armed
	Round       int64           `json:"round,omitempty"`
	Peers       []PeerStatus    `json:"peers"`

	Steps   uint64 `json:"steps"`
	Outputs uint64 `json:"outputs"`
	Refused uint64 `json:"refused"` // events
	Frames  uint64 `json:"frames"`  // sent, of all kinds
	Resent  uint64 `json:"resent"`  // of them, data sent again
	GivenUp uint64 `json:"given_up"`

	Sent     map[string]uint64            `json:"sent"`     // messages, by kind
	Received map[string]uint64            `json:"received"` // messages, by kind
	Dropped  map[string]uint64            `json:"dropped"`  // packets, by reason
	Lost     map[string]uint64            `json:"lost"`     // frames that could not be sent, by reason
	Breaches map[runlog.BreachKind]uint64 `json:"breaches"` // of assumptions
	Failed   string                       `json:"failed,omitempty"`
}

// Elected is what an algorithm knows that elects a leader.
type Elected struct {
	Leader    spec.ID `json:"leader"`    // 0: none known
	Elections uint64  `json:"elections"` // how often it learned of a leader
}

// PeerStatus is what a node knows of another process.
type PeerStatus struct {
	Process     spec.ID `json:"process"`
	Incarnation uint32  `json:"incarnation"` // 0: never heard
	Suspected   bool    `json:"suspected"`
	Met         bool    `json:"met"`               // each has heard the present incarnation of the other
	Refused     string  `json:"refused,omitempty"` // why the two refuse each other
	Unsent      int     `json:"unsent"`            // messages that wait
	InFlight    int     `json:"in_flight"`         // and those that are not acknowledged
}

// ready returns why the process is not usable yet, or no longer; "" if it is.
func (s Status) ready() string {
	refused := func(p PeerStatus) bool { return p.Refused != "" }
	switch {
	case s.Failed != "":
		return "failed: " + s.Failed
	case s.Since.IsZero():
		return "it has not taken its first step"
	case len(s.Peers) > 0 && !slices.ContainsFunc(s.Peers, func(p PeerStatus) bool { return !refused(p) }):
		return "it speaks with none of its peers: " + s.Peers[0].Refused
	}
	return ""
}

// statusOf returns the condition of a node.
func statusOf(n *runner) Status {
	s := Status{
		Algorithm: n.traits.Name, Process: n.config.ID, Incarnation: n.incarnation, Run: n.config.Run, Since: n.up,
		Idle: n.local.idle, State: n.local.json, Timers: []string{}, Peers: []PeerStatus{},
		Steps: n.steps, Outputs: n.counts.outputs, Refused: n.counts.refused,
		Frames: n.counts.frames, Resent: n.counts.resent, GivenUp: n.counts.givenUp,
		Sent: maps.Clone(n.counts.sent), Received: maps.Clone(n.counts.received), Dropped: maps.Clone(n.counts.dropped),
		Lost: maps.Clone(n.counts.lost), Breaches: maps.Clone(n.counts.breaches),
	}
	if n.traits.Elects {
		s.Elected = &Elected{n.leader, n.counts.elections}
	}
	if n.rounds != nil {
		s.Round = n.rounds.number
	}
	if n.failed != nil {
		s.Failed = n.failed.Error()
	}
	for t, rule := range n.traits.Rules {
		if !n.agenda.timers[t].IsZero() {
			s.Timers = append(s.Timers, rule.Name)
		}
	}
	for _, id := range n.ids {
		p := n.peers[id]
		s.Peers = append(s.Peers, PeerStatus{id, p.To, p.suspected, p.KnowsUs, p.Refused, p.Unsent(), p.InFlight()})
	}
	return s
}
