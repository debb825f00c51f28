package properties

import (
	"testing"

	"interleave/explore"
)

// TestRecall: what one engine found fills what another leaves open, and does not stand
// against it.
func TestRecall(t *testing.T) {
	c := &check{props: []Property{SSelf}, carried: carried{kept: map[uint8]Finding{0: {Property: SSelf, Verdict: Violated}}}}
	for _, v := range []Verdict{Inconclusive, Violated} {
		if got := c.recall([]Finding{{Property: SSelf, Verdict: v}}); got[0].Verdict != Violated {
			t.Errorf("%v was %v", got[0].Verdict, v)
		}
	}
	defer func() {
		if _, ok := recover().(explore.Contradiction); !ok {
			t.Error("what was violated is verified")
		}
	}()
	c.recall([]Finding{{Property: SSelf, Verdict: Verified}})
}
