package explore

import (
	"math"
	"math/bits"

	"interleave/internal/hugepage"
)

// Store says what is kept of the visited states. If it is not the states themselves, a new state
// may be taken for a visited one and be omitted, with everything that can be reached only through
// it. Whatever is found is real all the same.
type Store uint8

const (
	Exact   Store = iota // whole states
	Compact              // a fingerprint of printBits for each: hash compaction, after Wolper, Leroy and Stern
	Bits                 // bitsEach bits for each, in an array of half of Options.Memory: bit-state hashing, after Holzmann
)

// StoreNames are the stores in words.
var StoreNames = []string{"exact", "compact", "bits"}

func (s Store) String() string { return StoreNames[s] }

// Loss estimates what a lossy store has missed. It takes hashes for random: n states whose
// fingerprints have b bits, for example, are expected to hide n²/2^(b+1) others. It counts only
// states that some step led to, not those that could be reached only through omitted ones.
type Loss struct {
	Bits    int     // in a fingerprint, or set for each state
	Fill    float64 // the share of all fingerprints, or bits, that is taken
	Mistake float64 // the chance that the next new state is taken for another
	Omitted float64 // how many states are expected to have been omitted so far
}

// Any returns the chance that at least one state was omitted.
func (l Loss) Any() float64 { return -math.Expm1(-l.Omitted) }

// Coverage returns the share of the states met that the search has kept, given how many it has
// found.
func (l Loss) Coverage(states int) float64 { return float64(states) / (float64(states) + l.Omitted) }

// lossy is what a search holds if its store is not exact: the current level and the next one
// (the search's store) as whole states, and a parent log.
//
// Fingerprints are of packed states. If the packing changes on the way they are useless, and
// the search begins again, with all that the system has learned; so this happens no more often
// than fields can grow. The alternative, to hash something that does not depend on the
// packing, would mean unpacking every successor. A world whose states can be learned before
// the search never begins again.
//
// Parents are not stored either. The parent log has, for each state, by which step of its parent it
// was met first, in about a byte; a path is walked again from its beginning.
type lossy struct {
	*search
	level     *store // being expanded
	visited   visited
	parentLog *parentLog
	fresh     func() visited
}

// visited remembers states by their hashes, region by region.
type visited interface {
	// enter enters the candidates of a region, and sets the numbers of those that were there
	// before to noState.
	enter(c *chunk, region int)
	loss() Loss
	bytes() int64
}

// newLossy makes a search keep only the states of two levels.
func newLossy(s *search) *lossy {
	fresh := func() visited { return newFingerprints(s.scale.print) }
	if s.Store == Bits {
		fresh = func() visited { return newBitArray(s.scale.arrayBytes(s.Memory)) }
	}
	l := &lossy{search: s, level: newStore(s.store.width), visited: fresh(), parentLog: &parentLog{}, fresh: fresh}
	s.batch.source, s.graph.parentLog = l.level, l.parentLog
	s.batch.inTurn = false
	for _, w := range s.pool.workers {
		w.births = true
	}
	return l
}

// arrayBytes is how large an array of bits is.
func (sc scale) arrayBytes(memory int64) int64 {
	const standard = 256 << 20
	switch {
	case sc.array > 0:
		return sc.array
	case memory > 0:
		return memory / 2
	}
	return standard
}

// held is the memory taken by everything except the next level.
func (l *lossy) held() int64 { return l.level.bytes() + l.visited.bytes() + l.parentLog.bytes() }

// expandLevel expands the states numbered lo up to hi, all of the given depth, unless the search
// has to begin again.
func (l *lossy) expandLevel(depth, lo, hi int) error {
	s := l.search
	l.level, s.store = s.store, l.level
	s.store.count = 0
	s.batch.source, s.batch.store = l.level, s.store
	s.pool.forget()
	size := s.scale.batchStates()
	for at := lo; at < hi && s.result.Outcome == Unfinished; at += size {
		if err := s.expand(at-lo, min(at+size, hi)-lo); err != nil || s.result.Outcome != Unfinished {
			return err
		}
		if s.repacking != nil {
			return l.beginAnew()
		}
		s.tally(depth, lo)
		s.take() // which fails on disk only
		s.endBatch()
	}
	return nil
}

// beginAnew forgets everything except what the system has learned.
func (l *lossy) beginAnew() error {
	s, width := l.search, l.sys.Width()
	s.repacking, s.count, s.result.Marks, s.result.found = nil, Stats{}, 0, [64]Found{}
	*s.store, *l.level, *l.parentLog = *newStore(width), *newStore(width), parentLog{}
	l.visited = nil // so that the next one can reuse its memory
	l.visited = l.fresh()
	return s.addInitial()
}

// admit adds those candidates of the batch to the next level that were not visited before, up to
// the limits, and returns the limit reached.
func (l *lossy) admit(most int) Outcome {
	b := l.batch
	b.pool.each(regionCount, func(_ *worker, region int) {
		for _, c := range b.chunks {
			l.visited.enter(c, region)
		}
	})
	first := l.parentLog.count - b.store.count // of the next level
	count := b.store.count
	for _, c := range b.chunks {
		count = c.count(count)
	}
	limit := Unfinished
	if first+count > most {
		limit, count = StateLimit, most-first
	}
	if l.Memory > 0 && l.search.bytes()+b.store.pageGrowth(count) > l.Memory {
		return MemoryLimit // fingerprints were added, but it hardly matters now
	}
	b.store.addPages(count)
	b.pool.each(len(b.chunks), func(_ *worker, i int) { b.chunks[i].move(b.store, count) })
	for _, c := range b.chunks {
		l.parentLog.follow(c, first-l.level.count, count)
	}
	b.store.count = count
	return limit
}

// gatherParents is gather for a lossy search: it records by which step of state n each candidate
// was met.
func (w *worker) gatherParents(c *chunk, n int) {
	for i := range w.steps.Actions {
		next := w.steps.States[i*c.width : (i+1)*c.width]
		if h := Hash(next); !w.filter.seen(next, h) {
			c.add(next, h)
			c.births = append(c.births, parentEdge{parent: uint32(n), step: uint32(i)})
		}
	}
}

// bitsEach is how many bits are set for a state. With four or five bits of the array for each
// state, three would be best. With ten, six would be best and three would still do. Four lose
// little where there are few bits, and gain a lot where there are more.
const bitsEach = 4

// bitArray is a set of states, a Bloom filter: a state is in it if all its bits
// are set.
type bitArray struct {
	words   []uint64 // of all regions
	regions [regionCount]bitRegion
}

type bitRegion struct {
	words   []uint64
	count   int      // states
	set     int      // bits
	omitted float64  // states expected to have been taken for others
	_       [16]byte // keeps regions in different cache lines
}

// newBitArray returns an array of that many bytes, or a few more.
func newBitArray(bytes int64) *bitArray {
	each := int(max(1, (bytes+8*regionCount-1)/(8*regionCount)))
	b := &bitArray{words: make([]uint64, each*regionCount)}
	if 8*len(b.words) >= hugeArray {
		hugepage.Want(b.words)
	}
	for i := range b.regions {
		b.regions[i].words = b.words[i*each : (i+1)*each]
	}
	return b
}

func (b *bitArray) enter(c *chunk, region int) {
	r := &b.regions[region]
	s := &c.sorted
	for at, end := s.of(region); at < end; at++ {
		mistake := r.mistake()
		c.numbers[s.order[at]] = noState
		if r.add(s.hashes[at]) {
			c.numbers[s.order[at]] = 0
			r.omitted += missed(mistake)
			r.count++
		}
	}
}

// add sets the bits of a hash, and reports whether one of them was not set. The distance between
// them is a second hash, made of the first.
func (r *bitRegion) add(h uint64) (added bool) {
	h = mix(h)
	stride := mix(h) | 1
	for range bitsEach {
		h += stride
		bit, _ := bits.Mul64(h, uint64(len(r.words))*64)
		word, mask := &r.words[bit/64], uint64(1)<<(bit%64)
		if *word&mask == 0 {
			*word |= mask
			r.set++
			added = true
		}
	}
	return added
}

// fill returns the share of bits that are set.
func (r *bitRegion) fill() float64 { return float64(r.set) / float64(len(r.words)*64) }

// mistake returns the chance that a new state is taken for another: all its bits are set, or its
// hash is that of a state in the region.
func (r *bitRegion) mistake() float64 {
	f := r.fill()
	return min(f*f*f*f+math.Ldexp(float64(r.count), regionBits-64), 1)
}

func (b *bitArray) loss() Loss {
	l := Loss{Bits: bitsEach}
	for i := range b.regions {
		r := &b.regions[i]
		l.Fill += r.fill() / regionCount
		l.Mistake += r.mistake() / regionCount
		l.Omitted += r.omitted
	}
	l.Omitted += missed(l.Mistake) // after the last one that was not
	return l
}

func (b *bitArray) bytes() int64 { return int64(len(b.words)) * 8 }
