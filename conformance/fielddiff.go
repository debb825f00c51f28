package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"interleave/impl/runlog"
)

// FieldDiff is a field of a line or a message that is not what it has to be. The nearest
// explanation differs in these fields only.
type FieldDiff struct {
	Field    string `json:"field"`    // as "sends[0].message"
	Expected string `json:"expected"` // JSON; empty: nothing
	Found    string `json:"found"`
}

func (d FieldDiff) String() string {
	return fmt.Sprintf("%s: expected %s, found %s", d.Field, cmp.Or(d.Expected, "nothing"), cmp.Or(d.Found, "nothing"))
}

// DiffRecords returns the fields in which a record is not as it has to be.
func DiffRecords(want, found runlog.Record) []FieldDiff {
	a, b := map[string]string{}, map[string]string{}
	flatten(a, "", treeOf(want))
	flatten(b, "", treeOf(found))
	added := maps.Clone(b)
	maps.DeleteFunc(added, func(field, _ string) bool { _, ok := a[field]; return ok })
	return append(diff(a, b, a), diff(a, b, added)...)
}

// diff returns those of some fields that differ, in order.
func diff(want, found, of map[string]string) (diffs []FieldDiff) {
	for _, field := range slices.Sorted(maps.Keys(of)) {
		switch a, b := want[field], found[field]; {
		case a == b:
		case len(a) > mostWhole && len(b) > mostWhole:
			diffs = append(diffs, diffParts(field, a, b)...)
		default:
			diffs = append(diffs, FieldDiff{field, a, b})
		}
	}
	return diffs
}

// mostWhole is how many bytes of JSON somebody compares at a glance.
const mostWhole = 80

// diffParts is diff for the parts of one field; that itself, if none differ.
func diffParts(field, want, found string) []FieldDiff {
	parts := [2]map[string]string{{}, {}}
	for i, text := range []string{want, found} {
		tree := map[string]json.RawMessage{}
		if json.Unmarshal([]byte(text), &tree) != nil {
			return []FieldDiff{{field, want, found}}
		}
		flatten(parts[i], field+".", tree)
	}
	all := maps.Clone(parts[0])
	maps.Copy(all, parts[1])
	if diffs := diff(parts[0], parts[1], all); diffs != nil {
		return diffs
	}
	return []FieldDiff{{field, want, found}} // as of the same fields in another order
}

// whole are the fields that are shown as they are, and not field by field, unless they are long.
var whole = map[string]bool{"state": true, "message": true, "memory": true, "told": true, "value": true}

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

// DiffMessages returns the fields in which a message is not as it has to be.
func DiffMessages(want, found any) []FieldDiff {
	a, b := fieldsOf(want), fieldsOf(found)
	all := maps.Clone(a)
	maps.Copy(all, b)
	return diff(a, b, all)
}

// fieldsOf returns the fields of a message by their names.
func fieldsOf(m any) map[string]string {
	fields := map[string]string{}
	text, err := runlog.PlainJSON(m)
	if err != nil {
		return fields
	}
	tree := map[string]json.RawMessage{}
	if json.Unmarshal(text, &tree) == nil {
		flatten(fields, "message.", tree)
	} else {
		fields["message"] = fmt.Sprint(m)
	}
	return fields
}
