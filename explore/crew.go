package explore

import (
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

const (
	chunkStates = 256
	learnStates = 128              // between looks at the context and the memory
	batchStates = 64 * chunkStates // independent of the workers, or the results would not be
)

// crew is the workers and what they hand over: the chunks of one batch.
type crew struct {
	workers []*worker
	chunks  []*chunk
}

func newCrew(sys System, workers int) *crew {
	c := &crew{workers: make([]*worker, max(workers, 1)), chunks: make([]*chunk, batchStates/chunkStates)}
	for i := range c.workers {
		c.workers[i] = &worker{expander: sys.Expander()}
	}
	for i := range c.chunks {
		c.chunks[i] = &chunk{}
	}
	return c
}

// expand expands the states lo up to hi and returns what was found, in order.
// The known marks are of no interest any more.
func (c *crew) expand(st *store, lo, hi int, known uint64) []*chunk {
	batch := c.chunks[:(hi-lo+chunkStates-1)/chunkStates]
	var next atomic.Int64
	work := func(w *worker) {
		w.steps.Known = known
		for i := int(next.Add(1)) - 1; i < len(batch); i = int(next.Add(1)) - 1 {
			from := lo + i*chunkStates
			w.expand(batch[i], st, from, min(from+chunkStates, hi))
		}
	}
	if len(batch) == 1 {
		work(c.workers[0])
		return batch
	}
	var done sync.WaitGroup
	var panicked atomic.Value
	for _, w := range c.workers {
		done.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panicked.Store(fmt.Sprintf("%v\n%s", p, debug.Stack()))
				}
			}()
			work(w)
		})
	}
	done.Wait()
	if p := panicked.Load(); p != nil {
		panic(p) // on the goroutine of the caller, who may recover
	}
	return batch
}

// forget empties the filters.
func (c *crew) forget() {
	for _, w := range c.workers {
		w.filter.forget()
	}
}

// worker expands states on one goroutine.
type worker struct {
	expander Expander
	steps    Steps
	filter   filter
}

// filter remembers successors that one worker met lately in the same level.
// Most successors of an election were met a moment ago by another route; this
// spares them the trip to memory.
type filter struct {
	generation uint32
	tags       []uint32 // generation in which the slot was filled, plus 1; 0: never
	words      []uint64
}

// forget empties the filter.
func (f *filter) forget() {
	if f.generation++; f.generation == 1<<32-1 { // the tags begin anew
		*f = filter{}
	}
}

const filterSize = 1 << 15

// seen reports whether the filter remembers s, and remembers it from now on.
func (f *filter) seen(s []uint64, h uint64) bool {
	if len(f.words) != filterSize*len(s) {
		f.tags, f.words = make([]uint32, filterSize), make([]uint64, filterSize*len(s))
	}
	slot := int(h % filterSize)
	words := f.words[slot*len(s) : (slot+1)*len(s)]
	if f.tags[slot] == f.generation+1 && equal(words, s) {
		return true
	}
	f.tags[slot] = f.generation + 1
	copy(words, s)
	return false
}

// chunk is what the expansion of a few states, with consecutive numbers, found.
type chunk struct {
	width  int
	states []uint64 // candidates: successors not in the store, perhaps repeated
	hashes []uint64

	entries []uint32 // of the store's table, while probing

	expanded, transitions, quiet int
	lowest                       int // number of a successor already stored
	fired                        [256]int
	marks                        []stateMark
	unlearned                    []int // states that have to be learned
}

// stateMark is a mark and the state that bears it.
type stateMark struct {
	Mark
	state int
}

func (c *chunk) words(i int) []uint64 { return c.states[i*c.width : (i+1)*c.width] }

func (c *chunk) reset(width int) {
	*c = chunk{
		width: width, states: c.states[:0], hashes: c.hashes[:0], entries: c.entries,
		lowest: math.MaxInt, marks: c.marks[:0], unlearned: c.unlearned[:0],
	}
}

// expand fills c with what the states lo up to hi lead to.
func (w *worker) expand(c *chunk, st *store, lo, hi int) {
	c.reset(st.width)
	for n := lo; n < hi; n++ {
		w.steps.Reset()
		if !w.expander.Expand(st.state(n), &w.steps) {
			c.unlearned = append(c.unlearned, n)
			continue
		}
		c.tally(n, &w.steps)
		w.gather(c, n, st.state(n))
	}
	c.probe(st)
}

// tally counts the steps out of state n and keeps its marks.
func (c *chunk) tally(n int, steps *Steps) {
	c.expanded++
	c.transitions += len(steps.Actions)
	for _, a := range steps.Actions {
		c.fired[a.Kind()]++
	}
	if steps.Quiet {
		c.quiet++
	}
	for _, m := range steps.Marks {
		c.marks = append(c.marks, stateMark{m, n})
	}
}

// gather adds the successors of state n, s, to the candidates of c, but for s
// itself and those that the filter remembers.
func (w *worker) gather(c *chunk, n int, s []uint64) {
	for at := 0; at < len(w.steps.States); at += c.width {
		next := w.steps.States[at : at+c.width]
		if equal(next, s) {
			c.lowest = min(c.lowest, n)
			continue
		}
		h := Hash(next)
		if w.filter.seen(next, h) {
			continue
		}
		c.hashes = append(c.hashes, h)
		c.states = append(c.states, next...)
	}
}

// probe drops the candidates that are in the store. Looking up the table is a
// loop of its own so that the processor overlaps its waits for memory.
func (c *chunk) probe(st *store) {
	c.entries = st.first(c.entries[:0], c.hashes)
	kept := 0
	for i, h := range c.hashes {
		n := -1
		if entry := c.entries[i]; entry != 0 {
			var ok bool
			if n, ok = st.holds(entry, c.words(i), h); !ok {
				n, _ = st.find(c.words(i), h)
			}
		}
		if n >= 0 {
			c.lowest = min(c.lowest, n)
			continue
		}
		c.hashes[kept] = h
		copy(c.words(kept), c.words(i))
		kept++
	}
	c.hashes, c.states = c.hashes[:kept], c.states[:kept*c.width]
}
