package dd

import (
	"context"
	"errors"
	"math/big"
	"runtime"
)

// Set is a set of vectors, the root of a diagram in some Forest.
type Set uint32

// Empty is the set without vectors, at any level.
const Empty Set = 0

// end is the set of the vector without places. Every path ends there.
const end Set = 1

// ErrNodes says that more nodes were made than Forest.Most.
var ErrNodes = errors.New("the decision diagrams took more nodes than they were allowed")

// ErrMemory says that the nodes do not fit.
var ErrMemory = errors.New("the decision diagrams outgrew the memory")

// Forest holds nodes, each once. It is for one goroutine.
type Forest struct {
	ctx    context.Context
	levels int
	limit  int64
	err    error

	table
	next int // number of live nodes at which to collect

	cache []entry
	rows  []*row // in use, a stack
	pool  []*row
	pins  []Set // held for a while
	kept  map[Set]int

	events uint32 // made so far

	lookups   uint  // in the cache so far
	asked     int64 // bytes that the events take
	questions uint  // to the events so far

	Progress func()       // if set, called now and then
	Besides  func() int64 // if set, the bytes that the caller holds for this forest

	Most    int // nodes to make before giving up; 0: any number
	Created int // nodes made so far, including those that were freed
	Peak    int // nodes held at once
	Swept   int // collections so far
}

// entry remembers the result of an operation on one or two sets; b is Empty if it is on one.
type entry struct {
	op, a, b uint32 // op 0: free
	result   Set
}

const (
	startSize     = 1 << 12
	pause         = 1 << 16 // lookups between looks at the context
	yieldPause    = 1 << 8  // vectors yielded between looks, fewer since each may take the caller long
	askPause      = 1 << 4  // questions to events between looks, likewise
	maxCache      = 1 << 24
	bytesPerNode  = 12
	bytesPerArc   = 8
	bytesPerEntry = 16
)

// New returns a forest for vectors with that many places, which takes at most that many bytes of
// memory; 0: no limit.
func New(ctx context.Context, levels int, memory int64) *Forest {
	f := &Forest{
		ctx: ctx, levels: levels, limit: memory, kept: map[Set]int{}, next: collectFirst, cache: make([]entry, startSize),
		table: table{
			nodes:  []node{{level: uint16(levels)}, {level: uint16(levels)}}, // Empty and end
			unique: make([]Set, startSize),
		},
	}
	return f
}

// Err is why operations do not work any more; nil if they do.
func (f *Forest) Err() error { return f.err }

// Levels is the number of places of a vector.
func (f *Forest) Levels() int { return f.levels }

// Nodes is the number of nodes held.
func (f *Forest) Nodes() int { return f.live }

// Bytes is the memory held.
func (f *Forest) Bytes() int64 {
	bytes := f.asked + int64(cap(f.nodes))*bytesPerNode + int64(cap(f.arcs))*bytesPerArc +
		int64(cap(f.unused)+len(f.unique))*4 + int64(len(f.cache))*bytesPerEntry
	if f.Besides != nil {
		bytes += f.Besides()
	}
	return bytes
}

// tidy has garbage collected before a large table is made, since the runtime would do it only
// afterwards.
func (f *Forest) tidy(bytes int) {
	if f.limit > 0 && int64(bytes) > f.limit/32 {
		runtime.GC()
	}
}

// room reports whether that many more bytes are allowed.
func (f *Forest) room(bytes int) bool { return f.limit == 0 || f.Bytes()+int64(bytes) <= f.limit }

// Keep holds a set until Drop was called as often as Keep, and returns it.
func (f *Forest) Keep(s Set) Set {
	f.kept[s]++
	return s
}

// Drop ends one Keep of a set.
func (f *Forest) Drop(s Set) {
	if f.kept[s]--; f.kept[s] == 0 {
		delete(f.kept, s)
	}
}

// Replace keeps the new set and drops the old one.
func (f *Forest) Replace(old *Set, s Set) {
	f.Keep(s)
	f.Drop(*old)
	*old = s
}

// row is the arcs of a node under construction.
type row struct {
	arcs []arc
	seen []Set // in a saturation: the child of each arc when it was last looked at
}

func (f *Forest) newRow() *row {
	var r *row
	if n := len(f.pool); n > 0 {
		r, f.pool = f.pool[n-1], f.pool[:n-1]
	} else {
		r = &row{}
	}
	r.arcs, r.seen = r.arcs[:0], r.seen[:0]
	f.rows = append(f.rows, r)
	return r
}

// build makes the node of the newest row.
func (f *Forest) build(level int, r *row) Set {
	s := f.node(level, r.arcs)
	f.release(r)
	return s
}

// release ends the use of the newest row.
func (f *Forest) release(r *row) {
	f.rows = f.rows[:len(f.rows)-1]
	f.pool = append(f.pool, r)
}

func (f *Forest) pin(s Set) { f.pins = append(f.pins, s) }
func (f *Forest) unpin()    { f.pins = f.pins[:len(f.pins)-1] }

// node returns the node with the given arcs, which are in order.
func (f *Forest) node(level int, arcs []arc) Set {
	if len(arcs) == 0 || f.err != nil {
		return Empty
	}
	if f.full(len(arcs)) {
		if f.makeRoom(len(arcs)); f.err != nil {
			return Empty
		}
	}
	mask := uint64(len(f.unique) - 1)
	slot := hashArcs(level, arcs) & mask
	for ; f.unique[slot] != Empty; slot = (slot + 1) & mask {
		if s := f.unique[slot]; f.level(s) == level && sameArcs(f.arcsOf(s), arcs) {
			return s
		}
	}
	s := f.place(level, arcs)
	f.unique[slot] = s
	f.Created++
	f.live++
	f.Peak = max(f.Peak, f.live)
	if f.live >= f.next || 2*f.live > len(f.unique) || f.Created%4096 == 0 {
		f.pin(s)
		f.housekeeping()
		f.unpin()
	}
	return s
}

// makeRoom makes room for such a node. It takes more memory if old and new fit at once, and
// otherwise collects. If that frees little it gives up, since the next collection would come
// soon.
func (f *Forest) makeRoom(arcs int) {
	moreArcs, moreNodes := 0, 0
	if len(f.arcs)+arcs > cap(f.arcs) {
		moreArcs = larger(cap(f.arcs)) + arcs
	}
	if len(f.unused) == 0 && len(f.nodes) == cap(f.nodes) {
		moreNodes = larger(cap(f.nodes))
	}
	if bytes := moreArcs*bytesPerArc + moreNodes*bytesPerNode; f.room(bytes) {
		f.tidy(bytes)
		if moreArcs > 0 {
			f.arcs = append(make([]arc, 0, moreArcs), f.arcs...)
		}
		if moreNodes > 0 {
			f.nodes = append(make([]node, 0, moreNodes), f.nodes...)
		}
		return
	}
	f.collect()
	if len(f.arcs)+arcs > cap(f.arcs)/8*7 || len(f.unused) < len(f.nodes)/8 {
		f.err = ErrMemory
	}
}

func larger(size int) int {
	if size < 1<<20 {
		return 2*size + startSize
	}
	return size / 4 * 5
}

// slot is where the result of an operation is remembered. Nodes that were made one after the other
// are often looked at one after the other, so their results are side by side.
func (f *Forest) slot(op, a, b uint32) uint64 {
	h := (uint64(op)*0x9e3779b97f4a7c15 ^ uint64(b)) * 0xd6e8feb86659fd93
	return ((h ^ h>>32) + uint64(a)) & uint64(len(f.cache)-1)
}

// recall returns the remembered result of an operation.
func (f *Forest) recall(op, a, b uint32) (Set, bool) {
	if f.lookups++; f.lookups%pause == 0 {
		f.look()
	}
	e := &f.cache[f.slot(op, a, b)]
	return e.result, e.op == op && e.a == a && e.b == b
}

// look heeds the context, and reports progress.
func (f *Forest) look() {
	if f.err == nil {
		f.err = context.Cause(f.ctx)
	}
	if f.Progress != nil {
		f.Progress()
	}
}

// heed is called before an event is asked something for the first time. That may take long, and
// may make the caller hold memory that no collection frees.
func (f *Forest) heed() {
	if f.questions++; f.questions%askPause != 0 {
		return
	}
	if f.look(); f.err == nil && f.limit > 0 && f.Besides != nil && f.asked+f.Besides() > f.limit {
		f.err = ErrMemory
	}
}

func (f *Forest) remember(op, a, b uint32, result Set) Set {
	if f.err == nil {
		f.cache[f.slot(op, a, b)] = entry{op, a, b, result}
	}
	return result
}

// Count returns the number of vectors in a set.
func (f *Forest) Count(s Set) *big.Int {
	counts := map[Set]*big.Int{Empty: new(big.Int), end: big.NewInt(1)}
	var count func(s Set) *big.Int
	count = func(s Set) *big.Int {
		if n, ok := counts[s]; ok {
			return n
		}
		n := new(big.Int)
		for _, a := range f.arcsOf(s) {
			n.Add(n, count(a.child))
		}
		counts[s] = n
		return n
	}
	return count(s)
}

// All yields the vectors of a set in order, until the context ends: then Err is set. The slice is
// the same in each turn.
func (f *Forest) All(s Set) func(yield func([]uint32) bool) {
	return func(yield func([]uint32) bool) {
		vector, yielded := make([]uint32, f.levels), 0
		var walk func(s Set) bool
		walk = func(s Set) bool {
			if s == end {
				if yielded++; yielded%yieldPause == 0 {
					f.look()
				}
				return f.err == nil && yield(vector)
			}
			for _, a := range f.arcsOf(s) {
				vector[f.level(s)] = a.value
				if !walk(a.child) {
					return false
				}
			}
			return true
		}
		if s != Empty {
			walk(s)
		}
	}
}

// Single returns the set of one vector.
func (f *Forest) Single(vector []uint32) Set {
	s := end
	for level := f.levels - 1; level >= 0; level-- {
		r := f.newRow()
		r.arcs = append(r.arcs, arc{vector[level], s})
		s = f.build(level, r)
	}
	return s
}

// collectFirst is how many nodes are held before the first collection; collectGrowth is how many
// times as many before the next. What is freed may have to be made again, so a long search should
// collect seldom.
var collectFirst, collectGrowth = 1 << 21, 2

// housekeeping keeps tables large enough and memory within its limit.
func (f *Forest) housekeeping() {
	if f.err == nil {
		f.err = context.Cause(f.ctx)
	}
	if f.live >= f.next {
		f.collect()
		if f.limit == 0 || f.Bytes() < f.limit/2 {
			f.next *= collectGrowth
		} else {
			f.next = max(f.next, f.live/4*5)
		}
	}
	if 2*f.live > len(f.unique) && f.room(len(f.unique)*4) {
		f.rehash(2 * len(f.unique))
	}
	if len(f.cache) < min(maxCache, 2*f.live) && f.room(4*len(f.cache)*bytesPerEntry) {
		old := f.cache
		f.tidy(2 * len(old) * bytesPerEntry)
		f.cache = make([]entry, 2*len(old))
		for _, e := range old {
			if e.op != 0 {
				f.cache[f.slot(e.op, e.a, e.b)] = e
			}
		}
	}
	if f.err == nil && f.Most > 0 && f.Created > f.Most {
		f.err = ErrNodes
	}
	tooMany := len(f.nodes) >= 1<<31 || len(f.arcs) >= 1<<31
	crowded := 8*f.live > 7*len(f.unique) // if it could not grow
	if f.err == nil && (tooMany || crowded || !f.room(0)) {
		f.err = ErrMemory
	}
}

func (f *Forest) rehash(size int) {
	if size == len(f.unique) {
		clear(f.unique)
	} else {
		f.unique = nil // so that old and new are not in memory at once
		f.tidy(4 * size)
		f.unique = make([]Set, size)
	}
	mask := uint64(size - 1)
	for s := range f.nodes {
		if n := &f.nodes[s]; n.size == 0 || n.free {
			continue
		}
		slot := hashArcs(f.level(Set(s)), f.arcsOf(Set(s))) & mask
		for f.unique[slot] != Empty {
			slot = (slot + 1) & mask
		}
		f.unique[slot] = Set(s)
	}
}

// collect frees the nodes that nothing holds, and makes the arcs contiguous.
func (f *Forest) collect() {
	f.Swept++
	for _, r := range f.rows {
		for _, a := range r.arcs {
			f.markFrom(a.child)
		}
		for _, s := range r.seen {
			f.markFrom(s)
		}
	}
	for _, s := range f.pins {
		f.markFrom(s)
	}
	for s := range f.kept {
		f.markFrom(s)
	}
	f.compact()
	for i := range f.cache {
		if e := &f.cache[i]; f.nodes[e.a].free || f.nodes[e.b].free || f.nodes[e.result].free {
			*e = entry{}
		}
	}
	f.rehash(len(f.unique))
}

// Contains reports whether a vector is in a set.
func (f *Forest) Contains(s Set, vector []uint32) bool {
	for _, value := range vector {
		if s == Empty {
			return false
		}
		s = f.child(s, value)
	}
	return s == end
}

// Some returns a vector of a set; nil if there is none, or if the forest failed.
func (f *Forest) Some(s Set) []uint32 {
	for v := range f.All(s) {
		return append([]uint32{}, v...)
	}
	return nil
}
