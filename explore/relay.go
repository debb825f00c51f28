package explore

import "sync"

// relay is how few workers go through a batch: chunk by chunk, while what a chunk led to is
// near. Any of them expands the next chunk, and whoever comes by when it is the turn of a
// chunk takes it in, one at a time. More workers would wait for one another:
// BenchmarkSearch.
type relay struct {
	s             *search
	depth, lo, hi int
	known         uint64
	chunks        []*chunk // in use, in turn

	lock     sync.Mutex
	moved    sync.Cond // something below has changed
	expanded []bool    // by chunk in use: it waits for its turn
	next     int       // to be expanded
	taken    int       // so many have been taken in
	taking   bool      // somebody is at it
	end      int       // of the chunks, or the first that cannot be expanded yet
}

const mostInRelay = 2

// relay expands states of the given depth and takes in what they led to, up to the first
// chunk with something to be learned. It returns where that begins, or a number beyond.
func (s *search) relay(depth, lo, hi int) int {
	b := s.batch
	defer func(inTurn bool) { b.inTurn = inTurn }(b.inTurn)
	b.inTurn = true
	ahead := 1
	if n := len(s.crew.workers); n > 1 {
		ahead = 3 * n
	}
	b.take(ahead)
	b.begun.width, b.begun.pages = b.store.width, b.store.pages
	r := &relay{
		s: s, depth: depth, lo: lo, hi: hi, known: s.known(),
		chunks: b.chunks, expanded: make([]bool, ahead), end: (hi - lo + b.chunk - 1) / b.chunk,
	}
	r.moved.L = &r.lock
	s.crew.all(r.run)
	return r.end * b.chunk
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
		case !r.taking && r.expanded[r.taken%len(r.chunks)]:
			r.take()
		case r.next < r.end && r.next < r.taken+len(r.chunks):
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
	i := r.next
	r.next++
	c := r.chunks[i%len(r.chunks)]
	r.unlocked(func() {
		w.steps.Known = r.known
		from := r.lo + i*r.s.batch.chunk
		w.expand(c, &r.s.batch.begun, from, min(from+r.s.batch.chunk, r.hi))
	})
	if len(c.unlearned) > 0 {
		r.end = min(r.end, i)
	}
	r.expanded[i%len(r.chunks)] = true
}

// take takes in what the first chunk led to that was not taken in yet.
func (r *relay) take() {
	i := r.taken % len(r.chunks)
	r.taking = true
	r.unlocked(func() {
		r.s.batch.chunks = r.chunks[i : i+1]
		r.s.commit(r.depth)
	})
	r.taking, r.expanded[i] = false, false
	r.taken++
}

func (r *relay) unlocked(do func()) {
	r.lock.Unlock()
	defer r.lock.Lock()
	do()
}
