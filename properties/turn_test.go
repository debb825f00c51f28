package properties

import (
	"testing"
	"time"

	"interleave/explore/dd"
	"interleave/model"
	"interleave/spec/changroberts"
)

// TestJudgingHasATurn: diagrams of a looser world that are not judged when their turn is
// over have another one later; but what was decided by then counts, and what is not
// decided in time never will be.
func TestJudgingHasATurn(t *testing.T) {
	for _, late := range []bool{false, true} {
		for _, enough := range []bool{false, true} {
			config, err := model.Home(changroberts.Naive, 3)
			if err != nil {
				t.Fatal(err)
			}
			c := &reaching{check: &check{machine: changroberts.Naive, config: config}}
			d, err := c.inTurn(t.Context(), Attempt{Form: model.Form{Loose: true}, Strategy: dd.Saturate}, lastNodes, time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			turn := time.Hour
			if late {
				turn = 1
			}
			done, err := c.asked(d, turn, func(d *diagrams) (bool, error) {
				for late && d.Forest.Err() == nil {
					d.Endless(d.all)
				}
				return enough, nil
			})
			var want error
			outcome := "done"
			if late && !enough {
				want, outcome = errTurn, "done, but its turn was over before all was judged"
			}
			if done != enough || err != want || c.tried[0].Outcome != outcome {
				t.Errorf("late %v, enough %v: %v, %v, %s", late, enough, done, err, c.tried[0].Outcome)
			}
		}
	}
}
