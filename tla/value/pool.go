package value

import (
	"iter"
	"slices"
	"sync"
	"sync/atomic"
)

// Pool numbers explicit values. Equal values have one number, and one of them, the
// canonical one, stands for all. What a canonical value consists of is canonical too,
// so that a part of one has its number at hand. Several may use a pool at once.
//
// A natural number of 31 bits is its own number, under the highest bit.
type Pool struct {
	id    uint64
	pages atomic.Pointer[[]*page]  // the canonical values, by number
	table atomic.Pointer[[]uint64] // places; whoever looks needs no lock
	mu    sync.Mutex               // of who adds a value
	count atomic.Uint32            // of numbers given, 0 included, which is nobody's
}

// place is where a number is found in the table, at or after where the hash says. Half
// of the hash stands beside it, as most values need not be looked at then. 0 is free.
type place uint64

func placeFor(h uint64, n uint32) place { return place(h>>32<<32 | uint64(n)) }

func (p place) number() uint32 { return uint32(p) }

// has reports whether the hash of the value may be h.
func (p place) has(h uint64) bool { return uint64(p)>>32 == h>>32 }

// slots are the indices of a table at and after where a hash says.
func slots(table []uint64, h uint64) (first, mask int) {
	mask = len(table) - 1
	return int(h>>32) & mask, mask
}

// page is canonical values of consecutive numbers.
type page [1 << pageBits]Value

const (
	pageBits = 10
	natural  = 1 << 31
)

// SelfNumbered reports whether a number is that of a natural number.
func SelfNumbered(n uint32) bool { return n&natural != 0 }

// Natural returns the natural number that has a number of its own.
func Natural(n uint32) Int { return Int(n &^ natural) }

var pools atomic.Uint64

// NewPool returns an empty pool.
func NewPool() *Pool {
	p := &Pool{id: pools.Add(1) << 32}
	p.count.Store(1)
	p.pages.Store(&[]*page{{}})
	p.table.Store(new(make([]uint64, 64)))
	return p
}

// Bytes is a guess at what the values take.
func (p *Pool) Bytes() int64 { return int64(p.count.Load()) * 160 }

// Value returns the canonical value of a number.
func (p *Pool) Value(n uint32) Value {
	if n&natural != 0 {
		return Natural(n)
	}
	return (*p.pages.Load())[n>>pageBits][n&(1<<pageBits-1)]
}

// Number returns the number of an explicit value.
func (p *Pool) Number(v Value) uint32 {
	if i, ok := v.(Int); ok && uint64(i) < natural {
		return natural | uint32(i)
	}
	m := memoOf(v)
	if m != nil {
		if n := m.numbered(p); n != 0 {
			return n
		}
	}
	h := Hash(v)
	if n := p.find(h, v); n != 0 {
		return n
	}
	v = p.withParts(v)
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := p.find(h, v); n != 0 {
		return n
	}
	return p.add(h, v)
}

// Find is Number for a value that may have none yet: then it gets none.
// What is not spelt out has none.
func (p *Pool) Find(v Value) (n uint32, ok bool) {
	switch v := v.(type) {
	case Int:
		if uint64(v) < natural {
			return natural | uint32(v), true
		}
	case *Tuple:
		n = v.numbered(p)
	case *Record:
		n = v.numbered(p)
	case *Func:
		n = v.numbered(p)
	case *Set:
		n = v.numbered(p)
	case Bool, String, Model:
	default:
		return 0, false
	}
	if n == 0 {
		n = p.find(Hash(v), v)
	}
	return n, n != 0
}

// Canonical returns the canonical value equal to v, which is explicit.
func (p *Pool) Canonical(v Value) Value { return p.Value(p.Number(v)) }

// numbered returns the number of a canonical value of p; 0 if it is none.
func (m *memo) numbered(p *Pool) uint32 {
	if t := atomic.LoadUint64(&m.number); t&^(1<<32-1) == p.id {
		return uint32(t)
	}
	return 0
}

// find returns the number of a value; 0 if it has none.
func (p *Pool) find(h uint64, v Value) uint32 {
	for n := range p.at(h) {
		if Same(p.Value(n), v) {
			return n
		}
	}
	return 0
}

// at yields the numbers of the values that may have a hash.
func (p *Pool) at(h uint64) iter.Seq[uint32] {
	return func(yield func(n uint32) bool) {
		table := *p.table.Load()
		for i, mask := slots(table, h); ; i = (i + 1) & mask {
			at := place(atomic.LoadUint64(&table[i]))
			if at == 0 || at.has(h) && !yield(at.number()) {
				return
			}
		}
	}
}

func (p *Pool) add(h uint64, v Value) uint32 {
	n := p.count.Load()
	if n == natural {
		fail("there are more than %d values", natural)
	}
	p.count.Store(n + 1)
	pages := *p.pages.Load()
	if int(n>>pageBits) == len(pages) {
		pages = append(slices.Clone(pages), &page{})
		p.pages.Store(&pages)
	}
	home := &pages[n>>pageBits][n&(1<<pageBits-1)]
	*home = v
	if m := memoOf(v); m != nil && !atomic.CompareAndSwapUint64(&m.number, 0, p.id|uint64(n)) {
		v = another(v) // this one is of another pool
		memoOf(v).number = p.id | uint64(n)
		*home = v
	}
	if table := *p.table.Load(); int(n)*2 > len(table) {
		p.grow(table)
	}
	put(*p.table.Load(), placeFor(h, n))
	return n
}

// put writes a place into a table.
func put(table []uint64, at place) {
	i, mask := slots(table, uint64(at))
	for table[i] != 0 {
		i = (i + 1) & mask
	}
	atomic.StoreUint64(&table[i], uint64(at))
}

// grow doubles the table.
func (p *Pool) grow(old []uint64) {
	table := make([]uint64, 2*len(old))
	for _, at := range old {
		if at != 0 {
			put(table, place(at))
		}
	}
	p.table.Store(&table)
}

// withParts returns v, or the same value made of canonical parts.
func (p *Pool) withParts(v Value) Value {
	switch v := v.(type) {
	case *Tuple:
		if elems, other := Map(v.Elems, p.Canonical); other {
			return &Tuple{elems, v.fresh()}
		}
	case *Record:
		if vals, other := Map(v.Vals, p.Canonical); other {
			return &Record{v.Names, vals, v.fresh()}
		}
	case *Func:
		keys, other := Map(v.Keys, p.Canonical)
		vals, other2 := Map(v.Vals, p.Canonical)
		if other || other2 {
			return &Func{keys, vals, v.fresh()}
		}
	case *Set:
		if elems, other := Map(v.Elems, p.Canonical); other {
			return &Set{elems, v.fresh()}
		}
	}
	return v
}

// another returns a copy of a value that has parts.
func another(v Value) Value {
	switch v := v.(type) {
	case *Tuple:
		return &Tuple{v.Elems, v.fresh()}
	case *Record:
		return &Record{v.Names, v.Vals, v.fresh()}
	case *Func:
		return &Func{v.Keys, v.Vals, v.fresh()}
	case *Set:
		return &Set{v.Elems, v.fresh()}
	}
	return v
}

// fresh is the memo of a copy.
func (m *memo) fresh() memo { return memo{extent: m.extent, hash: atomic.LoadUint64(&m.hash)} }
