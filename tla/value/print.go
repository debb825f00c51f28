package value

import (
	"fmt"
	"strings"
)

// Format writes v as TLA+ would.
func Format(v Value) string {
	var b strings.Builder
	write(&b, v)
	return b.String()
}

// Brief is Format for messages: of what is long, only the beginning.
func Brief(v Value) string {
	s := Format(v)
	if len(s) > 200 {
		s = s[:200] + "..."
	}
	return s
}

func write(b *strings.Builder, v Value) {
	if b.Len() > 1<<20 {
		return
	}
	switch v := v.(type) {
	case nil:
		b.WriteString("nothing")
	case Bool:
		b.WriteString(strings.ToUpper(fmt.Sprint(bool(v))))
	case Int:
		fmt.Fprint(b, int64(v))
	case String:
		b.WriteString(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`, "\f", `\f`).Replace(string(v)) + `"`)
	case Model:
		b.WriteString(string(v))
	case *Tuple:
		writeAll(b, "<<", v.Elems, ">>")
	case *Record:
		for i, n := range v.Names {
			b.WriteString([]string{", ", "["}[btoi(i == 0)] + n + " |-> ")
			write(b, v.Vals[i])
		}
		b.WriteString("]")
	case *Func:
		for i, k := range v.Keys {
			b.WriteString([]string{" @@ ", "("}[btoi(i == 0)])
			write(b, k)
			b.WriteString(" :> ")
			write(b, v.Vals[i])
		}
		b.WriteString(")")
	case *Lazy:
		b.WriteString("[x \\in ")
		write(b, v.Domain)
		b.WriteString(" |-> ...]")
	default:
		writeSet(b, v)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func writeAll(b *strings.Builder, open string, vals []Value, end string) {
	b.WriteString(open)
	for i, v := range vals {
		if i > 0 {
			b.WriteString(", ")
		}
		write(b, v)
	}
	b.WriteString(end)
}

func writeSet(b *strings.Builder, v Value) {
	switch v := v.(type) {
	case *Set:
		writeAll(b, "{", v.Elems, "}")
	case Interval:
		fmt.Fprintf(b, "%d..%d", v.Lo, v.Hi)
	case Infinite:
		b.WriteString([]string{"Nat", "Int", "Real", "STRING"}[v])
	case *Sequences:
		writeAll(b, "Seq(", []Value{v.Of}, ")")
	case *Subsets:
		b.WriteString("SUBSET ")
		write(b, v.Of)
	case *Functions:
		b.WriteString("[")
		write(b, v.From)
		b.WriteString(" -> ")
		write(b, v.To)
		b.WriteString("]")
	case *Records:
		for i, n := range v.Names {
			b.WriteString([]string{", ", "["}[btoi(i == 0)] + n + " : ")
			write(b, v.Sets[i])
		}
		b.WriteString("]")
	case *Product:
		for i, f := range v.Factors {
			if i > 0 {
				b.WriteString(" \\X ")
			}
			write(b, f)
		}
	case *Filtered:
		b.WriteString("{x \\in ")
		write(b, v.Of)
		b.WriteString(" : ...}")
	case *Joined:
		for i, p := range v.Parts {
			if i > 0 {
				b.WriteString(" \\cup ")
			}
			write(b, p)
		}
	}
}
