package explore

import (
	"math/bits"
	"slices"
)

// batch is the successors of the states of a few chunks, on their way into the store. All
// workers together settle these candidates region by region, and then number them chunk by
// chunk. Numbers follow the order of the chunks, so the result is the same for any number of
// workers. A pipeline, and a single worker, take the candidates one after the other instead.
type batch struct {
	store  *store
	source *store // of the states that are expanded
	begun  store  // the states of the store when a pipeline began
	pool   *pool
	chunk  int  // how many states are expanded into each
	inTurn bool // the candidates are not sorted, but taken in turn
	spare  []*chunk
	chunks []*chunk
	lowest [regionCount]int // by region: the lowest number of a state that was met again

	first    int      // provisional number of the first candidate
	spread   int      // bits of a provisional number that say which candidate of its chunk it is
	states   int      // how many the batch expands in all
	stored   int      // how many were in the store when it began
	foretold int      // estimate of how many states there will be
	scratch  []*chunk // for states that are entered again

	growing  []int            // regions that are to grow
	sizes    [regionCount]int // their numbers of slots then
	packings int              // how often the states were rewritten
}

func newBatch(st *store, c *pool, chunk int) *batch {
	b := &batch{store: st, source: st, pool: c, chunk: chunk}
	if n := len(c.workers); n > 1 {
		b.scratch = newChunks(scratchEach * n)
	} else {
		b.inTurn, b.scratch = true, newChunks(scratchAlone)
	}
	return b
}

var noLowest = func() (all [regionCount]int) {
	for i := range all {
		all[i] = noState
	}
	return all
}()

// expand expands the states lo up to hi of the source. Marks in known need not be looked for.
func (b *batch) expand(lo, hi int, known uint64) {
	b.take((hi - lo + b.chunk - 1) / b.chunk)
	b.pool.each(len(b.chunks), func(w *worker, i int) {
		from := lo + i*b.chunk
		b.expandChunk(w, b.chunks[i], from, min(from+b.chunk, hi), known)
	})
}

// expandChunk has a worker expand a chunk.
func (b *batch) expandChunk(w *worker, c *chunk, lo, hi int, known uint64) {
	w.steps.Known = known
	if b.inTurn {
		w.expand(c, b.source, lo, hi)
	} else {
		w.expandSorted(c, b.source, lo, hi)
	}
}

// retry expands again the chunks whose expansion panicked before the marks of all states before
// them were known. What panicked may be something that need not be looked for any more, and the
// outcome must not depend on which worker was faster. If a chunk still panics, so does retry. But
// if a chunk before it lacks something, it stops there, since the marks of that one are not known
// yet.
func (b *batch) retry(w *worker, known uint64) {
	for _, c := range b.chunks {
		if c.panicked != nil && c.known != known {
			b.expandChunk(w, c, c.from, c.to, known)
		}
		if c.panicked != nil {
			panic(c.panicked)
		}
		if len(c.unlearned) > 0 {
			return
		}
		for _, m := range c.marks {
			known |= 1 << m.Bit
		}
	}
}

// lacks reports whether the system has to learn something before the batch is expanded.
func (b *batch) lacks() bool {
	return slices.ContainsFunc(b.chunks, func(c *chunk) bool { return len(c.unlearned) > 0 })
}

// take makes that many chunks part of the batch.
func (b *batch) take(chunks int) {
	b.spare = append(b.spare, newChunks(max(0, chunks-len(b.spare)))...)
	b.chunks = b.spare[:chunks]
}

// held is how many bytes the chunks take, those of the candidates and those of scratch.
func (b *batch) held() (n int64) {
	for _, some := range [][]*chunk{b.spare, b.scratch} {
		for _, c := range some {
			n += c.held()
		}
	}
	return n
}

// spareChunk returns an unused chunk. It takes the one used last, which may still be in the
// cache.
func (b *batch) spareChunk() *chunk {
	last := len(b.spare) - 1
	if last < 0 {
		return &chunk{}
	}
	c := b.spare[last]
	b.spare = b.spare[:last]
	return c
}

// candidates is how many candidates there are.
func (b *batch) candidates() int {
	n := 0
	for _, c := range b.chunks {
		n += c.candidates()
	}
	return n
}

// growth is by how many bytes the store grows at most when the batch is committed.
func (b *batch) growth() int64 {
	sizes := b.incoming()
	for r, more := range sizes {
		sizes[r] = b.store.regions[r].size(more)
	}
	return b.store.pageGrowth(b.store.count+b.candidates()) + b.store.slotGrowth(sizes)
}

// incoming is how many candidates each region gets.
func (b *batch) incoming() (n [regionCount]int) {
	for _, c := range b.chunks {
		if b.inTurn {
			for _, h := range c.hashes {
				n[regionOf(h)]++
			}
			continue
		}
		for r := range n {
			lo, hi := c.sorted.of(r)
			n[r] += int(hi - lo)
		}
	}
	return n
}

// commit adds the candidates to the store, up to a number of states, and reports whether all have
// found a place.
func (b *batch) commit(most int) bool {
	candidates := b.candidates()
	b.lowest = noLowest
	if candidates == 0 {
		return true
	}
	if b.inTurn {
		return b.takeInTurn(candidates, most)
	}
	last := b.foresee(candidates)
	b.pool.each(regionCount, func(_ *worker, r int) { b.settle(r, last) })
	number := b.store.count
	for _, c := range b.chunks {
		number = c.count(number)
	}
	count := min(number, most)
	b.store.addPages(count)
	b.pool.each(len(b.chunks)+regionCount, func(_ *worker, i int) {
		if i < len(b.chunks) {
			b.chunks[i].move(b.store, count)
		} else {
			b.renumber(i-len(b.chunks), count)
		}
	})
	b.store.count = count
	return number == count
}

// foresee gives the candidates provisional numbers, above those that they may get as states, and
// returns a number above all of them.
func (b *batch) foresee(candidates int) int {
	most := 0
	for _, c := range b.chunks {
		most = max(most, c.candidates())
	}
	b.spread = bits.Len(uint(most))
	b.first = b.store.count + candidates
	for i, c := range b.chunks {
		c.first = b.first + i<<b.spread
	}
	return b.first + len(b.chunks)<<b.spread
}

// settle finds slots for the candidates of a region, and puts their provisional numbers, up to
// last, there.
func (b *batch) settle(region, last int) {
	r := &b.store.regions[region]
	r.widen(last)
	r.moved = false
	for _, c := range b.chunks {
		lo, hi := c.sorted.of(region)
		r.touch(c.sorted.hashes[lo:hi])
	}
	for _, c := range b.chunks {
		for lo, hi := c.sorted.of(region); lo < hi; lo += settleFew {
			b.settleFew(region, c, int(lo), int(min(lo+settleFew, hi)))
		}
	}
}

const settleFew = 32

// settleFew settles some candidates of a chunk. First it finds the slot where each may be already
// and reads the state there. These loops overlap the waits for memory, too.
func (b *batch) settleFew(region int, c *chunk, lo, hi int) {
	s, r := &c.sorted, &b.store.regions[region]
	all := uint64(0)
	for at := lo; at < hi; at++ {
		slot := r.seek(r.home(s.hashes[at]), s.hashes[at])
		if n := r.number(r.slots[slot]); n >= 0 && n < b.store.count {
			all |= b.store.state(n)[0]
		}
		s.slots[at] = slot
	}
	r.touched |= all
	size := len(r.slots)
	for at := lo; at < hi; at++ {
		slot, h := s.slots[at], s.hashes[at]
		if len(r.slots) != size {
			slot = r.home(h)
		}
		slot = b.insert(region, slot, c.words(at), h, c.first+at)
		s.slots[at], c.numbers[s.order[at]] = slot, slot
	}
}

// insert puts a candidate into a free slot, from the given one on, and returns that; noState if
// the state is there already.
func (b *batch) insert(region int, slot uint32, words []uint64, h uint64, number int) uint32 {
	r := &b.store.regions[region]
	for slot = r.seek(slot, h); r.slots[slot] != 0; slot = r.seek(slot+1, h) {
		if n := r.number(r.slots[slot]); equal(b.state(n), words) {
			b.lowest[region] = min(b.lowest[region], n)
			return noState
		}
	}
	return r.enter(slot, number, h, b.state)
}

// takeInTurn adds the candidates, whose number is given, to the store one after the other, up to
// a number of states, and reports whether all have found a place. For one worker alone, sorting,
// settling and numbering them would be wasted work.
func (b *batch) takeInTurn(candidates, most int) bool {
	st, last := b.store, b.store.count+candidates
	for i := range st.regions {
		st.regions[i].widen(last)
	}
	for _, c := range b.chunks {
		if !b.takeChunk(c, most) {
			return false
		}
	}
	return true
}

// takeChunk is takeInTurn for one chunk.
func (b *batch) takeChunk(c *chunk, most int) bool {
	st := b.store
	st.addPages(1) // for sift
	var few [siftFew]uint32
	for lo := 0; lo < len(c.hashes); lo += siftFew {
		for _, i := range b.sift(c, lo, min(lo+siftFew, len(c.hashes)), &few) {
			h, words := c.hashes[i], c.successor(int(i))
			if st.count == most && st.find(words, h) < 0 {
				return false
			}
			region := regionOf(h)
			r := &st.regions[region]
			if slot := b.insert(region, r.home(h), words, h, st.count); slot != noState {
				r.lead(slot, h)
				st.addPages(st.count + 1)
				st.put(st.count, words)
				st.count++
			}
		}
	}
	return true
}

// siftFew is how many candidates are sifted at once: enough for the processor to overlap its
// waits for memory, and few enough for what they touch to be still in the cache when they are
// taken in.
const siftFew = 64

// sift returns which candidates of a chunk, from lo up to hi, may be new: all except those whose
// state is found where the search for it begins. Each loop reads one thing that may be far away,
// and none has a branch that depends on what it finds, so that the processor overlaps its waits
// for memory.
func (b *batch) sift(c *chunk, lo, hi int, few *[siftFew]uint32) []uint32 {
	st, hashes := b.store, c.hashes[lo:hi]
	var entries, numbers, others [siftFew]uint32
	for i, h := range hashes {
		r := &st.regions[regionOf(h)]
		entries[i&(siftFew-1)] = r.slots[r.home(h)]
	}
	near := uint64(0)
	for i, h := range hashes {
		r := &st.regions[regionOf(h)]
		entry := entries[i&(siftFew-1)]
		at := r.number(entry)
		other := differ(uint64((entry^uint32(h>>32))&^r.low) | uint64(at)>>63)
		at &= other - 1 // if no state may be it, any one will do
		near |= st.pages[at>>pageBits][at&(pageStates-1)*st.width]
		numbers[i&(siftFew-1)], others[i&(siftFew-1)] = uint32(at), uint32(other)
	}
	st.regions[0].touched |= near
	n, lowest := 0, noState
	for i := range hashes {
		at, d := int(numbers[i&(siftFew-1)]), uint64(others[i&(siftFew-1)])
		state := st.state(at)
		for k, w := range c.successor(lo + i) {
			d |= state[k] ^ w
		}
		other := differ(d)
		few[n] = uint32(lo + i)
		n += other
		lowest = min(lowest, at|-other&noState)
	}
	b.lowest[0] = min(b.lowest[0], lowest)
	return few[:n]
}

// state returns the words of a state, or of a candidate by its provisional number.
func (b *batch) state(n int) []uint64 {
	if n < b.store.count {
		return b.store.state(n)
	}
	c := b.chunks[(n-b.first)>>b.spread]
	return c.words(n - c.first)
}

// renumber makes the numbers in a region final. A state that would be numbered count or higher is
// not stored, and its slot gets the number of another state.
func (b *batch) renumber(region, count int) {
	r := &b.store.regions[region]
	for _, c := range b.chunks {
		lo, hi := c.sorted.of(region)
		order, hashes := c.sorted.order[lo:hi], c.sorted.hashes[lo:hi]
		for i, slot := range c.sorted.slots[lo:hi] {
			if slot == noState {
				continue
			}
			if r.moved {
				slot = r.slotOf(c.first+int(lo)+i, hashes[i])
			}
			n := int(c.numbers[order[i]])
			if n >= count {
				n = 0 // which is in another slot, too
			}
			r.slots[slot] = r.entry(n, hashes[i])
		}
	}
}

// squeeze adds the candidates to the store one by one, until there are that many states or the
// store has grown by that many bytes. It returns which of these limits was reached, if any.
func (b *batch) squeeze(most int, room int64) Outcome {
	s := b.store
	b.lowest = noLowest
	held := s.bytes()
	for _, c := range b.chunks {
		for h, words := range c.inTurn() {
			r := &s.regions[regionOf(h)]
			if n := s.find(words, h); n >= 0 {
				b.lowest[regionOf(h)] = min(b.lowest[regionOf(h)], n)
				continue
			}
			switch {
			case s.count >= most:
				return StateLimit
			case s.bytes()-held+s.pageGrowth(s.count+1)+4*int64(r.size(1)-len(r.slots)) > room:
				return MemoryLimit
			}
			s.addPages(s.count + 1)
			s.put(s.count, words)
			r.widen(s.count)
			r.enter(r.free(h), s.count, h, s.state)
			s.count++
		}
	}
	return Unfinished
}

// repack rewrites every state in its place, so that it keeps its number, and fills the table
// again.
func (b *batch) repack(width int, repack Repack) {
	s := b.store
	b.packings++
	b.pool.each(len(s.pages), func(_ *worker, i int) {
		old, page := s.pages[i], newPage(i, width)
		for n := range min(s.count-i<<pageBits, pageStates) {
			repack(page[n*width:(n+1)*width], old[n*s.width:(n+1)*s.width])
		}
		s.pages[i] = page
	})
	s.width = width
	all := make([]int, regionCount)
	for i := range all {
		all[i] = i
		clear(s.regions[i].slots)
		s.regions[i].filled = 0
	}
	b.enter(all)
}
