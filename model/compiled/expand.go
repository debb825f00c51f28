package compiled

import (
	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// An expander computes steps from tables in three ways. Each is faster than the one before, and
// possible in fewer worlds. All use these terms:
//
//	message  one to a process, and its sender, by number
//	move     what a process does in a local state with a message or an internal action
//	internal action    an event other than a message that may happen in a local state
//
// By rows (row.go), in any world:
//
//	row      what one process may do in one local state with one inbox
//	rowStep  a move in a row that may happen whatever the rest of the state is
//	lane     the fields of one process in a state, and its rows
//
// By bits, in a flat system, whose inboxes are bit sets of messages (flat.go):
//
//	group    the processes of one word of a state
//	option   one bit in a number that a group has for a state: what one process may do
//	flatStep an option in one local state: the bits that it changes
//	summary  which options the local states of a process, or of a group, allow
//
// In one word, in a dense system, which has two words if flat (dense.go):
//
//	denseStep  a flatStep in that word

// expander computes the steps out of packed states from the tables alone. If it is learning, it
// adds what the tables lack.
type expander struct {
	current
	summaries [][knownSummaries]knownSummary // by group of a flat system

	nextsFor spec.Set // the live processes for which nexts is known
	nexts    [model.MaxN]spec.ID

	watcher
}

func newExpander(s *System, learning bool) *expander {
	return &expander{current: current{rowMaker: rowMaker{reader: reader{world: &s.world, learning: learning}, sys: s}}}
}

// Expand adds the steps out of words, and the marks, to out. The steps are in the order of
// Reference.Steps.
func (x *expander) Expand(words []uint64, out *explore.Steps) bool {
	x.words, x.out, out.Quiet = words, out, true
	if !x.expand() {
		return false
	}
	if !x.learning {
		x.watch(x.sys, x.words, x.views, out)
	}
	return true
}

// expand adds the steps out of the current state.
func (x *expander) expand() bool {
	if d := x.sys.dense; d != nil {
		return d.expand(x, x.words[0])
	}
	if f := x.sys.flat; f != nil && f.version == x.sys.version && f.expand(x) {
		return true
	}
	return x.expandRows()
}

// expandRows adds the steps out of the current state by rows.
func (x *expander) expandRows() bool {
	if !x.load() {
		return false
	}
	mayCrash := x.left(model.Crashes)
	x.mayCut = x.cutsLeft()
	switch {
	case mayCrash || x.sys.hasMessageFaults:
		for i := range x.tables {
			if !x.steps(i) || !x.addFaults(i, mayCrash) {
				return false
			}
		}
	case x.sys.reduction != nil && x.sys.reduction.ample(x):
		if !x.steps(x.alone) {
			return false
		}
	default:
		for _, i := range x.busy[:x.busyCount] {
			if !x.steps(int(i)) {
				return false
			}
		}
	}
	return x.config.Partitions == 0 || x.networkFaults()
}

// steps adds the steps of process i+1.
func (x *expander) steps(i int) bool {
	r := x.at[i]
	if len(r.internal) > 0 && !x.internalSteps(x.tables[i], i, r) {
		return false
	}
	return x.rowSteps(i, r)
}

// addFaults adds the crash of process i+1, and what may happen to the messages on their way to it.
func (x *expander) addFaults(i int, mayCrash bool) bool {
	t, r := x.tables[i], x.at[i]
	if info := &t.Info[r.local]; mayCrash && info.Fails && !x.crash(x.sys.Doing(model.Crash, t.ID, 0), i, x.words, info.Down, x.config.Pay(model.Crashes, x.env)) {
		return false
	}
	return !x.sys.hasMessageFaults || x.messageFaults(t, i, r)
}

// internalSteps adds the steps of process i+1 that take no message.
func (x *expander) internalSteps(t *Tables, i int, r *row) bool {
	for k := range r.internal {
		d := x.allowed(t, &t.internal[r.local][r.internal[k].number], r.box)
		if d == nil {
			continue
		}
		m, ok := x.internalMoveOf(t, r, k)
		if !ok {
			return false
		}
		if t.Moves[m].Refused {
			continue
		}
		x.out.Quiet = x.out.Quiet && !d.obliged
		x.next, x.optional = x.config.Pay(d.spends, x.env), !d.obliged
		for k := range t.Moves[m].others + 1 {
			if move := &t.Moves[m+k]; !x.fire(i, move, move.Action&^0xff|explore.Action(d.kind), r.box) {
				return false
			}
		}
		x.next, x.optional = x.env, false
	}
	return true
}

// rowSteps adds the steps of process i+1 that may happen whatever the rest of the state is.
func (x *expander) rowSteps(i int, r *row) bool {
	if len(r.steps) == 0 {
		return true
	}
	x.out.Quiet = false
	if len(x.words) <= 2 && !x.sys.layout.apart {
		return x.rowStepsNarrow(i, r)
	}
	for k := range r.steps {
		st := &r.steps[k]
		if !x.fire(i, st.move, st.action, x.lanes[i].rest(r, st)) {
			return false
		}
	}
	return true
}

// rowStepsNarrow is rowSteps for states of one word or two, which it keeps in registers: most of
// the time is spent here.
func (x *expander) rowStepsNarrow(i int, r *row) bool {
	out, first, wide := x.out, x.lanes[i].first, len(x.words) == 2
	w0, w1 := x.words[0], x.words[len(x.words)-1]
	for k := range r.steps {
		st := &r.steps[k]
		if st.to == several {
			if !x.fire(i, st.move, st.action, x.lanes[i].rest(r, st)) {
				return false
			}
			continue
		}
		v0, v1 := w0^st.change&first, w1^st.change&^first
		if st.to != nobody && (x.allLive || x.reaches(int(st.to))) {
			to, box := &x.lanes[st.to], x.at[st.to].box
			after := uint32(to.tables.insert.at(box, st.message) - 1)
			if after == never {
				var ok bool
				if after, ok = to.with(box, st.message, x.learning); !ok {
					return false
				}
			}
			change := to.box.place(box ^ after)
			v0 ^= change & to.first
			v1 ^= change &^ to.first
		}
		out.Actions = append(out.Actions, st.action)
		if out.States = append(out.States, v0); wide {
			out.States = append(out.States, v1)
		}
	}
	return true
}
