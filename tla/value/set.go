package value

import (
	"iter"
	"math"
	"math/bits"
	"slices"
)

type (
	// Set is a finite set whose elements are in order and different.
	Set struct {
		Elems []Value
		memo
	}
	// Interval is Lo..Hi.
	Interval struct{ Lo, Hi int64 }
	// Infinite is a set that is known by name.
	Infinite uint8
	// Sequences is Seq(Of).
	Sequences struct {
		Of Value
		extent
	}
	// Subsets is SUBSET Of.
	Subsets struct {
		Of Value
		extent
	}
	// Functions is [From -> To].
	Functions struct {
		From, To Value
		extent
	}
	// Records is [name : set, ...]; Names are in order.
	Records struct {
		Names []string
		Sets  []Value
		extent
	}
	// Product is the set of tuples with an element of each factor.
	Product struct {
		Factors []Value
		extent
	}
	// Filtered is the elements of Of that Keep keeps. Of cannot be spelt out.
	Filtered struct {
		Of      Value
		Keep    func(Value) bool
		endless bool // all but finitely many elements of an infinite set
		extent
	}
	// Joined is a union of which a part cannot be spelt out.
	Joined struct {
		Parts []Value
		extent
	}
)

// The infinite sets.
const (
	Nat Infinite = iota
	Integers
	Reals
	Strings
)

func (*Set) class() class       { return sets }
func (Interval) class() class   { return sets }
func (Infinite) class() class   { return sets }
func (*Sequences) class() class { return sets }
func (*Subsets) class() class   { return sets }
func (*Functions) class() class { return sets }
func (*Records) class() class   { return sets }
func (*Product) class() class   { return sets }
func (*Filtered) class() class  { return sets }
func (*Joined) class() class    { return sets }

// Booleans is BOOLEAN.
var Booleans = set([]Value{Bool(false), Bool(true)})

// NewSet returns the set of some values. It keeps the slice.
func NewSet(elems []Value) *Set {
	explicit(elems)
	if !slices.IsSortedFunc(elems, Compare) {
		slices.SortFunc(elems, Compare)
	}
	return set(slices.CompactFunc(elems, func(a, b Value) bool { return Compare(a, b) == 0 }))
}

func set(elems []Value) *Set {
	if len(elems) == 0 {
		return none
	}
	return &Set{elems, measure(elems, nil)}
}

// none is the set without elements.
var none = &Set{nil, measure(nil, nil)}

// NewSubsets returns SUBSET of.
func NewSubsets(of Value) Value { return &Subsets{of, grow(of)} }

// NewSequences returns Seq(of).
func NewSequences(of Value) Value {
	if isEmpty(of) {
		return set([]Value{Empty})
	}
	return &Sequences{of, grow(of)}
}

// isEmpty reports whether a set is spelt out and has no elements. A set that is made of
// others is spelt out if that makes it empty.
func isEmpty(v Value) bool {
	switch s := v.(type) {
	case *Set:
		return len(s.Elems) == 0
	case Interval:
		return s.Lo > s.Hi
	}
	return false
}

// NewFunctions returns [from -> to]. What can be a domain is compared more often than
// it is made.
func NewFunctions(from, to Value) Value {
	const most = 1 << 12
	if _, ok := from.(Interval); !ok && !IsExplicit(from) {
		if n, ok := sizeAtHand(from); ok && n <= most {
			from = Explicit(from)
		}
	}
	switch {
	case isEmpty(from):
		return set([]Value{Empty})
	case isEmpty(to) && inhabited(from):
		return none
	}
	return &Functions{from, to, grow(from, to)}
}

// NewProduct returns the product of some sets.
func NewProduct(factors ...Value) Value {
	if slices.ContainsFunc(factors, isEmpty) {
		return none
	}
	return &Product{factors, grow(factors...)}
}

// NewRecords returns the set of records with a field of each set; names are in order.
func NewRecords(names []string, sets []Value) Value {
	if slices.ContainsFunc(sets, isEmpty) {
		return none
	}
	return &Records{names, sets, grow(sets...)}
}

// NewJoined returns the union of some sets, not enumerated.
func NewJoined(parts []Value) Value { return &Joined{parts, grow(parts...)} }

// IsSet reports whether v is a set.
func IsSet(v Value) bool { return v.class() == sets }

// Explicit enumerates a set, and a function, if they are finite.
func Explicit(v Value) Value {
	if IsExplicit(v) {
		return v
	}
	switch s := v.(type) {
	case Interval, *Subsets, *Functions, *Records, *Product, *Joined:
		if Finite(v) {
			return spell(v)
		}
	case *Filtered:
		fail("a subset of %s cannot be spelt out", Brief(s.Of))
	case *Lazy:
		if Finite(s.Domain) {
			keys := slices.Clone(List(s.Domain))
			vals := make([]Value, len(keys))
			for i, k := range keys {
				vals[i] = s.Apply(k)
			}
			return NewFunc(keys, vals)
		}
	}
	return v
}

func spell(v Value) *Set {
	n, ok := Size(v)
	if !ok || n > MaxElements || n > MaxSize/max(1, width(v)) {
		fail("%s has too many elements to be spelt out", Brief(v))
	}
	elems := make([]Value, 0, n)
	for e := range Each(v) {
		elems = append(elems, e)
	}
	return NewSet(elems)
}

// List returns the elements of a finite set, in order. It must not be changed.
func List(v Value) []Value {
	if s, ok := Explicit(v).(*Set); ok {
		return s.Elems
	}
	if !IsSet(v) {
		fail("%s where a set is expected", Brief(v))
	}
	fail("%s cannot be enumerated", Brief(v))
	return nil
}

// Finite reports whether the elements of a set can be enumerated.
func Finite(v Value) bool {
	switch s := v.(type) {
	case *Set, Interval:
		return true
	case *Subsets:
		return Finite(s.Of)
	case *Functions:
		return Finite(s.From) && Finite(s.To)
	case *Records:
		return !slices.ContainsFunc(s.Sets, infinite)
	case *Product:
		return !slices.ContainsFunc(s.Factors, infinite)
	case *Joined:
		return !slices.ContainsFunc(s.Parts, infinite)
	case Infinite, *Sequences, *Filtered:
		return false
	}
	fail("%s where a set is expected", Brief(v))
	return false
}

// Endless reports whether a set is known to be infinite. One that is not Finite need not
// be: {n \in Nat : n < 3} has three elements.
func Endless(v Value) bool {
	switch s := v.(type) {
	case Infinite:
		return true
	case *Filtered:
		return s.endless
	case *Sequences:
		return inhabited(s.Of)
	case *Subsets:
		return Endless(s.Of)
	case *Functions:
		n, ok := sizeAtHand(s.To)
		return inhabited(s.From) && Endless(s.To) || Endless(s.From) && ok && n > 1
	case *Records:
		return allInhabited(s.Sets) && slices.ContainsFunc(s.Sets, Endless)
	case *Product:
		return allInhabited(s.Factors) && slices.ContainsFunc(s.Factors, Endless)
	case *Joined:
		return slices.ContainsFunc(s.Parts, Endless)
	}
	return false
}

// inhabited reports whether a set is known to have an element.
func inhabited(v Value) bool {
	switch s := v.(type) {
	case Infinite, *Subsets, *Sequences:
		return true
	case *Set, Interval:
		return !isEmpty(v)
	case *Functions:
		return inhabited(s.To)
	case *Records:
		return allInhabited(s.Sets)
	case *Product:
		return allInhabited(s.Factors)
	case *Joined:
		return slices.ContainsFunc(s.Parts, inhabited)
	case *Filtered:
		return s.endless
	}
	return false
}

func allInhabited(sets []Value) bool {
	return !slices.ContainsFunc(sets, func(v Value) bool { return !inhabited(v) })
}

func infinite(v Value) bool { return !Finite(v) }

// IsExplicit reports whether a value is enumerated: Explicit returns it unchanged.
func IsExplicit(v Value) bool {
	switch v.(type) {
	case Int, Bool, String, Model, *Tuple, *Record, *Func, *Set:
		return true
	}
	return false
}

// Size returns how many elements a set has; false if it cannot be enumerated, or
// the number is beyond 2^62.
func Size(v Value) (n int, ok bool) {
	if !Finite(v) {
		return 0, false
	}
	switch s := v.(type) {
	case *Set:
		return len(s.Elems), true
	case Interval:
		if s.Lo > s.Hi {
			return 0, true
		}
		if n := uint64(s.Hi) - uint64(s.Lo); n < 1<<62 {
			return int(n) + 1, true
		}
		return 0, false
	case *Subsets:
		n, ok := Size(s.Of)
		if !ok || n > 61 {
			return 0, false
		}
		return 1 << n, true
	case *Functions:
		return s.size()
	case *Records:
		return sizeOfProduct(s.Sets)
	case *Product:
		return sizeOfProduct(s.Factors)
	case *Joined:
		return len(spellJoined(s)), true
	}
	return 0, false
}

// size is Size: the number of elements of To, to the power of that of From.
func (s *Functions) size() (n int, ok bool) {
	from, ok := Size(s.From)
	to, ok2 := Size(s.To)
	if !ok || !ok2 || from > 62 && to > 1 {
		return 0, false
	}
	if to <= 1 {
		return max(to, 1-min(from, 1)), true
	}
	n = 1
	for range from {
		if n, ok = times(n, to, true); !ok {
			return 0, false
		}
	}
	return n, true
}

// sizeOfProduct is Size of the product of some sets.
func sizeOfProduct(sets []Value) (n int, ok bool) {
	n = 1
	for _, s := range sets {
		m, ok := Size(s)
		if n, ok = times(n, m, ok); !ok {
			return 0, false
		}
	}
	return n, true
}

// times multiplies two sizes; false if the product is too large, or one of them is not ok.
func times(a, b int, ok bool) (int, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return int(lo), ok && hi == 0 && lo < 1<<62
}

func spellJoined(s *Joined) []Value {
	var elems []Value
	for _, p := range s.Parts {
		elems = append(elems, List(p)...)
	}
	return NewSet(elems).Elems
}

// Each yields the elements of a finite set, each once, in order.
func Each(v Value) iter.Seq[Value] {
	if !IsSet(v) {
		fail("%s where a set is expected", Brief(v))
	}
	switch s := v.(type) {
	case *Set:
		return slices.Values(s.Elems)
	case Interval:
		return func(yield func(Value) bool) {
			for i := s.Lo; i <= s.Hi && yield(Int(i)); i++ {
				if i == math.MaxInt64 {
					return
				}
			}
		}
	case *Subsets:
		return subsets(List(s.Of))
	case *Functions:
		from, to := List(s.From), List(s.To)
		sets := make([][]Value, len(from))
		for i := range sets {
			sets[i] = to
		}
		return choices(sets, functionsOver(from))
	case *Records:
		return choices(listAll(s.Sets), func(vals []Value) Value { return record(s.Names, vals) })
	case *Product:
		return choices(listAll(s.Factors), func(vals []Value) Value { return tuple(vals) })
	case *Joined:
		if Finite(s) {
			return slices.Values(spellJoined(s))
		}
	}
	fail("%s cannot be enumerated", Brief(v))
	return nil
}

func listAll(sets []Value) [][]Value {
	all := make([][]Value, len(sets))
	for i, s := range sets {
		all[i] = List(s)
	}
	return all
}

// subsets yields all subsets of a list that is in order: the smaller ones first.
func subsets(of []Value) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for n := range len(of) + 1 {
			if !combinations(of, n, yield) {
				return
			}
		}
	}
}

// combinations yields the subsets of n elements; false if no more are wanted.
func combinations(of []Value, n int, yield func(Value) bool) bool {
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	for {
		elems := make([]Value, n)
		for i, k := range at {
			elems[i] = of[k]
		}
		if !yield(set(elems)) {
			return false
		}
		i := n - 1
		for i >= 0 && at[i] == len(of)-n+i {
			i--
		}
		if i < 0 {
			return true
		}
		for at[i]++; i+1 < n; i++ {
			at[i+1] = at[i] + 1
		}
	}
}

// choices yields the results of build for every choice of one element from each list,
// the last of which changes fastest: from ordered lists come ordered results.
func choices(lists [][]Value, build func([]Value) Value) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		at := make([]int, len(lists))
		for _, l := range lists {
			if len(l) == 0 {
				return
			}
		}
		for {
			vals := make([]Value, len(lists))
			for i, l := range lists {
				vals[i] = l[at[i]]
			}
			if !yield(build(vals)) {
				return
			}
			i := len(at) - 1
			for ; i >= 0; i-- {
				if at[i]++; at[i] < len(lists[i]) {
					break
				}
				at[i] = 0
			}
			if i < 0 {
				return
			}
		}
	}
}
