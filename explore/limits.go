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
