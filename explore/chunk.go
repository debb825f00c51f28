package explore

import (
	"iter"
	"slices"
)

// chunk is what the expansion of some states, with consecutive numbers, found.
type chunk struct {
	width  int
	states []uint64     // candidates: successors, perhaps repeated; taken back by the worker
	hashes []uint64     // once they are sorted
	births []parentEdge // of the candidates; in a lossy search, and for initial states

	sorted  sorted   // the candidates by region
	first   int      // provisional number of the first of these
	numbers []uint32 // by candidate: noState if it is not new, else its final number

	expanded, transitions, quiet int
	fired, too                   [256]int
	marks                        []stateMark
	unlearned                    []int  // states that have to be learned
	gaps                         []int  // by unlearned state: how many candidates come before its own
	from, to                     int    // the states that were expanded
	known                        uint64 // marks that were not looked for
	panicked                     any    // what the expansion panicked with, or nil
}

// sorted is the candidates by region. Those of a region are consecutive in memory
// (BenchmarkSearch).
type sorted struct {
	begin  [regionCount + 1]uint32 // where each region begins
	order  []uint32                // place of each among the unsorted candidates
	states []uint64
	hashes []uint64
	slots  []uint32 // where it was put; noState if it is not new
}

const noState = 1<<32 - 1

// stateMark is a mark and the state that bears it.
type stateMark struct {
	Mark
	state int
}

// held is how many bytes a chunk takes, full or empty.
func (c *chunk) held() int64 {
	s := &c.sorted
	long := cap(c.states) + cap(c.hashes) + cap(s.states) + cap(s.hashes)
	return int64(8*long + 4*(cap(s.order)+cap(s.slots)+cap(c.numbers)))
}

// candidates is how many there are.
func (c *chunk) candidates() int { return max(len(c.hashes), len(c.sorted.hashes)) }

// successor returns a candidate by its place before sorting.
func (c *chunk) successor(i int) []uint64 { return c.states[i*c.width:][:c.width] }

// words returns a candidate by its place after sorting.
func (c *chunk) words(at int) []uint64 { return c.sorted.states[at*c.width:][:c.width] }

func (c *chunk) reset(width int) {
	*c = chunk{
		width: width, states: c.states[:0], hashes: c.hashes[:0], births: c.births[:0], sorted: c.sorted, numbers: c.numbers,
		marks: c.marks[:0], unlearned: c.unlearned[:0], gaps: c.gaps[:0],
	}
	c.sorted.hashes = c.sorted.hashes[:0]
}

func (c *chunk) add(words []uint64, h uint64) {
	c.hashes = append(c.hashes, h)
	c.states = append(c.states, words...)
}

// reserve adds that many candidates, which are to be written.
func (c *chunk) reserve(more int) {
	c.hashes = slices.Grow(c.hashes, more)[:len(c.hashes)+more]
	c.states = slices.Grow(c.states, more*c.width)[:len(c.states)+more*c.width]
}

// cut removes all but the first n candidates.
func (c *chunk) cut(n int) { c.hashes, c.states = c.hashes[:n], c.states[:n*c.width] }

// insert puts candidates into the gaps: those of each gap are the ones of more up to its end.
func (c *chunk) insert(more *chunk, ends []int) {
	end := len(c.hashes)
	c.reserve(len(more.hashes))
	for k := len(ends) - 1; k >= 0; k-- {
		first, begin := 0, c.gaps[k]
		if k > 0 {
			first = ends[k-1]
		}
		copy(c.hashes[begin+ends[k]:], c.hashes[begin:end])
		copy(c.states[(begin+ends[k])*c.width:], c.states[begin*c.width:end*c.width])
		copy(c.hashes[begin+first:], more.hashes[first:ends[k]])
		copy(c.states[(begin+first)*c.width:], more.states[first*c.width:ends[k]*c.width])
		end = begin
	}
	c.unlearned, c.gaps = c.unlearned[:0], c.gaps[:0]
}

// note counts the expanded state n and keeps its marks.
func (c *chunk) note(n int, steps *Steps) {
	c.expanded++
	if steps.Quiet {
		c.quiet++
	}
	for _, m := range steps.Marks {
		c.marks = append(c.marks, stateMark{m, n})
	}
}

// tally counts steps.
func (c *chunk) tally(steps []Action) {
	c.transitions += len(steps)
	for ; len(steps) >= 2; steps = steps[2:] { // with two counters no addition waits for the one before
		c.fired[steps[0].Kind()]++
		c.too[steps[1].Kind()]++
	}
	for _, a := range steps {
		c.fired[a.Kind()]++
	}
}

// sort puts the candidates in the order of their regions.
func (c *chunk) sort() {
	s := &c.sorted
	s.begin = [regionCount + 1]uint32{}
	for _, h := range c.hashes {
		s.begin[regionOf(h)+1]++
	}
	for r := range regionCount {
		s.begin[r+1] += s.begin[r]
	}
	s.order, s.slots = sized(s.order, len(c.hashes)), sized(s.slots, len(c.hashes))
	s.states, s.hashes = sized(s.states, len(c.states)), sized(s.hashes, len(c.hashes))
	c.numbers = sized(c.numbers, len(c.hashes))
	next := s.begin
	for i, h := range c.hashes {
		at := next[regionOf(h)]
		next[regionOf(h)]++
		s.order[at], s.hashes[at] = uint32(i), h
		for k := range c.width {
			s.states[int(at)*c.width+k] = c.states[i*c.width+k]
		}
	}
}

// sized returns a slice of the given length, in the memory of s if that is enough.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n+n/8)[:n]
	}
	return s[:n]
}

// inTurn yields the hashes and words of the candidates in the order in which they were found,
// whether they are sorted or not.
func (c *chunk) inTurn() iter.Seq2[uint64, []uint64] {
	return func(yield func(uint64, []uint64) bool) {
		if len(c.sorted.hashes) == 0 {
			for i, h := range c.hashes {
				if !yield(h, c.successor(i)) {
					return
				}
			}
			return
		}
		for at, i := range c.sorted.order {
			c.numbers[i] = uint32(at)
		}
		for _, at := range c.numbers {
			if !yield(c.sorted.hashes[at], c.words(int(at))) {
				return
			}
		}
	}
}

// of returns the range of the candidates of a region.
func (s *sorted) of(region int) (lo, hi uint32) { return s.begin[region], s.begin[region+1] }

// count numbers the new states from n on, and returns the next number.
func (c *chunk) count(n int) int {
	for i, number := range c.numbers {
		if number != noState {
			c.numbers[i] = uint32(n)
			n++
		}
	}
	return n
}

// move writes the new states numbered below count into the store.
func (c *chunk) move(st *store, count int) {
	for at, i := range c.sorted.order {
		if n := int(c.numbers[i]); n < count {
			st.put(n, c.words(at))
		}
	}
}

func newChunks(n int) []*chunk {
	chunks := make([]*chunk, n)
	for i := range chunks {
		chunks[i] = &chunk{}
	}
	return chunks
}
