package plan

import (
	"testing"

	"interleave/explore"
)

// TestFill: what one engine found fills what another leaves open, and does not stand
// against it.
func TestFill(t *testing.T) {
	q := &Question{Properties: []Property{{Name: "S"}}}
	known := partial{}.with(q, []Finding{{Verdict: explore.Violated}})
	for _, v := range []explore.Verdict{explore.Inconclusive, explore.Violated} {
		if got := known.fill(q, []Finding{{Verdict: v}}); got[0].Verdict != explore.Violated {
			t.Errorf("%v was %v", got[0].Verdict, v)
		}
	}
	defer func() {
		if _, ok := recover().(explore.Contradiction); !ok {
			t.Error("what was violated is verified")
		}
	}()
	known.fill(q, []Finding{{Verdict: explore.Verified}})
}
