package explore

import "runtime"

const (
	fastest       = 8  // the largest factor by which a large region grows at once
	mostSlotBytes = 11 // of a state, in a table made for that many states
)

// estimateStates estimates how many states there will be from the beginnings of the complete levels,
// and the end of the last of them. The sizes of levels mostly grow and shrink like a bell curve:
// by a factor from one to the next, which itself falls by a factor. If this factor does not fall
// while levels grow, the estimate is four times as many as so far.
func estimateStates(levels []int) int {
	last := len(levels) - 1
	if last < 3 {
		return levels[last]
	}
	size := func(back int) float64 { return float64(levels[last-back] - levels[last-back-1]) }
	factor := size(0) / size(1)
	falls := factor / (size(1) / size(2))
	switch {
	case falls < 1:
	case factor > 1:
		return 4 * levels[last]
	default:
		return levels[last]
	}
	sum := float64(levels[last])
	for next := size(0) * factor * falls; next >= 1 && sum < maxStates; next *= factor {
		sum += next
		factor *= falls
	}
	return int(min(sum, maxStates))
}

// ample returns how many slots each region is to have before that many states are added. A large
// region that is likely to fill up grows, and at once to the size that is foretold, if that is
// not too far away.
func (b *batch) ample(states int) [regionCount]int {
	sizes := b.store.sizes(states / regionCount * 9 / 8)
	for i, size := range sizes {
		now := len(b.store.regions[i].slots)
		if now < largeRegion {
			size = now
		}
		for size > now && size < fastest*now && size/4*3 < b.foretold/regionCount {
			size *= 2
		}
		sizes[i] = size
	}
	return sizes
}

// begin begins a batch of that many states, for which the store may grow by room bytes, and
// reports whether it is to grow first.
func (b *batch) begin(states int, room int64) bool {
	likely := 0
	if b.states > 0 {
		likely = max(0, b.store.count-b.stored) * states / b.states
	}
	b.states, b.stored = states, b.store.count
	b.sizes, b.growing = b.ample(likely), nil
	if b.store.pageGrowth(b.store.count+likely)+b.store.slotGrowth(b.sizes) > room {
		return false
	}
	for i := range b.sizes {
		if b.sizes[i] > len(b.store.regions[i].slots) {
			b.growing = append(b.growing, i)
		}
	}
	return b.growing != nil
}

// grow grows the large regions that the batch is likely to fill. One pass over all states, in
// their order, takes less time than if each region looks up its own states when it is full.
func (b *batch) grow() {
	if b.growing == nil {
		return
	}
	b.pool.each(len(b.growing), func(_ *worker, i int) {
		r := &b.store.regions[b.growing[i]]
		r.slots, r.filled = newSlots(b.sizes[b.growing[i]]), 0
	})
	b.enter(b.growing)
	b.growing = nil
	runtime.GC() // so that new states reuse the memory of the old slots
}

// enter enters the stored states into the given regions, which are empty.
func (b *batch) enter(regions []int) {
	st := b.store
	for lo := 0; lo < st.count; lo += len(b.scratch) * b.chunk {
		b.pool.each(len(b.scratch), func(_ *worker, i int) {
			c := b.scratch[i]
			c.reset(0)
			c.first = lo + i*b.chunk
			for n := c.first; n < min(c.first+b.chunk, st.count); n++ {
				c.hashes = append(c.hashes, Hash(st.state(n)))
			}
			c.sort()
		})
		b.pool.each(len(regions), func(_ *worker, i int) { b.enterRegion(regions[i]) })
	}
}

func (b *batch) enterRegion(region int) {
	r := &b.store.regions[region]
	r.widen(b.store.count)
	for _, c := range b.scratch {
		lo, hi := c.sorted.of(region)
		hashes, order := c.sorted.hashes[lo:hi], c.sorted.order[lo:hi]
		r.touch(hashes)
		for i, h := range hashes {
			r.enter(r.free(h), c.first+int(order[i]), h, b.store.state)
		}
	}
}
