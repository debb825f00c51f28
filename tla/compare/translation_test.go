package compare

import (
	"path/filepath"
	"strings"
	"testing"

	"interleave/tla"
	"interleave/tla/pluscal"
	"interleave/tla/tlatest"
)

// example is a module with a configuration.
type example struct {
	module, config string
	endless        bool // more states than a test can look at
}

// examples are the modules of the catalogue and those of package pluscal.
func examples(t *testing.T) (all []example) {
	t.Helper()
	ours, theirs := tlatest.Modules(t)
	for _, file := range append(ours, theirs...) {
		e := example{module: file, config: strings.TrimSuffix(file, ".tla") + ".cfg", endless: filepath.Base(file) == "everything.tla"}
		switch text := tlatest.Read(t, file); {
		case filepath.Base(file) == "ListRing.tla":
			e.config = "testdata/ListRingTwo.cfg"
		case filepath.Dir(file) == "..":
		case strings.Contains(text, pluscal.Default):
			e.config = "testdata/Default.cfg"
		default:
			e.config = "testdata/Spec.cfg"
		}
		all = append(all, e)
	}
	return all
}

// TestTranslations: each algorithm, of the catalogue and of the examples of
// package pluscal, run statement by statement has the states of its translation.
func TestTranslations(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(filepath.Base(e.module), func(t *testing.T) {
			m, err := tla.Open(e.module, e.config)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Translation(t.Context(), e.module, m, Options{MaxStates: 3000})
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

// TestChangedTranslationsDiffer: a translation changed by hand is told from its
// algorithm.
func TestChangedTranslationsDiffer(t *testing.T) {
	for _, c := range []struct{ module, old, new string }{
		{"ChangRoberts", `state' = [state EXCEPT ![self] = "lost"]`, `state' = state`},
		{"ChangRoberts", `inbox[Successor(self)] \cup {id}]`, `inbox[self] \cup {id}]`},
		{"ChangRoberts", `[self \in ProcSet |-> "start"]`, `[self \in ProcSet |-> "handle"]`},
		{"Bully", `/\ up' = [up EXCEPT ![p] = FALSE]`, `/\ up' = up`},
	} {
		head, tail, _ := strings.Cut(tlatest.Read(t, "../"+c.module+".tla"), pluscal.BeginMarker)
		if !strings.Contains(tail, c.old) {
			t.Errorf("the translation of %s does not hold %s", c.module, c.old)
			continue
		}
		file := tlatest.Write(t, c.module+".tla", head+pluscal.BeginMarker+strings.Replace(tail, c.old, c.new, 1))
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
