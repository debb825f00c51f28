package compare

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"interleave/tla"
	"interleave/tla/pluscal"
)

// TestTranslations: each algorithm, of the catalogue and of the examples of
// package pluscal, run statement by statement has the states of its translation.
func TestTranslations(t *testing.T) {
	ours, _ := filepath.Glob("../*.tla")
	examples, _ := filepath.Glob("../pluscal/testdata/*.tla")
	if len(ours) < 5 || len(examples) < 10 {
		t.Fatal(ours, examples)
	}
	for _, file := range append(ours, examples...) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			config := strings.TrimSuffix(file, ".tla") + ".cfg"
			switch text := read(t, file); {
			case filepath.Base(file) == "ListRing.tla":
				config = "testdata/ListRingTwo.cfg"
			case filepath.Dir(file) == "..":
			case strings.Contains(text, pluscal.Default):
				config = "testdata/Default.cfg"
			default:
				config = "testdata/Spec.cfg"
			}
			m, err := tla.Open(file, config)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Translation(t.Context(), file, m, Options{MaxStates: 3000})
			if err != nil {
				t.Fatal(err)
			}
			if r.Difference != nil {
				t.Errorf("%+v", *r.Difference)
			}
			if r.States < 2 {
				t.Errorf("only %d states", r.States)
			}
			t.Logf("%d states, %d steps, complete: %v", r.States, r.Steps, r.Complete)
		})
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestChangedTranslationsDiffer: a translation changed by hand is told from its
// algorithm.
func TestChangedTranslationsDiffer(t *testing.T) {
	for _, c := range []struct{ module, old, new string }{
		{"ChangRoberts", `state' = [state EXCEPT ![self] = "lost"]`, `state' = state`},
		{"ChangRoberts", `inbox[Successor(self)] \cup {id}]`, `inbox[self] \cup {id}]`},
		{"ChangRoberts", `[self \in ProcSet |-> "start"]`, `[self \in ProcSet |-> "handle"]`},
		{"Bully", `/\ up' = [up EXCEPT ![p] = FALSE]`, `/\ up' = up`},
	} {
		head, tail, _ := strings.Cut(read(t, "../"+c.module+".tla"), pluscal.BeginMarker)
		if !strings.Contains(tail, c.old) {
			t.Errorf("the translation of %s does not hold %s", c.module, c.old)
			continue
		}
		file := filepath.Join(t.TempDir(), c.module+".tla")
		changed := head + pluscal.BeginMarker + strings.Replace(tail, c.old, c.new, 1)
		if err := os.WriteFile(file, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		m, err := tla.Open(file, "../"+c.module+".cfg")
		if err != nil {
			t.Fatal(err)
		}
		r, err := Translation(t.Context(), file, m, Options{})
		if err != nil || r.Difference == nil {
			t.Errorf("%s: %s for %s is not noticed, %v", c.module, c.new, c.old, err)
		}
	}
}
