package explore

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Options of a search. The zero value searches everything with one worker.
type Options struct {
	Workers   int    // goroutines that expand; 0: 1. There are fewer where Memory is short
	MaxStates int    // stop at that many states; 0: no limit
	MaxDepth  int    // expand no state that is further away, in steps; 0: no limit
	Memory    int64  // stop before states and tables take more bytes; 0: no limit. Buffers of the workers come on top
	Stop      uint64 // stop at the first state or step that bears any of these marks
	Ignore    uint64 // do not look for these marks
	Store     Store  // what is kept of the states visited; all but Exact may omit states, and do not go with Spill

	// Spill is a folder. Where Memory would end the search, it goes on on disk in this folder;
	// empty: it does not. A few MiB of memory are needed in any case, and what the System holds
	// stays in memory. Within a level on disk states are numbered in the order of their words.
	// Close the Graph when done.
	Spill string

	// Glance, if set, is called between levels with what was explored: as soon as 65,536 states
	// are expanded, and then whenever there are 64 times as many; and before the search goes on
	// on disk, with the Outcome MemoryLimit. It returns whether that is enough; then the search
	// is Stopped. It is not called with states on disk or in a lossy Store. Elapsed does not
	// include its time.
	Glance func(soFar *Result) (enough bool, err error)

	// Progress, if set, is called after every few thousand states, or fewer.
	Progress func(Stats)
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

	Loss Loss // by a lossy Store

	Bytes   int64 // held by states and tables; of a search that spilled, at most
	Disk    int64 // bytes on disk, at most
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

// Search explores sys breadth-first. An error is one of the system's own. Everything in the
// result except its cost (Elapsed, Bytes, Disk) is the same for any number of workers, unless the
// context ends the search, or Memory does while the system is still learning.
func Search(ctx context.Context, sys System, o Options) (*Result, error) {
	return searchAt(ctx, sys, o, standardScale)
}

func searchAt(ctx context.Context, sys System, o Options, sc scale) (found *Result, err error) {
	if o.Store != Exact && o.Spill != "" {
		return nil, errors.New("explore: a lossy store has no states to spill")
	}
	s := &search{Options: o, scale: sc, ctx: ctx, sys: sys, began: time.Now(), glance: sc.glance, store: newStore(sys.Width()), pool: newPool(sys, o.Workers)}
	s.batch = newBatch(s.store, s.pool, sc.chunkStates())
	s.graph = &Graph{sys: sys, pool: s.pool, store: s.store, forward: true}
	if o.Store != Exact {
		s.lossy = newLossy(s)
	}
	defer func() {
		if found != nil {
			return
		}
		if closed := s.graph.Close(); err == nil { // after an error, or a panic of the system
			err = closed
		}
	}()
	if err := s.run(); err != nil {
		return nil, err
	}
	return s.soFar(), nil
}

type search struct {
	Options
	scale  scale
	ctx    context.Context
	sys    System
	began  time.Time
	glance int // number of expanded states at which the next Glance is due
	store  *store
	graph  *Graph
	pool   *pool
	batch  *batch

	result Result
	limit  Outcome // StateLimit or MemoryLimit, if a state did not fit
	count  Stats   // Expanded, Transitions, Quiet and Fired so far

	disk      *disk    // nil while all is in memory
	lossy     *lossy   // nil if the store is exact
	stranded  bool     // while states are being moved to disk: they cannot be read
	repacking Repack   // if not nil, the packing has changed: the runs on disk must be rewritten, or a lossy search must begin again
	before    snapshot // when the current level began
}

// snapshot is what a level begins with, and begins with again.
type snapshot struct {
	count   Stats
	marks   uint64
	found   [64]Found
	forward bool
}

func (s *search) run() error {
	err := s.explore()
	var d *DiskError
	switch {
	case err == errInterrupted:
		s.result.Outcome = EndOf(s.ctx)
	case errors.As(err, &d) && d.Full() && !s.stranded:
		s.result.Outcome = DiskLimit
	default:
		return err
	}
	return nil
}

func (s *search) explore() error {
	if err := s.addInitial(); err != nil {
		return err
	}
	for {
		if s.canSpill() {
			if enough, err := s.lookBack(); enough || err != nil {
				return err
			}
			if err := s.spill(); err != nil {
				return err
			}
		}
		if s.result.Outcome != Unfinished {
			return nil
		}
		depth := len(s.graph.levels) - 1
		lo, hi := s.graph.levels[depth], s.graph.States()
		switch {
		case lo == hi && s.lossy != nil:
			s.result.Outcome = Depleted
		case lo == hi:
			s.result.Outcome = Exhausted
		case s.MaxDepth > 0 && depth > s.MaxDepth:
			s.result.Outcome = DepthLimit
		default:
			if s.count.Expanded >= s.glance {
				s.glance = moreToGlance * s.count.Expanded
				if enough, err := s.lookBack(); enough || err != nil {
					return err
				}
			}
			s.graph.levels = append(s.graph.levels, hi)
			if err := s.level(depth, lo, hi); err != nil {
				return err
			}
		}
	}
}

// soFar returns what was found, and the graph.
func (s *search) soFar() *Result {
	r := s.result
	r.Stats, r.Graph = s.stats(), s.graph
	s.graph.expanded, s.graph.transitions, s.graph.whole = s.count.Expanded, s.count.Transitions, r.Outcome == Exhausted
	return &r
}

// moreToGlance is by how many times the expanded states grow from one Glance to the next.
const moreToGlance = 64

// lookBack shows Glance what was explored, and reports whether that is enough.
func (s *search) lookBack() (enough bool, err error) {
	if s.Glance == nil || s.disk != nil || s.lossy != nil {
		return false, nil
	}
	began := time.Now()
	enough, err = s.Glance(s.soFar())
	s.began = s.began.Add(time.Since(began))
	if enough {
		s.result.Outcome = Stopped
	}
	return enough, err
}

func (s *search) addInitial() (err error) {
	s.graph.levels = []int{0}
	s.batch.take(1)
	c := s.batch.chunks[0]
	c.reset(s.store.width)
	yielded := 0
	flush := func() {
		if !s.batch.inTurn {
			c.sort()
		}
		err = s.take()
		s.lookAround()
		c.reset(s.store.width)
	}
	goOn := func() bool { return err == nil && s.result.Outcome == Unfinished && s.limit == Unfinished }
	s.sys.Initial(func(words []uint64) bool {
		c.births = append(c.births, parentEdge{parent: noParent, step: uint32(yielded)})
		yielded++
		if c.add(words, Hash(words)); len(c.hashes) == s.scale.batchStates() {
			flush()
		}
		return goOn()
	})
	if goOn() {
		flush()
	}
	if s.disk != nil && goOn() {
		err = s.settle()
	}
	s.conclude()
	s.count.Initial = s.graph.States()
	return err
}

// level expands the states numbered lo up to hi, all of the given depth.
func (s *search) level(depth, lo, hi int) error {
	s.before = snapshot{s.count, s.result.Marks, s.result.found, s.graph.forward}
	s.shrinkBatch()
	if s.disk != nil {
		return s.levelOnDisk(depth)
	}
	if s.lossy != nil {
		return s.lossy.expandLevel(depth, lo, hi)
	}
	if s.graph.forward {
		s.pool.forget() // or the filter might drop a step to an earlier level, and forward would stay true
	}
	s.batch.foretold = s.estimateStates()
	for size := s.scale.batchStates(); lo < hi && s.result.Outcome == Unfinished; lo += size {
		if s.shrinkBatch(); len(s.pool.workers) <= mostInPipeline {
			return newPipeline(s, depth, lo, hi).expandLevel()
		}
		s.beginBatch(hi - lo)
		s.batch.grow()
		if err := s.expand(lo, min(lo+size, hi)); err != nil {
			return err
		}
		s.commit(depth)
		s.endBatch()
	}
	return nil
}

// beginBatch begins the next batch of a level with that many states left, and reports whether the
// store has to grow first.
func (s *search) beginBatch(left int) bool {
	return s.batch.begin(min(left, s.scale.batchStates()), s.spareRoom())
}

// endBatch ends a batch that was counted and taken in.
func (s *search) endBatch() {
	s.conclude()
	if s.Progress != nil {
		s.Progress(s.stats())
	}
	s.lookAround()
}

// known is the marks that need not be looked for any more.
func (s *search) known() uint64 { return s.result.Marks | s.Ignore }

// undo resets what was counted and found in the current level.
func (s *search) undo() {
	s.recount()
	s.result.Marks, s.result.found = s.before.marks, s.before.found
}

// recount resets what was counted in the current level.
func (s *search) recount() { s.count, s.graph.forward = s.before.count, s.before.forward }

// lookAround ends the search if its context has ended.
func (s *search) lookAround() {
	if s.result.Outcome == Unfinished && s.ctx.Err() != nil {
		s.result.Outcome = EndOf(s.ctx)
	}
}

// expand expands a batch, after teaching the system what it lacks. If the search ends during
// this, the batch is empty.
func (s *search) expand(lo, hi int) error {
	for {
		s.batch.expand(lo, hi, s.known())
		if !s.batch.lacks() {
			s.batch.retry(s.pool.workers[0], s.known())
		}
		if !s.batch.lacks() {
			return nil
		}
		for _, c := range s.batch.chunks {
			if err := s.teach(c.unlearned); err != nil {
				return err
			}
		}
		if s.result.Outcome != Unfinished || s.repacking != nil {
			s.batch.take(0)
			return nil
		}
	}
}

// teach has the system learn what it lacks for some states, given by their numbers in the
// source of the batch, until the search ends or the packing of states changes. It is called
// for the same chunks in the same order whatever the number of workers, since what is learned
// first gets the lower numbers in the words of a state.
func (s *search) teach(unlearned []int) error {
	if len(unlearned) == 0 {
		return nil
	}
	w := s.pool.workers[0]
	w.steps.Known = ^uint64(0) // marks are looked for when the states are expanded
	for s.result.Outcome == Unfinished && s.repacking == nil {
		var states [][]uint64
		for _, n := range unlearned {
			if words := s.batch.source.state(n); !w.knows(words) {
				states = append(states, words)
			}
		}
		if states == nil {
			break
		}
		all, err := s.learn(states)
		if err != nil {
			return err
		}
		if all {
			break
		}
	}
	s.pool.forget()
	return nil
}

// learn has the system learn states, or the first of them, a few at a time, and reports whether that was all.
func (s *search) learn(states [][]uint64) (all bool, _ error) {
	for few := range slices.Chunk(states, learnStates) {
		repack, err := s.sys.Learn(few)
		if err != nil {
			return false, err
		}
		switch { // even if memory is exceeded, since the system cannot read the old packing
		case s.disk != nil, s.lossy != nil:
			s.repacking = repack
		case repack != nil:
			s.batch.repack(s.sys.Width(), repack)
		}
		if s.lookAround(); s.result.Outcome == Unfinished && s.tooMuch() {
			s.result.Outcome = MemoryLimit
		}
		if repack != nil || s.result.Outcome != Unfinished {
			return false, nil // the packing of the states may have changed
		}
	}
	return true, nil
}

// commit adds the successors of a batch of states of the given depth, in the order of those
// states. A successor that does not fit may lead back, so the graph is not forward then.
func (s *search) commit(depth int) {
	s.tally(depth, 0)
	s.take() // which fails on disk only
	if s.limit != Unfinished || slices.Min(s.batch.lowest[:]) < s.graph.levels[depth+1] {
		s.graph.forward = false
	}
}

// tally counts what the expansion of a batch of states of the given depth found. The first state
// of the store that they were read from has number first.
func (s *search) tally(depth, first int) {
	for _, c := range s.batch.chunks {
		s.count.Expanded += c.expanded
		s.count.Transitions += c.transitions
		s.count.Quiet += c.quiet
		for k, n := range c.fired {
			s.count.Fired[k] += n + c.too[k]
		}
		for _, m := range c.marks {
			s.mark(m, depth, first)
		}
	}
}

// take adds the candidates of the batch to the store, up to the limits. If they may not all fit,
// they are added one by one up to the last that does: how many candidates there are depends on
// which worker expanded what.
func (s *search) take() error {
	most := maxStates
	if s.MaxStates > 0 {
		most = min(most, s.MaxStates)
	}
	switch {
	case s.limit != Unfinished:
	case s.disk != nil:
		return s.collect(s.batch.chunks)
	case s.lossy != nil:
		s.limit = s.lossy.admit(most)
	case s.full():
		s.limit = s.squeeze(most)
	case !s.batch.commit(most):
		s.limit = StateLimit
	}
	return nil
}

func (s *search) mark(m stateMark, depth, first int) {
	bit := uint64(1) << m.Bit
	if (s.result.Marks|s.Ignore)&bit != 0 {
		return
	}
	s.result.Marks |= bit
	s.result.found[m.Bit] = Found{State: first + m.state, Depth: depth, OnStep: m.OnStep, Action: m.Action}
}

func (s *search) stats() Stats {
	st := s.count
	st.States = s.graph.States()
	st.Frontier = st.States - st.Expanded
	st.Depth = s.graph.depthOf(st.States - 1)
	st.Bytes = s.bytes()
	if s.disk != nil {
		st.Bytes, st.Disk = max(st.Bytes, s.disk.most), s.disk.peak
	}
	if s.lossy != nil {
		st.Loss = s.lossy.visited.loss()
	}
	st.Width = s.store.width
	st.Elapsed = time.Since(s.began)
	return st
}
