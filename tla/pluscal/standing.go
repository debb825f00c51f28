package pluscal

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"interleave/tla/syntax"
)

// Standing is how the translation in a module stands to its algorithm.
type Standing uint8

const (
	Unknown  Standing = iota // there is no algorithm
	Unclear                  // the algorithm cannot be translated here, but has a translation
	Missing                  // an algorithm has no translation
	Differs                  // the translation is not what Translate makes of the algorithm
	UpToDate                 // it is, except for layout, comments and parentheses without meaning
)

// StandingOf compares the translation in a module with its algorithm. Translators use
// different parentheses and lines, and put pc elsewhere among the variables, so shapes
// are compared. One that differs may still be by another translator.
func StandingOf(file, module string) Standing {
	where, err := find(file, module)
	if err != nil {
		return Unknown
	}
	from, to, err := markers(file, module, where.comment)
	if err != nil {
		return Unknown
	}
	var there []string
	var unread error
	if from >= 0 {
		there, unread = shapes(module[from:to])
	}
	if len(there) == 0 && unread == nil {
		return Missing
	}
	translation, err := Translate(file, module)
	if err != nil {
		return Unclear
	}
	here, err := shapes(translation)
	switch {
	case err != nil:
		return Unclear
	case unread == nil && slices.Equal(there, here):
		return UpToDate
	}
	return Differs
}

// shapes returns the shape of each unit of a translation.
func shapes(translation string) (all []string, err error) {
	m, err := syntax.ParseModule("", "---- MODULE Translation ----\n"+translation+"\n====")
	if err != nil {
		return nil, err
	}
	for _, u := range m.Units {
		all = append(all, shape(reflect.ValueOf(u)))
	}
	return all, nil
}

// shape writes a part of a syntax tree without what its meaning does not depend on:
// positions, parentheses, whether a junction is a list, the order of all variables or of
// unchanged ones, and whether x' = x or UNCHANGED x was written.
func shape(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case *syntax.Variables:
		return "variables " + sorted(x.Names, func(name syntax.Ident) string { return name.Name })
	case *syntax.OpDef:
		if t, ok := x.Body.(*syntax.Tuple); ok && x.Name == "vars" {
			return "vars " + sorted(t.Elems, shapeOf)
		}
	case *syntax.Junction:
		items := itemsOf(x, x.And)
		if len(items) == 1 {
			return shapeOf(items[0])
		}
		return fmt.Sprint("junction ", x.And, shape(reflect.ValueOf(items)))
	case *syntax.Ref:
		if e := kept(x); e != nil {
			return unchanged(e)
		}
	}
	var parts []string
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nothing"
		}
		return shape(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			parts = append(parts, shape(v.Index(i)))
		}
	case reflect.Struct:
		parts = append(parts, v.Type().Name())
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "At" && f.Name != "Closed" {
				parts = append(parts, shape(v.Field(i)))
			}
		}
	default:
		return fmt.Sprintf("%q", fmt.Sprint(v.Interface()))
	}
	return "(" + strings.Join(parts, " ") + ")"
}

func shapeOf(e syntax.Expr) string { return shape(reflect.ValueOf(e)) }

// itemsOf returns the items of a junction and of the same junctions among them.
func itemsOf(e syntax.Expr, and bool) (items []syntax.Expr) {
	j, ok := e.(*syntax.Junction)
	if !ok || j.And != and && len(j.Items) > 1 {
		return []syntax.Expr{e}
	}
	for _, item := range j.Items {
		items = append(items, itemsOf(item, and)...)
	}
	return items
}

// kept returns e of UNCHANGED e or e' = e, or else nil.
func kept(r *syntax.Ref) syntax.Expr {
	if args := operands(r, "UNCHANGED"); len(args) == 1 {
		return args[0]
	}
	sides := operands(r, "=")
	if len(sides) < 2 {
		return nil
	}
	if before := operands(sides[0], "'"); len(before) == 1 && shapeOf(before[0]) == shapeOf(sides[1]) {
		return before[0]
	}
	return nil
}

// operands returns those of an operator, if the expression applies it.
func operands(e syntax.Expr, operator string) []syntax.Expr {
	if r, ok := e.(*syntax.Ref); ok && len(r.Steps) == 1 && r.Steps[0].Name == operator {
		return r.Steps[0].Args
	}
	return nil
}

// unchanged is the shape of UNCHANGED e.
func unchanged(e syntax.Expr) string {
	if t, ok := e.(*syntax.Tuple); ok {
		return "unchanged " + sorted(t.Elems, shapeOf)
	}
	return "unchanged " + shapeOf(e)
}

// sorted returns the shapes of a list in alphabetical order.
func sorted[T any](list []T, shape func(T) string) string {
	var all []string
	for _, e := range list {
		all = append(all, shape(e))
	}
	slices.Sort(all)
	return fmt.Sprint(all)
}
