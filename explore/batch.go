package explore

// batch is what the states of a few chunks led to, on its way into the store.
// The candidates are settled region by region and numbered chunk by chunk, each
// time by all workers at once; that they find their numbers in the order of the
// chunks makes the result the same for any number of workers.
type batch struct {
	store  *store
	source *store // of the states that are expanded
	crew   *crew
	spare  []*chunk
	chunks []*chunk
	lowest [regionCount]int // number of a candidate that was no new state

	touched [regionCount]uint32
}

func newBatch(st *store, c *crew) *batch {
	b := &batch{store: st, source: st, crew: c, spare: make([]*chunk, batchChunks)}
	for i := range b.spare {
		b.spare[i] = &chunk{}
	}
	return b
}

// chunk is what the expansion of a few states, with consecutive numbers, found.
type chunk struct {
	width  int
	states []uint64 // candidates: successors, perhaps repeated
	hashes []uint64
	births []birth // where each comes from; of a lossy search, and of initial states

	order   []uint32                // the candidates by region
	begin   [regionCount + 1]uint32 // where in order each region begins
	first   int                     // number of the time being of its first candidate
	slots   []uint32                // where each was put; noState of what is no new state
	numbers []uint32                // the final ones, of new states

	expanded, transitions, quiet int
	fired                        [256]int
	marks                        []stateMark
	unlearned                    []int // states that have to be learned
}

const noState = 1<<32 - 1

var noLowest = func() (all [regionCount]int) {
	for i := range all {
		all[i] = noState
	}
	return all
}()

// stateMark is a mark and the state that bears it.
type stateMark struct {
	Mark
	state int
}

func (c *chunk) words(i int) []uint64 { return c.states[i*c.width : (i+1)*c.width] }

func (c *chunk) reset(width int) {
	*c = chunk{
		width: width, states: c.states[:0], hashes: c.hashes[:0], births: c.births[:0], order: c.order, slots: c.slots, numbers: c.numbers,
		marks: c.marks[:0], unlearned: c.unlearned[:0],
	}
}

func (c *chunk) add(words []uint64, h uint64) {
	c.hashes = append(c.hashes, h)
	c.states = append(c.states, words...)
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

// sort lists the candidates by region.
func (c *chunk) sort() {
	c.begin = [regionCount + 1]uint32{}
	for _, h := range c.hashes {
		c.begin[regionOf(h)+1]++
	}
	for r := range regionCount {
		c.begin[r+1] += c.begin[r]
	}
	at := c.begin
	c.order = sized(c.order, len(c.hashes))
	c.slots = sized(c.slots, len(c.hashes))
	c.numbers = sized(c.numbers, len(c.hashes))
	for i, h := range c.hashes {
		r := regionOf(h)
		c.order[at[r]] = uint32(i)
		at[r]++
	}
}

// sized returns a slice of the given length, in the memory of s if it is enough.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n+n/2)[:n]
	}
	return s[:n]
}

// of returns the candidates that belong in a region.
func (c *chunk) of(region int) []uint32 { return c.order[c.begin[region]:c.begin[region+1]] }

// expand expands the states lo up to hi of the source. The known marks are of no interest any
// more.
func (b *batch) expand(lo, hi int, known uint64) {
	b.take((hi - lo + chunkStates - 1) / chunkStates)
	b.crew.each(len(b.chunks), func(w *worker, i int) {
		w.steps.Known = known
		from := lo + i*chunkStates
		w.expand(b.chunks[i], b.source, from, min(from+chunkStates, hi))
	})
}

// take makes so many chunks part of the batch.
func (b *batch) take(chunks int) { b.chunks = b.spare[:chunks] }

// candidates is how many candidates there are.
func (b *batch) candidates() int {
	n := 0
	for _, c := range b.chunks {
		n += len(c.hashes)
	}
	return n
}

// growth is by how many bytes the store grows at most when the batch is taken in.
func (b *batch) growth() int64 {
	var incoming [regionCount]int
	count := b.store.count
	for _, c := range b.chunks {
		count += len(c.hashes)
		for r := range incoming {
			incoming[r] += len(c.of(r))
		}
	}
	return b.store.growth(count, &incoming)
}

// commit takes the candidates into the store, as far as there are no more than
// so many states, and reports whether all have found a place.
func (b *batch) commit(most int) bool {
	candidates := 0
	b.lowest = noLowest
	for _, c := range b.chunks {
		candidates += len(c.hashes)
	}
	if candidates == 0 {
		return true
	}
	last := b.store.count + candidates // beyond what will be a number of a state
	for _, c := range b.chunks {
		c.first = last
		last += len(c.hashes)
	}
	b.crew.each(regionCount, func(_ *worker, r int) { b.settle(r, last) })
	number := b.store.count
	for _, c := range b.chunks {
		number = c.count(number)
	}
	count := min(number, most)
	b.store.addPages(count)
	b.crew.each(len(b.chunks), func(_ *worker, i int) { b.chunks[i].move(b.store, count) })
	b.crew.each(regionCount, func(_ *worker, r int) { b.renumber(r, count) })
	b.store.count = count
	return number == count
}

// count numbers the new states from n on, and returns the next number.
func (c *chunk) count(n int) int {
	for i, slot := range c.slots {
		if slot != noState {
			c.numbers[i] = uint32(n)
			n++
		}
	}
	return n
}

// settle finds slots for the candidates that belong in a region, and gives them
// numbers of the time being, up to last.
func (b *batch) settle(region, last int) {
	r := &b.store.regions[region]
	r.widen(last)
	b.touch(region)
	for _, c := range b.chunks {
		for _, i := range c.of(region) {
			c.slots[i] = b.insert(region, c.words(int(i)), c.hashes[i], c.first+int(i))
		}
	}
}

// touch looks at the slots where the search for each candidate begins, in a
// loop of its own so that the processor overlaps its waits for memory.
func (b *batch) touch(region int) {
	r := &b.store.regions[region]
	all := uint32(0)
	for _, c := range b.chunks {
		for _, i := range c.of(region) {
			all |= r.slots[r.home(c.hashes[i])]
		}
	}
	b.touched[region] = all
}

// insert puts a candidate into a slot, and returns it; noState if the state is
// not the first of its kind.
func (b *batch) insert(region int, words []uint64, h uint64, number int) uint32 {
	r := &b.store.regions[region]
	last := uint32(len(r.slots) - 1)
	for slot := r.home(h); ; slot = (slot + 1) & last {
		entry := r.slots[slot]
		if entry == 0 {
			return r.enter(slot, number, h, b.state)
		}
		if r.alike(entry, h) {
			if n := r.number(entry); equal(b.state(n), words) {
				b.lowest[region] = min(b.lowest[region], n)
				return noState
			}
		}
	}
}

// state returns the words of a state, or of a candidate by its number of the
// time being.
func (b *batch) state(n int) []uint64 {
	if n < b.store.count {
		return b.store.state(n)
	}
	lo, hi := 0, len(b.chunks)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; b.chunks[mid].first <= n {
			lo = mid
		} else {
			hi = mid
		}
	}
	return b.chunks[lo].words(n - b.chunks[lo].first)
}

// move writes the new states numbered below count into the store.
func (c *chunk) move(st *store, count int) {
	for i, slot := range c.slots {
		if n := int(c.numbers[i]); slot != noState && n < count {
			st.put(n, c.words(i))
		}
	}
}

// renumber makes the numbers in a region final. The slots of states that would
// be numbered count or higher say what no state is.
func (b *batch) renumber(region, count int) {
	r := &b.store.regions[region]
	for _, c := range b.chunks {
		for _, i := range c.of(region) {
			slot := c.slots[i]
			if slot == noState {
				continue
			}
			if number := c.first + int(i); r.number(r.slots[slot]) != number {
				slot = r.slotOf(number, c.hashes[i]) // the region has grown since
			}
			n := int(c.numbers[i])
			if n >= count {
				n = 0 // which stands elsewhere, too
			}
			r.slots[slot] = r.entry(n, c.hashes[i])
		}
	}
}

// squeeze takes the candidates into the store one by one, as long as there are
// fewer than so many states and the store does not grow by more than so many
// bytes. It returns which of these is the limit that was reached, if any.
func (b *batch) squeeze(most int, room int64) Outcome {
	s := b.store
	b.lowest = noLowest
	held := s.bytes()
	for _, c := range b.chunks {
		for i, h := range c.hashes {
			words := c.words(i)
			r := &s.regions[regionOf(h)]
			if n := s.find(words, h); n >= 0 {
				b.lowest[regionOf(h)] = min(b.lowest[regionOf(h)], n)
				continue
			}
			var incoming [regionCount]int
			incoming[regionOf(h)] = 1
			switch {
			case s.count >= most:
				return StateLimit
			case s.bytes()-held+s.growth(s.count+1, &incoming) > room:
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

// repack rewrites every state in place of the old ones, keeping its number, and
// fills the table anew.
func (b *batch) repack(width int, repack Repack) {
	s := b.store
	for i, old := range s.pages {
		page, words := make([]uint64, pageStates*width), make([]uint64, width)
		for n := range min(s.count-i<<pageBits, pageStates) {
			repack(words, old[n*s.width:(n+1)*s.width])
			copy(page[n*width:], words)
		}
		s.pages[i] = page
	}
	s.width = width
	s.clear()
	for lo := 0; lo < s.count; lo += batchStates {
		b.enter(lo, min(lo+batchStates, s.count))
	}
}

// enter enters stored states into the table.
func (b *batch) enter(lo, hi int) {
	b.take((hi - lo + chunkStates - 1) / chunkStates)
	b.crew.each(len(b.chunks), func(_ *worker, i int) {
		c := b.chunks[i]
		c.reset(b.store.width)
		c.first = lo + i*chunkStates
		for n := c.first; n < min(c.first+chunkStates, hi); n++ {
			c.hashes = append(c.hashes, Hash(b.store.state(n)))
		}
		c.sort()
	})
	b.crew.each(regionCount, func(_ *worker, region int) {
		r := &b.store.regions[region]
		r.widen(hi)
		for _, c := range b.chunks {
			for _, i := range c.of(region) {
				h := c.hashes[i]
				r.enter(r.free(h), c.first+int(i), h, b.store.state)
			}
		}
	})
}
