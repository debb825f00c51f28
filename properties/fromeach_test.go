package properties_test

import (
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec/bully"
	"interleave/spec/tokenring"
)

// TestFromEach: of a run that ends with a waiting process, what is still false in the
// end is false from each state on, and what was true once is so up to there.
func TestFromEach(t *testing.T) {
	once, err := election.Formula("<>!knows(1)")
	if err != nil {
		t.Fatal(err)
	}
	up, err := election.Formula("<>up(3)")
	if err != nil {
		t.Fatal(err)
	}
	r := verify(t, bully.Published, model.Config{N: 3, Crashes: 1, Split: true}, []properties.Property{election.LeaderEventually}, properties.Options{})
	trace := finding(t, r, "leader-eventually").Trace
	reference, run, err := model.Replay(bully.Published, trace)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		property  properties.Property
		falseFrom int // the first state from which on it is false; -1: never
	}{{election.LeaderEventually, 0}, {once, -1}, {up, 4}} {
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
	if election.OneLeader.FromEach(reference, run, trace.Loop) != nil || election.LeaderEventually.FromEach(reference, run, 0) != nil {
		t.Error("something is said of a property of states, or of a run that goes on unknown")
	}
}

// TestFromEachOfACycle: what a formula says from a state of a cycle on, it says of the
// run that is turned to begin there.
func TestFromEachOfACycle(t *testing.T) {
	c, err := model.Home(tokenring.PublishedB, 2)
	if err != nil {
		t.Fatal(err)
	}
	c.Crashes = 1
	r := verify(t, tokenring.PublishedB, c, []properties.Property{properties.Termination}, properties.Options{})
	reference, run, err := model.Replay(tokenring.PublishedB, finding(t, r, "termination").Trace)
	if err != nil {
		t.Fatal(err)
	}
	// A cycle of several states, by hand: they need not follow each other for a formula.
	states := append(run.States[:len(run.States):len(run.States)], run.States[2], run.States[3])
	cycle := &model.Run{States: append(states, states[2]), Steps: make([]model.Step, len(states))}
	const loop = 3
	for _, text := range []string{"[]up(1)", "<>!up(1)", "[]<>up(1)", "<>[]!up(1)", "[](up(1) -> <>[]up(1))", "up(1) ~> !up(1)", "[]<>knows(2)"} {
		p, err := election.Formula(text)
		if err != nil {
			t.Fatal(err)
		}
		all := p.FromEach(reference, cycle, loop)
		for i := range states {
			turned, begin := states[i:], max(1, loop-i)
			if i >= loop {
				turned = append(turned[:len(turned):len(turned)], states[loop-1:i]...)
			}
			again := &model.Run{States: append(turned[:len(turned):len(turned)], turned[begin-1]), Steps: make([]model.Step, len(turned))}
			if want := p.FromEach(reference, again, begin)[0]; (all[i] == nil) != (want == nil) {
				t.Errorf("%s from state %d on: %v; of the run that begins there: %v", text, i, all[i], want)
			}
		}
		if last := all[len(states)]; (last == nil) != (all[loop-1] == nil) {
			t.Errorf("%s: %v where the cycle begins, and %v where it ends", text, all[loop-1], last)
		}
	}
}
