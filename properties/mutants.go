package properties

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// MutantResult says how a mutant differs from its original: a property that the original has in a world,
// and the mutant has not.
type MutantResult struct {
	Mutant     string       `json:"mutant"`
	Doc        string       `json:"doc"`
	Killed     bool         `json:"killed"`
	Survives   string       `json:"survives,omitempty"` // why nothing can kill it, according to its author, who is believed
	Config     model.Config `json:"config,omitzero"`    // the first world in which it dies
	Finding    *Finding     `json:"finding,omitempty"`  // what the mutant lacks there
	Tried      int          `json:"worlds_tried"`
	Unfinished []Unfinished `json:"unfinished,omitempty"` // unless it is killed: the worlds in which it may yet differ
}

// Unfinished is a world in which a mutant was not told from its original, and a search ended at a
// limit, or the original panics.
type Unfinished struct {
	Config model.Config `json:"config"`
	Limit  string       `json:"limit"`
}

// Undecided reports whether the mutant is not killed, and not every search of it came to its end. A
// mutant that is neither killed nor undecided survives: nothing tells it from its original in any
// world that was tried.
func (d MutantResult) Undecided() bool { return !d.Killed && (d.Tried == 0 || len(d.Unfinished) > 0) }

// mutantStates bounds each search of a mutant or its original: most are killed in a small
// world. In the world that an algorithm is made for, they are given homeTimes as many states if
// nothing else decides.
var mutantStates = 500_000

const homeTimes = 10

// KillMutants looks, for each mutant, for a world on the Ladder in which the original has a property
// that the mutant lacks: one of the Standard ones, or of own. A counterexample is preferred to
// a verdict that is merely lost.
//
// Each search ends at Options.MaxStates; 0: at limits that suit the algorithm. If ctx ends, the
// mutants that are not killed by then are undecided.
func KillMutants(ctx context.Context, original spec.Machine, mutants []spec.Machine, o Options, own ...Property) ([]MutantResult, error) {
	results := make([]MutantResult, len(mutants))
	for i, m := range mutants {
		_, name := spec.Original(m.Traits().Name)
		results[i] = MutantResult{Mutant: name, Doc: m.Traits().Doc, Survives: m.Traits().Survives}
	}
	k := &mutantSearch{original, mutants, own, results}
	patient := o.MaxStates == 0
	if patient {
		o.MaxStates = mutantStates
		if original.Traits().Promises != nil { // some look ahead, which takes long
			o.MaxStates = mutantStates / 20
		}
	}
	for _, c := range Ladder(original) {
		if !k.wanting() {
			break
		}
		if ctx.Err() != nil {
			k.leave(Unfinished{c, explore.EndOf(ctx).String()})
			break
		}
		if _, err := k.tryAll(ctx, c, o); err != nil {
			return nil, err
		}
	}
	if patient {
		if err := k.tryHomes(ctx, o); err != nil {
			return nil, err
		}
	}
	for i := range results {
		if results[i].Killed {
			results[i].Unfinished = nil
		}
	}
	return results, nil
}

// mutantSearch is one call of KillMutants.
type mutantSearch struct {
	original spec.Machine
	mutants  []spec.Machine
	own      []Property
	results  []MutantResult
}

// wanting reports whether a death is still wanted.
func (k *mutantSearch) wanting() bool {
	return slices.ContainsFunc(k.results, func(d MutantResult) bool { return d.open() && d.Survives == "" })
}

// leave leaves a world unfinished for all open mutants.
func (k *mutantSearch) leave(u Unfinished) {
	for i := range k.results {
		if d := &k.results[i]; d.open() {
			d.Unfinished = append(d.Unfinished, u)
		}
	}
}

// tryAll looks for what the open mutants lack in one world. It returns what limited the search of the original.
func (k *mutantSearch) tryAll(ctx context.Context, c model.Config, o Options) (limit string, err error) {
	t, err := newTrial(ctx, k.original, c, o, k.own)
	if err != nil {
		return "", err
	}
	for i := range k.results {
		d := &k.results[i]
		if !d.open() || t.props == nil && t.limit == "" {
			continue
		}
		d.Tried++
		if t.props != nil {
			if err := d.try(ctx, k.mutants[i], t, o); err != nil {
				return "", err
			}
		} else {
			d.Unfinished = append(d.Unfinished, Unfinished{c, t.limit})
		}
	}
	return t.limit, nil
}

// tryHomes tries once more, with more states, the worlds that the algorithm is made for and that
// were too large; a larger one only if the last was not too large now. What decides a mutant is
// most often a counterexample there.
func (k *mutantSearch) tryHomes(ctx context.Context, o Options) error {
	few := stateLimit(o)
	o.MaxStates *= homeTimes
	for n := 2; n <= 4 && k.wanting() && ctx.Err() == nil; n++ {
		c, err := model.Home(k.original, n)
		if err != nil || !k.forget(c, few) {
			continue
		}
		if limit, err := k.tryAll(ctx, c, o); err != nil || limit == stateLimit(o) {
			return err
		}
	}
	return nil
}

// forget forgets that a world was not finished, for this limit, and reports whether there was one.
func (k *mutantSearch) forget(c model.Config, limit string) (found bool) {
	for i := range k.results {
		d := &k.results[i]
		at := slices.IndexFunc(d.Unfinished, func(u Unfinished) bool { return u.Limit == limit && reflect.DeepEqual(u.Config, c) })
		if at < 0 || !d.open() {
			continue
		}
		d.Tried--
		found, d.Unfinished = true, slices.Delete(d.Unfinished, at, at+1)
	}
	return found
}

// open reports whether a counterexample is still to be found.
func (d MutantResult) open() bool { return d.Finding == nil || d.Finding.Verdict != Violated }

// try looks for what a mutant lacks in one world.
func (d *MutantResult) try(ctx context.Context, m spec.Machine, t trial, o Options) error {
	o.MaxDepth = t.depth
	r, err := Verify(ctx, m, t.config, t.props, o)
	if err != nil {
		return err
	}
	limit := limitOf(ctx, r, o)
	for _, f := range r.Findings {
		lost := f.Verdict == Inconclusive && d.Finding == nil && limit == "" // too many states are no bug
		if f.Verdict == Violated || lost {
			d.Killed, d.Config, d.Finding = true, t.config, &f
		}
		if f.Verdict == Violated {
			return nil
		}
	}
	if limit = cmp.Or(t.limit, limit); limit != "" {
		d.Unfinished = append(d.Unfinished, Unfinished{t.config, limit})
	}
	return nil
}

// limitOf returns the limit at which a search ended, or "" if nothing is left to look at.
func limitOf(ctx context.Context, r *Report, o Options) string {
	switch {
	case ctx.Err() != nil:
		return explore.EndOf(ctx).String()
	case r.Stats.Outcome == explore.StateLimit.String():
		return stateLimit(o)
	case !r.Stats.Complete:
		return r.Stats.Outcome
	case slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Verdict == Bounded || f.cutShort }):
		return fmt.Sprintf("bound %d", r.Config.Bound)
	}
	return ""
}

func stateLimit(o Options) string { return fmt.Sprintf("limit of %d states", o.MaxStates) }

// trial is a world, and what the original guarantees there, up to a depth if that is not 0.
type trial struct {
	config model.Config
	props  []Property
	depth  int
	limit  string // at which the search of the original ended
}

func newTrial(ctx context.Context, original spec.Machine, c model.Config, o Options, own []Property) (trial, error) {
	t := trial{config: c}
	standard, _ := o.Catalogue.standard(original, c)
	var props []Property
	for _, p := range slices.Concat(standard, own) {
		if Check(original, c, []Property{p}) == nil { // as a formula about a process that is not there
			props = append(props, p)
		}
	}
	// Properties that look ahead take long, so they are judged once it is known how far.
	quick := slices.DeleteFunc(slices.Clone(props), func(p Property) bool { return p.stabilized != nil })
	counting := append(slices.Clip(props), AtMost(1))
	o.Continue = true
	r, err := Verify(ctx, original, c, append(quick, AtMost(1)), o)
	if err != nil {
		return t, err
	}
	t.limit = limitOf(ctx, r, o)
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
	if t.limit = cmp.Or(t.limit, limitOf(ctx, r, o)); r.panics() {
		t.limit = "the original panics there"
		return t, nil
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
	if m.Traits().Code != nil { // which may persist too late
		climbs = append(climbs, func(c *model.Config) { c.Crashes, c.Recoveries, c.Split = 1, 1, true })
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
