package explore

import (
	"context"
	"slices"
	"time"
)

// Options of a search. The zero value searches everything with one worker.
type Options struct {
	Workers   int    // goroutines that expand; 0: 1
	MaxStates int    // stop at so many states; 0: no limit
	MaxDepth  int    // expand no state that is further away, in steps; 0: no limit
	Memory    int64  // stop before states and tables take more bytes; 0: no limit. Buffers of the workers come on top
	Stop      uint64 // stop at the first state or step that bears any of these marks

	// Progress, if set, is called after every few thousand states, or fewer.
	Progress func(Stats)
}

// Outcome says why a search ended. Only Exhausted means that every reachable
// state was expanded. Where a batch of states finds a mark to stop at and goes
// beyond a limit, too, it is Stopped.
type Outcome uint8

const (
	Unfinished Outcome = iota
	Exhausted
	Stopped     // a mark of Options.Stop was found
	Interrupted // the context was cancelled
	StateLimit
	DepthLimit
	MemoryLimit
)

func (o Outcome) String() string {
	return [...]string{
		"unfinished", "exhausted", "stopped", "interrupted", "state limit reached", "depth limit reached", "memory limit reached",
	}[o]
}

// Stats counts what a search did.
type Stats struct {
	Initial     int // distinct initial states
	States      int // distinct states, initial ones included
	Expanded    int // states whose steps are known and whose marks are set
	Transitions int // distinct (state, action, state)
	Quiet       int // expanded states with no step but failures
	Depth       int // of the deepest state found, in steps
	Frontier    int // states found but not expanded

	Bytes   int64 // held by states and tables
	Width   int   // words in a state
	Elapsed time.Duration
	Fired   [256]int // transitions by kind of action
}

// Found is the first bearer of a mark.
type Found struct {
	State  int // the state, or the one that the marked step leaves
	Depth  int // of State
	OnStep bool
	Action Action // if OnStep
}

// Result is what a search found, and the graph that it explored.
type Result struct {
	Outcome Outcome
	Stats   Stats
	Marks   uint64 // every mark found
	Graph   *Graph

	found [64]Found
}

// Found returns the first bearer of a mark in Marks: none is less deep.
func (r *Result) Found(bit uint8) Found { return r.found[bit] }

// Search explores sys breadth-first. An error is one of the system's own. All
// of the result but Elapsed is the same for any number of workers, unless the
// context ends the search.
func Search(ctx context.Context, sys System, o Options) (*Result, error) {
	s := &search{Options: o, ctx: ctx, sys: sys, began: time.Now(), store: newStore(sys.Width()), crew: newCrew(sys, o.Workers)}
	s.batch = newBatch(s.store, s.crew)
	s.graph = &Graph{sys: sys, store: s.store, forward: true}
	if err := s.run(); err != nil {
		return nil, err
	}
	s.result.Stats, s.result.Graph = s.stats(), s.graph
	return &s.result, nil
}

type search struct {
	Options
	ctx   context.Context
	sys   System
	began time.Time
	store *store
	graph *Graph
	crew  *crew
	batch *batch

	result Result
	limit  Outcome // StateLimit or MemoryLimit, if a state did not fit
	count  Stats   // Expanded, Transitions, Quiet and Fired so far
}

func (s *search) run() error {
	s.addInitial()
	for s.result.Outcome == Unfinished {
		depth := len(s.graph.levels) - 1
		lo, hi := s.graph.levels[depth], s.store.count
		switch {
		case lo == hi:
			s.result.Outcome = Exhausted
		case s.MaxDepth > 0 && depth > s.MaxDepth:
			s.result.Outcome = DepthLimit
		default:
			s.graph.levels = append(s.graph.levels, hi)
			if err := s.level(depth, lo, hi); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *search) addInitial() {
	s.graph.levels = []int{0}
	s.batch.take(1)
	c := s.batch.chunks[0]
	c.reset(s.store.width)
	flush := func() {
		c.sort()
		s.take()
		s.lookAround()
		c.reset(s.store.width)
	}
	s.sys.Initial(func(words []uint64) bool {
		if c.add(words, Hash(words)); len(c.hashes) == batchStates {
			flush()
		}
		return s.result.Outcome == Unfinished && s.limit == Unfinished
	})
	if s.result.Outcome == Unfinished && s.limit == Unfinished {
		flush()
	}
	if s.result.Outcome == Unfinished {
		s.result.Outcome = s.limit
	}
	s.count.Initial = s.store.count
}

// level expands the states numbered lo up to hi, all of the given depth.
func (s *search) level(depth, lo, hi int) error {
	s.crew.forget()
	for at := lo; at < hi && s.result.Outcome == Unfinished; at += batchStates {
		if err := s.expand(at, min(at+batchStates, hi)); err != nil {
			return err
		}
		s.commit(depth)
		if s.Progress != nil {
			s.Progress(s.stats())
		}
		s.lookAround()
	}
	return nil
}

// lookAround ends the search if its context has ended.
func (s *search) lookAround() {
	if s.result.Outcome == Unfinished && s.ctx.Err() != nil {
		s.result.Outcome = Interrupted
	}
}

// expand expands a batch, teaching the system what it lacks first. If the
// search ends over that, the batch is empty.
func (s *search) expand(lo, hi int) error {
	for {
		s.batch.expand(lo, hi, s.result.Marks)
		var unlearned [][]uint64
		for _, c := range s.batch.chunks {
			for _, n := range c.unlearned {
				unlearned = append(unlearned, s.store.state(n))
			}
		}
		if unlearned == nil {
			return nil
		}
		if err := s.learn(unlearned); err != nil {
			return err
		}
		if s.result.Outcome != Unfinished {
			s.batch.take(0)
			return nil
		}
		s.crew.forget()
	}
}

// learn has the system learn states, or the first of them, a few at a time.
func (s *search) learn(states [][]uint64) error {
	for few := range slices.Chunk(states, learnStates) {
		repack, err := s.sys.Learn(few)
		if err != nil {
			return err
		}
		if repack != nil {
			s.batch.repack(s.sys.Width(), repack) // even if it is too much: the system cannot read the old packing
		}
		if s.lookAround(); s.result.Outcome == Unfinished && s.Memory > 0 && s.bytes() > s.Memory {
			s.result.Outcome = MemoryLimit
		}
		if repack != nil || s.result.Outcome != Unfinished {
			return nil // the states are not what they were
		}
	}
	return nil
}

// commit takes in what a batch of states of the given depth led to, in the
// order of those states.
func (s *search) commit(depth int) {
	next := s.graph.levels[depth+1]
	for _, c := range s.batch.chunks {
		s.count.Expanded += c.expanded
		s.count.Transitions += c.transitions
		s.count.Quiet += c.quiet
		for k, n := range c.fired {
			s.count.Fired[k] += n
		}
		for _, m := range c.marks {
			s.mark(m, depth)
		}
	}
	s.take()
	if slices.Min(s.batch.lowest[:]) < next {
		s.graph.forward = false
	}
	if s.result.Outcome == Unfinished {
		s.result.Outcome = s.limit
	}
}

// take takes the candidates of the batch into the store, as far as the limits
// allow.
func (s *search) take() {
	if s.limit != Unfinished {
		return
	}
	most := maxStates
	if s.MaxStates > 0 {
		most = min(most, s.MaxStates)
	}
	if room := s.Memory - s.bytes(); s.Memory > 0 && s.batch.growth() > room {
		s.limit = s.batch.squeeze(most, room)
	} else if !s.batch.commit(most) {
		s.limit = StateLimit
	}
}

func (s *search) mark(m stateMark, depth int) {
	bit := uint64(1) << m.Bit
	if s.result.Marks&bit != 0 {
		return
	}
	s.result.Marks |= bit
	s.result.found[m.Bit] = Found{State: m.state, Depth: depth, OnStep: m.OnStep, Action: m.Action}
	if s.Stop&bit != 0 {
		s.result.Outcome = Stopped
	}
}

func (s *search) bytes() int64 { return s.store.bytes() + s.sys.Bytes() }

func (s *search) stats() Stats {
	st := s.count
	st.States = s.store.count
	st.Frontier = st.States - st.Expanded
	st.Depth = s.graph.depthOf(st.States - 1)
	st.Bytes = s.bytes()
	st.Width = s.store.width
	st.Elapsed = time.Since(s.began)
	return st
}
