package properties_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
	"interleave/spec/fastbully"
)

// TestExplainFairness: the set that is found is enough, and no part of it can be
// left out.
func TestExplainFairness(t *testing.T) {
	testsize.Alone(t)
	c := model.Config{N: 3, Network: model.Set, Timers: model.Any}
	n, err := properties.ExplainFairness(t.Context(), bully.Mended, c, properties.Termination, properties.Options{})
	if err != nil || n.Why != "" {
		t.Fatal(n.Why, err)
	}
	var needed []string
	for _, need := range n.Needed {
		needed = append(needed, fmt.Sprint(need.Owed, " ", need.Kind))
		if w := need.Without; w.Verdict != properties.Violated || w.Trace == nil {
			t.Errorf("without %s: %v", need.Kind, w.Verdict)
		} else if _, _, _, err := election.Replay(bully.Mended, w.Trace); err != nil {
			t.Errorf("without %s: %v", need.Kind, err)
		}
	}
	if want := []string{"weak notice", "weak receive ELECTION", "weak receive OK", "weak receive COORDINATOR"}; !slices.Equal(needed, want) {
		t.Errorf("needed %q, want %q", needed, want)
	}
	judge := func(unfair []string) properties.Verdict {
		c.Fairness.Unfair = unfair
		return verify(t, bully.Mended, c, []properties.Property{properties.Termination}, properties.Options{}).Verdict
	}
	if v := judge(n.Spare); v != properties.Verified {
		t.Errorf("with nothing owed to %q: %v", n.Spare, v)
	}
	for _, need := range n.Needed {
		if v := judge(append(slices.Clone(n.Spare), need.Kind)); v != properties.Violated {
			t.Errorf("with nothing owed to %s either: %v", need.Kind, v)
		}
	}
}

// TestStrongerThanNeeded: strong fairness of which weak is enough, or none.
func TestStrongerThanNeeded(t *testing.T) {
	c := model.Config{N: 3, Network: model.Set, Timers: model.Any, Fairness: model.Fairness{Strong: []string{"all"}}}
	n, err := properties.ExplainFairness(t.Context(), bully.Mended, c, election.LeaderEventually, properties.Options{})
	if err != nil || len(n.Needed) == 0 || len(n.Spare) == 0 {
		t.Fatalf("%+v, %v", n, err)
	}
	for _, need := range n.Needed {
		if need.Owed != explore.Weak {
			t.Errorf("%v fairness of %s is said to be needed", need.Owed, need.Kind)
		}
	}
}

func TestExplainFairnessOfNothing(t *testing.T) {
	if _, err := properties.ExplainFairness(t.Context(), bully.Mended, model.Config{N: 2}, election.WinnerIsTop, properties.Options{}); err == nil {
		t.Error("an invariant needs fairness")
	}
	c := model.Config{N: 2, Network: model.Set, Crashes: 1}
	n, err := properties.ExplainFairness(t.Context(), changroberts.Naive, c, election.LeaderEventually, properties.Options{})
	if err != nil || n.Why == "" || len(n.Needed) > 0 || n.Finding == nil || n.Finding.Trace == nil {
		t.Errorf("what is false: %+v, %v", n, err)
	}
}

// TestWeakIsNotEnough: then strong fairness is tried, of what is owed anything, and
// no more of it is needed than is needed.
func TestWeakIsNotEnough(t *testing.T) {
	c := model.Config{N: 4, Start: model.LeaderDown, Initiators: model.Initiators{Only: spec.SetOf(1)}}
	n, err := properties.ExplainFairness(t.Context(), fastbully.Mended, c, properties.Termination, properties.Options{})
	if err != nil || !n.Stronger {
		t.Fatalf("%+v, %v", n, err)
	}
	for _, need := range n.Needed {
		if (need.Owed == explore.Strong) != (need.Kind == "timeout T4") {
			t.Errorf("%v fairness of %s", need.Owed, need.Kind)
		}
		c.Fairness = c.Fairness.With(need.Kind, need.Owed)
	}
	for _, kind := range n.Spare {
		c.Fairness = c.Fairness.With(kind, explore.Unfair)
	}
	if v := verify(t, fastbully.Mended, c, []properties.Property{properties.Termination}, properties.Options{}).Verdict; v != properties.Verified {
		t.Errorf("with what is needed: %v", v)
	}
	c.Fairness = model.Fairness{Unfair: []string{"timeout T4"}}
	if n, err = properties.ExplainFairness(t.Context(), fastbully.Mended, c, properties.Termination, properties.Options{}); err != nil || n.Finding == nil || n.Finding.Verdict != properties.Violated {
		t.Errorf("what is owed nothing is given something: %+v, %v", n, err)
	}
}

// TestWeakestInDoubt: what a search that was cut short does not decide is neither
// needed nor enough.
func TestWeakestInDoubt(t *testing.T) {
	c := model.Config{N: 3, Crashes: 2, Network: model.Bag}
	l, err := properties.DetectorLattice(t.Context(), changroberts.Detecting, c, []properties.Property{election.LeaderEventually, election.LeaderIsTop}, properties.Options{MaxStates: 6000})
	if err != nil {
		t.Fatal(err)
	}
	if r := l.Properties[0]; r.Decided || l.Detectors[r.Weakest] != model.Flushed {
		t.Errorf("leader-eventually with perfect detectors is not known: %+v", r)
	}
	if r := l.Properties[1]; !r.Decided || r.Weakest != -1 {
		t.Errorf("leader-is-top is violated with every detector: %+v", r)
	}
	world := model.Config{N: 3, Network: model.Set, Timers: model.Any}
	whole := verify(t, bully.Mended, world, []properties.Property{properties.Termination}, properties.Options{}).Stats.States
	n, err := properties.ExplainFairness(t.Context(), bully.Mended, world, properties.Termination, properties.Options{MaxStates: whole})
	if err != nil || len(n.Needed) == 0 || !n.Needed[0].Decided() {
		t.Errorf("all is seen, and needed: %+v, %v", n, err)
	}
	if need := (properties.Need{Without: properties.Finding{Verdict: properties.Inconclusive}}); need.Decided() {
		t.Error("what is inconclusive is decided")
	}
}

// TestPanicInQuestion: whoever asks how little is enough is told that a handler panics.
func TestPanicInQuestion(t *testing.T) {
	m := odd("burst", func(a *oddState) {
		a.Start = func(_ *int, p *oddProc) { p.Send(p.ID, 1) }
		a.Receive = func(*int, *oddProc, spec.ID, int) { panic("no") }
		a.Suspect = func(*int, *oddProc, spec.ID) {}
	})
	nervous := odd("nervous", func(a *oddState) {
		a.Suspect = func(*int, *oddProc, spec.ID) { panic("no") }
		a.Measure = func(int) int { return 0 }
	})
	bounded, err := properties.DetectorLattice(t.Context(), nervous, model.Config{N: 2, Bound: 1}, []properties.Property{election.WinnerIsTop}, properties.Options{})
	if err != nil || len(bounded.Properties) != 2 || bounded.Properties[1].Findings[0].Verdict != properties.Bounded || bounded.Properties[1].Findings[1].Verdict != properties.Violated {
		t.Errorf("%+v, %v", bounded, err)
	}
	c := model.Config{N: 2, Crashes: 1}
	l, err := properties.DetectorLattice(t.Context(), m, c, []properties.Property{election.WinnerIsTop, election.LeaderEventually}, properties.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range l.Properties {
		got = append(got, fmt.Sprint(r.Name, " ", r.Findings[0].Verdict, " ", r.Decided))
	}
	if want := []string{"winner-is-top VERIFIED true", "leader-eventually INCONCLUSIVE false", "no-panic VIOLATED true"}; !slices.Equal(got, want) || !l.Panics() {
		t.Errorf("%q, want %q", got, want)
	}
	for _, more := range []bool{false, true} {
		n, err := properties.ExplainFairness(t.Context(), m, c, election.LeaderEventually, properties.Options{Continue: more})
		if err != nil || n.Finding == nil || n.Finding.Name != properties.NoPanic.Name || n.Finding.Verdict != properties.Violated || n.Finding.Trace == nil {
			t.Errorf("%+v, %v", n, err)
		}
	}
}

// TestLatticeFairness: what is owed to reports is owed where there are any, and what
// nobody owes anywhere is refused.
func TestLatticeFairness(t *testing.T) {
	m := odd("deaf", func(a *oddState) {
		a.Suspect, a.Restore = func(*int, *oddProc, spec.ID) {}, func(*int, *oddProc, spec.ID) {}
	})
	c := model.Config{N: 2, Crashes: 1, Fairness: model.Fairness{Strong: []string{"suspect"}, Unfair: []string{"restore"}}}
	l, err := properties.DetectorLattice(t.Context(), m, c, []properties.Property{properties.Termination}, properties.Options{})
	if err != nil || !slices.Equal(l.Detectors, properties.Detectors) {
		t.Errorf("%+v, %v", l, err)
	}
	c.Fairness.Strong = []string{"suspect", "nothing"}
	var refused *model.ConfigError
	if _, err := properties.DetectorLattice(t.Context(), m, c, nil, properties.Options{Catalogue: election.Catalogue}); !errors.As(err, &refused) || refused.Axis != "strong" {
		t.Error(err)
	}
}

// TestDetectorLattice: each verdict is that of a check by itself.
func TestDetectorLattice(t *testing.T) {
	testsize.Alone(t)
	c := model.Config{N: 3, Crashes: 1}
	props := []properties.Property{election.LeaderTookPart, election.OneLeader, election.AgreementOnTop, election.LeaderEventually, election.StableLeader, election.LeaderIsTop}
	l, err := properties.DetectorLattice(t.Context(), changroberts.Detecting, c, props, properties.Options{})
	if err != nil {
		t.Fatal(err)
	}
	weakest := map[string]string{}
	for _, r := range l.Properties {
		weakest[r.Name] = "none is enough"
		if r.Weakest >= 0 {
			weakest[r.Name] = l.Detectors[r.Weakest].String()
		}
		for i, f := range r.Findings {
			c.Detector, c.Suspicions = l.Detectors[i], 0
			if c.Detector == model.Eventual {
				c.Suspicions = 1
			}
			if alone := verify(t, changroberts.Detecting, c, []properties.Property{r.Property}, properties.Options{Continue: true}).Findings[0]; alone.Verdict != f.Verdict {
				t.Errorf("%s with %v: %v, alone %v", r.Name, c.Detector, f.Verdict, alone.Verdict)
			}
		}
		if at := r.Below(); at >= 0 && r.Findings[at].Trace == nil {
			t.Errorf("%s: no counterexample one step below", r.Name)
		}
	}
	if got := fmt.Sprint(weakest); got != "map[agreement-on-top:perfect leader-eventually:perfect leader-is-top:none is enough leader-took-part:none one-leader:perfect stable-leader:perfect]" {
		t.Error(got)
	}
	if _, err := properties.DetectorLattice(t.Context(), bully.Mended, c, props, properties.Options{}); !errors.Is(err, properties.ErrNoDetector) {
		t.Error(err)
	}
}
