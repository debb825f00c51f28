package cli

import (
	"bytes"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/ui"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/catalog"
)

func TestFind(t *testing.T) {
	all := newMachines(catalog.Machines, catalog.Aliases)
	for name, want := range map[string]string{
		"bully":                  "bully/mended", // the first of the family
		"bully/published":        "bully/published",
		"tb-pub":                 "bully/published",
		"chang-roberts":          "chang-roberts/classic",
		"cr-fd":                  "chang-roberts/detecting",
		"chang-roberts/textbook": "chang-roberts/textbook",
	} {
		m, err := all.find(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if have := m.Traits().Name; have != want {
			t.Errorf("%s is %s, not %s", name, have, want)
		}
	}
	for alias, full := range catalog.Aliases {
		if m, err := all.find(alias); err != nil || m.Traits().Name != full {
			t.Errorf("alias %s: %v, %v", alias, m, err)
		}
	}
	for _, name := range []string{"", "/", "bully/", "/mended", "bully/mended/", "mended"} {
		if m, err := all.find(name); err == nil {
			t.Errorf("%q is %s", name, m.Traits().Name)
		}
	}
}

func TestFindProperties(t *testing.T) {
	props, err := (machines{}).findProperties(catalog.Machines[0], []string{"t", "S-SELF", "termination", "m(7)"})
	if err != nil || len(props) != 3 || props[2].Name != "messages-bounded(7)" || props[0].Name != "termination" || props[1].Name != "winner-is-top" {
		t.Errorf("%v, %v", props, err)
	}
	if props, err := (machines{}).findProperties(catalog.Machines[0], nil); props != nil || err != nil {
		t.Errorf("no names: %v, %v", props, err)
	}
	if _, err := (machines{}).findProperties(catalog.Machines[0], []string{"termination", ""}); err == nil {
		t.Error("a property without a name")
	}
}

// TestNamesOnTheirLine: names that do not print, and arguments of several lines, are refused with one
// error, for a report shows them on a line with others.
func TestNamesOnTheirLine(t *testing.T) {
	named := func(name string) *spec.Algorithm[int, int] { return &spec.Algorithm[int, int]{Name: name} }
	holds := func(*model.World) error { return nil }
	for i, p := range []Program{
		{Machines: []spec.Machine{named("a\nVERIFIED")}},
		{Machines: []spec.Machine{named("a"), named("a").Mutant("b\nVERIFIED", "", nil)}},
		{Aliases: map[string]string{"b\nVERIFIED": "a"}},
		{Properties: []properties.Property{properties.Invariant("b\x1b[8m", "", holds)}},
		{Properties: []properties.Property{properties.Invariant("b\u202e", "", holds)}},
		{Machines: []spec.Machine{named("a")}},
	} {
		var out, err bytes.Buffer
		args := []string{"list"}
		if i == 5 {
			args = []string{"replay", "bad\nmc: VERIFIED\n.json"}
		}
		status := ui.Status(p.Run(t.Context(), args, &out, &err))
		if said := err.String(); status != ui.ExitUsage || out.Len() > 0 || !strings.HasPrefix(said, "mc: error: the ") || strings.Count(said, "\n") != 1 || strings.Contains(said, "\x1b") {
			t.Errorf("%d: exit status %d, and it says %s%s", i, status, &out, said)
		}
	}
}

func TestSuggest(t *testing.T) {
	all := newMachines(catalog.Machines, catalog.Aliases).names()
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
		"paxos":                 none,
		"itai-rodeh":            none,
		"two-phase-commit":      none,
		"hirschberg-sinclair/x": none,
	} {
		if have := ui.Suggest(name, all, none); have != want {
			t.Errorf("%s: %s, not %s", name, have, want)
		}
	}
}
