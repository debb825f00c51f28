package ble

import (
	"cmp"
	"fmt"

	"interleave/spec"
)

// Ballot is a number and the process whose it is; the number decides, then the
// process. The zero Ballot is none, and the least of all.
type Ballot struct {
	N       int
	Process spec.ID
}

func (b Ballot) compare(c Ballot) int {
	return cmp.Or(cmp.Compare(b.N, c.N), cmp.Compare(b.Process, c.Process))
}

func (b Ballot) max(c Ballot) Ballot {
	if c.compare(b) > 0 {
		return c
	}
	return b
}

func (b Ballot) String() string {
	if b == (Ballot{}) {
		return "none"
	}
	return fmt.Sprintf("%d/%v", b.N, b.Process)
}

// State is what a process remembers.
type State struct {
	Round   int
	Replies Replies // of this round
	N       int     // of my own ballot
	Leader  Ballot  // its process is whom I follow
	Bmax    Ballot  // the largest that I heard of
	Last    Ballot  // what I last told my user; no part of the program
}

// ballot is the own ballot of process p.
func (s *State) ballot(p spec.ID) Ballot { return Ballot{s.N, p} }

// Msg asks for a ballot, or answers.
type Msg struct {
	Kind   Kind
	Round  int    // of the one that asks
	Ballot Ballot // Request: the largest heard of; Reply: the sender's own
}

// Kind is a question or an answer.
type Kind uint8

const (
	Request Kind = iota
	Reply
)

func (k Kind) String() string { return [...]string{"REQUEST", "REPLY"}[k] }

func (m Msg) String() string { return fmt.Sprintf("%v(%d, %v)", m.Kind, m.Round, m.Ballot) }

// Leader is what a process tells its user: it trusts the owner of a ballot.
type Leader struct{ Ballot Ballot }

func (l Leader) String() string { return fmt.Sprintf("Leader(%v)", l.Ballot) }

// Delay is the timer whose expiry begins a round.
const Delay spec.Timer = 0

// The variants; see the package comment.
var (
	Mended    = variant{majority: true, once: true, durable: true}.algorithm("ble/mended", "gossip ballot election, mended: a majority, news only, and numbers that survive a restart")
	Published = variant{}.algorithm("ble/published", "gossip ballot election as printed: half are enough, and every round tells the leader anew")
	Majority  = variant{majority: true}.algorithm("ble/majority", "gossip ballot election as printed, but for its quorum: a majority")
	Quiet     = variant{once: true}.algorithm("ble/quiet", "gossip ballot election as printed, but it tells news only")
)

type variant struct {
	majority bool // a quorum is a majority
	once     bool // the user is told of a leader only when it changes
	durable  bool // the own number survives a crash
}

func (v variant) algorithm(name, doc string) *spec.Algorithm[State, Msg] {
	return &spec.Algorithm[State, Msg]{
		Name:    name,
		Doc:     doc,
		Source:  "the gossip Ballot Leader Election of university lecture notes",
		Init:    initial,
		Receive: receive,
		Timeout: v.timeout,
		Stable:  v.stable,
		Election: &spec.Election[State, Msg]{
			Leader: func(s State) spec.ID { return s.Leader.Process },
			Follow: follow,
		},
		Measure:  func(s State) int { return s.Round },
		World:    map[string]string{"timers": "any", "bound": "2"},
		Kind:     func(m Msg) string { return m.Kind.String() },
		Kinds:    []string{"REQUEST", "REPLY"},
		Rules:    []spec.TimerRule[State, Msg]{{Name: "delay", Elects: true}},
		Claims:   []spec.Claim[State]{increasing, heard},
		Promises: []string{"LE3", "LE-Q", "complete-within(4)", "agreement-within(4)"},
	}
}

func initial(s *State, p *spec.Proc[Msg]) {
	s.Bmax = s.Bmax.max(Ballot{0, p.ID})
	p.SetTimer(Delay)
}

// follow: the process has heard, and told, of the leader's first ballot.
func follow(s *State, leader spec.ID) {
	b := Ballot{0, leader}
	s.Leader, s.Bmax, s.Last = b, b, b
}

// stable is what a process finds when it comes up again. What it told its user
// is told, whatever it remembers. The notes keep nothing, so that after a
// restart a process stands for election with a ballot that it used before.
// To keep the number is not enough for LE3: one that forgets whom it follows
// tells it again, and one that forgets Bmax may tell of a smaller ballot.
func (v variant) stable(s State) State {
	if v.durable {
		return State{N: s.N, Leader: s.Leader, Bmax: s.Bmax, Last: s.Last}
	}
	return State{Last: s.Last}
}

// timeout is "upon event Timeout": the round is over, and the next begins.
func (v variant) timeout(s *State, p *spec.Proc[Msg], _ spec.Timer) {
	if s.Replies.count()+1 >= v.quorum(p) {
		v.check(s, p)
	}
	s.Replies = Replies{}
	s.Round++
	p.SetTimer(Delay)
	p.Broadcast(p.Others(), Msg{Request, s.Round, s.Bmax})
}

// quorum is how many ballots are enough, the own one included. As printed it is
// half of the processes, rounded up; two such halves need not meet.
func (v variant) quorum(p *spec.Proc[Msg]) int {
	n := p.All().Len()
	if v.majority {
		return n/2 + 1
	}
	return (n + 1) / 2
}

// check is the procedure CheckLeader.
func (v variant) check(s *State, p *spec.Proc[Msg]) {
	top := s.Replies.largest().max(s.ballot(p.ID))
	if top.compare(s.Bmax) < 0 { // the owner of Bmax does not answer
		for s.ballot(p.ID).compare(s.Bmax) <= 0 {
			s.N++
		}
		s.Leader = Ballot{}
		return
	}
	news := top != s.Leader
	if news {
		s.Bmax, s.Leader = top, top
	}
	if news || !v.once { // as printed, the announcement stands outside of the if
		s.Last = top
		p.Output(Leader{top})
	}
}

func receive(s *State, p *spec.Proc[Msg], from spec.ID, m Msg) {
	switch {
	case m.Kind == Request:
		s.Bmax = s.Bmax.max(m.Ballot)
		p.Send(from, Msg{Reply, m.Round, s.ballot(p.ID)})
	case m.Round == s.Round: // else it is late, and would lengthen the delay
		s.Replies.add(from, m.Ballot)
	}
}

var (
	increasing = spec.Claim[State]{
		Name:   "LE3",
		Doc:    "the ballots that a process tells of increase strictly",
		Source: "gossip ballot leader election: monotonic unique ballots",
		Holds: func(p spec.ID, _ spec.Set, before, _ State, told []any) error {
			last := before.Last
			for _, v := range told {
				b := v.(Leader).Ballot
				if b.compare(last) <= 0 {
					return fmt.Errorf("process %v tells of ballot %v after %v", p, b, last)
				}
				last = b
			}
			return nil
		},
	}
	heard = spec.Claim[State]{
		Name: "LE-Q",
		Doc:  "a process tells of a leader only when a majority answered in that round, itself included",
		Holds: func(p spec.ID, all spec.Set, before, _ State, told []any) error {
			have := before.Replies.senders().With(p)
			if len(told) > 0 && 2*have.Len() <= all.Len() {
				return fmt.Errorf("process %v has heard from %v only, of %d", p, have, all.Len())
			}
			return nil
		},
	}
)
