package explore

import (
	"cmp"
	"context"
	"errors"
	"slices"
)

// disk is what a search has moved out of memory. Each level is a run: a sorted file, whose
// order is also that of the numbers of its states. The next level is made in two passes.
// First, the states that the current level leads to are collected in the store, which is
// written as a run of candidates whenever it is full. Then the candidates are merged, without
// the states that were visited before. If the packing of states changes on the way, all runs
// are rewritten and the current level begins again.
type disk struct {
	*folder
	scale
	source     *store // the states being expanded, a batch
	levels     []*run // by depth
	visited    []*run // all states of the levels, each in one of these
	candidates []*run // for the next level, perhaps visited before
	count      int    // states in the levels
	most       int64  // bytes of memory held by the search, whenever the store was emptied
}

// scale is how much is done at once. Tests make it small.
type scale struct {
	chunk int // states that a worker expands at once; 0: chunkStates

	states int   // held in the store at most, besides what Memory says; 0: no limit
	block  int   // bytes of a run that are compressed at once
	room   int64 // bytes on disk; 0: no limit
	runs   int   // merged at once, at least 2

	glance int // states expanded before the first glance

	print uint  // bits in a fingerprint
	array int64 // bytes in an array of bits; 0: as Memory says
}

func (sc scale) chunkStates() int { return cmp.Or(sc.chunk, chunkStates) }

// batchStates is how many states are expanded before their successors are stored.
func (sc scale) batchStates() int { return batchChunks * sc.chunkStates() }

var standardScale = scale{block: 64 << 10, runs: 16, glance: 1 << 16, print: printBits}

var errInterrupted = errors.New("the context has ended")

// held is roughly the memory taken by everything except the store.
func (d *disk) held() int64 {
	const zstd = 2 << 20
	buffers := int64(3 * d.scale.block * ((sieveParts+1)*d.runs + 1)) // of cursors: the words, their bytes, and those compressed
	n := d.source.bytes() + buffers + zstd
	for _, runs := range [][]*run{d.levels, d.visited, d.candidates} {
		for _, r := range runs {
			n += r.held()
		}
	}
	return n
}

// addLevel adds the next level.
func (d *disk) addLevel(r *run) {
	r.level = true
	d.levels = append(d.levels, r)
	d.visited = append(d.visited, r)
	d.count += r.count
}

// write writes states that are in order as a run.
func (d *disk) write(st *store, lo, hi int) (*run, error) {
	return d.make(st.width, func(w *runWriter) error {
		for n := lo; n < hi; n++ {
			if err := w.add(st.state(n)); err != nil {
				return err
			}
		}
		return nil
	})
}

// compact merges small runs until there are few enough to be merged at once.
func (d *disk) compact(runs *[]*run, look func() error) error {
	for len(*runs) > d.runs {
		slices.SortStableFunc(*runs, func(a, b *run) int { return a.count - b.count })
		small := slices.Clone((*runs)[:d.runs])
		all, err := d.union(small[0].width, small, look)
		if err != nil {
			return err
		}
		*runs = append(slices.Clone((*runs)[d.runs:]), all)
		if err := d.dropAll(small); err != nil {
			return err
		}
	}
	return nil
}

// dropAll removes runs that are no levels.
func (d *disk) dropAll(runs []*run) error {
	for _, r := range runs {
		if !r.level {
			if err := d.drop(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropCandidates removes all candidates.
func (d *disk) dropCandidates() error {
	runs := d.candidates
	d.candidates = nil
	return d.dropAll(runs)
}

// canSpill reports whether a search that would end here may go on on disk.
func (s *search) canSpill() bool {
	return s.result.Outcome == MemoryLimit && s.Spill != "" && s.disk == nil && s.sys.Bytes() <= s.Memory
}

// spill moves what is in memory to disk, where the current level begins again.
func (s *search) spill() (err error) {
	defer func() { s.stranded = err != nil }()
	f, err := newFolder(s.Spill, s.scale)
	if err != nil {
		return err
	}
	s.disk = &disk{folder: f, scale: s.scale, most: s.bytes()}
	s.graph.folder = f // removed by Close from here on
	s.result.Outcome, s.limit = Unfinished, Unfinished
	last := len(s.graph.levels) - 1
	if last > 0 {
		s.undo()
		if err := s.spillLevels(last); err != nil {
			return err
		}
	}
	s.graph.disk = s.disk
	s.emptyStore()
	s.batch.foretold = 0
	if last == 0 { // not even the initial states were all there
		return s.addInitial()
	}
	return s.disk.compact(&s.disk.visited, s.goOn)
}

// spillLevels writes the first count levels.
func (s *search) spillLevels(count int) error {
	bearers := s.bearers()
	ends := s.graph.levels[1 : count+1]
	s.graph.levels = s.graph.levels[:count]
	for depth, lo := range s.graph.levels {
		s.store.sort(s.pool, lo, ends[depth])
		r, err := s.disk.write(s.store, lo, ends[depth])
		if err != nil {
			return err
		}
		s.disk.addLevel(r)
	}
	return s.renumber(bearers)
}

// bearers returns the states that are the first bearers of marks.
func (s *search) bearers() (words [64][]uint64) {
	for bit := range words {
		if s.result.Marks>>bit&1 != 0 {
			words[bit] = slices.Clone(s.graph.State(s.result.found[bit].State))
		}
	}
	return words
}

// renumber gives the bearers of marks the numbers that they have on disk.
func (s *search) renumber(bearers [64][]uint64) error {
	for bit, words := range bearers {
		if words == nil {
			continue
		}
		found := &s.result.found[bit]
		level := s.disk.levels[found.Depth]
		if level.repack != nil { // it was not rewritten, and has the same numbers as before
			continue
		}
		place, err := s.disk.find(level, words)
		if err != nil {
			return err
		}
		found.State = s.graph.levels[found.Depth] + place
	}
	return nil
}

// emptyStore makes the store ready for candidates, and the source for states to be expanded.
func (s *search) emptyStore() {
	width := s.sys.Width()
	if s.disk.source != nil {
		s.disk.most = max(s.disk.most, s.bytes())
	}
	*s.store = *newStore(width)
	if s.disk.source == nil || s.disk.source.width != width {
		s.disk.source = newStore(width)
		s.disk.source.addPages(s.scale.batchStates())
		s.batch.source = s.disk.source
	}
}

// goOn returns an error if the context has ended.
func (s *search) goOn() error {
	if s.ctx.Err() != nil {
		return errInterrupted
	}
	return nil
}

// levelOnDisk expands the states of the given depth and makes a level of their successors. If the
// search ends during this, it is not known which of these are new: the states count as not
// expanded, but marks that were found remain.
func (s *search) levelOnDisk(depth int) error {
	err := s.tryOnDisk(depth)
	if len(s.disk.levels) == depth+1 {
		s.count = s.before.count
	}
	return err
}

func (s *search) tryOnDisk(depth int) error {
	err := s.expandOnDisk(depth)
	for err == nil && s.repacking != nil {
		if err = s.repackOnDisk(); err == nil {
			err = s.expandOnDisk(depth)
		}
	}
	if err != nil || s.result.Outcome != Unfinished {
		return err
	}
	return s.settle()
}

func (s *search) expandOnDisk(depth int) error {
	s.pool.forget()
	c, err := s.disk.open(s.disk.levels[depth])
	if err != nil {
		return err
	}
	defer c.close()
	for first := s.graph.levels[depth]; s.result.Outcome == Unfinished; first += s.disk.source.count {
		if err := s.fill(c); err != nil || s.disk.source.count == 0 {
			return err
		}
		s.beginBatch(s.disk.source.count)
		s.batch.grow()
		if err := s.expand(0, s.disk.source.count); err != nil || s.repacking != nil {
			return err
		}
		s.tally(depth, first)
		if err := s.take(); err != nil {
			return err
		}
		s.endBatch()
	}
	return nil
}

// fill reads the next batch of states.
func (s *search) fill(c *cursor) error {
	st := s.disk.source
	for st.count = 0; st.count < s.scale.batchStates() && c.words() != nil; st.count++ {
		st.put(st.count, c.words())
		if err := c.next(); err != nil {
			return err
		}
	}
	return nil
}

// collect adds the successors in some chunks to the candidates for the next level.
func (s *search) collect(chunks []*chunk) error {
	s.batch.chunks = chunks
	if s.full() {
		if err := s.flush(); err != nil {
			return err
		}
	}
	if half := len(chunks) / 2; half > 0 && s.full() {
		if err := s.collect(chunks[:half]); err != nil {
			return err
		}
		return s.collect(chunks[half:])
	}
	s.batch.commit(maxStates)
	return nil
}

// flush writes the candidates that are in the store as a run.
func (s *search) flush() error {
	if s.store.count == 0 {
		return nil
	}
	s.store.sort(s.pool, 0, s.store.count)
	r, err := s.disk.write(s.store, 0, s.store.count)
	if err != nil {
		return err
	}
	s.disk.candidates = append(s.disk.candidates, r)
	s.emptyStore()
	return s.disk.compact(&s.disk.candidates, s.goOn)
}

// settle makes a level of the candidates that were not visited before.
func (s *search) settle() error {
	if err := s.flush(); err != nil {
		return err
	}
	d := s.disk
	level, err := d.make(s.store.width, func(w *runWriter) error {
		f := &sieve{search: s, out: w, met: make([]bool, s.scale.batchStates())}
		defer f.close()
		if err := f.open(); err != nil {
			return err
		}
		if err := d.merge(d.candidates, s.goOn, f.add); err != nil {
			return err
		}
		return f.sift()
	})
	if err != nil {
		return err
	}
	d.addLevel(level)
	s.result.Outcome = s.limit
	if err := d.dropCandidates(); err != nil {
		return err
	}
	return d.compact(&d.visited, s.goOn)
}

// sieve lets through the states that were not visited before. It gathers a batch of states, in
// the memory of those that were expanded, and each of a few workers looks up a part of them. The
// states come in order, so its cursors only move forward.
type sieve struct {
	*search
	cursors [sieveParts][]*cursor // in the visited runs
	met     []bool                // of the batch: which were visited before
	out     *runWriter
}

const sieveParts = 4

func (f *sieve) open() (err error) {
	f.disk.source.count = 0
	for i := range f.parts() {
		if f.cursors[i], err = f.disk.openAll(f.disk.visited); err != nil {
			return err
		}
	}
	return nil
}

func (f *sieve) close() {
	for _, cursors := range f.cursors {
		closeAll(cursors)
	}
}

func (f *sieve) parts() int { return min(sieveParts, len(f.pool.workers)) }

func (f *sieve) add(words []uint64) error {
	batch := f.disk.source
	batch.put(batch.count, words)
	if batch.count++; batch.count == f.scale.batchStates() {
		return f.sift()
	}
	return nil
}

// sift writes the new states of the batch, up to the limit on states.
func (f *sieve) sift() error {
	batch, parts := f.disk.source, f.parts()
	var errs [sieveParts]error
	f.pool.each(parts, func(_ *worker, i int) {
		for n := i * batch.count / parts; n < (i+1)*batch.count/parts && errs[i] == nil; n++ {
			f.met[n], errs[i] = seekAll(f.cursors[i], batch.state(n))
		}
	})
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	for n, met := range f.met[:batch.count] {
		if met {
			f.graph.forward = false
			continue
		}
		if f.MaxStates > 0 && f.disk.count+f.out.run.count == f.MaxStates {
			f.limit = StateLimit
			break
		}
		if err := f.out.add(batch.state(n)); err != nil {
			return err
		}
	}
	batch.count = 0
	return nil
}

// repackOnDisk rewrites all runs, and has the current level begin again. The marks that were found
// remain, also if the disk is full before all is rewritten: what is not can still be read.
func (s *search) repackOnDisk() error {
	repack, ctx := s.repacking, s.ctx
	s.repacking = nil
	defer func() { s.ctx = ctx }()
	s.ctx = context.WithoutCancel(ctx) // the search cannot go on with what is not rewritten
	d := s.disk
	visited := d.visited
	d.visited = nil
	if err := errors.Join(d.dropAll(visited), d.dropCandidates()); err != nil {
		return err
	}
	s.emptyStore()
	for _, r := range d.levels {
		r.repack, r.wide = repack, s.store.width
	}
	bearers := s.bearers()
	full := s.rewriteLevels()
	if err := s.renumber(bearers); err != nil {
		return err
	}
	if full != nil {
		return full
	}
	s.recount()
	return d.compact(&d.visited, s.goOn)
}

// rewriteLevels rewrites one level after the other.
func (s *search) rewriteLevels() error {
	d := s.disk
	for depth, r := range d.levels {
		again, err := s.rewrite(r)
		if err != nil {
			return err
		}
		again.level = true
		d.levels[depth], d.visited = again, append(d.visited, again)
		if err := d.drop(r); err != nil {
			return err
		}
	}
	return nil
}

// rewrite returns a run of the states of a level, in the order of the new packing.
func (s *search) rewrite(r *run) (*run, error) {
	err := s.disk.merge([]*run{r}, s.goOn, func(words []uint64) error {
		if s.fullOfStates() {
			if err := s.flush(); err != nil {
				return err
			}
		}
		s.store.addPages(s.store.count + 1)
		s.store.put(s.store.count, words)
		s.store.count++
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := s.flush(); err != nil {
		return nil, err
	}
	again, err := s.disk.union(s.store.width, s.disk.candidates, s.goOn)
	if err != nil {
		return nil, err
	}
	return again, s.disk.dropCandidates()
}

// fullOfStates reports whether there is no room for one more state without an entry in the table.
func (s *search) fullOfStates() bool {
	n := s.store.count
	page := n > 0 && n%pageStates == 0
	return s.Memory > 0 && page && s.room() < s.store.pageBytes() || s.scale.states > 0 && n >= s.scale.states
}
