package explore

import "sync"

// relay is how few workers go through a level: chunk by chunk, while what a chunk led to is
// near. Any of them expands the next chunk, and whoever comes by when it is the turn of a
// chunk takes it in, one at a time. Between batches, too, nobody waits unless the store has
// to grow. More workers would wait for one another: BenchmarkSearch.
type relay struct {
	s             *search
	depth, lo, hi int
	chunks        int
	turn          [1]*chunk // is taken in

	lock    sync.Mutex
	moved   sync.Cond // something below has changed
	known   uint64    // marks that are of no interest any more
	waiting [batchChunks]*chunk
	next    int  // to be expanded
	taken   int  // so many have been taken in
	taking  bool // somebody is at it
	end     int  // of those that can be expanded, for now
}

const mostInRelay = 2

// relay expands the states lo up to hi, which are all of the given depth, and takes in what
// they led to.
func (s *search) relay(depth, lo, hi int) error {
	b := s.batch
	defer func(inTurn bool) { b.inTurn = inTurn }(b.inTurn)
	b.inTurn = true
	r := &relay{s: s, depth: depth, lo: lo, hi: hi, chunks: (hi - lo + b.chunk - 1) / b.chunk}
	r.moved.L = &r.lock
	s.beginBatch(hi - lo)
	for r.taken < r.chunks && s.result.Outcome == Unfinished {
		b.grow()
		if err := r.goOn(); err != nil {
			return err
		}
	}
	return nil
}

// goOn goes through the chunks that were not taken in yet, up to one with something to be
// learned, and has it learned, or up to a batch before which the store has to grow.
func (r *relay) goOn() error {
	s := r.s
	s.batch.begun.width, s.batch.begun.pages = s.store.width, s.store.pages
	r.next, r.end, r.known = r.taken, r.chunks, s.known()
	s.crew.all(r.run)
	var unlearned []int
	if c := r.waiting[r.taken%batchChunks]; c != nil {
		unlearned = c.unlearned
	}
	for i, c := range r.waiting {
		if c != nil {
			s.batch.spare, r.waiting[i] = append(s.batch.spare, c), nil
		}
	}
	return s.teach(unlearned)
}

// run is the work of one worker. Who breaks off has all stop.
func (r *relay) run(w *worker) {
	r.lock.Lock()
	defer func() {
		r.end = r.taken
		r.moved.Broadcast()
		r.lock.Unlock()
	}()
	for r.taken < r.end {
		switch {
		case !r.taking && r.waiting[r.taken%batchChunks] != nil:
			r.take()
		case r.next < r.end && r.next < r.taken+batchChunks:
			r.expand(w)
		default:
			r.moved.Wait()
			continue
		}
		r.moved.Broadcast()
	}
}

// expand expands the next chunk.
func (r *relay) expand(w *worker) {
	i, c := r.next, r.s.batch.spareChunk()
	r.next++
	w.steps.Known = r.known
	r.unlocked(func() {
		from := r.lo + i*r.s.batch.chunk
		w.expand(c, &r.s.batch.begun, from, min(from+r.s.batch.chunk, r.hi))
	})
	if len(c.unlearned) > 0 {
		r.end = min(r.end, i)
	}
	r.waiting[i%batchChunks] = c
}

// take takes in what the first chunk led to that was not taken in yet.
func (r *relay) take() {
	c, s := r.waiting[r.taken%batchChunks], r.s
	r.taking = true
	pause := false
	r.unlocked(func() {
		r.turn[0] = c
		s.batch.chunks = r.turn[:]
		s.commit(r.depth)
		if done := r.taken + 1; done%batchChunks == 0 || done == r.chunks {
			s.endBatch()
			pause = s.result.Outcome != Unfinished || done < r.chunks && s.beginBatch(r.hi-r.lo-done*s.batch.chunk)
		}
	})
	r.waiting[r.taken%batchChunks] = nil
	s.batch.spare = append(s.batch.spare, c)
	r.taking, r.known = false, s.known()
	r.taken++
	if pause {
		r.end = r.taken
	}
}

func (r *relay) unlocked(do func()) {
	r.lock.Unlock()
	defer r.lock.Lock()
	do()
}
