package properties

import (
	"context"
	"slices"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// Death says how a mutant differs from its original: a property that the original has in a world,
// and the mutant has not.
type Death struct {
	Mutant   string       `json:"mutant"`
	Doc      string       `json:"doc"`
	Killed   bool         `json:"killed"`
	Survives string       `json:"survives,omitempty"` // why nothing can kill it, according to its author
	Config   model.Config `json:"config,omitzero"`    // the first world in which it dies
	Finding  *Finding     `json:"finding,omitempty"`  // what the mutant lacks there
	Tried    int          `json:"worlds_tried"`
}

// mutantStates bounds each search of a mutant or its original: a mutant is killed in a small
// world, or not at all.
const mutantStates = 500_000

// Kill looks, for each mutant, for a world on the Ladder in which the original has a property
// that the mutant lacks: one of the Standard ones, or of own. A counterexample is preferred to
// a verdict that is merely lost.
func Kill(ctx context.Context, original spec.Machine, mutants []spec.Machine, o Options, own ...Property) ([]Death, error) {
	deaths := make([]Death, len(mutants))
	for i, m := range mutants {
		_, name := spec.Original(m.Traits().Name)
		deaths[i] = Death{Mutant: name, Doc: m.Traits().Doc, Survives: m.Traits().Survives}
	}
	o.MaxStates = mutantStates
	if original.Traits().Promises != nil { // some look ahead, which takes long
		o.MaxStates = mutantStates / 20
	}
	for _, c := range Ladder(original) {
		if !slices.ContainsFunc(deaths, func(d Death) bool { return d.open() && d.Survives == "" }) {
			break
		}
		t, err := newTrial(ctx, original, c, o, own)
		if err != nil {
			return nil, err
		}
		for i := range deaths {
			if d := &deaths[i]; t.props != nil && d.open() {
				if err := d.try(ctx, mutants[i], t, o); err != nil {
					return nil, err
				}
			}
		}
	}
	return deaths, ctx.Err()
}

// open reports whether a counterexample is still to be found.
func (d Death) open() bool { return d.Finding == nil || d.Finding.Verdict != Violated }

// try looks for what a mutant lacks in one world.
func (d *Death) try(ctx context.Context, m spec.Machine, t trial, o Options) error {
	o.MaxDepth = t.depth
	r, err := Verify(ctx, m, t.config, t.props, o)
	if err != nil {
		return err
	}
	d.Tried++
	complete := r.Stats.Complete // too many states are no bug
	for _, f := range r.Findings {
		lost := f.Verdict == Inconclusive && d.Finding == nil && complete
		if f.Verdict == Violated || lost {
			d.Killed, d.Config, d.Finding = true, t.config, &f
		}
		if f.Verdict == Violated {
			return nil
		}
	}
	return nil
}

// trial is a world, and what the original guarantees there, up to a depth if that is not 0.
type trial struct {
	config model.Config
	props  []Property
	depth  int
}

func newTrial(ctx context.Context, original spec.Machine, c model.Config, o Options, own []Property) (trial, error) {
	t := trial{config: c}
	props, _ := Standard(original, c)
	for _, p := range own {
		if Check(original, c, []Property{p}) == nil { // as a formula about a process that is not there
			props = append(props, p)
		}
	}
	// Properties that look ahead take long, so they are judged once it is known how far.
	quick := slices.DeleteFunc(slices.Clone(props), func(p Property) bool { return p.calm })
	counting := append(slices.Clip(props), AtMost(1))
	o.Continue = true
	r, err := Verify(ctx, original, c, append(quick, AtMost(1)), o)
	if err != nil {
		return t, err
	}
	switch {
	case r.Stats.Outcome == explore.StateLimit.String() && r.Stats.Depth > 2: // the states of lesser depth fit
		t.depth = r.Stats.Depth - 2
		o.MaxDepth = t.depth
		r, err = Verify(ctx, original, c, props, o)
	case len(quick) < len(props):
		r, err = Verify(ctx, original, c, counting, o)
	}
	if err != nil {
		return t, err
	}
	for _, f := range r.Findings {
		switch m := f.Messages; {
		case m != nil && !m.Unbounded:
			t.props = append(t.props, AtMost(max(m.Most, 1)))
		case m == nil && (f.Verdict == Verified || f.Verdict == Bounded):
			t.props = append(t.props, f.Property)
		}
	}
	return t, nil
}

// Ladder returns worlds in which to compare a machine with its mutants, small
// and mild ones first.
func Ladder(m spec.Machine) []model.Config {
	climbs := []func(*model.Config){
		func(*model.Config) {},
		func(c *model.Config) { c.Network = model.Bag },
		func(c *model.Config) { c.Network = model.Set },
		func(c *model.Config) { c.Crashes = 1 },
		func(c *model.Config) { c.Start = model.LeaderDown },
		func(c *model.Config) { c.Initiators.Only = spec.SetOf(1) },
		func(c *model.Config) { c.Crashes, c.Split = 1, true },
		func(c *model.Config) { c.Crashes, c.Network = 1, model.Set },
		func(c *model.Config) { c.Crashes, c.Network, c.Timers = 1, model.Set, model.Mixed },
		func(c *model.Config) { c.Crashes, c.Network, c.Timers = 1, model.Set, model.Any },
		func(c *model.Config) { c.Duplicates = 1 },
		func(c *model.Config) { c.Crashes, c.Recoveries = 1, 1 },
		func(c *model.Config) { c.Crashes = 2 },
		func(c *model.Config) { c.Bound++ },
		func(c *model.Config) { c.Crashes, c.Split = 2, true },
	}
	var list []model.Config
	for n := 2; n <= 4; n++ {
		for _, climb := range climbs {
			c, err := model.Home(m, n)
			if err != nil {
				continue
			}
			if climb(&c); c.Check(m) == nil {
				list = append(list, c)
			}
		}
	}
	return append(list, otherRings(m)...)
}

// otherRings returns worlds of a ring algorithm whose IDs do not ascend.
func otherRings(m spec.Machine) []model.Config {
	if !m.Traits().Ring {
		return nil
	}
	var list []model.Config
	for n := 3; n <= 4; n++ {
		for ring := range model.Placements(n, 1) {
			if slices.IsSorted(ring) {
				continue
			}
			for crashes := range n - 1 {
				c, err := model.Home(m, n)
				if c.Ring, c.Crashes = ring, crashes; err == nil && c.Check(m) == nil {
					list = append(list, c)
				}
			}
		}
	}
	return list
}
