package simulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"interleave/explore"
	"interleave/internal/printable"
	"interleave/model"
	"interleave/properties/internal/plan"
	"interleave/spec"
)

// Question is what is asked of one world.
type Question struct {
	Machine    spec.Machine
	Config     model.Config
	Reference  *model.Reference
	Properties []plan.Property // of kinds that Judges and, with ThenVerify, Recoverables
	NoPanic    plan.Property

	Scheduler   Scheduler
	Depth       int           // of PCT
	Runs        int           // 0: until the context ends
	Steps       int           // of a run, at most
	For         time.Duration // a run that goes on after it does not count; 0: no limit
	Seed        uint64
	Workers     int
	Direct      bool  // without tables
	OnlyReached bool  // no handler is called for a step that is not possible in a state of a run
	Tables      int64 // bytes past which those of a walker are thrown away; 0: see mostTables

	ThenVerify int // how many states a search from a suspicious state may meet; 0: there is none

	Progress func(Stats)
}

// Judges reports whether a run can show that a property of some kind is violated, or that a goal is reached.
func Judges(k plan.Kind) bool {
	return slices.Contains([]plan.Kind{plan.Invariant, plan.Quiescent, plan.EveryStep, plan.Cover}, k)
}

// Stats says what the runs met.
type Stats struct {
	Runs       int            `json:"runs"`
	Steps      int64          `json:"steps"`
	Longest    int            `json:"longest"`   // run, in steps
	Rested     int            `json:"rested"`    // runs that became quiescent
	Unrested   int            `json:"unrested"`  // runs that did not within the steps that they may have
	CutShort   int            `json:"cut_short"` // runs that the bound ended
	Fired      map[string]int `json:"fired"`
	LocalSteps int            `json:"local_steps"`      // distinct: a process, its local state and an event
	Views      int            `json:"views"`            // distinct
	Full       bool           `json:"full"`             // there are more of them, which were not counted
	LateSteps  int            `json:"late_local_steps"` // of LocalSteps: first met in the last tenth of the runs
	LateViews  int            `json:"late_views"`
	Threads    int            `json:"threads"`  // of PCT: the most of a run
	Measured   int            `json:"measured"` // of PCT: the runs that were known to have up to Longest steps, as all have; Bound is of these
}

// Bound is the probability with which each of the Measured runs finds a bug of a depth, at least: 1/(n k^(d-1)) for n
// threads and k steps. Others draw the moments of change from too few steps, or from more than a run has.
func (s *Stats) Bound(depth int) float64 {
	return 1 / (max(1, float64(s.Threads)) * math.Pow(max(1, float64(s.Longest)), float64(depth-1)))
}

// Answer is what came of the runs.
type Answer struct {
	Stats
	Found   *Found
	Reached map[int]Reached // by property: goals
	Ahead   Ahead
}

// Found is a violation.
type Found struct {
	Property int  // its place; that after the last: NoPanic
	Run      int  // its number, from 1; 0: it has none
	Steps    int  // before the run was made smaller
	Ahead    int  // of these: by a search from a suspicious state
	Whole    bool // it was made smaller to the end, and of no smaller one it stayed open whether it violates the property
	Reason   string
	Trace    *model.Trace
}

// Reached says which run reached a goal first, and after how many steps.
type Reached struct {
	Run   int `json:"run"` // from 1
	Steps int `json:"steps"`
}

// generation is how many runs are taken with the same knowledge of earlier ones, at most.
const generation = 256

// simulation is the answer in the making.
type simulation struct {
	*Question
	Answer
	coverage *coverage
	history  history
	fired    []int
	walkers  []*walker
	scouts   []*walker           // they search from suspicious states, which changes their tables
	met      map[uint64]struct{} // suspicious states, by hash
}

// Answer takes the runs, up to the first with a violation. Searches from suspicious states go on when For is over.
func (q *Question) Answer(ctx context.Context) (Answer, error) {
	s := &simulation{
		Question: q, coverage: newCoverage(), fired: make([]int, len(q.Reference.StepKinds().Names())),
		Answer: Answer{Reached: map[int]Reached{}, Ahead: Ahead{Open: map[int]int{}}}, met: map[uint64]struct{}{},
	}
	err := s.answer(ctx)
	if err == nil && s.Found != nil && s.Found.Property < len(s.Properties) && s.Properties[s.Found.Property].Kind.OfWhatFollows() {
		err = s.audit(ctx)
	}
	return s.Answer, s.blamed(ctx, err)
}

// blamed returns an error. If code contradicts itself, an audit of what walkers know of it may say why.
func (s *simulation) blamed(ctx context.Context, err error) error {
	if s.Machine.Traits().Code == nil || !errors.As(err, new(*plan.ContradictionError)) {
		return err
	}
	return cmp.Or(s.audit(ctx), err)
}

// audit lets other histories of the states of existing code take their steps.
func (s *simulation) audit(ctx context.Context) error {
	for _, w := range slices.Concat(s.walkers, s.scouts) {
		if code := w.machine.Traits().Code; code != nil {
			if _, _, why := code.Audit(ctx); why != nil {
				return why
			}
		}
	}
	return nil
}

// answer takes the runs.
func (s *simulation) answer(ctx context.Context) (err error) {
	if err := s.begin(); err != nil {
		return err
	}
	q, whole := s.Question, ctx
	if q.For > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, q.For)
		defer cancel()
	}
	size := min(16, generation) // the first tell how long runs are
	for ctx.Err() == nil && s.Found == nil && (q.Runs == 0 || s.Stats.Runs < q.Runs) {
		if q.Runs > 0 {
			size = min(size, q.Runs-s.Stats.Runs)
		}
		s.history = s.learned()
		first, results := s.Stats.Runs, s.generation(ctx, size)
		merged := s.merge(whole, results)
		if merged == nil && s.Found == nil && q.ThenVerify > 0 {
			merged = s.lookAhead(whole, first, results)
		}
		for _, w := range slices.Concat(s.walkers, s.scouts) { // what is wrong with a run may come from that
			err = cmp.Or(err, w.spoilt())
		}
		if err = cmp.Or(err, merged); err != nil {
			return err
		}
		if q.Progress != nil {
			q.Progress(s.Stats)
		}
		size = generation
	}
	s.sum()
	return nil
}

// learned is what the next generation knows of those before.
func (s *simulation) learned() history {
	h := history{longest: max(1, s.Longest), typical: 1, corpus: slices.Clone(s.coverage.corpus)}
	if s.Stats.Runs == 0 {
		h.longest, h.typical = s.Question.Steps, min(s.Question.Steps, 100)
	}
	if s.Stats.Runs > 0 {
		h.typical = 1 + int(s.Stats.Steps/int64(s.Stats.Runs))
	}
	return h
}

// begin makes the walkers.
func (s *simulation) begin() error {
	for range s.Workers {
		w, err := newWalker(s.Question)
		if err != nil {
			return err
		}
		s.walkers = append(s.walkers, w)
		if s.ThenVerify == 0 {
			continue
		}
		if w, err = newWalker(s.Question); err != nil {
			return err
		}
		s.scouts = append(s.scouts, w)
	}
	return nil
}

// generation takes so many runs, or, if the context ends, the first of them; up to the first with a violation or an error.
func (s *simulation) generation(ctx context.Context, size int) []result {
	results := make([]result, size)
	results = results[:s.parallel(ctx, size, func(worker, n int) (last bool) {
		results[n] = s.walkers[worker].run(ctx, newSchedule(s.Question, s.Stats.Runs+n, &s.history), nil)
		return results[n].err != nil || results[n].end == violated
	})]
	ends := func(end end) int { return slices.IndexFunc(results, func(r result) bool { return r.end == end }) }
	first := ends(abandoned)
	if first >= 0 && ends(violated) < 0 {
		return results[:first]
	}
	for ; first >= 0 && first < ends(violated); first = ends(abandoned) { // the same runs again come to this violation
		results[first] = s.walkers[0].run(context.WithoutCancel(ctx), newSchedule(s.Question, s.Stats.Runs+first, &s.history), nil)
		if results[first].err != nil || results[first].end == violated {
			return results[:first+1]
		}
	}
	return results
}

// parallel has the workers do the parts of some work, numbered below size: those up to the first that is the last or, if
// the context ends, fewer. It returns how many.
func (s *simulation) parallel(ctx context.Context, size int, do func(worker, n int) (last bool)) int {
	var next, last atomic.Int64 // the part to do next, and the last that matters
	last.Store(int64(size) - 1)
	var done sync.WaitGroup
	var panicked atomic.Pointer[explore.Panic]
	for worker := range s.walkers {
		done.Go(func() {
			returned := false
			defer func() {
				if said := recover(); said != nil || !returned {
					panicked.Store(&explore.Panic{Said: cmp.Or(said, any("runtime.Goexit was called, as FailNow and SkipNow of a test do")), Stack: debug.Stack()})
				}
			}()
			for panicked.Load() == nil && ctx.Err() == nil {
				n := next.Add(1) - 1
				if n > last.Load() {
					break
				}
				if do(worker, int(n)) {
					for at := last.Load(); n < at && !last.CompareAndSwap(at, n); at = last.Load() {
					}
				}
			}
			returned = true
		})
	}
	done.Wait()
	if p := panicked.Load(); p != nil {
		panic(p)
	}
	return int(min(next.Load(), last.Load()+1))
}

// merge counts the runs of a generation, in their order, up to a violation.
func (s *simulation) merge(ctx context.Context, results []result) (err error) {
	for i := range results {
		r := &results[i]
		if r.err != nil {
			return r.err
		}
		s.Stats.Runs++
		s.Stats.Steps += int64(r.steps)
		s.Longest, s.Threads = max(s.Longest, r.steps), max(s.Threads, r.threads)
		if s.history.longest != s.Longest {
			s.Measured = 0
		} else if s.Scheduler.of(s.Stats.Runs-1) == PCT {
			s.Measured++
		}
		for kind, n := range r.fired {
			s.fired[kind] += n
		}
		for i, p := range s.Properties {
			if _, before := s.Reached[i]; !before && p.Kind == plan.Cover && r.reached>>i&1 != 0 {
				s.Reached[i] = Reached{s.Stats.Runs, int(r.after[i])}
			}
		}
		s.coverage.add(s.Stats.Runs, r)
		switch r.end {
		case rested:
			s.Rested++
		case unrested:
			s.Unrested++
		case cutShort:
			s.CutShort++
		case violated:
			s.Found, err = s.found(ctx, s.walkers[0], func() *schedule { return newSchedule(s.Question, s.Stats.Runs-1, &s.history) }, r)
			if s.Found != nil {
				s.Found.Run = s.Stats.Runs
			}
		}
	}
	return err
}

// sum fills in what is counted of all runs together.
func (s *simulation) sum() {
	s.Fired = map[string]int{}
	for kind, name := range s.Reference.StepKinds().Names() {
		s.Fired[name] += s.fired[kind]
	}
	s.LocalSteps, s.Views = s.coverage.counts[0], s.coverage.counts[1]
	s.Full = max(s.LocalSteps, s.Views) == mostSeen
	late := s.coverage.late(s.Stats.Runs)
	s.LateSteps, s.LateViews = late[0], late[1]
}

// found makes a run with a violation smaller, and records it. If its events are not known it is taken once more.
func (q *Question) found(ctx context.Context, w *walker, again func() *schedule, r *result) (*Found, error) {
	if r.events == nil {
		var taken recording
		same := w.run(context.WithoutCancel(ctx), again(), &taken)
		if same.err != nil {
			return nil, same.err
		}
		if same.end != violated || same.mark.Bit != r.mark.Bit {
			return nil, errNotAgain
		}
		r.events = taken.events
	}
	return q.shown(ctx, q.Reference.Initial()[r.start], r.events, r.mark.Bit, 0)
}

// shown makes a run smaller that violates the property with a mark, and records it. If that is a Recoverable, a number of
// states can follow its end without a further fault.
func (q *Question) shown(ctx context.Context, initial model.State, events []model.Event, bit uint8, states int) (*Found, error) {
	property, at := q.NoPanic, len(q.Properties)
	if bit != model.PanicMark {
		property, at = q.Properties[bit], int(bit)
	}
	var fewer []model.Event
	var whole bool
	var err error
	if property.Kind == plan.Recoverable {
		fewer, whole, property, err = q.nearest(ctx, initial, events, property, states)
	} else {
		fewer, whole, err = Minimise(ctx, q.Reference, initial, events, property)
	}
	if err != nil {
		return nil, err
	}
	trace, run, err := model.Record(q.Reference, initial, fewer)
	if err != nil {
		return nil, notRepeated(err)
	}
	reason := property.False(run, 0)
	if reason == nil {
		return nil, &plan.ContradictionError{Reason: fmt.Sprintf("%s is not false at the end of its counterexample", property.Name)}
	}
	trace.Property, trace.Reason = property.Name, printable.Text(reason.Error())
	return &Found{Property: at, Steps: len(events), Whole: whole, Reason: trace.Reason, Trace: trace}, nil
}

// Follow takes the run whose steps some bytes choose, as far as they go. The handlers are called at every step, so that a
// fuzzer that watches their code sees what each run covers. It returns the violation that the run comes to; nil: none.
func (q *Question) Follow(data []byte) (*Found, error) {
	w, err := newWalker(q)
	if err != nil {
		return nil, err
	}
	chosen := func() *schedule { return &schedule{chosen: true, data: data} }
	r := w.run(context.Background(), chosen(), nil)
	if r.err != nil || r.end != violated {
		return nil, r.err
	}
	return q.found(context.Background(), w, chosen, &r)
}

// notRepeated is the error for a run that was not recorded: see package plan.
func notRepeated(err error) error {
	if lost := (*model.RoundTripError)(nil); errors.As(err, &lost) {
		return lost
	}
	return &plan.ContradictionError{Reason: fmt.Sprintf("a counterexample does not replay: %v", err)}
}
