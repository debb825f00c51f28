package compiled_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
	"interleave/spec/changroberts"
)

// system is what compiled.System and model.Interpreted have in common.
type system interface {
	explore.System
	State(words []uint64) model.State
	TableStats() model.TableStats
}

// search searches by tables, where there can be some.
func search(t *testing.T, m spec.Machine, c model.Config, o explore.Options) (sys system, _ *explore.Result) {
	t.Helper()
	var err error
	if c.HasTables() {
		sys, err = compiled.New(m, c, nil)
	} else {
		sys, err = model.NewInterpreted(m, c, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Search(t.Context(), sys, o)
	if err != nil {
		t.Fatal(err)
	}
	return sys, r
}

// TestClassicCounts pins the state spaces of the PlusCal specification, with
// IDs ascending round the ring, as TLC counts them: its depth is in levels.
func TestClassicCounts(t *testing.T) {
	for _, want := range []struct{ n, distinct, generated, levels int }{
		{3, 137, 227, 10},
		{4, 823, 1791, 15},
		{5, 5455, 15113, 21},
		{6, 40261, 138221, 28},
		{7, 333161, 1385875, 36},
		{8, 3095363, 15292587, 45},
	} {
		if want.n == 8 && testing.Short() {
			continue
		}
		sys, r := search(t, changroberts.Classic,
			model.Config{N: want.n, Network: model.Set, Initiators: model.Initiators{Any: true}}, explore.Options{Workers: 2})
		s := r.Stats
		if s.States != want.distinct || s.Initial+s.Transitions != want.generated || s.Depth+1 != want.levels {
			t.Errorf("N=%d: %d distinct, %d generated, %d levels; want %+v", want.n, s.States, s.Initial+s.Transitions, s.Depth+1, want)
		}
		if calls := sys.TableStats().HandlerCalls; calls > 400 {
			t.Errorf("N=%d: the handlers ran %d times", want.n, calls)
		}
	}
}

// TestClassicBagIsSet: each ID is in flight at most once, so that the set
// network changes nothing.
func TestClassicBagIsSet(t *testing.T) {
	config := model.Config{N: 5, Network: model.Set, Initiators: model.Initiators{Any: true}}
	_, set := search(t, changroberts.Classic, config, explore.Options{})
	config.Network = model.Bag
	_, bag := search(t, changroberts.Classic, config, explore.Options{})
	if set.Stats.States != bag.Stats.States || set.Stats.Transitions != bag.Stats.Transitions {
		t.Errorf("set: %+v\nbag: %+v", set.Stats, bag.Stats)
	}
}

// TestBullyCounts pins the state spaces of the mended Bully with one crash.
func TestBullyCounts(t *testing.T) {
	for _, want := range []struct {
		config                     model.Config
		states, transitions, depth int
	}{
		{model.Config{N: 3, Crashes: 1}, 1726, 6875, 17},
		{model.Config{N: 4, Network: model.Set, Crashes: 1}, 113931, 1009605, 21},
	} {
		_, r := search(t, bully.Mended, want.config, explore.Options{Workers: 2})
		s := r.Stats
		if s.States != want.states || s.Transitions != want.transitions || s.Depth != want.depth {
			t.Errorf("%+v: %d states, %d transitions, depth %d", want, s.States, s.Transitions, s.Depth)
		}
	}
}

// TestWorkersChangeNothing compares all that a search reports, and a path to
// its last state, for several numbers of workers.
func TestWorkersChangeNothing(t *testing.T) {
	most := testsize.Of(4_000, 8_000, 20_000) // several chunks
	for _, m := range catalog.Machines {
		config, err := model.Home(m, 4)
		if err != nil {
			t.Fatal(err)
		}
		config.Crashes = 1
		var first string
		for _, workers := range []int{1, 2, 8} {
			sys, r := search(t, m, config, explore.Options{Workers: workers, MaxStates: most})
			st := r.Stats
			st.Elapsed = 0
			if r.Outcome == explore.StateLimit {
				st.Bytes = 0 // several workers make the table for those beyond it, too
			}
			path := r.Graph.Path(r.Graph.States() - 1)
			got := fmt.Sprint(r.Outcome, st, r.Marks, path, sys.State(r.Graph.State(r.Graph.States()-1)), sys.TableStats())
			if first == "" {
				first = got
			}
			if got != first {
				t.Errorf("%s: with %d workers\n%s\nwith one\n%s", m.Traits().Name, workers, got, first)
			}
		}
	}
}

// TestDirectAgrees compares the search by tables with that of the reference:
// all that is counted, and the states in the order in which they are found.
func TestDirectAgrees(t *testing.T) {
	most := testsize.Of(1200, 2000, 5000) // more than a chunk
	for _, m := range catalog.Machines {
		config, err := model.Home(m, 3)
		if err != nil {
			t.Fatal(err)
		}
		if !config.HasTables() {
			continue
		}
		config.Crashes, config.Split = 1, true
		sys, table := search(t, m, config, explore.Options{Workers: 2, MaxStates: most})
		direct, err := model.NewInterpreted(m, config, nil)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := explore.Search(t.Context(), direct, explore.Options{Workers: 2, MaxStates: most})
		if err != nil {
			t.Fatal(err)
		}
		a, b := table.Stats, plain.Stats
		a.Elapsed, a.Bytes, a.Width = b.Elapsed, b.Bytes, b.Width
		if a != b {
			t.Errorf("%s: tables %+v\ndirect %+v", m.Traits().Name, a, b)
		}
		for n := range min(a.States, b.States) {
			if s, d := sys.State(table.Graph.State(n)), direct.State(plain.Graph.State(n)); !s.Equal(d) {
				t.Fatalf("%s: state %d is %+v by tables, %+v directly", m.Traits().Name, n, s, d)
			}
		}
	}
}

func TestPlacements(t *testing.T) {
	got := slices.Collect(model.Placements(4, 2))
	want := [][]spec.ID{{2, 1, 3, 4}, {2, 1, 4, 3}, {2, 3, 1, 4}, {2, 3, 4, 1}, {2, 4, 1, 3}, {2, 4, 3, 1}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	for n := 1; n <= 7; n++ {
		all := 0
		for range model.Placements(n, 1) {
			all++
		}
		if count := model.CountPlacements(n); count != all {
			t.Errorf("N=%d: %d, and %d come", n, count, all)
		}
	}
}

// TestLongest: of queues the longest that occurs is known, with tables and without.
func TestLongest(t *testing.T) {
	for _, c := range []model.Config{{N: 3}, {N: 3, Crashes: 2}, {N: 3, Network: model.Bag}} {
		sys, r := search(t, bully.Mended, c, explore.Options{})
		longest := 0
		for n := range r.Graph.States() {
			for _, inbox := range sys.State(r.Graph.State(n)).Inboxes {
				queues := map[spec.ID]int{}
				for _, e := range inbox {
					queues[e.From]++
					longest = max(longest, queues[e.From])
				}
			}
		}
		direct, err := model.NewInterpreted(bully.Mended, c, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := explore.Search(t.Context(), direct, explore.Options{}); err != nil {
			t.Fatal(err)
		}
		for _, sys := range []system{sys, direct} {
			if got := sys.TableStats().Longest; got != longest || longest < 2 {
				t.Errorf("%T, %+v: %d messages, and %d occur", sys, c, got, longest)
			}
		}
	}
}
