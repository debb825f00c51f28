package tla

import (
	"fmt"
	"slices"
	"strings"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// Label describes the step by which state i is reached.
func (t *Trace) Label(i int) string {
	if i == 0 {
		return "initially"
	}
	s := t.Steps[i-1]
	if len(s.Args) == 0 {
		return s.Name
	}
	var args []string
	for _, a := range s.Args {
		args = append(args, value.Format(a))
	}
	return s.Name + "(" + strings.Join(args, ", ") + ")"
}

// SameRun reports whether two traces are of the same run.
func (t *Trace) SameRun(u *Trace) bool {
	same := func(a, b []value.Value) bool {
		return slices.EqualFunc(a, b, func(v, w value.Value) bool { return value.Compare(v, w) == 0 })
	}
	return t.Loop == u.Loop && slices.EqualFunc(t.States, u.States, same) &&
		slices.EqualFunc(t.Steps, u.Steps, func(a, b Step) bool { return a.Part == b.Part && same(a.Args, b.Args) })
}

// State returns the value of every variable in state i, as TLA+ writes it.
func (t *Trace) State(i int) map[string]string {
	vals := map[string]string{}
	for k, name := range t.Variables {
		vals[name] = value.Format(t.States[i][k])
	}
	return vals
}

// Changes lists what differs in state i from the state before, a line for each
// difference; or, if all is set or i is 0, every variable.
func (t *Trace) Changes(i int, all bool) (lines []string) {
	for k, name := range t.Variables {
		after := t.States[i][k]
		if all || i == 0 {
			lines = append(lines, name+" = "+value.Format(after))
			continue
		}
		lines = append(lines, differences(name, t.States[i-1][k], after, 0)...)
	}
	return lines
}

// differences compares two values, part by part if they are functions over the same
// domain, and down to a few levels.
func differences(name string, before, after value.Value, deep int) (lines []string) {
	const deepest = 8
	if value.Compare(before, after) == 0 {
		return nil
	}
	keys, old, ok := parts(before)
	others, now, ok2 := parts(after)
	if ok && ok2 && deep < deepest && len(keys) > 0 && len(keys) == len(others) && value.Compare(value.NewTuple(keys...), value.NewTuple(others...)) == 0 {
		_, record := after.(*value.Record)
		for i, k := range keys {
			inner := fmt.Sprintf("%s[%s]", name, value.Format(k))
			if s, ok := k.(value.String); ok && record && syntax.IsName(string(s)) {
				inner = name + "." + string(s)
			}
			lines = append(lines, differences(inner, old[i], now[i], deep+1)...)
		}
		return lines
	}
	return []string{fmt.Sprintf("%s: %s → %s", name, value.Format(before), value.Format(after))}
}

func parts(v value.Value) (keys, vals []value.Value, ok bool) {
	switch v.(type) {
	case *value.Tuple, *value.Record, *value.Func:
		keys, vals = value.Entries(v)
		return keys, vals, true
	}
	return nil, nil, false
}
