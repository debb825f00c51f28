package drive

import (
	"flag"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"interleave/model"
	"interleave/spec"
)

// chanceState is what a process of an algorithm that was drawn remembers.
type chanceState struct {
	Lead  spec.ID
	Mood  uint8
	Spent uint8 // steps that sent something
}

// chance draws an algorithm: what its handlers do is a matter of luck, but always
// the same. It refuses, sends to itself, and several times to one process.
func chance(luck uint64) spec.Machine {
	const most = 2 // steps of one process that send
	traits := rand.New(rand.NewPCG(luck, 1))
	has := func() bool { return traits.IntN(3) > 0 }
	oracle := traits.IntN(4) == 0
	ring := traits.IntN(2) == 0
	rounds := traits.IntN(4) == 0
	act := func(s *chanceState, p *spec.Proc[uint8], event ...int) {
		draw := rand.New(rand.NewPCG(luck, 2))
		for _, v := range append(event, int(p.ID), int(s.Lead), int(s.Mood), int(s.Spent)) {
			draw = rand.New(rand.NewPCG(draw.Uint64(), uint64(v)))
		}
		if oracle {
			draw = rand.New(rand.NewPCG(draw.Uint64(), uint64(p.Live())))
		}
		switch draw.IntN(8) {
		case 0, 1:
			if event[0] < 5 || event[0] == 6 { // neither Start nor Recover may
				p.Refuse()
			}
			return
		case 2, 3:
			s.Lead = spec.ID(draw.IntN(p.All().Len() + 1))
		}
		s.Mood = uint8(draw.IntN(3))
		if draw.IntN(4) == 0 {
			p.Tell(s.Mood)
		}
		if timer := spec.Timer(draw.IntN(2)); !rounds && draw.IntN(3) == 0 {
			p.SetTimer(timer)
		} else if !rounds {
			p.StopTimer(timer)
		}
		if s.Spent == most || draw.IntN(2) == 0 {
			return
		}
		s.Spent++
		for range 1 + draw.IntN(2) {
			if m := uint8(draw.IntN(2)); ring && draw.IntN(2) == 0 {
				p.SendNext(m)
			} else {
				p.Send(spec.ID(1+draw.IntN(p.All().Len())), m)
			}
		}
	}
	a := &spec.Algorithm[chanceState, uint8]{
		Name: "x/chance", Ring: ring, Oracle: oracle,
		Leader: func(s chanceState) spec.ID { return s.Lead },
	}
	if rounds {
		a.Round = func(s *chanceState, p *spec.Proc[uint8], in []spec.Received[uint8]) {
			code := []int{8}
			for _, r := range in {
				code = append(code, int(r.From), int(r.Message))
			}
			act(s, p, code...)
		}
		if has() {
			a.Halted = func(s chanceState) bool { return s.Mood == 2 }
		}
		if has() {
			a.Suspect = func(s *chanceState, p *spec.Proc[uint8], q spec.ID) { s.Lead = q }
		}
		return a
	}
	a.Init = func(_ *chanceState, p *spec.Proc[uint8]) {
		if p.ID == 1 {
			p.SetTimer(0)
		}
	}
	a.Receive = func(s *chanceState, p *spec.Proc[uint8], from spec.ID, m uint8) { act(s, p, 1, int(from), int(m)) }
	a.Timeout = func(s *chanceState, p *spec.Proc[uint8], t spec.Timer) { act(s, p, 2, int(t)) }
	if has() {
		a.Suspect = func(s *chanceState, p *spec.Proc[uint8], q spec.ID) { act(s, p, 3, int(q)) }
		if has() {
			a.Restore = func(s *chanceState, p *spec.Proc[uint8], q spec.ID) { act(s, p, 4, int(q)) }
		}
	}
	if has() {
		a.Start = func(s *chanceState, p *spec.Proc[uint8]) { act(s, p, 5) }
	}
	if has() {
		a.Notice = func(s *chanceState, p *spec.Proc[uint8]) { act(s, p, 6) }
	}
	if traits.IntN(3) == 0 {
		a.Recover = func(s *chanceState, p *spec.Proc[uint8]) { act(s, p, 7) }
	}
	if has() {
		a.Stable = func(s chanceState) chanceState { return chanceState{Spent: s.Spent} }
	}
	for timer := range 2 {
		a.Rules = append(a.Rules, spec.TimerRule[chanceState, uint8]{Name: string(rune('A' + timer))})
	}
	return a
}

// chanceWorld draws a world that real processes may be driven in.
func chanceWorld(m spec.Machine, draw *rand.Rand) model.Config {
	t := m.Traits()
	c := model.Config{N: 2 + draw.IntN(2)}
	maybe := func(n int) int {
		if draw.IntN(n) == 0 {
			return 1
		}
		return 0
	}
	c.Crashes = maybe(2)
	if t.Handles.Has(spec.Round) {
		c.Network = model.Rounds
		if t.Handles.Has(spec.Suspect) {
			c.Detector = model.Perfect
		}
		return c
	}
	c.Timers = model.Any
	c.Network = []model.Network{model.FIFO, model.FIFO, model.Bag, model.Set}[draw.IntN(4)]
	if c.Crashes > 0 && draw.IntN(2) == 0 {
		c.Recoveries = 1
	}
	if c.Crashes > 0 {
		c.Split = maybe(3) == 1
	}
	c.Losses, c.Partitions = maybe(5), maybe(5)
	if t.Handles.Has(spec.Suspect) {
		c.Detector = model.Perfect
		if t.Handles.Has(spec.Restore) || draw.IntN(3) == 0 {
			c.Detector, c.Suspicions = model.Eventual, maybe(2)
		}
	}
	return c
}

// FuzzChance drives algorithms that were drawn, each in three worlds that were: honest
// nodes agree, and those of which something is wrong do not.
func FuzzChance(f *testing.F) {
	for _, luck := range []uint64{0, 12, 30, 43, 67, 118, 171, 238} {
		f.Add(luck)
	}
	if flag.Lookup("test.fuzz").Value.String() != "" { // which takes what lasts ten seconds for hung
		defer func(usual int) { patience = usual }(patience)
		patience = 60
	}
	f.Fuzz(func(t *testing.T, luck uint64) {
		m, draw := chance(luck), rand.New(rand.NewPCG(luck, 3))
		for range 3 {
			c := chanceWorld(m, draw)
			if c.Check(m) != nil {
				continue
			}
			r, err := Cover(t.Context(), m, c, Options{MaxStates: 500})
			if err != nil || r.Verdict != Agrees {
				t.Fatalf("%v %v in %+v", err, r, c)
			}
			if c.Split || c.Crashes > 0 && c.Network == model.Rounds {
				continue // of what a process does when it crashes not all counts
			}
			wrong := &deviant{Machine: m}
			r, err = Cover(t.Context(), m, c, Options{MaxStates: 500, Real: wrong})
			if err != nil || wrong.was.Load() && r.Verdict == Agrees {
				t.Fatalf("%v: nobody sees what is wrong in %+v", err, c)
			}
		}
	})
}

// deviant is a machine that once in a while is in another mood.
type deviant struct {
	spec.Machine
	was atomic.Bool
}

func (d *deviant) Step(self spec.ID, ring []spec.ID, s any, e spec.Event) (any, spec.Effects) {
	after, fx := d.Machine.Step(self, ring, s, e)
	if state := after.(chanceState); state.Spent == 1 && !fx.Refused && after != s && e.Kind != spec.Suspect {
		state.Mood = 3
		d.was.Store(true)
		return state, fx
	}
	return after, fx
}
