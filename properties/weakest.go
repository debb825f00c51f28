package properties

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// Needs says how little fairness a property needs: a minimal set of assumptions, none of which
// can be left out while the others stay. There may be other such sets.
type Needs struct {
	Property Property `json:"-"`
	Name     string   `json:"name"`
	Needed   []Need   `json:"needed"`
	Spare    []string `json:"spare"`             // kinds of step that need no fairness
	Stronger bool     `json:"stronger"`          // the fairness of the world is not enough, and more is needed
	Why      string   `json:"why,omitempty"`     // if no fairness is enough, or that is not decided
	Finding  *Finding `json:"finding,omitempty"` // then: the finding on the property
}

// Need is an assumption that cannot be left out.
type Need struct {
	Kind    string           `json:"kind"`
	Owed    explore.Strength `json:"owed"`
	Without Finding          `json:"without"` // the finding on the property if less is owed
}

// Decided reports whether the property is known to fail if less is owed. If not,
// the assumption may not be needed.
func (n Need) Decided() bool { return n.Without.Verdict == Violated }

// ExplainFairness leaves out one assumption of fairness after the other, as long as the property
// still holds. If the property is violated with those of the world, it begins with strong
// fairness for everything to which any fairness is owed there. Each assumption takes a whole
// check.
func ExplainFairness(ctx context.Context, m spec.Machine, c model.Config, p Property, o Options) (Needs, error) {
	n := Needs{Property: p, Name: p.Name, Needed: []Need{}, Spare: []string{}}
	if p.Kind != LivenessKind {
		return n, fmt.Errorf("%s says nothing of whole runs, so fairness means nothing to it", p.Name)
	}
	o.Keep, o.Reduce = false, false
	judge := func(f model.Fairness) (Finding, error) {
		c.Fairness = f
		r, err := Verify(ctx, m, c, []Property{p}, o)
		if err != nil {
			return Finding{}, err
		}
		return r.Findings[len(r.Findings)-1], nil // NoPanic, if a handler panics
	}
	kinds := model.FairKinds(m, c)
	var least model.Fairness // the same, kind by kind
	for _, kind := range kinds {
		least = least.With(kind, c.Fairness.Of(kind))
	}
	f, err := judge(least)
	if err == nil && f.Verdict == Violated && f.Name != NoPanic.Name {
		n.Stronger, least = true, strongest(kinds, least)
		f, err = judge(least)
	}
	switch {
	case err != nil:
		return n, err
	case f.Name == NoPanic.Name:
		n.Why, n.Finding = "whatever the fairness, "+f.Why, &f
		return n, nil
	case f.Verdict == Violated:
		n.Why, n.Finding = "it is VIOLATED even with strong fairness of every step that is fair at all: "+f.Why, &f
		return n, nil
	case f.Verdict != Verified:
		n.Why, n.Finding = fmt.Sprintf("it is %v: %s", f.Verdict, f.Why), &f
		return n, nil
	}
	for _, kind := range kinds {
		if least.Of(kind) == explore.Unfair {
			continue
		}
		needed, fairness, err := lessen(kind, least, judge)
		if err != nil {
			return n, err
		}
		if least = fairness; needed == nil {
			n.Spare = append(n.Spare, kind)
		} else {
			n.Needed = append(n.Needed, *needed)
		}
	}
	return n, nil
}

// strongest owes strong fairness to all kinds of step to which any fairness is owed.
func strongest(kinds []string, f model.Fairness) model.Fairness {
	for _, kind := range kinds {
		if f.Of(kind) != explore.Unfair {
			f = f.With(kind, explore.Strong)
		}
	}
	return f
}

// lessen owes less fairness to a kind of step, as long as a property still holds.
func lessen(kind string, all model.Fairness, judge func(model.Fairness) (Finding, error)) (*Need, model.Fairness, error) {
	without := all.With(kind, explore.Unfair)
	f, err := judge(without)
	if err != nil || f.Verdict == Verified {
		return nil, without, err
	}
	need := &Need{Kind: kind, Owed: explore.Weak, Without: f}
	if all.Of(kind) != explore.Strong {
		return need, all, nil
	}
	weaker := all.With(kind, explore.Weak)
	if f, err = judge(weaker); err != nil || f.Verdict == Verified {
		return need, weaker, err
	}
	return &Need{Kind: kind, Owed: explore.Strong, Without: f}, all, nil
}

// Lattice has the findings on properties under each failure detector, the weakest first.
type Lattice struct {
	Detectors  []model.Detector `json:"detectors"`
	Properties []Rung           `json:"properties"`
}

// Rung is one property of a Lattice.
type Rung struct {
	Property Property  `json:"-"`
	Name     string    `json:"name"`
	Findings []Finding `json:"findings"` // by detector
	// Weakest is the index of the weakest detector with which the property is known to hold, and
	// with every stronger one; -1 if it is not known to hold with the strongest.
	Weakest int `json:"weakest"`
	// Decided says that the property is known to fail one detector below.
	Decided bool `json:"decided"`
}

// Detectors are all detectors, the weakest first: whatever one reports, the next one could have
// reported as well.
var Detectors = []model.Detector{model.NoDetector, model.Eventual, model.Perfect, model.Flushed}

// ErrNoDetector says that an algorithm does not listen to failure detectors.
var ErrNoDetector = errors.New("it has no Suspect handler, so that all detectors are the same to it")

// DetectorLattice judges properties under each detector that the world can have, and NoPanic if
// that is false under one of them. If the world allows no false reports, the eventual detector
// makes one. Fairness that is owed to reports is owed under each detector that makes them.
func DetectorLattice(ctx context.Context, m spec.Machine, c model.Config, props []Property, o Options) (*Lattice, error) {
	if !m.Traits().Handles.Has(spec.Suspect) {
		return nil, ErrNoDetector
	}
	if props == nil {
		props, _ = o.Catalogue.standard(m, c)
	}
	l := &Lattice{}
	for _, p := range append(slices.Clone(props), NoPanic) {
		l.Properties = append(l.Properties, Rung{Property: p, Name: p.Name})
	}
	worlds, err := underDetectors(m, c)
	if err != nil {
		return nil, err
	}
	o.Keep, o.Continue = false, true
	for _, world := range worlds {
		r, err := Verify(ctx, m, world, props, o)
		if err != nil {
			return nil, err
		}
		l.Detectors = append(l.Detectors, world.Detector)
		for i, f := range append(r.Findings, noPanic(r))[:len(l.Properties)] {
			l.Properties[i].Findings = append(l.Properties[i].Findings, f)
		}
	}
	for i := range l.Properties {
		l.Properties[i].climb()
	}
	if last := len(l.Properties) - 1; !l.Panics() {
		l.Properties = l.Properties[:last]
	}
	return l, nil
}

// Panics reports whether a handler panics under some detector.
func (l *Lattice) Panics() bool {
	last := l.Properties[len(l.Properties)-1]
	return last.Name == NoPanic.Name && slices.ContainsFunc(last.Findings, func(f Finding) bool { return f.Verdict == Violated })
}

// noPanic is the finding on NoPanic of a check that did not find it false.
func noPanic(r *Report) Finding {
	f := Finding{Property: NoPanic, Name: NoPanic.Name, Doc: NoPanic.Doc, Kind: NoPanic.Kind, Verdict: Verified}
	switch {
	case !r.Stats.Complete:
		f.Verdict, f.Why = Inconclusive, "not all was seen"
	case r.Config.Bound > 0:
		f.Verdict, f.Why = Bounded, "the world bounds what the processes remember"
	}
	return f
}

// underDetectors returns the world under each detector that it can have. If it can have none, the
// error is that of the last.
func underDetectors(m spec.Machine, c model.Config) (worlds []model.Config, err error) {
	var under []model.Config
	var known []string // kinds to which fairness is owed under some detector
	for _, d := range Detectors {
		world := c
		world.Detector, world.Suspicions = d, 0
		if d == model.Eventual {
			world.Suspicions = max(1, c.Suspicions)
		}
		under = append(under, world)
		known = append(known, model.FairNames(m, world)...)
	}
	for _, world := range under {
		here := model.FairNames(m, world)
		idle := func(name string) bool { return slices.Contains(known, name) && !slices.Contains(here, name) }
		world.Fairness.Strong = slices.DeleteFunc(slices.Clone(c.Fairness.Strong), idle)
		world.Fairness.Unfair = slices.DeleteFunc(slices.Clone(c.Fairness.Unfair), idle)
		if refused := world.Check(m); refused != nil {
			err = refused
			continue
		}
		worlds = append(worlds, world)
	}
	if worlds != nil {
		err = nil
	}
	return worlds, err
}

// climb finds the weakest detector.
func (r *Rung) climb() {
	fails := func(f Finding) bool { return f.Verdict != Verified && f.Verdict != Bounded }
	for i, f := range slices.Backward(r.Findings) {
		if fails(f) {
			r.Weakest = i + 1
			break
		}
	}
	if r.Weakest == len(r.Findings) {
		r.Weakest = -1
	}
	below := r.Below()
	r.Decided = below < 0 || r.Findings[below].Verdict == Violated
}

// Below returns the index of the detector one below the weakest with which the property holds, or
// otherwise of the strongest; -1 if there is none below.
func (r *Rung) Below() int {
	if r.Weakest < 0 {
		return len(r.Findings) - 1
	}
	return r.Weakest - 1
}
