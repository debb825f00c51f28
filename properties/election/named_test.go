package election_test

import (
	"strings"
	"testing"

	"interleave/properties/election"
	"interleave/spec/bully"
)

// TestAliases: a property is found by its name and by its alias, whatever the case, alone and in
// a formula; both are the same property.
func TestAliases(t *testing.T) {
	for _, p := range election.All {
		alias := election.Alias(p.Name)
		for _, name := range []string{p.Name, alias, strings.ToLower(alias), strings.ToUpper(p.Name)} {
			if q, ok := election.Named(bully.Mended, name); !ok || q.Name != p.Name {
				t.Errorf("%q is %q, not %q", name, q.Name, p.Name)
			}
		}
	}
	for alias, name := range map[string]string{"M(9)": "messages-bounded(9)", "LE1(4)": "complete-within(4)", "le2(5)": "agreement-within(5)"} {
		if p, _ := election.Named(bully.Mended, alias); p.Name != name {
			t.Errorf("%q is %q, not %q", alias, p.Name, name)
		}
	}
	if _, err := election.Formula("<>[]Q-max"); err != nil {
		t.Error(err)
	}
}
