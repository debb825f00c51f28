package fastbully

import "interleave/spec"

type proc = spec.Proc[Msg]

// Mutants are Mended with one bug each, for checks to find.
var Mutants = []spec.Machine{
	Mended.Mutant("mute", "never answers an ELECTION", func(_ *State, p *proc, _ spec.Event, handle func()) {
		handle()
		p.Unsend(func(_ spec.ID, m Msg) bool { return m.Kind == Answer })
	}),
	Mended.Mutant("hasty", "nominates the first that answers", func(s *State, p *proc, _ spec.Event, handle func()) {
		handle()
		if s.Phase == Electing && s.Answers != 0 {
			nominate(s, p)
		}
	}),
	Mended.Mutant("upside-down", "nominates the lowest that answered", func(s *State, p *proc, e spec.Event, handle func()) {
		handle()
		if s.Phase == Nominated && e.Kind == spec.Timeout {
			p.Unsend(func(_ spec.ID, m Msg) bool { return m.Kind == Nomination })
			s.Nominee = s.Answers.Min()
			p.Send(s.Nominee, Msg{Kind: Nomination})
		}
	}),
	Mended.Mutant("usurper", "declares itself when its nominee is silent", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Kind == spec.Timeout && e.Timer == NominationTimer {
			declare(s, p)
			return
		}
		handle()
	}),
	Mended.Mutant("stubborn", "nominates the same one again when that is silent", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Kind == spec.Timeout && e.Timer == NominationTimer {
			nominate(s, p)
			return
		}
		handle()
	}),
	Mended.Mutant("discreet", "tells of its victory only the next below", func(_ *State, p *proc, _ spec.Event, handle func()) {
		handle()
		p.Unsend(func(to spec.ID, m Msg) bool { return m.Kind == Coordinator && to != p.ID-1 })
	}),
	Mended.Mutant("modest", "ignores its nomination", func(_ *State, _ *proc, e spec.Event, handle func()) {
		if e.Message != (Msg{Kind: Nomination}) {
			handle()
		}
	}),
	Mended.Mutant("loyal", "does not forget its leader when it holds an election", func(s *State, _ *proc, _ spec.Event, handle func()) {
		before := s.Leader
		handle()
		if s.Phase == Electing {
			s.Leader = before
		}
	}),
	Mended.Mutant("obedient", "obeys a nomination though it follows a higher one", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Message == (Msg{Kind: Nomination}) {
			declare(s, p)
			return
		}
		handle()
	}),
	Mended.Mutant("backward", "believes a stale COORDINATOR", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Message == (Msg{Kind: Coordinator}) && e.From > p.ID {
			s.Leader = spec.None
		}
		handle()
	}),
	Mended.Mutant("hermit", "comes up again and tells nobody", func(_ *State, p *proc, _ spec.Event, handle func()) {
		handle()
		p.Unsend(func(_ spec.ID, m Msg) bool { return m.Kind == IAmUp })
	}),
	Mended.Mutant("meek", "comes up again and follows whoever leads, though it is lower", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Kind == spec.Timeout && e.Timer == ViewTimer && s.Heard.Leader != spec.None {
			follow(s, p, s.Heard.Leader)
			return
		}
		handle()
	}),
}
