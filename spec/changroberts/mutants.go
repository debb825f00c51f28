package changroberts

import "interleave/spec"

type proc = spec.Proc[Msg]

// Mutants are Textbook, Classic and Detecting with one bug each, for checks to
// find.
var Mutants = []spec.Machine{
	Textbook.Mutant("generous", "passes smaller IDs on as well", func(_ *State, p *proc, e spec.Event, handle func()) {
		if m := received(e); m.Kind == Election && m.ID < p.ID && m.ID != spec.None {
			p.Send(p.Next(), m)
			return
		}
		handle()
	}),
	Textbook.Mutant("lost", "does not know its own ID when it comes round", func(_ *State, p *proc, e spec.Event, handle func()) {
		if m := received(e); m == (Msg{Election, p.ID}) {
			p.Send(p.Next(), m)
			return
		}
		handle()
	}),
	Textbook.Mutant("mute", "announces nothing", func(_ *State, p *proc, e spec.Event, handle func()) {
		handle()
		if received(e) == (Msg{Election, p.ID}) {
			p.Unsend(func(spec.ID, Msg) bool { return true })
		}
	}),
	Textbook.Mutant("proud", "announces itself lap after lap", func(_ *State, p *proc, e spec.Event, handle func()) {
		handle()
		if m := received(e); m == (Msg{Elected, p.ID}) {
			p.Send(p.Next(), m)
		}
	}),
	Textbook.Mutant("passive", "swallows a smaller ID and does not begin itself", func(_ *State, p *proc, e spec.Event, handle func()) {
		if m := received(e); m.Kind == Election && m.ID < p.ID && m.ID != spec.None {
			return
		}
		handle()
	}),
	Textbook.Mutant("hasty", "follows a larger ID that merely stands for election", func(s *State, p *proc, e spec.Event, handle func()) {
		handle()
		if m := received(e); m.Kind == Election && m.ID > p.ID {
			s.Leader = m.ID
		}
	}),
	Textbook.Mutant("near-sighted", "takes the one that brings the news for the leader", func(s *State, p *proc, e spec.Event, handle func()) {
		handle()
		if m := received(e); m.Kind == Elected && m.ID != p.ID {
			s.Leader = e.From
		}
	}),

	Classic.Mutant("generous", "passes larger IDs on as well", func(_ *Standing, p *spec.Proc[spec.ID], e spec.Event, handle func()) {
		if id, ok := e.Message.(spec.ID); ok && id > p.ID {
			p.Send(p.Next(), id)
			return
		}
		handle()
	}),
	Classic.Mutant("lost", "does not know its own ID when it comes round", func(_ *Standing, p *spec.Proc[spec.ID], e spec.Event, handle func()) {
		if e.Message == p.ID {
			p.Send(p.Next(), p.ID)
			return
		}
		handle()
	}),
	Classic.Mutant("dead-end", "passes nothing on once it lost", func(s *Standing, _ *spec.Proc[spec.ID], _ spec.Event, handle func()) {
		if s.Status != Lost {
			handle()
		}
	}),
	Classic.Mutant("sore-loser", "swallows the ID that it loses to", func(s *Standing, p *spec.Proc[spec.ID], e spec.Event, handle func()) {
		if id, ok := e.Message.(spec.ID); ok && s.Status == Candidate && id < p.ID {
			s.Status = Lost
			return
		}
		handle()
	}),
	Classic.Mutant("onlooker", "swallows IDs though it is no initiator", func(s *Standing, _ *spec.Proc[spec.ID], e spec.Event, handle func()) {
		handle()
		if e.Kind == spec.Start {
			s.Status = Candidate
		}
	}),
	Classic.Mutant("eager", "begins though it is no initiator", func(_ *Standing, p *spec.Proc[spec.ID], e spec.Event, handle func()) {
		if e.Kind == spec.Start {
			p.Send(p.Next(), p.ID)
			return
		}
		handle()
	}),
	Classic.Mutant("proud", "sends its ID round again when it won", func(s *Standing, p *spec.Proc[spec.ID], e spec.Event, handle func()) {
		handle()
		if e.Message == p.ID && s.Status == Won {
			p.Send(p.Next(), p.ID)
		}
	}),

	Detecting.Mutant("idle", "repeats nothing when a crash is reported", func(_ *Memory, p *proc, e spec.Event, handle func()) {
		handle()
		if e.Kind == spec.Suspect {
			p.Unsend(func(spec.ID, Msg) bool { return true })
		}
	}),
	Detecting.Mutant("mute", "announces nothing", func(_ *Memory, p *proc, e spec.Event, handle func()) {
		handle()
		if received(e) == (Msg{Election, p.ID}) {
			p.Unsend(func(spec.ID, Msg) bool { return true })
		}
	}),
	Detecting.Mutant("backward", "believes a stale announcement", func(s *Memory, p *proc, e spec.Event, handle func()) {
		if m := received(e); m.Kind == Elected && m.ID > s.Leader && m.ID != p.ID {
			s.Leader = spec.None
		}
		handle()
	}),
	Detecting.Mutant("forgetful", "forgets what it has seen when a leader is announced", func(s *Memory, _ *proc, e spec.Event, handle func()) {
		handle()
		if received(e).Kind == Elected {
			s.Seen = 0
		}
	}),
	Detecting.Mutant("loyal", "follows a leader whose crash was reported", func(s *Memory, _ *proc, e spec.Event, handle func()) {
		before := s.Leader
		handle()
		if e.Kind == spec.Suspect && before == e.Peer {
			s.Leader = before
		}
	}),
	Detecting.Mutant("nostalgic", "still stands up for a candidate whose crash was reported", func(s *Memory, _ *proc, e spec.Event, handle func()) {
		before := s.Seen
		handle()
		if e.Kind == spec.Suspect {
			s.Seen = before
		}
	}),
	Detecting.Mutant("haunted", "heeds the word of the dead", func(s *Memory, p *proc, e spec.Event, handle func()) {
		if m := received(e); s.Crashed.Has(m.ID) {
			p.Send(s.next(p), m)
			return
		}
		handle()
	}),
}

// received returns the message that e brings; it is zero if e brings none.
func received(e spec.Event) Msg {
	m, _ := e.Message.(Msg)
	return m
}
