package model_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/model/modeltest"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/syncbully"
)

// TestFairClassTable has, by hand, the classes of every kind of action and event: the fairness that is assumed of
// each, its name, and its steps if that name is not theirs. The last line has the kinds of step of which none is.
func TestFairClassTable(t *testing.T) {
	for _, row := range []struct {
		name    string
		machine spec.Machine
		config  model.Config
		want    []string
	}{
		{"bag", modeltest.Attentive, model.Config{
			N: 3, Network: model.Bag, Timers: model.Any, Detector: model.Perfect, Crashes: 1, Recoveries: 1,
			Fairness: model.Fairness{Strong: []string{"suspect", "drop", "receive"}, Unfair: []string{"timeout B"}},
		}, []string{
			"strong process 1: drop 7 from 2", "strong process 1: drop 7 from 3",
			"strong process 1: drop 8 from 2", "strong process 1: drop 9 from 1",
			"strong process 1: receive 7 from 2", "strong process 1: receive 7 from 3",
			"strong process 1: receive 8 from 2", "strong process 1: receive 9 from 1",
			"strong process 1: suspect: suspect 2, suspect 3",
			"strong process 2: suspect: suspect 1, suspect 3",
			"strong process 3: suspect: suspect 1, suspect 2",
			"weak process 1: notice", "weak process 1: restore: restore 2, restore 3", "weak process 1: start", "weak process 1: timeout A",
			"weak process 2: notice", "weak process 2: restore: restore 1, restore 3", "weak process 2: start",
			"weak process 3: notice", "weak process 3: restore: restore 1, restore 2", "weak process 3: start",
			"unfair crash, recover, timeout B",
		}},
		{"queues", modeltest.Attentive, model.Config{
			N: 3, Timers: model.Any, Crashes: 1, Recoveries: 1, Losses: 1, Duplicates: 1,
			Fairness: model.Fairness{Strong: []string{"drop", "receive"}},
		}, []string{
			"strong process 1: drop from 1: drop 9 from 1",
			"strong process 1: drop from 2: drop 7 from 2, drop 8 from 2",
			"strong process 1: drop from 3: drop 7 from 3",
			"strong process 1: receive from 1: receive 9 from 1",
			"strong process 1: receive from 2: receive 7 from 2, receive 8 from 2",
			"strong process 1: receive from 3: receive 7 from 3",
			"weak process 1: notice", "weak process 1: start", "weak process 1: timeout A", "weak process 1: timeout B",
			"weak process 2: notice", "weak process 2: start", "weak process 3: notice", "weak process 3: start",
			"unfair copy, crash, lose, recover",
		}},
		{"set", modeltest.Attentive, model.Config{
			N: 2, Network: model.Set, Timers: model.Any, Detector: model.Eventual, Crashes: 1, Split: true, Suspicions: 1, Partitions: 1,
			Fairness: model.Fairness{Strong: []string{"heal", "timeout"}},
		}, []string{
			"strong heal", "strong process 1: timeout A", "strong process 1: timeout B",
			"weak process 1: notice", "weak process 1: receive 7 from 2", "weak process 1: receive 8 from 2", "weak process 1: receive 9 from 1",
			"weak process 1: restore: restore 2", "weak process 1: start", "weak process 1: suspect: suspect 2",
			"weak process 2: notice", "weak process 2: restore: restore 1", "weak process 2: start", "weak process 2: suspect: suspect 1",
			"unfair crash, crash between sends, divide, suspect falsely",
		}},
		{"timed", bully.Mended, model.Config{
			N: 2, Crashes: 1, Timers: model.Timed, Delta: 1, Durations: "T_ok=3,T_coord=6,notice=3",
			Fairness: model.Fairness{Strong: []string{"tick"}},
		}, []string{
			"strong tick", "weak process 1: notice", "weak process 1: receive from 2: receive COORDINATOR from 2, receive OK from 2",
			"weak process 1: timeout T_ok", "weak process 2: notice", "weak process 2: receive from 1: receive ELECTION from 1",
			"unfair crash",
		}},
		{"rounds", syncbully.Mended, model.Config{
			N: 2, Network: model.Rounds, Detector: model.Perfect, Crashes: 1,
			Fairness: model.Fairness{Strong: []string{"round"}},
		}, []string{"strong round", "unfair round with a crash"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := fairClasses(t, row.machine, row.config); !slices.Equal(got, row.want) {
				t.Errorf("the classes are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(row.want, "\n"))
			}
		})
	}
}

// fairClasses returns the classes of all steps of a world as TestFairClassTable has them.
func fairClasses(t *testing.T, m spec.Machine, c model.Config) []string {
	t.Helper()
	r, err := model.NewReference(m, c)
	if err != nil {
		t.Fatal(err)
	}
	type owed struct {
		class    model.FairClass
		strength explore.Strength
	}
	classes, unfair := map[owed]map[string]bool{}, map[string]bool{}
	seen, open := map[string]bool{}, r.Initial()
	for len(open) > 0 {
		s := open[0]
		if open = open[1:]; seen[s.Key()] {
			continue
		}
		seen[s.Key()] = true
		for _, step := range r.Steps(s) {
			open = append(open, step.After)
			class, strength := r.FairnessOf(s, step)
			if strength == explore.Unfair {
				unfair[r.StepKinds().NameOf(s, step.Event)] = true
				continue
			}
			o := owed{class, strength}
			if classes[o] == nil {
				classes[o] = map[string]bool{}
			}
			classes[o][r.Describe(step.Event)] = true
		}
	}
	var lines []string
	for o, steps := range classes {
		line := fmt.Sprintf("%v %s", o.strength, r.DescribeClass(o.class))
		if list := strings.Join(slices.Sorted(maps.Keys(steps)), ", "); !strings.HasSuffix(line, list) {
			line += ": " + list
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return append(lines, "unfair "+strings.Join(slices.Sorted(maps.Keys(unfair)), ", "))
}
