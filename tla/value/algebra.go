package value

import "slices"

// Contains reports whether v is an element of a set.
func Contains(set, v Value) bool {
	switch s := set.(type) {
	case *Set:
		_, found := slices.BinarySearchFunc(s.Elems, Explicit(v), Compare)
		return found
	case Interval:
		i, ok := v.(Int)
		return ok && s.Lo <= int64(i) && int64(i) <= s.Hi
	case Infinite:
		switch v := v.(type) {
		case Int:
			return s != Strings && (s != Nat || v >= 0)
		case String:
			return s == Strings
		}
		return false
	case *Sequences:
		t, ok := v.(*Tuple)
		return ok && all(t.Elems, func(e Value) bool { return Contains(s.Of, e) })
	case *Subsets:
		return IsSet(v) && Subset(v, s.Of)
	case *Functions:
		return v.class() == functions && Equal(Domain(v), s.From) && allValues(v, s.To)
	case *Records:
		r, ok := v.(*Record)
		if !ok || !slices.Equal(r.Names, s.Names) {
			return false
		}
		return allIn(r.Vals, s.Sets)
	case *Product:
		t, ok := v.(*Tuple)
		return ok && len(t.Elems) == len(s.Factors) && allIn(t.Elems, s.Factors)
	case *Filtered:
		return Contains(s.Of, v) && s.Keep(v)
	case *Joined:
		return slices.ContainsFunc(s.Parts, func(p Value) bool { return Contains(p, v) })
	}
	fail("%s where a set is expected", Brief(set))
	return false
}

func all(vals []Value, ok func(Value) bool) bool {
	return !slices.ContainsFunc(vals, func(v Value) bool { return !ok(v) })
}

func allIn(vals, sets []Value) bool {
	for i, v := range vals {
		if !Contains(sets[i], v) {
			return false
		}
	}
	return true
}

// allValues reports whether all values of a function are in a set.
func allValues(f, set Value) bool {
	_, vals := Spelt(f)
	return all(vals, func(v Value) bool { return Contains(set, v) })
}

// Subset reports whether all elements of a are in b.
func Subset(a, b Value) bool {
	if !IsSet(a) || !IsSet(b) {
		fail("%s \\subseteq %s: both must be sets", Brief(a), Brief(b))
	}
	if !finite(a) {
		if finite(b) || Equal(a, b) {
			return !finite(b)
		}
		if a, ok := a.(Infinite); ok {
			if b, ok := b.(Infinite); ok {
				return a != Strings && b != Strings && a <= b
			}
		}
		fail("%s \\subseteq %s cannot be told", Brief(a), Brief(b))
	}
	for v := range Each(a) {
		if !Contains(b, v) {
			return false
		}
	}
	return true
}

// small is up to how many elements a union of sets that are not spelt out is.
const small = 256

// Join returns the union of some sets. It is spelt out if it is small, or all of
// them are.
func Join(parts ...Value) Value {
	if len(parts) == 1 {
		return parts[0]
	}
	total := 0
	for _, p := range parts {
		if _, spelt := p.(*Set); spelt {
			continue
		}
		n, ok := Size(p)
		if total += min(n, small+1); !ok || total > small {
			return &Joined{parts}
		}
	}
	union := parts[0]
	for _, p := range parts[1:] {
		union = unite(union, p)
	}
	return union
}

// Union returns a \cup b.
func Union(a, b Value) Value { return Join(a, b) }

func unite(a, b Value) Value {
	x, y := List(a), List(b)
	if len(x) == 0 {
		return &Set{y}
	}
	if len(y) == 0 {
		return &Set{x}
	}
	out := make([]Value, 0, len(x)+len(y))
	for len(x) > 0 && len(y) > 0 {
		switch c := Compare(x[0], y[0]); {
		case c < 0:
			out, x = append(out, x[0]), x[1:]
		case c > 0:
			out, y = append(out, y[0]), y[1:]
		default:
			out, x, y = append(out, x[0]), x[1:], y[1:]
		}
	}
	return &Set{append(append(out, x...), y...)}
}

// Intersect returns a \cap b.
func Intersect(a, b Value) Value {
	if finite(a) {
		return Filter(a, func(v Value) bool { return Contains(b, v) })
	}
	return Filter(b, func(v Value) bool { return Contains(a, v) })
}

// Minus returns a \ b.
func Minus(a, b Value) Value {
	if !IsSet(b) {
		fail("%s where a set is expected", Brief(b))
	}
	return Filter(a, func(v Value) bool { return !Contains(b, v) })
}

// Filter returns the elements of a set that keep keeps.
func Filter(set Value, keep func(Value) bool) Value {
	if !finite(set) {
		return &Filtered{set, keep}
	}
	if s, ok := set.(*Set); ok {
		out := make([]Value, 0, len(s.Elems))
		for _, v := range s.Elems {
			if keep(v) {
				out = append(out, v)
			}
		}
		return &Set{out}
	}
	var out []Value
	for v := range Each(set) {
		if keep(v) {
			out = append(out, v)
		}
	}
	return NewSet(out)
}

// UnionAll returns UNION set.
func UnionAll(set Value) Value {
	var elems []Value
	var parts []Value
	for _, s := range List(set) {
		if finite(s) {
			elems = append(elems, List(s)...)
		} else {
			parts = append(parts, s)
		}
		if len(elems) > MaxElements {
			fail("a union has too many elements")
		}
	}
	if parts != nil {
		return &Joined{append(parts, NewSet(elems))}
	}
	return NewSet(elems)
}
