package bully

import "interleave/spec"

type proc = spec.Proc[Msg]

// Mutants are Mended with one bug each, for checks to find.
var Mutants = []spec.Machine{
	Mended.Mutant("mute", "never answers an ELECTION", func(_ *State, p *proc, _ spec.Event, handle func()) {
		handle()
		p.Unsend(func(_ spec.ID, m Msg) bool { return m == OK })
	}),
	Mended.Mutant("deaf", "overhears the OK", func(_ *State, _ *proc, e spec.Event, handle func()) {
		if e.Message != OK {
			handle()
		}
	}),
	Mended.Mutant("passive", "answers an ELECTION and holds none of its own", func(_ *State, p *proc, e spec.Event, handle func()) {
		if e.Message == Election {
			p.Send(e.From, OK)
			return
		}
		handle()
	}),
	Mended.Mutant("discreet", "tells of its victory only the next below", func(_ *State, p *proc, _ spec.Event, handle func()) {
		handle()
		p.Unsend(func(to spec.ID, m Msg) bool { return m == Coordinator && to != p.ID-1 })
	}),
	Mended.Mutant("gullible", "believes a COORDINATOR below itself", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Message == Coordinator && e.From < p.ID {
			follow(s, p, e.From)
			return
		}
		handle()
	}),
	Mended.Mutant("backward", "believes a stale COORDINATOR", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Message == Coordinator && e.From > p.ID {
			s.Leader = spec.None
		}
		handle()
	}),
	Mended.Mutant("loyal", "does not forget its leader when it holds an election", func(s *State, _ *proc, _ spec.Event, handle func()) {
		before := s.Leader
		handle()
		if s.Mode == Electing {
			s.Leader = before
		}
	}),
	Mended.Mutant("patient", "does not hold an election again when no COORDINATOR came", func(_ *State, _ *proc, e spec.Event, handle func()) {
		if e.Kind != spec.Timeout || e.Timer != CoordinatorTimer {
			handle()
		}
	}),
}
