package value

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
)

// Format writes v as TLC would.
func Format(v Value) string { return Source(v, isField) }

// Source writes v as a module may hold it: what is no field is told by the names that
// are one.
func Source(v Value, field func(name string) bool) string {
	w := &writer{field: field}
	w.write(v)
	return w.String()
}

// isField reports whether TLC writes a string as a field: one of letters, digits and
// underscores, not without a letter, that begins with no WF_ or SF_ but these.
func isField(name string) bool {
	if len(name) > len("WF_") && (strings.HasPrefix(name, "WF_") || strings.HasPrefix(name, "SF_")) {
		return false
	}
	other := func(r rune) bool {
		return r > math.MaxUint16 || r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	return strings.IndexFunc(name, unicode.IsLetter) >= 0 && strings.IndexFunc(name, other) < 0
}

// Brief is Format for messages: of what is long, only the beginning.
func Brief(v Value) string {
	s := Format(v)
	if len(s) > 200 {
		s = s[:200] + "..."
	}
	return s
}

type writer struct {
	strings.Builder
	field func(name string) bool
}

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
		fmt.Fprint(w, int64(v))
	case String:
		w.WriteString(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`, "\f", `\f`).Replace(string(v)) + `"`)
	case Model:
		w.WriteString(string(v))
	case *Tuple:
		w.writeAll("<<", v.Elems, ">>")
	case *Record:
		if slices.ContainsFunc(v.Names, func(n string) bool { return !w.field(n) }) {
			keys := make([]Value, len(v.Names))
			for i, n := range v.Names {
				keys[i] = String(n)
			}
			w.function(keys, v.Vals)
			return
		}
		for i, n := range v.Names {
			w.WriteString([]string{", ", "["}[btoi(i == 0)] + n + " |-> ")
			w.write(v.Vals[i])
		}
		w.WriteString("]")
	case *Func:
		w.function(v.Keys, v.Vals)
	case *Lazy:
		w.WriteString("[x \\in ")
		w.write(v.Domain)
		w.WriteString(" |-> ...]")
	default:
		w.writeSet(v)
	}
}

// function writes what each argument is mapped to.
func (w *writer) function(keys, vals []Value) {
	for i, k := range keys {
		w.WriteString([]string{" @@ ", "("}[btoi(i == 0)])
		w.write(k)
		w.WriteString(" :> ")
		w.write(vals[i])
	}
	w.WriteString(")")
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (w *writer) writeAll(open string, vals []Value, end string) {
	w.WriteString(open)
	for i, v := range vals {
		if i > 0 {
			w.WriteString(", ")
		}
		w.write(v)
	}
	w.WriteString(end)
}

func (w *writer) writeSet(v Value) {
	switch v := v.(type) {
	case *Set:
		w.writeAll("{", v.Elems, "}")
	case Interval:
		fmt.Fprintf(w, "%d..%d", v.Lo, v.Hi)
	case Infinite:
		w.WriteString([]string{"Nat", "Int", "Real", "STRING"}[v])
	case *Sequences:
		w.writeAll("Seq(", []Value{v.Of}, ")")
	case *Subsets:
		w.WriteString("SUBSET ")
		w.write(v.Of)
	case *Functions:
		w.WriteString("[")
		w.write(v.From)
		w.WriteString(" -> ")
		w.write(v.To)
		w.WriteString("]")
	case *Records:
		for i, n := range v.Names {
			w.WriteString([]string{", ", "["}[btoi(i == 0)] + n + " : ")
			w.write(v.Sets[i])
		}
		w.WriteString("]")
	case *Product:
		for i, f := range v.Factors {
			if i > 0 {
				w.WriteString(" \\X ")
			}
			w.write(f)
		}
	case *Filtered:
		w.WriteString("{x \\in ")
		w.write(v.Of)
		w.WriteString(" : ...}")
	case *Joined:
		for i, p := range v.Parts {
			if i > 0 {
				w.WriteString(" \\cup ")
			}
			w.write(p)
		}
	}
}
