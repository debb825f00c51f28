package syncbully

import "interleave/spec"

// Standing is what a process of Mended remembers.
type Standing struct {
	Leader   spec.ID
	Electing bool  // has challenged everyone above
	Answered bool  // and someone has answered
	Age      uint8 // rounds since the challenge, as far as patience
}

// Msg is one of the three messages of Mended. The notes have a single one for
// all, so that an answer may pass for a victory.
type Msg uint8

const (
	Challenge Msg = iota // to all above: is anybody there?
	Answer               // to the one below that asked: I am
	Victory              // to all others: I am the leader
)

func (m Msg) String() string { return [...]string{"CHALLENGE", "ANSWER", "VICTORY"}[m] }

// How many rounds a process waits after its challenge.
const (
	// roundTrip is for an answer: there is one round for each way.
	roundTrip = 2
	// patience is for a victory. Whoever answers does so after one round, and
	// has begun its own election by then. It wins a round trip later, and is
	// heard in the round after that. One round is to spare.
	patience = 1 + roundTrip + 1 + 1
)

// Mended is the program as its authors may have meant it. It departs from what
// is printed in five ways, each with its reason below: the deadline is a round
// trip; an answer is no victory; an election can begin again; nobody returns;
// and a leader that crashes is forgotten, thanks to a perfect detector.
var Mended = &spec.Algorithm[Standing, Msg]{
	Name:     "sync-bully/mended",
	Doc:      "Bully in lock-step rounds, mended: it waits for a round trip, challenges again, and hears of crashes",
	Source:   source + ", mended",
	Round:    (*Standing).round,
	Suspect:  (*Standing).suspect,
	Election: &spec.Election[Standing, Msg]{Leader: func(s Standing) spec.ID { return s.Leader }},
	Idle:     func(s Standing) bool { return !s.Electing },
	World:    map[string]string{"network": "rounds", "detector": "perfect"},
	Kind:     Msg.String,
	Kinds:    []string{"CHALLENGE", "ANSWER", "VICTORY"},
}

// suspect forgets a leader that has crashed, and all else with it: a published
// process that has returned follows it forever.
func (s *Standing) suspect(_ *spec.Proc[Msg], q spec.ID) {
	if s.Leader == q {
		*s = Standing{}
	}
}

func (s *Standing) round(p *spec.Proc[Msg], in []spec.Received[Msg]) {
	if s.Leader == spec.None && !s.Electing {
		s.challenge(p)
	} else {
		s.Age = min(s.Age+1, patience)
	}
	for _, r := range in {
		s.read(p, r.From, r.Message)
	}
	if s.Electing {
		s.deadline(p)
	}
}

// challenge begins an election, or begins it again. The published program never
// does the latter, and so never hears who is still up.
func (s *Standing) challenge(p *spec.Proc[Msg]) {
	*s = Standing{Electing: true}
	p.Broadcast(p.Above(), Challenge)
}

func (s *Standing) read(p *spec.Proc[Msg], from spec.ID, m Msg) {
	switch {
	case m == Challenge: // from below
		p.Send(from, Answer)
		if s.Leader == p.ID { // it has not returned, and so can tell those that ask late
			p.Send(from, Victory)
		}
	case m == Answer:
		s.Answered = true
	case from > p.ID: // a victory; none below myself is to be believed
		s.Leader, s.Electing = from, false
	}
}

// declare makes p the leader.
func (s *Standing) declare(p *spec.Proc[Msg]) {
	s.Leader, s.Electing = p.ID, false
	p.Broadcast(p.Others(), Victory)
}

// deadline looks at how long the election has taken.
func (s *Standing) deadline(p *spec.Proc[Msg]) {
	switch {
	case s.Age >= roundTrip && !s.Answered: // nobody above is up
		s.declare(p)
	case s.Age >= patience && s.Answered: // whoever answered has crashed since
		s.challenge(p)
	}
}
