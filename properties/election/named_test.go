package election_test

import (
	"strings"
	"testing"

	"interleave/model"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/itairodeh"
)

// TestAliases: a property is found by its name and by its alias, whatever the case, alone and in
// a formula; both are the same property.
func TestAliases(t *testing.T) {
	for _, p := range election.All {
		alias := election.Alias(p.Name)
		if p.Name == election.Electable.Name { // it has none
			alias = p.Name
		}
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

// TestAnyone: where none has priority, what is about the process that ought to win is refused, and nobody checks it.
func TestAnyone(t *testing.T) {
	refused := map[string]bool{
		"leader-is-top": true, "leader-is-top-or-crashed": true, "winner-is-top": true, "takeover-by-top": true, "agreement-on-top": true,
		"top-won": true, "stable-leader": true, "<>[]top-won": true, "[]<>Q-max": true, "<>leads(1)": false, "[]<>agreement": false,
	}
	for _, p := range election.All {
		if _, listed := refused[p.Name]; !listed {
			refused[p.Name] = false
		}
	}
	for name, want := range refused {
		p, ok := election.Named(itairodeh.Finite, name)
		err := p.Suits(itairodeh.Finite)
		if !ok || (err != nil) != want || want && !strings.HasSuffix(err.Error(), " is about the process that ought to win, and itai-rodeh/finite may elect any: leave it out") {
			t.Errorf("%s: %v", name, err)
		}
	}
	bare := *itairodeh.Finite
	bare.Promises = nil
	for _, m := range []spec.Machine{itairodeh.Finite, &bare} {
		c, err := model.Home(m, 3)
		if err != nil {
			t.Fatal(err)
		}
		props, _ := election.Standard(m, c)
		if err := election.Check(m, c, props); err != nil || len(props) < 5 {
			t.Errorf("%d properties, %v", len(props), err)
		}
		for _, name := range election.PredicatesOf(m) {
			if strings.Contains(name, "top") {
				t.Errorf("a formula may speak of %s", name)
			}
		}
	}
}
