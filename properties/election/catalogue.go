package election

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// Catalogue is what package properties takes to know the properties of elections by name, and which
// to check when none are named.
var Catalogue = properties.Catalogue{Standard: Standard, Named: Named, Check: checkNames}

// Test is properties.Test with the Catalogue.
func Test(t *testing.T, m spec.Machine, c model.Config, props ...properties.Property) *properties.Report {
	t.Helper()
	return Catalogue.Test(t, m, c, props...)
}

// TestBounded is properties.TestBounded with the Catalogue.
func TestBounded(t *testing.T, m spec.Machine, c model.Config, props ...properties.Property) *properties.Report {
	t.Helper()
	return Catalogue.TestBounded(t, m, c, props...)
}

// Replay repeats a trace as properties.Replay does. Its property is one of those given, or one that Find
// finds.
func Replay(m spec.Machine, t *model.Trace, props ...properties.Property) (r *model.Reference, run *model.Run, reason string, err error) {
	p, err := Find(m, t.Property, append(slices.Clip(props), properties.NoPanic)...)
	if err != nil {
		return nil, nil, "", err
	}
	return properties.Replay(m, t, p)
}

// Find returns the property with a name: one of those given, or the Named one.
func Find(m spec.Machine, name string, props ...properties.Property) (properties.Property, error) {
	return Catalogue.Find(m, name, props...)
}

// Check refuses what properties.Check does, and a machine that claims or promises something that
// cannot be checked.
func Check(m spec.Machine, c model.Config, props []properties.Property) error {
	if err := checkNames(m); err != nil {
		return err
	}
	return properties.Check(m, c, props)
}

func checkNames(m spec.Machine) error {
	for _, own := range properties.Own(m) {
		if p, known := common(own.Name); known && p.Suits(m) == nil || isNoPanic(own.Name) {
			return fmt.Errorf("%s names what it is meant to have %q, as a property that comes with Interleave: rename it", m.Traits().Name, own.Name)
		}
	}
	for _, name := range m.Traits().Promises {
		p, ok := Named(m, name)
		if err := p.Suits(m); ok && err != nil {
			return fmt.Errorf("algorithm %s promises %q: %w", m.Traits().Name, name, err)
		}
		if !ok {
			return fmt.Errorf("algorithm %s promises %q, which is no property that comes with Interleave, nor a claim of its own: make it a Claim, or leave it out and name it with --property", m.Traits().Name, name)
		}
	}
	return nil
}

// All lists the properties that come with Interleave. Those of elections do not suit other algorithms.
var All = []properties.Property{LeaderIsTop, LeaderIsTopOrCrashed, WinnerIsTop, TakeoverByTop, OneLeader, LeaderTookPart, Agreement, AgreementOnTop, TopWon, properties.NoDeadlock, LeaderEventually, StableLeader, properties.Termination, properties.MessagesBounded, CanElect, Electable}

// Standard returns the properties to check when none are named, each with a note if it does not
// count towards the verdict. A promise that is no property is left out; Check refuses it.
func Standard(m spec.Machine, c model.Config) (props []properties.Property, notes map[string]string) {
	notes = map[string]string{}
	elects := m.Traits().Elects
	switch promises := m.Traits().Promises; {
	case promises != nil:
		for _, name := range promises {
			if p, ok := Named(m, name); ok {
				props = append(props, p)
			}
		}
		for _, own := range m.Traits().Properties { // they need no promise
			if !slices.ContainsFunc(props, func(p properties.Property) bool { return p.Name == own.Name }) {
				props = append(props, properties.Of(own))
			}
		}
		if elects {
			props = append(props, CanElect)
		}
		return props, notes
	case !elects:
		return properties.Standard(m), notes
	}
	props = []properties.Property{LeaderIsTop, LeaderIsTopOrCrashed, WinnerIsTop, TakeoverByTop, OneLeader, LeaderTookPart}
	if m.Traits().Unannounced {
		props = append(props, TopWon)
	} else {
		props = append(props, Agreement, AgreementOnTop, LeaderEventually)
	}
	props = append(props, properties.NoDeadlock, properties.Termination)
	props = append(append(props, properties.Own(m)...), CanElect)
	switch {
	case c.Recoveries > 0:
		for _, p := range []properties.Property{LeaderIsTop, LeaderIsTopOrCrashed, WinnerIsTop} {
			notes[p.Name] = "does not count: the return of a larger process is enough to make it false; takeover-by-top forgives that"
		}
	case c.Crashes > 0 || c.Start == model.LeaderDown:
		notes[LeaderIsTop.Name] = "does not count: a crash of the leader is enough to make it false; leader-is-top-or-crashed forgives that"
	}
	props = slices.DeleteFunc(props, func(p properties.Property) bool {
		return p.Suits(m) != nil || c.Recoveries == 0 && p.Name == TakeoverByTop.Name // which would say the same as winner-is-top
	})
	return props, notes
}

// Named returns the property with a name: one of All, one of the machine's own, a property with a
// number in its name, as from properties.AtMost, CompleteWithin and AgreementWithin, or a Formula.
func Named(m spec.Machine, name string) (properties.Property, bool) {
	for _, p := range properties.Own(m) {
		if strings.EqualFold(p.Name, name) {
			return p, true
		}
	}
	if p, err := FormulaOf(m, name); err == nil {
		return p, true
	}
	return common(name)
}

// Examples are names with a number that a machine can be asked for.
func Examples(m spec.Machine) (names []string) {
	for _, p := range []properties.Property{properties.AtMost(9), CompleteWithin(3), AgreementWithin(3)} {
		if p.Suits(m) == nil {
			names = append(names, p.Name)
		}
	}
	return names
}

// Reserved reports whether a name means the same for every machine, so that no claim, and no
// property of a program, may have it.
func Reserved(name string) bool {
	_, known := common(name)
	return known || isNoPanic(name)
}

func isNoPanic(name string) bool { return strings.EqualFold(name, properties.NoPanic.Name) }

// common returns the property with a name that does not depend on the machine.
func common(name string) (properties.Property, bool) {
	name = unaliased(name)
	for _, p := range All {
		if strings.EqualFold(p.Name, name) {
			return p, true
		}
	}
	if p, err := Formula(name); err == nil {
		return p, true
	}
	var n int
	for format, of := range numbered {
		if _, err := fmt.Sscanf(strings.ToLower(name), format, &n); err == nil && n > 0 && n <= of.most && strings.EqualFold(fmt.Sprintf(format, n), name) {
			return of.property(n), true
		}
	}
	return properties.Property{}, false
}

// numbered are the properties with a number in their name, from 1 to most.
var numbered = map[string]struct {
	property func(n int) properties.Property
	most     int
}{
	"messages-bounded(%d)": {properties.AtMost, math.MaxInt},
	"complete-within(%d)":  {CompleteWithin, properties.MaxRounds},
	"agreement-within(%d)": {AgreementWithin, properties.MaxRounds},
}
