package explore

import (
	"math"
	"runtime"
)

// conclude ends the search if it has met a mark to stop at, or a limit. Everything that a batch
// found is counted first, so that the counts do not depend on how the batch was divided.
func (s *search) conclude() {
	switch {
	case s.result.Outcome != Unfinished:
	case s.result.Marks&s.Stop != 0:
		s.result.Outcome = Stopped
	default:
		s.result.Outcome = s.limit
	}
}

// shrinkBatch leaves the rest of the search to the workers of a pipeline, in which few candidates wait,
// if those of a batch take much of the memory.
func (s *search) shrinkBatch() {
	const little = 1 << 20
	if s.Memory == 0 || len(s.pool.workers) <= mostInPipeline || s.batch.held() <= max(s.Memory/16, little) {
		return
	}
	s.pool.workers = s.pool.workers[:mostInPipeline]
	s.batch.chunks, s.batch.spare, s.batch.scratch = nil, nil, newChunks(scratchEach*mostInPipeline)
	runtime.GC() // so that new states reuse the memory of these
}

// estimateStates estimates how many states there will be, up to the limits on states and memory.
func (s *search) estimateStates() int {
	n := estimateStates(s.graph.levels)
	if s.MaxStates > 0 {
		n = min(n, s.MaxStates)
	}
	if s.Memory > 0 {
		n = min(n, int((s.store.bytes()+s.room())/int64(8*s.store.width+mostSlotBytes)))
	}
	return n
}

// tooMuch reports whether the limit on memory is exceeded in a way that spilling does not help.
func (s *search) tooMuch() bool {
	if s.Memory == 0 {
		return false
	}
	if s.disk != nil {
		return s.sys.Bytes()+s.pool.bytes() > s.Memory/8*5 // see room
	}
	return s.bytes()+s.pool.bytes() > s.Memory
}

// full reports whether the store may not have room for the candidates of the batch.
func (s *search) full() bool {
	if s.Memory > 0 && s.batch.growth() > s.room() {
		return true
	}
	return s.scale.states > 0 && s.store.count+s.batch.candidates() > s.scale.states
}

// squeeze takes in candidates until there are that many states or memory runs out, and returns
// the limit that was reached, if any.
func (s *search) squeeze(most int) Outcome {
	if held := s.scale.states; held > 0 && held < most {
		if s.batch.squeeze(held, s.spareRoom()) == Unfinished {
			return Unfinished
		}
		return MemoryLimit
	}
	return s.batch.squeeze(most, s.spareRoom())
}

// spareRoom is room, or the largest number if there is no limit.
func (s *search) spareRoom() int64 {
	if s.Memory == 0 {
		return math.MaxInt64
	}
	return s.room()
}

// room returns how many bytes the store may grow by. If the search may spill, Memory is meant to
// be all that the process takes, so half of it is left for what the workers hold and for garbage.
// On disk there is always a little room, since otherwise there would be too many runs.
func (s *search) room() int64 {
	held := s.bytes() + s.pool.bytes()
	switch {
	case s.Spill == "":
		return s.Memory - held
	case s.disk == nil:
		return s.Memory/2 - held
	}
	others := held - s.store.bytes()
	return max(s.Memory/2-others, s.Memory/8) - s.store.bytes()
}

func (s *search) bytes() int64 {
	n := s.store.bytes() + s.sys.Bytes()
	if s.disk != nil {
		n += s.disk.held()
	}
	if s.lossy != nil {
		n += s.lossy.held()
	}
	return n
}

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
