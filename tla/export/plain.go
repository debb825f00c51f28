package export

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"interleave/internal/cell"
	"interleave/spec"
	"interleave/tla/value"
)

// plain converts a plain Go value to TLA+: structs become records, arrays sequences, a
// spec.Set a set, and a numbered constant its name, if its type has names. What may be nil
// becomes a sequence: <<>> if it is nil, and else of one element, so that all values of a field
// are of one type, as TLC and Apalache need to compare them. The element is of a slice a sequence,
// of a pointer what it points to, and of a map the set of its entries: a function with
// no argument would be a sequence. A number beyond value.Int is a panic, for uncounted.
func plain(x any) value.Value { return plainValue(cell.Settable(x)) }

func plainValue(v reflect.Value) value.Value {
	switch x := v.Interface().(type) {
	case spec.ID:
		return value.Int(x)
	case spec.Set:
		return processes(x)
	case fmt.Stringer:
		if v.CanInt() || v.CanUint() {
			return value.String(x.String())
		}
	}
	switch {
	case v.CanInt():
		return value.Int(v.Int())
	case v.CanUint() && v.Uint() > math.MaxInt64:
		panic(&value.Error{Text: fmt.Sprintf("%d is beyond the integers of 64 bits that modules are checked with", v.Uint())})
	case v.CanUint():
		return value.Int(v.Uint())
	}
	switch v.Kind() {
	case reflect.Bool:
		return value.Bool(v.Bool())
	case reflect.String:
		return value.String(v.String())
	case reflect.Array:
		return elements(v)
	case reflect.Slice, reflect.Pointer, reflect.Map:
		switch {
		case v.IsNil():
			return value.NewTuple()
		case v.Kind() == reflect.Slice:
			return value.NewTuple(elements(v))
		case v.Kind() == reflect.Pointer:
			return value.NewTuple(plainValue(v.Elem()))
		}
		var entries []value.Value
		for key, element := range cell.Entries(v) {
			entries = append(entries, record{"key": plainValue(key), "value": plainValue(element)}.value())
		}
		return value.NewTuple(value.NewSet(entries))
	case reflect.Struct:
		if v.NumField() == 0 {
			return value.Int(0) // TLA+ has no record without fields
		}
		r := record{}
		for i := range v.NumField() {
			r[v.Type().Field(i).Name] = plainValue(cell.Field(v, i))
		}
		return r.value()
	}
	panic(fmt.Sprintf("export: a %v is not a plain value", v.Type()))
}

// elements converts those of an array or a slice.
func elements(v reflect.Value) value.Value {
	elems := make([]value.Value, v.Len())
	for i := range elems {
		elems[i] = plainValue(v.Index(i))
	}
	return value.NewTuple(elems...)
}

// writable returns why the values of an algorithm cannot be written: TLA+ as it is checked has no fractions.
func writable(t *spec.Traits) error {
	types := map[string]reflect.Type{"the state": typeOf(t.Zero), "a message": typeOf(t.Message)}
	for _, act := range t.Actions {
		if act.Values[0] != nil {
			types["the value of "+act.Name] = typeOf(act.Values[0])
		}
	}
	for _, what := range slices.Sorted(maps.Keys(types)) {
		if path, is := float(types[what], "", nil); is {
			return fmt.Errorf("%s: %s has a float%s, and modules are checked without fractions: use an integer, such as thousandths", t.Name, what, path)
		}
	}
	return nil
}

// typeOf is the type of a closed value.
func typeOf(closed any) reflect.Type { return cell.Settable(closed).Type() }

// float looks for a float in a type, and tells the path to it, as in " (Log[].Rate)".
func float(t reflect.Type, path string, above []reflect.Type) (string, bool) {
	if slices.Contains(above, t) {
		return "", false
	}
	above = append(slices.Clip(above), t)
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		if path != "" {
			path = " (" + strings.TrimPrefix(path, ".") + ")"
		}
		return path, true
	case reflect.Map:
		if path, is := float(t.Key(), path+", a key", above); is {
			return path, is
		}
		return float(t.Elem(), path+"[]", above)
	case reflect.Array, reflect.Slice:
		return float(t.Elem(), path+"[]", above)
	case reflect.Pointer:
		return float(t.Elem(), path, above)
	case reflect.Struct:
		for f := range t.Fields() {
			if path, is := float(f.Type, path+"."+f.Name, above); is {
				return path, is
			}
		}
	}
	return "", false
}

// uncounted turns the panic of plain into an error that names the algorithm.
func uncounted(algorithm string, err *error) {
	switch r := recover().(type) {
	case nil:
	case *value.Error:
		*err = fmt.Errorf("%s: %w", algorithm, r)
	default:
		panic(r)
	}
}

// notation returns the type of plain values of a Go type, in Apalache's notation. That has no
// type within itself: there stands the name of one of which nothing is known.
func notation(t reflect.Type, above ...reflect.Type) string {
	switch reflect.Zero(t).Interface().(type) {
	case spec.ID:
		return "Int"
	case spec.Set:
		return "Set(Int)"
	case fmt.Stringer:
		if t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 {
			return "Str"
		}
	}
	if slices.Contains(above, t) {
		return "WITHIN_ITSELF"
	}
	above = append(slices.Clip(above), t)
	switch t.Kind() {
	case reflect.Bool:
		return "Bool"
	case reflect.String:
		return "Str"
	case reflect.Array, reflect.Pointer:
		return "Seq(" + notation(t.Elem(), above...) + ")"
	case reflect.Slice:
		return "Seq(Seq(" + notation(t.Elem(), above...) + "))"
	case reflect.Map:
		return "Seq(Set({ key: " + notation(t.Key(), above...) + ", value: " + notation(t.Elem(), above...) + " }))"
	case reflect.Struct:
		var fields []string
		for f := range t.Fields() {
			fields = append(fields, f.Name+": "+notation(f.Type, above...))
		}
		if fields != nil {
			return "{ " + strings.Join(fields, ", ") + " }"
		}
	}
	return "Int"
}

func processes(s spec.Set) value.Value {
	var all []value.Value
	for p := range s.All() {
		all = append(all, value.Int(p))
	}
	return value.NewSet(all)
}

// record is one in the making.
type record map[string]value.Value

func (r record) value() value.Value {
	var names []string
	var vals []value.Value
	for n, v := range r {
		names, vals = append(names, n), append(vals, v)
	}
	return value.NewRecord(names, vals)
}
