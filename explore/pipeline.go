package explore

import "sync"

// pipeline expands a level with few workers, chunk by chunk, so that the successors of a chunk are
// taken into the store while they are still in the cache. Any worker expands the next chunk. When
// it is the turn of a chunk to be taken in, the next free worker does it, one at a time. Nobody
// waits between batches, unless the store has to grow. More than mostInPipeline workers would wait
// for one another (BenchmarkSearch).
type pipeline struct {
	s             *search
	depth, lo, hi int
	chunks        int
	turn          [1]*chunk // the chunk being taken in

	lock    sync.Mutex
	moved   sync.Cond           // something below has changed
	known   uint64              // marks that need not be looked for any more
	waiting [batchChunks]*chunk // expanded
	again   []int               // to be expanded again, since what they lacked was learned
	next    int                 // the next to be expanded for the first time
	taken   int                 // how many have been taken in
	taking  bool                // a worker takes one in
	end     int                 // of the chunks that can be taken in, for now
	stopped bool                // no worker begins anything new
}

const mostInPipeline = 2

// pastLack is how many chunks are expanded from the first on that lacks something. Then the
// workers seldom stop, and few chunks lack what the first one will teach.
const pastLack = 3

// newPipeline is for the states lo up to hi, which are all of the given depth.
func newPipeline(s *search, depth, lo, hi int) *pipeline {
	r := &pipeline{s: s, depth: depth, lo: lo, hi: hi, chunks: (hi - lo + s.batch.chunk - 1) / s.batch.chunk}
	r.moved.L = &r.lock
	return r
}

// expandLevel expands the states and takes in their successors.
func (r *pipeline) expandLevel() error {
	s, b := r.s, r.s.batch
	defer func(inTurn bool) { b.inTurn = inTurn }(b.inTurn)
	b.inTurn = true
	defer r.drop()
	s.beginBatch(r.hi - r.lo)
	for r.taken < r.chunks && s.result.Outcome == Unfinished {
		b.grow()
		r.goOn()
		if err := r.teach(); err != nil {
			return err
		}
	}
	return nil
}

// goOn expands chunks and takes them in, up to a chunk that lacks something, or to a batch before
// which the store has to grow.
func (r *pipeline) goOn() {
	b, st := r.s.batch, r.s.store
	b.begun.width, b.begun.pages = st.width, st.pages
	r.end, r.stopped, r.known = r.chunks, false, r.s.known()
	for i := r.taken; i < r.next; i++ {
		r.heed(i)
	}
	r.s.pool.all(r.run)
}

// run is the work of one worker. When it returns or panics, all workers stop.
func (r *pipeline) run(w *worker) {
	r.lock.Lock()
	defer func() {
		r.stopped = true
		r.moved.Broadcast()
		r.lock.Unlock()
	}()
	for !r.stopped && (r.taken < r.end || r.canExpand()) {
		switch {
		case r.taken < r.end && !r.taking && *r.at(r.taken) != nil:
			r.take(w)
		case r.canExpand():
			r.expand(w)
		default:
			r.moved.Wait()
			continue
		}
		r.moved.Broadcast()
	}
}

func (r *pipeline) at(i int) **chunk { return &r.waiting[i%batchChunks] }

func (r *pipeline) canExpand() bool {
	return len(r.again) > 0 || r.next < min(r.chunks, r.taken+batchChunks, r.end+pastLack)
}

// expand expands the next chunk.
func (r *pipeline) expand(w *worker) {
	i := r.next
	if len(r.again) > 0 {
		i, r.again = r.again[0], r.again[1:]
	} else {
		r.next++
	}
	c := r.s.batch.spareChunk()
	w.steps.Known = r.known
	r.unlocked(func() {
		from := r.lo + i*r.s.batch.chunk
		w.expand(c, &r.s.batch.begun, from, min(from+r.s.batch.chunk, r.hi))
	})
	*r.at(i) = c
	r.heed(i)
}

// heed ends what can be taken in before chunk i, if that was expanded and lacks something.
func (r *pipeline) heed(i int) {
	if c := *r.at(i); c != nil && len(c.unlearned) > 0 {
		r.end = min(r.end, i)
	}
}

// take takes in the first chunk that was not taken in yet.
func (r *pipeline) take(w *worker) {
	c, s := *r.at(r.taken), r.s
	r.taking = true
	pause := false
	r.unlocked(func() {
		r.turn[0] = c
		s.batch.chunks = r.turn[:]
		if s.batch.retry(w, s.known()); len(c.unlearned) > 0 {
			return
		}
		s.commit(r.depth)
		if done := r.taken + 1; done%batchChunks == 0 || done == r.chunks {
			s.endBatch()
			pause = s.result.Outcome != Unfinished || done < r.chunks && s.beginBatch(r.hi-r.lo-done*s.batch.chunk)
		}
	})
	r.taking, r.known = false, s.known()
	if r.heed(r.taken); r.end == r.taken {
		return
	}
	r.free(r.taken)
	r.taken++
	r.stopped = r.stopped || pause
}

// teach has the system learn what the waiting chunks lack, up to the end of the current batch,
// after which the search may end, and completes them. If this changes the packing of states, it
// drops all waiting chunks.
func (r *pipeline) teach() error {
	b := r.s.batch
	packings, lacking := b.packings, []int(nil)
	for i := r.taken; i < min(r.next, (r.taken/batchChunks+1)*batchChunks); i++ {
		c := *r.at(i)
		if c == nil || len(c.unlearned) == 0 {
			continue
		}
		if err := r.s.teach(c.unlearned); err != nil {
			return err
		}
		lacking = append(lacking, i)
	}
	if b.packings != packings {
		r.drop()
		r.again, r.next = nil, r.taken
		return nil
	}
	w := r.s.pool.workers[0]
	for w.steps.Known = r.s.known(); len(lacking) > 0; lacking = lacking[1:] {
		if i := lacking[0]; !w.complete(*r.at(i), b.source) {
			r.free(i)
			r.again = append(r.again, i)
		}
	}
	return nil
}

// free gives chunk i back to the spare ones.
func (r *pipeline) free(i int) {
	if c := r.at(i); *c != nil {
		r.s.batch.spare, *c = append(r.s.batch.spare, *c), nil
	}
}

func (r *pipeline) drop() {
	for i := range r.waiting {
		r.free(i)
	}
}

func (r *pipeline) unlocked(do func()) {
	r.lock.Unlock()
	defer r.lock.Lock()
	do()
}
