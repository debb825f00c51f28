package simulate

import (
	"cmp"
	"context"
	"slices"

	"interleave/explore"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/properties/internal/plan"
	"interleave/spec"
)

// system is what compiled.System and model.Interpreted have in common.
type system interface {
	explore.System
	Event(words []uint64, a explore.Action) model.Event
	State(words []uint64) model.State
	Pack(state model.State) ([]uint64, error)
	Kinds() []string
	Locals(words []uint64, numbers []uint32) []uint32
	Local(p spec.ID, number uint32) model.Local
}

// walker takes runs, one after the other. All that it knows is its own.
type walker struct {
	*Question
	traits  spec.Traits
	watches []model.Watch
	judged  uint64            // the marks of violations
	goals   uint64            // the marks of covers
	helps   [256]bool         // the kinds of step that help a Recoverable
	classes [256]model.Budget // of the kinds of step: faults, heals, and the others
	cut     uint8             // the kind of a crash between sends

	recoverables uint64 // the marks of their goals

	sys      system
	tables   bool
	expander explore.Expander
	starts   [][]uint64 // the initial states
	meanings map[explore.Action]meaning
	locals   [model.MaxN + 1][]local
	seen     map[uint64]struct{}

	words   []uint64 // the state where the run is
	step    int      // how many were taken
	out     explore.Steps
	numbers []uint32 // of the local states
}

func newWalker(q *Question) (*walker, error) {
	w := &walker{Question: q, traits: q.Machine.Traits(), judged: 1 << model.PanicMark}
	for i, p := range q.Properties {
		w.watches = append(w.watches, p.Watch)
		switch p.Kind {
		case plan.Cover:
			w.goals |= 1 << i
		case plan.Recoverable:
			w.recoverables |= 1 << i
		default:
			w.judged |= 1 << i
		}
	}
	kinds := q.Reference.StepKinds()
	for k := range kinds.Names() {
		w.classes[k] = kinds.Spends(uint8(k))
	}
	if q.Config.Partitions > 0 {
		w.classes[kinds.OfAction(model.Heal)] = heals
	}
	w.cut, w.helps = kinds.OfAction(model.CrashMidStep), kinds.Helps()
	return w, w.forget()
}

// forget makes new tables.
func (w *walker) forget() (err error) {
	if w.tables = w.Config.HasTables() && !w.Direct; w.tables {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		if w.OnlyReached { // nothing is learned before
			cancel()
		}
		w.sys, err = compiled.NewWithin(ctx, w.Machine, w.Config, w.watches)
	} else {
		w.sys, err = model.NewInterpreted(w.Machine, w.Config, w.watches)
	}
	if err != nil {
		return err
	}
	w.expander, w.starts = w.sys.Expander(), nil
	w.meanings, w.seen = map[explore.Action]meaning{}, map[uint64]struct{}{}
	w.locals = [model.MaxN + 1][]local{}
	for s := range w.sys.Initial {
		w.starts = append(w.starts, slices.Clone(s))
	}
	return nil
}

// spoilt returns an error if a property changed what it was shown.
func (w *walker) spoilt() error {
	if sys, ok := w.sys.(*compiled.System); ok {
		return sys.Spoilt()
	}
	return nil
}

// begin goes to the initial state with a number.
func (w *walker) begin(start int) {
	w.words, w.step = append(w.words[:0], w.starts[start]...), 0
}

// expand computes the steps out of the state. Without tables, what is known of other states may go at any time.
func (w *walker) expand() error {
	if sys, ok := w.sys.(*model.Interpreted); ok && w.full() {
		state := sys.State(w.words)
		if err := w.forget(); err != nil {
			return err
		}
		words, err := w.sys.Pack(state)
		if err != nil {
			return err
		}
		w.words = words
	}
	for {
		w.out.Reset()
		if w.expander.Expand(w.words, &w.out) {
			return nil
		}
		repack, err := w.sys.Learn([][]uint64{w.words})
		if err != nil {
			return err
		}
		if repack == nil {
			continue
		}
		for i, s := range append(w.starts, w.words) {
			again := make([]uint64, w.sys.Width())
			if repack(again, s); i < len(w.starts) {
				w.starts[i] = again
			} else {
				w.words = again
			}
		}
	}
}

// take takes step k out of the state.
func (w *walker) take(k int) {
	width := w.sys.Width()
	w.words = append(w.words[:0], w.out.States[k*width:][:width]...)
	w.step++
}

// violation returns the mark of the first property that the state, or a step out of it, violates.
func (w *walker) violation() (found explore.Mark, any bool) {
	for _, m := range w.out.Marks {
		if w.judged>>m.Bit&1 != 0 && (!any || m.Bit < found.Bit) {
			found, any = m, true
		}
	}
	return found, any
}

// end is how a run ends.
type end uint8

const (
	rested   end = iota // nothing has to happen any more
	unrested            // it is as long as a run may be
	cutShort            // the bound leaves nothing
	violated
	ends // their number
)

// result is what became of a run.
type result struct {
	start   int // the number of its initial state
	steps   int
	fired   []int // by kind of step
	end     end
	mark    explore.Mark // if it is violated
	fresh   []sight
	choices []uint16
	reached uint64    // goals
	after   [64]int32 // by goal: how many steps
	threads int
	odd     bool // it does not come to rest, or a goal of a Recoverable does not hold there
	err     error
}

// recording is what happens in a run, up to the violation.
type recording struct {
	events []model.Event
	after  []int         // so many steps, ascending:
	states []model.State // the run comes to these
}

// run takes a run, and records it unless the recording is nil.
func (w *walker) run(s *schedule, record *recording) (r result) {
	if r.err = w.renew(); r.err != nil {
		return r
	}
	note := func(a explore.Action) {
		if record != nil {
			record.events = append(record.events, w.sys.Event(w.words, a))
		}
	}
	r.start, r.fired = s.start(len(w.starts)), make([]int, len(w.sys.Kinds()))
	keeps := w.Scheduler == Coverage || w.Scheduler == Mixed
	for w.begin(r.start); ; {
		if r.err = w.expand(); r.err != nil {
			return r
		}
		if r.steps, r.threads = w.step, len(s.of); record != nil && slices.Contains(record.after, w.step) {
			record.states = append(record.states, w.sys.State(w.words))
		}
		w.look(&r)
		w.reach(&r)
		if mark, found := w.violation(); found {
			if r.end, r.mark = violated, mark; mark.OnStep {
				note(mark.Action)
			}
			return r
		}
		k := -1
		if len(w.out.Actions) > 0 && w.step < w.Steps {
			k = s.choose(w)
		}
		if k < 0 {
			r.end = w.ending()
			r.odd = r.end == unrested || w.marks()&w.recoverables != w.recoverables
			return r
		}
		note(w.out.Actions[k])
		if keeps {
			r.choices = append(r.choices, uint16(k))
		}
		r.fired[w.out.Actions[k].Kind()]++
		w.mark(&r, k)
		w.take(k)
	}
}

// renew makes new tables if they have grown too large.
func (w *walker) renew() error {
	if !w.full() {
		return nil
	}
	return cmp.Or(w.spoilt(), w.forget())
}

// full reports whether the tables have grown too large.
func (w *walker) full() bool {
	limit := cmp.Or(w.Tables, max(leastTables, mostTables/int64(w.Workers)))
	return w.sys.Bytes() > limit || w.expander.Held() > limit
}

// marks returns those of the state.
func (w *walker) marks() (marks uint64) {
	for _, m := range w.out.Marks {
		if !m.OnStep {
			marks |= 1 << m.Bit
		}
	}
	return marks
}

// reach notes the goals that the state reaches.
func (w *walker) reach(r *result) {
	for _, m := range w.out.Marks {
		if w.goals>>m.Bit&1 != 0 && r.reached>>m.Bit&1 == 0 {
			r.reached |= 1 << m.Bit
			r.after[m.Bit] = int32(w.step)
		}
	}
}

// ending returns how a run ends that goes no further than the state.
func (w *walker) ending() end {
	switch {
	case w.out.Quiet:
		return rested
	case w.step < w.Steps:
		return cutShort
	}
	return unrested
}

// The tables of all walkers together are thrown away past mostTables bytes, but those of one may have leastTables.
const mostTables, leastTables = 512 << 20, 32 << 20
