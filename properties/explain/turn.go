package explain

import (
	"context"
	"slices"

	"interleave/explore"
	"interleave/explore/scc"
	"interleave/model"
	"interleave/properties"
)

// future knows from which states a violation can be averted: those from which there is a fair run
// that breaks nothing. Such a run reaches a state in which it may rest, or a fair cycle.
type future struct {
	ctx       context.Context
	reference *model.Reference
	property  properties.Property
	left      int             // states that may still be looked at
	doomed    map[string]bool // states from which it cannot be averted
	unsure    bool            // the bound or the limit has cut something off
}

func newFuture(ctx context.Context, r *model.Reference, p properties.Property, states int) *future {
	return &future{ctx: ctx, reference: r, property: p, left: states, doomed: map[string]bool{}}
}

// turn returns the first step after which the violation at the end of a run cannot be averted
// any more; 0 if it never could. If it can be averted from a state, then from all states
// before it, so the search goes back from the end to the first such state.
func (f *future) turn(run *model.Run) (step int, known bool) {
	last := len(run.Steps) - 1
	if f.property.InState(f.reference.World(run.States[0])) != nil {
		return 0, true
	}
	for k := last; k >= 0; k-- {
		avertable, known := f.avertable(run.States[k])
		if !known {
			return 0, false
		}
		if avertable {
			return k + 1, true
		}
	}
	return 0, true
}

// node is a state that breaks nothing, with its steps.
type node struct {
	key      string
	next     []uint32
	classes  []model.FairClass // of next
	possible map[model.FairClass]explore.Strength
}

// avertable reports whether the violation can be averted from a state that breaks nothing itself.
func (f *future) avertable(s model.State) (averted, known bool) {
	if f.doomed[s.Key()] {
		return false, true
	}
	g := &region{future: f, at: map[string]uint32{}}
	g.add(s)
	for i := 0; i < len(g.states); i++ {
		if len(g.states)-i > f.left || f.ctx.Err() != nil { // all others are to be looked at, too
			return false, false
		}
		f.left--
		rests, cut := g.expand(i)
		switch {
		case rests:
			return true, true
		case cut:
			f.unsure = true
		}
	}
	if g.cycles(indices(len(g.nodes))) {
		return true, true
	}
	if f.unsure {
		return false, false
	}
	for _, n := range g.nodes {
		f.doomed[n.key] = true
	}
	return false, true
}

func indices(n int) []uint32 {
	list := make([]uint32, n)
	for i := range list {
		list[i] = uint32(i)
	}
	return list
}

// region is what can be reached from a state without breaking anything.
type region struct {
	*future
	states []model.State
	nodes  []*node
	at     map[string]uint32
}

// add returns the number of a state.
func (g *region) add(s model.State) uint32 {
	key := s.Key()
	i, ok := g.at[key]
	if !ok {
		i = uint32(len(g.states))
		g.at[key] = i
		g.states, g.nodes = append(g.states, s), append(g.nodes, &node{key: key})
	}
	return i
}

// expand adds those steps out of a state that break nothing. It reports whether a run may rest
// there, and whether the bound cuts off a step.
func (g *region) expand(i int) (rests, cut bool) {
	s, n := g.states[i], g.nodes[i]
	steps, cut := g.reference.Enabled(s)
	n.possible = map[model.FairClass]explore.Strength{}
	rests = !cut
	for _, step := range steps {
		class, owed := g.reference.FairnessOf(s, step)
		if owed != explore.Unfair {
			n.possible[class], rests = owed, false
		}
		if step.Panic != "" || g.property.OnStep(g.reference, s, step) != nil || g.doomed[step.After.Key()] ||
			g.property.InState(g.reference.World(step.After)) != nil {
			continue
		}
		n.next, n.classes = append(n.next, g.add(step.After)), append(n.classes, class)
	}
	return rests, cut
}

// cycles reports whether a fair run can cycle forever among some of the states. If a
// cycle is fair, then so is the strongly connected component around it, at the latest when
// the states are left out where a strongly fair class is possible that the component never
// takes.
func (g *region) cycles(among []uint32) bool {
	place := map[uint32]int{}
	for i, n := range among {
		place[n] = i
	}
	next := make([][]uint32, len(among))
	for i, n := range among {
		for _, m := range g.nodes[n].next {
			if j, ok := place[m]; ok {
				next[i] = append(next[i], uint32(j))
			}
		}
	}
	components := map[int][]uint32{}
	for i, c := range scc.Of(next) {
		components[c] = append(components[c], among[i])
	}
	for _, members := range components {
		if g.fair(members) {
			return true
		}
	}
	return false
}

// fair reports whether a fair run can cycle forever in a component.
func (g *region) fair(members []uint32) bool {
	inside := map[uint32]bool{}
	for _, n := range members {
		inside[n] = true
	}
	taken := map[model.FairClass]bool{}
	for _, n := range members {
		for i, m := range g.nodes[n].next {
			if inside[m] {
				taken[g.nodes[n].classes[i]] = true
			}
		}
	}
	if len(taken) == 0 {
		return false // no cycle
	}
	count, strength := map[model.FairClass]int{}, map[model.FairClass]explore.Strength{}
	for _, n := range members {
		for class, owed := range g.nodes[n].possible {
			count[class]++
			strength[class] = owed
		}
	}
	without := slices.Clone(members)
	for class, owed := range strength {
		switch {
		case taken[class]:
		case owed == explore.Strong:
			without = slices.DeleteFunc(without, func(n uint32) bool { _, possible := g.nodes[n].possible[class]; return possible })
		case count[class] == len(members):
			return false
		}
	}
	if len(without) == len(members) {
		return true
	}
	return len(without) > 0 && g.cycles(without)
}
