package explore_test

import (
	"context"
	"fmt"

	"interleave/explore"
	"interleave/explore/ltl"
)

// jugs is a riddle: with a jug for 3 gallons, one for 5 and a tap, measure out 4.
// A state is one word: 8 times what the big jug holds, plus what the small does.
type jugs struct{}

const solved = 0 // the mark of states with 4 gallons in the big jug

var deeds = []string{"fill small", "fill big", "empty small", "empty big", "small into big", "big into small"}

func (jugs) Width() int                                          { return 1 }
func (jugs) Initial(yield func([]uint64) bool)                   { yield([]uint64{0}) }
func (jugs) Expander() explore.Expander                          { return jugs{} }
func (jugs) Learn([][]uint64) (repack explore.Repack, err error) { return nil, nil }
func (jugs) Held() int64                                         { return 0 }
func (jugs) Bytes() int64                                        { return 0 }

func (jugs) Expand(s []uint64, out *explore.Steps) bool {
	small, big := s[0]%8, s[0]/8
	up, down := min(small, 5-big), min(big, 3-small)
	add := func(deed explore.Action, small, big uint64) { out.Add(deed, s)[0] = 8*big + small }
	add(0, 3, big)
	add(1, small, 5)
	add(2, 0, big)
	add(3, small, 0)
	add(4, small-up, big+up)
	add(5, small+down, big-down)
	if big == 4 {
		out.Marks = append(out.Marks, explore.Mark{Bit: solved})
	}
	return true // nothing has to be learned
}

// tell fingerprints a path: each deed, and what is in the jugs then.
func tell(g *explore.Graph, p explore.Path) {
	for i, a := range p.Actions {
		s := g.State(p.States[i+1])[0]
		fmt.Printf("%-14s  %d %d\n", deeds[a], s%8, s/8)
	}
}

func ExampleSearch() {
	r, err := explore.Search(context.Background(), jugs{}, explore.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v: %d states, %d steps\n", r.Outcome, r.Stats.States, r.Stats.Transitions)
	tell(r.Graph, r.Graph.Path(r.Found(solved).State))
	// Output:
	// exhausted: 16 states, 96 steps
	// fill big        0 5
	// big into small  3 2
	// empty small     0 2
	// big into small  2 0
	// fill big        2 5
	// big into small  3 4
}

func ExampleOptions_stop() {
	r, err := explore.Search(context.Background(), jugs{}, explore.Options{Stop: 1 << solved})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Outcome, "after", r.Found(solved).Depth, "steps")
	// Output: stopped after 6 steps
}

// The jugs may be filled and emptied forever without the puzzle being solved,
// however fair one is to each deed.
func ExampleFairRuns_Accepted() {
	r, err := explore.Search(context.Background(), jugs{}, explore.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fair := func(_ []uint64, a explore.Action) (explore.Class, explore.Strength) {
		return explore.Class(a), explore.Strong
	}
	runs, err := r.Graph.FairRuns(context.Background(), explore.RunOptions{Fair: fair})
	if err != nil {
		fmt.Println(err)
		return
	}
	never := ltl.Not(ltl.Eventually(ltl.Atom("solved"))).Automaton([]string{"solved"})
	if lasso, ok, _ := runs.Accepted(context.Background(), never, []uint8{solved}); ok {
		tell(r.Graph, lasso.Path)
		fmt.Println("and again from step", lasso.Loop+1)
	}
	// Output:
	// fill small      3 0
	// fill big        3 5
	// empty small     0 5
	// empty big       0 0
	// small into big  0 0
	// big into small  0 0
	// and again from step 1
}
