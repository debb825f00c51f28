package export

import (
	"encoding/json"
	"io"
	"strconv"

	"interleave/tla"
	"interleave/tla/value"
)

// ITF writes a trace in the informal trace format. The variable action is the step by
// which each state was reached. Tuples, sequences and functions over 1..n, which are
// the same in TLA+, are all written as #tup, other functions as #map, and numbers
// beyond 2^53, which JSON readers round, as #bigint. Values without such a form, such
// as model values, are #unserializable.
func ITF(w io.Writer, origin string, t *tla.Trace, description string) error {
	action := unused("action", t.Variables)
	f := itf{Meta: itfMeta{Format: "ITF", FormatDescription: "https://apalache-mc.org/docs/adr/015adr-trace.html", Description: Mark(ofTrace(origin)) + ": " + description}}
	f.Vars = append([]string{action}, t.Variables...)
	if t.Loop > 0 {
		next := follower(t)
		f.Loop = &next
	}
	for i := range t.States {
		s := map[string]any{"#meta": map[string]any{"index": i}, action: t.Label(i)}
		for k, name := range t.Variables {
			s[name] = itfValue(t.States[i][k])
		}
		f.States = append(f.States, s)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(f)
}

// itf is a file of the format.
type itf struct {
	Meta   itfMeta          `json:"#meta"`
	Vars   []string         `json:"vars"`
	Loop   *int             `json:"loop,omitempty"` // index of the state that comes after the last
	States []map[string]any `json:"states"`
}

type itfMeta struct {
	Format            string `json:"format"`
	FormatDescription string `json:"format-description"`
	Description       string `json:"description"`
}

// maxExact is the largest number that every JSON reader keeps.
const maxExact = 1<<53 - 1

func itfValue(v value.Value) any {
	switch v := v.(type) {
	case value.Bool:
		return bool(v)
	case value.String:
		return string(v)
	case value.Int:
		if v > maxExact || v < -maxExact {
			return map[string]string{"#bigint": strconv.FormatInt(int64(v), 10)}
		}
		return int64(v)
	case *value.Tuple:
		return map[string]any{"#tup": itfValues(v.Elems)}
	case *value.Set:
		return map[string]any{"#set": itfValues(v.Elems)}
	case *value.Record:
		r := map[string]any{}
		for i, name := range v.Names {
			r[name] = itfValue(v.Vals[i])
		}
		return r
	case *value.Func:
		pairs := make([]any, len(v.Keys))
		for i, k := range v.Keys {
			pairs[i] = []any{itfValue(k), itfValue(v.Vals[i])}
		}
		return map[string]any{"#map": pairs}
	}
	return map[string]string{"#unserializable": value.Format(v)}
}

func itfValues(vals []value.Value) []any {
	all := make([]any, len(vals))
	for i, v := range vals {
		all[i] = itfValue(v)
	}
	return all
}
