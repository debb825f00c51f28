package paxos

import "interleave/spec"

type proc = spec.Proc[Msg]

// Mutants are SingleDecree with one bug each, for checks to find.
var Mutants = []spec.Machine{
	SingleDecree.Mutant("selfish", "proposes the value of its own client, whatever the acceptors report", func(s *State, p *proc, e spec.Event, handle func()) {
		if m, ok := of(e, Promise); ok {
			m.Vote = Vote{}
			receive(s, p, e.From, m)
			return
		}
		if handle(); s.Phase == Preparing {
			s.Promises[p.ID] = Vote{}
		}
	}),
	SingleDecree.Mutant("impatient", "proposes before a majority has promised", func(s *State, p *proc, _ spec.Event, handle func()) {
		if handle(); s.Phase == Preparing {
			for q := range p.All().All() {
				if _, promised := s.Promises[q]; !promised {
					s.Promises[q] = Vote{}
				}
			}
			ask(s, p)
		}
	}),
	SingleDecree.Mutant("premature", "takes its proposal for chosen before a majority has accepted it", func(s *State, p *proc, _ spec.Event, handle func()) {
		if handle(); s.Phase == Proposing {
			s.Accepts = p.All()
			choose(s, p)
		}
	}),
	SingleDecree.Mutant("perjured", "accepts in a ballot below the one that it has promised", func(s *State, _ *proc, e spec.Event, handle func()) {
		promised := s.Promised
		if _, ok := of(e, Accept); ok {
			s.Promised = 0
		}
		handle()
		s.Promised = max(s.Promised, promised)
	}),
	SingleDecree.Mutant("discreet", "does not report what it has accepted", func(s *State, _ *proc, e spec.Event, handle func()) {
		accepted := s.Accepted
		if _, ok := of(e, Prepare); ok {
			s.Accepted = Vote{}
		}
		if handle(); s.Accepted == (Vote{}) {
			s.Accepted = accepted
		}
	}),
	SingleDecree.Mutant("oblivious", "forgets in a crash what it has accepted", func(s *State, _ *proc, e spec.Event, handle func()) {
		if handle(); e.Kind == spec.Init {
			s.Accepted = Vote{}
		}
	}),
	SingleDecree.Mutant("unbound", "forgets in a crash what it has promised", func(s *State, _ *proc, e spec.Event, handle func()) {
		if handle(); e.Kind == spec.Init {
			s.Promised = 0
		}
	}),
	SingleDecree.Mutant("resigned", "does not begin another ballot", func(_ *State, _ *proc, e spec.Event, handle func()) {
		if e.Kind != spec.Timeout {
			handle()
		}
	}),
}

// of returns the message that an event brings, if it is of a kind.
func of(e spec.Event, kind Kind) (Msg, bool) {
	m, ok := e.Message.(Msg)
	return m, ok && m.Kind == kind
}
