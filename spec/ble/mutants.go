package ble

import "interleave/spec"

type proc = spec.Proc[Msg]

// Mutants are Mended with one bug each, for checks to find.
var Mutants = []spec.Machine{
	variant{once: true, durable: true}.algorithm(Mended.Name, "").Mutant("half", "takes half of the processes for a quorum", plain),
	variant{majority: true, durable: true}.algorithm(Mended.Name, "").Mutant("chatty", "tells its user of the leader in every round", plain),
	explained(Mended.Mutant("late", "counts answers to the requests of earlier rounds", func(s *State, _ *proc, e spec.Event, handle func()) {
		if m, ok := e.Message.(Msg); ok && m.Kind == Reply {
			s.Replies.add(e.From, m.Ballot)
			return
		}
		handle()
	}), "LE-Q goes by the answers that count, and a late one misleads for one round only"),
	Mended.Mutant("hoarding", "keeps the answers of earlier rounds", func(s *State, _ *proc, _ spec.Event, handle func()) {
		before := s.Replies
		if handle(); s.Replies == (Replies{}) {
			s.Replies = before
		}
	}),
	Mended.Mutant("humble", "leaves its own ballot out of the count", func(s *State, p *proc, e spec.Event, handle func()) {
		own := s.N
		if e.Kind == spec.Timeout && s.Replies != (Replies{}) {
			s.N = -1
		}
		if handle(); s.N == -1 {
			s.N = own
		}
	}),
	Mended.Mutant("tame", "never bumps its ballot", func(s *State, _ *proc, _ spec.Event, handle func()) {
		own := s.N
		handle()
		s.N = own
	}),
	explained(Mended.Mutant("oblivious", "does not heed the largest ballot in a request", func(s *State, _ *proc, e spec.Event, handle func()) {
		before := s.Bmax
		if handle(); e.Kind == spec.Receive {
			s.Bmax = before
		}
	}), "after stabilization every process hears the largest ballot itself"),
	Mended.Mutant("fickle", "follows the largest answer, however small", func(s *State, _ *proc, e spec.Event, handle func()) {
		if e.Kind == spec.Timeout {
			s.Bmax = Ballot{}
		}
		handle()
	}),
	Mended.Mutant("mute", "answers no request", func(_ *State, p *proc, _ spec.Event, handle func()) {
		handle()
		p.Unsend(func(_ spec.ID, m Msg) bool { return m.Kind == Reply })
	}),
	Mended.Mutant("forgetful", "remembers only its number after a crash", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Kind == spec.Init {
			*s = State{N: s.N, Last: s.Last}
		}
		handle()
	}),
	explained(Mended.Mutant("careless", "forgets its number in a crash", func(s *State, _ *proc, e spec.Event, handle func()) {
		if handle(); e.Kind == spec.Init {
			s.N = 0
		}
	}), "Bmax survives, and a process stands only with a number above it"),
}

// plain is around a variant that is a mutant by itself.
func plain(_ *State, _ *proc, _ spec.Event, handle func()) { handle() }

// explained says why nothing can kill a mutant.
func explained(m *spec.Algorithm[State, Msg], why string) *spec.Algorithm[State, Msg] {
	m.Survives = why
	return m
}
