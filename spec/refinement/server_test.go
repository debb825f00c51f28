package refinement_test

import (
	"fmt"
	"slices"

	"interleave/spec"
	"interleave/spec/object"
	"interleave/spec/paxos"
	"interleave/spec/refinement"
)

// server is single-decree Paxos as a program would have it, with pointers and maps. It knows nothing of package paxos.
type server struct {
	id, n int
	wish  string
	round *round // nil: no proposal is under way
	disk  *disk
	out   []packet
	news  []string // for the user
	bug   string
}

// disk is what a server has written down.
type disk struct {
	Began, Promised int
	Voted           vote
	Chosen          string
}

type vote struct {
	Number int
	Value  string
}

// round is one attempt of a proposer.
type round struct {
	number  int
	reports map[int]vote // of those that promised; nil: they are enough
	value   string
	votes   map[int]*vote
	refused map[int]bool
}

type packet struct {
	To     int
	Verb   string
	Number int
	Vote   vote
}

// all sends to all others.
func (s *server) all(p packet) {
	for p.To = 1; p.To <= s.n; p.To++ {
		if p.To != s.id {
			s.out = append(s.out, p)
		}
	}
}

func (s *server) submit(value string) bool {
	if s.wish != "" || s.disk.Chosen != "" {
		return false
	}
	s.wish = value
	s.attempt()
	return true
}

// attempt begins a round with a number of this server that is above all it knows.
func (s *server) attempt() {
	number := s.id
	for number <= max(s.disk.Began, s.disk.Promised) {
		number += s.n
	}
	s.disk.Began, s.disk.Promised = number, number
	s.round = &round{number: number, reports: map[int]vote{s.id: s.disk.Voted}, refused: map[int]bool{}}
	s.all(packet{Verb: "prepare", Number: number})
	s.propose()
}

func (s *server) most(n int) bool { return n > s.n/2 }

func (s *server) propose() {
	r := s.round
	if !s.most(len(r.reports)) {
		return
	}
	best := vote{Value: s.wish}
	for _, v := range r.reports {
		if v.Number > best.Number && s.bug != "selfish" {
			best = v
		}
	}
	r.value, r.reports, r.votes = best.Value, nil, map[int]*vote{}
	if s.disk.Promised == r.number {
		s.disk.Voted = vote{r.number, r.value}
		r.votes[s.id] = &s.disk.Voted
	}
	s.all(packet{Verb: "accept", Number: r.number, Vote: vote{r.number, r.value}})
	s.count()
}

func (s *server) count() {
	if r := s.round; s.most(len(r.votes)) {
		if s.bug != "mute" {
			s.all(packet{Verb: "chosen", Number: r.number, Vote: vote{r.number, r.value}})
		}
		s.learn(r.value)
	}
}

func (s *server) learn(value string) {
	s.round, s.wish = nil, ""
	if s.disk.Chosen == "" {
		s.disk.Chosen = value
		if s.bug != "secretive" {
			s.news = append(s.news, value)
		}
	}
}

func (s *server) handle(from int, p packet) {
	current := s.round != nil && p.Number == s.round.number
	late := p.Number < s.disk.Promised || p.Verb == "prepare" && p.Number == s.disk.Promised
	switch {
	case (p.Verb == "prepare" || p.Verb == "accept") && late:
		if s.bug == "perjured" && p.Verb == "accept" {
			s.disk.Voted = p.Vote
		}
		s.out = append(s.out, packet{To: from, Verb: "refuse", Number: p.Number})
	case p.Verb == "prepare":
		s.disk.Promised = p.Number
		s.out = append(s.out, packet{To: from, Verb: "promise", Number: p.Number, Vote: s.disk.Voted})
	case p.Verb == "accept":
		s.disk.Voted = p.Vote
		if s.bug != "unbound" {
			s.disk.Promised = p.Number
		}
		s.out = append(s.out, packet{To: from, Verb: "accepted", Number: p.Number})
	case p.Verb == "promise" && current && s.round.reports != nil:
		s.round.reports[from] = p.Vote
		s.propose()
	case p.Verb == "accepted" && current && s.round.reports == nil:
		s.round.votes[from] = &vote{s.round.number, s.round.value}
		s.count()
	case p.Verb == "refuse" && current:
		s.round.refused[from] = true
	case p.Verb == "chosen":
		s.learn(p.Vote.Value)
	}
}

type (
	code  = object.Code[*server, disk, view, packet]
	state = object.State[disk, view]
)

// view is what is to see of a server.
type view struct {
	Wish, Value string
	Voted       vote
	Phase       paxos.Phase
	Reports     map[spec.ID]vote
	Votes       spec.Set
}

func show(s *server) view {
	v := view{Wish: s.wish, Voted: s.disk.Voted}
	switch r := s.round; {
	case r == nil:
	case r.reports != nil:
		v.Phase, v.Reports = paxos.Preparing, map[spec.ID]vote{}
		for q, report := range r.reports {
			v.Reports[spec.ID(q)] = report
		}
	default:
		v.Phase, v.Value = paxos.Proposing, r.value
		for q := range r.votes {
			v.Votes = v.Votes.With(spec.ID(q))
		}
	}
	return v
}

// program puts servers under the checker, with a bug.
func program(bug string) *code {
	c := &code{
		Open: func(id spec.ID, all spec.Set, d disk) *server {
			return &server{id: int(id), n: all.Len(), disk: &d, bug: bug}
		},
		Handle: func(s *server, e spec.Event, p *spec.Proc[packet]) {
			switch e.Kind {
			case spec.Receive:
				s.handle(int(e.From), e.Message.(packet))
			case spec.Timeout:
				s.attempt()
			case spec.Act:
				if !s.submit(e.Value.(string)) {
					p.Refuse()
				}
			}
			if bug == "prompt" {
				p.Persist()
			}
			for _, m := range s.out {
				to := spec.ID(m.To)
				m.To = 0
				p.Send(to, m)
			}
			for _, value := range s.news {
				p.Output(value)
			}
			if s.out, s.news = nil, nil; bug == "late" {
				p.Persist()
			}
		},
		Disk: func(s *server) disk {
			if bug == "oblivious" {
				return disk{s.disk.Began, s.disk.Promised, vote{}, s.disk.Chosen}
			}
			return *s.disk
		},
		View: show,
		Timers: func(s *server) []spec.Timer {
			if s.round == nil && bug != "restless" {
				return nil
			}
			return []spec.Timer{0}
		},
	}
	c.Name, c.Kinds = "server", []string{"prepare", "promise", "accept", "accepted", "chosen", "refuse"}
	c.Kind = func(p packet) string { return p.Verb }
	c.Rules = []spec.TimerRule[state, packet]{{Name: "T_patience"}}
	c.Actions = []spec.Action[state, packet]{{Name: "submit", Times: 1, Request: spec.OneOf([]string{"a", "b"}, func(*state, *spec.Proc[packet], string) {})}}
	c.Measure = func(s state) int { return s.Disk.Began }
	c.World = map[string]string{"network": "set", "timers": "any", "bound": "2"}
	c.Promises = []string{}
	return c
}

type relation = refinement.Relation[state, packet, paxos.State, paxos.Msg]

// standard says how servers stand for processes of paxos.
var standard = relation{
	State: func(c state) paxos.State {
		s := memory(c)
		s.Accepted = voteOf(c.View.Voted)
		s.Phase, s.Wish, s.Proposal, s.Accepts = c.View.Phase, paxos.Value(c.View.Wish), paxos.Value(c.View.Value), c.View.Votes
		if c.View.Reports != nil {
			s.Promises = map[spec.ID]paxos.Vote{}
		}
		for q, report := range c.View.Reports {
			s.Promises[q] = voteOf(report)
		}
		return s
	},
	Memory: memory,
	Message: func(p packet) (paxos.Msg, bool) {
		kind := slices.Index([]string{"prepare", "promise", "accept", "accepted", "chosen"}, p.Verb)
		return paxos.Msg{Kind: paxos.Kind(max(kind, 0)), Ballot: paxos.Ballot(p.Number), Vote: voteOf(p.Vote)}, kind >= 0
	},
	Timers: func(c state) []spec.Timer {
		if c.View.Phase == paxos.Passive {
			return nil
		}
		return []spec.Timer{paxos.RetryTimer}
	},
	Output: func(v any) (any, bool) { return paxos.Value(v.(string)), true },
	Event: func(_ state, e spec.Event) (string, any) {
		if e.Kind == spec.Timeout {
			return "T_retry", nil
		}
		return "propose", paxos.Value(e.Value.(string))
	},
}

func memory(c state) paxos.State {
	d := c.Disk
	return paxos.State{Ballot: paxos.Ballot(d.Began), Promised: paxos.Ballot(d.Promised), Accepted: voteOf(d.Voted), Chosen: paxos.Value(d.Chosen)}
}

func voteOf(v vote) paxos.Vote {
	return paxos.Vote{Ballot: paxos.Ballot(v.Number), Value: paxos.Value(v.Value)}
}

// String returns it as in "promise(2, a in 1)".
func (p packet) String() string { return fmt.Sprintf("%s(%d, %v)", p.Verb, p.Number, voteOf(p.Vote)) }
