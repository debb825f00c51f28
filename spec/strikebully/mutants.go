package strikebully

import "interleave/spec"

type proc = spec.Proc[Msg]

// Mutants are Mended with one bug each, for checks to find.
var Mutants = []spec.Machine{
	Mended.Mutant("mute", "never answers an ELECTION", func(_ *State, p *proc, _ spec.Event, handle func()) {
		handle()
		p.Unsend(func(_ spec.ID, m Msg) bool { return m == Answer })
	}),
	Mended.Mutant("deaf", "lets T2 run on after an ANSWER", func(_ *State, _ *proc, e spec.Event, handle func()) {
		if e.Message != Answer {
			handle()
		}
	}),
	Mended.Mutant("passive", "answers an ELECTION and begins none", func(_ *State, p *proc, e spec.Event, handle func()) {
		if e.Message == Election {
			p.Send(e.From, Answer)
			return
		}
		handle()
	}),
	Mended.Mutant("discreet", "tells of its victory only the next below", func(_ *State, p *proc, _ spec.Event, handle func()) {
		handle()
		p.Unsend(func(to spec.ID, m Msg) bool { return m == Coordinator && to != p.ID-1 })
	}),
	Mended.Mutant("loyal", "does not forget its leader when it begins", func(s *State, _ *proc, _ spec.Event, handle func()) {
		before := s.Leader
		handle()
		if s.Phase == Electing {
			s.Leader = before
		}
	}),
	Mended.Mutant("backward", "believes a stale COORDINATOR", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Message == Coordinator && e.From > p.ID {
			s.Leader = spec.None
		}
		handle()
	}),
	Mended.Mutant("patient", "does not begin again when T3 expires", func(_ *State, _ *proc, e spec.Event, handle func()) {
		if e.Kind != spec.Timeout || e.Timer != CoordinatorTimer {
			handle()
		}
	}),
	Mended.Mutant("usurper", "declares itself when T3 expires", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Kind == spec.Timeout && e.Timer == CoordinatorTimer {
			declare(s, p)
			return
		}
		handle()
	}),
}
