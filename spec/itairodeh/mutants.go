package itairodeh

import "interleave/spec"

type proc = spec.Proc[Msg]

// Mutants are Finite with one bug each, for checks to find.
var Mutants = []spec.Machine{
	Finite.Mutant("blind", "does not tell that it has the same identity", func(s *State, p *proc, e spec.Event, handle func()) {
		if m, ok := e.Message.(Msg); ok && s.Standing == Active && m.Identity == s.Identity && m.Hops < p.All().Len() {
			pass(p, m)
			return
		}
		handle()
	}),
	Finite.Mutant("generous", "passes smaller identities on", func(s *State, p *proc, e spec.Event, handle func()) {
		if m, ok := e.Message.(Msg); ok && s.Standing == Active && m.Identity.compare(s.Identity) < 0 {
			pass(p, m)
			return
		}
		handle()
	}),
	Finite.Mutant("stubborn", "stays active when it sees a larger identity", func(s *State, p *proc, e spec.Event, handle func()) {
		if m, ok := e.Message.(Msg); ok && s.Standing == Active && m.Identity.compare(s.Identity) > 0 {
			pass(p, m)
			return
		}
		handle()
	}),
	Finite.Mutant("idle", "passes nothing on once it is passive", func(s *State, _ *proc, e spec.Event, handle func()) {
		if e.Kind != spec.Receive || s.Standing != Passive {
			handle()
		}
	}),
	Finite.Mutant("hurried", "takes the ring for one process smaller than it is", func(s *State, p *proc, e spec.Event, handle func()) {
		if m, ok := e.Message.(Msg); ok {
			m.Hops++
			variant{}.receive(s, p, e.From, m)
			return
		}
		handle()
	}),
	Finite.Mutant("biased", "always chooses the same", func(s *State, p *proc, e spec.Event, handle func()) {
		if m, ok := e.Message.(Msg); e.Kind == spec.Start || ok && s.Standing == Active && m.Hops == p.All().Len() && m.Shared {
			s.Identity.Number = 1
			p.Send(p.Next(), Msg{Identity: s.Identity, Hops: 1})
			return
		}
		handle()
	}),
}
