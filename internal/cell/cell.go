// Package cell lets values that == cannot compare travel where values are compared: states and messages
// with lists, maps and pointers in them. Such a value goes as a Cell, which is its canonical text: two
// cells are equal if and only if their values are, whoever made them, and they share nothing with the value. Values
// that == can compare go as they are.
package cell

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// Version is that of the text. Bytes that are kept or sent say it.
const Version = 1

// Cell is a value as its canonical text. Cells are compared with ==, and are keys of maps.
type Cell struct {
	form *form
	text string
}

// form is what is known of a type.
type form struct {
	typ  reflect.Type
	bare bool // == compares its values, which JSON keeps as they are; but for strings, of which only those in UTF-8
	text bool // it has strings
}

var forms sync.Map // of *form, by reflect.Type

func formOf(t reflect.Type) *form {
	if known, ok := forms.Load(t); ok {
		return known.(*form)
	}
	known, _ := forms.LoadOrStore(t, &form{typ: t, bare: Bare(t, "") == nil, text: hasText(t)})
	return known.(*form)
}

// Close returns v as what may be compared: v itself, or a Cell. It returns an error if no text tells v from all
// others: a *Fault.
func Close[T any](v T) (any, error) {
	t := reflect.TypeFor[T]()
	if t.Kind() == reflect.Interface {
		return CloseAny(v)
	}
	f := formOf(t)
	if f.bare && !f.text {
		return v, nil
	}
	return f.close(v, reflect.ValueOf(&v).Elem())
}

// CloseAny is Close for a value of any type. A Cell is what it is, and nil is nil.
func CloseAny(v any) (any, error) {
	if v == nil || Is(v) {
		return v, nil
	}
	f := formOf(reflect.TypeOf(v))
	return f.close(v, Settable(v))
}

// close closes v, which is as an any the other.
func (f *form) close(bare any, v reflect.Value) (any, error) {
	if f.bare {
		return bare, utf8Error(v)
	}
	var room [512]byte
	w := writer{b: room[:0]}
	if err := w.put(v); err != nil {
		return nil, err
	}
	return Cell{f, string(w.b)}, nil
}

// Is reports whether a closed value is a Cell.
func Is(closed any) bool {
	_, is := closed.(Cell)
	return is
}

// Try is Close, or v itself if it has no text.
func Try[T any](v T) any {
	if closed, err := Close(v); err == nil {
		return closed
	}
	return v
}

// Must is Close for a value that ought to have a text. If it has none, Must panics, and says whose value it is.
func Must[T any](v T, whose ...string) any {
	closed, err := Close(v)
	if err != nil {
		panic(fmt.Sprintf("%s has %v", strings.Join(append(whose, fmt.Sprintf("a %T", v)), ", "), err))
	}
	return closed
}

// Copy returns a copy of v that shares nothing with it.
func Copy[T any](v T) T {
	if closed := Try(v); Is(closed) {
		return Open[T](closed)
	}
	return v
}

// Open returns the value of what Close returned, a copy that shares nothing.
func Open[T any](closed any) (v T) {
	c, ok := closed.(Cell)
	switch {
	case ok && reflect.TypeFor[T]().Kind() != reflect.Interface:
		c.into(reflect.ValueOf(&v).Elem())
	case closed != nil || reflect.TypeFor[T]().Kind() != reflect.Interface:
		v = Value(closed).(T)
	}
	return v
}

// Value returns the value of what Close returned, of its own type; nil for nil. It is a copy that shares nothing.
func Value(closed any) any {
	if c, ok := closed.(Cell); ok {
		return c.value().Interface()
	}
	return closed
}

// value returns the value, which can be set.
func (c Cell) value() reflect.Value {
	v := reflect.New(c.form.typ).Elem()
	c.into(v)
	return v
}

func (c Cell) into(v reflect.Value) {
	r := reader{text: c.text}
	if err := r.get(v); err != nil || r.text != "" {
		panic(fmt.Sprintf("cell: the text of a %v was read back wrongly: %v, and %d bytes are left", c.form.typ, err, len(r.text)))
	}
}

// Type is that of the value.
func (c Cell) Type() reflect.Type { return c.form.typ }

// Text is the canonical text. For values of one type its order is that of the values: of numbers by size, of
// lists, structs and strings by the first difference.
func (c Cell) Text() string { return c.text }

// Compare compares two cells of one type in that order.
func (c Cell) Compare(with Cell) int { return cmp.Compare(c.text, with.text) }

// FromText returns the cell, of the type of another, that has a text. It refuses what is no canonical text.
func (c Cell) FromText(text string) (Cell, error) {
	v := reflect.New(c.form.typ).Elem()
	r := reader{text: text}
	if err := r.get(v); err != nil {
		return Cell{}, err
	}
	if r.text != "" {
		return Cell{}, fmt.Errorf("%d bytes are left over", len(r.text))
	}
	again, err := c.form.close(nil, v)
	if err != nil {
		return Cell{}, err
	}
	if again.(Cell).text != text {
		return Cell{}, fmt.Errorf("it is written in another way than the canonical one")
	}
	return again.(Cell), nil
}

// Size is how many bytes the text of a Cell takes; 0 of what is none.
func Size(closed any) int {
	if c, ok := closed.(Cell); ok {
		return len(c.text)
	}
	return 0
}

// Difference says where two closed values of one type differ first, and how: "Log[2].Term is 3, and was 1". It is empty
// if they do not.
func Difference(before, after any) string {
	if before == after {
		return ""
	}
	for d := range Changes(before, after) {
		return fmt.Sprintf("%sis %s, and was %s", d.named(), d.After, d.Before)
	}
	return "it is another"
}
