package lock

import "interleave/spec"

type proc = spec.Proc[Msg]

// Mutants are Mended with one bug each, for checks to find.
var Mutants = []spec.Machine{
	Mended.Mutant("generous", "grants the lock though somebody has it", func(s *State, _ *proc, e spec.Event, handle func()) {
		if e.Message == Request {
			s.Holder = spec.None
		}
		handle()
	}),
	Mended.Mutant("credulous", "takes the lock back when anybody releases it", func(s *State, _ *proc, e spec.Event, handle func()) {
		if e.Message == Release {
			s.Holder = e.From
		}
		handle()
	}),
	Mended.Mutant("forgetful", "forgets who asked while somebody had the lock", func(s *State, _ *proc, e spec.Event, handle func()) {
		if handle(); e.Message == Request {
			s.Waiting = 0
		}
	}),
	Mended.Mutant("greedy", "does not give the lock back", func(_ *State, p *proc, _ spec.Event, handle func()) {
		handle()
		p.Unsend(func(_ spec.ID, m Msg) bool { return m == Release })
	}),
	Mended.Mutant("unmoved", "does not take the lock back from who crashed", func(s *State, _ *proc, e spec.Event, handle func()) {
		before := s.Holder
		if handle(); e.Kind == spec.Suspect {
			s.Holder = before
		}
	}),
	Mended.Mutant("loyal", "keeps those in line that crashed", func(s *State, p *proc, e spec.Event, handle func()) {
		before := s.Waiting
		if handle(); e.Kind == spec.Suspect && p.ID == server {
			s.Waiting |= before & spec.SetOf(e.Peer)
		}
	}),
	Mended.Mutant("late", "takes requests of those that crashed", func(s *State, _ *proc, e spec.Event, handle func()) {
		before := s.Crashed
		s.Crashed = 0
		handle()
		s.Crashed |= before
	}),
}
