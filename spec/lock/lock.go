package lock

import "interleave/spec"

// State is what a process remembers.
type State struct {
	Holder  spec.ID  // server: who has the lock
	Waiting spec.Set // server: who asked while somebody had it
	Crashed spec.Set // server: who is reported to be down; Mended only
	Asked   bool     // client: and has no answer
	Holds   bool     // client
}

// Msg is a message between a client and the server.
type Msg uint8

const (
	Request Msg = iota
	Grant
	Release
)

var kinds = []string{"REQUEST", "GRANT", "RELEASE"}

func (m Msg) String() string { return kinds[m] }

const server = spec.ID(1)

// Published and Mended are the variants; see the package comment.
var (
	Published = algorithm("lock/published", "a server grants a lock to one client at a time, and believes that none crashes", nil, nil)
	Mended    = algorithm("lock/mended", "a server grants a lock to one client at a time, and takes it back from those that crash", suspect, stable)
)

func algorithm(name, doc string, suspect func(*State, *spec.Proc[Msg], spec.ID), stable func(State) State) *spec.Algorithm[State, Msg] {
	a := &spec.Algorithm[State, Msg]{
		Name:    name,
		Doc:     doc,
		Source:  "the tutorial of Interleave",
		Receive: receive,
		Suspect: suspect,
		Stable:  stable,
		Actions: []spec.Action[State, Msg]{
			{Name: "ask", Doc: "a client asks for the lock", Do: ask, Times: 1},
			{Name: "release", Doc: "a client gives the lock back", Do: release, When: func(s State) bool { return s.Holds }, Fair: true},
		},
		Idle:       func(s State) bool { return !s.Asked && !s.Holds },
		Kind:       Msg.String,
		Kinds:      kinds,
		Properties: Properties,
	}
	if suspect != nil {
		a.World = map[string]string{"detector": "perfect"}
	}
	return a
}

func ask(s *State, p *spec.Proc[Msg]) {
	if p.ID == server || s.Asked || s.Holds {
		p.Refuse()
		return
	}
	s.Asked = true
	p.Send(server, Request)
}

func release(s *State, p *spec.Proc[Msg]) {
	s.Holds = false
	p.Send(server, Release)
}

func receive(s *State, p *spec.Proc[Msg], from spec.ID, m Msg) {
	switch m {
	case Request:
		if !s.Crashed.Has(from) {
			s.Waiting = s.Waiting.With(from)
		}
		grant(s, p)
	case Release:
		free(s, p, from)
	case Grant:
		s.Asked, s.Holds = false, true
	}
}

// free takes the lock back from q, if it has it.
func free(s *State, p *spec.Proc[Msg], q spec.ID) {
	if s.Holder == q { // else it was taken back already, and another may have it
		s.Holder = spec.None
	}
	grant(s, p)
}

// grant gives the lock to the next that waits, if nobody has it.
func grant(s *State, p *spec.Proc[Msg]) {
	if next := s.Waiting.Min(); next != spec.None && s.Holder == spec.None {
		s.Waiting = s.Waiting.Without(next)
		s.Holder = next
		p.Send(next, Grant)
	}
}

func suspect(s *State, p *spec.Proc[Msg], q spec.ID) {
	if p.ID != server {
		return
	}
	s.Crashed = s.Crashed.With(q)
	s.Waiting = s.Waiting.Without(q)
	free(s, p, q)
}

// stable is what survives a crash: that of the server.
func stable(s State) State {
	return State{Holder: s.Holder, Waiting: s.Waiting, Crashed: s.Crashed}
}
