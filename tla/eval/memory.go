package eval

import "interleave/tla/value"

// memory is what an evaluator remembers.
type memory struct {
	*Spec
	values   *value.Pool
	caches   []*cache
	verdicts []*verdicts // by place
	asked    []asked     // by place

	numbered int // values to which names are bound
}

// known is the pool in which operations look for a value before they make it; nil if
// there is none.
func (m *memory) known() *value.Pool {
	if m == nil || m.naive {
		return nil
	}
	return m.values
}

// number gives a number to the value of a bound name, even if no variable has had that
// value, as long as such values are few; false if there can be no number.
func (m *memory) number(v *value.Value) (n uint32, ok bool) {
	if m.numbered == maxNumbered || !value.IsExplicit(*v) {
		return 0, false
	}
	m.numbered++
	n = m.values.Number(*v)
	*v = m.values.Value(n) // this one stores its number
	return n, true
}

func (m *memory) cache(site int) *cache {
	t := placed(&m.caches, site)
	if *t == nil {
		*t = &cache{memory: m}
	}
	return *t
}

// placed returns an element of a list, and extends the list if needed.
func placed[T any](list *[]T, at int) *T {
	if at >= len(*list) {
		*list = append(*list, make([]T, at+1-len(*list))...)
	}
	return &(*list)[at]
}

// cache holds values of one expression. The key determines the place of a value, and a
// new value replaces the old one there. The cache grows as long as that happens often.
// If lookups rarely succeed, and the values were cheap to compute, the cache rests for
// a while.
type cache struct {
	*memory
	places []worth
	shift  int
	hits   int // recently
	misses int
	steps  int // taken to compute what was missed
	lost   int // values replaced since the cache has this size
	rest   int // how many more lookups to skip
}

type worth struct {
	key things
	val value.Value
}

const (
	window     = 1 << 10 // misses after which the cache is judged
	firstBits  = 6       // log2 of the first size of a cache
	lastBits   = 14
	sizeOfOne  = 32        // bytes of a worth
	maxBytes   = 128 << 20 // of all caches of a specification
	restFactor = 16
	// maxNumbered bounds the values with a number that no variable has had.
	maxNumbered = 1 << 17
	fewSteps    = 20 // as expensive as a failed lookup
)

// resting reports whether the cache is at rest.
func (c *cache) resting() bool {
	if c.rest > 0 {
		c.rest--
		return true
	}
	return false
}

func (c *cache) lookUp(k things) value.Value {
	if c.places == nil {
		c.resize(firstBits)
	}
	if w := &c.places[k.place(c.shift)]; w.key == k {
		c.hits++
		return w.val
	}
	return nil
}

func (c *cache) put(k things, v value.Value) {
	w := &c.places[k.place(c.shift)]
	if w.val != nil && w.key != k {
		c.lost++
	}
	*w = worth{k, v}
	if c.lost > len(c.places)/4 && c.mayGrow() {
		c.resize(min(64-c.shift+2, lastBits))
	}
}

func (c *cache) mayGrow() bool { return 64-c.shift < lastBits && c.held.Load() < maxBytes }

// missed counts a failed lookup, and now and then checks whether most lookups fail.
func (c *cache) missed() {
	if c.misses++; c.misses < window {
		return
	}
	tries := c.hits + c.misses
	if c.hits*3 < tries && c.steps < tries*fewSteps && (c.lost == 0 || !c.mayGrow()) {
		c.rest = restFactor * window
	}
	c.hits, c.misses, c.steps = 0, 0, 0
}

// resize makes the cache larger, and inserts its old values.
func (c *cache) resize(size int) {
	old := c.places
	c.places, c.shift, c.lost = make([]worth, 1<<size), 64-size, 0
	c.held.Add(int64(len(c.places)-len(old)) * sizeOfOne)
	for _, w := range old {
		if w.val != nil {
			c.put(w.key, w.val)
		}
	}
}

// place is the first bits of a hash.
func (k things) place(shift int) uint64 {
	const prime = 0x9E3779B97F4A7C15
	h := k.a * prime
	h = (h ^ h>>32 ^ k.b) * prime
	return h >> shift
}

// The truth of a condition about one thing takes two bits for each value of the thing.
// That is so little that all of them are kept.

// verdicts stores, by the numbers of values, whether it is known that a condition holds
// of the value, and whether it does.
type verdicts struct {
	*memory
	pooled, natural []uint64 // two bits for each number
}

// mostNaturals bounds the natural numbers for which verdicts are kept.
const mostNaturals = 1 << 16

func (m *memory) verdictsOf(site int) *verdicts {
	of := placed(&m.verdicts, site)
	if *of == nil {
		*of = &verdicts{memory: m}
	}
	return *of
}

// list returns where the verdict on the value with a number is kept.
func (of *verdicts) list(n uint32) (list *[]uint64, at int) {
	if value.SelfNumbered(n) {
		return &of.natural, int(value.Natural(n))
	}
	return &of.pooled, int(n)
}

func (of *verdicts) at(n uint32) (known, holds bool) {
	list, at := of.list(n)
	if at/32 >= len(*list) {
		return false, false
	}
	bits := (*list)[at/32] >> (at % 32 * 2)
	return bits&1 != 0, bits&2 != 0
}

func (of *verdicts) put(n uint32, holds bool) {
	list, at := of.list(n)
	if list == &of.natural && at >= mostNaturals {
		return
	}
	if need := at/32 + 1; need > len(*list) {
		if of.held.Load() >= maxBytes {
			return
		}
		longer := make([]uint64, need+need/2)
		of.held.Add(int64(len(longer)-len(*list)) * 8)
		copy(longer, *list)
		*list = longer
	}
	bits := uint64(1)
	if holds {
		bits = 3
	}
	(*list)[at/32] |= bits << (at % 32 * 2)
}

// asked is what an evaluator knows of the set of which a place in a module asked last
// whether something is its element. What stands inside of quantifiers asks of one set
// again and again: then it is worth an index.
type asked struct {
	set   *value.Set
	times int
	index *value.Index // nil: not yet
}

// fewElements is up to how many elements are as well looked through.
const fewElements = 8

// index returns the index of a set, if a place has asked often enough; or nil.
func (m *memory) index(asker int, of value.Value) *value.Index {
	s, ok := of.(*value.Set)
	if !ok || len(s.Elems) <= fewElements || m == nil || m.naive {
		return nil
	}
	a := placed(&m.asked, asker)
	if a.set != s {
		*a = asked{set: s}
	}
	if a.times++; a.times*8 > len(s.Elems) && a.index == nil {
		a.index = value.NewIndex(s)
	}
	return a.index
}

// amongFunctions reports whether f is an element of a set of functions, always the same.
// Of a value that many functions take it is remembered whether they may.
func (m *memory) amongFunctions(site int, s *value.Functions, f value.Value) bool {
	t := m.cache(site)
	return s.ContainsIf(f, func(v value.Value) bool {
		n, ok := m.values.Find(v)
		if !ok || value.SelfNumbered(n) {
			return value.Contains(s.To, v)
		}
		k := things{uint64(n), 0}
		if is := t.lookUp(k); is != nil {
			return bool(is.(value.Bool))
		}
		is := value.Contains(s.To, v)
		t.put(k, value.Bool(is))
		return is
	})
}
