package explore

import (
	"math"
	"runtime"
)

// conclude ends the search if it met what it was to stop at, or a limit. What a batch
// found is all counted first, so that it is the same in however many parts it came.
func (s *search) conclude() {
	switch {
	case s.result.Outcome != Unfinished:
	case s.result.Marks&s.Stop != 0:
		s.result.Outcome = Stopped
	default:
		s.result.Outcome = s.limit
	}
}

// lighten leaves the rest to as few workers as form a relay, which has few candidates
// waiting, if those of a batch take much of the memory.
func (s *search) lighten() {
	const little = 1 << 20
	if s.Memory == 0 || len(s.crew.workers) <= mostInRelay || s.batch.held() <= max(s.Memory/16, little) {
		return
	}
	s.crew.workers = s.crew.workers[:mostInRelay]
	s.batch.chunks, s.batch.spare, s.batch.scratch = nil, nil, newChunks(scratchEach*mostInRelay)
	runtime.GC() // or the states to come would find no room where these were
}

// foretell guesses how many states there will be, as far as there is room for them.
func (s *search) foretell() int {
	n := foretell(s.graph.levels)
	if s.MaxStates > 0 {
		n = min(n, s.MaxStates)
	}
	if s.Memory > 0 {
		n = min(n, int((s.store.bytes()+s.room())/int64(8*s.store.width+mostSlotBytes)))
	}
	return n
}

// tooMuch reports whether the limit on memory is exceeded, and spilling is of
// no help.
func (s *search) tooMuch() bool {
	if s.Memory == 0 {
		return false
	}
	if s.disk != nil {
		return s.sys.Bytes() > s.Memory
	}
	return s.bytes() > s.Memory
}

// full reports whether the store may not have room for the candidates of the
// batch.
func (s *search) full() bool {
	if s.Memory > 0 && s.batch.growth() > s.room() {
		return true
	}
	return s.scale.states > 0 && s.store.count+s.batch.candidates() > s.scale.states
}

// squeeze takes in candidates as long as there are fewer than so many states and
// memory lasts, and returns the limit that was reached, if any.
func (s *search) squeeze(most int) Outcome {
	if held := s.scale.states; held > 0 && held < most {
		if s.batch.squeeze(held, s.spareRoom()) == Unfinished {
			return Unfinished
		}
		return MemoryLimit
	}
	return s.batch.squeeze(most, s.spareRoom())
}

// spareRoom is room, or more than there can be where there is no limit.
func (s *search) spareRoom() int64 {
	if s.Memory == 0 {
		return math.MaxInt64
	}
	return s.room()
}

// room returns how many bytes the store may grow by. Who spills means Memory to
// be all that the process takes, so that half of it is left for what the workers
// hold and what waits to be collected. On disk there is a little room in any
// case, or there would be too many runs.
func (s *search) room() int64 {
	switch {
	case s.Spill == "":
		return s.Memory - s.bytes()
	case s.disk == nil:
		return s.Memory/2 - s.bytes()
	}
	others := s.bytes() - s.store.bytes()
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
