package diagram_test

import (
	"context"
	"math/big"
	"testing"

	"interleave/explore"
	"interleave/explore/dd"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/model/diagram"
	"interleave/model/modeltest"
	"interleave/spec"
	"interleave/spec/catalog"
	"interleave/spec/itairodeh"
)

// TestSymbolicAgrees compares the symbolic form with the explicit search, by
// every grouping and strategy: states, transitions by kind, quiescent states.
func TestSymbolicAgrees(t *testing.T) {
	limit, stride := testsize.Of(100, 150, 400), testsize.Of(7, 3, 1)
	for _, m := range append(catalog.Machines, modeltest.Toy, modeltest.Requests) {
		t.Run(m.Traits().Name, func(t *testing.T) {
			t.Parallel()
			compared, limit := 0, limit
			if m == modeltest.Requests {
				limit *= 20
			}
			all := append(modeltest.Worlds(m), modeltest.FaultyWorlds(m)...)
			if m.Traits().Measure != nil { // three processes are too many
				for i := range all {
					all[i].N, all[i].Bound = 2, 1
				}
			}
			for i := 0; i < len(all); i += stride {
				c := all[i]
				if m == modeltest.Requests || m == itairodeh.Finite {
					c.N = 2
				}
				if m == modeltest.Toy && c.Recoveries > 0 {
					continue // too many local steps to be learned before the search
				}
				if c.Check(m) == nil && c.HasTables() && compareSymbolic(t, m, c, limit) {
					compared++
				}
			}
			if compared == 0 && !m.Traits().Handles.Has(spec.Round) {
				t.Error("nothing was compared")
			}
			t.Logf("%d worlds", compared)
		})
	}
}

func compareSymbolic(t *testing.T, m spec.Machine, c model.Config, limit int) bool {
	t.Helper()
	sys, err := compiled.New(m, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Search(context.Background(), sys, explore.Options{MaxStates: limit})
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != explore.Exhausted {
		return false
	}
	fresh, err := compiled.New(m, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, grouping := range []diagram.Grouping{diagram.ByReceiver, diagram.ByContent, diagram.ByPair} {
		for _, strategy := range []dd.Strategy{dd.Chain, dd.Saturate} {
			if grouping == diagram.ByContent && c.Network == model.FIFO {
				continue
			}
			y, err := diagram.New(context.Background(), fresh.LocalSteps, diagram.Form{Grouping: grouping, Order: diagram.Order((int(grouping) + 2*int(strategy)) % 3)}, 0)
			if err != nil {
				t.Logf("%+v: %v", c, err)
				return false
			}
			all := y.Forest.Keep(y.Reach(strategy))
			if n := y.Forest.Count(all); n.Cmp(big.NewInt(int64(r.Stats.States))) != 0 {
				t.Fatalf("%+v, %v, %v: %v states, not %d", c, grouping, strategy, n, r.Stats.States)
			}
			for kind, n := range y.Transitions(all) {
				if n.Cmp(big.NewInt(int64(r.Stats.Fired[kind]))) != 0 {
					t.Fatalf("%+v, %v, %v: %v times %s, not %d", c, grouping, strategy, n, fresh.Kinds()[kind], r.Stats.Fired[kind])
				}
			}
			if n := y.Forest.Count(y.Quiet(all)); n.Cmp(big.NewInt(int64(r.Stats.Quiet))) != 0 {
				t.Fatalf("%+v, %v, %v: %v quiescent states, not %d", c, grouping, strategy, n, r.Stats.Quiet)
			}
		}
	}
	return true
}
