package explore

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestPart compares a part of a graph, by some steps and inside some states, with what a walk on the drawing meets.
func TestPart(t *testing.T) {
	cuts, smaller := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		d := drawings(t).fresh()
		state := rapid.IntRange(0, len(d.arrows)-1)
		for _, s := range rapid.SliceOfN(state, 0, 3).Draw(t, "marks") {
			d.marks[s] = append(d.marks[s], Mark{Bit: 1, OnStep: true, Action: failure}, Mark{Bit: 2, OnStep: true, Action: advance})
			d.arrows[s] = append(d.arrows[s], arrow{failure, dead})
		}
		first, outside := state.Draw(t, "first"), rapid.SliceOfN(state, 0, 3).Draw(t, "outside")
		words := make([]uint64, d.Width())
		packings[d.packing].pack(words, uint64(first))
		part := &Part{System: d, First: words, Inside: func(words []uint64) bool {
			return !slices.Contains(outside, int(packings[d.packing].state(words)))
		}}
		if rapid.Bool().Draw(t, "helping") {
			helps := helping()
			part.Takes = &helps
		}
		met, marks := map[int]bool{first: true}, uint64(0)
		for ahead := []int{first}; len(ahead) > 0; ahead = ahead[1:] {
			if slices.Contains(outside, ahead[0]) {
				cuts++
				continue
			}
			for _, m := range d.marks[ahead[0]] {
				if !m.OnStep || part.Takes == nil || part.Takes[m.Action.Kind()] {
					marks |= 1 << m.Bit
				}
			}
			for _, a := range d.arrows[ahead[0]] {
				if a.to != dead && !met[a.to] && (part.Takes == nil || part.Takes[a.action.Kind()]) {
					met[a.to] = true
					ahead = append(ahead, a.to)
				}
			}
		}
		r, err := Search(context.Background(), part, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Stats.States != len(met) || r.Marks != marks {
			t.Fatalf("%d states and marks %b, want %d and %b", r.Stats.States, r.Marks, len(met), marks)
		}
		for n := range r.Stats.States {
			if !met[int(packings[d.packing].state(r.Graph.State(n)))] {
				t.Fatalf("state %v is no part", r.Graph.State(n))
			}
			steps := r.Graph.expand(n)
			if part.Takes != nil && slices.Contains(steps.Dead, failure) {
				t.Fatal("a failure that leads nowhere is left")
			}
		}
		if len(met) < len(d.arrows) {
			smaller++
		}
	})
	if cuts == 0 || smaller == 0 {
		t.Errorf("%d states outside, %d parts smaller than the whole", cuts, smaller)
	}
}
