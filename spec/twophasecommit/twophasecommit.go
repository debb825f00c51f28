package twophasecommit

import "interleave/spec"

// Phase is how far a process has come.
type Phase uint8

const (
	Working   Phase = iota
	Waiting         // coordinator: for votes
	Prepared        // participant: voted YES; uncertain
	Committed       // decided
	Aborted         // decided
)

func (f Phase) String() string {
	return [...]string{"working", "waiting", "prepared", "committed", "aborted"}[f]
}

// Decided reports whether the process knows the outcome.
func (f Phase) Decided() bool { return f == Committed || f == Aborted }

// State is what a process remembers.
type State struct {
	Phase Phase    // in the log
	Yes   spec.Set // coordinator: who has voted so
}

// Msg is a message.
type Msg uint8

const (
	Prepare Msg = iota // to the participants: vote
	Yes                // to the coordinator
	No                 // to the coordinator
	Commit             // the outcome
	Abort              // the outcome
	Ask                // what is the outcome?
)

var kinds = []string{"PREPARE", "YES", "NO", "COMMIT", "ABORT", "ASK"}

func (m Msg) String() string { return kinds[m] }

const coordinator = spec.ID(1)

// The timers: how long the coordinator waits for votes, and then a participant for the outcome;
// the latter in Mended only.
const (
	VotesTimer spec.Timer = iota
	OutcomeTimer
)

// Published and Mended are the variants; see the package comment.
var (
	Published = variant{}.algorithm("two-phase-commit/published",
		"two-phase commit in which a participant that has voted yes waits for the coordinator, if need be forever")
	Mended = variant{cooperative: true}.algorithm("two-phase-commit/mended",
		"two-phase commit in which a participant that waits too long asks all others for the outcome")
)

type variant struct {
	cooperative bool // participants help each other
}

func (v variant) algorithm(name, doc string) *spec.Algorithm[State, Msg] {
	a := &spec.Algorithm[State, Msg]{
		Name:       name,
		Doc:        doc,
		Source:     "P. Bernstein, V. Hadzilacos, N. Goodman, Concurrency control and recovery in database systems, 1987, chapter 7",
		Receive:    v.receive,
		Timeout:    v.timeout,
		Recover:    v.restart,
		Stable:     func(s State) State { return State{Phase: s.Phase} },
		Actions:    []spec.Action[State, Msg]{{Name: "begin", Doc: "a client asks for the commit", Do: begin, Times: 1}},
		Idle:       func(s State) bool { return s.Phase != Waiting && s.Phase != Prepared },
		Kind:       Msg.String,
		Kinds:      kinds,
		Properties: Properties,
		Rules:      []spec.TimerRule[State, Msg]{votesRule},
	}
	if v.cooperative {
		a.Rules = append(a.Rules, outcomeRule)
	}
	return a
}

var (
	votesRule = spec.TimerRule[State, Msg]{
		Name:   "T_votes",
		Silent: func(s State, p spec.ID, all spec.Set) spec.Set { return all.Without(p) &^ s.Yes },
		Awaited: func(p, from, to spec.ID, m Msg) bool {
			return m == Prepare && from == p || (m == Yes || m == No) && to == p
		},
	}
	outcomeRule = spec.TimerRule[State, Msg]{
		Name:    "T_outcome",
		Silent:  func(State, spec.ID, spec.Set) spec.Set { return spec.SetOf(coordinator) },
		Awaited: func(p, _, to spec.ID, m Msg) bool { return (m == Commit || m == Abort) && to == p },
		Owing: func(s State, _ spec.ID, all spec.Set) spec.Set {
			if s.Phase == Waiting { // it will tell them
				return all.Without(coordinator)
			}
			return 0
		},
	}
)

// begin is the first phase.
func begin(s *State, p *spec.Proc[Msg]) {
	if p.ID != coordinator || s.Phase != Working {
		p.Refuse()
		return
	}
	s.Phase = Waiting
	p.SetTimer(VotesTimer)
	p.Broadcast(p.Others(), Prepare)
	count(s, p)
}

// count is the second phase, once all votes are there.
func count(s *State, p *spec.Proc[Msg]) {
	if s.Yes == p.Others() {
		decide(s, p, Committed)
		tell(s, p, p.Others())
	}
}

// decide alone ends the waiting.
func decide(s *State, p *spec.Proc[Msg], outcome Phase) {
	s.Phase, s.Yes = outcome, 0
	p.StopTimer(VotesTimer)
	p.StopTimer(OutcomeTimer)
	p.Output(outcome)
}

// learn takes in the outcome; those who wait for the coordinator may have to hear it from there.
func learn(s *State, p *spec.Proc[Msg], outcome Phase) {
	before := s.Phase
	if !before.Decided() {
		decide(s, p, outcome)
	}
	if before == Waiting {
		tell(s, p, p.Others())
	}
}

// tell sends the outcome.
func tell(s *State, p *spec.Proc[Msg], to spec.Set) {
	if s.Phase == Committed {
		p.Broadcast(to, Commit)
	} else {
		p.Broadcast(to, Abort)
	}
}

func (v variant) receive(s *State, p *spec.Proc[Msg], from spec.ID, m Msg) {
	switch m {
	case Prepare:
		v.vote(s, p)
	case Yes, No:
		v.voted(s, p, from, m)
	case Commit:
		learn(s, p, Committed)
	case Abort:
		learn(s, p, Aborted)
	case Ask:
		if v.cooperative && s.Phase == Working { // it has not voted, so nobody can have committed
			decide(s, p, Aborted)
		}
		if s.Phase.Decided() {
			tell(s, p, spec.SetOf(from))
		}
	}
}

// vote is up to the participant, once.
func (v variant) vote(s *State, p *spec.Proc[Msg]) {
	switch {
	case s.Phase == Working && p.Choose(2) == 1:
		s.Phase = Prepared
		v.wait(p)
		p.Send(coordinator, Yes)
	case s.Phase == Working:
		decide(s, p, Aborted)
		p.Send(coordinator, No)
	case s.Phase == Aborted:
		p.Send(coordinator, No)
	}
}

// wait waits for the outcome.
func (v variant) wait(p *spec.Proc[Msg]) {
	if v.cooperative {
		p.SetTimer(OutcomeTimer)
	}
}

// voted takes in a vote.
func (v variant) voted(s *State, p *spec.Proc[Msg], from spec.ID, m Msg) {
	switch {
	case s.Phase != Waiting: // too late
	case m == No:
		decide(s, p, Aborted)
		tell(s, p, p.Others())
	default:
		s.Yes = s.Yes.With(from)
		count(s, p)
	}
}

func (v variant) timeout(s *State, p *spec.Proc[Msg], t spec.Timer) {
	switch t {
	case VotesTimer:
		decide(s, p, Aborted)
		tell(s, p, p.Others())
	case OutcomeTimer:
		p.Broadcast(p.Others(), Ask)
	}
}

// restart goes by the log.
func (v variant) restart(s *State, p *spec.Proc[Msg]) {
	switch {
	case s.Phase == Prepared && v.cooperative:
		p.Broadcast(p.Others(), Ask)
	case s.Phase == Prepared:
		p.Send(coordinator, Ask)
	case s.Phase == Waiting, s.Phase == Working && p.ID != coordinator: // nobody can have committed
		decide(s, p, Aborted)
	}
	if s.Phase.Decided() && (v.cooperative || p.ID == coordinator) { // others may not know
		tell(s, p, p.Others())
	}
}
