package modeltest

import (
	"errors"

	"interleave/spec"
)

// asked is the state of Requests.
type asked struct {
	Open   bool
	Coin   uint8
	Answer uint8
}

// Requests has actions of every kind, and handlers that choose. It elects nobody.
var Requests = &spec.Algorithm[asked, uint8]{
	Name: "x/requests", Doc: "asks the next what its coin shows", Source: "this test",
	Start: func(s *asked, p *spec.Proc[uint8]) { s.Coin = uint8(p.Choose(2)) },
	Receive: func(s *asked, p *spec.Proc[uint8], from spec.ID, m uint8) {
		switch {
		case m > 0:
			s.Answer = m
		case !s.Open:
			p.Refuse()
		case p.Choose(2) == 1:
			p.Send(from, uint8(1+p.Choose(2)))
		}
	},
	Properties: []spec.Property{spec.Monitored("flips", "no coin is flipped to the same side twice in a row by one process", [3]uint8{}, func(v [3]uint8, s spec.Step) ([3]uint8, error) {
		coin, _ := s.After.(asked)
		switch {
		case s.Event.Kind != spec.Act || s.Event.Action != 2:
			return v, nil
		case v[s.Process] == coin.Coin+1:
			return v, errors.New("this one is")
		}
		v[s.Process] = coin.Coin + 1
		return v, nil
	})},
	Stable: func(s asked) asked { return asked{Coin: s.Coin} },
	Actions: []spec.Action[asked, uint8]{
		{Name: "open", When: func(s asked) bool { return !s.Open }, Do: func(s *asked, _ *spec.Proc[uint8]) { s.Open = true }, Fair: true},
		{Name: "ask", Times: 1, Request: spec.OneOf([]int{1, 2, 9}, func(_ *asked, p *spec.Proc[uint8], who int) {
			if !p.All().Has(spec.ID(who)) {
				p.Refuse()
				return
			}
			p.Send(spec.ID(who), 0)
		})},
		{Name: "flip", Times: 2, Together: true, Do: func(s *asked, p *spec.Proc[uint8]) { s.Coin = uint8(p.Choose(2)) }},
		{Name: "forget", When: func(s asked) bool { return s.Answer > 0 }, Do: func(s *asked, _ *spec.Proc[uint8]) { s.Answer = 0 }},
	},
}
