package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"interleave/impl/runlog"
)

// missesOf returns the fields in which a record is not as it has to be.
func missesOf(want, found runlog.Record) []Miss {
	a, b := map[string]string{}, map[string]string{}
	flatten(a, "", treeOf(want))
	flatten(b, "", treeOf(found))
	var misses []Miss
	for _, field := range slices.Sorted(maps.Keys(a)) {
		if a[field] != b[field] {
			misses = append(misses, Miss{field, a[field], b[field]})
		}
	}
	for _, field := range slices.Sorted(maps.Keys(b)) {
		if _, ok := a[field]; !ok {
			misses = append(misses, Miss{field, "", b[field]})
		}
	}
	return misses
}

// whole are the fields that are shown as they are, and not field by field.
var whole = map[string]bool{"state": true, "message": true, "memory": true, "told": true}

// treeOf returns a record as JSON has it.
func treeOf(r runlog.Record) map[string]json.RawMessage {
	tree := map[string]json.RawMessage{}
	if text, err := runlog.PlainJSON(r); err == nil {
		_ = json.Unmarshal(text, &tree)
	}
	return tree
}

// flatten adds the leaves of a tree under their paths, as in "sends[0].message".
func flatten(to map[string]string, prefix string, tree map[string]json.RawMessage) {
	for key, value := range tree {
		path, under := prefix+key, map[string]json.RawMessage{}
		var list []json.RawMessage
		switch {
		case whole[key]:
			to[path] = string(value)
		case json.Unmarshal(value, &under) == nil && under != nil:
			flatten(to, path+".", under)
		case json.Unmarshal(value, &list) == nil && len(list) > 0 && list[0][0] == '{':
			for i, element := range list {
				flatten(to, path, map[string]json.RawMessage{fmt.Sprintf("[%d]", i): element})
			}
		default:
			to[path] = string(value)
		}
	}
}

// sortedKeys returns the keys of some maps, each once.
func sortedKeys(all ...map[string]string) []string {
	keys := map[string]bool{}
	for _, m := range all {
		for k := range m {
			keys[k] = true
		}
	}
	return slices.Sorted(maps.Keys(keys))
}
