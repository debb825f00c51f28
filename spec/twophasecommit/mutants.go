package twophasecommit

import "interleave/spec"

type proc = spec.Proc[Msg]

// Mutants are Mended with one bug each, for checks to find.
var Mutants = []spec.Machine{
	Mended.Mutant("forgetful", "votes YES and does not write that to its log", func(s *State, _ *proc, e spec.Event, handle func()) {
		if e.Kind == spec.Recover && s.Phase == Prepared {
			s.Phase = Working
		}
		handle()
	}),
	Mended.Mutant("hasty", "commits at the first YES", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Message == Yes && s.Phase == Waiting {
			s.Yes = p.Others()
		}
		handle()
	}),
	Mended.Mutant("optimistic", "takes every vote for a YES", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Message == No && s.Phase == Waiting {
			s.Yes = s.Yes.With(e.From)
			count(s, p)
			return
		}
		handle()
	}),
	Mended.Mutant("impatient", "aborts when the outcome does not come in time", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Kind == spec.Timeout && e.Timer == OutcomeTimer {
			decide(s, p, Aborted)
			return
		}
		handle()
	}),
	Mended.Mutant("presumptuous", "commits, after a restart, what it was counting votes for", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Kind == spec.Recover && s.Phase == Waiting {
			decide(s, p, Committed)
		}
		handle()
	}),
	Mended.Mutant("undecided", "does not give up when votes are missing", func(_ *State, _ *proc, e spec.Event, handle func()) {
		if e.Kind != spec.Timeout || e.Timer != VotesTimer {
			handle()
		}
	}),
	Mended.Mutant("discreet", "tells the outcome only to the first participant", func(_ *State, p *proc, _ spec.Event, handle func()) {
		handle()
		p.Unsend(func(to spec.ID, m Msg) bool { return (m == Commit || m == Abort) && p.ID == coordinator && to > 2 })
	}),
	Mended.Mutant("mute", "answers nobody who asks for the outcome", func(_ *State, _ *proc, e spec.Event, handle func()) {
		if e.Message != Ask {
			handle()
		}
	}),
	Mended.Mutant("fickle", "answers that it aborts, and votes all the same", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Message == Ask && s.Phase == Working {
			p.Send(e.From, Abort)
			return
		}
		handle()
	}),
	Mended.Mutant("silent", "tells nobody of its decision after a restart", func(_ *State, p *proc, e spec.Event, handle func()) {
		handle()
		if e.Kind == spec.Recover {
			p.Unsend(func(_ spec.ID, m Msg) bool { return m == Commit || m == Abort })
		}
	}),
}
