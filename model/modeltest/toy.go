package modeltest

import (
	"errors"

	"interleave/spec"
)

// toyState is what a process of the toy remembers.
type toyState struct {
	Self   spec.ID
	Seen   spec.Set // live when it last looked
	Doubts spec.Set // suspected
	Count  int
	Boots  int // stable
}

// Toy uses every word of package spec that the elections of the catalogue use
// seldom or never: it finds itself by Init, keeps something stable, comes up by
// Recover, asks who is live, doubts and trusts again, waits for what others
// owe it, counts without end, and breaks a promise.
var Toy = &spec.Algorithm[toyState, int]{
	Name: "x/toy",
	Init: func(s *toyState, p *spec.Proc[int]) {
		s.Self = p.ID
		p.SetTimer(0)
	},
	Receive: func(s *toyState, p *spec.Proc[int], from spec.ID, m int) {
		s.Seen = p.Live().Without(from)
		if m < 2 {
			p.Broadcast(p.Above(), m+1)
		}
	},
	Timeout: func(s *toyState, p *spec.Proc[int], _ spec.Timer) {
		s.Count++
		p.Output(s.Count)
		p.SetTimer(0)
	},
	Suspect: func(s *toyState, p *spec.Proc[int], q spec.ID) { s.Doubts = s.Doubts.With(q) },
	Restore: func(s *toyState, p *spec.Proc[int], q spec.ID) {
		s.Doubts = s.Doubts.Without(q)
		p.Send(q, 2)
	},
	Recover: func(s *toyState, p *spec.Proc[int]) {
		s.Boots++
		p.Broadcast(p.Others(), 2)
	},
	Stable: func(s toyState) toyState { return toyState{Boots: s.Boots} },
	Election: &spec.Election[toyState, int]{
		Notice: func(s *toyState, p *spec.Proc[int]) {
			if s.Count > 0 {
				p.Refuse()
				return
			}
			s.Count = 1
			p.SendNext(1)
		},
		Leader: func(s toyState) spec.ID { return s.Seen.Max() },
		Follow: func(s *toyState, leader spec.ID) { s.Seen = spec.SetOf(leader) },
	},
	Measure: func(s toyState) int { return s.Count },
	Ring:    true, Oracle: true,
	Rules: []spec.TimerRule[toyState, int]{{
		Name: "T", Elects: true,
		Awaited: func(p, _, to spec.ID, m int) bool { return to == p && m == 1 },
		Silent:  func(s toyState, _ spec.ID, _ spec.Set) spec.Set { return s.Doubts },
		Owing:   func(s toyState, _ spec.ID, _ spec.Set) spec.Set { return s.Doubts },
	}},
	Claims: []spec.Claim[toyState]{{
		Name: "small", Doc: "it tells no 2",
		Holds: func(_ spec.ID, _ spec.Set, _, after toyState, told []any) error {
			if len(told) > 0 && after.Count == 2 {
				return errors.New("it tells a 2")
			}
			return nil
		},
	}},
}

// Attentive has a process 1 that may handle many things at once, some of them of one kind. The
// second time it also sends a message.
var Attentive = &spec.Algorithm[int, int]{
	Name: "x/attentive",
	Init: func(_ *int, p *spec.Proc[int]) {
		if p.ID == 1 {
			p.SetTimer(0)
			p.SetTimer(1)
		}
	},
	Start: func(_ *int, p *spec.Proc[int]) {
		switch p.ID {
		case 2:
			p.Send(1, 7)
			p.Send(1, 8)
		case 3:
			p.Send(1, 7)
		}
	},
	Election: &spec.Election[int, int]{
		Leader: func(int) spec.ID { return spec.None },
		Notice: func(s *int, p *spec.Proc[int]) { attend(s, p) },
	},
	Timeout: func(s *int, p *spec.Proc[int], _ spec.Timer) { attend(s, p) },
	Suspect: func(s *int, p *spec.Proc[int], _ spec.ID) { attend(s, p) },
	Restore: func(s *int, p *spec.Proc[int], _ spec.ID) { attend(s, p) },
	Receive: func(s *int, p *spec.Proc[int], _ spec.ID, _ int) { attend(s, p) },
	Rules:   []spec.TimerRule[int, int]{{Name: "A"}, {Name: "B"}},
}

func attend(s *int, p *spec.Proc[int]) {
	if p.ID > 1 || *s == 2 {
		return
	}
	if *s++; *s == 2 {
		p.Send(1, 9)
	}
}
