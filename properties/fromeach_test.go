package properties_test

import (
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/spec/bully"
)

// TestFromEach: of a run that ends with a waiting process, what is still false in the
// end is false from each state on, and what was true once is so up to there.
func TestFromEach(t *testing.T) {
	once, err := properties.Formula("<>!knows(1)")
	if err != nil {
		t.Fatal(err)
	}
	up, err := properties.Formula("<>up(3)")
	if err != nil {
		t.Fatal(err)
	}
	r := verify(t, bully.Published, model.Config{N: 3, Crashes: 1, Split: true}, []properties.Property{properties.L1}, properties.Options{})
	trace := finding(t, r, "L1").Trace
	reference, run, err := model.Replay(bully.Published, trace)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		property  properties.Property
		falseFrom int // the first state from which on it is false; -1: never
	}{{properties.L1, 0}, {once, -1}, {up, 4}} {
		all := row.property.FromEach(reference, run, trace.Loop)
		if len(all) != len(run.States) {
			t.Fatalf("%s: %d answers for %d states", row.property.Name, len(all), len(run.States))
		}
		for i, why := range all {
			if isFalse := row.falseFrom >= 0 && i >= row.falseFrom; isFalse != (why != nil) {
				t.Errorf("%s from state %d on: %v", row.property.Name, i, why)
			}
		}
	}
	if properties.SUniq.FromEach(reference, run, trace.Loop) != nil || properties.L1.FromEach(reference, run, 0) != nil {
		t.Error("something is said of a property of states, or of a run that goes on unknown")
	}
}
