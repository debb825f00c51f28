package cell

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// deepest is how far values may lie in each other: a list that holds itself has no end.
const deepest = 1000

// A text has the parts of a value one after the other. What may have any number of parts has a mark before each, and
// another at its end. So of two texts neither begins with the other.
const (
	markNone = 0 // nil; or the end
	markSome = 1 // not nil; or another part
)

// writer writes texts.
type writer struct {
	b     []byte
	depth int
	met   map[pointer]bool
}

type pointer struct {
	at  unsafe.Pointer
	typ reflect.Type
}

// put appends the text of a value that can be set, or returns a *Fault.
func (w *writer) put(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Bool:
		w.mark(v.Bool())
	case reflect.Int8:
		w.b = append(w.b, byte(v.Int())^0x80)
	case reflect.Uint8:
		w.b = append(w.b, byte(v.Uint()))
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		w.signed(v.Int())
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.unsigned(v.Uint(), 0, 0)
	case reflect.Float32, reflect.Float64:
		return w.float(v.Float())
	case reflect.String:
		return w.string(v.String())
	case reflect.Array, reflect.Slice, reflect.Map, reflect.Pointer:
		if w.depth++; w.depth > deepest {
			return faultf("values more than %d deep in each other: nothing may hold itself", deepest)
		}
		err := w.several(v)
		w.depth--
		return err
	case reflect.Struct:
		for i := range v.NumField() {
			if err := w.put(Field(v, i)); err != nil {
				return within("."+v.Type().Field(i).Name, err)
			}
		}
	default:
		return faultf("a %v", v.Kind())
	}
	return nil
}

// several puts what may lie deep.
func (w *writer) several(v reflect.Value) error {
	if v.Kind() != reflect.Array {
		w.mark(!v.IsNil())
		if v.IsNil() {
			return nil
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		return w.pointee(v)
	case reflect.Map:
		return w.entries(v)
	}
	for i := range v.Len() {
		if v.Kind() == reflect.Slice {
			w.mark(true)
		}
		if err := w.put(v.Index(i)); err != nil {
			return within(fmt.Sprintf("[%d]", i), err)
		}
	}
	if v.Kind() == reflect.Slice {
		w.mark(false)
	}
	return nil
}

func (w *writer) pointee(v reflect.Value) error {
	p := pointer{v.UnsafePointer(), v.Type()}
	if w.met[p] && v.Type().Elem().Size() > 0 {
		return faultf("a pointer that is there twice: in a copy there would be two values in place of one")
	}
	if w.met == nil {
		w.met = map[pointer]bool{}
	}
	w.met[p] = true
	return w.put(v.Elem())
}

// entries puts those of a map in the order of the texts of their keys.
func (w *writer) entries(v reflect.Value) error {
	start := len(w.b)
	texts := make([]string, 0, v.Len()) // since no text of a key begins another, they are in the order of the keys
	key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	for i := v.MapRange(); i.Next(); {
		w.b = w.b[:start]
		key.SetIterKey(i)
		if err := w.put(key); err != nil {
			return within(fmt.Sprintf("[%v], a key", key), err)
		}
		value.SetIterValue(i)
		if err := w.put(value); err != nil {
			return within(fmt.Sprintf("[%v]", key), err)
		}
		texts = append(texts, string(w.b[start:]))
	}
	slices.Sort(texts)
	w.b = w.b[:start]
	for _, text := range texts {
		w.mark(true)
		w.b = append(w.b, text...)
	}
	w.mark(false)
	return nil
}

func (w *writer) mark(some bool) {
	if some {
		w.b = append(w.b, markSome)
	} else {
		w.b = append(w.b, markNone)
	}
}

// positive is in the first byte of a number that is not negative, before how many bytes follow.
const positive = 0x80

func (w *writer) signed(i int64) {
	if i >= 0 {
		w.unsigned(uint64(i), positive, 0)
	} else {
		w.unsigned(^uint64(i), positive-1, 0xff) // fewer bytes are more, and each byte is turned round
	}
}

// unsigned puts how many bytes follow, and those, the highest first.
func (w *writer) unsigned(u uint64, lead, flip byte) {
	size := (bits.Len64(u) + 7) / 8
	if flip == 0 {
		w.b = append(w.b, lead+byte(size))
	} else {
		w.b = append(w.b, lead-byte(size))
	}
	for size--; size >= 0; size-- {
		w.b = append(w.b, byte(u>>(8*size))^flip)
	}
}

func (w *writer) float(f float64) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return faultf("%v, which JSON cannot say", f)
	}
	u := math.Float64bits(f + 0) // -0 is 0
	if u>>63 != 0 {
		u = ^u
	} else {
		u |= 1 << 63
	}
	for shift := 56; shift >= 0; shift -= 8 {
		w.b = append(w.b, byte(u>>shift))
	}
	return nil
}

// string puts a 0 as 0 255, and 0 0 at the end.
func (w *writer) string(s string) error {
	if ascii(s) {
		w.b = append(append(w.b, s...), 0, 0)
		return nil
	}
	if err := checkUTF8(s); err != nil {
		return err
	}
	for {
		i := strings.IndexByte(s, 0)
		if i < 0 {
			break
		}
		w.b = append(append(w.b, s[:i]...), 0, 0xff)
		s = s[i+1:]
	}
	w.b = append(append(w.b, s...), 0, 0)
	return nil
}

// ascii reports whether there is neither a 0 in a string nor what is longer than a byte.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i]-1 >= 0x7f {
			return false
		}
	}
	return true
}

// A Fault is a part of a value that has no text.
type Fault struct {
	Path string // as in ".Log[2].Rate"; empty: the whole
	What string // as in "NaN, which JSON cannot say"
}

func (f *Fault) Error() string {
	if f.Path == "" {
		return f.What
	}
	return fmt.Sprintf("%s (%s)", f.What, strings.TrimPrefix(f.Path, "."))
}

// longestPath is how much of a path is told, in bytes: that to a list that holds itself has no end.
const longestPath = 80

func faultf(format string, args ...any) error { return &Fault{What: fmt.Sprintf(format, args...)} }

// within puts what a part is called before the path of a Fault.
func within(part string, err error) error {
	f := err.(*Fault)
	if f.Path = part + f.Path; len(f.Path) > longestPath {
		f.Path = f.Path[:longestPath] + "…"
	}
	return f
}

// reader reads texts.
type reader struct {
	text  string // what is left
	depth int
}

var errShort = errors.New("it ends too early")

// get reads into a value that can be set. It does not see to it that the text is canonical, but any text is safe.
func (r *reader) get(v reflect.Value) (err error) {
	switch v.Kind() {
	case reflect.Bool:
		var some bool
		some, err = r.mark()
		v.SetBool(some)
	case reflect.Int8:
		var b string
		b, err = r.take(1)
		if err == nil {
			v.SetInt(int64(int8(b[0] ^ 0x80)))
		}
	case reflect.Uint8:
		var b string
		b, err = r.take(1)
		if err == nil {
			v.SetUint(uint64(b[0]))
		}
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		return r.signed(v)
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return r.unsigned(v)
	case reflect.Float32, reflect.Float64:
		return r.float(v)
	case reflect.String:
		var s string
		s, err = r.string()
		v.SetString(s)
	case reflect.Array, reflect.Slice, reflect.Map, reflect.Pointer:
		if r.depth++; r.depth > deepest {
			return fmt.Errorf("values lie more than %d deep", deepest)
		}
		err = r.several(v)
		r.depth--
	case reflect.Struct:
		for i := range v.NumField() {
			if err := r.get(Field(v, i)); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("a %v has no text", v.Type())
	}
	return err
}

// Field returns one of a struct that can be set, as one that can be set and read though it has no exported name.
func Field(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	if f.CanSet() {
		return f
	}
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

func (r *reader) take(n int) (string, error) {
	if len(r.text) < n {
		return "", errShort
	}
	taken := r.text[:n]
	r.text = r.text[n:]
	return taken, nil
}

func (r *reader) mark() (some bool, err error) {
	b, err := r.take(1)
	if err == nil && b[0] > markSome {
		err = fmt.Errorf("%d is no mark", b[0])
	}
	return err == nil && b[0] == markSome, err
}

func (r *reader) several(v reflect.Value) error {
	if v.Kind() == reflect.Array {
		for i := range v.Len() {
			if err := r.get(v.Index(i)); err != nil {
				return err
			}
		}
		return nil
	}
	some, err := r.mark()
	if err != nil || !some {
		v.SetZero()
		return err
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return r.get(v.Elem())
	case reflect.Map:
		return r.entries(v)
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, min(len(r.text)/8, 16))) // a guess
	for {
		if more, err := r.mark(); err != nil || !more {
			v.SetCap(v.Len()) // several may append to one value, each for itself
			return err
		}
		n := v.Len()
		if n == v.Cap() {
			v.Grow(1)
		}
		v.SetLen(n + 1)
		v.Index(n).SetZero()
		if err := r.get(v.Index(n)); err != nil {
			return err
		}
	}
}

func (r *reader) entries(v reflect.Value) error {
	t := v.Type()
	v.Set(reflect.MakeMap(t))
	for {
		if more, err := r.mark(); err != nil || !more {
			return err
		}
		key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		if err := r.get(key); err != nil {
			return err
		}
		if err := r.get(value); err != nil {
			return err
		}
		v.SetMapIndex(key, value)
	}
}

func (r *reader) signed(v reflect.Value) error {
	b, err := r.take(1)
	if err != nil {
		return err
	}
	var i int64
	if b[0] >= positive {
		u, err := r.bytes(int(b[0]-positive), 0)
		if err != nil {
			return err
		}
		i = int64(u)
	} else {
		u, err := r.bytes(int(positive-1-b[0]), 0xff)
		if err != nil {
			return err
		}
		i = ^int64(u)
	}
	if v.OverflowInt(i) {
		return fmt.Errorf("%d does not fit a %v", i, v.Type())
	}
	v.SetInt(i)
	return nil
}

func (r *reader) unsigned(v reflect.Value) error {
	b, err := r.take(1)
	if err != nil {
		return err
	}
	u, err := r.bytes(int(b[0]), 0)
	if err == nil && v.OverflowUint(u) {
		err = fmt.Errorf("%d does not fit a %v", u, v.Type())
	}
	if err != nil {
		return err
	}
	v.SetUint(u)
	return nil
}

func (r *reader) bytes(size int, flip byte) (u uint64, err error) {
	if size > 8 {
		return 0, fmt.Errorf("a number of %d bytes", size)
	}
	b, err := r.take(size)
	for i := range len(b) {
		u = u<<8 | uint64(b[i]^flip)
	}
	return u, err
}

func (r *reader) float(v reflect.Value) error {
	u, err := r.bytes(8, 0)
	if err != nil {
		return err
	}
	if u>>63 != 0 {
		u &^= 1 << 63
	} else {
		u = ^u
	}
	v.SetFloat(math.Float64frombits(u))
	return nil
}

func (r *reader) string() (string, error) {
	var b strings.Builder
	for {
		i := strings.IndexByte(r.text, 0)
		if i < 0 || i+1 == len(r.text) {
			return "", errShort
		}
		part, next := r.text[:i], r.text[i+1]
		r.text = r.text[i+2:]
		switch {
		case next == 0 && b.Len() == 0:
			return part, nil
		case next == 0:
			b.WriteString(part)
			return b.String(), nil
		case next != 0xff:
			return "", fmt.Errorf("%d follows a 0 in a string", next)
		}
		b.WriteString(part)
		b.WriteByte(0)
	}
}
