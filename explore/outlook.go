package explore

import (
	"slices"
	"sync"
)

// outlook is what questions about runs need to know of a state: its marks, and the steps out of
// it, in the order of the Expander.
type outlook struct {
	marks   uint64
	cut     bool // a step was left out
	strides []stride
}

// stride is a step without its action.
type stride struct {
	to    uint32 // state, or nowhere
	class uint32 // number of its class; 0: no fairness is owed to it
}

// outlooks computes the outlook of each expanded state of a graph. Every question asks for most
// of them more than once, so they are kept if there is memory.
type outlooks struct {
	graph   *Graph
	fair    Fairness
	ignored uint64            // marks that no question asks for
	oracles []*oracle         // one for each worker
	kept    []outlookOfStates // of keptTogether states each; nil: they are not kept

	mutex   sync.Mutex       // protects the fields below, while outlooks are computed
	numbers map[Class]uint32 // of classes, from 1 on
	owed    []Strength       // to each class, by number
}

// oracle computes outlooks on one goroutine.
type oracle struct {
	*outlooks
	worker  *worker
	known   map[Class]uint32 // those of the numbers that it has met
	look    []stride         // of the state computed last
	to      []uint32         // the targets of these
	strides []stride         // of several states
}

// outlookOfStates is the outlooks of several consecutive states.
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
	o := &outlooks{graph: g, fair: fair, ignored: ^asked, numbers: map[Class]uint32{}, owed: []Strength{Unfair}}
	for _, w := range g.crew.workers {
		o.oracles = append(o.oracles, &oracle{outlooks: o, worker: w, known: map[Class]uint32{}})
	}
	return o
}

// bytes is how much memory it takes to keep all of them.
func (o *outlooks) bytes() int64 {
	return outlookBytes*int64(o.graph.expanded+keptTogether) + strideBytes*int64(o.graph.transitions)
}

// keep computes all of them, with all workers. Now and then it calls pause with how many are
// known, and ends if that returns an error.
func (o *outlooks) keep(pause func(known int) error) error {
	blocks := (o.graph.expanded + keptTogether - 1) / keptTogether
	kept := make([]outlookOfStates, blocks)
	const together = batchStates / keptTogether
	for first := 0; first < blocks; first += together {
		if err := pause(first * keptTogether); err != nil {
			return err
		}
		o.graph.crew.each(min(together, blocks-first), func(w *worker, i int) {
			o.oracles[w.number].find(&kept[first+i], (first+i)*keptTogether)
		})
	}
	o.kept = kept
	return nil
}

// find computes the outlooks of consecutive states from first on.
func (o *oracle) find(some *outlookOfStates, first int) {
	o.strides = o.strides[:0]
	for i := range min(keptTogether, o.graph.expanded-first) {
		look := o.of(first + i)
		some.marks[i], some.cut[i] = look.marks, look.cut
		o.strides = append(o.strides, look.strides...)
		some.ends[i] = uint32(len(o.strides))
	}
	some.strides = slices.Clone(o.strides)
}

// of returns the outlook of a state, valid until the next call.
func (o *outlooks) of(state int) outlook {
	if o.kept == nil {
		return o.oracles[0].of(state)
	}
	some, i := &o.kept[state/keptTogether], state%keptTogether
	first := uint32(0)
	if i > 0 {
		first = some.ends[i-1]
	}
	return outlook{some.marks[i], some.cut[i], some.strides[first:some.ends[i]]}
}

// of computes the outlook of a state, valid until the next call.
func (o *oracle) of(state int) outlook {
	words := o.graph.State(state)
	steps := o.worker.again(words, o.ignored)
	look := outlook{cut: steps.Cut, strides: o.look[:0]}
	for _, m := range steps.Marks {
		if !m.OnStep {
			look.marks |= 1 << m.Bit
		}
	}
	o.to = o.graph.targets(steps, o.to[:0])
	for i, a := range steps.Actions {
		look.strides = append(look.strides, stride{o.to[i], o.class(words, a)})
	}
	for _, a := range steps.Dead {
		look.strides = append(look.strides, stride{nowhere, o.class(words, a)})
	}
	o.look = look.strides
	return look
}

// class returns the number of the class of a step, 0 if no fairness is owed to it.
func (o *oracle) class(words []uint64, a Action) uint32 {
	c, s := o.fair(words, a)
	if s == Unfair {
		return 0
	}
	n, known := o.known[c]
	if !known {
		n = o.number(c, s)
		o.known[c] = n
	}
	return n
}

// number returns the number of a class to which fairness is owed. It depends on which worker
// meets which class first; no result about runs does.
func (o *outlooks) number(c Class, s Strength) uint32 {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	n, known := o.numbers[c]
	if !known {
		n = uint32(len(o.owed))
		o.numbers[c], o.owed = n, append(o.owed, s)
	}
	return n
}

// action returns the action of a stride out of a state, given by its place.
func (o *outlooks) action(state, i int) Action { return o.graph.expand(state).Actions[i] }
