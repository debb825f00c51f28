package itairodeh

import (
	"cmp"
	"fmt"

	"interleave/spec"
)

// State is what a process remembers.
type State struct {
	Standing Standing
	Identity Identity
	Self     spec.ID // once it has won: itself. No part of the algorithm, in which nobody has a name
}

// Standing is how a process stands in the election.
type Standing uint8

const (
	Active Standing = iota
	Passive
	Won
)

func (s Standing) String() string { return [...]string{"active", "passive", "won"}[s] }

// Identity is what an active process chooses in a round: a number of 1..n, which others may choose, too.
type Identity struct {
	Round  int // Published only
	Number int
}

func (i Identity) compare(j Identity) int {
	return cmp.Or(cmp.Compare(i.Round, j.Round), cmp.Compare(i.Number, j.Number))
}

func (i Identity) String() string {
	if i.Round == 0 {
		return fmt.Sprint(i.Number)
	}
	return fmt.Sprintf("%d/%d", i.Round, i.Number)
}

// Msg is an identity on its way round the ring.
type Msg struct {
	Identity Identity
	Hops     int  // that it has made when it arrives
	Shared   bool // another active process has the same
}

func (m Msg) String() string {
	if m.Shared {
		return fmt.Sprintf("%v(%d hops, shared)", m.Identity, m.Hops)
	}
	return fmt.Sprintf("%v(%d hops)", m.Identity, m.Hops)
}

// Published and Finite are the variants; see the package comment.
var (
	Published = variant{rounds: true}.algorithm("itai-rodeh/published", "election on an anonymous ring by random identities, in numbered rounds")
	Finite    = variant{}.algorithm("itai-rodeh/finite", "election on an anonymous ring by random identities, without round numbers")
)

type variant struct {
	rounds bool // they have numbers
}

func (v variant) algorithm(name, doc string) *spec.Algorithm[State, Msg] {
	a := &spec.Algorithm[State, Msg]{
		Name:    name,
		Doc:     doc,
		Source:  "W. Fokkink, J. Pang, Simplifying Itai-Rodeh leader election for anonymous rings, ENTCS 128(6), 2005",
		Start:   v.choose,
		Receive: v.receive,
		Election: &spec.Election[State, Msg]{
			Leader:      func(s State) spec.ID { return s.Self },
			Wins:        spec.Anyone,
			Unannounced: true,
		},
		Idle:       func(s State) bool { return s.Standing != Active },
		Ring:       true,
		Properties: Properties,
		Promises:   []string{"one-leader", "no-deadlock", "at-most-one-wins", "one-wins"},
	}
	if v.rounds {
		a.Measure = func(s State) int { return s.Identity.Round }
		a.World = map[string]string{"bound": "2"}
	}
	return a
}

// choose begins a round.
func (v variant) choose(s *State, p *spec.Proc[Msg]) {
	if v.rounds {
		s.Identity.Round++
	}
	s.Identity.Number = 1 + p.Choose(p.All().Len())
	p.Send(p.Next(), Msg{Identity: s.Identity, Hops: 1})
}

func (v variant) receive(s *State, p *spec.Proc[Msg], _ spec.ID, m Msg) {
	order, own := m.Identity.compare(s.Identity), m.Hops == p.All().Len()
	switch {
	case s.Standing == Won, s.Standing == Passive && own: // it is out of date
	case s.Standing == Passive:
		pass(p, m)
	case own && m.Shared:
		v.choose(s, p)
	case own:
		s.Standing, s.Self = Won, p.ID
		p.Output(Won)
	case order == 0:
		m.Shared = true
		pass(p, m)
	case order > 0:
		s.Standing = Passive
		s.Identity = Identity{}
		pass(p, m)
	}
}

// pass sends a message on.
func pass(p *spec.Proc[Msg], m Msg) {
	m.Hops++
	p.Send(p.Next(), m)
}
