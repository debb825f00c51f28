package value

import (
	"fmt"
	"slices"
	"sort"
)

// Value is a value: one of the types of this package. Values are immutable.
type Value interface{ class() class }

type (
	// Bool is TRUE or FALSE.
	Bool bool
	// Int is an integer. Operations that leave its range are errors.
	Int int64
	// String is a string.
	String string
	// Model is a model value, different from every other value.
	Model string
	// Tuple is a function over 1..n, that is a tuple or sequence.
	Tuple struct {
		Elems []Value
		memo
	}
	// Record is a function over a set of strings that is not empty, in order.
	Record struct {
		Names []string
		Vals  []Value
		memo
	}
	// Func is any other finite function; Keys are in order.
	Func struct {
		Keys, Vals []Value
		memo
	}
	// Lazy is a function whose values are computed when asked for.
	Lazy struct {
		Domain Value
		Apply  func(arg Value) Value

		changes int // by EXCEPT, one within another
	}
)

// class says which values can be compared with each other.
type class uint8

const (
	bools class = iota
	ints
	texts
	models
	sets
	functions
)

func (Bool) class() class    { return bools }
func (Int) class() class     { return ints }
func (String) class() class  { return texts }
func (Model) class() class   { return models }
func (*Tuple) class() class  { return functions }
func (*Record) class() class { return functions }
func (*Func) class() class   { return functions }
func (*Lazy) class() class   { return functions }

// Error says why an operation has no value.
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

func fail(format string, args ...any) {
	panic(&Error{fmt.Sprintf(format, args...)})
}

// Empty is the empty tuple, sequence and function.
var Empty = &Tuple{}

// NewTuple returns a tuple.
func NewTuple(elems ...Value) *Tuple { return tuple(explicit(elems)) }

// explicit enumerates the values of a list, in place. Values that are explicit already
// are not written to: others may share them.
func explicit(vals []Value) []Value {
	for i, v := range vals {
		if w := Explicit(v); w != v {
			vals[i] = w
		}
	}
	return vals
}

func tuple(elems []Value) *Tuple { return &Tuple{elems, measure(elems, nil)} }

func record(names []string, vals []Value) *Record { return &Record{names, vals, measure(vals, nil)} }

func function(keys, vals []Value) *Func { return &Func{keys, vals, measure(keys, vals)} }

// NewFunc returns the function that takes each key to its value. It keeps both
// slices. Keys must be different and explicit.
func NewFunc(keys, vals []Value) Value {
	explicit(vals)
	if !slices.IsSortedFunc(keys, Compare) {
		sort.Sort(byKey{keys, vals})
	}
	return functionsOver(keys)(vals)
}

// functionsOver returns a function that makes a function over keys, which are in order,
// from its values, which are explicit.
func functionsOver(keys []Value) func(vals []Value) Value {
	if isRange(keys) {
		return func(vals []Value) Value { return tuple(vals) }
	}
	names := make([]string, 0, len(keys))
	for _, k := range keys {
		s, ok := k.(String)
		if !ok {
			return func(vals []Value) Value { return function(keys, vals) }
		}
		names = append(names, string(s))
	}
	return func(vals []Value) Value { return record(names, vals) }
}

// NewRecord returns a record; its names may be in any order, and are different.
func NewRecord(names []string, vals []Value) Value {
	return NewFunc(stringsOf(names), slices.Clone(vals))
}

// stringsOf returns names as values.
func stringsOf(names []string) []Value {
	vals := make([]Value, len(names))
	for i, n := range names {
		vals[i] = String(n)
	}
	return vals
}

// SortedRecord is NewRecord for names that are in order. It keeps both slices.
func SortedRecord(names []string, vals []Value) Value {
	if len(names) == 0 {
		return Empty
	}
	return record(names, explicit(vals))
}

type byKey struct{ keys, vals []Value }

func (b byKey) Len() int           { return len(b.keys) }
func (b byKey) Less(i, j int) bool { return Compare(b.keys[i], b.keys[j]) < 0 }
func (b byKey) Swap(i, j int) {
	b.keys[i], b.keys[j] = b.keys[j], b.keys[i]
	b.vals[i], b.vals[j] = b.vals[j], b.vals[i]
}

// isRange reports whether sorted keys are 1..n.
func isRange(keys []Value) bool {
	return len(keys) == 0 || keys[0] == Value(Int(1)) && keys[len(keys)-1] == Value(Int(len(keys)))
}

// Nth is Apply if f is a tuple and arg one of its indices, as is often so; otherwise nil.
func Nth(f, arg Value) Value {
	if t, ok := f.(*Tuple); ok {
		if i, ok := arg.(Int); ok && uint64(i-1) < uint64(len(t.Elems)) {
			return t.Elems[i-1]
		}
	}
	return nil
}

// Apply returns the value of a function.
func Apply(f, arg Value) Value {
	v, ok := Lookup(f, arg)
	if !ok {
		fail("%s is not in the domain of %s", Brief(arg), Brief(f))
	}
	return v
}

// Lookup is Apply; false if the argument is not in the domain of f.
func Lookup(f, arg Value) (v Value, ok bool) {
	switch f := f.(type) {
	case *Tuple:
		if i, ok := arg.(Int); ok && i >= 1 && int(i) <= len(f.Elems) {
			return f.Elems[i-1], true
		}
		return nil, false
	case *Record:
		if s, ok := arg.(String); ok {
			if i, ok := nameAmong(f.Names, string(s)); ok {
				return f.Vals[i], true
			}
		}
		return nil, false
	case *Func:
		if i, ok := among(f.Keys, Explicit(arg)); ok {
			return f.Vals[i], true
		}
		return nil, false
	case *Lazy:
		if Contains(f.Domain, arg) {
			return f.Apply(arg), true
		}
		return nil, false
	}
	fail("%s is no function, and is applied to %s", Brief(f), Brief(arg))
	return nil, false
}

// few bounds the values or names that are searched one by one.
const few = 8

// among finds an explicit value in a list that is in order.
func among(sorted []Value, v Value) (at int, ok bool) {
	if i, ok := v.(Int); ok && len(sorted) > 0 {
		if lo, ok := sorted[0].(Int); ok && i >= lo && i-lo < Int(len(sorted)) && sorted[i-lo] == v {
			return int(i - lo), true // integers without gaps
		}
	}
	if len(sorted) > few {
		return slices.BinarySearchFunc(sorted, v, Compare)
	}
	switch v := v.(type) {
	case String: // mostly distinguished by their lengths or addresses
		for i, w := range sorted {
			if w, ok := w.(String); ok && w == v {
				return i, true
			}
		}
		return 0, false
	case Int, Bool, Model:
		i := slices.Index(sorted, Value(v))
		return i, i >= 0
	}
	if len(sorted) > 1 && memoOf(v) != nil {
		Hash(v) // different ones are mostly distinguished by it
	}
	for i, w := range sorted {
		if Same(w, v) {
			return i, true
		}
	}
	return 0, false
}

// nameAmong finds a name in a list that is in order.
func nameAmong(sorted []string, name string) (at int, ok bool) {
	if len(sorted) > few {
		return slices.BinarySearch(sorted, name)
	}
	i := slices.Index(sorted, name)
	return i, i >= 0
}

// Replace returns f with another value for one argument; f itself if the
// argument is not in its domain.
func Replace(f, arg, val Value) Value {
	if l, ok := f.(*Lazy); ok {
		if l.changes >= MaxNesting {
			fail("a function that is not spelt out is changed more than %d times", MaxNesting)
		}
		changed := &Lazy{Domain: l.Domain, changes: l.changes + 1}
		changed.Apply = func(a Value) Value {
			if Compare(Explicit(a), Explicit(arg)) == 0 {
				return val
			}
			return l.Apply(a)
		}
		return changed
	}
	vals, at := placeOf(f, arg)
	if at < 0 {
		return f
	}
	vals = slices.Clone(vals)
	vals[at] = Explicit(val)
	switch f := f.(type) {
	case *Record:
		return record(f.Names, vals)
	case *Func:
		return function(f.Keys, vals)
	}
	return tuple(vals)
}

// placeOf returns the values of a function, and the index of the value of an argument;
// -1 if there is none.
func placeOf(f, arg Value) (vals []Value, at int) {
	switch f := f.(type) {
	case *Tuple:
		if i, ok := arg.(Int); ok && i >= 1 && int(i) <= len(f.Elems) {
			return f.Elems, int(i - 1)
		}
	case *Record:
		if s, ok := arg.(String); ok {
			if i, ok := nameAmong(f.Names, string(s)); ok {
				return f.Vals, i
			}
		}
	case *Func:
		if i, ok := among(f.Keys, Explicit(arg)); ok {
			return f.Vals, i
		}
	default:
		fail("EXCEPT changes %s, which is no function", Brief(f))
	}
	return nil, -1
}

// Domain returns the domain of a function.
func Domain(f Value) Value {
	switch f := f.(type) {
	case *Tuple:
		return Interval{1, int64(len(f.Elems))}
	case *Record:
		return set(stringsOf(f.Names))
	case *Func:
		return set(f.Keys)
	case *Lazy:
		return f.Domain
	}
	fail("DOMAIN of %s, which is no function", Brief(f))
	return nil
}

// over reports whether the domain of a function is a set.
func over(f, domain Value) bool {
	switch f := f.(type) {
	case *Tuple:
		if d, ok := domain.(Interval); ok {
			n := int64(len(f.Elems))
			return d.Lo == 1 && d.Hi == n || n == 0 && d.Lo > d.Hi
		}
	case *Func:
		switch d := domain.(type) {
		case Interval:
			return lists(f.Keys, d)
		case *Set:
			return compareAll(f.Keys, d.Elems) == 0
		}
	}
	return match(Domain(f), domain)
}

// values returns the values of a finite function.
func values(f Value) []Value {
	switch f := f.(type) {
	case *Tuple:
		return f.Elems
	case *Record:
		return f.Vals
	case *Func:
		return f.Vals
	}
	_, vals := Entries(f)
	return vals
}

// Entries returns the keys of a finite function, in order, and its values.
func Entries(f Value) (keys, vals []Value) {
	f = Explicit(f)
	switch f := f.(type) {
	case *Tuple:
		for i := range f.Elems {
			keys = append(keys, Int(i+1))
		}
		return keys, f.Elems
	case *Record:
		return Domain(f).(*Set).Elems, f.Vals
	case *Func:
		return f.Keys, f.Vals
	}
	fail("%s where a finite function is expected", Brief(f))
	return nil, nil
}

// Models returns the names of the model values in some values, in order, each once.
func Models(vals []Value) []string {
	var names []string
	var look func(v Value)
	look = func(v Value) {
		switch v := v.(type) {
		case Model:
			names = append(names, string(v))
		case *Set:
			for _, e := range v.Elems {
				look(e)
			}
		case *Tuple, *Record, *Func:
			keys, vals := Entries(v)
			for i := range keys {
				look(keys[i])
				look(vals[i])
			}
		}
	}
	for _, v := range vals {
		look(Explicit(v))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Elems returns the elements of a sequence.
func Elems(v Value, where string) []Value {
	if t, ok := Explicit(v).(*Tuple); ok {
		return t.Elems
	}
	fail("%s where %s needs a sequence", Brief(v), where)
	return nil
}
