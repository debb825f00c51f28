package syncring

import (
	"fmt"

	"interleave/spec"
)

// State is what a process remembers.
type State struct {
	Voted  bool    // its own vote is on its way
	Leader spec.ID // known once it has returned, and it returns once known
}

// returned reports whether the process has left the program.
func (s State) returned() bool { return s.Leader != spec.None }

// Vote goes round the ring on behalf of a candidate.
type Vote struct {
	ID      spec.ID
	Decided bool // it came round once, so its candidate is the leader
}

func (v Vote) kind() string {
	if v.Decided {
		return "DECIDED"
	}
	return "VOTE"
}

func (v Vote) String() string { return fmt.Sprintf("%s(%v)", v.kind(), v.ID) }

// Published and Asynchronous are one program; see the package comment.
var (
	Published = program(spec.Algorithm[State, Vote]{
		Name:   "sync-ring/published",
		Doc:    "Chang-Roberts as a program in lock-step rounds: the largest ID wins, its decided vote tells all",
		Round:  (*State).round,
		Halted: State.returned,
		World:  map[string]string{"network": "rounds"},
	})
	Asynchronous = program(spec.Algorithm[State, Vote]{
		Name:    "sync-ring/asynchronous",
		Doc:     "the same program where messages take their time",
		Start:   (*State).vote,
		Receive: (*State).receive,
	})
)

// program adds what both have in common.
func program(a spec.Algorithm[State, Vote]) *spec.Algorithm[State, Vote] {
	a.Source = "university lecture notes: Chang-Roberts as a program with decided votes, after E. Chang, R. Roberts, CACM 22(5), 1979"
	a.Election = &spec.Election[State, Vote]{Leader: func(s State) spec.ID { return s.Leader }}
	a.Idle = State.returned
	a.Ring = true
	a.Kind = Vote.kind
	a.Kinds = []string{"VOTE", "DECIDED"}
	return &a
}

// vote is the beginning of the program, at every process: that only some begin
// is known to the prose alone.
func (s *State) vote(p *spec.Proc[Vote]) {
	s.Voted = true
	p.Send(p.Next(), Vote{ID: p.ID})
}

// round votes, if that is not done, and reads up to the first vote that is not
// smaller than the own ID: after a smaller one the program continues with the
// next message, and does not end the round. What is left is unread, and lost.
//
// But nothing ever is left, on any ring. In the first round everybody sends
// one message and has none to read; from then on who gets at most one message
// sends at most one, so that the next gets at most one.
func (s *State) round(p *spec.Proc[Vote], in []spec.Received[Vote]) {
	if !s.Voted {
		s.vote(p)
	}
	for _, r := range in {
		if s.handle(p, r.Message); r.Message.ID >= p.ID {
			return
		}
	}
}

// receive reads one message. A process that has returned reads none.
func (s *State) receive(p *spec.Proc[Vote], _ spec.ID, v Vote) {
	if s.returned() {
		p.Refuse()
		return
	}
	s.handle(p, v)
}

func (s *State) handle(p *spec.Proc[Vote], v Vote) {
	switch {
	case v.ID < p.ID: // a lost vote ends here
	case v.ID > p.ID:
		p.Send(p.Next(), v)
		if v.Decided {
			s.Leader = v.ID
		}
	case v.Decided: // it came round twice: everybody knows
		s.Leader = p.ID
	default: // it came all the way round
		p.Send(p.Next(), Vote{ID: p.ID, Decided: true})
	}
}
