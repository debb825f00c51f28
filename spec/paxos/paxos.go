package paxos

import (
	"fmt"

	"interleave/spec"
)

// Value is what is agreed on; empty: none.
type Value string

// Ballot numbers ballots from 1; those of process p are p, p+N, p+2N and so on. 0: none.
type Ballot int

// Vote is a value that is accepted in a ballot.
type Vote struct {
	Ballot Ballot
	Value  Value
}

func (v Vote) String() string {
	if v == (Vote{}) {
		return "none"
	}
	return fmt.Sprintf("%s in %d", string(v.Value), v.Ballot)
}

// Phase is what a proposer waits for.
type Phase uint8

const (
	Passive   Phase = iota
	Preparing       // for promises
	Proposing       // for acceptances
)

func (f Phase) String() string { return [...]string{"passive", "preparing", "proposing"}[f] }

// State is what a process remembers.
type State struct {
	// The proposer:
	Phase    Phase
	Wish     Value            // of its client
	Ballot   Ballot           // the largest that it has begun
	Promises map[spec.ID]Vote // Preparing: who has promised, and what each had accepted last
	Proposal Value            // Proposing
	Accepts  spec.Set         // Proposing: who has accepted it

	// The acceptor:
	Promised Ballot // accepts in no smaller one
	Accepted Vote   // the last

	// The learner:
	Chosen Value
}

// Msg is a message.
type Msg struct {
	Kind   Kind
	Ballot Ballot
	Vote   Vote // Promise: what the acceptor has accepted; Accept and Chosen: the proposal
}

// Kind is a kind of message.
type Kind uint8

const (
	Prepare  Kind = iota // phase 1a, to all others
	Promise              // phase 1b, to the proposer
	Accept               // phase 2a, to all others
	Accepted             // phase 2b, to the proposer
	Chosen               // to all others
)

var kinds = []string{"PREPARE", "PROMISE", "ACCEPT", "ACCEPTED", "CHOSEN"}

func (k Kind) String() string { return kinds[k] }

func (m Msg) String() string {
	switch m.Kind {
	case Promise:
		return fmt.Sprintf("%v(%d, %v)", m.Kind, m.Ballot, m.Vote)
	case Accept, Chosen:
		return fmt.Sprintf("%v(%v)", m.Kind, m.Vote)
	}
	return fmt.Sprintf("%v(%d)", m.Kind, m.Ballot)
}

// RetryTimer is how long a proposer waits before it begins another ballot.
const RetryTimer spec.Timer = 0

// SingleDecree and Volatile are the variants; see the package comment.
var (
	SingleDecree = algorithm("paxos/single-decree", "processes agree on one of the values that clients propose, whoever crashes and restarts", stable)
	Volatile     = algorithm("paxos/volatile", "single-decree Paxos without stable storage", nil)
)

func algorithm(name, doc string, stable func(State) State) *spec.Algorithm[State, Msg] {
	return &spec.Algorithm[State, Msg]{
		Name:    name,
		Doc:     doc,
		Source:  "L. Lamport, Paxos made simple, ACM SIGACT News 32(4), 2001",
		Receive: receive,
		Timeout: func(s *State, p *spec.Proc[Msg], _ spec.Timer) { begin(s, p) },
		Stable:  stable,
		Actions: []spec.Action[State, Msg]{{
			Name: "propose", Doc: "a client proposes a value", Times: 1, Request: spec.OneOf([]Value{"a", "b"}, propose),
		}},
		Idle:       func(s State) bool { return s.Wish == "" },
		Measure:    func(s State) int { return int(s.Ballot) },
		World:      map[string]string{"network": "set", "timers": "any", "bound": "2"},
		Kind:       func(m Msg) string { return m.Kind.String() },
		Kinds:      kinds,
		Properties: Properties,
		Objects:    Objects,
		Rules:      []spec.TimerRule[State, Msg]{{Name: "T_retry"}},
	}
}

// stable is what survives a crash.
func stable(s State) State {
	return State{Ballot: s.Ballot, Promised: s.Promised, Accepted: s.Accepted, Chosen: s.Chosen}
}

func propose(s *State, p *spec.Proc[Msg], v Value) {
	if s.Wish != "" || s.Chosen != "" || v == "" {
		p.Refuse()
		return
	}
	s.Wish = v
	begin(s, p)
}

// begin begins a ballot: phase 1a. The acceptor of the same process promises at once.
func begin(s *State, p *spec.Proc[Msg]) {
	last := max(s.Ballot, s.Promised)
	for s.Ballot = Ballot(p.ID); s.Ballot <= last; {
		s.Ballot += Ballot(p.All().Len())
	}
	s.Phase, s.Promises, s.Proposal, s.Accepts = Preparing, map[spec.ID]Vote{p.ID: s.Accepted}, "", 0
	s.Promised = s.Ballot
	p.SetTimer(RetryTimer)
	p.Broadcast(p.Others(), Msg{Kind: Prepare, Ballot: s.Ballot})
	ask(s, p)
}

func receive(s *State, p *spec.Proc[Msg], from spec.ID, m Msg) {
	mine := m.Ballot == s.Ballot // what answers an earlier ballot is late
	switch {
	case m.Kind == Prepare && m.Ballot > s.Promised: // phase 1b
		s.Promised = m.Ballot
		p.Send(from, Msg{Promise, m.Ballot, s.Accepted})
	case m.Kind == Accept && m.Ballot >= s.Promised: // phase 2b
		s.Promised, s.Accepted = m.Ballot, m.Vote
		p.Send(from, Msg{Kind: Accepted, Ballot: m.Ballot})
	case m.Kind == Promise && mine && s.Phase == Preparing:
		s.Promises[from] = m.Vote
		ask(s, p)
	case m.Kind == Accepted && mine && s.Phase == Proposing:
		s.Accepts = s.Accepts.With(from)
		choose(s, p)
	case m.Kind == Chosen:
		learn(s, p, m.Vote.Value)
	}
}

// ask proposes a value once a majority has promised: phase 2a. The acceptor of the same process
// accepts at once, if it may.
func ask(s *State, p *spec.Proc[Msg]) {
	if !majority(len(s.Promises), p) {
		return
	}
	last := Vote{Value: s.Wish}    // if none was reported, nothing can have been chosen
	for q := range p.All().All() { // not in the order of the map
		if v := s.Promises[q]; v.Ballot > last.Ballot {
			last = v
		}
	}
	s.Phase, s.Promises, s.Proposal = Proposing, nil, last.Value
	if s.Promised == s.Ballot {
		s.Accepted, s.Accepts = proposal(s), spec.SetOf(p.ID)
	}
	p.Broadcast(p.Others(), Msg{Accept, s.Ballot, proposal(s)})
	choose(s, p)
}

// choose ends it once a majority has accepted.
func choose(s *State, p *spec.Proc[Msg]) {
	if majority(s.Accepts.Len(), p) {
		p.Broadcast(p.Others(), Msg{Chosen, s.Ballot, proposal(s)})
		learn(s, p, s.Proposal)
	}
}

func proposal(s *State) Vote { return Vote{s.Ballot, s.Proposal} }

func majority(some int, p *spec.Proc[Msg]) bool { return 2*some > p.All().Len() }

// learn ends all proposing of this process.
func learn(s *State, p *spec.Proc[Msg], v Value) {
	s.Phase, s.Wish, s.Promises, s.Proposal, s.Accepts = Passive, "", nil, "", 0
	p.StopTimer(RetryTimer)
	if s.Chosen == "" {
		s.Chosen = v
		p.Output(v)
	}
}
