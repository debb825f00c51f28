package fastbully

import "interleave/spec"

// The timers. T1, which finds that the coordinator is silent, is the Notice.
const (
	ViewTimer       spec.Timer = iota // armed in Recovering
	AnswerTimer                       // in Electing
	NominationTimer                   // in Nominated
	WaitTimer                         // while the process Waits
)

// enter alone changes the phase, and with it the timers.
func enter(s *State, p *spec.Proc[Msg], phase Phase) {
	s.Phase = phase
	p.StopTimer(ViewTimer)
	p.StopTimer(AnswerTimer)
	p.StopTimer(NominationTimer)
	switch phase {
	case Recovering:
		p.SetTimer(ViewTimer)
	case Electing:
		p.SetTimer(AnswerTimer)
	case Nominated:
		p.SetTimer(NominationTimer)
	}
}

// wait alone changes whether p waits to be nominated or told, and with it T4.
func wait(s *State, p *spec.Proc[Msg], waits bool) {
	s.Waits = waits
	if waits {
		p.SetTimer(WaitTimer)
	} else {
		p.StopTimer(WaitTimer)
	}
}

var rules = []spec.TimerRule[State, Msg]{
	ViewTimer: {
		Name:   "T2 (views)",
		Elects: true,
		Awaited: func(p, from, to spec.ID, m Msg) bool {
			return m.Kind == IAmUp && from == p || m.Kind == View && to == p
		},
	},
	AnswerTimer: {
		Name:   "T2 (answers)",
		Elects: true,
		Silent: func(s State, p spec.ID, all spec.Set) spec.Set { return all.Above(p) &^ s.Answers },
		Awaited: func(p, from, to spec.ID, m Msg) bool {
			return m.Kind == Election && from == p || m.Kind == Answer && to == p
		},
	},
	NominationTimer: {
		Name:   "T3",
		Elects: true, // the next that is nominated
		Silent: func(s State, _ spec.ID, _ spec.Set) spec.Set {
			if s.Phase == Nominated {
				return spec.SetOf(s.Nominee)
			}
			return 0
		},
		Awaited: func(p, from, to spec.ID, m Msg) bool {
			return m.Kind == Nomination && from == p || (m.Kind == Coordinator || m.Kind == Known) && to == p
		},
	},
	WaitTimer: {
		Name: "T4",
		Awaited: func(p, from, to spec.ID, m Msg) bool {
			return (m.Kind == Nomination || m.Kind == Coordinator) && to == p || m.Kind == Answer && from == p
		},
		Owing: func(s State, _ spec.ID, _ spec.Set) spec.Set {
			if s.Phase == Electing || s.Phase == Nominated {
				return s.Answers
			}
			return 0
		},
	},
}
