package explore

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"interleave/internal/rapidtest"
)

// weigh gives the first steps out of a state of a drawing weights 0 to 3.
func weigh(a Action) int { return int(a>>8) % 4 }

// TestExtremes compares the extremes of random graphs with those found by
// relaxing every edge until nothing changes.
func TestExtremes(t *testing.T) {
	unbounded, endless := 0, 0
	missing := func() error {
		if unbounded == 0 || endless == 0 {
			return fmt.Errorf("the graphs are too alike: %d unbounded, %d that never end", unbounded, endless)
		}
		return nil
	}
	rapidtest.Until(t, missing, func(t *rapid.T) {
		d := drawings(t)
		if rapid.Bool().Draw(t, "forward only") {
			for s, arrows := range d.arrows {
				for i := range arrows {
					arrows[i].to = max(arrows[i].to, s)
				}
			}
		}
		g := mustSearch(t, d, Options{Workers: rapid.IntRange(1, 3).Draw(t, "workers")}).Graph
		e, err := g.Extremes(t.Context(), weigh, 0)
		if err != nil {
			t.Fatal(err)
		}
		if anew, err := g.Extremes(t.Context(), weigh, 2*(&weigher{graph: g}).arcsBytes()-1); err != nil || !reflect.DeepEqual(anew, e) {
			t.Fatalf("where no arcs are kept %+v (%v), else %+v", anew, err, e)
		}
		want := relax(d)
		if e.Unbounded != want.Unbounded || e.Ends != want.Ends || e.Most != want.Most || e.Least != want.Least {
			t.Fatalf("got %+v, want %+v", e, want)
		}
		if g.States() > 0 {
			follow(t, g, d, e.MostPath, e.Most, e.Unbounded)
		}
		if e.Ends {
			follow(t, g, d, e.LeastPath, e.Least, false)
		}
		unbounded += boolInt(e.Unbounded)
		endless += boolInt(!e.Ends)
	})
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// relax finds the extremes of a drawing the slow way.
func relax(d *drawing) Extremes {
	n := len(d.arrows)
	const far = 1 << 30
	most, least := make([]int, n), make([]int, n)
	reachable := map[int]bool{}
	for s := range n {
		most[s], least[s] = -1, far
	}
	for _, s := range d.initial {
		most[s], least[s], reachable[s] = 0, 0, true
	}
	var e Extremes
	for round := 0; ; round++ {
		changed := false
		for s, arrows := range d.arrows {
			for _, a := range arrows {
				if !reachable[s] {
					continue
				}
				reachable[a.to] = true
				if w := most[s] + weigh(a.action); w > most[a.to] {
					most[a.to], changed = w, true
				}
				if w := least[s] + weigh(a.action); w < least[a.to] {
					least[a.to], changed = w, true
				}
			}
		}
		if !changed {
			break
		}
		if round > 4*n {
			e.Unbounded = true
			break
		}
	}
	e.Least = far
	for s := range reachable {
		quiet := true
		for _, a := range d.arrows[s] {
			quiet = quiet && a.action.Kind() == uint8(failure)
		}
		if quiet && least[s] < e.Least {
			e.Least, e.Ends = least[s], true
		}
		if !e.Unbounded {
			e.Most = max(e.Most, most[s])
		}
	}
	if !e.Ends {
		e.Least = 0
	}
	return e
}

// follow checks that a path exists, begins at the beginning and has the weight
// that is claimed; or that its end closes a loop which weighs something.
func follow(t *rapid.T, g *Graph, d *drawing, p Path, weight int, loops bool) {
	packing := packings[g.sys.(*drawing).packing]
	number := func(n int) int { return int(packing.state(g.State(n))) }
	total := 0
	since := map[int]int{p.States[0]: 0}
	for i, a := range p.Actions {
		found := false
		for _, arrow := range d.arrows[number(p.States[i])] {
			found = found || arrow.action == a && arrow.to == number(p.States[i+1])
		}
		if !found {
			t.Fatalf("step %d of %+v does not exist", i, p)
		}
		total += weigh(a)
		if i == len(p.Actions)-1 && loops {
			before, met := since[p.States[i+1]]
			if !met || total == before {
				t.Fatalf("%+v closes no loop that weighs something", p)
			}
		}
		since[p.States[i+1]] = total
	}
	if !loops && total != weight {
		t.Fatalf("%+v weighs %d, not %d", p, total, weight)
	}
	if !loops && len(p.States) != len(p.Actions)+1 {
		t.Fatalf("%+v", p)
	}
}

// TestExtremesWithin: runs are weighed within so much memory, or not at all.
func TestExtremesWithin(t *testing.T) {
	g := mustSearch(t, cube(12), Options{}).Graph
	want, err := g.Extremes(t.Context(), weigh, 0)
	if err != nil {
		t.Fatal(err)
	}
	refused, least := 0, int64(8*g.States())
	for memory := int64(1); ; memory += least / 4 {
		e, err := g.Extremes(t.Context(), weigh, memory)
		if err == nil {
			if !reflect.DeepEqual(e, want) || memory < least {
				t.Errorf("within %d bytes: %+v, want %+v", memory, e, want)
			}
			break
		}
		if refused++; err != ErrMemory || memory > 100*least {
			t.Fatalf("within %d bytes: %v", memory, err)
		}
	}
	if refused < 4 {
		t.Errorf("refused %d times", refused)
	}
	chain := blank(20_000) // of which the first state is a run that ends
	chain.initial = []int{0, 1}
	for s := range 19_998 {
		chain.arrows[s+1] = []arrow{{advance, s + 2}}
	}
	forward := mustSearch(t, chain, Options{}).Graph
	chain.arrows[19_999] = []arrow{{advance, 19_999}}
	cycling := mustSearch(t, chain, Options{}).Graph
	const keeps = 750_000 // at first, and there is not enough left for the path
	for _, row := range []struct {
		g      *Graph
		within int64
		want   error
	}{{forward, 400_000, nil}, {cycling, 400_000, ErrMemory}, {cycling, keeps, nil}} {
		if _, err := row.g.Extremes(t.Context(), weigh, row.within); err != row.want {
			t.Errorf("a long path within %d bytes: %v, want %v", row.within, err, row.want)
		}
	}
	if cycles, err := mustSearch(t, draw("a", "ab ba"), Options{}).Graph.Cycles(t.Context(), 1); cycles || err != ErrMemory {
		t.Errorf("cycles within a byte: %v, %v", cycles, err)
	}
}

func TestExtremesCancelled(t *testing.T) {
	g := mustSearch(t, cube(15), Options{}).Graph
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if e, err := g.Extremes(ctx, weigh, 0); err != context.Canceled {
		t.Errorf("%+v, %v", e, err)
	}
}
