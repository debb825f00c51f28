package raft

import "interleave/spec"

type proc = spec.Proc[Msg]

// Mutants are Raft with one bug each, for checks to find.
var Mutants = []spec.Machine{
	Algorithm.Mutant("forgetful", "forgets in a crash for whom it has voted", func(s *State, _ *proc, e spec.Event, handle func()) {
		if handle(); e.Kind == spec.Init {
			s.Vote = spec.None
		}
	}),
	Algorithm.Mutant("gullible", "votes for candidates whose log lacks what it has itself", func(s *State, p *proc, e spec.Event, handle func()) {
		if m, ok := e.Message.(Msg); ok && m.Kind == AskVote {
			m.At = m.Term
			receive(s, p, e.From, m)
			return
		}
		handle()
	}),
	Algorithm.Mutant("hasty", "commits what it has appended before a majority has it", func(s *State, p *proc, _ spec.Event, handle func()) {
		if handle(); s.Role == Leader {
			s.commit(p, len(s.Log))
		}
	}),
}
