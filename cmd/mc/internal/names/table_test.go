package names

import (
	"testing"

	"interleave/cmd/mc/internal/ui"
	"interleave/spec/catalog"
)

func TestFind(t *testing.T) {
	all := New(catalog.Machines, catalog.Aliases)
	for name, want := range map[string]string{
		"bully":                  "bully/mended", // the first of the family
		"bully/published":        "bully/published",
		"tb-pub":                 "bully/published",
		"chang-roberts":          "chang-roberts/classic",
		"cr-fd":                  "chang-roberts/detecting",
		"chang-roberts/textbook": "chang-roberts/textbook",
	} {
		m, err := all.Find(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if have := m.Traits().Name; have != want {
			t.Errorf("%s is %s, not %s", name, have, want)
		}
	}
	for alias, full := range catalog.Aliases {
		if m, err := all.Find(alias); err != nil || m.Traits().Name != full {
			t.Errorf("alias %s: %v, %v", alias, m, err)
		}
	}
	for _, name := range []string{"", "/", "bully/", "/mended", "bully/mended/", "mended"} {
		if m, err := all.Find(name); err == nil {
			t.Errorf("%q is %s", name, m.Traits().Name)
		}
	}
}

func TestFindProperties(t *testing.T) {
	props, err := (Table{}).FindProperties(catalog.Machines[0], []string{"t", "S-SELF", "termination", "m(7)"})
	if err != nil || len(props) != 3 || props[2].Name != "messages-bounded(7)" || props[0].Name != "termination" || props[1].Name != "winner-is-top" {
		t.Errorf("%v, %v", props, err)
	}
	if props, err := (Table{}).FindProperties(catalog.Machines[0], nil); props != nil || err != nil {
		t.Errorf("no names: %v, %v", props, err)
	}
	if _, err := (Table{}).FindProperties(catalog.Machines[0], []string{"termination", ""}); err == nil {
		t.Error("a property without a name")
	}
}

func TestSuggest(t *testing.T) {
	all := New(catalog.Machines, catalog.Aliases).names()
	const none = "no idea"
	for name, want := range map[string]string{
		"buly":                  "did you mean bully?",
		"bulli":                 "did you mean bully?",
		"Bully/Mended":          "did you mean bully/mended?",
		"bully/publish":         "did you mean bully/published?",
		"changroberts":          "did you mean chang-roberts?",
		"chang_roberts":         "did you mean chang-roberts?",
		"chang-roberts/clasic":  "did you mean chang-roberts/classic?",
		"cr-txt":                "did you mean cr-text?",
		"raft":                  none,
		"franklin":              none,
		"hotstuff":              none,
		"hirschberg-sinclair/x": none,
	} {
		if have := ui.Suggest(name, all, none); have != want {
			t.Errorf("%s: %s, not %s", name, have, want)
		}
	}
}
