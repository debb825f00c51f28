package value

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"interleave/internal/printable"
)

// Format writes v as TLC would.
func Format(v Value) string {
	w := &writer{field: isField}
	w.write(v)
	return w.String()
}

// Source writes v for a module: a record with fields if field accepts all its names,
// else as a function, and the least integer without its absolute value, which does not
// fit into 64 bits. A string that does not print becomes another, for TLA+ has no escapes for
// that; strings that differ go on to differ.
func Source(v Value, field func(name string) bool) string {
	w := &writer{field: field, source: true}
	w.write(v)
	return w.String()
}

// isField reports whether TLC writes a string as a field: it has only letters, digits
// and underscores, at least one letter, and does not begin with WF_ or SF_, unless that
// is all of it.
func isField(name string) bool {
	if len(name) > len("WF_") && (strings.HasPrefix(name, "WF_") || strings.HasPrefix(name, "SF_")) {
		return false
	}
	other := func(r rune) bool {
		return r > math.MaxUint16 || r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	return strings.IndexFunc(name, unicode.IsLetter) >= 0 && strings.IndexFunc(name, other) < 0
}

// Brief is Format for messages: it shortens long values.
func Brief(v Value) string {
	s := Format(v)
	if len(s) > 200 {
		s = s[:200] + "..."
	}
	return s
}

type writer struct {
	strings.Builder
	field  func(name string) bool
	source bool
}

// escapeLike is what looks like an escape of printable.Text in a string and is none.
var escapeLike = regexp.MustCompile(`\\([ux])`)

func (w *writer) write(v Value) {
	if w.Len() > 1<<20 {
		return
	}
	switch v := v.(type) {
	case nil:
		w.WriteString("nothing")
	case Bool:
		w.WriteString(strings.ToUpper(fmt.Sprint(bool(v))))
	case Int:
		if w.source && v == math.MinInt64 {
			w.WriteString("-9223372036854775807 - 1")
			return
		}
		fmt.Fprint(w, int64(v))
	case String:
		if w.source {
			v = String(printable.Text(escapeLike.ReplaceAllString(string(v), `\u005c$1`)))
		}
		w.WriteString(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`, "\f", `\f`).Replace(string(v)) + `"`)
	case Model:
		w.WriteString(string(v))
	case *Tuple:
		w.all("<<", ", ", ">>", v.Elems...)
	case *Record:
		if slices.ContainsFunc(v.Names, func(n string) bool { return !w.field(n) }) {
			w.function(stringsOf(v.Names), v.Vals)
			return
		}
		w.fields(v.Names, " |-> ", v.Vals)
	case *Func:
		w.function(v.Keys, v.Vals)
	case *Lazy:
		w.all("[x \\in ", "", " |-> ...]", v.Domain)
	default:
		w.set(v)
	}
}

func (w *writer) set(v Value) {
	switch v := v.(type) {
	case *Set:
		w.all("{", ", ", "}", v.Elems...)
	case Interval:
		fmt.Fprintf(w, "%d..%d", v.Lo, v.Hi)
	case Infinite:
		w.WriteString([]string{"Nat", "Int", "Real", "STRING"}[v])
	case *Sequences:
		w.all("Seq(", "", ")", v.Of)
	case *Subsets:
		w.all("SUBSET ", "", "", v.Of)
	case *Functions:
		w.all("[", " -> ", "]", v.From, v.To)
	case *Records:
		w.fields(v.Names, " : ", v.Sets)
	case *Product:
		w.all("", " \\X ", "", v.Factors...)
	case *Filtered:
		w.all("{x \\in ", "", " : ...}", v.Of)
	case *Joined:
		w.all("", " \\cup ", "", v.Parts...)
	}
}

// function writes what each argument is mapped to.
func (w *writer) function(keys, vals []Value) {
	w.list("(", " @@ ", ")", len(keys), func(i int) { w.all("", " :> ", "", keys[i], vals[i]) })
}

// fields writes fields in brackets, each as a name and a value.
func (w *writer) fields(names []string, is string, vals []Value) {
	w.list("[", ", ", "]", len(names), func(i int) { w.all(names[i]+is, "", "", vals[i]) })
}

// all writes values, with text before, between and after them.
func (w *writer) all(before, between, after string, vals ...Value) {
	w.list(before, between, after, len(vals), func(i int) { w.write(vals[i]) })
}

// list writes n items, with text before, between and after them.
func (w *writer) list(before, between, after string, n int, item func(i int)) {
	w.WriteString(before)
	for i := range n {
		if i > 0 {
			w.WriteString(between)
		}
		item(i)
	}
	w.WriteString(after)
}
