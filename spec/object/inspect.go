package object

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"interleave/internal/cell"
	"interleave/spec"
)

// Assumes implements spec.Code.
func (t *table[O, D, V, M]) Assumes() (list []spec.Assumption) {
	if t.code.Key != nil {
		list = append(list, spec.Assumption{Field: "Key", Reason: "objects with one Key are alike"})
	}
	for _, field := range slices.Sorted(maps.Keys(t.code.Ignore)) {
		list = append(list, spec.Assumption{Field: field, Reason: t.code.Ignore[field]})
	}
	return list
}

// Strict implements spec.Code.
func (t *table[O, D, V, M]) Strict() spec.Machine { return t.code.strict() }

// Fresh implements spec.Code.
func (t *table[O, D, V, M]) Fresh() spec.Machine { return t.code.copy() }

// Live implements spec.Code.
func (t *table[O, D, V, M]) Live() spec.Machine {
	return &live[O, D, V, M]{Code: t.code.copy(), objects: map[spec.ID]object[O]{}}
}

// Bytes implements spec.Code.
func (t *table[O, D, V, M]) Bytes() int64 {
	t.lock.Lock()
	defer t.lock.Unlock()
	return t.bytes
}

// Text implements spec.Code.
func (t *table[O, D, V, M]) Text(state any) (string, error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	if text := t.textOf(state); text != nil {
		return string(text), nil
	}
	return "", fmt.Errorf("no text is known of the state %+v: it was not reached", state)
}

func (t *table[O, D, V, M]) textOf(state any) []byte {
	return t.store.get(cell.Open[State[D, V]](state).Text)
}

// Unseen implements spec.Code.
func (t *table[O, D, V, M]) Unseen() (list []string) {
	t.lock.Lock()
	defer t.lock.Unlock()
	names := map[string][]string{}
	for f := range t.texts.funcs {
		path := general(f.path)
		names[path] = append(names[path], f.name)
	}
	for _, path := range slices.Sorted(maps.Keys(names)) {
		slices.Sort(names[path])
		list = append(list, fmt.Sprintf("%s is the func %s: what it captures is not seen", path, strings.Join(slices.Compact(names[path]), " or ")))
	}
	return list
}

// general is a path with [] for all places in lists and maps.
func general(path string) string {
	var out []byte
	depth, quoted := 0, false
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case quoted:
			quoted = c != '"'
			if c == '\\' {
				i++
			}
		case c == '"':
			quoted = true
		case c == '[', c == '{':
			if depth++; depth == 1 {
				out = append(out, "[]"...)
			}
		case c == ']', c == '}':
			depth--
		case depth == 0:
			out = append(out, c)
		}
	}
	return strings.TrimPrefix(string(out), ".")
}

// Fields implements spec.Code.
func (t *table[O, D, V, M]) Fields() (list []spec.FieldValues) {
	t.lock.Lock()
	defer t.lock.Unlock()
	values := map[string]map[string]bool{}
	for _, digest := range slices.Sorted(maps.Keys(t.store.texts)) {
		for line := range strings.Lines(string(t.store.get(digest))) {
			path, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			path = general(path)
			if values[path] == nil {
				values[path] = map[string]bool{}
			}
			values[path][value] = true
		}
	}
	for path, set := range values {
		list = append(list, spec.FieldValues{Path: path, Values: len(set), Last: slices.Max(slices.Collect(maps.Keys(set)))})
	}
	slices.SortFunc(list, func(a, b spec.FieldValues) int { return cmp.Or(b.Values-a.Values, cmp.Compare(a.Path, b.Path)) })
	return list
}

// Histories implements spec.Code.
func (t *table[O, D, V, M]) Histories() []spec.History {
	t.lock.Lock()
	defer t.lock.Unlock()
	var list []spec.History
	number := map[*local]int{}
	for _, l := range t.ordered() {
		for _, s := range l.order {
			if _, told := number[s.to]; told || s.to == nil {
				continue
			}
			h := spec.History{Process: l.self, Ring: l.ids(), Memory: l.state, Before: -1, Event: s.event}
			if n, made := number[l]; made {
				h.Memory, h.Before = nil, n
			}
			number[s.to] = len(list)
			list = append(list, h)
		}
	}
	return list
}
