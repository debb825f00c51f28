package explore

import (
	"testing"

	"interleave/explore/ltl"
)

// leafy draws a binary tree of so many levels, whose leaves lead back to its root, and those on
// the left to the root of the left half, too. A strong step leads from the root out of the tree.
func leafy(levels int) (d *fairDrawing, out int) {
	out = 1<<levels - 1
	d = &fairDrawing{drawing: blank(out + 1), class: map[Action]Class{}, strength: map[Class]Strength{1: Weak, 2: Strong}}
	d.initial = []int{0}
	step := func(from, to int, class Class) {
		a := advance | Action(len(d.class))<<8
		d.class[a] = class
		d.arrows[from] = append(d.arrows[from], arrow{a, to})
	}
	for s := range out {
		switch left, right := 2*s+1, 2*s+2; {
		case right < out:
			step(s, left, 1)
			step(s, right, 1)
		default:
			step(s, 0, 1)
			if leftHalf(s) {
				step(s, 1, 1)
			}
		}
	}
	step(0, out, 2)
	return d, out
}

func leftHalf(s int) bool {
	for s > 2 {
		s = (s - 1) / 2
	}
	return s == 1
}

// TestLargeComponents: what is asked about cycles is answered where the only component has very
// many states: the tree, and the left half of it where a fair run must not meet the root.
func TestLargeComponents(t *testing.T) {
	d, out := leafy(15)
	d.marks[out] = []Mark{{Bit: 0}}
	r := mustSearch(t, d.drawing, Options{})
	if cycles, err := r.Graph.Cycles(t.Context(), 0); err != nil || !cycles {
		t.Errorf("there are cycles: %v, %v", cycles, err)
	}
	lastLeaf := d.arrows[out-1][0].action
	if e, err := r.Graph.Extremes(t.Context(), func(a Action) int { return boolInt(a == lastLeaf) }, 0); err != nil || !e.Unbounded {
		t.Errorf("there is a heaviest run, of %d, %v", e.Most, err)
	}
	leaves, err := ltl.Parse("<>p")
	if err != nil {
		t.Fatal(err)
	}
	for strength, mayMeetRoot := range map[Strength]bool{Weak: true, Strong: false} {
		d.strength[2] = strength
		runs, err := r.Graph.FairRuns(t.Context(), RunOptions{Fair: d.fairness, Atoms: 1})
		if err != nil || !runs.Cycle() {
			t.Fatalf("%v: a fair run may cycle: %v, %v", strength, runs.Cycle(), err)
		}
		lasso, found, err := runs.Accepted(t.Context(), ltl.Not(leaves).Automaton([]string{"p"}), []uint8{0})
		if err != nil || !found {
			t.Fatalf("%v: a run that never leaves the tree is found: %v, %v", strength, found, err)
		}
		for _, n := range lasso.States[lasso.Loop:] {
			if s := statesOf(r)[n]; s == out || !mayMeetRoot && !leftHalf(s) {
				t.Errorf("%v: a loop through %d is found", strength, s)
			}
		}
	}
}
