package diagram_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"testing"

	"interleave/explore"
	"interleave/explore/dd"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/model/diagram"
	"interleave/model/modeltest"
)

// TestFairClasses: a class has all that one process may handle of a kind, whatever it is about
// and whatever it leads to; and of messages the same one, or in a queue the next one. A run that
// handles one of a class again and again owes nothing to the others of it, so classes that are
// too small would rule out runs that are fair.
func TestFairClasses(t *testing.T) {
	others := []string{"1: notice", "1: start", "1: suspect 2, suspect 3", "1: timeout A", "1: timeout B",
		"2: notice", "2: start", "2: suspect 1, suspect 3", "3: notice", "3: start", "3: suspect 1, suspect 2"}
	for _, row := range []struct {
		network    model.Network
		recoveries int
		want       []string
	}{
		{model.FIFO, 0, []string{"1: receive 7 from 2, receive 8 from 2", "1: receive 7 from 3", "1: receive 9 from 1"}},
		{model.Bag, 0, []string{"1: receive 7 from 2", "1: receive 7 from 3", "1: receive 8 from 2", "1: receive 9 from 1"}},
		{model.FIFO, 1, []string{"1: receive 7 from 2, receive 8 from 2", "1: receive 7 from 3", "1: receive 9 from 1",
			"1: drop 7 from 2, drop 8 from 2", "1: drop 7 from 3", "1: drop 9 from 1",
			"1: restore 2, restore 3", "2: restore 1, restore 3", "3: restore 1, restore 2"}},
		{model.Bag, 1, []string{"1: receive 7 from 2", "1: receive 7 from 3", "1: receive 8 from 2", "1: receive 9 from 1",
			"1: drop 7 from 2", "1: drop 7 from 3", "1: drop 8 from 2", "1: drop 9 from 1",
			"1: restore 2, restore 3", "2: restore 1, restore 3", "3: restore 1, restore 2"}},
	} {
		want := slices.Sorted(slices.Values(slices.Concat(others, row.want)))
		c := model.Config{N: 3, Network: row.network, Crashes: 2 - row.recoveries, Recoveries: row.recoveries, Detector: model.Perfect, Timers: model.Any}
		c.Fairness.Strong = []string{"suspect"}
		sys, err := compiled.New(modeltest.Attentive, c, nil)
		if err != nil {
			t.Fatal(err)
		}
		direct, err := model.NewInterpreted(modeltest.Attentive, c, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, s := range map[string]fairSystem{"tables": sys, "no tables": direct} {
			if got, _ := classesOf(t, s, c); !slices.Equal(got, want) {
				t.Errorf("%v, %d recoveries, %s: the classes are\n%q, want\n%q", row.network, row.recoveries, name, got, want)
			}
		}
		_, often := classesOf(t, sys, c)
		if got := symbolicClasses(t, c); !slices.Equal(got, often) {
			t.Errorf("%v, %d recoveries: in diagrams the classes are possible in so many states: %v, want %v", row.network, row.recoveries, got, often)
		}
	}
}

// fairSystem is a graph of states and the fairness of its steps.
type fairSystem interface {
	explore.System
	State(words []uint64) model.State
	Event(words []uint64, a explore.Action) model.Event
	Fairness() explore.Fairness
}

// classesOf returns what is in one class, and in how many states each is possible.
func classesOf(t *testing.T, s fairSystem, c model.Config) (classes []string, often []int) {
	t.Helper()
	r, err := model.NewReference(modeltest.Attentive, c)
	if err != nil {
		t.Fatal(err)
	}
	found, err := explore.Search(t.Context(), s, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	actions, states := map[explore.Class]map[string]bool{}, map[explore.Class]map[int]bool{}
	fair, expander := s.Fairness(), s.Expander()
	for n := range found.Stats.Expanded {
		var out explore.Steps
		words := found.Graph.State(n)
		expander.Expand(words, &out)
		for _, a := range out.Actions {
			class, owed := fair(words, a)
			if owed == explore.Unfair {
				continue
			}
			if actions[class] == nil {
				actions[class], states[class] = map[string]bool{}, map[int]bool{}
			}
			e := s.Event(words, a)
			actions[class][fmt.Sprintf("%v: %s", e.Process, r.Describe(e))] = true
			states[class][n] = true
		}
	}
	for class, some := range actions {
		text := ""
		for i, action := range slices.Sorted(maps.Keys(some)) {
			if i > 0 {
				action = ", " + action[len("1: "):]
			}
			text += action
		}
		classes = append(classes, text)
		often = append(often, len(states[class]))
	}
	slices.Sort(classes)
	slices.Sort(often)
	return classes, often
}

// symbolicClasses returns in how many states each class is possible, by diagrams.
func symbolicClasses(t *testing.T, c model.Config) (often []int) {
	t.Helper()
	sys, err := compiled.New(modeltest.Attentive, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	y, err := diagram.New(t.Context(), sys.LocalSteps, diagram.Form{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	all := y.Forest.Keep(y.Reach(dd.Chain))
	for _, class := range y.Graph(all).Classes {
		if n := y.Forest.Count(class.Possible); n.Cmp(new(big.Int)) > 0 {
			often = append(often, int(n.Int64()))
		}
	}
	slices.Sort(often)
	return often
}
