package explore

import "slices"

// outlook is what questions about runs look at in a state: the marks that it
// bears, and the steps out of it, in the Expander's order.
type outlook struct {
	marks   uint64
	cut     bool // a step was left out
	strides []stride
}

// stride is a step, but for what is done in it.
type stride struct {
	to    uint32 // state, or nowhere
	class uint32 // number of its class; 0: nothing is owed to it
}

// nowhere is where a step leads if the search ended before what is there was
// expanded.
const nowhere = 1<<32 - 1

// outlooks tells the outlook of each state of a graph that was expanded. A
// question asks for most of them more than once, and the next question does so
// again: they are kept if there is memory.
type outlooks struct {
	graph   *Graph
	fair    Fairness
	ignored uint64            // marks that nobody asks for
	numbers map[Class]uint32  // of classes, from 1 on
	owed    []Strength        // to each class, by number
	scratch []stride          // of the outlook told last, if they are not kept
	kept    []outlookOfStates // of so many states each; nil: they are not kept
}

// outlookOfStates is what is kept of some states in a row.
type outlookOfStates struct {
	marks   [keptTogether]uint64
	cut     [keptTogether]bool
	ends    [keptTogether]uint32 // of the strides of each
	strides []stride
}

const (
	keptTogether = 1024
	outlookBytes = 8 + 1 + 4 // of each state
	strideBytes  = 8
)

func newOutlooks(g *Graph, fair Fairness, asked uint64) *outlooks {
	return &outlooks{graph: g, fair: fair, ignored: ^asked, numbers: map[Class]uint32{}, owed: []Strength{Unfair}}
}

// bytes is what keeping them takes.
func (o *outlooks) bytes() int64 {
	return outlookBytes*int64(o.graph.expanded+keptTogether) + strideBytes*int64(o.graph.transitions)
}

// keep finds out all of them. It asks pause now and then, which is told how many
// are known, whether to go on.
func (o *outlooks) keep(pause func(known int) error) error {
	kept := make([]outlookOfStates, (o.graph.expanded+keptTogether-1)/keptTogether)
	for n := range o.graph.expanded {
		if err := pause(n); err != nil {
			return err
		}
		look, some, i := o.of(n), &kept[n/keptTogether], n%keptTogether
		some.marks[i], some.cut[i] = look.marks, look.cut
		some.strides = append(some.strides, look.strides...)
		some.ends[i] = uint32(len(some.strides))
		if i == keptTogether-1 {
			some.strides = slices.Clip(some.strides)
		}
	}
	o.kept = kept
	return nil
}

// of returns the outlook of a state, valid until the next call.
func (o *outlooks) of(state int) outlook {
	if o.kept != nil {
		some, i := &o.kept[state/keptTogether], state%keptTogether
		first := uint32(0)
		if i > 0 {
			first = some.ends[i-1]
		}
		return outlook{some.marks[i], some.cut[i], some.strides[first:some.ends[i]]}
	}
	words := o.graph.State(state)
	steps := o.graph.expandFor(words, o.ignored)
	look := outlook{cut: steps.Cut, strides: o.scratch[:0]}
	for _, m := range steps.Marks {
		if !m.OnStep {
			look.marks |= 1 << m.Bit
		}
	}
	for i, a := range steps.Actions {
		to := uint32(nowhere)
		if n := o.graph.target(steps, i); n >= 0 {
			to = uint32(n)
		}
		look.strides = append(look.strides, stride{to, o.number(words, a)})
	}
	o.scratch = look.strides
	return look
}

// number returns that of the class of a step, 0 if nothing is owed to it.
func (o *outlooks) number(words []uint64, a Action) uint32 {
	c, s := o.fair(words, a)
	if s == Unfair {
		return 0
	}
	n, known := o.numbers[c]
	if !known {
		n = uint32(len(o.owed))
		o.numbers[c], o.owed = n, append(o.owed, s)
	}
	return n
}

// action returns what is done in a stride out of a state, by its place.
func (o *outlooks) action(state, i int) Action { return o.graph.expand(state).Actions[i] }
