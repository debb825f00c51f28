package raft

import (
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/spectest"
)

func TestDuties(t *testing.T) { spectest.Run(t, Algorithm) }

// TestRaft checks all runs of a small world.
func TestRaft(t *testing.T) {
	properties.TestBounded(t, Algorithm, model.Config{N: 2, Bound: 2, Network: model.Set, Timers: model.Any})
}

// TestMutants: each is found, by a property that it breaks.
func TestMutants(t *testing.T) {
	for i, c := range []struct {
		property string
		world    model.Config
	}{
		{"election-safety", model.Config{N: 3, Bound: 1, Crashes: 1, Recoveries: 1}},
		{"leader-completeness", model.Config{N: 3, Bound: 2}},
		{"leader-completeness", model.Config{N: 3, Bound: 2}},
	} {
		m := Mutants[i]
		_, name := spec.Original(m.Traits().Name)
		t.Run(name, func(t *testing.T) {
			c.world.Network, c.world.Timers = model.Set, model.Any
			p, err := properties.Catalogue{}.Find(m, c.property)
			if err != nil {
				t.Fatal(err)
			}
			r, err := properties.Verify(t.Context(), m, c.world, []properties.Property{p}, properties.Options{})
			if err != nil || r.Verdict != properties.Violated {
				t.Errorf("%v, %v", r, err)
			}
		})
	}
}
