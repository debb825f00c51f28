package compiled_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/model/modeltest"
	"interleave/spec"
)

// chanceState is what a process of an algorithm that was drawn remembers.
type chanceState struct {
	Lead  spec.ID
	Mood  uint8
	Spent uint8 // steps that sent something
}

// drawn is what the handlers of an algorithm that was drawn have in common.
type drawn struct {
	luck    uint64
	oracle  bool
	endless bool // it sends without end
}

const mostSpent = 3 // steps of one process that send, unless endless

// act handles an event, given as numbers, of which the first is its kind. What it does is a
// matter of luck, but always the same.
func (d drawn) act(s *chanceState, p *spec.Proc[uint8], event ...int) {
	draw := rand.New(rand.NewPCG(d.luck, 2))
	for _, v := range append(event, int(p.ID), int(s.Lead), int(s.Mood), int(s.Spent)) {
		draw = rand.New(rand.NewPCG(draw.Uint64(), uint64(v)))
	}
	if d.oracle {
		draw = rand.New(rand.NewPCG(draw.Uint64(), uint64(p.Live())))
	}
	switch draw.IntN(8) {
	case 0:
		if event[0] < 5 || event[0] == 6 { // neither Start nor Recover may
			p.Refuse()
		}
		return
	case 1, 2:
		s.Lead = spec.ID(draw.IntN(p.All().Len() + 1))
	}
	s.Mood = uint8(draw.IntN(3))
	if timer := spec.Timer(draw.IntN(2)); even(draw) {
		p.SetTimer(timer)
	} else {
		p.StopTimer(timer)
	}
	if s.Spent == mostSpent || even(draw) {
		return
	}
	if !d.endless {
		s.Spent++
	}
	for range 1 + draw.IntN(3) {
		if m := uint8(draw.IntN(2)); even(draw) {
			p.SendNext(m)
		} else {
			p.Send(spec.ID(1+draw.IntN(p.All().Len())), m)
		}
	}
}

// chance draws an algorithm. It uses what those written by hand do not: it sends to itself,
// twice to the same one, and to some it sends along with the next on the ring. One in four
// sends without end.
func chance(luck uint64) spec.Machine {
	traits := rand.New(rand.NewPCG(luck, 1))
	has := func() bool { return traits.IntN(3) > 0 }
	d := drawn{luck: luck, oracle: traits.IntN(4) == 0, endless: luck%4 == 3}
	a := &spec.Algorithm[chanceState, uint8]{
		Name: "x/chance", Ring: true, Oracle: d.oracle,
		Init: func(_ *chanceState, p *spec.Proc[uint8]) { p.SetTimer(spec.Timer(int(p.ID) % 2)) },
		Election: &spec.Election[chanceState, uint8]{
			Leader: func(s chanceState) spec.ID { return s.Lead },
			Follow: func(s *chanceState, leader spec.ID) { s.Lead = leader },
		},
		Measure: func(s chanceState) int { return int(s.Spent) },
		Receive: func(s *chanceState, p *spec.Proc[uint8], from spec.ID, m uint8) { d.act(s, p, 1, int(from), int(m)) },
		Timeout: func(s *chanceState, p *spec.Proc[uint8], t spec.Timer) { d.act(s, p, 2, int(t)) },
		Suspect: func(s *chanceState, p *spec.Proc[uint8], q spec.ID) { d.act(s, p, 3, int(q)) },
		Restore: func(s *chanceState, p *spec.Proc[uint8], q spec.ID) { d.act(s, p, 4, int(q)) },
		Claims: []spec.Claim[chanceState]{{Name: "calm", Doc: "no mood changes from 0 to 2", Holds: func(_ spec.ID, _ spec.Set, before, after chanceState, _ []any) error {
			if before.Mood == 0 && after.Mood == 2 {
				return errors.New("this does")
			}
			return nil
		}}},
	}
	if has() {
		a.Start = func(s *chanceState, p *spec.Proc[uint8]) { d.act(s, p, 5) }
	}
	if has() {
		a.Election.Notice = func(s *chanceState, p *spec.Proc[uint8]) { d.act(s, p, 6) }
	}
	if has() {
		a.Recover = func(s *chanceState, p *spec.Proc[uint8]) { d.act(s, p, 7) }
	}
	if has() {
		a.Stable = func(s chanceState) chanceState { return chanceState{Spent: s.Spent} }
	}
	for timer := range 2 {
		a.Rules = append(a.Rules, spec.TimerRule[chanceState, uint8]{
			Name: string(rune('A' + timer)), Elects: has(), AllDown: !has(),
			Awaited: func(p, from, _ spec.ID, m uint8) bool { return (int(p)+int(from)+int(m)+timer)%3 == 0 },
			Silent: func(s chanceState, p spec.ID, all spec.Set) spec.Set {
				return all & spec.Set(int(s.Mood)+int(p)*timer)
			},
			Owing: func(s chanceState, p spec.ID, all spec.Set) spec.Set {
				return all & spec.Set(int(s.Mood)*timer&int(p))
			},
		})
	}
	return a
}

func even(draw *rand.Rand) bool { return draw.IntN(2) == 0 }

// TestTablesOfChance compares tables with the reference for algorithms that were
// drawn, each in a few worlds.
func TestTablesOfChance(t *testing.T) {
	machines := testsize.Of(10, 40, 200)
	compared := 0
	for luck := range uint64(machines) {
		m, draw := chance(luck), rand.New(rand.NewPCG(luck, 3))
		all := append(modeltest.Worlds(m), modeltest.FaultyWorlds(m)...)
		for range 12 {
			c := all[draw.IntN(len(all))]
			if c.N = 1 + draw.IntN(4); c.N < 3 {
				c.Ring, c.Initiators = nil, model.Initiators{}
			}
			if c.N == 4 && c.Ring != nil {
				c.Ring = []spec.ID{2, 4, 1, 3}
			}
			if c.Check(m) == nil {
				compareWorld(t, m, c, 80)
				compared++
			}
		}
	}
	if compared < 5*machines {
		t.Errorf("only %d worlds", compared)
	}
}

// TestLayoutTooNarrow: what a process sends itself, and the layout is to be
// widened for on the way, is learned in another attempt.
func TestLayoutTooNarrow(t *testing.T) {
	for luck := uint64(30); luck < 40; luck++ {
		m := chance(luck)
		c := model.Config{N: 3, Crashes: 1, Detector: model.Perfect, Timers: model.Just, Start: model.LeaderDown}
		if c.Check(m) != nil {
			continue
		}
		sys, err := compiled.New(m, c, nil)
		if err == nil {
			_, err = explore.Search(t.Context(), sys, explore.Options{MaxStates: 2000})
		}
		if err != nil {
			t.Errorf("%d: %v", luck, err)
		}
	}
}
