package explore

import (
	"context"
	"slices"
	"sync/atomic"
)

// Recovery says from which of the expanded states of a graph a goal can be reached by steps that help.
type Recovery struct {
	Lost  int // states from which it cannot be reached
	First int // the one of these with the lowest number, so that none is less deep; -1: there is none
	Open  int // states from which that is not known: the goal is not reached, but a state is out of which a step was left out
}

// RecoveryOptions say what the goal is, which steps help, and limit what the search backwards may take.
type RecoveryOptions struct {
	Goal     uint8      // the mark of its states
	Helps    [256]bool  // by Action.Kind
	Memory   int64      // bytes, on top of the graph; 0: no limit
	Progress func(Look) // called now and then
}

const lookForGoal = "from where the goal can be reached"

// Recovery finds the states from which a goal can be reached. A state that was not expanded counts as one out of which
// all steps were left out. The error is that of ctx, if it ends first, ErrMemory, ErrOnDisk or ErrNotKept.
//
// Predecessors are not listed. The states are looked at from the last to the first, again and again until nothing is
// new, and only those that are not known to reach the goal. Since most steps lead to a deeper state, there are few such
// passes. What is found is the same in any order, so it does not depend on the workers.
func (g *Graph) Recovery(ctx context.Context, o RecoveryOptions) (*Recovery, error) {
	switch {
	case g.parentLog != nil:
		return nil, ErrNotKept
	case g.disk != nil:
		return nil, ErrOnDisk
	case o.Memory > 0 && int64(g.expanded)/4 > o.Memory:
		return nil, ErrMemory
	}
	r := &recovery{RecoveryOptions: o, graph: g, first: true, reach: newNumbers(g.expanded), open: newNumbers(g.expanded)}
	for more := true; more; r.first = false {
		var err error
		if more, err = r.pass(ctx); err != nil {
			return nil, err
		}
	}
	found := &Recovery{First: -1}
	for n := range g.expanded {
		switch {
		case r.reach.has(n):
		case r.open.has(n):
			found.Open++
		default:
			if found.Lost++; found.First < 0 {
				found.First = n
			}
		}
	}
	return found, nil
}

// recovery is a call of Recovery.
type recovery struct {
	RecoveryOptions
	graph       *Graph
	first       bool    // it is the first pass
	reach, open numbers // states that reach the goal, and that reach a state out of which a step was left out
}

// pass looks at all states once, and reports whether it found something.
func (r *recovery) pass(ctx context.Context) (more bool, err error) {
	const together = batchStates / keptTogether
	pauses := RunOptions{Progress: r.Progress}
	var found atomic.Bool
	blocks := (r.graph.expanded + keptTogether - 1) / keptTogether
	for done := 0; done < blocks; done += together {
		if err := pauses.pause(ctx, Look{lookForGoal, done * keptTogether, r.graph.expanded}); err != nil {
			return false, err
		}
		r.graph.pool.each(min(together, blocks-done), func(w *worker, i int) {
			if r.block(w, blocks-1-done-i) {
				found.Store(true)
			}
		})
	}
	return found.Load(), nil
}

// block looks at some consecutive states.
func (r *recovery) block(w *worker, block int) (found bool) {
	first := block * keptTogether
	for n := min(first+keptTogether, r.graph.expanded) - 1; n >= first; n-- {
		if r.reach.has(n) {
			continue
		}
		switch reach, open := r.look(w, n); {
		case reach:
			r.reach.add(n)
			found = true
		case open && !r.open.has(n):
			r.open.add(n)
			found = true
		}
	}
	return found
}

// look reports whether state n is known to reach the goal; if it is not, whether it is known to reach a state out of
// which a step was left out. Whether it is the goal is asked last, and once, since most states have a step to one that
// reaches it.
func (r *recovery) look(w *worker, n int) (reach, open bool) {
	words := r.graph.store.state(n)
	steps := w.again(words, ^uint64(0))
	open = steps.Cut || steps.Left || slices.ContainsFunc(steps.Dead, func(a Action) bool { return r.Helps[a.Kind()] })
	for i, a := range steps.Actions {
		if !r.Helps[a.Kind()] {
			continue
		}
		to := r.graph.target(steps.States[i*len(words):][:len(words)])
		if to >= 0 && r.reach.has(to) {
			return true, false
		}
		open = open || to < 0 || r.open.has(to)
	}
	return r.first && slices.ContainsFunc(w.again(words, ^(1<<r.Goal)).Marks, func(m Mark) bool { return m.Bit == r.Goal && !m.OnStep }), open
}

// target returns the number of the target of a step, or -1 if that was not expanded. Several goroutines may call it.
func (g *Graph) target(words []uint64) int {
	n := g.store.find(words, Hash(words))
	switch {
	case n >= 0 && n < g.expanded:
		return n
	case g.whole:
		panic(Contradiction("a step leads to a state that the search has not found"))
	}
	return -1
}

// numbers is a set of numbers. While a goroutine adds to it, others may read it, and add numbers that differ by 64.
type numbers []uint64

func newNumbers(limit int) numbers { return make(numbers, (limit+63)/64) }

func (s numbers) has(n int) bool { return atomic.LoadUint64(&s[n/64])>>(n%64)&1 != 0 }

func (s numbers) add(n int) { atomic.OrUint64(&s[n/64], 1<<(n%64)) }
