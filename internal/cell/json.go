package cell

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// MarshalJSON writes the value as encoding/json would; but of structs all fields, of maps whose keys are no
// strings or integers a list of entries, and of a pointer to what may be nil a list of one.
func (c Cell) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	err := putJSON(&b, c.value())
	return b.Bytes(), err
}

// entry is one of a map that JSON has no object for.
type entry struct {
	Key   json.RawMessage `json:"key"`
	Value json.RawMessage `json:"value"`
}

func putJSON(b *bytes.Buffer, v reflect.Value) error {
	switch kind := v.Kind(); {
	case formOf(v.Type()).bare, kind == reflect.Float32, kind == reflect.Float64, isBytes(v.Type()):
		e := json.NewEncoder(b)
		e.SetEscapeHTML(false)
		if err := e.Encode(v.Interface()); err != nil {
			return err
		}
		b.Truncate(b.Len() - 1) // the line break
	case mayBeNil(v.Type()) && v.IsNil():
		b.WriteString("null")
	case kind == reflect.Pointer && mayBeNil(v.Type().Elem()):
		return list(b, "[", "]", func(next func()) error { next(); return putJSON(b, v.Elem()) })
	case kind == reflect.Pointer:
		return putJSON(b, v.Elem())
	case kind == reflect.Slice, kind == reflect.Array:
		return list(b, "[", "]", func(next func()) error {
			for i := range v.Len() {
				next()
				if err := putJSON(b, v.Index(i)); err != nil {
					return err
				}
			}
			return nil
		})
	case kind == reflect.Map:
		return putMap(b, v)
	default:
		return list(b, "{", "}", func(next func()) error {
			for i := range v.NumField() {
				next()
				fmt.Fprintf(b, "%q:", fieldName(v.Type().Field(i)))
				if err := putJSON(b, Field(v, i)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return nil
}

// list writes what is between two brackets, where put calls next before each part.
func list(b *bytes.Buffer, open, close string, put func(next func()) error) error {
	b.WriteString(open)
	some := false
	err := put(func() {
		if some {
			b.WriteByte(',')
		}
		some = true
	})
	b.WriteString(close)
	return err
}

func putMap(b *bytes.Buffer, v reflect.Value) error {
	brackets := "[]"
	if named(v.Type().Key()) {
		brackets = "{}"
	}
	return list(b, brackets[:1], brackets[1:], func(next func()) error {
		for key, value := range Entries(v) {
			next()
			if named(v.Type().Key()) {
				name, err := json.Marshal(fmt.Sprint(basic(key)))
				if err != nil {
					return err
				}
				b.Write(append(name, ':'))
			} else {
				b.WriteString(`{"key":`)
				if err := putJSON(b, key); err != nil {
					return err
				}
				b.WriteString(`,"value":`)
			}
			if err := putJSON(b, value); err != nil {
				return err
			}
			if !named(v.Type().Key()) {
				b.WriteByte('}')
			}
		}
		return nil
	})
}

// sortedKeys returns the keys of a map in the order of their texts, as values that can be set.
func sortedKeys(v reflect.Value) []reflect.Value {
	type textOf struct {
		key  reflect.Value
		text string
	}
	var texts []textOf
	for i := v.MapRange(); i.Next(); {
		key := reflect.New(v.Type().Key()).Elem()
		key.SetIterKey(i)
		var w writer
		if err := w.put(key); err != nil {
			panic(err) // it was read from a text
		}
		texts = append(texts, textOf{key, string(w.b)})
	}
	slices.SortFunc(texts, func(a, b textOf) int { return cmp.Compare(a.text, b.text) })
	keys := make([]reflect.Value, len(texts))
	for i, t := range texts {
		keys[i] = t.key
	}
	return keys
}

// named reports whether keys of the type are names of an object in JSON.
func named(t reflect.Type) bool {
	return t.Kind() == reflect.String || !keepers[t] && t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64
}

// basic returns a string or an integer without methods.
func basic(v reflect.Value) any {
	switch {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return v.Uint()
	}
	return v.String()
}

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

func mayBeNil(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer || t.Kind() == reflect.Map || t.Kind() == reflect.Slice
}

func fieldName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return cmp.Or(name, f.Name)
}

// Read reads what may be compared, of type T, from its JSON.
func Read[T any](text []byte) (any, error) {
	var v T
	if formOf(reflect.TypeFor[T]()).bare {
		if err := json.Unmarshal(text, &v); err != nil {
			return nil, err
		}
		return v, nil
	}
	if !json.Valid(text) {
		return nil, fmt.Errorf("%.40q is no JSON", text)
	}
	r := jsonReader{}
	if err := r.get(text, reflect.ValueOf(&v).Elem()); err != nil {
		return nil, err
	}
	return Close(v)
}

// jsonReader reads valid JSON.
type jsonReader struct{ depth int }

func (r *jsonReader) get(text []byte, v reflect.Value) error {
	if r.depth++; r.depth > deepest {
		return fmt.Errorf("values lie more than %d deep", deepest)
	}
	defer func() { r.depth-- }()
	switch kind := v.Kind(); {
	case formOf(v.Type()).bare, kind == reflect.Float32, kind == reflect.Float64, isBytes(v.Type()):
		return json.Unmarshal(text, v.Addr().Interface())
	case mayBeNil(v.Type()) && string(bytes.TrimSpace(text)) == "null":
		v.SetZero()
		return nil
	case kind == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		if !mayBeNil(v.Type().Elem()) {
			return r.get(text, v.Elem())
		}
		var one []json.RawMessage
		if err := json.Unmarshal(text, &one); err != nil {
			return err
		}
		if len(one) != 1 {
			return fmt.Errorf("a pointer is a list of one, and not of %d", len(one))
		}
		return r.get(one[0], v.Elem())
	case kind == reflect.Slice, kind == reflect.Array:
		return r.elements(text, v)
	case kind == reflect.Map:
		return r.entries(text, v)
	case kind == reflect.Struct:
		return r.fields(text, v)
	}
	return fmt.Errorf("a %v has no JSON", v.Type())
}

func (r *jsonReader) elements(text []byte, v reflect.Value) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil {
		return err
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(parts), len(parts)))
	} else if len(parts) != v.Len() {
		return fmt.Errorf("%d elements, and not the %d of a %v", len(parts), v.Len(), v.Type())
	}
	for i, part := range parts {
		if err := r.get(part, v.Index(i)); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return nil
}

func (r *jsonReader) fields(text []byte, v reflect.Value) error {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil {
		return err
	}
	for i := range v.NumField() {
		name := fieldName(v.Type().Field(i))
		if part, ok := parts[name]; ok {
			if err := r.get(part, Field(v, i)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			delete(parts, name)
		}
	}
	for name := range parts {
		return fmt.Errorf("a %v has no field %q", v.Type(), name)
	}
	return nil
}

func (r *jsonReader) entries(text []byte, v reflect.Value) error {
	t := v.Type()
	var list []entry
	if named(t.Key()) {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(text, &object); err != nil {
			return err
		}
		for name, value := range object {
			key := []byte(name)
			if t.Key().Kind() == reflect.String {
				key, _ = json.Marshal(name)
			}
			list = append(list, entry{key, value})
		}
	} else if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	v.Set(reflect.MakeMapWithSize(t, len(list)))
	for _, e := range list {
		key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		if err := r.get(e.Key, key); err != nil {
			return fmt.Errorf("a key: %w", err)
		}
		if err := r.get(e.Value, value); err != nil {
			return fmt.Errorf("[%s]: %w", e.Key, err)
		}
		if v.MapIndex(key).IsValid() {
			return fmt.Errorf("the key %s is there twice", e.Key)
		}
		v.SetMapIndex(key, value)
	}
	return nil
}
