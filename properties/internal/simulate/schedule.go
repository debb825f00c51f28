package simulate

import (
	"math/rand/v2"
	"slices"

	"interleave/model"
)

// Scheduler is a way to choose steps.
type Scheduler uint8

const (
	Mixed    Scheduler = iota // the others in turn
	Uniform                   // any step of a state
	PCT                       // by random priorities of threads, which change at a few random moments
	Faults                    // faults at random moments, in combinations that are rare otherwise; else any step
	Coverage                  // as Uniform or Faults, from where an earlier run met something new
)

// SchedulerNames are the schedulers in words.
var SchedulerNames = []string{"mixed", "uniform", "pct", "faults", "coverage"}

func (s Scheduler) String() string { return SchedulerNames[s] }

// MarshalText writes the scheduler in words.
func (s Scheduler) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// of returns the scheduler of one run.
func (s Scheduler) of(run int) Scheduler {
	if s == Mixed {
		return Uniform + Scheduler(run%(len(SchedulerNames)-1))
	}
	return s
}

// history is what the schedules of one generation of runs know of those before.
type history struct {
	longest int        // steps of a run
	typical int        // the mean
	corpus  [][]uint16 // beginnings of runs, up to where they met something new
}

// A schedule chooses the steps of one run.
type schedule struct {
	random *rand.Rand
	prefix []uint16 // what it chooses first
	plain  bool     // faults are steps as any others
	chosen bool     // by data
	data   []byte
	moments
	priorities
	some []int // the steps to choose from
}

// newSchedule returns the schedule of a run.
func newSchedule(q *Question, run int, known *history) *schedule {
	s := &schedule{random: rand.New(rand.NewPCG(q.Seed, uint64(run)))}
	switch q.Scheduler.of(run) {
	case Uniform:
		s.plain = true
	case PCT:
		s.priorities = newPriorities(s.random, q.Depth, known.longest)
	case Coverage:
		s.plain = s.random.IntN(2) == 0
		if n := len(known.corpus); n > 0 && s.random.IntN(8) > 0 {
			s.prefix = known.corpus[s.random.IntN(n)]
		}
	}
	if !s.plain {
		s.moments = newMoments(s.random, &q.Config, known.typical)
	}
	return s
}

// start returns the number of the initial state.
func (s *schedule) start(n int) int {
	if s.chosen {
		return max(0, s.next(n))
	}
	return s.random.IntN(n)
}

// next returns which of n the data choose; -1 at their end.
func (s *schedule) next(n int) int {
	of, size := 0, 1
	for ; n > size && len(s.data) > 0; size <<= 8 {
		of, s.data = of<<8|int(s.data[0]), s.data[1:]
	}
	if n > size {
		return -1
	}
	return of % n
}

// choose returns the place of the next step among those out of the state; -1: the run ends.
func (s *schedule) choose(w *walker) int {
	switch n := len(w.out.Actions); {
	case s.chosen:
		return s.next(n)
	case w.step < len(s.prefix):
		return int(s.prefix[w.step]) % n
	case s.plain:
		return s.random.IntN(n)
	}
	if k := s.due(s, w, false); k >= 0 {
		return k
	}
	if s.choices(w, func(kind uint8) bool { return w.classes[kind] == model.Unlimited }) {
		return s.pick(w)
	}
	return s.due(s, w, true)
}

// choices lists the steps of some kinds.
func (s *schedule) choices(w *walker, of func(kind uint8) bool) (any bool) {
	s.some = s.some[:0]
	for k, a := range w.out.Actions {
		if of(a.Kind()) {
			s.some = append(s.some, k)
		}
	}
	return len(s.some) > 0
}

// pick returns one of the choices.
func (s *schedule) pick(w *walker) int {
	if s.of != nil {
		s.highest(w)
	}
	return s.some[s.random.IntN(len(s.some))]
}

// priorities are those of PCT (Burckhardt et al., A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs,
// 2010). A thread is a link, or what one process does of its own accord of one kind. If one may take several steps, it
// takes any.
type priorities struct {
	of      map[uint32]uint64 // by thread, drawn when it is first met; nil: there are none
	changes []int             // the numbers of the steps after which a thread gets a lower priority than all before
}

// newPriorities draws the moments of change for runs of up to so many steps.
func newPriorities(random *rand.Rand, depth, longest int) priorities {
	p := priorities{of: map[uint32]uint64{}}
	for range depth - 1 {
		p.changes = append(p.changes, 1+random.IntN(longest))
	}
	return p
}

// highest leaves of the choices those of the thread with the highest priority, and takes that down if it is time.
func (s *schedule) highest(w *walker) {
	var first uint32
	most := uint64(0)
	for _, k := range s.some {
		thread := w.meaning(k).thread
		priority, known := s.of[thread]
		if !known {
			priority = s.random.Uint64() | 1<<63
			s.of[thread] = priority
		}
		if priority >= most {
			first, most = thread, priority
		}
	}
	s.some = slices.DeleteFunc(s.some, func(k int) bool { return w.meaning(k).thread != first })
	for i, at := range s.changes {
		if w.step+1 == at {
			s.of[first] = uint64(len(s.changes) - i)
		}
	}
}

// moments say when which fault is to happen.
type moments struct {
	agenda  []moment // in the order of time
	typical int
}

type moment struct {
	at    int // after so many steps
	fault model.Budget
	cut   bool // a crash between sends, if there is one soon
}

// heals stands for the end of a partition, which is no fault.
const heals = model.Budgets

// newMoments draws how many faults of each kind happen, and when.
func newMoments(random *rand.Rand, c *model.Config, typical int) moments {
	m := moments{typical: typical}
	for b := model.Crashes; b < model.Budgets; b++ {
		if b == model.Recoveries && c.Crashes > 0 {
			continue // they follow crashes
		}
		for range random.IntN(c.Limit(b) + 1) {
			m.add(moment{random.IntN(typical), b, b == model.Crashes && c.Split && random.IntN(4) > 0})
		}
	}
	return m
}

func (m *moments) add(one moment) {
	m.agenda = append(m.agenda, one)
	slices.SortStableFunc(m.agenda, func(a, b moment) int { return a.at - b.at })
}

// due returns a step that is a fault whose time has come; -1: there is none. If nothing else may happen, the time of all
// has come.
func (m *moments) due(s *schedule, w *walker, stuck bool) int {
	for i, one := range m.agenda {
		if one.at > w.step && !stuck {
			return -1
		}
		if one.cut = one.cut && !stuck && w.step < one.at+m.typical; !s.choices(w, func(kind uint8) bool {
			return w.classes[kind] == one.fault && (!one.cut || kind == w.cut)
		}) {
			continue
		}
		m.agenda = slices.Delete(m.agenda, i, i+1)
		soon := w.step + 1 + s.random.IntN(1+m.typical)
		switch {
		case one.fault == model.Crashes && w.Config.Recoveries > 0 && s.random.IntN(4) > 0:
			m.add(moment{soon, model.Recoveries, false})
		case one.fault == model.Partitions:
			m.add(moment{soon, heals, false})
		}
		return s.some[s.random.IntN(len(s.some))]
	}
	return -1
}
