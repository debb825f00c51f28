package object

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// partsOf returns the fields of a struct that are not ignored.
func (x *texts) partsOf(t reflect.Type) []part {
	if known, ok := x.types[t]; ok {
		return known
	}
	var parts []part
	for i := range t.NumField() {
		ignored, field := false, t.Field(i).Name
		for _, owner := range namesOf(t) {
			key := owner + "." + field
			if _, named := x.ignore[key]; named {
				ignored = true
				x.used[key] = append(x.used[key], t)
			}
		}
		if !ignored {
			parts = append(parts, part{i, "." + field})
		}
	}
	x.types[t] = parts
	return parts
}

// namesOf are the names by which Ignore may mean a type: alone, with its package, and with the path of that.
func namesOf(t reflect.Type) []string {
	if t.Name() == "" {
		return nil
	}
	return []string{t.Name(), t.String(), fullName(t)}
}

// fullName names a type so that no other has the name, unless it is declared in another function.
func fullName(t reflect.Type) string {
	switch {
	case t.PkgPath() != "":
		return t.PkgPath() + "." + t.Name()
	case t.Name() != "":
		return t.Name()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + fullName(t.Elem())
	case reflect.Slice:
		return "[]" + fullName(t.Elem())
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), fullName(t.Elem()))
	case reflect.Map:
		return "map[" + fullName(t.Key()) + "]" + fullName(t.Elem())
	}
	return t.String()
}

// meet looks for the fields of Ignore in all types to which an object of type t may lead, whatever is nil and empty in it.
func (x *texts) meet(t reflect.Type, met map[reflect.Type]bool) {
	if met[t] {
		return
	}
	met[t] = true
	switch t.Kind() {
	case reflect.Struct:
		x.partsOf(t)
		for i := range t.NumField() {
			x.meet(t.Field(i).Type, met)
		}
	case reflect.Map:
		x.meet(t.Key(), met)
		x.meet(t.Elem(), met)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		x.meet(t.Elem(), met)
	}
}

// checkIgnore returns an error for a name in Ignore that means two fields, or none of a type that was met.
func (x *texts) checkIgnore() error {
	if len(x.types) == x.checked {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(x.ignore)) {
		switch owners := x.used[key]; {
		case len(owners) > 1:
			return fmt.Errorf("in Ignore, %s may be of %s or of %s: give the path of the package before the type", key, fullName(owners[0]), fullName(owners[1]))
		case len(owners) == 0:
			owner, field, _ := cutLast(key, ".")
			lacking := slices.DeleteFunc(slices.Collect(maps.Keys(x.types)), func(t reflect.Type) bool { return !slices.Contains(namesOf(t), owner) })
			if len(lacking) > 0 {
				t := slices.MinFunc(lacking, func(a, b reflect.Type) int { return cmp.Compare(fullName(a), fullName(b)) })
				return fmt.Errorf("in Ignore, %s is no field: %s has no %s, and has %s", key, t, field, strings.Join(fields(t), ", "))
			}
		}
	}
	x.checked = len(x.types)
	return nil
}

// unmet returns an error for a field to ignore that is in no object.
func (x *texts) unmet() error {
	for _, key := range slices.Sorted(maps.Keys(x.ignore)) {
		if x.checked > 0 && len(x.used[key]) == 0 {
			return fmt.Errorf("in Ignore, %s is a field of no object: give its type and the field, as in raft.logger, and no path such as a.b.c; or take it out", key)
		}
	}
	return nil
}

func fields(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		names = append(names, t.Field(i).Name)
	}
	return names
}
