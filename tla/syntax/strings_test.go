package syntax

import (
	"strings"
	"testing"
)

// TestStringsAreNoOperators: a string whose text is that of an operator stays a string.
func TestStringsAreNoOperators(t *testing.T) {
	for _, table := range []map[string]operator{prefixes, infixes, postfixes} {
		for text := range table {
			quoted := `"` + strings.ReplaceAll(text, `\`, `\\`) + `"`
			m, err := ParseModule("M.tla", "---- MODULE M ----\nA == F("+quoted+", "+quoted+")\nI == INSTANCE N WITH x <- "+quoted+"\n====")
			if err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			args := append(m.Units[0].(*OpDef).Body.(*Ref).Steps[0].Args, m.Units[1].(*Instance).With[0].Value)
			for _, arg := range args {
				if s, ok := arg.(*Text); !ok || s.Value != text {
					t.Errorf("%s is read as %#v", quoted, arg)
				}
			}
		}
	}
}
