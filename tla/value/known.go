package value

import "slices"

// A step makes few values that no step before has made. So operations that make small
// values of canonical parts look for these in the pool before they make them. Without
// a pool, nil, they make them.

// mostKnown is how many parts a value may have to be looked for.
const mostKnown = 16

// Replace is Replace, and returns the canonical value if there is one.
func (p *Pool) Replace(f, arg, val Value) Value {
	if p == nil || !p.canonical(f) {
		return Replace(f, arg, val)
	}
	val = Explicit(val)
	vals, at := placeOf(f, arg)
	if at < 0 || len(vals) > mostKnown {
		return Replace(f, arg, val)
	}
	if val, ok := p.known(val); ok {
		var room [mostKnown]Value
		changed := room[:copy(room[:], vals)]
		changed[at] = val
		if g := p.like(f, changed); g != nil {
			return g
		}
	}
	return Replace(f, arg, val)
}

// Concat returns the tuple of the values of two lists, the canonical one if there is one.
// Others may share the lists.
func (p *Pool) Concat(a, b []Value) Value {
	n := len(a) + len(b)
	if p != nil && n <= mostKnown {
		var room [mostKnown]Value
		copy(room[copy(room[:], a):], b)
		if t := p.tupleOf(room[:n]); t != nil {
			return t
		}
	}
	if len(b) == 0 {
		return NewTuple(a...)
	}
	return NewTuple(slices.Concat(a, b)...)
}

// tupleOf returns the canonical tuple of some values; nil if there is none.
func (p *Pool) tupleOf(elems []Value) Value {
	for i, v := range elems {
		w, ok := p.known(v)
		if !ok {
			return nil
		}
		elems[i] = w
	}
	return p.like(Empty, elems)
}

// canonical reports whether a value that has parts is canonical.
func (p *Pool) canonical(v Value) bool {
	m := memoOf(v)
	return m != nil && m.numbered(p) != 0
}

// known returns the canonical value equal to an explicit one, if there is one.
func (p *Pool) known(v Value) (Value, bool) {
	switch v.(type) {
	case Int, Bool, String, Model:
		return v, true // one is as good as the other
	}
	if p.canonical(v) {
		return v, true
	}
	if n, ok := p.Find(v); ok {
		return p.Value(n), true
	}
	return nil, false
}

// like returns the canonical function that has other values than f for the same
// arguments, or a tuple of any length like a tuple; nil if there is none. The values
// are canonical.
func (p *Pool) like(f Value, vals []Value) Value {
	var h uint64
	switch f := f.(type) {
	case *Tuple:
		h = hashTuple(vals)
	case *Record:
		h = hashRecord(f.Names, vals)
	case *Func:
		h = hashFunc(f.Keys, vals)
	}
	for at := range p.at(h) {
		if g := p.Value(at); alike(f, g) && identical(values(g), vals) {
			return g
		}
	}
	return nil
}

// alike reports whether two functions are for the same arguments, or both tuples.
func alike(f, g Value) bool {
	switch f := f.(type) {
	case *Tuple:
		_, ok := g.(*Tuple)
		return ok
	case *Record:
		g, ok := g.(*Record)
		return ok && slices.Equal(f.Names, g.Names)
	case *Func:
		g, ok := g.(*Func)
		return ok && identical(f.Keys, g.Keys)
	}
	return false
}

// identical reports whether two lists hold the same values, which are canonical.
func identical(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i, v := range a {
		switch v := v.(type) { // the most frequent forms first
		case Int:
			if w, ok := b[i].(Int); !ok || w != v {
				return false
			}
		case *Tuple:
			if w, ok := b[i].(*Tuple); !ok || w != v {
				return false
			}
		default:
			if b[i] != v {
				return false
			}
		}
	}
	return true
}
