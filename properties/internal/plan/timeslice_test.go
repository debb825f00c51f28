package plan

import (
	"testing"
	"time"

	"interleave/explore/dd"
	"interleave/model"
	"interleave/model/diagram"
	"interleave/spec/changroberts"
)

// TestJudgingHasATimeSlice: diagrams of an over-approximation that are not judged when their time slice is
// over have another one later; but what was decided by then counts, and what is not
// decided in time never will be.
func TestJudgingHasATimeSlice(t *testing.T) {
	for _, late := range []bool{false, true} {
		for _, enough := range []bool{false, true} {
			config, err := model.Home(changroberts.Naive, 3)
			if err != nil {
				t.Fatal(err)
			}
			f := &portfolio{Question: &Question{Machine: changroberts.Naive, Config: config}}
			d, err := f.timeSlice(t.Context(), Attempt{Form: diagram.Form{Overapprox: true}, Strategy: dd.Saturate}, lastNodes, time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			slice := time.Hour
			if late {
				slice = 1
			}
			f.enough = func(d *diagrams) (bool, error) {
				for late && d.Forest.Err() == nil {
					d.Endless(d.all)
				}
				return enough, nil
			}
			done, err := f.asked(d, slice)
			var want error
			outcome := "done"
			if late && !enough {
				want, outcome = errSlice, "done, but its turn was over before all was judged"
			}
			if done != enough || err != want || f.tried[0].Outcome != outcome {
				t.Errorf("late %v, enough %v: %v, %v, %s", late, enough, done, err, f.tried[0].Outcome)
			}
		}
	}
}
