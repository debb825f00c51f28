package value

import (
	"cmp"
	"slices"
	"strings"
)

// Equal reports whether two values are equal. For values of different classes
// TLA+ does not say: that is an error, unless one of them is a model value.
func Equal(a, b Value) bool {
	if ca, cb := a.class(), b.class(); ca != cb {
		if ca != models && cb != models {
			fail("%s is compared with %s", Brief(a), Brief(b))
		}
		return false
	}
	switch x := a.(type) {
	case Bool, Int, String, Model:
		return a == b
	case Interval:
		if y, ok := b.(Interval); ok {
			return x == y || x.Lo > x.Hi && y.Lo > y.Hi
		}
	}
	return Compare(Explicit(a), Explicit(b)) == 0
}

// rank orders values that are not of one form.
func rank(v Value) int {
	switch v.(type) {
	case Model:
		return 0
	case Bool:
		return 1
	case Int:
		return 2
	case String:
		return 3
	case *Tuple:
		return 4
	case *Record:
		return 5
	case *Func:
		return 6
	case *Set:
		return 7
	case Infinite:
		return 8
	case *Sequences:
		return 9
	}
	fail("%s cannot be compared", Brief(v))
	return 0
}

// Compare is a total order of explicit values; 0 for equal ones.
func Compare(a, b Value) int {
	if x, ok := a.(Int); ok {
		if y, ok := b.(Int); ok {
			return cmp.Compare(x, y)
		}
	}
	if ra, rb := rank(a), rank(b); ra != rb {
		return ra - rb
	}
	switch a := a.(type) {
	case Model:
		return strings.Compare(string(a), string(b.(Model)))
	case Bool:
		switch {
		case a == b.(Bool):
			return 0
		case bool(a):
			return 1
		}
		return -1
	case String:
		return strings.Compare(string(a), string(b.(String)))
	case *Tuple:
		return compareAll(a.Elems, b.(*Tuple).Elems)
	case *Record:
		b := b.(*Record)
		if c := cmp.Or(len(a.Names)-len(b.Names), slices.Compare(a.Names, b.Names)); c != 0 {
			return c
		}
		return compareAll(a.Vals, b.Vals)
	case *Func:
		b := b.(*Func)
		if c := compareAll(a.Keys, b.Keys); c != 0 {
			return c
		}
		return compareAll(a.Vals, b.Vals)
	case *Set:
		return compareAll(a.Elems, b.(*Set).Elems)
	case Infinite:
		return int(a) - int(b.(Infinite))
	case *Sequences:
		return Compare(Explicit(a.Of), Explicit(b.(*Sequences).Of))
	}
	return 0
}

// compareAll puts the shorter list first.
func compareAll(a, b []Value) int {
	if c := len(a) - len(b); c != 0 {
		return c
	}
	if len(a) > 0 && &a[0] == &b[0] {
		return 0
	}
	for i := range a {
		if c := Compare(a[i], b[i]); c != 0 {
			return c
		}
	}
	return 0
}

const prime = 0x9E3779B97F4A7C15

func mix(h, x uint64) uint64 {
	h = (h ^ x) * prime
	return h ^ h>>29
}

// Hash returns a number that is the same for equal explicit values.
func Hash(v Value) uint64 {
	h := uint64(rank(v) + 1)
	switch v := v.(type) {
	case Bool:
		if v {
			return mix(h, 1)
		}
		return mix(h, 2)
	case Int:
		return mix(h, uint64(v))
	case String:
		return hashText(h, string(v))
	case Model:
		return hashText(h, string(v))
	case *Tuple:
		return hashAll(h, v.Elems)
	case *Record:
		for _, n := range v.Names {
			h = hashText(h, n)
		}
		return hashAll(h, v.Vals)
	case *Func:
		return hashAll(hashAll(h, v.Keys), v.Vals)
	case *Set:
		return hashAll(h, v.Elems)
	case Infinite:
		return mix(h, uint64(v))
	case *Sequences:
		return mix(h, Hash(Explicit(v.Of)))
	}
	return h
}

func hashText(h uint64, s string) uint64 {
	h = mix(h, uint64(len(s)))
	for i := range len(s) {
		h = mix(h, uint64(s[i]))
	}
	return h
}

func hashAll(h uint64, all []Value) uint64 {
	h = mix(h, uint64(len(all)))
	for _, v := range all {
		h = mix(h, Hash(v))
	}
	return h
}
