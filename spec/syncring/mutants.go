package syncring

import "interleave/spec"

type proc = spec.Proc[Vote]

// Mutants are Published and Asynchronous with one bug each, for checks to find.
var Mutants = []spec.Machine{
	Published.Mutant("generous", "passes smaller votes on as well", func(_ *State, p *proc, e spec.Event, handle func()) {
		handle()
		if v := received(e); v.ID < p.ID && v.ID != spec.None {
			p.Send(p.Next(), v)
		}
	}),
	Published.Mutant("upside-down", "passes smaller votes on and swallows the larger ones", func(_ *State, p *proc, e spec.Event, handle func()) {
		switch v := received(e); {
		case v.ID == spec.None, v.ID == p.ID:
			handle()
		case v.ID < p.ID:
			p.Send(p.Next(), v)
		}
	}),
	Published.Mutant("lost", "does not know its own vote when it comes round", func(_ *State, p *proc, e spec.Event, handle func()) {
		if v := received(e); v == (Vote{ID: p.ID}) {
			p.Send(p.Next(), v)
			return
		}
		handle()
	}),
	Published.Mutant("mute", "announces nothing", func(_ *State, p *proc, _ spec.Event, handle func()) {
		handle()
		p.Unsend(func(_ spec.ID, v Vote) bool { return v == Vote{ID: p.ID, Decided: true} })
	}),
	Published.Mutant("selfish", "does not pass the decided vote on", func(_ *State, p *proc, _ spec.Event, handle func()) {
		handle()
		p.Unsend(func(_ spec.ID, v Vote) bool { return v.Decided && v.ID != p.ID })
	}),
	Published.Mutant("credulous", "follows a larger vote that is not decided", func(s *State, p *proc, e spec.Event, handle func()) {
		handle()
		if v := received(e); v.ID > p.ID {
			s.Leader = v.ID
		}
	}),
	Published.Mutant("stuffer", "votes twice", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Kind == spec.Round && !s.Voted {
			p.Send(p.Next(), Vote{ID: p.ID})
		}
		handle()
	}),
	Published.Mutant("presumptuous", "calls its vote decided from the start", func(s *State, p *proc, e spec.Event, handle func()) {
		if e.Kind == spec.Round && !s.Voted {
			s.Voted = true
			p.Send(p.Next(), Vote{ID: p.ID, Decided: true})
			return
		}
		handle()
	}),
	explained(Published.Mutant("hasty", "returns when its vote comes round for the first time", func(s *State, p *proc, e spec.Event, handle func()) {
		handle()
		if received(e) == (Vote{ID: p.ID}) {
			s.Leader = p.ID
		}
	}), "the second lap tells the others; its end tells the leader nothing new"),
	explained(Published.Mutant("reader", "reads all messages of a round", func(s *State, p *proc, e spec.Event, _ func()) {
		if e.Kind == spec.Round && !s.Voted {
			s.vote(p)
		}
		for _, r := range e.Inbox {
			s.handle(p, r.Message.(Vote))
		}
	}), "no round brings more than one message"),

	Asynchronous.Mutant("generous", "passes smaller votes on as well", func(_ *State, p *proc, e spec.Event, handle func()) {
		handle()
		if v := received(e); v.ID < p.ID && v.ID != spec.None {
			p.Send(p.Next(), v)
		}
	}),
	Asynchronous.Mutant("mute", "announces nothing", func(_ *State, p *proc, _ spec.Event, handle func()) {
		handle()
		p.Unsend(func(_ spec.ID, v Vote) bool { return v == Vote{ID: p.ID, Decided: true} })
	}),
	Asynchronous.Mutant("restless", "goes on reading when it knows the leader", func(s *State, p *proc, e spec.Event, handle func()) {
		if v := received(e); s.returned() && v.ID > p.ID {
			p.Send(p.Next(), v)
			return
		}
		handle()
	}),
}

// explained says why nothing can kill a mutant.
func explained(m *spec.Algorithm[State, Vote], why string) spec.Machine {
	m.Survives = why
	return m
}

// received returns the message, at most one, that e brings; it is zero if e
// brings none.
func received(e spec.Event) Vote {
	message := e.Message
	if len(e.Inbox) > 0 {
		message = e.Inbox[0].Message
	}
	v, _ := message.(Vote)
	return v
}
