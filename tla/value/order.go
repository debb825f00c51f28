package value

import (
	"cmp"
	"slices"
	"strings"
	"sync/atomic"
)

// Equal reports whether two values are equal. For values of different classes
// TLA+ does not say: that is an error, unless one of them is a model value. It is one,
// too, where two values of one class differ in nothing but such parts.
func Equal(a, b Value) bool {
	switch x := a.(type) { // the most frequent forms first
	case Int:
		if y, ok := b.(Int); ok {
			return x == y
		}
	case String:
		if y, ok := b.(String); ok {
			return x == y
		}
	case *Tuple:
		if y, ok := b.(*Tuple); ok {
			return x == y || len(x.Elems) == len(y.Elems) && (len(x.Elems) == 0 || Same(x, y) || !different(x, y))
		}
	}
	if ca, cb := a.class(), b.class(); ca != cb {
		if ca != models && cb != models {
			fail("%s is compared with %s", Brief(a), Brief(b))
		}
		return false
	}
	return match(a, b) || !different(a, b)
}

// match is Equal for values of one class, and no error.
func match(a, b Value) bool {
	switch x := a.(type) {
	case Bool, Int, String, Model:
		return a == b
	case Interval:
		switch y := b.(type) {
		case Interval:
			return x == y || x.Lo > x.Hi && y.Lo > y.Hi
		case *Set:
			return lists(y.Elems, x)
		}
	case *Set:
		if y, ok := b.(Interval); ok {
			return lists(x.Elems, y)
		}
	}
	if !IsExplicit(a) || !IsExplicit(b) {
		if otherSize(a, b) {
			return false
		}
		a, b = Explicit(a), Explicit(b)
	}
	return Same(a, b)
}

// lists reports whether values that are in order are those of an interval: between
// integers in order there are only integers.
func lists(sorted []Value, of Interval) bool {
	if of.Lo > of.Hi || len(sorted) == 0 {
		return of.Lo > of.Hi && len(sorted) == 0
	}
	first, ok := sorted[0].(Int)
	last, ok2 := sorted[len(sorted)-1].(Int)
	return ok && ok2 && int64(first) == of.Lo && int64(last) == of.Hi && last-first == Int(len(sorted)-1)
}

// otherSize reports whether two values are known to be sets of different sizes.
func otherSize(a, b Value) bool {
	if !IsSet(a) {
		return false
	}
	n, ok := sizeAtHand(a)
	m, ok2 := sizeAtHand(b)
	return ok && ok2 && n != m
}

// sizeAtHand is Size where no set has to be spelt out for it.
func sizeAtHand(set Value) (n int, ok bool) {
	if _, joined := set.(*Joined); joined {
		return 0, false
	}
	return Size(set)
}

// Same reports whether two explicit values are one. It is Compare(a, b) == 0, but
// need not find out which comes first.
func Same(a, b Value) bool {
	switch a.(type) {
	case Int, String, Bool, Model:
		return a == b
	}
	if x, y := memoOf(a), memoOf(b); x != nil && y != nil && (x == y || x.differ(y)) {
		return x == y
	}
	return Compare(a, b) == 0
}

func memoOf(v Value) *memo {
	switch v := v.(type) {
	case *Tuple:
		return &v.memo
	case *Record:
		return &v.memo
	case *Func:
		return &v.memo
	case *Set:
		return &v.memo
	}
	return nil
}

// rank orders values that are not of one form.
func rank(v Value) int {
	switch v := v.(type) {
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
		if inhabited(v.Of) { // else it may be {<<>>}
			return 9
		}
	}
	fail("%s cannot be compared", Brief(v))
	return 0
}

// Compare is a total order of explicit values; 0 for equal ones.
func Compare(a, b Value) int {
	switch x := a.(type) { // the most frequent forms first
	case Int:
		if y, ok := b.(Int); ok {
			return cmp.Compare(x, y)
		}
	case String:
		if y, ok := b.(String); ok {
			return strings.Compare(string(x), string(y))
		}
	case Model:
		if y, ok := b.(Model); ok {
			return strings.Compare(string(x), string(y))
		}
	}
	if ra, rb := rank(a), rank(b); ra != rb {
		return ra - rb
	}
	if a == b {
		return 0
	}
	switch a := a.(type) {
	case Bool: // and b is the other one
		if a {
			return 1
		}
		return -1
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
	switch v := v.(type) {
	case Bool:
		if v {
			return mix(2, 1)
		}
		return mix(2, 2)
	case Int:
		return mix(3, uint64(v))
	case String:
		return hashText(4, string(v))
	case Model:
		return hashText(1, string(v))
	case *Tuple:
		return v.hashed(func() uint64 { return hashTuple(v.Elems) })
	case *Record:
		return v.hashed(func() uint64 { return hashRecord(v.Names, v.Vals) })
	case *Func:
		return v.hashed(func() uint64 { return hashFunc(v.Keys, v.Vals) })
	case *Set:
		return v.hashed(func() uint64 { return hashAll(8, v.Elems) })
	case *Sequences:
		return mix(10, Hash(Explicit(v.Of)))
	case Infinite:
		return mix(9, uint64(v))
	}
	return uint64(rank(v))
}

// hashed returns the hash of a value, computed at most once.
func (m *memo) hashed(compute func() uint64) uint64 {
	if h := atomic.LoadUint64(&m.hash); h != 0 {
		return h
	}
	h := max(compute(), 1)
	atomic.StoreUint64(&m.hash, h)
	return h
}

// differ reports whether two values are known to be different by their hashes.
func (m *memo) differ(n *memo) bool {
	a, b := atomic.LoadUint64(&m.hash), atomic.LoadUint64(&n.hash)
	return a != 0 && b != 0 && a != b
}

func hashTuple(elems []Value) uint64 { return max(hashAll(5, elems), 1) }

func hashRecord(names []string, vals []Value) uint64 {
	h := uint64(6)
	for _, n := range names {
		h = hashText(h, n)
	}
	return max(hashAll(h, vals), 1)
}

func hashFunc(keys, vals []Value) uint64 { return max(hashAll(hashAll(7, keys), vals), 1) }

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
