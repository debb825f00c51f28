package syncbully

import "interleave/spec"

type proc = spec.Proc[Msg]

// Mutants are Mended with one bug each, for checks to find.
var Mutants = []spec.Machine{
	Mended.Mutant("mute", "never answers a challenge", func(_ *Standing, p *proc, _ spec.Event, handle func()) {
		handle()
		p.Unsend(func(_ spec.ID, m Msg) bool { return m == Answer })
	}),
	Mended.Mutant("deaf", "overhears the answers", func(s *Standing, _ *proc, _ spec.Event, handle func()) {
		handle()
		s.Answered = false
	}),
	Mended.Mutant("hasty", "declares itself one round too early", func(s *Standing, p *proc, _ spec.Event, handle func()) {
		handle()
		if s.Electing && s.Age == roundTrip-1 && !s.Answered {
			s.declare(p)
		}
	}),
	Mended.Mutant("mistaken", "takes an answer for a victory", func(s *Standing, p *proc, e spec.Event, handle func()) {
		handle()
		for _, r := range e.Inbox {
			if r.Message == Answer {
				s.read(p, r.From, Victory)
			}
		}
	}),
	Mended.Mutant("loyal", "does not forget a leader that has crashed", func(_ *Standing, _ *proc, e spec.Event, handle func()) {
		if e.Kind != spec.Suspect {
			handle()
		}
	}),
	Mended.Mutant("discreet", "tells of its victory only the next below", func(_ *Standing, p *proc, _ spec.Event, handle func()) {
		handle()
		p.Unsend(func(to spec.ID, m Msg) bool { return m == Victory && to != p.ID-1 })
	}),
	Mended.Mutant("patient", "never challenges again", func(s *Standing, p *proc, _ spec.Event, handle func()) {
		before := *s
		handle()
		if before.Electing && s.Electing && s.Age < before.Age {
			*s = before
			p.Unsend(func(_ spec.ID, m Msg) bool { return m == Challenge })
		}
	}),
	Mended.Mutant("restless", "does not wait for the victory, and challenges again", func(s *Standing, p *proc, _ spec.Event, handle func()) {
		handle()
		if s.Electing && s.Answered {
			s.challenge(p)
		}
	}),
	Mended.Mutant("resentful", "does not forget, when it challenges again, that it was answered", func(s *Standing, _ *proc, _ spec.Event, handle func()) {
		before := *s
		handle()
		if s.Electing && s.Age == 0 {
			s.Answered = before.Answered
		}
	}),
	Mended.Mutant("usurper", "declares itself when no victory follows the answer", func(s *Standing, p *proc, _ spec.Event, handle func()) {
		if s.Electing && s.Answered && s.Age == patience-1 {
			s.declare(p)
			return
		}
		handle()
	}),
	explained(Mended.Mutant("gullible", "believes a victory below itself", func(s *Standing, p *proc, e spec.Event, handle func()) {
		handle()
		for _, r := range e.Inbox {
			if r.Message == Victory && r.From < p.ID {
				s.Leader, s.Electing = r.From, false
			}
		}
	}), "in lock step nobody wins while one above it is up, who could hear of it"),
	explained(Mended.Mutant("aloof", "does not tell one that asks late who leads", func(s *Standing, p *proc, _ spec.Event, handle func()) {
		led := s.Leader == p.ID
		handle()
		p.Unsend(func(_ spec.ID, m Msg) bool { return m == Victory && led })
	}), "a victory reaches all that are up, and who asks later has lost the one it followed"),
}

// explained says why nothing can kill a mutant.
func explained(m *spec.Algorithm[Standing, Msg], why string) spec.Machine {
	m.Survives = why
	return m
}
