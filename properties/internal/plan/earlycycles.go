package plan

import (
	"context"
	"time"

	"interleave/explore"
)

// checkEarly looks for runs that cycle while a search has few states. A wrong algorithm mostly
// shows one by then, and to look among all states takes longer than to find them. A violation
// that is wanted ends the search; another one is kept, so that no limit takes it away, and so is one
// that perhaps only luck keeps going, which the whole world tells. Before a
// search goes on on disk, everything that it has found is kept, and runs are looked for only if
// that does not take long. A reduced search that hides something has seen enough: it begins again.
func (s *search) checkEarly(ctx context.Context, soFar *states, wanted uint64) (enough bool, err error) {
	if s.reducing && soFar.Outcome == explore.Unfinished && s.hidden(soFar) != 0 {
		s.hides = true
		return true, nil
	}
	began := time.Now()
	defer func() { s.known.looking += time.Since(began) }()
	if soFar.Outcome == explore.Unfinished || soFar.Stats.States <= longCheck {
		if enough, err = s.checkCycles(ctx, soFar, wanted); enough || err != nil {
			return enough, err
		}
	}
	if soFar.Outcome == explore.Unfinished {
		return false, nil
	}
	s.known.seen = soFar.stats()
	s.known, err = s.known.withFound(ctx, soFar)
	return false, err
}

// longCheck is how many states are too many for one more early cycle check.
const longCheck = 4 << 20

func (s *search) checkCycles(ctx context.Context, soFar *states, wanted uint64) (enough bool, err error) {
	if s.reducing {
		return false, nil
	}
	var open []uint8
	for i, p := range s.Properties {
		if f, known := s.early[uint8(i)]; p.Kind == Liveness && (!known || f.Luck != NoLuck) {
			open = append(open, uint8(i))
		}
	}
	if open == nil || !soFar.mayCycle() {
		return false, nil
	}
	runs, err := soFar.fairRuns(ctx)
	if err != nil || !runs.Cycle() { // the search itself sees where runs end
		_, err = whyUndecided(err)
		return false, err
	}
	for _, mark := range open {
		f, err := soFar.cycling(ctx, s.Properties[mark], mark)
		if err != nil {
			_, err = whyUndecided(err)
			return enough, err
		}
		if f != nil {
			s.early[mark] = *f
			enough = enough || f.Luck == NoLuck && wanted>>mark&1 != 0
		}
	}
	return enough, nil
}
