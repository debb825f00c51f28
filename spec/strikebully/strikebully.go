package strikebully

import "interleave/spec"

// Phase is what a process is doing.
type Phase uint8

const (
	Idle     Phase = iota
	Electing       // asked everyone above; waits T2 for an ANSWER
	Waiting        // was answered; waits T3 for a COORDINATOR
)

func (p Phase) String() string { return [...]string{"idle", "electing", "waiting"}[p] }

// State is what a process remembers.
type State struct {
	Phase  Phase
	Leader spec.ID
}

// Msg is one of the three messages.
type Msg uint8

const (
	Election    Msg = iota // to all above: is anybody there?
	Answer                 // to the one below that asked: I am
	Coordinator            // to all below: I am the leader
)

func (m Msg) String() string { return [...]string{"ELECTION", "ANSWER", "COORDINATOR"}[m] }

// The timers, each armed in one phase. T1, which finds that the coordinator is
// silent, is the Notice.
const (
	AnswerTimer      spec.Timer = iota // in Electing
	CoordinatorTimer                   // in Waiting
)

// Published and Mended are the variants; see the package comment.
var (
	Published = variant{}.algorithm("strike-bully/published",
		"Bully with timers T1, T2, T3 to the letter: every ELECTION received starts an election, held or not")
	Mended = variant{mended: true}.algorithm("strike-bully/mended",
		"Bully with timers T1, T2, T3, mended: one election at a time, and no stale coordinators")
)

type variant struct{ mended bool }

func (v variant) algorithm(name, doc string) *spec.Algorithm[State, Msg] {
	return &spec.Algorithm[State, Msg]{
		Name:    name,
		Doc:     doc,
		Source:  "the Bully algorithm with timers T1, T2, T3 of university lecture notes, after H. Garcia-Molina, 1982",
		Receive: v.receive,
		Timeout: v.timeout,
		Election: &spec.Election[State, Msg]{
			Notice: v.notice,
			Leader: func(s State) spec.ID { return s.Leader },
			Follow: func(s *State, leader spec.ID) { s.Leader = leader },
		},
		Idle:  func(s State) bool { return s.Phase == Idle },
		Kind:  Msg.String,
		Kinds: []string{"ELECTION", "ANSWER", "COORDINATOR"},
		Rules: []spec.TimerRule[State, Msg]{answerRule, coordinatorRule},
	}
}

var (
	answerRule = spec.TimerRule[State, Msg]{
		Name:   "T2",
		Elects: true,
		Silent: above,
		Awaited: func(p, from, to spec.ID, m Msg) bool {
			return m == Election && from == p || m == Answer && to == p
		},
	}
	coordinatorRule = spec.TimerRule[State, Msg]{
		Name:    "T3",
		Silent:  above,
		AllDown: true, // while one above is up, it will declare itself
		Awaited: func(p, _, to spec.ID, m Msg) bool { return m == Coordinator && to == p },
	}
)

func above(_ State, p spec.ID, all spec.Set) spec.Set { return all.Above(p) }

// notice: T1 expires, the coordinator does not respond.
func (v variant) notice(s *State, p *spec.Proc[Msg]) {
	if s.Phase != Idle {
		p.Refuse()
		return
	}
	v.elect(s, p)
}

// elect begins the election, or begins it again.
func (v variant) elect(s *State, p *spec.Proc[Msg]) {
	if v.mended {
		if p.Above() == 0 { // nobody could answer: there is nothing to wait for
			declare(s, p)
			return
		}
		s.Leader = spec.None // else a leader of old would make the new one look stale
	}
	enter(s, p, Electing)
	p.Broadcast(p.Above(), Election)
}

// declare makes p the coordinator. That p follows itself is but a comment in
// the source.
func declare(s *State, p *spec.Proc[Msg]) {
	s.Leader = p.ID
	enter(s, p, Idle)
	p.Broadcast(p.Below(), Coordinator)
}

// enter alone changes the phase, and with it the timers.
func enter(s *State, p *spec.Proc[Msg], phase Phase) {
	s.Phase = phase
	p.StopTimer(AnswerTimer)
	p.StopTimer(CoordinatorTimer)
	switch phase {
	case Electing:
		p.SetTimer(AnswerTimer)
	case Waiting:
		p.SetTimer(CoordinatorTimer)
	}
}

func (v variant) receive(s *State, p *spec.Proc[Msg], from spec.ID, m Msg) {
	switch m {
	case Election: // a lower process asks: answer it, and begin an election
		p.Send(from, Answer)
		if s.Phase == Idle || !v.mended { // mended: one election at a time is enough
			v.elect(s, p)
		}
	case Answer: // the first one ends T2
		if s.Phase == Electing {
			enter(s, p, Waiting)
		}
	case Coordinator:
		v.coordinator(s, p, from)
	}
}

// coordinator: from declares itself.
func (v variant) coordinator(s *State, p *spec.Proc[Msg], from spec.ID) {
	switch {
	case from < p.ID: // a lower process is no coordinator of mine
	case v.mended && s.Leader != spec.None && from < s.Leader: // stale: word of an election long over
	default:
		s.Leader = from
		enter(s, p, Idle)
	}
}

func (v variant) timeout(s *State, p *spec.Proc[Msg], t spec.Timer) {
	switch t {
	case AnswerTimer: // T2 expires: no higher process is alive
		declare(s, p)
	case CoordinatorTimer: // T3 expires: whoever answered has crashed since
		v.elect(s, p)
	}
}
