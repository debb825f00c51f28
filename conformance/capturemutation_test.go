package conformance_test

import (
	"fmt"
	"slices"
	"testing"

	"interleave/conformance"
	"interleave/conformance/forge"
	"interleave/impl/wire"
)

const refuted, unknown, conforms = conformance.Refuted, conformance.Unknown, conformance.Conforms

// TestForgedCaptures forges captures at messages, and wants the verdicts that a
// forgery must have; those that can be honest must not be explained everywhere.
func TestForgedCaptures(t *testing.T) {
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
			for k := 0; k < len(places); k += max(1, len(places)/fewer(40, 3)) {
				i := places[k]
				spoilt, _ := f.Forge(packets, i)
				report, err := watch(spoilt, func(o *conformance.CaptureOptions) { o.Limit = fewer(0, 1<<12) })
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
		if seen := counts[refuted] + counts[unknown]; (seen == 0) != f.Always && (seen > 0 || !testing.Short()) {
			t.Errorf("%s: not explained %d times: %v", f.Name, seen, counts)
		}
	}
}

// TestMinimal: of a capture that is refuted few packets are left that show it.
func TestMinimal(t *testing.T) {
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
	report, err := conformance.Explore(spoilt, conformance.CaptureOptions{Find: find})
	if err != nil || report.Verdict != refuted {
		t.Fatal(report, err)
	}
	u := report.Unexplained
	t.Log(u, u.Allowed, u.Trials)
	if !slices.ContainsFunc(u.Trials, func(t conformance.Trial) bool { return t.Helps }) {
		t.Error("no change helps", u.Trials)
	}
	few, err := conformance.Minimal(spoilt, conformance.CaptureOptions{Find: find})
	if err != nil || len(few) == 0 || len(few) > 8 || few[len(few)-1].Number != u.Number {
		t.Fatal(len(few), err)
	}
	again, err := watch(few, func(o *conformance.CaptureOptions) { o.Only = u.Process })
	if err != nil || again.Verdict != refuted || again.Unexplained.Number != u.Number {
		t.Error(again, err)
	}
	t.Log(fmt.Sprint(len(few), " of ", len(packets)))
}
