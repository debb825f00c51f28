package ltl

import (
	"context"
	"fmt"
	"slices"

	"interleave/explore/scc"
)

// reduce makes the automaton smaller. It accepts the same words as before.
func (a *Automaton) reduce() {
	for before := -1; a.size() != before; {
		before = a.size()
		a.trim()
		a.thin()
		a.merge()
		a.prune()
	}
}

// size returns the number of states and edges.
func (a *Automaton) size() int {
	size := len(a.States)
	for _, s := range a.States {
		size += len(s.Next)
	}
	return size
}

// trim removes the states that cannot be reached, and those from which no run is accepted. Where
// membership of acceptance sets makes no difference it becomes uniform: a state that no run
// visits twice is in all of them, and a state in a component in which no run is accepted is in
// none.
func (a *Automaton) trim() {
	all := uint64(1)<<a.Accepting - 1
	met, useful := a.met(), make([]bool, len(a.States))
	parts := scc.Search{Nodes: len(a.States)}
	parts.Follow = func(s int, out []uint32) []uint32 {
		if met[s] {
			for _, t := range a.States[s].Next {
				out = append(out, uint32(t))
			}
		}
		return out
	}
	parts.Found = func(part []uint32, cyclic bool) error {
		accept, leads := uint64(0), false
		for _, s := range part {
			accept |= a.States[s].Accept
			leads = leads || slices.ContainsFunc(a.States[s].Next, func(t int) bool { return useful[t] })
		}
		for _, s := range part {
			useful[s] = met[s] && (leads || cyclic && accept == all)
			switch {
			case !cyclic:
				a.States[s].Accept = all
			case accept != all:
				a.States[s].Accept = 0
			}
		}
		return nil
	}
	if err := parts.Run(context.Background()); err != nil {
		panic(err) // there is no reason to fail
	}
	names := make([]int, len(a.States))
	kept := 0
	for s := range names {
		names[s] = -1
		if useful[s] {
			names[s] = kept
			kept++
		}
	}
	a.rename(names, kept)
}

// met reports which states can be reached.
func (a *Automaton) met() []bool {
	met := make([]bool, len(a.States))
	for queue := a.Initial; len(queue) > 0; queue = queue[1:] {
		if s := queue[0]; !met[s] {
			met[s] = true
			queue = slices.Concat(queue, a.States[s].Next)
		}
	}
	return met
}

// thin removes acceptance sets that include another one.
func (a *Automaton) thin() {
	var kept []int
	for i := range a.Accepting {
		if slices.ContainsFunc(kept, func(j int) bool { return a.includes(i, j) }) {
			continue
		}
		kept = slices.DeleteFunc(kept, func(j int) bool { return a.includes(j, i) })
		kept = append(kept, i)
	}
	for n := range a.States {
		s := &a.States[n]
		old := s.Accept
		s.Accept = 0
		for to, i := range kept {
			s.Accept |= old >> i & 1 << to
		}
	}
	a.Accepting = len(kept)
}

// includes reports whether acceptance set i has every state of set j.
func (a *Automaton) includes(i, j int) bool {
	return !slices.ContainsFunc(a.States, func(s State) bool { return s.Accept>>j&1 > s.Accept>>i&1 })
}

// merge unites states that read the same letters, are in the same acceptance sets, and have the
// same successors once these are merged.
func (a *Automaton) merge() {
	class := make([]int, len(a.States))
	for count := 0; ; {
		classes := map[string]int{}
		finer := make([]int, len(a.States))
		for i, s := range a.States {
			key := fmt.Sprint(s.True, s.False, s.Accept, renamed(s.Next, class))
			if _, ok := classes[key]; !ok {
				classes[key] = len(classes)
			}
			finer[i] = classes[key]
		}
		if class = finer; len(classes) == count {
			break
		}
		count = len(classes)
	}
	a.rename(class, slices.Max(append(class, -1))+1)
}

// prune removes the edges to a state from where an edge leads also to another state that can do
// everything that this one can.
func (a *Automaton) prune() {
	better := make([][]int, len(a.States))
	for s := range a.States {
		for t := range a.States {
			if s != t && a.States[s].within(&a.States[t]) {
				better[s] = append(better[s], t)
			}
		}
	}
	best := func(states []int) []int {
		return slices.DeleteFunc(slices.Clone(states), func(s int) bool {
			return slices.ContainsFunc(better[s], func(t int) bool { return slices.Contains(states, t) })
		})
	}
	a.Initial = best(a.Initial)
	for s := range a.States {
		a.States[s].Next = best(a.States[s].Next)
	}
}

// within reports whether t reads every letter that s reads, is in all acceptance sets that s is
// in, and leads to every state that s leads to.
func (s *State) within(t *State) bool {
	return s.True&t.True == t.True && s.False&t.False == t.False && s.Accept&t.Accept == s.Accept &&
		!slices.ContainsFunc(s.Next, func(n int) bool { _, ok := slices.BinarySearch(t.Next, n); return !ok })
}

// rename gives states new names below count, or removes them if that is -1.
// States of one name become one.
func (a *Automaton) rename(names []int, count int) {
	states := make([]State, count)
	for i, s := range a.States {
		if names[i] >= 0 {
			s.Next = renamed(s.Next, names)
			states[names[i]] = s
		}
	}
	a.States = states
	a.Initial = renamed(a.Initial, names)
}

// renamed returns the new names of states, each once and in order.
func renamed(states, names []int) []int {
	var renamed []int
	for _, s := range states {
		if names[s] >= 0 {
			renamed = append(renamed, names[s])
		}
	}
	slices.Sort(renamed)
	return slices.Compact(renamed)
}
