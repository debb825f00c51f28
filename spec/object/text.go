package object

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// texts writes objects as texts. It reads all fields, unexported ones too, and needs no unsafe: reflect reads those, and
// refuses only to hand them out.
type texts struct {
	ignore  map[string]string         // by type and field
	used    map[string][]reflect.Type // keys of ignore that were met, and whose field each is
	types   map[reflect.Type][]part
	checked int // so many of types, when the names in ignore were looked at last; -1: never
	names   map[reflect.Type]string
	funcs   map[funcAt]bool // that were met: only their names are in texts
}

func newTexts(ignore map[string]string) texts {
	return texts{ignore: ignore, used: map[string][]reflect.Type{}, types: map[reflect.Type][]part{}, checked: -1, names: map[reflect.Type]string{}, funcs: map[funcAt]bool{}}
}

// funcAt is a func at a path.
type funcAt struct{ path, name string }

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

// text returns the canonical text of an object, which has the type that all objects of a Code have: a line for each part that is
// no struct, with its path, a tab and its value, in the order of the fields; maps in the order of their keys. Two objects have the
// same text if and only if all that reflect sees of them is alike, and as much is shared in them by pointers and maps.
//
// So who knows the type can read a text: each line says what its part is. Of an interface it says the type first. Nothing that a
// pointer may lead to is said by a lone nil or a ^ with a path: those are the pointer itself.
func (x *texts) text(object reflect.Value) ([]byte, error) {
	if x.checked < 0 {
		x.meet(object.Type(), map[reflect.Type]bool{})
	}
	w := walk{texts: x, seen: map[pointer]string{}}
	w.value(object)
	if w.fault != nil {
		return nil, w.fault
	}
	return w.out, x.checkIgnore()
}

// walk is a walk through one object.
type walk struct {
	*texts
	out   []byte
	path  []byte
	seen  map[pointer]string // the path by which each was met first
	fault *TextError
	blind bool // to what has no text
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
	w.out = append(append(w.out, w.path...), '\t')
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
		w.line(w.typeName(inside.Type()))
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
		if !v.IsZero() && !w.blind {
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
			w.funcs[funcAt{string(w.path), name}] = true
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

// typeName names the type of what is in an interface.
func (w *walk) typeName(t reflect.Type) string {
	if name, known := w.names[t]; known {
		return name
	}
	name := fullName(t)
	for other, taken := range w.names {
		if taken == name && other != t {
			w.refuse("has two types of the name %s, from two functions: rename one, or give the Code a Key", name)
		}
	}
	w.names[t] = name
	return name
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
	p := pointer{v.Pointer(), v.Type().Elem()} // which pointers of two types have in common
	if first, met := w.seen[p]; met && v.Type().Elem().Size() > 0 {
		w.line("^" + first)
		return
	}
	w.seen[p] = string(w.path)
	switch v.Type().Elem().Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
		w.under("*", func() { w.value(v.Elem()) }) // which may be nil as well
	default:
		w.value(v.Elem())
	}
}

// longestPath is for lists that hold themselves. Other circles lead through pointers and maps, and end there.
const longestPath = 10_000

// list writes the lines of a list.
func (w *walk) list(v reflect.Value) {
	if w.fault != nil {
		return
	}
	if len(w.path) > longestPath {
		w.path = w.path[:100]
		w.refuse("... holds itself, or has a path of more than %d bytes: list the field in Ignore with the reason why it cannot matter, or give the Code a Key", longestPath)
		return
	}
	w.begin()
	w.out = append(strconv.AppendInt(append(w.out, "len "...), int64(v.Len()), 10), '\n')
	length := len(w.path)
	for i := range v.Len() {
		w.path = append(strconv.AppendInt(append(w.path, '['), int64(i), 10), ']')
		w.value(v.Index(i))
		w.path = w.path[:length]
	}
}

// entries writes the lines of a map, or where it stands already.
func (w *walk) entries(v reflect.Value) {
	if v.IsNil() {
		w.line("nil")
		return
	}
	p := pointer{v.Pointer(), nil} // maps of two types may be one
	if first, met := w.seen[p]; met {
		w.line("^" + first)
		return
	}
	w.seen[p] = string(w.path)
	w.begin()
	w.out = append(strconv.AppendInt(append(w.out, "entries "...), int64(v.Len()), 10), '\n')
	type entry struct {
		text       []byte
		key, value reflect.Value
	}
	var list []entry
	for it := v.MapRange(); it.Next(); {
		list = append(list, entry{w.key(it.Key()), it.Key(), it.Value()})
	}
	slices.SortFunc(list, func(a, b entry) int { return bytes.Compare(a.text, b.text) })
	numbered := mayPoint(v.Type().Key())
	length := len(w.path)
	for i, e := range list {
		if i > 0 && bytes.Equal(e.text, list[i-1].text) {
			w.refuse("has two keys that differ in addresses only, or are no numbers: list the field in Ignore with the reason why it cannot matter, or give the Code a Key")
			return
		}
		if numbered { // what others share with a key is part of the text
			e.text = strconv.AppendInt(nil, int64(i), 10)
			w.under("{"+string(e.text)+"}", func() { w.value(e.key) })
		}
		w.path = append(append(append(w.path, '['), e.text...), ']')
		w.value(e.value)
		w.path = w.path[:length]
	}
}

// mayPoint reports whether pointers may be in a key.
func mayPoint(key reflect.Type) bool { return hasPart(key, reflect.Pointer, reflect.Interface) }

// leads reports whether something may be reached from a value, and changed through a copy of it.
func leads(t reflect.Type) bool {
	return hasPart(t, reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.UnsafePointer)
}

// hasPart reports whether a value itself, or a part of it that is copied with it, is of one of some kinds.
func hasPart(t reflect.Type, kinds ...reflect.Kind) bool {
	switch t.Kind() {
	case reflect.Array:
		return hasPart(t.Elem(), kinds...)
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPart(t.Field(i).Type, kinds...) {
				return true
			}
		}
		return false
	}
	return slices.Contains(kinds, t.Kind())
}

// key returns the text of a key of a map, on one line.
func (w *walk) key(v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Struct, reflect.Array, reflect.Interface, reflect.Pointer, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
		k := walk{texts: w.texts, seen: maps.Clone(w.seen), path: []byte{}}
		k.value(v)
		if k.fault != nil {
			w.refuse("has a key of which %v", k.fault)
		}
		line := bytes.ReplaceAll(bytes.TrimSuffix(k.out, []byte("\n")), []byte("\n"), []byte("; "))
		return bytes.TrimSpace(bytes.ReplaceAll(line, []byte("\t"), []byte(" ")))
	}
	return w.scalar(nil, v)
}
