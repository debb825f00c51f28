package syncbully

import (
	"fmt"

	"interleave/spec"
)

// State is what a process of Published and Deadline2 remembers. One that has
// returned remembers the leader alone.
type State struct {
	Leader   spec.ID // known once it has returned, and it returns once known
	ShutUp   bool    // someone above has spoken
	Election bool    // it has begun an election
	Rounds   uint8   // since the first, as far as the deadline
}

// returned reports whether the process has left the program.
func (s State) returned() bool { return s.Leader != spec.None }

// Vote says that a process is up, or, decided, that it leads.
type Vote struct {
	ID      spec.ID
	Decided bool
}

func (v Vote) kind() string {
	if v.Decided {
		return "DECIDED"
	}
	return "VOTE"
}

func (v Vote) String() string { return fmt.Sprintf("%s(%v)", v.kind(), v.ID) }

// Published and Deadline2 are the program as printed, with the deadline that is
// printed and with one that is a round trip; see the package comment.
var (
	Published = deadline(1).algorithm("sync-bully/published",
		"Bully as a program in lock-step rounds: a round of silence after the first makes a leader")
	Deadline2 = deadline(2).algorithm("sync-bully/deadline2",
		"the published program, but it takes two rounds of silence after the first")
)

// deadline is after how many rounds, not counting the first, silence means that
// nobody above is up.
type deadline uint8

func (d deadline) algorithm(name, doc string) *spec.Algorithm[State, Vote] {
	return &spec.Algorithm[State, Vote]{
		Name:     name,
		Doc:      doc,
		Source:   source,
		Round:    d.round,
		Election: &spec.Election[State, Vote]{Leader: func(s State) spec.ID { return s.Leader }},
		Idle:     State.returned,
		Halted:   State.returned,
		World:    map[string]string{"network": "rounds"},
		Kind:     Vote.kind,
		Kinds:    []string{"VOTE", "DECIDED"},
	}
}

const source = "university lecture notes: the Bully algorithm as a program in synchronous rounds, after H. Garcia-Molina, 1982"

// round is one pass of the program's loop: begin, read all messages, look at
// the deadline.
func (d deadline) round(s *State, p *spec.Proc[Vote], in []spec.Received[Vote]) {
	if !s.ShutUp && !s.Election {
		s.begin(p)
	}
	for _, r := range in {
		if s.read(p, r.From, r.Message); s.returned() {
			return // what else there is stays unread
		}
	}
	expired := s.Rounds == uint8(d)
	s.Rounds = min(s.Rounds+1, uint8(d))
	if expired && len(in) == 0 && s.Election {
		s.silence(p)
	}
}

// begin challenges everyone above, the first time. Nothing ever sets Election
// back, so that a second call does nothing.
func (s *State) begin(p *spec.Proc[Vote]) {
	if s.Election {
		return
	}
	s.Election = true
	p.Broadcast(p.Above(), vote(p))
}

// vote is what a process says of itself. Its largest is the largest of all,
// not of those that are up: the notes know all IDs beforehand.
func vote(p *spec.Proc[Vote]) Vote { return Vote{ID: p.ID, Decided: p.ID == p.All().Max()} }

// read answers whoever is below, decided or not, and heeds whoever is above.
func (s *State) read(p *spec.Proc[Vote], from spec.ID, v Vote) {
	switch {
	case v.ID < p.ID:
		p.Send(from, vote(p))
	case v.Decided: // the largest may merely have answered
		*s = State{Leader: v.ID}
	default:
		s.ShutUp = true
	}
}

// silence is the deadline: a round went by without a message.
func (s *State) silence(p *spec.Proc[Vote]) {
	if s.ShutUp { // whoever spoke from above has fallen silent: begin anew
		s.ShutUp = false
		s.begin(p)
		return
	}
	p.Broadcast(p.Others(), Vote{ID: p.ID, Decided: true})
	*s = State{Leader: p.ID}
}
