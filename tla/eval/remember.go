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

// light is the least weight of a condition about one thing that is remembered.
const light = 4

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

// note marks the expression that reads so as remembered.
func (r *reads) note(s *Spec) *remembered {
	m := &remembered{site: s.sites, on: r.list()}
	s.sites++
	for _, inner := range r.within {
		if slices.Equal(inner.on, m.on) {
			inner.off = true
		}
	}
	r.within = []*remembered{m}
	return m
}

// settled compiles an expression that depends on nothing: it is evaluated once.
func settled(values *value.Pool, f code) code {
	var known atomic.Pointer[value.Value]
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

// truth looks up whether a condition about one thing holds before it computes it.
func (m *remembered) truth(t truth) truth {
	about := m.on[0]
	return func(e *env) bool {
		if e.memory == nil || m.off {
			return t(e)
		}
		n, ok := e.memory.values.Find(about.of(e)[about.at])
		if !ok {
			return t(e)
		}
		of := e.memory.verdictsOf(m.site)
		if known, holds := of.at(n); known {
			return holds
		}
		holds := t(e)
		of.put(n, holds)
		return holds
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
