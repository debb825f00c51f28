package tokenring

import (
	"fmt"

	"interleave/spec"
)

// State is what a process remembers.
type State struct {
	Holding bool // an election: a list that I began is out
	Leader  spec.ID
}

// ListTimer waits for the list of one's own to come back; Mended only. It is
// armed while Holding.
const ListTimer spec.Timer = 0

// PublishedA, PublishedB and Mended are the variants; see the package comment.
var (
	PublishedA = variant{}.algorithm("token-ring/published-a",
		"the list ring as told, where whoever finds itself in the list ends the first lap")
	PublishedB = variant{firstOnly: true}.algorithm("token-ring/published-b",
		"the list ring as told, where only the first of the list ends the first lap")
	Mended = variant{mended: true}.algorithm("token-ring/mended",
		"the list ring, mended: it elects the living, every COORDINATOR stops, and a lost list is replaced")
)

// Elected is what the process tells that ends the first lap.
type Elected struct {
	Leader spec.ID
	Up     bool
}

func (e Elected) String() string {
	if e.Up {
		return fmt.Sprintf("Elected(%v)", e.Leader)
	}
	return fmt.Sprintf("Elected(%v, which is down)", e.Leader)
}

var live = spec.Claim[State]{
	Name:   "R-live",
	Doc:    "the list elects a process that is up",
	Source: "lecture notes: all processes are told of the largest running process",
	Holds: func(_ spec.ID, _ spec.Set, _, _ State, told []any) error {
		for _, v := range told {
			if e := v.(Elected); !e.Up {
				return fmt.Errorf("process %v is elected, but is not up", e.Leader)
			}
		}
		return nil
	},
}

type variant struct {
	firstOnly bool // reading B: of those in the list, only the first ends the lap
	mended    bool
}

func (v variant) algorithm(name, doc string) *spec.Algorithm[State, Msg] {
	a := &spec.Algorithm[State, Msg]{
		Name:    name,
		Doc:     doc,
		Source:  "the ring election of university lecture notes (list of IDs, then COORDINATOR)",
		Receive: v.receive,
		Election: &spec.Election[State, Msg]{
			Notice: v.notice,
			Leader: func(s State) spec.ID { return s.Leader },
			Follow: func(s *State, leader spec.ID) { s.Leader = leader },
		},
		Idle:   func(s State) bool { return !s.Holding },
		MaxN:   MaxN,
		Ring:   true,
		Oracle: true,
		Claims: []spec.Claim[State]{live},
		Kind:   func(m Msg) string { return m.Kind.String() },
		Kinds:  []string{"ELECTION", "COORDINATOR"},
	}
	if v.mended {
		a.Timeout = v.timeout
		a.Rules = []spec.TimerRule[State, Msg]{listRule}
	}
	return a
}

var listRule = spec.TimerRule[State, Msg]{
	Name:    "T_ring",
	Awaited: func(p, _, _ spec.ID, m Msg) bool { return m.Kind == Election && m.List.first() == p },
}

// notice: the coordinator does not respond.
func (v variant) notice(s *State, p *spec.Proc[Msg]) {
	if s.Holding {
		p.Refuse()
		return
	}
	v.elect(s, p)
}

// elect sends out a list of my own.
func (v variant) elect(s *State, p *spec.Proc[Msg]) {
	v.hold(s, p, true)
	p.SendNext(Msg{Kind: Election, List: ListOf(p.ID)})
}

// hold alone changes Holding, and with it the timer.
func (v variant) hold(s *State, p *spec.Proc[Msg], holding bool) {
	s.Holding = holding
	switch {
	case !v.mended: // the source waits forever
	case holding:
		p.SetTimer(ListTimer)
	default:
		p.StopTimer(ListTimer)
	}
}

// timeout: T_ring expires, the list of my own is lost.
func (v variant) timeout(s *State, p *spec.Proc[Msg], _ spec.Timer) { v.elect(s, p) }

func (v variant) receive(s *State, p *spec.Proc[Msg], _ spec.ID, m Msg) {
	switch {
	case m.Kind == Coordinator && v.mended:
		v.inform(s, p, m)
	case m.Kind == Coordinator:
		v.coordinator(s, p, m)
	case !m.List.has(p.ID): // add myself
		m.List = m.List.with(p.ID)
		p.SendNext(m)
	case v.firstOnly && m.List.first() != p.ID: // its own list came back to another: not to me
		p.SendNext(m)
	default: // the list came all the way round
		v.convert(s, p, m.List)
	}
}

// convert turns the list that came round into a COORDINATOR.
func (v variant) convert(s *State, p *spec.Proc[Msg], list List) {
	v.hold(s, p, false)
	s.Leader = list.set().Max() // even if that has crashed since
	if v.mended {
		s.Leader = (list.set() & p.Live()).Max() // I am in it
	}
	p.Output(Elected{s.Leader, p.Live().Has(s.Leader)})
	switch {
	case !v.mended:
		p.SendNext(Msg{Kind: Coordinator, List: list, Origin: p.ID})
	case p.Live() != spec.SetOf(p.ID): // else there is nobody to tell
		p.SendNext(Msg{Kind: Coordinator, Leader: s.Leader, List: ListOf(p.ID)})
	}
}

// coordinator takes in a COORDINATOR as published: the one that sent it out
// drops it. If that has crashed, nobody does.
func (v variant) coordinator(s *State, p *spec.Proc[Msg], m Msg) {
	if m.Origin == p.ID {
		return
	}
	v.hold(s, p, false)
	s.Leader = m.List.set().Max()
	p.SendNext(m)
}

// inform takes in a mended COORDINATOR: the first that sees it again drops it.
func (v variant) inform(s *State, p *spec.Proc[Msg], m Msg) {
	if m.List.has(p.ID) {
		return
	}
	v.hold(s, p, false)
	s.Leader = m.Leader
	m.List = m.List.with(p.ID)
	p.SendNext(m)
}
