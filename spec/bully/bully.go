package bully

import "interleave/spec"

// Mode is what a process is doing.
type Mode uint8

const (
	Idle     Mode = iota
	Electing      // challenged everyone above; waits for an OK
	Waiting       // heard an OK; waits for a COORDINATOR
)

func (m Mode) String() string { return [...]string{"idle", "electing", "waiting"}[m] }

// State is what a process remembers.
type State struct {
	Mode   Mode
	Leader spec.ID
}

// Msg is one of the three messages.
type Msg uint8

const (
	Election    Msg = iota // to those above: I hold an election
	OK                     // to the one below that asked: leave it to me
	Coordinator            // to all others: I am the leader
)

func (m Msg) String() string { return [...]string{"ELECTION", "OK", "COORDINATOR"}[m] }

// The timers: how long to wait for an OK, and then for a COORDINATOR.
const (
	OKTimer spec.Timer = iota
	CoordinatorTimer
)

// Published, Mended and Unguarded are the variants; see the package comment.
var (
	Published = variant{guarded: true}.algorithm("bully/published",
		"textbook Bully to the letter: it believes any COORDINATOR, and after an OK it waits forever")
	Mended = variant{guarded: true, mended: true}.algorithm("bully/mended",
		"textbook Bully, mended: it refuses lower and stale coordinators, and never waits forever")
	Unguarded = variant{}.algorithm("bully/unguarded",
		"textbook Bully in which every ELECTION received starts an election, held or not")
)

type variant struct {
	guarded bool // a process that holds an election starts no other
	mended  bool
}

func (v variant) algorithm(name, doc string) *spec.Algorithm[State, Msg] {
	a := &spec.Algorithm[State, Msg]{
		Name:    name,
		Doc:     doc,
		Source:  "H. Garcia-Molina, IEEE Trans. Computers C-31(1), 1982, as retold in lecture notes",
		Receive: v.receive,
		Timeout: v.timeout,
		Election: &spec.Election[State, Msg]{
			Notice: v.notice,
			Leader: func(s State) spec.ID { return s.Leader },
			Follow: func(s *State, leader spec.ID) { s.Leader = leader },
		},
		Idle:  func(s State) bool { return s.Mode == Idle },
		Kind:  Msg.String,
		Kinds: []string{"ELECTION", "OK", "COORDINATOR"},
		Rules: []spec.TimerRule[State, Msg]{okRule},
	}
	if v.mended {
		a.Rules = append(a.Rules, coordinatorRule)
	}
	return a
}

var (
	okRule = spec.TimerRule[State, Msg]{
		Name:   "T_ok",
		Elects: true,
		Silent: above,
		Awaited: func(p, from, to spec.ID, m Msg) bool {
			return m == Election && from == p || m == OK && to == p
		},
	}
	coordinatorRule = spec.TimerRule[State, Msg]{
		Name:    "T_coord",
		Silent:  above,
		AllDown: true, // while one above is up, it will declare itself
		Awaited: func(p, _, to spec.ID, m Msg) bool { return m == Coordinator && to == p },
	}
)

func above(_ State, p spec.ID, all spec.Set) spec.Set { return all.Above(p) }

func (v variant) notice(s *State, p *spec.Proc[Msg]) {
	if s.Mode != Idle {
		p.Refuse()
		return
	}
	v.elect(s, p)
}

// elect holds an election.
func (v variant) elect(s *State, p *spec.Proc[Msg]) {
	if p.Above() == 0 {
		win(s, p)
		return
	}
	s.Mode = Electing
	if v.mended { // else a leader of old would make the new one look stale
		s.Leader = spec.None
	}
	p.StopTimer(CoordinatorTimer)
	p.SetTimer(OKTimer)
	p.Broadcast(p.Above(), Election)
}

func win(s *State, p *spec.Proc[Msg]) {
	follow(s, p, p.ID)
	p.Broadcast(p.Others(), Coordinator)
}

func follow(s *State, p *spec.Proc[Msg], leader spec.ID) {
	s.Mode, s.Leader = Idle, leader
	p.StopTimer(OKTimer)
	p.StopTimer(CoordinatorTimer)
}

func (v variant) receive(s *State, p *spec.Proc[Msg], from spec.ID, m Msg) {
	switch m {
	case Election:
		p.Send(from, OK)
		if s.Mode == Idle || !v.guarded {
			v.elect(s, p)
		}
	case OK:
		if s.Mode == Electing {
			s.Mode = Waiting
			p.StopTimer(OKTimer)
			if v.mended {
				p.SetTimer(CoordinatorTimer)
			}
		}
	case Coordinator:
		v.coordinator(s, p, from)
	}
}

func (v variant) coordinator(s *State, p *spec.Proc[Msg], from spec.ID) {
	switch {
	case v.mended && from < p.ID: // not while I am here
		if s.Mode == Idle {
			v.elect(s, p)
		}
	case v.mended && s.Leader != spec.None && from < s.Leader: // stale
	default:
		follow(s, p, from)
	}
}

func (v variant) timeout(s *State, p *spec.Proc[Msg], t spec.Timer) {
	switch t {
	case OKTimer: // nobody above is alive
		win(s, p)
	case CoordinatorTimer: // whoever said OK has crashed
		v.elect(s, p)
	}
}
