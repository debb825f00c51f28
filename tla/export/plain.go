package export

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"interleave/internal/cell"
	"interleave/spec"
	"interleave/tla/value"
)

// plain converts a plain Go value to TLA+: structs become records, arrays sequences, a
// spec.Set a set, and a numbered constant its name, if its type has names. A number
// beyond value.Int is a panic, for uncounted.
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
		elems := make([]value.Value, v.Len())
		for i := range elems {
			elems[i] = plainValue(v.Index(i))
		}
		return value.NewTuple(elems...)
	case reflect.Struct:
		if v.NumField() == 0 {
			return value.Int(0) // TLA+ has no record without fields
		}
		r := record{}
		for i := range v.NumField() {
			r[v.Type().Field(i).Name] = plainValue(v.Field(i))
		}
		return r.value()
	}
	panic(fmt.Sprintf("export: a %v is not a plain value", v.Type()))
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

// typeOf returns the type of plain values of a Go type, in Apalache's notation.
func typeOf(t reflect.Type) string {
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
	switch t.Kind() {
	case reflect.Bool:
		return "Bool"
	case reflect.String:
		return "Str"
	case reflect.Array:
		return "Seq(" + typeOf(t.Elem()) + ")"
	case reflect.Struct:
		var fields []string
		for i := range t.NumField() {
			fields = append(fields, t.Field(i).Name+": "+typeOf(t.Field(i).Type))
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
