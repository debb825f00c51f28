package tla

import (
	"cmp"
	"slices"
	"sync"

	"interleave/explore"
	"interleave/tla/eval"
	"interleave/tla/value"
)

// liveSystem is a system whose states have one more word, which tells which of the
// actions in formulas the last step was. A state with such knowledge has a step to the
// same state without it, since a run that comes to rest only stutters. An action
// encodes its class of fairness: the lowest byte is the part, then come two bytes of
// the class and the number of the step.
type liveSystem struct {
	*system
	states  []*eval.Predicate // atoms, by their marks
	actions []*eval.Predicate // atoms of steps; their marks come after
	justice []eval.Justice
	broken  error
	unpaid  string // a fair action that is enabled where the next-state relation does not allow it
	seen    seen
}

// seen caches the results of states: all of them are expanded twice, in the search and
// where runs are judged, and evaluating fairness takes most of the time.
type seen struct {
	mu    sync.RWMutex
	steps map[string]*explore.Steps
	bytes int64
	most  int64 // bytes
}

// keptSteps bounds the bytes of cached steps, unless a quarter of the given memory is
// less.
const keptSteps = 1 << 30

func (k *seen) add(out *explore.Steps, words []uint64) bool {
	k.mu.RLock()
	known := k.steps[key(words)]
	k.mu.RUnlock()
	if known == nil {
		return false
	}
	out.Actions, out.States, out.Marks = append(out.Actions, known.Actions...), append(out.States, known.States...), append(out.Marks, known.Marks...)
	return true
}

// keep caches the steps of a state, if there is room. The slice out had nothing else
// before.
func (k *seen) keep(words []uint64, out *explore.Steps) {
	const others = 200 // of the map, and headers
	k.mu.Lock()
	defer k.mu.Unlock()
	size := others + int64(len(words)+len(out.Actions)+len(out.States)+2*len(out.Marks))*8
	if k.bytes+size > k.most {
		return
	}
	k.bytes += size
	k.steps[key(words)] = &explore.Steps{Actions: slices.Clone(out.Actions), States: slices.Clone(out.States), Marks: slices.Clone(out.Marks)}
}

const (
	forgets    = 255 // the part of steps that only forget
	maxAtoms   = 60
	maxJustice = 1 << 16
)

func (s *liveSystem) wide() bool { return len(s.actions) > 0 }

// outside reports whether a state represents all that constraints cut off: its words
// are zero, which no other state begins with. Nothing is known there, and no run leads
// through it. Steps lead there to show what is possible in the state before, as
// fairness is owed to them, too.
func (s *liveSystem) outside(words []uint64) bool { return words[0] == 0 }

// knows reports whether a state knows anything of the last step.
func (s *liveSystem) knows(words []uint64) bool { return s.wide() && words[s.width] != 0 }

// unrest is the class of every step from a state that knows something. Weak fairness is
// owed to it, so that no run rests there; as all steps are in it, it requires nothing
// of a run that goes on.
func (s *liveSystem) unrest() explore.Action { return explore.Action(len(s.justice)+1) << 8 }

// Width implements explore.System.
func (s *liveSystem) Width() int {
	if s.wide() {
		return s.width + 1
	}
	return s.width
}

// Bytes adds the cache to what the values take.
func (s *liveSystem) Bytes() int64 {
	s.seen.mu.RLock()
	defer s.seen.mu.RUnlock()
	return s.system.Bytes() + s.seen.bytes
}

// Initial yields the initial states.
func (s *liveSystem) Initial(yield func([]uint64) bool) {
	wide := make([]uint64, s.Width())
	s.system.Initial(func(words []uint64) bool {
		copy(wide, words)
		return yield(wide)
	})
}

// Expander implements explore.System.
func (s *liveSystem) Expander() explore.Expander {
	return &liveExpander{s, s.machine.Evaluator(), s.machine.Evaluator()}
}

type liveExpander struct {
	*liveSystem
	ev, other *eval.Evaluator
}

// Held implements explore.Expander.
func (x *liveExpander) Held() int64 { return 0 }

// Expand adds a step for every class that it belongs to, or one of no class.
func (x *liveExpander) Expand(words []uint64, out *explore.Steps) bool {
	if x.outside(words) {
		out.Cut = true
		return true
	}
	if x.seen.add(out, words) {
		return true
	}
	first := len(out.Actions)
	vals := x.decode(words[:x.width])
	err := x.marks(words, vals, out)
	if err == nil {
		err = x.steps(words, vals, out)
	}
	if err != nil {
		x.mu.Lock()
		x.broken = err
		x.mu.Unlock()
		out.Marks = append(out.Marks, explore.Mark{Bit: markFailed})
	} else if first == 0 {
		x.seen.keep(words, out)
	}
	return true
}

func (x *liveExpander) marks(words []uint64, vals []value.Value, out *explore.Steps) error {
	for i, q := range x.states {
		ok, err := x.other.Holds(q, vals, nil)
		if err != nil {
			return err
		}
		if ok {
			out.Marks = append(out.Marks, explore.Mark{Bit: uint8(i)})
		}
	}
	if x.wide() {
		for i := range x.actions {
			if words[x.width]>>i&1 != 0 {
				out.Marks = append(out.Marks, explore.Mark{Bit: uint8(len(x.states) + i)})
			}
		}
	}
	return nil
}

func (x *liveExpander) steps(words []uint64, vals []value.Value, out *explore.Steps) error {
	possible := make([]bool, len(x.justice))
	n := 0
	var inner error
	err := x.ev.Next(vals, func(part int, next []value.Value) bool {
		inner = x.step(words, vals, next, explore.Action(min(part, 254))|explore.Action(n)<<24, possible, out)
		n++
		return inner == nil
	})
	if err := cmp.Or(inner, err); err != nil {
		return err
	}
	for i, j := range x.justice {
		if possible[i] {
			continue
		}
		ok, err := x.other.Holds(j.Enabled, vals, nil)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		x.mu.Lock()
		x.unpaid = j.Name
		x.mu.Unlock()
		if err := x.lead(out.Add(explore.Action(i+1)<<8|explore.Action(n)<<24, words), nil, false); err != nil {
			return err
		}
		n++
	}
	if x.knows(words) {
		out.Add(forgets|x.unrest(), words)[x.width] = 0
	}
	return nil
}

// step adds a step for every class that it belongs to.
func (x *liveExpander) step(words []uint64, vals, next []value.Value, a explore.Action, possible []bool, out *explore.Steps) error {
	first := len(out.States)
	within, err := x.allowed(x.other, vals, next)
	if err != nil {
		return err
	}
	for i, j := range x.justice {
		ok, err := x.other.Holds(j.Taken, vals, next)
		if err != nil {
			return err
		}
		if ok {
			possible[i] = true
			if err := x.lead(out.Add(a|explore.Action(i+1)<<8, words), next, within); err != nil {
				return err
			}
		}
	}
	if !within {
		return nil
	}
	if x.knows(words) {
		a |= x.unrest()
	}
	if x.knows(words) || len(out.States) == first {
		if err := x.lead(out.Add(a, words), next, true); err != nil {
			return err
		}
	}
	if !x.wide() {
		return nil
	}
	seen := uint64(0)
	for i, q := range x.actions {
		ok, err := x.other.Holds(q, vals, next)
		if err != nil {
			return err
		}
		if ok {
			seen |= 1 << i
		}
	}
	for at := first + x.width; at < len(out.States); at += x.width + 1 {
		out.States[at] = seen
	}
	return nil
}

// lead writes the state that a step leads to.
func (x *liveExpander) lead(dst []uint64, next []value.Value, within bool) error {
	clear(dst)
	if !within {
		return nil
	}
	return x.encode(dst[:x.width], next, nil)
}

// fairness returns the fairness of the class of a step.
func (s *liveSystem) fairness(_ []uint64, a explore.Action) (explore.Class, explore.Strength) {
	class := uint64(a) >> 8 & 0xffff
	if class == 0 {
		return 0, explore.Unfair
	}
	if class <= uint64(len(s.justice)) && s.justice[class-1].Strong {
		return explore.Class(class), explore.Strong
	}
	return explore.Class(class), explore.Weak
}
