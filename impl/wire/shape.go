package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"unicode/utf8"

	"interleave/spec"
)

// leaf is a part of a message that has no parts itself.
type leaf struct {
	name string
	path []int // which field or element to take, from the whole message down
	form form
}

// of returns this part of a message.
func (l leaf) of(v reflect.Value) reflect.Value {
	for _, i := range l.path {
		if v.Kind() == reflect.Struct {
			v = v.Field(i)
		} else {
			v = v.Index(i)
		}
	}
	return v
}

// maxParts bounds how many parts are kept of a type.
const maxParts = 1 << 14

// leavesOf returns the parts of a type in the order of its fields and elements.
func leavesOf(t reflect.Type, name string) ([]leaf, error) {
	switch {
	case formOf(t) != 0:
		return []leaf{{name: name, form: formOf(t)}}, nil
	case t.Kind() == reflect.Struct:
		return fieldsOf(t, name)
	case t.Kind() == reflect.Array:
		return elementsOf(t, name)
	}
	return nil, fmt.Errorf("%s is a %v: only bool, integers, string, arrays and structs of those can be sent", name, t)
}

func fieldsOf(t reflect.Type, name string) ([]leaf, error) {
	var leaves []leaf
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			return nil, fmt.Errorf("%s.%s is not exported, so it would be lost", name, f.Name)
		}
		inner, err := leavesOf(f.Type, name+"."+f.Name)
		if err != nil {
			return nil, err
		}
		for _, l := range inner {
			leaves = append(leaves, leaf{l.name, append([]int{i}, l.path...), l.form})
		}
		if len(leaves) > maxParts {
			return nil, fmt.Errorf("%s has more than %d parts: use a slice in place of an array", name, maxParts)
		}
	}
	return leaves, nil
}

func elementsOf(t reflect.Type, name string) ([]leaf, error) {
	inner, err := leavesOf(t.Elem(), "")
	if err != nil {
		return nil, fmt.Errorf("%s[]%w", name, err)
	}
	if len(inner) > 0 && t.Len() > maxParts/len(inner) {
		return nil, fmt.Errorf("%s has more than %d parts: use a slice in place of an array", name, maxParts)
	}
	var leaves []leaf
	if len(inner) == 0 {
		return nil, nil
	}
	for i := range t.Len() {
		for _, l := range inner {
			leaves = append(leaves, leaf{fmt.Sprintf("%s[%d]%s", name, i, l.name), append([]int{i}, l.path...), l.form})
		}
	}
	return leaves, nil
}

// form is how a leaf is written: a kind of Go, but for the two types of spec
// that have forms of their own. 0 is none.
type form uint8

const (
	processID  form = 200 + iota // one byte, 0..spec.MaxID
	processSet                   // a bit a process, that of process 1 the lowest
)

func formOf(t reflect.Type) form {
	switch {
	case t == reflect.TypeFor[spec.ID]():
		return processID
	case t == reflect.TypeFor[spec.Set]():
		return processSet
	case t.Kind() >= reflect.Bool && t.Kind() <= reflect.Uint64, t.Kind() == reflect.String:
		return form(t.Kind())
	}
	return 0
}

func (f form) String() string {
	switch f {
	case processID:
		return "ID"
	case processSet:
		return "Set"
	}
	return reflect.Kind(f).String()
}

// lengthSize is how many bytes tell the length of a string.
const lengthSize = 2

// minSize returns how many bytes the form takes; of a string, the empty one.
func (f form) minSize() int {
	switch reflect.Kind(f) {
	case reflect.Bool, reflect.Int8, reflect.Uint8, reflect.Kind(processID):
		return 1
	case reflect.Int16, reflect.Uint16:
		return 2
	case reflect.Int32, reflect.Uint32:
		return 4
	case reflect.String:
		return lengthSize
	}
	return 8
}

// size returns how many bytes the value that b begins with takes.
func (f form) size(b []byte) (int, error) {
	size := f.minSize()
	if len(b) >= size && reflect.Kind(f) == reflect.String {
		size += int(binary.BigEndian.Uint16(b))
	}
	if len(b) < size {
		return 0, fmt.Errorf("%d bytes, and not the %d of %v", len(b), size, f)
	}
	return size, nil
}

var errUTF8 = errors.New("the string is not UTF-8")

// append appends the bytes of v to dst.
func (f form) append(dst []byte, v reflect.Value) ([]byte, error) {
	switch {
	case f == processID:
		if id := v.Int(); id < 0 || id > int64(spec.MaxID) {
			return dst, fmt.Errorf("%d is no process: those are 1..%d, and 0 is none", id, int(spec.MaxID))
		}
		return append(dst, byte(v.Int())), nil
	case v.Kind() == reflect.Bool:
		if v.Bool() {
			return append(dst, 1), nil
		}
		return append(dst, 0), nil
	case v.Kind() == reflect.String:
		return appendString(dst, v.String())
	case v.CanInt():
		return appendUint(dst, uint64(v.Int()), f.minSize()), nil
	}
	return appendUint(dst, v.Uint(), f.minSize()), nil
}

func appendString(dst []byte, s string) ([]byte, error) {
	if len(s) > math.MaxUint16 {
		return dst, fmt.Errorf("a string of %d bytes, at most %d are allowed: use a list of parts", len(s), math.MaxUint16)
	}
	if !utf8.ValidString(s) {
		return dst, errUTF8
	}
	return append(binary.BigEndian.AppendUint16(dst, uint16(len(s))), s...), nil
}

// appendUint appends the lowest size bytes of u, the highest of them first.
func appendUint(dst []byte, u uint64, size int) []byte {
	for size--; size >= 0; size-- {
		dst = append(dst, byte(u>>(8*size)))
	}
	return dst
}

// read sets v to what all of b says.
func (f form) read(b []byte, v reflect.Value) error {
	switch {
	case f == processID:
		if b[0] > byte(spec.MaxID) {
			return fmt.Errorf("%d is no process: those are 1..%d, and 0 is none", b[0], int(spec.MaxID))
		}
		v.SetInt(int64(b[0]))
	case v.Kind() == reflect.Bool:
		if b[0] > 1 {
			return fmt.Errorf("%d is neither false, 0, nor true, 1", b[0])
		}
		v.SetBool(b[0] == 1)
	case v.Kind() == reflect.String:
		if !utf8.Valid(b[lengthSize:]) {
			return errUTF8
		}
		v.SetString(string(b[lengthSize:]))
	case v.CanInt():
		return setInt(v, b)
	default:
		return setUint(v, b)
	}
	return nil
}

func readUint(b []byte) (u uint64) {
	for _, c := range b {
		u = u<<8 | uint64(c)
	}
	return u
}

func setInt(v reflect.Value, b []byte) error {
	unused := 64 - 8*len(b)
	i := int64(readUint(b)<<unused) >> unused // keeps the sign
	if v.OverflowInt(i) {
		return fmt.Errorf("%d does not fit this machine's %v", i, v.Type())
	}
	v.SetInt(i)
	return nil
}

func setUint(v reflect.Value, b []byte) error {
	u := readUint(b)
	if v.OverflowUint(u) {
		return fmt.Errorf("%d does not fit this machine's %v", u, v.Type())
	}
	v.SetUint(u)
	return nil
}
