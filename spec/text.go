package spec

import (
	"fmt"
	"reflect"
	"sync/atomic"
	"unicode/utf8"
)

// JSON writes a string that is no UTF-8 as another one. A state with such a string would not
// be what a process finds after a crash, and no log or trace could tell it from others; so it
// is a fault of the handler.

// text remembers whether there may be a string in a state or a message.
type text[S, M comparable] struct{ known uint32 }

// checkUTF8 returns what a handler did that JSON does not keep; empty if there is nothing.
func (t *text[S, M]) checkUTF8(s *S, fx *Effects) string {
	const why = "the string %q, which is no UTF-8, and would come back from JSON as another"
	if t.possible() {
		if bad := badUTF8(reflect.ValueOf(s).Elem()); bad != "" {
			return fmt.Sprintf("it remembers "+why, bad)
		}
		for _, send := range fx.Sends {
			if bad := badUTF8(reflect.ValueOf(send.Message)); bad != "" {
				return fmt.Sprintf("it sends "+why, bad)
			}
		}
	}
	for _, told := range fx.Outputs {
		if told == nil {
			return "it outputs nil, which is no value"
		}
		if err := plain(reflect.TypeOf(told), "the output"); err != nil {
			return "it outputs what is no plain value: " + err.Error()
		}
		if bad := badUTF8(reflect.ValueOf(told)); bad != "" {
			return fmt.Sprintf("it outputs "+why, bad)
		}
	}
	return ""
}

// possible reports whether there may be a string in a state or a message. It is asked after every step, and so finds out
// once.
func (t *text[S, M]) possible() bool {
	const no, yes = 1, 2
	known := atomic.LoadUint32(&t.known)
	if known == 0 {
		if known = no; hasText(reflect.TypeFor[S]()) || hasText(reflect.TypeFor[M]()) {
			known = yes
		}
		atomic.StoreUint32(&t.known, known)
	}
	return known == yes
}

// hasText reports whether there is a string in a plain type.
func hasText(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String:
		return true
	case reflect.Array:
		return hasText(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if hasText(f.Type) {
				return true
			}
		}
	}
	return false
}

// badUTF8 returns a string in a plain value that is no UTF-8; empty if there is none.
func badUTF8(v reflect.Value) (text string) {
	switch v.Kind() {
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			return v.String()
		}
	case reflect.Array:
		if hasText(v.Type().Elem()) {
			for i := 0; i < v.Len() && text == ""; i++ {
				text = badUTF8(v.Index(i))
			}
		}
	case reflect.Struct:
		for i := 0; i < v.NumField() && text == ""; i++ {
			text = badUTF8(v.Field(i))
		}
	}
	return text
}
