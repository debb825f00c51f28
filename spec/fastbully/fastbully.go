package fastbully

import "interleave/spec"

// Published and Mended are the variants; see the package comment.
var (
	Published = variant{}.algorithm("fast-bully/published",
		"Fast Bully as told: a nominee always obeys, and views never shrink")
	Mended = variant{mended: true}.algorithm("fast-bully/mended",
		"Fast Bully, mended: no stale coordinators, a nominee may know better, and who comes back asks before it follows")
)

type variant struct{ mended bool }

func (v variant) algorithm(name, doc string) *spec.Algorithm[State, Msg] {
	a := &spec.Algorithm[State, Msg]{
		Name:    name,
		Doc:     doc,
		Source:  "S.-H. Lee, H. Choi, The Fast Bully Algorithm, 2002, as told in university lecture notes",
		Init:    func(s *State, p *spec.Proc[Msg]) { s.View = p.All() },
		Recover: recovered,
		Receive: v.receive,
		Timeout: v.timeout,
		Election: &spec.Election[State, Msg]{
			Notice: v.notice,
			Leader: func(s State) spec.ID { return s.Leader },
			Follow: func(s *State, leader spec.ID) { s.Leader = leader },
		},
		Idle:  func(s State) bool { return s.Phase == Idle && !s.Waits },
		Kind:  func(m Msg) string { return m.Kind.String() },
		Kinds: kinds[:Known],
		Rules: rules,
	}
	if v.mended {
		a.Kinds = kinds
	}
	return a
}

// recovered: p is up again.
func recovered(s *State, p *spec.Proc[Msg]) {
	enter(s, p, Recovering)
	p.Broadcast(p.Others(), Msg{Kind: IAmUp})
}

// notice: T1 expires, the coordinator is silent.
func (v variant) notice(s *State, p *spec.Proc[Msg]) {
	if s.Phase != Idle {
		p.Refuse()
		return
	}
	v.elect(s, p)
}

// elect makes p the manager of an election.
func (v variant) elect(s *State, p *spec.Proc[Msg]) {
	if v.mended {
		if p.Above() == 0 { // nobody could answer: there is nothing to wait for
			declare(s, p)
			return
		}
		s.Leader = spec.None // else a leader of old would make the new one look stale
	}
	forget(s, p)
	enter(s, p, Electing)
	p.Broadcast(p.Above(), Msg{Kind: Election})
}

// nominate makes the highest that answered the nominee.
func nominate(s *State, p *spec.Proc[Msg]) {
	s.Nominee = s.Answers.Max()
	enter(s, p, Nominated)
	p.Send(s.Nominee, Msg{Kind: Nomination})
}

// declare makes p the coordinator. The source stops inside the loop that tells
// the others; read to the letter, it would tell one of them only.
func declare(s *State, p *spec.Proc[Msg]) {
	settle(s, p, p.ID)
	p.Broadcast(p.Below(), Msg{Kind: Coordinator})
}

// settle ends what p has to do with elections: it follows a leader.
func settle(s *State, p *spec.Proc[Msg], leader spec.ID) {
	forget(s, p)
	follow(s, p, leader)
}

// follow ends the phase, not the wait.
func follow(s *State, p *spec.Proc[Msg], leader spec.ID) {
	s.Leader = leader
	enter(s, p, Idle)
}

// forget drops what p remembers of elections and views of old.
func forget(s *State, p *spec.Proc[Msg]) {
	s.Answers, s.Nominee, s.Heard = 0, spec.None, Views{}
	wait(s, p, false)
}

func (v variant) receive(s *State, p *spec.Proc[Msg], from spec.ID, m Msg) {
	switch m.Kind {
	case IAmUp: // from is up again: let it know my view
		if v.mended { // which may have shrunk
			s.View = s.View.With(from)
		}
		p.Send(from, Msg{Kind: View, View: s.View, Leader: s.Leader})
	case View:
		if s.Phase == Recovering {
			s.Heard = Views{s.Heard.Union | m.View, s.Heard.Repliers.With(from), max(s.Heard.Leader, m.Leader)}
		}
	case Election: // a lower process asks: answer it, and wait to be nominated or told
		p.Send(from, Msg{Kind: Answer})
		wait(s, p, true) // even amid an election of my own: the source does not say
	case Answer:
		if s.Phase == Electing {
			s.Answers = s.Answers.With(from)
		}
	case Nomination:
		v.nomination(s, p, from)
	case Known:
		known(s, p, m.Leader)
	case Coordinator:
		v.coordinator(s, p, from)
	}
}

// nomination: from manages an election, and I am the highest that answered.
func (v variant) nomination(s *State, p *spec.Proc[Msg], from spec.ID) {
	if v.mended && s.Leader > p.ID { // not while I follow a higher one; but the manager must not go on to lower ones
		p.Send(from, Msg{Kind: Known, Leader: s.Leader})
		return
	}
	declare(s, p)
}

// known: my nominee follows leader, a higher one. If that is down, T1 will tell.
func known(s *State, p *spec.Proc[Msg], leader spec.ID) {
	if s.Phase == Nominated && leader > p.ID && leader >= s.Leader {
		settle(s, p, leader)
	}
}

// coordinator: from declares itself.
func (v variant) coordinator(s *State, p *spec.Proc[Msg], from spec.ID) {
	switch {
	case from < p.ID: // a lower process is no coordinator of mine
	case v.mended && s.Leader != spec.None && from < s.Leader: // stale: word of an election long over
	default:
		settle(s, p, from)
	}
}

func (v variant) timeout(s *State, p *spec.Proc[Msg], t spec.Timer) {
	switch t {
	case ViewTimer: // T2 expires: all the views are here
		v.rejoin(s, p)
	case AnswerTimer: // T2 expires: all the answers are here
		if s.Answers == 0 { // nobody above is alive
			declare(s, p)
		} else {
			nominate(s, p)
		}
	case NominationTimer: // T3 expires: the nominee did not declare itself
		s.Answers = s.Answers.Without(s.Nominee)
		if s.Answers != 0 {
			nominate(s, p)
		} else {
			v.elect(s, p)
		}
	case WaitTimer: // T4 expires: neither nominated nor told
		if v.mended && s.Phase != Idle { // my own election will tell
			wait(s, p, false)
		} else {
			v.elect(s, p)
		}
	}
}

// rejoin ends the recovery of p, with the views that it heard.
func (v variant) rejoin(s *State, p *spec.Proc[Msg]) {
	heard := s.Heard
	if heard.Repliers == 0 { // alone, as it seems: so there is nobody to tell
		follow(s, p, p.ID)
		return
	}
	if v.mended {
		s.View = heard.Repliers.With(p.ID) // who else is in a view may be down
	} else {
		s.View |= heard.Union
	}
	switch {
	case v.mended && heard.Leader > p.ID: // it is in office; if it is down, T1 will tell
		follow(s, p, heard.Leader)
	case s.View.Max() == p.ID:
		declare(s, p)
	case v.mended: // nobody spoke of a leader above me: look for one
		v.elect(s, p)
	default: // the source follows the highest, be it up or down
		follow(s, p, s.View.Max())
	}
}
