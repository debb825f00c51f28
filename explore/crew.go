package explore

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

const (
	chunkStates = 1024
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
		c.workers[i] = &worker{expander: sys.Expander(), filter: newFilter()}
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
	var done sync.WaitGroup
	var panicked atomic.Value
	shares := make([]share, len(c.workers))
	for i := range shares {
		shares[i].next.Store(int64(i * n / len(shares)))
		shares[i].end = int64((i + 1) * n / len(shares))
	}
	for i, w := range c.workers {
		done.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panicked.Store(fmt.Sprintf("%v\n%s", p, debug.Stack()))
				}
			}()
			for k := range shares {
				for part, ok := shares[(i+k)%len(shares)].take(); ok; part, ok = shares[(i+k)%len(shares)].take() {
					do(w, part)
				}
			}
		})
	}
	done.Wait()
	if p := panicked.Load(); p != nil {
		panic(p) // on the goroutine of the caller, who may recover
	}
}

// share is a range of parts that one worker takes one after the other, as what
// they lead to has much in common. When it has none left it helps others.
type share struct {
	next atomic.Int64
	end  int64
	_    [48]byte // shares are far enough apart for two processors
}

func (s *share) take() (part int, ok bool) {
	n := s.next.Add(1) - 1
	return int(n), n < s.end
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
	latest   int // the first state of the chunk expanded last

	states, hashes []uint64 // lent to chunks until they are sorted
}

// filter remembers successors that one worker met lately in the same level.
// Most successors of an election were met a moment ago by another route; this
// spares them the trip to memory.
type filter struct {
	generation uint64
	places     [][4]uint64 // the generation in which it was met, and its words; if they are many, they are
	wide       []uint64    // here, and the place holds the generation only
}

// forget empties the filter.
func (f *filter) forget() { f.generation++ }

const filterSize = 1 << 14

func newFilter() filter { return filter{generation: 1, places: make([][4]uint64, filterSize)} }

// seen reports whether the filter remembers s, and remembers it from now on.
func (f *filter) seen(s []uint64, h uint64) bool {
	if len(s) <= 2 {
		return f.seenNarrow(s[0], s[len(s)-1], h)
	}
	if len(f.wide) != filterSize*len(s) {
		f.wide = make([]uint64, filterSize*len(s))
		f.forget()
	}
	place := &f.places[h%filterSize]
	words := f.wide[int(h%filterSize)*len(s):][:len(s)]
	known := place[0] == f.generation && equal(words, s)
	place[0] = f.generation
	copy(words, s)
	return known
}

func (f *filter) seenNarrow(first, last, h uint64) bool {
	place := &f.places[h%filterSize]
	if place[0] == f.generation && place[1] == first && place[2] == last {
		return true
	}
	place[0], place[1], place[2] = f.generation, first, last
	return false
}

// expand fills c with what the states lo up to hi lead to.
func (w *worker) expand(c *chunk, st *store, lo, hi int) {
	c.reset(st.width)
	c.states, c.hashes = w.states[:0], w.hashes[:0]
	if lo < w.latest {
		w.filter.forget() // or it would drop what nobody has met before
	}
	w.latest = lo
	for n := lo; n < hi; n++ {
		w.steps.Reset()
		if !w.expander.Expand(st.state(n), &w.steps) {
			c.unlearned = append(c.unlearned, n)
			continue
		}
		c.tally(n, &w.steps)
		w.gather(c)
	}
	c.sort()
	w.states, w.hashes, c.states, c.hashes = c.states, c.hashes, nil, nil
}

// gather adds the successors of a state to the candidates of c, but for those
// that the filter remembers.
func (w *worker) gather(c *chunk) {
	if c.width <= 2 {
		w.gatherNarrow(c)
		return
	}
	for at := 0; at < len(w.steps.States); at += c.width {
		next := w.steps.States[at : at+c.width]
		if h := Hash(next); !w.filter.seen(next, h) {
			c.add(next, h)
		}
	}
}

// gatherNarrow is gather for states of one word or two, which it keeps in
// registers.
func (w *worker) gatherNarrow(c *chunk) {
	states, last := w.steps.States, c.width-1
	for at := last; at < len(states); at += c.width {
		v, u := states[at-last], states[at]
		h := hashNarrow(v, u)
		if w.filter.seenNarrow(v, u, h) {
			continue
		}
		c.hashes = append(c.hashes, h)
		if c.states = append(c.states, v); last > 0 {
			c.states = append(c.states, u)
		}
	}
}
