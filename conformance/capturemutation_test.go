package conformance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/forge"
	"interleave/impl/wire"
	"interleave/internal/testsize"
	"interleave/spec"
	"interleave/spec/bully"
)

const refuted, unknown, conforms = conformance.Refuted, conformance.Unknown, conformance.Conforms

// TestForgedCaptures forges captures at messages, and wants the verdicts that a
// forgery must have; those that can be honest must not be explained everywhere.
func TestForgedCaptures(t *testing.T) {
	testsize.Alone(t)
	runs := recorded(t)
	for _, f := range forge.Captures {
		counts := map[conformance.Verdict]int{}
		for r, packets := range runs {
			var places []int
			for i := range packets {
				if _, ok := f.Forge(packets, i); ok {
					places = append(places, i)
				}
			}
			for k := 0; k < len(places); k += max(1, len(places)/testsize.Of(3, 3, 40)) {
				i := places[k]
				spoilt, _ := f.Forge(packets, i)
				report, err := watch(spoilt, func(o *captures.Options) { o.Limit = testsize.Of(1<<12, 1<<12, 1<<15) })
				if err != nil {
					t.Fatal(f.Name, r, i, err)
				}
				counts[report.Verdict]++
				if f.Always && report.Verdict != conforms || f.Never && report.Verdict != refuted {
					t.Errorf("%s, run %d, packet %d: %v %s %v", f.Name, r, i+1, report.Verdict, report.Reason, report.Unexplained)
				}
			}
		}
		t.Log(f.Name, counts)
		if seen := counts[refuted] + counts[unknown]; (seen == 0) != f.Always && (seen > 0 || testsize.All()) {
			t.Errorf("%s: not explained %d times: %v", f.Name, seen, counts)
		}
	}
}

// TestMinimal: of a capture that is refuted few packets are left that show it.
func TestMinimal(t *testing.T) {
	testsize.Alone(t)
	packets := recorded(t)[0]
	at := 0
	for i, p := range packets {
		if p.Frame.Kind == wire.Data && p.Frame.Sequence == 3 {
			at = i
			break
		}
	}
	spoilt := forge.Changed(packets, at, func(f *wire.Frame) {
		f.Body = slices.Clone(f.Body)
		f.Body[0] = (f.Body[0] + 1) % 3
	})
	report, err := captures.Explore(spoilt, captures.Options{Find: find})
	if err != nil || report.Verdict != refuted {
		t.Fatal(report, err)
	}
	u := report.Unexplained
	t.Log(u, u.Allowed, u.Counterfactuals)
	if !slices.ContainsFunc(u.Counterfactuals, func(t captures.Counterfactual) bool { return t.Helps && !strings.Contains(t.Change, "missing") }) {
		t.Error("no change helps", u.Counterfactuals)
	}
	few, done, err := captures.Minimal(spoilt, captures.Options{Find: find})
	if err != nil || !done || len(few) == 0 || len(few) > 8 || few[len(few)-1].Number != u.Number {
		t.Fatal(len(few), err)
	}
	again, err := watch(few, func(o *captures.Options) { o.Only = u.Process })
	if err != nil || again.Verdict != refuted || again.Unexplained.Number != u.Number {
		t.Error(again, err)
	}
	t.Log(fmt.Sprint(len(few), " of ", len(packets)))
}

// alarm is a machine that closes a channel at one of its steps.
type alarm struct {
	spec.Machine
	steps *int
	at    int
	rings chan struct{}
}

func (a alarm) Step(self spec.ID, ring []spec.ID, state any, e spec.Event) (any, spec.Effects) {
	if *a.steps++; *a.steps == a.at {
		close(a.rings)
	}
	return a.Machine.Step(self, ring, state, e)
}

// TestMinimalInterrupted: whoever interrupts it gets what it has come to.
func TestMinimalInterrupted(t *testing.T) {
	testsize.Alone(t)
	mute, err := find("bully/mended~mute")
	if err != nil {
		t.Fatal(err)
	}
	_, packets := plan{machine: mute, n: 3, seed: 0, loss: 10, length: time.Second}.record(t)
	steps := 0
	options := func(at int) captures.Options {
		a := alarm{bully.Mended, &steps, at, make(chan struct{})}
		steps = 0
		return captures.Options{Find: func(string) (spec.Machine, error) { return a, nil }, Done: a.rings}
	}
	if report, err := captures.Check(packets, options(-1)); err != nil || report.Verdict != refuted {
		t.Fatal(report, err)
	}
	judging := steps
	least, done, err := captures.Minimal(packets, options(-1))
	if err != nil || !done {
		t.Fatal(done, err)
	}
	whole := steps
	for at, want := range map[int]bool{1: false, judging + 1: true, (judging + whole) / 2: true} {
		few, done, err := captures.Minimal(packets, options(at))
		if err != nil || done || (few != nil) != want || want && len(few) <= len(least) {
			t.Errorf("interrupted at step %d of %d: %d packets, at least %d, done %v, %v", at, whole, len(few), len(least), done, err)
		}
	}
}

// TestMinimalBounded: with few trials it leaves out some packets only, says so, and what is left is
// refuted as well.
func TestMinimalBounded(t *testing.T) {
	testsize.Alone(t)
	mute, err := find("bully/mended~mute")
	if err != nil {
		t.Fatal(err)
	}
	_, packets := plan{machine: mute, n: 3, seed: 0, loss: 10, length: time.Second}.record(t)
	options := captures.Options{Find: func(string) (spec.Machine, error) { return bully.Mended, nil }}
	report, err := captures.Check(packets, options)
	if err != nil || report.Verdict != refuted {
		t.Fatal(report, err)
	}
	least, done, err := captures.Minimal(packets, options)
	if err != nil || !done {
		t.Fatal(done, err)
	}
	for _, enough := range []int{1, 10 * len(packets)} {
		bounded := options
		bounded.Tries = enough
		few, done, err := captures.Minimal(packets, bounded)
		if err != nil || done || len(few) <= len(least) {
			t.Fatalf("%d steps: %d packets, at least %d, done %v, %v", enough, len(few), len(least), done, err)
		}
		o := options
		o.Only = report.Unexplained.Process
		if again, err := captures.Check(few, o); err != nil || again.Verdict != refuted || again.Unexplained.Number != report.Unexplained.Number {
			t.Errorf("%d steps: what is left is %v, %v", enough, again, err)
		}
	}
}
