package certificate

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/catalog"
)

// known is a small world, what there is to know of it, and its states.
type known struct {
	report *properties.Report
	states []model.State
}

// smallWorlds explores worlds of a machine, and judges all that is quickly judged there.
func smallWorlds(t *testing.T, m spec.Machine) (worlds []known) {
	t.Helper()
	for _, change := range []func(c *model.Config){
		func(*model.Config) {},
		func(c *model.Config) { c.Crashes = 1 },
		func(c *model.Config) { c.Crashes, c.Split = 1, true },
		func(c *model.Config) { c.Start = model.LeaderDown },
		func(c *model.Config) { c.Initiators.Any = true },
		func(c *model.Config) { c.Initiators.Only = spec.SetOf(1) },
		func(c *model.Config) { c.Losses, c.Timers = 1, model.Any },
		func(c *model.Config) { c.Duplicates, c.Timers = 1, model.Any },
		func(c *model.Config) { c.Network = model.Set },
		func(c *model.Config) { c.Detector = model.Perfect },
		func(c *model.Config) { c.Bound = 1 },
		func(c *model.Config) { c.Crashes, c.Recoveries, c.Bound = 1, 1, 1 },
		func(c *model.Config) { c.Fairness.Unfair = []string{"all"} },
		func(c *model.Config) { c.Fairness.Strong = []string{"all"} },
	} {
		c, _ := model.Home(m, 2)
		if change(&c); c.Check(m) != nil {
			continue
		}
		props := append(slices.Clone(election.All), properties.Own(m)...)
		for _, name := range []string{"<>rest", "<>[]knows(1)", "true U rest", "[]up(1)", "[]!leads(1)", "knows(1) ~> rest", "<>knows(1) | <>!up(1)", "knows(1) R rest", "!knows(1) W rest"} {
			p, _ := election.Named(m, name)
			props = append(props, p)
		}
		r, err := properties.Verify(t.Context(), m, c, props, properties.Options{Keep: true, Continue: true, MaxStates: 300})
		if err == nil && r.Stats.Complete {
			worlds = append(worlds, known{r, slices.Collect(r.States())})
		}
	}
	return worlds
}

// TestForgeries makes certificates of what is known of different worlds, with a right checksum:
// the states, or most of them, of one or of both, and any properties. Whatever is confirmed holds
// in the world that the certificate names.
func TestForgeries(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	confirmed, refuted := 0, 0
	for _, m := range catalog.Machines {
		worlds := smallWorlds(t, m)
		if len(worlds) == 0 {
			continue
		}
		for range testsize.Of(10, 10, 30) {
			named, other := worlds[r.IntN(len(worlds))], worlds[r.IntN(len(worlds))]
			h := Of(named.report)
			h.Runs = append(h.Runs, Of(other.report).Runs...)
			h.Properties = nil
			for _, f := range named.report.Findings {
				if f.Name != properties.NoPanic.Name && r.IntN(12) == 0 {
					h.Properties = append(h.Properties, f.Name)
				}
			}
			var states []model.State
			switch r.IntN(4) {
			case 0:
				states = slices.Clone(named.states)
			case 1:
				states = slices.Clone(other.states)
			case 2:
				states = joined(named.states, other.states)
			case 3:
				lack := r.IntN(len(named.states))
				states = joined(slices.Delete(slices.Clone(named.states), lack, lack+1), other.states)
			}
			result, err := check(t, m, h, states)
			if err != nil {
				refuted++
				continue
			}
			for _, got := range result.Findings {
				if got.Doubt != "" {
					continue
				}
				confirmed++
				f := named.report.Findings[slices.IndexFunc(named.report.Findings, func(f properties.Finding) bool { return f.Name == got.Property.Name })]
				// What holds and says nothing here may say something of the states of another world.
				if f.Verdict != properties.Verified && f.Verdict != properties.Bounded && !strings.HasPrefix(f.Why, "it holds, but says nothing") {
					t.Errorf("%s %+v: %s is confirmed, and is %v: %s", m.Traits().Name, h.Config, f.Name, f.Verdict, f.Why)
				}
			}
		}
	}
	if confirmed < testsize.Of(100, 100, 300) || refuted < testsize.Of(70, 70, 200) {
		t.Errorf("only %d confirmed, %d refuted", confirmed, refuted)
	}
}

// joined returns all states, each once.
func joined(sets ...[]model.State) (all []model.State) {
	met := map[string]bool{}
	for _, s := range slices.Concat(sets...) {
		if key := s.Key(); !met[key] {
			met[key] = true
			all = append(all, s)
		}
	}
	return all
}
