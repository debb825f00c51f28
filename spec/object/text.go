package object

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// texts writes objects as texts. It reads all fields, unexported ones too, and needs no unsafe: reflect reads those, and
// refuses only to hand them out.
type texts struct {
	ignore map[string]string // by type and field
	used   map[string]bool   // keys of ignore that were met
	types  map[reflect.Type][]part
	funcs  map[string]string // by path: a func, of which only the name is in texts
}

func newTexts(ignore map[string]string) texts {
	return texts{ignore: ignore, used: map[string]bool{}, types: map[reflect.Type][]part{}, funcs: map[string]string{}}
}

// part is a field that is part of a text.
type part struct {
	index int
	name  string // after a dot
}

// A TextError says why a part of an object has no text.
type TextError struct{ Path, Reason string }

func (e *TextError) Error() string {
	return fmt.Sprintf("%s %s", cmp.Or(e.Path, "the object"), e.Reason)
}

// text returns the canonical text of an object: a line for each part that is no struct, with its path and its value, in
// the order of the fields; maps in the order of their keys. Two objects have the same text if and only if
// all that reflect sees of them is alike, and as much is shared in them by pointers.
func (x *texts) text(object any) ([]byte, error) {
	w := walk{texts: x, seen: map[pointer]string{}}
	w.value(reflect.ValueOf(object))
	if w.fault != nil {
		return nil, w.fault
	}
	return w.out, nil
}

// walk is a walk through one object.
type walk struct {
	*texts
	out   []byte
	path  []byte
	seen  map[pointer]string // the path by which each was met first
	fault *TextError
}

type pointer struct {
	at uintptr
	to reflect.Type
}

// line writes a line about the part at the path.
func (w *walk) line(kind string) {
	w.begin()
	w.out = append(append(w.out, kind...), '\n')
}

func (w *walk) begin() {
	w.out = append(append(w.out, w.path...), ' ')
}

// under does something with a longer path.
func (w *walk) under(step string, do func()) {
	length := len(w.path)
	w.path = append(w.path, step...)
	do()
	w.path = w.path[:length]
}

func (w *walk) refuse(format string, args ...any) {
	if w.fault == nil {
		w.fault = &TextError{strings.TrimPrefix(string(w.path), "."), fmt.Sprintf(format, args...)}
	}
}

// value writes the lines of v.
func (w *walk) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		w.fields(v)
		return
	case reflect.Pointer:
		w.pointer(v)
		return
	case reflect.Interface:
		if v.IsNil() {
			w.line("nil")
			return
		}
		inside := v.Elem()
		w.line(inside.Type().String())
		w.value(inside)
		return
	case reflect.Map:
		w.entries(v)
		return
	case reflect.Slice:
		if v.IsNil() {
			w.line("nil")
			return
		}
		if v.Type().Elem().Kind() != reflect.Uint8 {
			w.list(v)
			return
		}
	case reflect.Array:
		w.list(v)
		return
	case reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
		if !v.IsZero() {
			w.refuse("is a %v, into which no text can look: list it in Ignore with the reason why it cannot matter, or give the Code a Key", v.Kind())
			return
		}
	}
	w.begin()
	w.out = append(w.scalar(w.out, v), '\n')
}

// scalar appends what has no parts.
func (w *walk) scalar(out []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(out, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(out, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.AppendUint(out, v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		return strconv.AppendFloat(out, v.Float(), 'x', -1, 64)
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		return strconv.AppendFloat(append(strconv.AppendFloat(out, real(c), 'x', -1, 64), ' '), imag(c), 'x', -1, 64)
	case reflect.String:
		return strconv.AppendQuote(out, v.String())
	case reflect.Slice: // of bytes
		return strconv.AppendQuote(out, string(v.Bytes()))
	case reflect.Func:
		if !v.IsNil() {
			name := runtime.FuncForPC(v.Pointer()).Name()
			w.funcs[strings.TrimPrefix(string(w.path), ".")] = name
			return append(out, name...)
		}
	}
	return append(out, "nil"...)
}

// fields writes the lines of a struct.
func (w *walk) fields(v reflect.Value) {
	parts := w.partsOf(v.Type())
	if len(parts) == 0 {
		w.line("{}")
		return
	}
	for _, p := range parts {
		length := len(w.path)
		w.path = append(w.path, p.name...)
		w.value(v.Field(p.index))
		w.path = w.path[:length]
	}
}

// partsOf returns the fields of a struct that are not ignored.
func (w *walk) partsOf(t reflect.Type) []part {
	if known, ok := w.types[t]; ok {
		return known
	}
	var parts []part
	for i := range t.NumField() {
		f := t.Field(i)
		ignored := false
		for _, key := range keysOf(t, f.Name) {
			if _, named := w.ignore[key]; named {
				ignored, w.used[key] = true, true
			}
		}
		if !ignored {
			parts = append(parts, part{i, "." + f.Name})
		}
	}
	for key := range w.ignore {
		owner, field, _ := cutLast(key, ".")
		if _, exists := t.FieldByName(field); !exists && owner == t.Name() && owner != "" {
			w.refuse("is a %v, which has no field %s for Ignore to name; it has %s", t, field, strings.Join(names(t), ", "))
		}
	}
	w.types[t] = parts
	return parts
}

// keysOf are the names by which Ignore may mean a field.
func keysOf(t reflect.Type, field string) []string {
	return []string{t.Name() + "." + field, t.String() + "." + field}
}

func names(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		names = append(names, t.Field(i).Name)
	}
	return names
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// pointer writes what a pointer points to, or where that stands already.
func (w *walk) pointer(v reflect.Value) {
	if v.IsNil() {
		w.line("nil")
		return
	}
	p := pointer{v.Pointer(), v.Type()}
	if first, met := w.seen[p]; met && v.Type().Elem().Size() > 0 {
		w.line("^" + first)
		return
	}
	w.seen[p] = string(w.path)
	switch v.Type().Elem().Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		w.under("*", func() { w.value(v.Elem()) }) // which may be nil as well
	default:
		w.value(v.Elem())
	}
}

// list writes the lines of a list.
func (w *walk) list(v reflect.Value) {
	w.begin()
	w.out = append(strconv.AppendInt(append(w.out, "len "...), int64(v.Len()), 10), '\n')
	length := len(w.path)
	for i := range v.Len() {
		w.path = append(strconv.AppendInt(append(w.path, '['), int64(i), 10), ']')
		w.value(v.Index(i))
		w.path = w.path[:length]
	}
}

// entries writes the lines of a map.
func (w *walk) entries(v reflect.Value) {
	if v.IsNil() {
		w.line("nil")
		return
	}
	w.begin()
	w.out = append(strconv.AppendInt(append(w.out, "entries "...), int64(v.Len()), 10), '\n')
	type entry struct {
		key   []byte
		value reflect.Value
	}
	var list []entry
	for it := v.MapRange(); it.Next(); {
		list = append(list, entry{w.key(it.Key()), it.Value()})
	}
	slices.SortFunc(list, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
	length := len(w.path)
	for i, e := range list {
		w.path = append(append(append(w.path, '['), e.key...), ']')
		if i > 0 && bytes.Equal(e.key, list[i-1].key) {
			w.refuse("stands twice in a map, as keys that differ in addresses only: list it in Ignore with the reason why it cannot matter, or give the Code a Key")
		}
		w.value(e.value)
		w.path = w.path[:length]
	}
}

// key returns the text of a key of a map, on one line.
func (w *walk) key(v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Struct, reflect.Array, reflect.Interface, reflect.Pointer:
		k := walk{texts: w.texts, seen: map[pointer]string{}, path: []byte{}}
		k.value(v)
		if k.fault != nil {
			w.refuse("has a key with a part %s that %s", k.fault.Path, k.fault.Reason)
		}
		return bytes.ReplaceAll(bytes.TrimSuffix(k.out, []byte("\n")), []byte("\n"), []byte("; "))
	}
	return w.scalar(nil, v)
}
