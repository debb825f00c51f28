package eval

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// Consecutive states differ in few variables, and most expressions depend on few. So
// the value of an expression is stored under the numbers of the values it depends on,
// and looked up when these occur again.

// reads is what the value of an expression depends on, and how expensive it is to
// compute.
type reads struct {
	cur, next uint64 // variables, and primed ones, a bit for each
	slots     []int  // bound names, by their slots
	weight    int    // roughly the number of operations
	open      bool   // it also depends on what the rest of a recursive definition reads
	unknown   bool   // it also depends on something not listed here
	within    []*remembered
}

// read notes a variable.
func (r *reads) read(v *variable, primed bool) {
	bit := uint64(1) << v.index // 0 beyond the 64th
	switch {
	case bit == 0:
		r.unknown = true
	case primed:
		r.next |= bit
	default:
		r.cur |= bit
	}
}

// beyond removes the slots from first on: those of names that are bound inside.
func (r reads) beyond(first int) reads {
	r.slots = slices.DeleteFunc(r.slots, func(slot int) bool { return slot >= first })
	return r
}

// add adds the reads of a part of the expression.
func (r *reads) add(part reads) {
	r.cur |= part.cur
	r.next |= part.next
	for _, s := range part.slots {
		if !slices.Contains(r.slots, s) {
			r.slots = append(r.slots, s)
		}
	}
	r.weight += part.weight
	r.open = r.open || part.open
	r.unknown = r.unknown || part.unknown
	r.within = append(r.within, part.within...)
}

// things counts what a value depends on.
func (r *reads) things() int {
	return bits.OnesCount64(r.cur) + bits.OnesCount64(r.next) + len(r.slots)
}

const (
	// heavy is the least weight of an expression that is remembered: a lookup costs as
	// much as some operations.
	heavy = 12
	// large is the weight of a loop, or of an operation on a value of many parts.
	large = 10
	// maxThings bounds what a remembered value may depend on.
	maxThings = 4
)

// weigh returns the weight of an expression without its parts.
func weigh(x syntax.Expr) int {
	switch x.(type) {
	case *syntax.Label:
		return 0
	case *syntax.Quantified, *syntax.Choose, *syntax.Filter, *syntax.Image, *syntax.Function, *syntax.Except, *syntax.SetOf, *syntax.Record, *syntax.Tuple:
		return large
	}
	return 1
}

// remembered is an expression whose values are remembered.
type remembered struct {
	site      int     // its number
	on        []thing // what its value depends on
	off       bool    // a surrounding expression is remembered by the same things
	canonical bool    // its value is assigned to variables
}

// thing is a variable, a primed one, or a bound name.
type thing struct {
	kind kind
	at   int
}

type kind uint8

const (
	variables kind = iota
	primed
	names
)

// of returns the list of values that has the value of the thing.
func (t thing) of(e *env) []value.Value {
	switch t.kind {
	case variables:
		return e.cur
	case primed:
		return e.next
	}
	return e.frame
}

// list returns the things on which a value depends, in order.
func (r *reads) list() (all []thing) {
	for i := range 64 {
		if r.cur>>i&1 == 1 {
			all = append(all, thing{variables, i})
		}
	}
	for i := range 64 {
		if r.next>>i&1 == 1 {
			all = append(all, thing{primed, i})
		}
	}
	for _, slot := range slices.Sorted(slices.Values(r.slots)) {
		all = append(all, thing{names, slot})
	}
	return all
}

// remember wraps the code f of the expression of c.reads, so that its values are
// remembered if that is worth it, and reports whether it is.
func (c *compiler) remember(f code) (g code, worth bool) {
	r := &c.reads
	c.latest, c.fixed = nil, false
	switch n := r.things(); {
	case c.spec.naive || r.open || r.unknown || r.weight < 2:
		return f, false
	case n == 0:
		r.weight, c.fixed = 1, true
		return c.settled(f), true
	case c.init || r.weight < heavy || n > maxThings || bits.OnesCount64(r.cur) == len(c.spec.vars):
		return f, false // on all variables: no state comes twice
	}
	return c.note().code(f), true
}

// note marks the expression of c.reads as remembered.
func (c *compiler) note() *remembered {
	r := &c.reads
	m := &remembered{site: c.spec.sites, on: r.list()}
	c.spec.sites++
	for _, inner := range r.within {
		if slices.Equal(inner.on, m.on) {
			inner.off = true
		}
	}
	r.within = []*remembered{m}
	c.latest, c.fixed = m, false
	return m
}

// settled compiles an expression that depends on nothing: it is evaluated once.
func (c *compiler) settled(f code) code {
	var known atomic.Pointer[value.Value]
	values := c.spec.Values
	return func(e *env) value.Value {
		if v := known.Load(); v != nil {
			return *v
		}
		memory := e.memory
		e.memory = nil // a value that is evaluated lazily may be shared by other evaluators
		v := f(e)
		e.memory = memory
		if value.IsExplicit(v) {
			v = values.Canonical(v)
		}
		known.Store(&v)
		return v
	}
}

// code looks the value up before it computes it.
func (m *remembered) code(f code) code {
	return func(e *env) value.Value {
		if e.memory == nil || m.off {
			return f(e)
		}
		t := e.memory.cache(m.site)
		if t.resting() {
			return f(e)
		}
		k, known := m.key(e)
		if known {
			if v := t.lookUp(k); v != nil {
				return v
			}
		}
		t.missed()
		before := e.taken()
		v := f(e)
		t.steps += e.taken() - before
		if m.canonical {
			v = e.memory.values.Canonical(value.Explicit(v))
		} else if n, ok := e.memory.values.Find(v); ok {
			v = e.memory.values.Value(n)
		}
		if known {
			t.put(k, v)
		}
		return v
	}
}

// things are the numbers of the values that a value depends on, two in a word.
type things struct{ a, b uint64 }

// key returns the numbers of the values that the value depends on here, or false if one
// of them has no number or no value.
func (m *remembered) key(e *env) (k things, ok bool) {
	var words [maxThings / 2]uint64
	for i, t := range m.on {
		n, ok := e.memory.values.Find(t.of(e)[t.at])
		if !ok && t.kind != primed { // in an initial state, next values may be missing yet
			n, ok = e.memory.number(&t.of(e)[t.at])
		}
		if !ok {
			return k, false
		}
		words[i/2] |= uint64(n) << (32 * (i % 2))
	}
	return things{words[0], words[1]}, true
}

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
