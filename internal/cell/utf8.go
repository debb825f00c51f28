package cell

import (
	"fmt"
	"reflect"
	"unicode/utf8"
)

// JSON writes a string that is no UTF-8 as another one. A state with such a string would not
// be what a process finds after a crash, and no log or trace could tell it from others.

// hasText reports whether there is a string in a bare type.
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

// utf8Error says where in a bare value there is a string that is no UTF-8.
func utf8Error(v reflect.Value) error {
	switch v.Kind() {
	case reflect.String:
		return checkUTF8(v.String())
	case reflect.Array:
		for i := 0; hasText(v.Type().Elem()) && i < v.Len(); i++ {
			if err := utf8Error(v.Index(i)); err != nil {
				return within(fmt.Sprintf("[%d]", i), err)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if err := utf8Error(v.Field(i)); err != nil {
				return within("."+v.Type().Field(i).Name, err)
			}
		}
	}
	return nil
}

func checkUTF8(s string) error {
	if !utf8.ValidString(s) {
		return faultf("the string %q, which is no UTF-8, and would come back from JSON as another", s)
	}
	return nil
}
