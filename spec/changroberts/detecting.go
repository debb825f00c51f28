package changroberts

import "interleave/spec"

// Memory is what a process of Detecting remembers.
type Memory struct {
	Crashed spec.Set // reported so by the failure detector
	Seen    spec.Set // live IDs whose ELECTION I began or passed on; only a report removes one
	Leader  spec.ID
}

// Detecting is the textbook made crash-tolerant by reliable detection. A
// message dies with the process that holds it, and whoever passed it on may
// have handed it to a process not yet known to be dead; so each report of a
// crash makes a process repeat both the leader and the best candidate it knows.
//
// It is not enough to repeat only the largest remembered ID, nor to forget
// Seen when a leader is announced, nor to repeat only the announcement while a
// live leader is known.
var Detecting = &spec.Algorithm[Memory, Msg]{
	Name:    "chang-roberts/detecting",
	Doc:     "Chang-Roberts that survives crashes by a perfect failure detector",
	Source:  "our design; the literature asserts that it is possible",
	Receive: (*Memory).receive,
	Suspect: (*Memory).suspect,
	Election: &spec.Election[Memory, Msg]{
		Notice: (*Memory).notice,
		Leader: func(s Memory) spec.ID { return s.Leader },
		Follow: func(s *Memory, leader spec.ID) { s.Leader = leader },
	},
	Idle:  func(s Memory) bool { return s.Leader != spec.None || s.Seen == 0 },
	Ring:  true,
	Kind:  func(m Msg) string { return m.Kind.String() },
	World: map[string]string{"detector": "perfect"},
	Kinds: []string{"ELECTION", "ELECTED"},
}

// next is the next process that I do not know to have crashed.
func (s *Memory) next(p *spec.Proc[Msg]) spec.ID { return p.NextIn(p.All() &^ s.Crashed) }

// candidate remembers id and passes its ELECTION on.
func (s *Memory) candidate(p *spec.Proc[Msg], id spec.ID) {
	s.Seen = s.Seen.With(id)
	p.Send(s.next(p), Msg{Election, id})
}

func (s *Memory) notice(p *spec.Proc[Msg]) {
	if s.Seen != 0 || s.Leader != spec.None {
		p.Refuse()
		return
	}
	s.candidate(p, p.ID)
}

func (s *Memory) receive(p *spec.Proc[Msg], _ spec.ID, m Msg) {
	switch {
	case s.Crashed.Has(m.ID): // the word of a dead candidate or leader
	case m.Kind == Election:
		s.election(p, m.ID)
	default:
		s.elected(p, m.ID)
	}
}

func (s *Memory) election(p *spec.Proc[Msg], id spec.ID) {
	switch {
	case id == p.ID: // my ID came all the way round
		s.Leader = p.ID
		if next := s.next(p); next != p.ID {
			p.Send(next, Msg{Elected, p.ID})
		}
	case id > p.ID:
		s.candidate(p, id)
	case s.Seen == 0 || s.Leader != spec.None: // a smaller ID, and mine may not be on its way
		s.candidate(p, p.ID)
	}
}

func (s *Memory) elected(p *spec.Proc[Msg], id spec.ID) {
	switch {
	case id == p.ID:
		if s.Leader == spec.None {
			s.Leader = p.ID
		}
	case s.Leader != spec.None && id > s.Leader: // without recoveries later leaders are smaller: stale
	default:
		s.Leader = id
		p.Send(s.next(p), Msg{Elected, id})
	}
}

func (s *Memory) suspect(p *spec.Proc[Msg], q spec.ID) {
	s.Crashed = s.Crashed.With(q)
	s.Seen = s.Seen.Without(q)
	if s.Leader == q {
		s.Leader = spec.None
	}
	if p.Others()&^s.Crashed == 0 { // I am alone
		s.Leader, s.Seen = p.ID, 0
		return
	}
	if s.Leader == spec.None && s.Seen == 0 {
		s.Seen = spec.SetOf(p.ID)
	}
	if s.Leader != spec.None {
		p.Send(s.next(p), Msg{Elected, s.Leader})
	}
	if s.Seen != 0 {
		p.Send(s.next(p), Msg{Election, s.Seen.Max()})
	}
}
