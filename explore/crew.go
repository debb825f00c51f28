package explore

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

const (
	chunkStates = 256
	learnStates = 128 // between looks at the context and the memory
	batchChunks = 64
	batchStates = batchChunks * chunkStates // independent of the workers, or the results would not be
)

// crew is the workers.
type crew struct {
	workers []*worker
}

func newCrew(sys System, workers int) *crew {
	c := &crew{workers: make([]*worker, max(workers, 1))}
	for i := range c.workers {
		c.workers[i] = &worker{expander: sys.Expander()}
	}
	return c
}

// each has the crew do the parts of some work, numbered below n, and returns
// when all are done.
func (c *crew) each(n int, do func(w *worker, part int)) {
	if n <= 1 || len(c.workers) == 1 {
		for part := range n {
			do(c.workers[0], part)
		}
		return
	}
	var next atomic.Int64
	var done sync.WaitGroup
	var panicked atomic.Value
	for _, w := range c.workers {
		done.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panicked.Store(fmt.Sprintf("%v\n%s", p, debug.Stack()))
				}
			}()
			for part := int(next.Add(1)) - 1; part < n; part = int(next.Add(1)) - 1 {
				do(w, part)
			}
		})
	}
	done.Wait()
	if p := panicked.Load(); p != nil {
		panic(p) // on the goroutine of the caller, who may recover
	}
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
	for i, w := range s {
		words[i] = w
	}
	return false
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

// gather adds the successors of state n, s, to the candidates of c, but for s
// itself and those that the filter remembers.
func (w *worker) gather(c *chunk, n int, s []uint64) {
	for at := 0; at < len(w.steps.States); at += c.width {
		next := w.steps.States[at : at+c.width]
		if equal(next, s) {
			c.lowest = min(c.lowest, n)
			continue
		}
		if h := Hash(next); !w.filter.seen(next, h) {
			c.add(next, h)
		}
	}
}
