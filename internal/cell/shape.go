package cell

import (
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
)

// keepers are types with a JSON of their own from which their values are read back as they were.
var keepers = map[reflect.Type]bool{}

// Keeps says that T is such a type. It is for initialisation.
func Keeps[T any]() { keepers[reflect.TypeFor[T]()] = true }

// Bare returns an error that names the first part of t for which the values of t do not go as they are: == does
// not compare it, or encoding/json does not keep it. Path is what t is called.
func Bare(t reflect.Type, path string) error {
	if err := speaks(t, path); err != nil {
		return err
	}
	switch t.Kind() {
	case reflect.Bool, reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return nil
	case reflect.Array:
		return Bare(t.Elem(), path+"[]")
	case reflect.Struct:
		for f := range t.Fields() {
			if f.Anonymous || !f.IsExported() {
				return fmt.Errorf("%s.%s is embedded or not exported", path, f.Name)
			}
			if err := Bare(f.Type, path+"."+f.Name); err != nil {
				return err
			}
		}
		return names(t, path)
	}
	return fmt.Errorf("%s is a %v", path, t)
}

// Plain returns an error that names the first part of t that is no plain value, and what to use instead. Plain are
// bool, integers, floats, string, and arrays, slices, maps, pointers and structs of those. A struct has fields that
// are not exported only if it is of the module of the first of home that has a name: its author can see to it that they
// may be copied.
func Plain(t reflect.Type, path string, home ...reflect.Type) error { return plain(t, home, path, nil) }

func plain(t reflect.Type, home []reflect.Type, path string, above []reflect.Type) error {
	if slices.Contains(above, t) { // a list or a tree
		return nil
	}
	if err := speaks(t, path); err != nil {
		return err
	}
	above = append(slices.Clip(above), t)
	switch t.Kind() {
	case reflect.Bool, reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64:
		return nil
	case reflect.Array, reflect.Slice:
		return plain(t.Elem(), home, path+"[]", above)
	case reflect.Pointer:
		return plain(t.Elem(), home, "*"+path, above)
	case reflect.Map:
		if hasPointer(t.Key(), nil) {
			return fmt.Errorf("%s is a map with pointers in its keys, of which equal ones would be several keys", path)
		}
		if err := plain(t.Key(), home, "the key of "+path, above); err != nil {
			return err
		}
		return plain(t.Elem(), home, path+"[]", above)
	case reflect.Struct:
		for f := range t.Fields() {
			if !f.IsExported() && moduleOf(f.PkgPath) != homeOf(home) {
				return fmt.Errorf("%s.%s is not exported by %v, which is not yours: a copy might not work%s", path, f.Name, t, instead(t))
			}
			if err := plain(f.Type, home, path+"."+f.Name, above); err != nil {
				return err
			}
		}
		return names(t, path)
	}
	return fmt.Errorf("%s is a %v, which is no plain value: only bool, numbers and string are, and arrays, slices, maps, pointers and structs of those%s", path, t, instead(t))
}

// Describe returns a type with all that decides how texts of its values are read: the types of the fields of structs in place of
// their names. A type that is met again inside itself is called by how many types lie between.
func Describe(t reflect.Type) string { return describe(t, nil) }

func describe(t reflect.Type, above []reflect.Type) string {
	if i := slices.Index(above, t); i >= 0 {
		return fmt.Sprintf("^%d", len(above)-i)
	}
	above = append(slices.Clip(above), t)
	switch t.Kind() {
	case reflect.Slice:
		return "[]" + describe(t.Elem(), above)
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), describe(t.Elem(), above))
	case reflect.Pointer:
		return "*" + describe(t.Elem(), above)
	case reflect.Map:
		return "map[" + describe(t.Key(), above) + "]" + describe(t.Elem(), above)
	case reflect.Struct:
		var fields []string
		for f := range t.Fields() {
			fields = append(fields, f.Name+" "+describe(f.Type, above))
		}
		return "{" + strings.Join(fields, "; ") + "}"
	}
	return t.Kind().String()
}

// instead is what to use in place of a type, after what is wrong with that.
func instead(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Interface:
		return ". Use a struct with a field that tells the kind"
	case t.Kind() == reflect.Func:
		return ". Use a name or a number for what it does"
	case t == reflect.TypeFor[time.Time]():
		return ". Use a time.Duration, or a counter"
	case strings.HasPrefix(t.PkgPath(), "sync"):
		return ". A handler is alone with its state: leave it out"
	}
	return ""
}

// hasPointer reports whether there may be a pointer in a value that is a key.
func hasPointer(t reflect.Type, above []reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer:
		return true
	case reflect.Array:
		return hasPointer(t.Elem(), above)
	case reflect.Struct:
		for f := range t.Fields() {
			if hasPointer(f.Type, above) {
				return true
			}
		}
	}
	return false
}

// speaks returns an error if a type says itself how it is written as JSON, or read, unless it keeps what it writes.
func speaks(t reflect.Type, path string) error {
	if keepers[t] || t == reflect.TypeFor[time.Time]() { // of which something else is wrong
		return nil
	}
	for _, way := range []reflect.Type{
		reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler](),
		reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler](),
	} {
		if reflect.PointerTo(t).Implements(way) {
			return fmt.Errorf("%s, a %v, has a JSON of its own, and nothing says that it comes back from that as it was: leave out its methods Marshal and Unmarshal", path, t)
		}
	}
	return nil
}

// names returns an error if a struct has fields that JSON loses for what they are called, or for their tags.
func names(t reflect.Type, path string) error {
	known := map[string]string{}
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		name = cmp.Or(name, f.Name)
		switch {
		case f.Name == "_":
			return fmt.Errorf("%s has a blank field, which has no name in traces: leave it out", path)
		case f.Tag.Get("json") == "-":
			return fmt.Errorf("%s.%s has the tag json:\"-\", so it would be lost in traces", path, f.Name)
		case has(options, "omitzero") && reflect.PointerTo(f.Type).Implements(reflect.TypeFor[interface{ IsZero() bool }]()):
			return fmt.Errorf("%s.%s has the option omitzero in JSON, so what its method IsZero calls zero would be lost in traces: leave the option out", path, f.Name)
		case has(options, "string") && keepers[f.Type]:
			return fmt.Errorf("%s.%s, a %s, has the option string in JSON, with which it could not be read back: leave the option out", path, f.Name, f.Type.Name())
		case strings.ContainsFunc(name, ignoredInName):
			return fmt.Errorf("%s.%s has the name %q in JSON, which encoding/json ignores for one of its characters: use letters, digits and _", path, f.Name, name)
		case known[name] != "":
			return fmt.Errorf("%s.%s has the name of %s in JSON, %s, so both would be lost in traces", path, f.Name, known[name], name)
		}
		known[name] = f.Name
	}
	return nil
}

// has reports whether one of the options in a tag is the given one.
func has(options, option string) bool { return slices.Contains(strings.Split(options, ","), option) }

// ignoredInName reports whether encoding/json ignores a name in a tag that has the character.
func ignoredInName(c rune) bool {
	return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c)
}

// modules are the paths of those that the program is built of, that of its main package first.
var modules = sync.OnceValue(func() []string {
	built, ok := debug.ReadBuildInfo()
	if !ok {
		return []string{""}
	}
	paths := []string{built.Main.Path}
	for _, m := range built.Deps {
		paths = append(paths, m.Path)
	}
	return paths
})

// homeOf returns the module of the first of some types of which it is known.
func homeOf(types []reflect.Type) (module string) {
	for i := 0; i < len(types) && module == ""; i++ {
		module = home(types[i])
	}
	return module
}

// home returns the module of a type; empty if its name does not tell.
func home(t reflect.Type) string {
	switch {
	case t.PkgPath() != "":
		return moduleOf(t.PkgPath())
	case t.Kind() == reflect.Struct:
		for f := range t.Fields() {
			if f.PkgPath != "" {
				return moduleOf(f.PkgPath)
			}
		}
	case t.Kind() == reflect.Array, t.Kind() == reflect.Slice, t.Kind() == reflect.Pointer, t.Kind() == reflect.Map:
		return home(t.Elem())
	}
	return ""
}

// moduleOf returns the module of a package, or the package itself if that is in none which is known: what is of the
// standard library is by itself.
func moduleOf(pkg string) string {
	if pkg == "main" {
		pkg = modules()[0]
	}
	module := ""
	for _, m := range modules() {
		if len(m) > len(module) && strings.HasPrefix(pkg+"/", m+"/") {
			module = m
		}
	}
	return cmp.Or(module, pkg)
}
