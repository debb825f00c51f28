package tokenring

import "interleave/spec"

type proc = spec.Proc[Msg]

// received returns the message that e brings; it is zero if e brings none.
func received(e spec.Event) Msg {
	m, _ := e.Message.(Msg)
	return m
}

// cameRound reports whether e brings p a list that it is in.
func cameRound(p *proc, e spec.Event) bool {
	m := received(e)
	return m.Kind == Election && m.List.has(p.ID)
}

// electing elects another of the list than Mended does.
func electing(chosen func(List) spec.ID) spec.Around[State, Msg] {
	return func(s *State, p *proc, e spec.Event, handle func()) {
		handle()
		if !cameRound(p, e) {
			return
		}
		s.Leader = chosen(received(e).List)
		p.Output(Elected{s.Leader, p.Live().Has(s.Leader)})
		p.Unsend(func(spec.ID, Msg) bool { return true })
		if p.Live() != spec.SetOf(p.ID) {
			p.SendNext(Msg{Kind: Coordinator, Leader: s.Leader, List: ListOf(p.ID)})
		}
	}
}

// Mutants are Mended with one bug each, for checks to find.
var Mutants = []spec.Machine{
	Mended.Mutant("shy", "passes the lists of others on without its own ID", func(_ *State, p *proc, e spec.Event, handle func()) {
		if m := received(e); e.Kind == spec.Receive && m.Kind == Election && !m.List.has(p.ID) {
			p.SendNext(m)
			return
		}
		handle()
	}),
	Mended.Mutant("egoist", "drops the lists of others while its own is out", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Kind == spec.Receive && received(e).Kind == Election && s.Holding && !cameRound(p, e) {
			return
		}
		handle()
	}),
	Mended.Mutant("foremost", "elects the first of the list", electing(List.first)),
	Mended.Mutant("careless", "elects the largest of the list, up or not", electing(func(l List) spec.ID { return l.set().Max() })),
	Mended.Mutant("strict", "passes on the list that another began, in it or not", func(_ *State, p *proc, e spec.Event, handle func()) {
		if m := received(e); cameRound(p, e) && m.List.first() != p.ID {
			p.SendNext(m)
			return
		}
		handle()
	}),
	Mended.Mutant("mute", "sends out no COORDINATOR", func(_ *State, p *proc, e spec.Event, handle func()) {
		handle()
		if cameRound(p, e) {
			p.Unsend(func(spec.ID, Msg) bool { return true })
		}
	}),
	Mended.Mutant("terminal", "passes no COORDINATOR on", func(_ *State, p *proc, e spec.Event, handle func()) {
		handle()
		if received(e).Kind == Coordinator {
			p.Unsend(func(spec.ID, Msg) bool { return true })
		}
	}),
	Mended.Mutant("gossip", "passes on a COORDINATOR that it has seen", func(_ *State, p *proc, e spec.Event, handle func()) {
		handle()
		if m := received(e); m.Kind == Coordinator && m.List.has(p.ID) {
			p.SendNext(m)
		}
	}),
	Mended.Mutant("clinging", "holds its election on when the list came round", func(s *State, p *proc, e spec.Event, handle func()) {
		held := s.Holding
		handle()
		if held && cameRound(p, e) {
			s.Holding = true
			p.SetTimer(ListTimer)
		}
	}),
	Mended.Mutant("patient", "does not begin again when the list is lost", func(_ *State, _ *proc, e spec.Event, handle func()) {
		if e.Kind != spec.Timeout {
			handle()
		}
	}),
	Mended.Mutant("once", "begins again without a timer", func(_ *State, p *proc, e spec.Event, handle func()) {
		handle()
		if e.Kind == spec.Timeout {
			p.StopTimer(ListTimer)
		}
	}),
}
