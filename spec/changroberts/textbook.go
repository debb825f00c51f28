package changroberts

import (
	"fmt"

	"interleave/spec"
)

// State is what a process of Textbook and Naive remembers.
type State struct {
	Participating bool
	Leader        spec.ID
}

// Kind tells the two laps of an election apart.
type Kind uint8

const (
	Election Kind = iota // looks for the largest ID
	Elected              // announces it
)

func (k Kind) String() string { return [...]string{"ELECTION", "ELECTED"}[k] }

// Msg carries one ID round the ring.
type Msg struct {
	Kind Kind
	ID   spec.ID
}

func (m Msg) String() string { return fmt.Sprintf("%v(%v)", m.Kind, m.ID) }

// Textbook is the election in prose. It knows nothing of crashes.
var Textbook = textbook(ring{})

// Naive is Textbook on a ring where each send goes to the next process that
// is live at that moment. Nothing else is done about crashes.
var Naive = textbook(ring{skipsCrashed: true})

// ring is how Textbook and Naive differ: to whom a message is passed on.
type ring struct{ skipsCrashed bool }

func textbook(r ring) *spec.Algorithm[State, Msg] {
	a := &spec.Algorithm[State, Msg]{
		Name:    "chang-roberts/textbook",
		Doc:     "Chang-Roberts as told in prose: the largest ID wins, a second lap announces it",
		Source:  "E. Chang, R. Roberts, CACM 22(5), 1979",
		Receive: r.receive,
		Election: &spec.Election[State, Msg]{
			Notice: r.notice,
			Leader: func(s State) spec.ID { return s.Leader },
			Follow: func(s *State, leader spec.ID) { s.Leader = leader },
		},
		Idle:  func(s State) bool { return !s.Participating },
		Ring:  true,
		Kind:  func(m Msg) string { return m.Kind.String() },
		Kinds: []string{"ELECTION", "ELECTED"},
	}
	if r.skipsCrashed {
		a.Name = "chang-roberts/naive"
		a.Doc = "Chang-Roberts in prose on a ring that skips crashed processes, and does nothing else about crashes"
	}
	return a
}

func (r ring) pass(p *spec.Proc[Msg], m Msg) {
	if r.skipsCrashed {
		p.SendNext(m)
	} else {
		p.Send(p.Next(), m)
	}
}

func (r ring) notice(s *State, p *spec.Proc[Msg]) {
	if s.Participating || s.Leader != spec.None && !r.skipsCrashed {
		p.Refuse()
		return
	}
	s.Participating = true
	r.pass(p, Msg{Election, p.ID})
}

func (r ring) receive(s *State, p *spec.Proc[Msg], _ spec.ID, m Msg) {
	switch {
	case m.Kind == Elected:
		s.Participating = false
		if m.ID != p.ID {
			s.Leader = m.ID
			r.pass(p, m)
		}
	case m.ID == p.ID: // my ID came all the way round
		s.Participating, s.Leader = false, p.ID
		r.pass(p, Msg{Elected, p.ID})
	case m.ID > p.ID:
		s.Participating = true
		r.pass(p, m)
	case !s.Participating: // a smaller ID; mine is not yet on its way
		s.Participating = true
		r.pass(p, Msg{Election, p.ID})
	}
}
