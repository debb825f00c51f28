package properties_test

import (
	"context"
	"slices"
	"testing"

	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
	"interleave/spec/changroberts"
)

// TestAllRings sums what each placement has.
func TestAllRings(t *testing.T) {
	c, _ := model.Home(changroberts.Classic, 4)
	r := verify(t, changroberts.Classic, c, nil, properties.Options{AllRings: true})
	sum, most := 0, 0
	for _, ring := range r.Rings {
		c.Ring = ring.Ring
		one := verify(t, changroberts.Classic, c, nil, properties.Options{})
		if one.Stats.States != ring.States {
			t.Errorf("ring %v: %d states alone, %d among all", ring.Ring, one.Stats.States, ring.States)
		}
		sum, most = sum+one.Stats.States, max(most, one.Stats.States)
	}
	if len(r.Rings) != 6 || r.Stats.States != sum || r.Verdict != properties.Verified {
		t.Errorf("%d rings, %d states, %v; want 6, %d, VERIFIED", len(r.Rings), r.Stats.States, r.Verdict, sum)
	}
	r = verify(t, changroberts.Classic, c, nil, properties.Options{AllRings: true, Engine: properties.Symbolic})
	if r.Stats.States != sum || r.Stats.Depth != -1 || r.Rings[0].Depth != -1 { // diagrams do not tell
		t.Errorf("%d states and depth %d, of the first ring %d; want %d and -1", r.Stats.States, r.Stats.Depth, r.Rings[0].Depth, sum)
	}
	never := properties.Recoverable("never", "", func(*model.World) bool { return false })
	for limit, more := range map[int]bool{0: false, most - 1: true} { // which ends the search on one ring, and not on all
		r = verify(t, changroberts.Classic, c, []properties.Property{never}, properties.Options{AllRings: true, Continue: true, MaxStates: limit})
		if f := r.Findings[0]; f.Lost == 0 || limit == 0 && f.Lost != sum || f.MoreLost != more {
			t.Errorf("up to %d states of each ring: %d states are lost, perhaps more: %t; want %d", limit, f.Lost, f.MoreLost, sum)
		}
	}
	r = verify(t, changroberts.Classic, c, []properties.Property{never}, properties.Options{AllRings: true, MaxDepth: 2})
	if len(r.Rings) != 1 || r.Verdict != properties.Inconclusive { // a larger depth would decide it
		t.Errorf("%v after %d rings", r.Verdict, len(r.Rings))
	}
	_, err := properties.Verify(t.Context(), bully.Mended, model.Config{N: 3}, nil, properties.Options{Catalogue: election.Catalogue, AllRings: true})
	if err == nil {
		t.Error("a ring for Bully is not refused")
	}
}

// TestRingPanics: a handler that panics on some placement alone is found, whichever it is.
func TestRingPanics(t *testing.T) {
	for _, next := range []spec.ID{2, 3} {
		m := odd("ring", func(a *oddState) {
			a.Ring = true
			a.Start = func(_ *int, p *oddProc) {
				if p.ID == 1 && p.Next() == next {
					panic("badly placed")
				}
			}
		})
		for _, engine := range []properties.Engine{properties.Explicit, properties.Symbolic, properties.Auto} {
			r := verify(t, m, model.Config{N: 3}, []properties.Property{properties.Termination}, properties.Options{AllRings: true, Continue: true, Engine: engine})
			if len(r.Findings) != 2 || r.Findings[1].Name != properties.NoPanic.Name || r.Findings[1].Trace == nil || r.Verdict != properties.Violated || len(r.Rings) != 2 {
				t.Errorf("1 before %v, %v engine: %v on %d rings, %+v", next, engine, r.Verdict, len(r.Rings), r.Findings)
			}
		}
	}
}

// TestLackingDiagrams ends a check on the second placement: the diagram of the first has a form.
func TestLackingDiagrams(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := odd("second", func(a *oddState) {
		a.Ring = true
		a.Start = func(_ *int, p *oddProc) {
			if p.ID == 1 && p.Next() == 3 {
				cancel()
			}
		}
	})
	o := properties.Options{AllRings: true, Engine: properties.Symbolic}
	r, err := properties.Verify(ctx, m, model.Config{N: 3}, []properties.Property{properties.Termination}, o)
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Stats; r.Verdict != properties.Inconclusive || len(r.Rings) != 2 || s.Nodes == 0 || s.How == "" {
		t.Errorf("%v on %d rings, with a diagram of %d nodes: %q", r.Verdict, len(r.Rings), s.Nodes, s.How)
	}
}

// TestRotatedRings: of the rings that are each other turned round, one is explored,
// as the others have the same states, steps and verdicts.
func TestRotatedRings(t *testing.T) {
	testsize.Alone(t)
	rings := 0
	for _, m := range catalog.Machines {
		for n := 2; m.Traits().Ring && n <= 4; n++ {
			c, err := model.Home(m, n)
			if err != nil || c.Check(m) != nil || !exhausts(t, m, c, 5_000) {
				continue
			}
			for ring := range properties.Rings(m, c) {
				one := verify(t, m, ring, nil, properties.Options{Continue: true})
				for turn := 1; turn < n; turn++ {
					turned := ring
					turned.Ring = slices.Concat(ring.Ring[turn:], ring.Ring[:turn])
					other := verify(t, m, turned, nil, properties.Options{Continue: true})
					rings++
					if one.Stats.States != other.Stats.States || one.Stats.Transitions != other.Stats.Transitions || one.Stats.Depth != other.Stats.Depth {
						t.Errorf("%s: ring %v has %d states, ring %v %d", m.Traits().Name, ring.Ring, one.Stats.States, turned.Ring, other.Stats.States)
					}
					for i, f := range one.Findings {
						if got := other.Findings[i]; got.Verdict != f.Verdict || got.Depth != f.Depth {
							t.Errorf("%s, %s: ring %v: %v after %d, ring %v: %v after %d", m.Traits().Name, f.Name, ring.Ring, f.Verdict, f.Depth, turned.Ring, got.Verdict, got.Depth)
						}
					}
				}
			}
		}
	}
	if rings < 100 {
		t.Errorf("only %d rings were turned round", rings)
	}
}

// impatient is a context that ends when it is asked for the n-th time.
type impatient struct {
	context.Context
	asked *int
	n     int
}

func (c impatient) Err() error {
	if *c.asked++; *c.asked < c.n {
		return nil
	}
	return context.DeadlineExceeded
}

// TestLackingPlacements ends a check of all placements at every moment when it
// may: what holds of some of them does not hold.
func TestLackingPlacements(t *testing.T) {
	whole, lacking := 0, 0
	for n := 1; whole < 3 && n < 1000; n++ {
		asked := 0
		props := []properties.Property{election.StableLeader, properties.Termination, election.CanElect, properties.MessagesBounded}
		r, err := properties.Verify(impatient{t.Context(), &asked, n}, changroberts.Textbook, model.Config{N: 3}, props, properties.Options{AllRings: true, Continue: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Rings) == r.RingsInAll {
			whole++
			continue
		}
		lacking++
		for _, f := range r.Findings {
			if f.Verdict != properties.Inconclusive {
				t.Errorf("%s is %v, with %d placements of %d", f.Name, f.Verdict, len(r.Rings), r.RingsInAll)
			}
		}
		if r.Verdict != properties.Inconclusive || r.Why == "" || r.Stats.Complete {
			t.Errorf("%v (%s) with %d placements of %d", r.Verdict, r.Why, len(r.Rings), r.RingsInAll)
		}
	}
	if lacking < 5 || whole == 0 {
		t.Errorf("%d checks were whole, %d were not", whole, lacking)
	}
}

// TestNearestOfAllRings: what is shown of all placements is the nearest of all.
func TestNearestOfAllRings(t *testing.T) {
	config := model.Config{N: 4, Crashes: 1, Initiators: model.Initiators{Only: spec.SetOf(1)}}
	props := []properties.Property{election.LeaderIsTop, election.CanElect}
	all := verify(t, changroberts.Naive, config, props, properties.Options{AllRings: true, Continue: true})
	for i, f := range all.Findings {
		nearest := f.Depth + 1
		for ring := range model.Placements(4, 4) {
			config.Ring = ring
			one := verify(t, changroberts.Naive, config, props, properties.Options{Continue: true})
			nearest = min(nearest, one.Findings[i].Depth)
		}
		if f.Depth != nearest {
			t.Errorf("%s: %d steps among all rings, %d on the best", f.Name, f.Depth, nearest)
		}
	}
}

// TestMessagesOfAllRings: the least and the most of all placements, each with
// its run, are those of the single ones taken together.
func TestMessagesOfAllRings(t *testing.T) {
	config := model.Config{N: 4, Network: model.FIFO}
	props := []properties.Property{properties.MessagesBounded, properties.AtMost(11)}
	least, most := 1000, 0
	for ring := range model.Placements(4, 4) {
		config.Ring = ring
		m := verify(t, changroberts.Textbook, config, props, properties.Options{Continue: true}).Findings[0].Messages
		least, most = min(least, m.Least), max(most, m.Most)
	}
	config.Ring = nil
	r := verify(t, changroberts.Textbook, config, props, properties.Options{AllRings: true, Continue: true})
	m := r.Findings[0].Messages
	if m.Least != least || m.Most != most || m.LeastRun == nil || m.MostRun == nil {
		t.Errorf("all rings send %v, single ones %d to %d", m, least, most)
	}
	if limit := r.Findings[1]; limit.Verdict != properties.Violated || len(limit.Trace.Steps) != len(m.MostRun.Steps) {
		t.Errorf("messages-bounded(11) is %v", limit.Verdict)
	}
}
