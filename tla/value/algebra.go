package value

import "slices"

// Contains reports whether v is an element of a set.
func Contains(of, v Value) bool {
	switch s := of.(type) {
	case *Set:
		_, found := among(s.Elems, Explicit(v))
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
		t, ok := spelt(v).(*Tuple)
		return ok && all(t.Elems, func(e Value) bool { return Contains(s.Of, e) })
	case *Subsets:
		return IsSet(v) && Subset(v, s.Of)
	case *Functions:
		return s.ContainsIf(v, func(e Value) bool { return Contains(s.To, e) })
	case *Records:
		r, ok := spelt(v).(*Record)
		if !ok || !slices.Equal(r.Names, s.Names) {
			return false
		}
		return allIn(r.Vals, s.Sets)
	case *Product:
		t, ok := spelt(v).(*Tuple)
		return ok && len(t.Elems) == len(s.Factors) && allIn(t.Elems, s.Factors)
	case *Filtered:
		return Contains(s.Of, v) && s.Keep(v)
	case *Joined:
		return slices.ContainsFunc(s.Parts, func(p Value) bool { return Contains(p, v) })
	}
	fail("%s where a set is expected", Brief(of))
	return false
}

// spelt returns a function spelt out, unless its domain is infinite. Other values are
// returned as they are.
func spelt(v Value) Value {
	f, ok := v.(*Lazy)
	if !ok || Endless(f.Domain) {
		return v
	}
	if !Finite(f.Domain) {
		fail("whether a function is a sequence, a tuple or a record cannot be told: its domain is %s", Brief(f.Domain))
	}
	return Explicit(f)
}

// ContainsIf is Contains, given what tells whether a value is in To.
func (s *Functions) ContainsIf(f Value, isTo func(Value) bool) bool {
	return f.class() == functions && over(f, s.From) && all(values(f), isTo)
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

// Subset reports whether all elements of a are in b.
func Subset(a, b Value) bool {
	if !IsSet(a) || !IsSet(b) {
		fail("%s \\subseteq %s: both must be sets", Brief(a), Brief(b))
	}
	if within, known := structural(a, b); known {
		return within
	}
	if !Finite(a) {
		return subsetOfUncounted(a, b)
	}
	n := 0
	for v := range Each(a) {
		if !Contains(b, v) {
			return false
		}
		count(&n, a)
	}
	return true
}

// subsetOfUncounted is Subset if a cannot be enumerated.
func subsetOfUncounted(a, b Value) bool {
	if Finite(b) && Endless(a) {
		return false
	}
	switch a := a.(type) {
	case Infinite:
		if b, ok := b.(Infinite); ok {
			return a == b || a != Strings && b != Strings && a <= b
		}
	case *Sequences:
		if b, ok := b.(*Sequences); ok {
			return Subset(a.Of, b.Of)
		}
	case *Joined:
		return all(a.Parts, func(part Value) bool { return Subset(part, b) })
	case *Filtered:
		if Subset(a.Of, b) {
			return true
		}
	}
	fail("%s \\subseteq %s cannot be told", Brief(a), Brief(b))
	return false
}

// structural compares sets that were not spelt out by what they are made of.
func structural(a, b Value) (within, known bool) {
	switch a := a.(type) {
	case Interval:
		switch b := b.(type) {
		case Interval:
			return a.Lo > a.Hi || b.Lo <= a.Lo && a.Hi <= b.Hi, true
		case Infinite:
			return a.Lo > a.Hi || b != Strings && (b != Nat || a.Lo >= 0), true
		}
	case *Subsets:
		if b, ok := b.(*Subsets); ok {
			return Subset(a.Of, b.Of), true
		}
	case *Product:
		if b, ok := b.(*Product); ok && len(a.Factors) == len(b.Factors) {
			return pairwise(a.Factors, b.Factors)
		}
	case *Records:
		if b, ok := b.(*Records); ok && slices.Equal(a.Names, b.Names) {
			return pairwise(a.Sets, b.Sets)
		}
	case *Functions:
		if b, ok := b.(*Functions); ok && match(a.From, b.From) {
			return pairwise([]Value{a.To}, []Value{b.To})
		}
	}
	return false, false
}

// pairwise knows that products are within one another if their factors are. If they
// are not, they may be empty.
func pairwise(a, b []Value) (within, known bool) {
	for i := range a {
		if !Subset(a[i], b[i]) {
			return false, false
		}
	}
	return true, true
}

// count notes that one more element of a set was taken in hand.
func count(n *int, set Value) {
	if *n++; *n > MaxElements {
		fail("%s has too many elements: more than %d would have to be looked at", Brief(set), MaxElements)
	}
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
			return NewJoined(parts)
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
	a, b = Explicit(a), Explicit(b)
	x, y := List(a), List(b)
	if len(x) == 0 {
		return b
	}
	if len(y) == 0 {
		return a
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
	out = append(append(out, x...), y...)
	switch len(out) {
	case len(List(a)):
		return a
	case len(List(b)):
		return b
	}
	return set(out)
}

// Intersect returns a \cap b.
func Intersect(a, b Value) Value {
	if Finite(a) {
		return pick(a, func(v Value) bool { return Contains(b, v) })
	}
	return pick(b, func(v Value) bool { return Contains(a, v) })
}

// Minus returns a \ b.
func Minus(a, b Value) Value {
	if !IsSet(b) {
		fail("%s where a set is expected", Brief(b))
	}
	if a, ok := a.(Infinite); ok {
		if b, ok := b.(Infinite); ok && Subset(a, b) {
			return none
		}
	}
	rest := pick(a, func(v Value) bool { return !Contains(b, v) })
	if rest, ok := rest.(*Filtered); ok {
		rest.endless = Endless(a) && Finite(b)
	}
	return rest
}

// pick is Filter for a set of which not too many elements can be looked at.
func pick(of Value, keep func(Value) bool) Value {
	if !Finite(of) {
		return Filter(of, keep)
	}
	n := 0
	return Filter(of, func(v Value) bool {
		count(&n, of)
		return keep(v)
	})
}

// Filter returns the elements of a set that keep keeps.
func Filter(of Value, keep func(Value) bool) Value {
	if !Finite(of) {
		return &Filtered{Of: of, Keep: keep, extent: grow(of)}
	}
	if s, ok := of.(*Set); ok {
		var room [32]Value
		out := room[:0]
		for _, v := range s.Elems {
			if keep(v) {
				out = append(out, v)
			}
		}
		if len(out) == len(s.Elems) {
			return s
		}
		return set(slices.Clone(out))
	}
	var out []Value
	n := 0
	for v := range Each(of) {
		if keep(v) {
			out = append(out, v)
			count(&n, of)
		}
	}
	return NewSet(out)
}

// UnionAll returns UNION set.
func UnionAll(of Value) Value {
	var elems []Value
	var parts []Value
	for _, s := range List(of) {
		if Finite(s) {
			elems = append(elems, List(s)...)
		} else {
			parts = append(parts, s)
		}
		if len(elems) > MaxElements {
			fail("a union has too many elements")
		}
	}
	if parts != nil {
		return NewJoined(append(parts, NewSet(elems)))
	}
	return NewSet(elems)
}

// Map applies f to a list, which it copies if that makes a difference.
func Map(vals []Value, f func(Value) Value) (_ []Value, other bool) {
	for i, v := range vals {
		w := f(v)
		if w == v {
			continue
		}
		if !other {
			vals, other = slices.Clone(vals), true
		}
		vals[i] = w
	}
	return vals, other
}
