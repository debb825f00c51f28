package changroberts

import "interleave/spec"

// Status is how far a process of Classic has come.
type Status uint8

const (
	Candidate Status = iota // may still win
	Lost
	Won
)

func (s Status) String() string { return [...]string{"candidate", "lost", "won"}[s] }

// Standing is what a process of Classic remembers: how it stands.
type Standing struct {
	Status Status
	Leader spec.ID // myself once I won; nobody else learns it
}

// Classic is the election as the well-known PlusCal specification has it. A
// process that is no initiator has lost from the start. A message is the bare
// ID of the process that began.
//
// In the specification an initiator is a candidate, and the rest have lost,
// before their first step; here the first step says so. The state graphs are
// the same: until it started, a process handles nothing.
var Classic = &spec.Algorithm[Standing, spec.ID]{
	Name:    "chang-roberts/classic",
	Doc:     "Chang-Roberts as in the PlusCal specification: the smallest initiator wins, and only the winner knows",
	Source:  "S. Merz's PlusCal module of the Chang-Roberts algorithm",
	Start:   (*Standing).start,
	Receive: (*Standing).receive,
	Idle:    func(s Standing) bool { return s.Status != Candidate },
	Ring:    true,
	Election: &spec.Election[Standing, spec.ID]{
		Leader:      func(s Standing) spec.ID { return s.Leader },
		Wins:        spec.SmallestInitiator,
		Unannounced: true,
	},
	World: map[string]string{"network": "set", "initiators": "any"},
	Kinds: []string{"ID"},
}

func (s *Standing) start(p *spec.Proc[spec.ID]) {
	if p.Initiator() {
		p.Send(p.Next(), p.ID)
	} else {
		s.Status = Lost
	}
}

func (s *Standing) receive(p *spec.Proc[spec.ID], _ spec.ID, id spec.ID) {
	switch {
	case s.Status == Lost: // even my own ID: it dies at the smallest initiator
		p.Send(p.Next(), id)
	case id < p.ID:
		s.Status = Lost
		p.Send(p.Next(), id)
	case id == p.ID: // my ID came all the way round
		s.Status, s.Leader = Won, p.ID
	}
}
