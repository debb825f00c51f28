package plan

import (
	"fmt"
	"sync"

	"interleave/explore"
	"interleave/model"
)

// states are what a search has explored, so far or in the end.
type states struct {
	*search
	*explore.Result
	mayCycle func() bool       // computed once
	fair     *explore.FairRuns // nil until needed
}

func newStates(s *search, r *explore.Result) *states {
	found := &states{search: s, Result: r}
	found.mayCycle = sync.OnceValue(func() bool { return mayCycle(found) })
	return found
}

func (s *states) stats() Stats { return newStats(s.Result, s.sys.Kinds(), s.sys.TableStats()) }

// during does some work with states that are wanted after it, unless it fails or panics: then they
// are closed.
func (s *states) during(work func() error) error {
	done := false
	defer func() {
		if !done {
			s.Graph.Close() // there is a reason already
		}
	}()
	err := work()
	done = err == nil
	return err
}

// sight implements evidence.
func (s *states) sight(p Property, mark uint8) (sighting, error) {
	switch {
	case s.found(mark):
		return sighting{found: true, depth: s.depth(mark), record: func() (*model.Trace, *model.Run, string, error) { return s.recordTo(mark) }}, nil
	case s.Outcome != explore.Exhausted && mark != model.PanicMark: // whether a handler panics is then left unsaid
		f := s.unfinished(p)
		return sighting{open: &f}, nil
	}
	return sighting{}, nil
}

// found reports whether some state or step bears a mark.
func (s *states) found(mark uint8) bool { return s.Marks>>mark&1 != 0 }

// depth returns how far away the bearer of a mark is; -1: not known, since a reduction may leave
// out shorter ways.
func (s *states) depth(mark uint8) int {
	if s.reducing {
		return -1
	}
	return s.Found(mark).Depth
}

// recordTo records the run to the bearer of a mark.
func (s *states) recordTo(mark uint8) (*model.Trace, *model.Run, string, error) {
	found := s.Found(mark)
	path := s.Graph.Path(found.State)
	events := s.events(path)
	if found.OnStep {
		events = append(events, s.sys.Event(s.Graph.State(found.State), found.Action))
	}
	trace, run, err := s.record(path, events)
	return trace, run, "", err
}

// recordAlong records a run along a path.
func (s *states) recordAlong(path explore.Path) (*model.Trace, *model.Run, string, error) {
	trace, run, err := s.record(path, s.events(path))
	return trace, run, "", err
}

// record repeats events through the handlers and compares each state with that of the search.
func (s *states) record(path explore.Path, events []model.Event) (*model.Trace, *model.Run, error) {
	expected := make([]model.State, len(path.States))
	for i, n := range path.States {
		expected[i] = s.sys.State(s.Graph.State(n))
	}
	trace, run, err := model.Record(s.Reference, expected[0], events)
	if err != nil {
		return nil, nil, notRepeated("a counterexample", err)
	}
	for i, state := range expected {
		if i >= len(run.States) || !state.Equal(run.States[i]) { // it is shorter if a handler panics by now
			return nil, nil, &ContradictionError{fmt.Sprintf("a counterexample replays to another state after step %d", i)}
		}
	}
	return trace, run, nil
}

func (s *states) events(path explore.Path) []model.Event {
	events := make([]model.Event, len(path.Actions))
	for i, a := range path.Actions {
		events[i] = s.sys.Event(s.Graph.State(path.States[i]), a)
	}
	return events
}

// unfinished returns the finding on a property that a search which did not see everything has not
// decided.
func (s *states) unfinished(p Property) Finding {
	f := Finding{Why: s.Outcome.Why()}
	switch s.Outcome {
	case explore.Depleted:
		f.Why = lost(p)
	case explore.DepthLimit:
		f.CutShort = !p.local() && p.Kind != Recoverable // which more steps may decide
		switch within := explore.WithinDepth(s.MaxDepth); {
		case s.Store != explore.Exact:
			f.Why = lost(p) + "; " + within
		case p.local():
			f.Verdict, f.Why = explore.Bounded, within
		default:
			f.Why = fmt.Sprintf("not decided by the first %d steps", s.MaxDepth)
		}
	case explore.MemoryLimit:
		if s.Spill != "" {
			f.Why += tablesStay
		}
	}
	return f
}

// all yields every explored state.
func (s *states) all(yield func(model.State) bool) {
	for n := range s.Graph.States() {
		if !yield(s.sys.State(s.Graph.State(n))) {
			return
		}
	}
}
