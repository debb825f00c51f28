// Package raft is Raft with its log as a slice (D. Ongaro, J. Ousterhout, In search of an understandable consensus
// algorithm, 2014), without snapshots and changes of membership. What is checked is what runs: nothing here has a bound.
package raft

import (
	"slices"

	"interleave/spec"
)

// Entry is one of a log.
type Entry struct {
	Term    int
	Command string
}

// Role is what a process is in its term.
type Role uint8

const (
	Follower Role = iota
	Candidate
	Leader
)

func (r Role) String() string { return [...]string{"follower", "candidate", "leader"}[r] }

// State is what a process remembers. Places in the log begin at 1.
type State struct {
	Term int     // stable
	Vote spec.ID // stable: for whom in this term
	Log  []Entry // stable

	Role   Role
	Leader spec.ID         // of the term; none if unknown
	Votes  spec.Set        // of a candidate
	Next   map[spec.ID]int // of a leader: what to send to each
	Match  map[spec.ID]int // of a leader: up to where the log of each is known to be its own
	Commit int             // up to where the log is committed
}

// termAt returns the term of the entry at a place; 0 before the first.
func (s *State) termAt(place int) int {
	if place == 0 {
		return 0
	}
	return s.Log[place-1].Term
}

// Kind is the kind of a message.
type Kind uint8

const (
	AskVote Kind = iota
	GiveVote
	Append
	Appended
)

var kinds = []string{"ASK-VOTE", "GIVE-VOTE", "APPEND", "APPENDED"}

func (k Kind) String() string { return kinds[k] }

// Msg is a message.
type Msg struct {
	Kind    Kind
	Term    int
	Granted bool    // the vote, or the entries are in the log
	Place   int     // of the last entry of the candidate; before the entries; up to where they are in the log, or may be
	At      int     // the term of the entry at that place
	Entries []Entry // to append
	Commit  int
}

// Applied is what a process outputs of each entry that is committed.
type Applied struct {
	Place   int
	Command string
}

const (
	electionTimer spec.Timer = iota
	heartbeatTimer
)

// Algorithm is Raft.
var Algorithm = &spec.Algorithm[State, Msg]{
	Name:    "raft",
	Doc:     "Raft: a log that is the same at all processes, kept by an elected leader",
	Source:  "D. Ongaro, J. Ousterhout, In search of an understandable consensus algorithm, 2014",
	Init:    func(_ *State, p *spec.Proc[Msg]) { p.SetTimer(electionTimer) },
	Stable:  func(s State) State { return State{Term: s.Term, Vote: s.Vote, Log: s.Log} },
	Receive: receive,
	Timeout: timeout,
	Actions: []spec.Action[State, Msg]{{
		Name: "propose", Doc: "a client asks the leader to append a command", Times: 1, Together: true,
		Request: spec.OneOf([]string{"a", "b"}, propose),
	}},
	Election: &spec.Election[State, Msg]{Leader: func(s State) spec.ID { return s.Leader }, Wins: spec.Anyone},
	Promises: []string{},
	World:    map[string]string{"network": "set", "timers": "any"},
	Measure:  func(s State) int { return s.Term },
	Kind:     func(m Msg) string { return m.Kind.String() },
	Kinds:    kinds,
	Rules: []spec.TimerRule[State, Msg]{
		electionTimer:  {Name: "T_election", Lasts: 8},
		heartbeatTimer: {Name: "T_heartbeat", Lasts: 2},
	},
	Properties: Properties,
}

func timeout(s *State, p *spec.Proc[Msg], t spec.Timer) {
	if t == heartbeatTimer {
		p.SetTimer(heartbeatTimer)
		replicate(s, p)
		return
	}
	p.SetTimer(electionTimer)
	if p.Choose(2) == 0 { // waits a little longer than others
		return
	}
	s.follow(p, s.Term+1, spec.None)
	s.Role, s.Vote, s.Votes = Candidate, p.ID, spec.SetOf(p.ID)
	p.Broadcast(p.Others(), Msg{Kind: AskVote, Term: s.Term, Place: len(s.Log), At: s.termAt(len(s.Log))})
	s.win(p)
}

// follow takes part in a term that may be a new one.
func (s *State) follow(p *spec.Proc[Msg], term int, leader spec.ID) {
	if term > s.Term {
		s.Term, s.Vote = term, spec.None
	}
	s.Role, s.Leader, s.Votes, s.Next, s.Match = Follower, leader, 0, nil, nil
	p.StopTimer(heartbeatTimer)
	p.SetTimer(electionTimer)
}

// win makes a candidate with enough votes the leader.
func (s *State) win(p *spec.Proc[Msg]) {
	if s.Role != Candidate || !majority(p, s.Votes.Len()) {
		return
	}
	s.Role, s.Leader, s.Votes = Leader, p.ID, 0
	s.Next, s.Match = map[spec.ID]int{}, map[spec.ID]int{p.ID: len(s.Log)}
	for q := range p.Others().All() {
		s.Next[q] = len(s.Log)
	}
	p.StopTimer(electionTimer)
	p.SetTimer(heartbeatTimer)
	replicate(s, p)
}

func majority(p *spec.Proc[Msg], n int) bool { return 2*n > p.All().Len() }

func receive(s *State, p *spec.Proc[Msg], from spec.ID, m Msg) {
	if m.Term > s.Term {
		s.follow(p, m.Term, spec.None)
	}
	switch m.Kind {
	case AskVote:
		last := len(s.Log)
		upToDate := m.At > s.termAt(last) || m.At == s.termAt(last) && m.Place >= last
		granted := m.Term == s.Term && upToDate && (s.Vote == spec.None || s.Vote == from)
		if granted {
			s.Vote = from
			p.SetTimer(electionTimer)
		}
		p.Send(from, Msg{Kind: GiveVote, Term: s.Term, Granted: granted})
	case GiveVote:
		if m.Term == s.Term && m.Granted && s.Role == Candidate {
			s.Votes = s.Votes.With(from)
			s.win(p)
		}
	case Append:
		s.append(p, from, m)
	case Appended:
		if m.Term == s.Term && s.Role == Leader {
			s.appended(p, from, m)
		}
	}
}

// append takes in what the leader sends.
func (s *State) append(p *spec.Proc[Msg], from spec.ID, m Msg) {
	if m.Term < s.Term {
		p.Send(from, Msg{Kind: Appended, Term: s.Term})
		return
	}
	s.follow(p, m.Term, from)
	if m.Place > len(s.Log) || s.termAt(m.Place) != m.At {
		p.Send(from, Msg{Kind: Appended, Term: s.Term, Place: min(m.Place-1, len(s.Log))})
		return
	}
	for i, e := range m.Entries {
		switch place := m.Place + i; {
		case place == len(s.Log):
			s.Log = append(s.Log, e)
		case s.Log[place] != e:
			s.Log = append(s.Log[:place], e)
		}
	}
	end := m.Place + len(m.Entries)
	s.commit(p, min(m.Commit, end))
	p.Send(from, Msg{Kind: Appended, Term: s.Term, Granted: true, Place: end})
}

// appended takes in what a follower has of the log.
func (s *State) appended(p *spec.Proc[Msg], from spec.ID, m Msg) {
	if !m.Granted {
		s.Next[from] = min(s.Next[from], m.Place)
		s.send(p, from)
		return
	}
	s.Match[from] = max(s.Match[from], m.Place)
	s.Next[from] = max(s.Next[from], m.Place)
	s.advance(p)
}

// advance commits what a majority has, if it is of this term.
func (s *State) advance(p *spec.Proc[Msg]) {
	for place := len(s.Log); place > s.Commit && s.termAt(place) == s.Term; place-- {
		have := 0
		for _, match := range s.Match {
			if match >= place {
				have++
			}
		}
		if majority(p, have) {
			s.commit(p, place)
		}
	}
}

// commit applies the log up to a place.
func (s *State) commit(p *spec.Proc[Msg], to int) {
	for ; s.Commit < to; s.Commit++ {
		p.Output(Applied{Place: s.Commit + 1, Command: s.Log[s.Commit].Command})
	}
}

// replicate sends each process what it may lack.
func replicate(s *State, p *spec.Proc[Msg]) {
	for q := range p.Others().All() {
		s.send(p, q)
	}
}

func (s *State) send(p *spec.Proc[Msg], to spec.ID) {
	place := s.Next[to]
	p.Send(to, Msg{Kind: Append, Term: s.Term, Place: place, At: s.termAt(place), Entries: slices.Clone(s.Log[place:]), Commit: s.Commit})
}

// propose is for the leader only.
func propose(s *State, p *spec.Proc[Msg], command string) {
	if s.Role != Leader {
		p.Refuse()
		return
	}
	s.Log = append(s.Log, Entry{Term: s.Term, Command: command})
	s.Match[p.ID] = len(s.Log)
	s.advance(p)
	replicate(s, p)
}
