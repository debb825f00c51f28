package drive

import (
	"flag"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"interleave/internal/testsize"
	"interleave/model"
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
	luck                 uint64
	oracle, ring, rounds bool
}

const mostSpent = 2 // steps of one process that send

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
		p.Output(s.Mood)
	}
	if timer := spec.Timer(draw.IntN(2)); !d.rounds && draw.IntN(3) == 0 {
		p.SetTimer(timer)
	} else if !d.rounds {
		p.StopTimer(timer)
	}
	if s.Spent == mostSpent || draw.IntN(2) == 0 {
		return
	}
	s.Spent++
	for range 1 + draw.IntN(2) {
		if m := uint8(draw.IntN(2)); d.ring && draw.IntN(2) == 0 {
			p.SendNext(m)
		} else {
			p.Send(spec.ID(1+draw.IntN(p.All().Len())), m)
		}
	}
}

// chance draws an algorithm. It refuses, sends to itself, and several times to one process.
func chance(luck uint64) spec.Machine {
	traits := rand.New(rand.NewPCG(luck, 1))
	d := drawn{luck: luck}
	d.oracle = traits.IntN(4) == 0
	d.ring = traits.IntN(2) == 0
	d.rounds = traits.IntN(4) == 0
	a := &spec.Algorithm[chanceState, uint8]{
		Name: "x/chance", Ring: d.ring, Oracle: d.oracle,
		Election: &spec.Election[chanceState, uint8]{Leader: func(s chanceState) spec.ID { return s.Lead }},
	}
	if d.rounds {
		d.handleRounds(a, traits)
	} else {
		d.handleEvents(a, traits)
	}
	return a
}

// handleRounds draws handlers for lock-step rounds.
func (d drawn) handleRounds(a *spec.Algorithm[chanceState, uint8], traits *rand.Rand) {
	has := func() bool { return traits.IntN(3) > 0 }
	a.Round = func(s *chanceState, p *spec.Proc[uint8], in []spec.Received[uint8]) {
		code := []int{8}
		for _, r := range in {
			code = append(code, int(r.From), int(r.Message))
		}
		d.act(s, p, code...)
	}
	if has() {
		a.Halted = func(s chanceState) bool { return s.Mood == 2 }
	}
	if has() {
		a.Suspect = func(s *chanceState, p *spec.Proc[uint8], q spec.ID) { s.Lead = q }
	}
}

// handleEvents draws handlers for single events.
func (d drawn) handleEvents(a *spec.Algorithm[chanceState, uint8], traits *rand.Rand) {
	has := func() bool { return traits.IntN(3) > 0 }
	a.Init = func(_ *chanceState, p *spec.Proc[uint8]) {
		if p.ID == 1 {
			p.SetTimer(0)
		}
	}
	a.Receive = func(s *chanceState, p *spec.Proc[uint8], from spec.ID, m uint8) { d.act(s, p, 1, int(from), int(m)) }
	a.Timeout = func(s *chanceState, p *spec.Proc[uint8], t spec.Timer) { d.act(s, p, 2, int(t)) }
	if has() {
		a.Suspect = func(s *chanceState, p *spec.Proc[uint8], q spec.ID) { d.act(s, p, 3, int(q)) }
		if has() {
			a.Restore = func(s *chanceState, p *spec.Proc[uint8], q spec.ID) { d.act(s, p, 4, int(q)) }
		}
	}
	if has() {
		a.Start = func(s *chanceState, p *spec.Proc[uint8]) { d.act(s, p, 5) }
	}
	if has() {
		a.Election.Notice = func(s *chanceState, p *spec.Proc[uint8]) { d.act(s, p, 6) }
	}
	if traits.IntN(3) == 0 {
		a.Recover = func(s *chanceState, p *spec.Proc[uint8]) { d.act(s, p, 7) }
	}
	if has() {
		a.Stable = func(s chanceState) chanceState { return chanceState{Spent: s.Spent} }
	}
	for timer := range 2 {
		a.Rules = append(a.Rules, spec.TimerRule[chanceState, uint8]{Name: string(rune('A' + timer))})
	}
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
// nodes agree, unless none of them runs, and those of which something is wrong do not.
func FuzzChance(f *testing.F) {
	lucks := []uint64{0, 12, 30, 43, 67, 75, 118, 171, 238}
	for _, luck := range lucks[:testsize.Of(3, 3, len(lucks))] {
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
			if err != nil || r.Disagreement != nil || (r.Verdict == Agrees) != (r.Runs > 0 && !r.Bounded) {
				t.Fatalf("%v %v in %+v", err, r, c)
			}
			if c.Split || c.Crashes > 0 && c.Network == model.Rounds {
				continue // of what a process does when it crashes not all counts
			}
			wrong := &deviant{Machine: m}
			r, err = Cover(t.Context(), m, c, Options{MaxStates: 500, Real: wrong})
			if err != nil || wrong.was.Load() && r.Disagreement == nil {
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
