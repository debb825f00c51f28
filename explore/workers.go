package explore

import (
	"fmt"
	"math/bits"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
)

const (
	chunkStates  = 1024
	learnStates  = 128 // between looks at the context and the memory
	batchChunks  = 64
	batchStates  = batchChunks * chunkStates // does not depend on the workers, so that results do not
	scratchEach  = 16                        // chunks for each of several workers, so that they do not wait for one another
	scratchAlone = 4                         // chunks for a single worker
)

// pool is the workers.
type pool struct {
	workers []*worker
}

func newPool(sys System, workers int) *pool {
	c := &pool{workers: make([]*worker, max(workers, 1))}
	for i := range c.workers {
		c.workers[i] = &worker{number: i, expander: sys.Expander(), filter: newFilter()}
	}
	return c
}

// bytes is the memory that the expanders say they hold.
func (c *pool) bytes() (n int64) {
	for _, w := range c.workers {
		n += w.expander.Held()
	}
	return n
}

// each has the workers do the parts of some work, numbered below n, and returns when all are
// done. If parts panic, the caller gets the panic of the one with the lowest number.
func (c *pool) each(n int, do func(w *worker, part int)) {
	if n <= 1 || len(c.workers) == 1 {
		for part := range n {
			do(c.workers[0], part)
		}
		return
	}
	shares := make([]share, len(c.workers))
	for i := range shares {
		shares[i].next.Store(int64(i * n / len(shares)))
		shares[i].end = int64((i + 1) * n / len(shares))
	}
	var lock sync.Mutex
	first, said := n, any(nil)
	c.all(func(w *worker) {
		for k := range shares {
			share := &shares[(w.number+k)%len(shares)]
			for part, ok := share.take(); ok; part, ok = share.take() {
				if p := caught(func() { do(w, part) }); p != nil {
					lock.Lock()
					if part < first {
						first, said = part, p
					}
					lock.Unlock()
				}
			}
		}
	})
	if said != nil {
		panic(said)
	}
}

// all has every worker do some work, and returns when all are done. If a worker panics, so does
// the caller, who may recover.
func (c *pool) all(do func(w *worker)) {
	if len(c.workers) == 1 {
		do(c.workers[0])
		return
	}
	var done sync.WaitGroup
	var panicked atomic.Pointer[any]
	for _, w := range c.workers {
		done.Go(func() {
			finished := false
			defer func() {
				if !finished {
					var p any = "runtime.Goexit was called, as FailNow and SkipNow of a test do"
					panicked.Store(&p)
				}
			}()
			if p := caught(func() { do(w) }); p != nil {
				panicked.Store(&p)
			}
			finished = true
		})
	}
	done.Wait()
	if p := panicked.Load(); p != nil {
		panic(*p)
	}
}

// caught calls do and returns what it panics with, or nil. Anything but a Contradiction or a
// *Panic is wrapped in a *Panic.
func caught(do func()) (p any) {
	defer func() {
		switch p = recover(); p.(type) {
		case nil, Contradiction, *Panic:
		default:
			p = &Panic{p, debug.Stack()}
		}
	}()
	do()
	return nil
}

// Panic carries the panic of a worker to its caller.
type Panic struct {
	Said  any
	Stack []byte // of the worker
}

func (p *Panic) Error() string { return fmt.Sprintf("%v\n%s", p.Said, p.Stack) }

// share is a range of parts. One worker takes them one after the other, since neighbouring parts
// have much the same successors. When its share is used up, it takes parts of the others.
type share struct {
	next atomic.Int64
	end  int64
	_    [48]byte // keeps shares in different cache lines
}

func (s *share) take() (part int, ok bool) {
	n := s.next.Add(1) - 1
	return int(n), n < s.end
}

// forget empties the filters.
func (c *pool) forget() {
	for _, w := range c.workers {
		w.filter.forget()
	}
}

// worker expands states on one goroutine.
type worker struct {
	number   int // from 0
	expander Expander
	steps    Steps
	several  Steps // out of several states, to be gathered
	filter   filter
	latest   int  // the first state of the chunk expanded last
	births   bool // record how each candidate was met

	states, hashes []uint64 // lent to chunks that are to be sorted
}

// filter remembers successors that one worker met recently in the same level. Most successors of
// an election were met a moment ago by another route, so this avoids most looks into the table.
// The filter begins small in each level, since most levels are small. Even when large it leaves
// most of the second-level cache to other data (BenchmarkSearch).
type filter struct {
	width int
	mask  uint64   // the number of places, a power of two, less 1
	words []uint64 // of the state met last in each place
	met   int
}

const filterWords, leastFilter = 1 << 14, 1 << 8

func newFilter() filter { return filter{} }

// forget empties the filter.
func (f *filter) forget() { f.begin(f.width, leastFilter) }

// begin empties the filter and gives it that many places. An empty place holds a state that
// belongs elsewhere: zeros, or in the place of zeros another state.
func (f *filter) begin(width, places int) {
	f.width, f.mask, f.met = width, uint64(places-1), 0
	f.words = sized(f.words, places*width)
	clear(f.words)
	if width == 0 {
		return
	}
	other := make([]uint64, width)
	zero := Hash(other) & f.mask
	for other[0] = 1; Hash(other)&f.mask == zero; other[0]++ {
	}
	copy(f.place(zero), other)
}

// place returns the place of a hash.
func (f *filter) place(h uint64) []uint64 { return f.words[int(h&f.mask)*f.width:][:f.width] }

// seen reports whether the filter remembers s, and remembers it from now on.
func (f *filter) seen(s []uint64, h uint64) bool {
	if f.width != len(s) {
		f.begin(len(s), leastFilter)
	}
	place := f.place(h)
	known := equal(place, s)
	copy(place, s)
	return known
}

// fit prepares the filter for states of the given width, and makes it large once there were many
// in the level.
func (f *filter) fit(width int) {
	switch {
	case f.width != width:
		f.begin(width, leastFilter)
	case f.met > leastFilter && f.mask == leastFilter-1:
		f.begin(width, filterWords>>bits.Len(uint(width-1)))
	}
}

// expand fills c with the successors of the states lo up to hi. If that panics, it is tried again
// when c is taken in, unless the search ends before.
func (w *worker) expand(c *chunk, st *store, lo, hi int) {
	c.reset(st.width)
	c.from, c.to, c.known = lo, hi, w.steps.Known
	if lo <= w.latest {
		w.filter.forget() // it may remember successors that were thrown away
	}
	w.filter.fit(st.width)
	w.latest = lo
	c.panicked = caught(func() { w.fill(c, st, lo, hi) })
	w.filter.met += len(c.hashes)
}

// gatherSteps is about how many steps are gathered at once. A loop over the steps of one state
// would be short, and the processor could not predict its length.
const gatherSteps = 400

// fill does the work of expand.
func (w *worker) fill(c *chunk, st *store, lo, hi int) {
	w.several.Reset()
	for n := lo; n < hi; n++ {
		w.steps.follow(&w.several)
		if !w.expander.Expand(st.state(n), &w.steps) {
			w.gather(c)
			c.unlearned, c.gaps = append(c.unlearned, n), append(c.gaps, len(c.hashes))
			continue
		}
		c.note(n, &w.steps)
		if w.births {
			w.gatherParents(c, n)
		}
		if w.several.take(&w.steps); len(w.several.Actions) >= gatherSteps {
			w.gather(c)
		}
	}
	w.gather(c)
}

// complete expands the states that c lacks, once they are learned, and puts their successors where
// they would be had they been known at first. If that is not possible, c has to be expanded again.
func (w *worker) complete(c *chunk, st *store) (done bool) {
	if c.panicked != nil {
		return false
	}
	more, ends := chunk{width: c.width}, []int(nil)
	panicked := caught(func() {
		for _, n := range c.unlearned {
			if !w.knows(st.state(n)) {
				return
			}
			c.note(n, &w.steps)
			c.tally(w.steps.Actions)
			for next := range slices.Chunk(w.steps.States, c.width) {
				more.add(next, Hash(next)) // not by the filter, which remembers later states of c
			}
			ends = append(ends, len(more.hashes))
		}
	})
	if panicked != nil || len(ends) < len(c.unlearned) {
		return false
	}
	slices.SortStableFunc(c.marks, func(a, b stateMark) int { return a.state - b.state })
	c.insert(&more, ends)
	return true
}

// follow empties out. The next steps are written behind those of others in memory, if there is
// room.
func (out *Steps) follow(others *Steps) {
	out.Reset()
	out.Actions, out.States = others.Actions[len(others.Actions):], others.States[len(others.States):]
}

// take adds steps that were made to follow those of out.
func (out *Steps) take(more *Steps) {
	out.Actions, out.States = joined(out.Actions, more.Actions), joined(out.States, more.States)
}

// joined returns all and more in one slice. It does not copy if more is right behind all in
// memory.
func joined[T any](all, more []T) []T {
	n := len(all)
	if len(more) > 0 && n < cap(all) && &all[:n+1][n] == &more[0] {
		return all[:n+len(more)]
	}
	return append(all, more...)
}

// expandSorted is expand, and then puts the candidates in the order of their regions.
func (w *worker) expandSorted(c *chunk, st *store, lo, hi int) {
	c.states, c.hashes = w.states, w.hashes
	if w.expand(c, st, lo, hi); c.panicked == nil {
		c.sort()
	}
	w.states, w.hashes, c.states, c.hashes = c.states, c.hashes, nil, nil
}

// knows reports whether all steps out of a state are known.
func (w *worker) knows(words []uint64) bool {
	w.steps.Reset()
	return w.expander.Expand(words, &w.steps)
}

// again returns the steps out of a state that was expanded before, so nothing in it is left to
// learn. The System may leave out marks that are known. The steps are valid until the worker's
// next expansion.
func (w *worker) again(words []uint64, known uint64) *Steps {
	w.steps.Known = known
	if !w.knows(words) {
		panic(Contradiction("a state that was expanded has become unknown"))
	}
	return &w.steps
}

// gather counts the steps out of several states, and adds their successors to the candidates of
// c, except those that the filter remembers. States of one word or two are kept in registers.
func (w *worker) gather(c *chunk) {
	c.tally(w.several.Actions)
	states := w.several.States
	w.several.Reset()
	switch {
	case w.births: // gatherBirths has added them
	case c.width == 1:
		w.filter.gatherOnes(c, states)
	case c.width == 2:
		w.filter.gatherTwos(c, states)
	default:
		for at := 0; at < len(states); at += c.width {
			next := states[at : at+c.width]
			if h := Hash(next); !w.filter.seen(next, h) {
				c.add(next, h)
			}
		}
	}
}

// gatherOnes is the loop of gather for states of one word. It has no branch that depends on what
// the filter remembers: every state is written, and stays if it is new.
func (f *filter) gatherOnes(c *chunk, states []uint64) {
	n := len(c.hashes)
	c.reserve(len(states))
	for _, v := range states {
		h := hashNarrow(v, v)
		place := &f.words[h&f.mask]
		c.hashes[n], c.states[n] = h, v
		n += differ(*place ^ v)
		*place = v
	}
	c.cut(n)
}

// gatherTwos is gatherOnes for states of two words.
func (f *filter) gatherTwos(c *chunk, states []uint64) {
	n := len(c.hashes)
	c.reserve(len(states) / 2)
	for ; len(states) >= 2; states = states[2:] {
		v, u := states[0], states[1]
		h := hashNarrow(v, u)
		place := (*[2]uint64)(f.words[h&f.mask*2:])
		c.hashes[n], c.states[2*n], c.states[2*n+1] = h, v, u
		n += differ((place[0] ^ v) | (place[1] ^ u))
		place[0], place[1] = v, u
	}
	c.cut(n)
}

// differ returns 1, or 0 if the difference of two words is 0.
func differ(d uint64) int { return int((d | -d) >> 63) }
