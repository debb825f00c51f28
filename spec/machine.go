package spec

import (
	"fmt"
	"runtime/debug"
)

// Machine is an algorithm with its types erased: what a checker or a runtime
// drives. States and messages are comparable values of the algorithm's own
// types inside an any, so == and map keys are exact.
type Machine interface {
	// Validate reports why the machine cannot be checked or run, or nil.
	Validate() error
	Traits() Traits
	// Step runs one handler at process self on a copy of s. The ring lists all
	// processes in ring order. If the event is refused, or the handler
	// panicked, the returned state is s.
	Step(self ID, ring []ID, s any, e Event) (any, Effects)
}

// Traits is what is known of a machine without running it. The fields are
// those of Algorithm, with any for the state and the messages.
type Traits struct {
	Name, Doc, Source string

	Handles     EventSet // the events that have a handler
	Ring        bool
	Wins        Winner
	Unannounced bool
	World       map[string]string
	Kinds       []string // never empty
	Rules       []TimerRule[any, any]

	Zero   any // the state that a process begins in
	Kind   func(m any) string
	Leader func(s any) ID
	Idle   func(s any) bool
	Stable func(s any) any
	Follow func(leader ID) any // nil: no run begins with a leader
}

// EventKind is a kind of event at one process.
type EventKind uint8

const (
	Start EventKind = iota
	Notice
	Receive
	Timeout
	Suspect
	Restore
	Round
)

func (k EventKind) String() string {
	return [...]string{"start", "notice", "receive", "timeout", "suspect", "restore", "round"}[k]
}

// EventSet is a set of event kinds.
type EventSet uint8

// Has reports whether k is in s.
func (s EventSet) Has(k EventKind) bool { return s>>k&1 != 0 }

// Event is what happens to one process. Fields that its kind has no use for
// are zero.
type Event struct {
	Kind      EventKind
	From      ID              // Receive: the sender
	Message   any             // Receive
	Timer     Timer           // Timeout
	Peer      ID              // Suspect, Restore: the one spoken of
	Initiator bool            // Start: begins of its own accord
	Inbox     []Received[any] // Round
}

// Effects is what a step does besides changing the state.
type Effects struct {
	Sends   []Send // in program order
	Armed   uint8  // bit set of timers, disjoint from Stopped
	Stopped uint8
	Refused bool   // the event is not enabled; nothing else is set
	Panic   string // the handler panicked with this; nothing else is set
}

// Send is one message sent. To may be NextLive.
type Send struct {
	To      ID
	Message any
}

// NextLive stands for the next live process on the ring, resolved by whoever
// carries the message.
const NextLive ID = -1

// Traits describes the algorithm.
func (a *Algorithm[S, M]) Traits() Traits {
	var zero S
	var t Traits
	t = Traits{
		Name: a.Name, Doc: a.Doc, Source: a.Source,
		Handles: a.handles(), Ring: a.Ring, Wins: a.Wins, Unannounced: a.Unannounced, World: a.World,
		Kinds: a.Kinds, Rules: make([]TimerRule[any, any], len(a.Rules)),
		Zero:   zero,
		Kind:   func(any) string { return t.Kinds[0] },
		Leader: func(any) ID { return None },
		Idle:   func(any) bool { return true },
		Stable: func(any) any { return zero },
	}
	if a.Kind != nil {
		t.Kind = func(m any) string { return a.Kind(m.(M)) }
	}
	if len(t.Kinds) == 0 {
		t.Kinds = []string{"message"}
	}
	if a.Leader != nil {
		t.Leader = func(s any) ID { return a.Leader(s.(S)) }
	}
	if a.Idle != nil {
		t.Idle = func(s any) bool { return a.Idle(s.(S)) }
	}
	if a.Stable != nil {
		t.Stable = func(s any) any { return a.Stable(s.(S)) }
	}
	if a.Follow != nil {
		t.Follow = func(leader ID) any {
			var s S
			a.Follow(&s, leader)
			return s
		}
	}
	for i, r := range a.Rules {
		t.Rules[i] = r.erase()
	}
	return t
}

func (a *Algorithm[S, M]) handles() EventSet {
	var s EventSet
	for k, has := range map[EventKind]bool{
		Start: a.Start != nil, Notice: a.Notice != nil, Receive: a.Receive != nil, Timeout: a.Timeout != nil,
		Suspect: a.Suspect != nil, Restore: a.Restore != nil, Round: a.Round != nil,
	} {
		if has {
			s |= 1 << k
		}
	}
	return s
}

func (r TimerRule[S, M]) erase() TimerRule[any, any] {
	e := TimerRule[any, any]{Name: r.Name, Elects: r.Elects, AllDown: r.AllDown}
	if r.Awaited != nil {
		e.Awaited = func(p, from, to ID, m any) bool { return r.Awaited(p, from, to, m.(M)) }
	}
	if r.Silent != nil {
		e.Silent = func(s any, p ID, all Set) Set { return r.Silent(s.(S), p, all) }
	}
	return e
}

// Step runs the handler of e. A panic of the handler is caught and returned
// as an effect.
func (a *Algorithm[S, M]) Step(self ID, ring []ID, s any, e Event) (after any, fx Effects) {
	state := s.(S)
	p := &Proc[M]{ID: self, ring: ring, onRing: a.Ring, initiator: e.Initiator}
	defer func() {
		if r := recover(); r != nil {
			after, fx = s, Effects{Panic: fmt.Sprintf("%v%s", r, panicSite(debug.Stack()))}
		}
	}()
	a.handle(&state, p, e)
	if p.effects.Refused {
		return s, Effects{Refused: true}
	}
	return state, p.effects
}

func (a *Algorithm[S, M]) handle(s *S, p *Proc[M], e Event) {
	switch e.Kind {
	case Start:
		a.Start(s, p)
	case Notice:
		a.Notice(s, p)
	case Receive:
		a.Receive(s, p, e.From, e.Message.(M))
	case Timeout:
		a.Timeout(s, p, e.Timer)
	case Suspect:
		a.Suspect(s, p, e.Peer)
	case Restore:
		a.Restore(s, p, e.Peer)
	case Round:
		in := make([]Received[M], len(e.Inbox))
		for i, r := range e.Inbox {
			in[i] = Received[M]{From: r.From, Message: r.Message.(M)}
		}
		a.Round(s, p, in)
	}
}
