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

	machine  spec.Machine // existing code is the walker's own: states of another it does not know
	sys      system
	tables   bool
	expander explore.Expander
	starts   [][]uint64 // the initial states
	meanings map[explore.Action]meaning
	locals   [model.MaxN + 1][]local
	seen     map[uint64]struct{}

	words   []uint64 // the state where the run is
	step    int      // how many were taken
	next    int      // from this step of the run on, tables that are full are thrown away
	way     way      // there, if there is existing code
	out     explore.Steps
	numbers []uint32 // of the local states
}

// way is how a run comes to a state.
type way struct {
	start  int // the number of its initial state
	events []model.Event
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
	return w, w.forget(true)
}

// forget makes new tables, which may learn something before they are asked. Existing code forgets what it knows of objects.
func (w *walker) forget(ahead bool) (err error) {
	if w.machine = w.Machine; w.traits.Code != nil {
		w.machine = w.traits.Code.Fresh()
	}
	if w.tables = w.Config.HasTables() && !w.Direct; w.tables {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		if w.OnlyReached || !ahead {
			cancel()
		}
		w.sys, err = compiled.NewWithin(ctx, w.machine, w.Config, w.watches)
	} else {
		w.sys, err = model.NewInterpreted(w.machine, w.Config, w.watches)
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
	w.words = append(w.words[:0], w.starts[start]...)
	w.depart(way{start: start})
}

// depart begins a run in the state where the walker is, to which there is a way.
func (w *walker) depart(from way) {
	if w.step, w.next, w.way = 0, seldom, from; w.Tables > 0 {
		w.next = 1
	}
}

// seldom is how many steps a run has before tables are thrown away within it, unless their limit is given: what it needs
// itself may be more than the limit.
const seldom = 100

// retrace makes a state known to existing code, by the way there. A state of no code is always known.
func (w *walker) retrace(to way, state model.State) error {
	if w.traits.Code == nil {
		return nil
	}
	r, err := model.NewReference(w.machine, w.Config)
	if err != nil {
		return err
	}
	at := r.Initial()[to.start]
	for _, e := range to.events {
		step, err := r.Do(at, e)
		if err != nil || step.Panic != "" {
			return errNotAgain
		}
		at = step.After
	}
	if at.Key() != state.Key() {
		return errNotAgain
	}
	return nil
}

// errNotAgain is the error for a run that is not the same when it is taken again.
var errNotAgain = &plan.ContradictionError{Reason: "a run comes out differently when it is taken again"}

// expand computes the steps out of the state. What is known of other states may go on the way, each time after twice as
// many steps, as existing code takes them again.
func (w *walker) expand() error {
	if w.step >= w.next && w.full() {
		w.next = 2 * w.step
		state := w.sys.State(w.words)
		if err := cmp.Or(w.spoilt(), w.forget(false)); err != nil {
			return err
		}
		if err := w.retrace(w.way, state); err != nil {
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
	if w.traits.Code != nil {
		w.way.events = append(w.way.events, w.sys.Event(w.words, w.out.Actions[k]))
	}
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
	abandoned // the context ended
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
	odd     bool          // it does not come to rest, or a goal of a Recoverable does not hold there
	events  []model.Event // of existing code, if it is violated
	err     error
}

// recording is what happens in a run, up to the violation.
type recording struct {
	events []model.Event
	after  []int         // so many steps, ascending:
	states []model.State // the run comes to these
}

// run takes a run, and records it unless the recording is nil.
func (w *walker) run(ctx context.Context, s *schedule, record *recording) (r result) {
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
		if ctx.Err() != nil {
			r.end = abandoned
			return r
		}
		if r.err = w.expand(); r.err != nil {
			return r
		}
		if r.steps, r.threads = w.step, len(s.of); record != nil && slices.Contains(record.after, w.step) {
			record.states = append(record.states, w.sys.State(w.words))
		}
		w.look(&r)
		w.reach(&r)
		if mark, found := w.violation(); found {
			if r.end, r.mark, r.events = violated, mark, w.way.events; mark.OnStep {
				note(mark.Action)
				if w.traits.Code != nil {
					r.events = append(r.events, w.sys.Event(w.words, mark.Action))
				}
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
	return cmp.Or(w.spoilt(), w.forget(true))
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
