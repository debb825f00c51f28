package plan

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"interleave/explore"
	"interleave/explore/ltl"
	"interleave/model"
	"interleave/model/compiled"
)

// runs implements evidence. The mark is that of quiescent states in which a run that ends there may
// violate the property.
func (s *states) runs(ctx context.Context, p Property, mark uint8) (Finding, error) {
	if s.found(mark) {
		switch f, err := s.ending(p, mark); {
		case err != nil:
			return Finding{}, err
		case f != nil:
			return *f, nil
		}
	}
	early, known := s.early[mark]
	if known && (early.Luck == NoLuck || s.Outcome != explore.Exhausted) {
		return early, nil
	}
	if s.Outcome != explore.Exhausted {
		return s.soFar(ctx, p, mark)
	}
	f, err := s.judgeRuns(ctx, p, !s.found(mark), listedRuns{s, p, mark})
	if err != nil {
		f.Why, err = whyUndecided(err)
	}
	if err == nil && known && f.Verdict == explore.Inconclusive {
		return early, nil
	}
	if err == nil && f.Verdict == explore.Verified && s.Keep {
		f.ByEnds, err = s.byEnds(ctx, p, mark)
	}
	return f, err
}

// soFar is runs for a search that a limit has ended. A fair run among the expanded states is one of
// the world, whatever else there may be.
func (s *states) soFar(ctx context.Context, p Property, mark uint8) (Finding, error) {
	open := s.unfinished(p)
	if s.Outcome == explore.Stopped || s.Store != explore.Exact || s.reducing || !s.found(mark) && !s.mayCycle() {
		return open, nil
	}
	found, err := s.cycling(ctx, p, mark)
	if err == nil && found != nil {
		return *found, nil
	}
	why, err := whyUndecided(err)
	if ctx.Err() == nil && why != "" {
		open.Why += "; " + why
	}
	return open, err
}

// ending returns the finding of the run that ends in the bearer of a mark, if its property is false
// on that run; otherwise nil.
func (s *states) ending(p Property, mark uint8) (*Finding, error) {
	path := s.Graph.Path(s.Found(mark).State)
	trace, run, err := s.recordLasso(explore.Lasso{Path: path, Loop: len(path.States) - 1})
	if err != nil {
		return nil, err
	}
	return onLasso(p, trace, run), nil
}

// endWell returns those of some marks that turn out to mean nothing. The mark of a Liveness
// property is on a state where a run that ends there may violate it; the run that was found need
// not.
func (s *states) endWell(marks uint64) (well uint64, err error) {
	for i, p := range s.Properties {
		if p.Kind != Liveness || marks>>i&1 == 0 || !s.found(uint8(i)) {
			continue
		}
		f, err := s.ending(p, uint8(i))
		if err != nil {
			return 0, err
		}
		if f == nil {
			well |= 1 << i
		}
	}
	return well, nil
}

// cycling returns the finding of a fair run among the expanded states that violates a property; nil
// if there is none. If it can, it returns one that luck does not end.
func (s *states) cycling(ctx context.Context, p Property, mark uint8) (*Finding, error) {
	runs, err := s.fairRuns(ctx)
	if err != nil {
		return nil, err
	}
	lasso, found, err := runs.Accepted(ctx, p.Runs.Against, s.of[mark])
	if !found {
		return nil, err
	}
	f, err := s.onCycle(p, lasso)
	if err != nil || !chooses(f) {
		return f, err
	}
	f.Luck = SomeLuck
	switch lasting, found, err := runs.EndComponent(ctx, p.Runs.Against, s.of[mark], s.sys.Chance()); {
	case found:
		return s.onCycle(p, lasting)
	case err != nil:
		_, err = whyUndecided(err)
		return f, err
	case s.everything():
		f.Luck = OnlyLuck
	}
	return f, nil
}

// onCycle returns the finding of an infinite run that must violate the property.
func (s *states) onCycle(p Property, lasso explore.Lasso) (*Finding, error) {
	trace, run, err := s.recordLasso(lasso)
	if err != nil {
		return nil, err
	}
	return onCycle(p, trace, run)
}

// chooses reports whether a handler chooses again and again in an infinite run.
func chooses(f *Finding) bool {
	return slices.ContainsFunc(f.Run.Steps[f.Trace.Loop-1:], func(s model.Step) bool { return s.Event.Step.Choices != nil })
}

// everything reports whether the graph is that of the whole world, and all its runs go on as it shows.
func (s *states) everything() bool {
	return s.Outcome == explore.Exhausted && s.Store == explore.Exact && !s.reducing && s.Config.Bound == 0 && !s.found(model.PanicMark)
}

// recordLasso records an infinite run. The handlers must be able to repeat it.
func (s *states) recordLasso(lasso explore.Lasso) (*model.Trace, *model.Run, error) {
	trace, run, err := s.record(lasso.Path, s.events(lasso.Path))
	if err != nil {
		return nil, nil, err
	}
	trace.Loop = lasso.Loop + 1
	return trace, run, nil
}

// byEnds reports whether a property of runs is decided by where they end, since none cycles;
// false if ctx ends before that is known.
func (s *states) byEnds(ctx context.Context, p Property, mark uint8) (bool, error) {
	if s.found(mark) || !p.Runs.EndsDecide(s.Config) {
		return false, nil
	}
	if !s.mayCycle() {
		return true, nil
	}
	cycles, err := s.Graph.Cycles(ctx, s.spare())
	if ctx.Err() != nil || errors.Is(err, explore.ErrMemory) {
		return false, nil
	}
	return err == nil && !cycles, err
}

// fairRuns returns the fair runs of the explored states.
func (s *states) fairRuns(ctx context.Context) (_ *explore.FairRuns, err error) {
	if s.fair == nil {
		s.fair, err = s.Graph.FairRuns(ctx, explore.RunOptions{Fair: s.sys.Fairness(), Atoms: s.atoms, Memory: s.spare(), Progress: s.Judging})
	}
	return s.fair, err
}

// spare is the memory that states and tables leave.
func (s *states) spare() int64 {
	if s.Memory == 0 {
		return 0
	}
	return max(1, forStates(s.Memory)-s.Result.Stats.Bytes)
}

// listedRuns are the runs through states, as a property sees them.
type listedRuns struct {
	*states
	of   Property
	mark uint8
}

// cycle implements fairRuns. A graph is Reduced only if it has no cycle.
func (l listedRuns) cycle(ctx context.Context) (bool, error) {
	if l.reducing || !l.mayCycle() {
		return false, nil
	}
	runs, err := l.fairRuns(ctx)
	return err == nil && runs.Cycle(), err
}

// violation implements fairRuns. Where no run cycles each ends, and the search has seen where.
func (l listedRuns) violation(ctx context.Context) (*Finding, error) {
	if !l.found(l.mark) && !l.mayCycle() {
		return nil, nil
	}
	return l.cycling(ctx, l.of, l.mark)
}

// accepts implements fairRuns.
func (l listedRuns) accepts(ctx context.Context, a *ltl.Automaton) (bool, error) {
	runs, err := l.fairRuns(ctx)
	if err != nil {
		return false, err
	}
	_, met, err := runs.Accepted(ctx, a, l.search.of[l.mark])
	return met, err
}

// mayCycle reports whether the explored graph may have a cycle, as far as that is known
// without looking at its steps. A state in which a run may stay, though steps are possible that
// need not happen, counts as a cycle.
func mayCycle(s *states) bool {
	if s.Config.Fairness.Unfair != nil {
		return true
	}
	if s.Graph.Forward() {
		return false
	}
	sys, hasTables := s.sys.(*compiled.System)
	return !hasTables || sys.MayCycle()
}

// whyUndecided says why a question about runs has no answer. It returns an error that does not
// explain that.
func whyUndecided(err error) (why string, _ error) {
	switch {
	case errors.Is(err, explore.ErrOnDisk):
		return fmt.Sprintf("%v: some steps lead back, and runs that cycle are looked for in memory only", err), nil
	case errors.Is(err, explore.ErrMemory):
		return "the memory limit was reached while looking for runs that cycle", nil
	case errors.Is(err, context.DeadlineExceeded):
		return "the look for runs that cycle did not finish: time ran out", nil
	case errors.Is(err, context.Canceled):
		return "the look for runs that cycle did not finish: interrupted", nil
	}
	return "", err
}

// endsAtGoal reports whether every fair run ends, and where it ends the goal of a Recoverable is reached. Then it can be reached
// from every state: what has to happen helps, and comes to an end. The mark is that of quiescent states without the goal.
func (s *states) endsAtGoal(mark uint8) bool {
	cycles := !s.reducing && s.mayCycle() && (s.fair == nil || s.fair.Cycle()) // a graph is Reduced only if it has no cycle
	return s.Store == explore.Exact && s.Outcome == explore.Exhausted && s.Config.Bound == 0 && !s.found(mark) && !cycles
}

// recovery implements evidence. The mark is that of endsAtGoal.
func (s *states) recovery(ctx context.Context, p Property, mark uint8) (Finding, error) {
	switch {
	case s.endsAtGoal(mark):
		return s.holds(), nil
	case s.Outcome == explore.Stopped || s.Store != explore.Exact || s.reducing:
		return s.unfinished(p), nil
	}
	r, err := s.Graph.Recovery(ctx, explore.RecoveryOptions{
		Goal: s.of[mark][0], Helps: s.Reference.StepKinds().Helps(), Memory: s.spare(), Progress: s.Judging,
	})
	switch {
	case err == nil && r.Lost > 0:
		return s.lost(p, r.Lost, s.Outcome != explore.Exhausted || r.Open > 0, func() (*model.Trace, *model.Run, string, error) { return s.recordAlong(s.Graph.Path(r.First)) })
	case errors.Is(err, explore.ErrOnDisk):
		return Finding{Why: fmt.Sprintf("%v: from where a goal can be reached is looked for in memory only", err)}, nil
	case errors.Is(err, explore.ErrMemory):
		return Finding{Why: "the memory limit was reached while looking back from the goal"}, nil
	case err != nil && ctx.Err() != nil:
		return Finding{Why: "the look back from the goal did not finish: " + explore.EndOf(ctx).String()}, nil
	case err != nil:
		return Finding{}, err
	case s.Outcome == explore.DepthLimit && r.Open == 0:
		return Finding{Verdict: explore.Bounded, Why: explore.WithinDepth(s.MaxDepth)}, nil
	case s.Outcome != explore.Exhausted:
		return s.unfinished(p), nil
	}
	return s.recovers(r.Open > 0, r.Cut), nil
}
