package value

import "slices"

// different reports that two values of one class, which are not equal, are different.
// It fails if that hangs on whether values of different classes are equal.
func different(a, b Value) bool {
	if !IsExplicit(a) || !IsExplicit(b) {
		if otherSize(a, b) || integers(a) && integers(b) {
			return true
		}
		a, b = Explicit(a), Explicit(b)
	}
	if !apart(a, b) {
		fail("%s is compared with %s, and they differ in values of different kinds only", Brief(a), Brief(b))
	}
	return true
}

// integers reports whether a set is known to consist of integers.
func integers(set Value) bool {
	switch s := set.(type) {
	case Interval:
		return true
	case *Set:
		if len(s.Elems) == 0 {
			return true
		}
		_, first := s.Elems[0].(Int)
		_, last := s.Elems[len(s.Elems)-1].(Int)
		return first && last // and so is what is between
	}
	return false
}

// apart reports whether two explicit values, which are not the same, differ even if values
// of different classes may be equal. One difference between values of the same class is
// enough.
func apart(a, b Value) bool {
	if ca, cb := a.class(), b.class(); ca != cb {
		return ca == models || cb == models
	}
	switch x := a.(type) {
	case *Tuple:
		if y, ok := b.(*Tuple); ok {
			return len(x.Elems) != len(y.Elems) || anyApart(x.Elems, y.Elems)
		}
	case *Record:
		if y, ok := b.(*Record); ok {
			return !slices.Equal(x.Names, y.Names) || anyApart(x.Vals, y.Vals)
		}
	case *Func:
		if y, ok := b.(*Func); ok && slices.EqualFunc(x.Keys, y.Keys, Same) {
			return anyApart(x.Vals, y.Vals)
		}
	case *Set:
		if y, ok := b.(*Set); ok {
			return len(x.Elems) != len(y.Elems) || setsApart(x.Elems, y.Elems)
		}
	}
	if a.class() == functions {
		return apart(Explicit(Domain(a)), Explicit(Domain(b)))
	}
	return a != b
}

// anyApart reports whether two lists of one length are apart somewhere.
func anyApart(a, b []Value) bool {
	for i, v := range a {
		if !Same(v, b[i]) && apart(v, b[i]) {
			return true
		}
	}
	return false
}

// setsApart reports whether two sets of one size are apart. What both have at the
// beginning is different from all that follows it.
func setsApart(a, b []Value) bool {
	n := 0
	for n < len(a) && Same(a[n], b[n]) {
		n++
	}
	return hasStranger(a[n:], b[n:]) || hasStranger(b[n:], a[n:])
}

// hasStranger reports whether an element of the one set is apart from all of the other.
func hasStranger(a, b []Value) bool {
	for _, v := range a {
		if _, in := slices.BinarySearchFunc(b, v, Compare); in {
			continue
		}
		if !slices.ContainsFunc(b, func(w Value) bool { return !apart(v, w) }) {
			return true
		}
	}
	return false
}
