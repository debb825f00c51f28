package explore

import "slices"

// Action labels a step. Its lowest byte is the kind of action, by which steps are counted; the
// rest means something to the System only. A state has at most one step for each Action.
type Action uint64

// Kind returns the kind of action.
func (a Action) Kind() uint8 { return uint8(a) }

// System is a graph to be searched: states of Width words, and steps.
type System interface {
	// Width is the number of words in a state, at least one. Only Learn may change it.
	Width() int
	// Initial yields the initial states; it may yield one more than once. The
	// slice is valid until yield returns.
	Initial(yield func(s []uint64) bool)
	// Expander returns a new Expander, for one goroutine to use.
	Expander() Expander
	// Learn makes the given states expandable. It is never called while an
	// Expander is at work. If the packing of states changed, repack turns an old
	// state into a new one.
	Learn(states [][]uint64) (repack Repack, err error)
	// Bytes is the memory that the system itself holds.
	Bytes() int64
}

// Repack writes to dst, of the new width, the state that src was. Several goroutines may
// call it.
type Repack func(dst, src []uint64)

// Expander computes the steps out of states.
type Expander interface {
	// Expand adds to out the steps out of s, always in the same order, and the
	// marks that s and they bear. False: s has to be learned first, and what
	// was added means nothing.
	Expand(s []uint64, out *Steps) bool
	// Held is the memory that the expander itself holds, beside what the system does. It is also
	// asked while the expander is at work.
	Held() int64
}

// Steps collects the steps out of one state.
type Steps struct {
	Known uint64 // marks found already: an Expander may leave them out

	Actions []Action // one for each step
	States  []uint64 // the target of each step, Width words a step
	Marks   []Mark
	Quiet   bool // no step but failures: the run may end here
	Cut     bool // a step to which fairness may be owed was left out
	Left    bool // a step to which it is not owed was left out

	Dead []Action // possible actions that lead nowhere; fairness is owed to them as to any other
}

// Mark is a mark borne by a state, or by a step out of it.
type Mark struct {
	Bit    uint8 // below 64
	OnStep bool
	Action Action // if OnStep; the step need not be among Actions
}

// Reset empties out and keeps its memory.
func (out *Steps) Reset() {
	out.Actions, out.States, out.Marks, out.Dead, out.Quiet, out.Cut, out.Left = out.Actions[:0], out.States[:0], out.Marks[:0], out.Dead[:0], false, false, false
}

// Add appends a step whose target is a copy of s, and returns the copy, to be altered.
func (out *Steps) Add(a Action, s []uint64) []uint64 {
	out.Actions = append(out.Actions, a)
	n := len(out.States)
	out.States = append(out.States, s...)
	return out.States[n:]
}

// Part is the part of the graph of a System that can be reached from one state.
type Part struct {
	System
	First  []uint64                  // the state; only of searches in memory, in an Exact Store
	Inside func(words []uint64) bool // the other states lead nowhere, and are Cut; nil: all are inside
	Takes  *[256]bool                // by Action.Kind: there are no other steps; nil: all
}

// Initial yields the state that the part begins with.
func (p *Part) Initial(yield func([]uint64) bool) { yield(p.First) }

// Expander returns a new expander.
func (p *Part) Expander() Expander { return &partExpander{p.System.Expander(), p} }

// partExpander computes the steps of a part.
type partExpander struct {
	Expander
	part *Part
}

// Expand adds the steps out of words and the marks to out.
func (x *partExpander) Expand(words []uint64, out *Steps) bool {
	if x.part.Inside != nil && !x.part.Inside(words) {
		out.Cut = true
		return true
	}
	if !x.Expander.Expand(words, out) {
		return false
	}
	if takes := x.part.Takes; takes != nil {
		out.only(takes, len(words))
	}
	return true
}

// only leaves of the steps those of some kinds.
func (out *Steps) only(kinds *[256]bool, width int) {
	left := 0
	for k, a := range out.Actions {
		if kinds[a.Kind()] {
			out.Actions[left] = a
			copy(out.States[left*width:], out.States[k*width:][:width])
			left++
		}
	}
	out.Actions, out.States = out.Actions[:left], out.States[:left*width]
	out.Dead = slices.DeleteFunc(out.Dead, func(a Action) bool { return !kinds[a.Kind()] })
	out.Marks = slices.DeleteFunc(out.Marks, func(m Mark) bool { return m.OnStep && !kinds[m.Action.Kind()] })
}
