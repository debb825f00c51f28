package eval

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// Two states that follow one another differ in few variables, and most expressions
// are about few. So what an expression was worth is remembered by the numbers of what
// it depends on, and looked up where these come again.

// reads is what the value of an expression depends on, and how dear it is to compute.
type reads struct {
	cur, next uint64 // variables, and primed ones, a bit for each
	slots     []int  // bound names, by their slots
	weight    int    // about how many operations
	open      bool   // and on what the rest of a recursive definition reads
	unknown   bool   // and on what is not told here
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

// beyond leaves out the slots from first on: those of names that are bound inside.
func (r reads) beyond(first int) reads {
	r.slots = slices.DeleteFunc(r.slots, func(slot int) bool { return slot >= first })
	return r
}

// add adds what a part of an expression depends on.
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

// things is on how many things a value depends.
func (r *reads) things() int {
	return bits.OnesCount64(r.cur) + bits.OnesCount64(r.next) + len(r.slots)
}

const (
	// heavy is from which weight on an expression is remembered: to look up costs as
	// much as some operations.
	heavy = 12
	// large is what a loop, or what makes or goes through a value of many parts,
	// weighs by itself.
	large = 10
	// maxThings is on how many things what is remembered may depend.
	maxThings = 4
)

// weigh is what an expression weighs without its parts.
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
	on        []thing // what it depends on
	off       bool    // another is remembered around it, by the same things
	canonical bool    // variables become what it is worth
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

// of returns the values among which that of the thing is.
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

// remember compiles an expression of which c.reads tells, compiled as f, so that its
// values are remembered if that is worth it, and reports whether it is.
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

// note makes the expression of which c.reads tells one that is remembered.
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
		e.memory = nil // others may evaluate what is put off
		v := f(e)
		e.memory = memory
		if value.Spelled(v) {
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

// things are the numbers of what a value depends on, two in a word.
type things struct{ a, b uint64 }

// key returns the numbers of what the value depends on here; false if one of these
// has none, or no value.
func (m *remembered) key(e *env) (k things, ok bool) {
	var words [maxThings / 2]uint64
	for i, t := range m.on {
		n, ok := e.memory.values.Find(t.of(e)[t.at])
		if !ok && t.kind != primed { // those of an initial state may have none yet
			n, ok = e.memory.number(&t.of(e)[t.at])
		}
		if !ok {
			return k, false
		}
		words[i/2] |= uint64(n) << (32 * (i % 2))
	}
	return things{words[0], words[1]}, true
}

// Remembered returns how many bytes the caches take of what evaluators remember.
func (s *Spec) Remembered() int64 { return s.held.Load() }

// memory is what an evaluator remembers.
type memory struct {
	*Spec
	values   *value.Pool
	caches   []*cache
	verdicts []*verdicts // by place, too
	asked    []asked     // by place

	numbered int // values to which names are bound
}

// known is where values are looked for before they are made; nil: nowhere.
func (m *memory) known() *value.Pool {
	if m == nil || m.naive {
		return nil
	}
	return m.values
}

// number numbers a value to which a name is bound, though no variable was found to be
// so, as long as these are few; false if it cannot be.
func (m *memory) number(v *value.Value) (n uint32, ok bool) {
	if m.numbered == maxNumbered || !value.Spelled(*v) {
		return 0, false
	}
	m.numbered++
	n = m.values.Number(*v)
	*v = m.values.Value(n) // which has its number at hand
	return n, true
}

func (m *memory) cache(site int) *cache {
	t := placed(&m.caches, site)
	if *t == nil {
		*t = &cache{memory: m}
	}
	return *t
}

// placed returns an element of a list, which is made long enough.
func placed[T any](list *[]T, at int) *T {
	if at >= len(*list) {
		*list = append(*list, make([]T, at+1-len(*list))...)
	}
	return &(*list)[at]
}

// cache holds values of one expression, each at a place that its key says: a new one
// takes the place of the one before. It grows as long as that happens often. If what
// is looked up is rarely there, and was computed in few steps, the cache rests for a
// while.
type cache struct {
	*memory
	places []worth
	shift  int
	hits   int // of late
	misses int
	steps  int // that what was missed took to compute
	lost   int // values whose places were taken, since it has this size
	rest   int // how many more times not to try
}

type worth struct {
	key things
	val value.Value
}

const (
	window     = 1 << 10 // after how many misses the cache is judged
	firstBits  = 6       // of the size of a cache, at first
	lastBits   = 14
	sizeOfOne  = 32        // bytes of a worth
	maxBytes   = 128 << 20 // of all caches of a specification
	restFactor = 16
	// maxNumbered is how many values are numbered that no variable was found to be.
	maxNumbered = 1 << 17
	fewSteps    = 20 // take about as long as to look up in vain
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

// missed notes that a value was not found, and now and then whether that is the rule.
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

// resize makes the cache larger, and puts in what it held.
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
