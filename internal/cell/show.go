package cell

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// Format prints the value as package fmt does; but of structs the fields by name and without those that are zero, of
// what a pointer points to the value in place of the pointer, and a string in quotes where its end would not be seen.
// What == compares is as it is elsewhere.
func (c Cell) Format(f fmt.State, verb rune) {
	var b strings.Builder
	show(&b, c.value(), f.Flag('+') || f.Flag('#'))
	io.WriteString(f, b.String())
}

// show writes a value, with the names of fields also in what == compares if so wanted. Those of the author's own types
// that have a method String are shown by that, zero or not, and by nothing else in a field that is called as its type.
func show(b *strings.Builder, v reflect.Value, names bool) {
	switch kind := v.Kind(); {
	case mayBeNil(v.Type()) && v.IsNil():
		b.WriteString("nil")
	case !Speaks(v) && kind == reflect.String && unclear(v.String()):
		b.WriteString(strconv.Quote(v.String()))
	case Speaks(v), formOf(v.Type()).bare:
		format := "%v"
		if names {
			format = "%+v"
		}
		fmt.Fprintf(b, format, v.Interface())
	case kind == reflect.Pointer:
		if mayBeNil(v.Type().Elem()) {
			b.WriteByte('&')
		}
		show(b, v.Elem(), names)
	case kind == reflect.Slice, kind == reflect.Array:
		b.WriteByte('[')
		for i := range v.Len() {
			separate(b, i)
			show(b, v.Index(i), names)
		}
		b.WriteByte(']')
	case kind == reflect.Map:
		b.WriteString("map[")
		i := 0
		for key, element := range Entries(v) {
			separate(b, i)
			show(b, key, names)
			b.WriteByte(':')
			show(b, element, names)
			i++
		}
		b.WriteByte(']')
	case kind == reflect.Struct:
		b.WriteByte('{')
		shown := 0
		for i := range v.NumField() {
			f, name := Field(v, i), v.Type().Field(i).Name
			if says := Speaks(f) && !mayBeNil(f.Type()); says || !f.IsZero() {
				separate(b, shown)
				if !says || f.Type().Name() != name {
					b.WriteString(name + ":")
				}
				show(b, f, names)
				shown++
			}
		}
		b.WriteByte('}')
	default:
		fmt.Fprint(b, v.Interface())
	}
}

// Speaks reports whether a value has words for itself.
func Speaks(v reflect.Value) bool {
	_, speaks := v.Interface().(fmt.Stringer)
	return speaks
}

// unclear reports whether it would not be seen of a string in a list where it ends.
func unclear(s string) bool {
	return s == "" || s == "nil" || strings.ContainsFunc(s, func(c rune) bool {
		return strings.ContainsRune(" :[]{}\"", c) || !unicode.IsPrint(c)
	})
}

func separate(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteByte(' ')
	}
}

// Entries yields those of a map, in the order of their keys, as values that can be set.
func Entries(m reflect.Value) iter.Seq2[reflect.Value, reflect.Value] {
	return func(yield func(key, element reflect.Value) bool) {
		for _, key := range sortedKeys(m) {
			if !yield(key, element(m, key)) {
				return
			}
		}
	}
}

// element returns that of a map, as a value that can be set.
func element(m, key reflect.Value) reflect.Value {
	v := reflect.New(m.Type().Elem()).Elem()
	v.Set(m.MapIndex(key))
	return v
}

// Change is a part in which two values differ.
type Change struct {
	Path          string // as in "Log[2].Term"; empty: the whole
	Before, After string // "none" where there is no such part
}

// named is the path and a blank, if there is one.
func (c Change) named() string { return strings.TrimLeft(c.Path+" ", " ") }

func (c Change) String() string { return c.named() + c.Before + " → " + c.After }

// none stands for a part that is not there.
const none = "none"

// Changes yields the parts in which two closed values of one type differ: the fields of a struct, and where these are
// no bare values the elements of lists and maps, and again fields. A list of which not only the end is another in length is one part.
// Each field of a type without a name is a whole.
func Changes(before, after any) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		if before != after {
			changes("", true, Settable(before), Settable(after), yield)
		}
	}
}

// Seen returns what there is to see of a closed value, closed: what its method Seen returns if it has one, and else all.
func Seen(closed any) any {
	if v, hides := Value(closed).(interface{ Seen() any }); hides {
		return Try(v.Seen())
	}
	return closed
}

// Settable is a closed value as one that can be set.
func Settable(closed any) reflect.Value {
	if c, ok := closed.(Cell); ok {
		return c.value()
	}
	v := reflect.New(reflect.TypeOf(closed)).Elem()
	v.Set(reflect.ValueOf(closed))
	return v
}

func changes(path string, whole bool, a, b reflect.Value, yield func(Change) bool) bool {
	var was, is writer
	if was.put(a) == nil && is.put(b) == nil && string(was.b) == string(is.b) {
		return true
	}
	switch kind := a.Kind(); {
	case formOf(a.Type()).bare && (kind != reflect.Struct || !whole):
	case kind == reflect.Struct:
		for i := range a.NumField() {
			if !changes(strings.TrimPrefix(path+"."+a.Type().Field(i).Name, "."), whole && a.Type().Name() == "", Field(a, i), Field(b, i), yield) {
				return false
			}
		}
		return true
	case kind == reflect.Pointer && !a.IsNil() && !b.IsNil():
		return changes(path, whole, a.Elem(), b.Elem(), yield)
	case (kind == reflect.Slice && a.IsNil() == b.IsNil() || kind == reflect.Array) && onlyAtEnd(a, b):
		for i := range max(a.Len(), b.Len()) {
			if !changed(fmt.Sprintf("%s[%d]", path, i), at(a, i), at(b, i), yield) {
				return false
			}
		}
		return true
	case kind == reflect.Map && a.IsNil() == b.IsNil():
		return entryChanges(path, a, b, yield)
	}
	return yield(Change{path, Shown(a), Shown(b)})
}

// changed is changes, where one of the two may not be there.
func changed(path string, a, b reflect.Value, yield func(Change) bool) bool {
	switch {
	case !a.IsValid():
		return yield(Change{path, none, Shown(b)})
	case !b.IsValid():
		return yield(Change{path, Shown(a), none})
	}
	return changes(path, false, a, b, yield)
}

func entryChanges(path string, a, b reflect.Value, yield func(Change) bool) bool {
	all := reflect.MakeMap(a.Type())
	for _, m := range []reflect.Value{a, b} {
		for i := m.MapRange(); i.Next(); {
			all.SetMapIndex(i.Key(), i.Value())
		}
	}
	for _, key := range sortedKeys(all) {
		var x, y reflect.Value
		if a.MapIndex(key).IsValid() {
			x = element(a, key)
		}
		if b.MapIndex(key).IsValid() {
			y = element(b, key)
		}
		if !changed(fmt.Sprintf("%s[%s]", path, Shown(key)), x, y, yield) {
			return false
		}
	}
	return true
}

// at returns an element of a list, if there is one.
func at(v reflect.Value, i int) reflect.Value {
	if i >= v.Len() {
		return reflect.Value{}
	}
	return v.Index(i)
}

// onlyAtEnd reports whether two lists are of one length, or the shorter is how the longer begins.
func onlyAtEnd(a, b reflect.Value) bool {
	if a.Len() == b.Len() {
		return true
	}
	for i := range min(a.Len(), b.Len()) {
		var was, is writer
		if was.put(a.Index(i)) != nil || is.put(b.Index(i)) != nil || string(was.b) != string(is.b) {
			return false
		}
	}
	return true
}

// Shown is a value that can be set, as it is printed by itself. One that is no text at all would look like a gap.
func Shown(v reflect.Value) string {
	if v.Kind() == reflect.String && !Speaks(v) {
		return cmp.Or(v.String(), `""`)
	}
	var b strings.Builder
	show(&b, v, false)
	return cmp.Or(b.String(), `""`)
}
