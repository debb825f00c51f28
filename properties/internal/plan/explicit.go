package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"interleave/explore"
	"interleave/model"
	"interleave/model/compiled"
)

// explicit explores state by state.
type explicit struct {
	most int // to be quick: it stops at that many states, or where the memory is full, without an answer; 0: it goes on
}

// search implements engine.
func (e explicit) search(ctx context.Context, q *Question, known partial) (a Answer, err error) {
	if e.most > 0 {
		q, known.near = q.within(e.most), true
	}
	found, known, err := reduced(ctx, q, known)
	switch {
	case isFull(err):
		return known.cutOff(q, explore.DiskLimit), nil
	case err != nil:
		return Answer{}, err
	}
	defer func() { // even if a property panics
		if q.Keep {
			return
		}
		if closed := found.Graph.Close(); err == nil {
			err = closed
		}
	}()
	crowded := found.Outcome == explore.MemoryLimit
	if e.most > 0 && (crowded || found.Outcome == explore.StateLimit) {
		known.seen = found.stats()
		known, err = known.withFound(ctx, found)
		return Answer{partial: known, stopped: &stop{known.seen.States, crowded, q.Spill != ""}}, err
	}
	began := time.Now()
	findings, err := q.judgeAll(ctx, found)
	if err = cmp.Or(err, found.spoilt()); err != nil {
		return Answer{}, err
	}
	a = Answer{Findings: findings, Stats: found.stats(), partial: known}
	a.Stats.Seconds += found.preparing.Seconds()
	a.Stats.Omission = newOmission(q.Store, found.Result)
	a.Stats.Judging = (known.looking + time.Since(began)).Seconds()
	a.Stats.Reduction = known.reduction
	if q.Keep {
		a.States = found.all
	}
	return a, nil
}

// isFull reports whether a search failed because the disk was full as it moved there. What was
// explored is lost then, except for what was kept.
func isFull(err error) bool {
	var disk *explore.DiskError
	return errors.As(err, &disk) && disk.Full()
}

// stop is where an explicit search stopped that was to be quick.
type stop struct {
	states  int
	crowded bool // the memory was full
	onDisk  bool // the states were on disk, so the tables filled it
}

// tablesStay says why memory can be too little though states go to disk.
const tablesStay = ": the tables alone take more, and they are not moved to disk"

func (s *stop) String() string {
	if !s.crowded {
		return fmt.Sprintf("stopped at %g million states", float64(s.states)/1e6)
	}
	text := "ran out of memory at once"
	if s.states >= 10_000 {
		text = fmt.Sprintf("ran out of memory at %.2g million states", float64(s.states)/1e6)
	}
	if s.onDisk {
		text += tablesStay
	}
	return text
}

// search explores a world state by state.
type search struct {
	*Question
	marks
	sys       system
	reducing  bool              // some orders are left out
	hides     bool              // it ended early, since a property looks at what is not shown in every order
	preparing time.Duration     // time for learning before the search
	early     map[uint8]Finding // by mark: properties of runs that an early cycle check found violated
	known     partial
}

// system is what compiled.System and model.Interpreted have in common.
type system interface {
	explore.System
	Event(words []uint64, a explore.Action) model.Event
	State(words []uint64) model.State
	Kinds() []string
	TableStats() model.TableStats
	Fairness() explore.Fairness
	Chance() explore.Chance
}

// newSearch returns a search of everything or, if reduce is not nil, of what that leaves.
func newSearch(ctx context.Context, q *Question, known partial, reduce func(*compiled.System) error) (*search, error) {
	s := &search{Question: q, marks: q.marks(reduce != nil), reducing: reduce != nil, early: map[uint8]Finding{}, known: known}
	began := time.Now()
	var err error
	if q.Direct || !q.Config.HasTables() {
		s.sys, err = model.NewInterpreted(q.Machine, q.Config, s.watches)
	} else {
		var sys *compiled.System
		before := ctx
		if q.OnlyReached || q.code() != nil {
			var cancel context.CancelFunc
			before, cancel = context.WithCancel(ctx)
			cancel()
		}
		sys, err = compiled.NewWithin(before, q.Machine, q.Config, s.watches)
		if err == nil && reduce != nil {
			err = reduce(sys)
		}
		s.sys = sys
	}
	s.preparing = time.Since(began)
	return s, err
}

// run explores until everything is seen, or a violation is found that counts.
func (s *search) run(ctx context.Context) (*states, error) {
	wanted := uint64(0)
	if !s.Continue {
		wanted = 1 << model.PanicMark
		for i, p := range s.Properties {
			if p.Kind != Cover && p.Kind != Recoverable && !p.Uncounted {
				wanted |= 1 << i
			}
		}
	}
	stop := wanted
	for {
		found, err := s.until(ctx, stop, wanted)
		if err != nil || found.Outcome != explore.Stopped || found.Marks&stop == 0 { // or an early cycle check was enough
			return found, err
		}
		var well uint64
		err = found.during(func() (err error) {
			well, err = found.endWell(stop)
			return err
		})
		if err != nil || found.Marks&stop != well {
			return found, err
		}
		if err := found.Graph.Close(); err != nil {
			return nil, err
		}
		stop &^= well
	}
}

// until explores until it finds a mark of stop, or an early cycle check finds a violation that is
// wanted.
func (s *search) until(ctx context.Context, stop, wanted uint64) (*states, error) {
	result, err := explore.Search(ctx, s.sys, explore.Options{
		Workers: s.workers(), MaxStates: s.MaxStates, MaxDepth: s.MaxDepth, Memory: forStates(s.Memory), Spill: s.Spill, Store: s.Store,
		Stop: stop, Ignore: s.atoms, Progress: s.Progress,
		Glance: func(soFar *explore.Result) (bool, error) { return s.checkEarly(ctx, newStates(s, soFar), wanted) },
	})
	if err = cmp.Or(err, s.spoilt()); err != nil {
		return nil, err
	}
	return newStates(s, result), nil
}

// spoilt returns an error if a property changed what it was shown. Some are asked only when the search has ended.
func (s *search) spoilt() error {
	if sys, ok := s.sys.(*compiled.System); ok {
		return sys.Spoilt()
	}
	return nil
}

// forStates returns how much of the memory states and tables may take. The rest is for the
// program, the buffers of the workers, and what Go has not given back yet. From 100 MiB on
// the whole process stays below 1.1 times the limit.
func forStates(memory int64) int64 {
	const program, least = 46 << 20, 54 << 20
	return memory - min(program, max(memory/4, memory-least)) - memory/10
}
