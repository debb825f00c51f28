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

	Cut bool // one of these is such a state itself, by a bound or a limit: not only by steps that lead nowhere
}

// RecoveryOptions say what the goal is, which steps help, and limit what the search backwards may take.
type RecoveryOptions struct {
	Goal     uint8      // the mark of its states
	Helps    [256]bool  // by Action.Kind
	Memory   int64      // bytes, on top of the graph; 0: no limit
	Progress func(Look) // called now and then
}

const lookForGoal = "from where the goal can be reached"

// recovery is a call of Recovery.
type recovery struct {
	RecoveryOptions
	graph       *Graph
	known       uint64       // the marks that are not asked for: after the first pass all
	reach, open numbers      // states that reach the goal, and that reach a state out of which a step was left out
	cut         numbers      // states out of which a step was left out, but for steps that lead nowhere
	waiting     [][]uint32   // by block: the states that are not known to reach the goal, each with how many helping steps there are out of it, and where they lead; nil: not kept
	held        atomic.Int64 // bytes of these
}

// pass looks at all states once, and reports whether it found something.
func (r *recovery) pass(ctx context.Context) (more bool, err error) {
	const together = batchStates / keptTogether
	pauses := RunOptions{Progress: r.Progress}
	var found atomic.Bool
	blocks := len(r.waiting)
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
	if r.waiting[block] != nil {
		return r.again(block)
	}
	list := []uint32{}
	first := block * keptTogether
	for n := min(first+keptTogether, r.graph.expanded) - 1; n >= first; n-- {
		if r.reach.has(n) {
			continue
		}
		reach, open, to := r.look(w, n, append(list, uint32(n), 0))
		if found = r.note(n, reach, open) || found; !reach {
			to[len(list)+1] = uint32(len(to) - len(list) - 2)
			list = to
		}
	}
	if bytes := 4 * int64(cap(list)); r.held.Add(bytes) <= r.Memory-bytesOfSets(r.graph.expanded) || r.Memory == 0 {
		r.waiting[block] = list
	} else {
		r.held.Add(-bytes)
	}
	return found
}

// again looks at the states of a block that wait.
func (r *recovery) again(block int) (found bool) {
	list, rest := r.waiting[block], r.waiting[block][:0]
	for len(list) > 0 {
		n, state := int(list[0]), list[:2+list[1]]
		reach, open := false, false
		for _, to := range state[2:] {
			reach, open = reach || r.reach.has(int(to)), open || r.open.has(int(to))
		}
		if found = r.note(n, reach, open) || found; !reach {
			rest = append(rest, state...)
		}
		list = list[len(state):]
	}
	r.waiting[block] = rest
	return found
}

// note takes in what is known of state n, and reports whether it is new.
func (r *recovery) note(n int, reach, open bool) bool {
	switch {
	case reach:
		r.reach.add(n)
	case open && !r.open.has(n):
		r.open.add(n)
	default:
		return false
	}
	return true
}

// look reports whether state n is known to reach the goal; if it is not, also whether it is known to reach a state out of
// which a step was left out, and appends to list where the steps that help lead.
func (r *recovery) look(w *worker, n int, list []uint32) (reach, open bool, _ []uint32) {
	words := r.graph.store.state(n)
	steps := w.again(words, r.known)
	if r.known>>r.Goal&1 == 0 && slices.ContainsFunc(steps.Marks, func(m Mark) bool { return m.Bit == r.Goal && !m.OnStep }) {
		return true, false, list
	}
	cut := steps.Cut || steps.Left
	open = cut || slices.ContainsFunc(steps.Dead, func(a Action) bool { return r.Helps[a.Kind()] })
	for i, a := range steps.Actions {
		if !r.Helps[a.Kind()] {
			continue
		}
		switch to := r.graph.target(steps.States[i*len(words):][:len(words)]); {
		case to < 0:
			open, cut = true, true
		case r.reach.has(to):
			return true, false, list
		default:
			list, open = append(list, uint32(to)), open || r.open.has(to)
		}
	}
	if cut {
		r.cut.add(n)
	}
	return false, open, list
}

// bytesOfSets is how many bytes the sets of a recovery take.
func bytesOfSets(states int) int64 { return int64(states) / 8 * 3 }

// numbers is a set of numbers. While a goroutine adds to it, others may read it, and add numbers that differ by 64.
type numbers []uint64

func newNumbers(limit int) numbers { return make(numbers, (limit+63)/64) }

func (s numbers) has(n int) bool { return atomic.LoadUint64(&s[n/64])>>(n%64)&1 != 0 }

func (s numbers) add(n int) { atomic.OrUint64(&s[n/64], 1<<(n%64)) }
