// Package modeltest has small worlds, and an algorithm that uses every word of package spec, for tests that compare the
// forms of a world.
package modeltest

import (
	"strings"

	"interleave/model"
	"interleave/spec"
)

// Worlds returns small worlds that between them use every value of every axis
// that means something to m.
func Worlds(m spec.Machine) []model.Config {
	traits := m.Traits()
	list := []model.Config{{N: 3}}
	vary := func(changes ...func(*model.Config)) {
		var more []model.Config
		for _, c := range list {
			for _, change := range changes {
				d := c
				change(&d)
				more = append(more, d)
			}
		}
		list = more
	}
	vary(func(c *model.Config) {}, func(c *model.Config) { c.Network = model.Bag }, func(c *model.Config) { c.Network = model.Set })
	vary(func(c *model.Config) {}, func(c *model.Config) { c.Crashes = 1 }, func(c *model.Config) { c.Crashes, c.Split = 1, true })
	vary(func(c *model.Config) {}, func(c *model.Config) { c.Initiators.Any = true }, func(c *model.Config) { c.Initiators.Only = spec.SetOf(1, 2) })
	if traits.Ring {
		vary(func(c *model.Config) {}, func(c *model.Config) { c.Ring = []spec.ID{3, 2, 1} })
	}
	if traits.Follow != nil {
		vary(func(c *model.Config) {}, func(c *model.Config) { c.Start = model.LeaderDown })
	}
	if traits.Handles.Has(spec.Suspect) {
		vary(func(c *model.Config) { c.Detector = model.Perfect }, func(c *model.Config) { c.Detector = model.Flushed })
	}
	if len(traits.Rules) > 0 {
		vary(func(c *model.Config) {}, func(c *model.Config) { c.Timers = model.Mixed },
			func(c *model.Config) { c.Timers = model.Just }, func(c *model.Config) { c.Timers = model.Any })
	}
	return list
}

// FaultyWorlds returns small worlds with everything that can go wrong, alone
// and in pairs. Some mean nothing to m.
func FaultyWorlds(m spec.Machine) []model.Config {
	var list []model.Config
	mishaps := []func(*model.Config){
		func(c *model.Config) { c.Losses = 1 },
		func(c *model.Config) { c.Duplicates = 1 },
		func(c *model.Config) { c.Partitions = 1 },
		func(c *model.Config) { c.Crashes, c.Recoveries = 1, 1 },
		func(c *model.Config) { c.Crashes, c.Split, c.Recoveries = 2, true, 1 },
		func(c *model.Config) { c.Start, c.Recoveries = model.LeaderDown, 1 },
		func(c *model.Config) { c.Detector, c.Suspicions, c.Crashes = model.Eventual, 1, 1 },
	}
	for _, network := range []model.Network{model.FIFO, model.Bag, model.Set} {
		for _, timers := range []model.Timing{model.Flush, model.Just, model.Any} {
			for i := range mishaps {
				for k := range mishaps[:i+1] {
					c := model.Config{N: 3, Network: network, Timers: timers}
					mishaps[k](&c)
					mishaps[i](&c)
					if m.Traits().Measure != nil {
						c.Bound = 2
					}
					list = append(list, c)
				}
			}
		}
	}
	return list
}

// RuledWorlds are worlds of two or three processes in which every condition is asked of somebody.
func RuledWorlds(m spec.Machine) (list []model.Config) {
	faults := []func(*model.Config){
		func(c *model.Config) { c.Crashes = 1 },
		func(c *model.Config) { c.Crashes, c.Recoveries, c.Losses = 1, 1, 1 },
		func(c *model.Config) { c.Partitions, c.Duplicates = 1, 1 },
		func(c *model.Config) { c.Start = model.LeaderDown },
	}
	for _, network := range []model.Network{model.FIFO, model.Bag, model.Set} {
		for _, timers := range []model.Timing{model.Flush, model.Just, model.Mixed, model.Timed} {
			for _, detector := range []model.Detector{model.NoDetector, model.Perfect, model.Flushed, model.Eventual} {
				for _, add := range faults {
					c := model.Config{N: 2, Network: network, Timers: timers, Detector: detector}
					if add(&c); detector == model.Eventual {
						c.Suspicions = 1
					}
					if timers == model.Timed {
						c.Delta, c.Durations = 1, lasting(m)
					}
					if m.Traits().Measure != nil {
						c.Bound = 1
					}
					if c.Check(m) == nil {
						list = append(list, c)
					}
					if c.N = 3; network == model.Set && timers == model.Flush && c.Check(m) == nil {
						list = append(list, c)
					}
				}
			}
		}
	}
	return list
}

// lasting has all timers last two ticks.
func lasting(m spec.Machine) model.Durations {
	var list []string
	if m.Traits().Notices() {
		list = append(list, "notice=2")
	}
	for _, rule := range m.Traits().Rules {
		list = append(list, rule.Name+"=2")
	}
	return model.Durations(strings.Join(list, ","))
}

// SomeStates returns the first states that are found.
func SomeStates(r *model.Reference, most int) []model.State {
	states, known := r.Initial(), map[string]bool{}
	for i := 0; i < len(states) && len(states) < most; i++ {
		if key := states[i].Key(); known[key] {
			continue
		} else {
			known[key] = true
		}
		for step := range r.EachStep(states[i]) {
			if step.Panic == "" {
				states = append(states, step.After)
			}
		}
	}
	return states
}

// Asked is a condition that a rule of a process asks, or of none.
type Asked struct {
	Process   spec.ID
	Condition model.Condition
}

// AskedIn returns all conditions of the rules of what may happen in a state.
func AskedIn(r *model.Reference, s model.State) (all []Asked) {
	add := func(p spec.ID, rules []model.Rule) {
		for _, rule := range rules {
			for _, c := range rule.Asks {
				all = append(all, Asked{p, c})
			}
		}
	}
	add(spec.None, r.Rules().Network())
	add(spec.None, r.Rules().Clock())
	for p := range spec.UpTo(r.Config().N).All() {
		add(p, r.Rules().Of(p, s.Local(p)))
		add(p, r.Rules().Messages(p))
	}
	return all
}
