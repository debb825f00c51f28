package model_test

import (
	"slices"
	"strings"
	"testing"

	"interleave/model"
	"interleave/model/modeltest"
)

// TestMonitorChanges: what a step changes in a monitor is told with what it changes in its process.
func TestMonitorChanges(t *testing.T) {
	r, err := model.NewReference(modeltest.Requests, model.Config{N: 2, Monitors: []string{"flips"}})
	if err != nil {
		t.Fatal(err)
	}
	told, level := map[string]int{}, r.Initial()
	for range 3 {
		var next []model.State
		for _, before := range level {
			for _, step := range r.Steps(before) {
				changes := r.Changes(before, step)
				at := slices.IndexFunc(changes, func(c string) bool { return strings.HasPrefix(c, "monitor flips: ") })
				if at >= 0 && !strings.Contains(r.Describe(step.Event), "flip") {
					t.Errorf("%s changes %q", r.Describe(step.Event), changes)
				}
				if at >= 0 {
					told[changes[at]]++
				}
				next = append(next, step.After)
			}
		}
		level = next
	}
	if told["monitor flips: [0 0 0] → [0 0 1]"] == 0 || told["monitor flips: [0 2 0] → [0 1 0]"] == 0 {
		t.Errorf("told: %v", told)
	}
}
