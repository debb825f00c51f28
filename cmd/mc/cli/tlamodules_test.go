package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/ui"
	"interleave/tla/pluscal"
)

// TestModules: the translation in each module of the catalogue is that of its
// algorithm, the module's properties hold, and it agrees with its Go algorithm.
func TestModules(t *testing.T) {
	t.Chdir("../../..")
	modules, err := filepath.Glob("tla/*.tla")
	if err != nil || len(modules) < 5 {
		t.Fatal(modules, err)
	}
	if testing.Short() {
		modules = []string{"tla/ChangRoberts.tla"}
	}
	for _, m := range modules {
		mc(t.Context(), "tla translate --check "+m).expect(t, ui.ExitHolds, "the translation is up to date")
		if m == "tla/ListRing.tla" {
			m += " --config tla/compare/testdata/ListRingTwo.cfg" // its own has many more states
		}
		mc(t.Context(), "tla check "+m).expect(t, ui.ExitHolds, "\nVERIFIED\n")
		mc(t.Context(), "tla compare --translation "+m).expect(t, ui.ExitHolds, "THEY AGREE")
		mc(t.Context(), "tla compare "+m).expect(t, ui.ExitHolds, "THEY AGREE: they begin alike, and from every state they go to the same states")
	}
}

// TestStaleModule: where the algorithm of a module was changed since it was translated,
// a comparison with what the translation says tells so.
func TestStaleModule(t *testing.T) {
	t.Chdir("../../..")
	text, err := os.ReadFile("tla/ChangRoberts.tla")
	if err != nil {
		t.Fatal(err)
	}
	stale := strings.Replace(string(text), `"candidate"`, `"lost"`, 1)
	file := filepath.Join(t.TempDir(), "ChangRoberts.tla")
	if err := os.WriteFile(file, []byte(stale), 0o600); err != nil {
		t.Fatal(err)
	}
	mc(t.Context(), "tla compare --config tla/ChangRoberts.cfg "+file).expect(t, ui.ExitHolds, "  note: the translation is not what the PlusCal algorithm is translated to here")
	differ := mc(t.Context(), "tla compare --translation --config tla/ChangRoberts.cfg "+file)
	if differ.expect(t, ui.ExitViolated, "THEY DIFFER"); strings.Contains(differ.out, "note:") {
		t.Error(differ.out)
	}
}

// TestModuleAndMutant: where an algorithm with a bug parts from the module, both
// sides are told.
func TestModuleAndMutant(t *testing.T) {
	t.Chdir("../../..")
	mc(t.Context(), "tla compare tla/ChangRoberts.tla --with chang-roberts/classic~onlooker").expect(t, ui.ExitViolated, `
  then the algorithm can do this, and the module cannot go there
      process 1: start
      pc[1]: "start" → "handle"
      state[1]: "lost" → "candidate"
  the nearest state to that to which the module can go:
      state[1]: "candidate" → "lost"

THEY DIFFER
`)
	mc(t.Context(), "tla compare tla/ChangRoberts.tla --visible state,inbox").expect(t, ui.ExitHolds, "what is seen of state, inbox is the same but for stuttering")
	mc(t.Context(), "tla compare tla/ChangRoberts.tla --visible state --with chang-roberts/classic~onlooker").expect(t, ui.ExitViolated, "then the algorithm can do this, and the module cannot go there")
	mc(t.Context(), "tla compare tla/ChangRoberts.tla --visible state --direction go").expect(t, ui.ExitUsage, "--visible compares in both directions")
	mc(t.Context(), "tla compare tla/ChangRoberts.tla --visible state --translation").expect(t, ui.ExitUsage, "--visible is for the comparison with Go")
	mc(t.Context(), "tla compare tla/ChangRoberts.tla --max-states 100").expect(t, ui.ExitInconclusive, "BOUNDED: they agree as far as they were compared")
	mc(t.Context(), "tla compare tla/Ballot.tla").expect(t, ui.ExitHolds, "BOUNDED: on both sides no process goes beyond 2")
	mc(t.Context(), "tla compare tla/ChangRoberts.tla --tlc-jar nowhere.jar").expect(t, ui.ExitUsage, "nowhere.jar: no such file")
	mc(t.Context(), "tla compare tla/ChangRoberts.tla --tlc-jar x.jar --translation").expect(t, ui.ExitUsage, "two comparisons")
	mc(t.Context(), "tla compare tla/ChangRoberts.tla --tlc-jar x.jar --with bully").expect(t, ui.ExitUsage, "--tlc-jar compares with none")
	mc(t.Context(), "tla compare tla/ChangRoberts.tla --with chang-roberts/classic~onlooker --direction tla").expect(t, ui.ExitViolated, "then the module can do this")
	mc(t.Context(), "tla compare tla/ChangRoberts.tla --direction up").expect(t, ui.ExitUsage, `"up" is not a direction`)
	mc(t.Context(), "tla compare tla/ChangRoberts.tla --with bully").expect(t, ui.ExitUsage, "bully/mended is not like chang-roberts/classic")
}

// TestStaleTranslation: what holds of a translation that is out of date does not count unless it
// holds of the algorithm, too.
func TestStaleTranslation(t *testing.T) {
	const module = `---- MODULE Light ----
EXTENDS Naturals
(* --algorithm light {
  variable on = 0;
  { press: on := %s; }
} *)
\* BEGIN TRANSLATION
\* END TRANSLATION
Off == on = 0
====
`
	file := filepath.Join(t.TempDir(), "Light.tla")
	put(t, strings.TrimSuffix(file, ".tla")+".cfg", "SPECIFICATION Spec\nINVARIANT Off\nCHECK_DEADLOCK FALSE\n")
	translated := func(value string) string {
		text, err := pluscal.Update(file, fmt.Sprintf(module, value))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	check := func(text string, status ui.Status, want string) {
		t.Helper()
		put(t, file, text)
		mc(t.Context(), "tla check "+file).expect(t, status, want)
	}
	good, bad := translated("0"), translated("1")
	check(good, ui.ExitHolds, "\nVERIFIED\n")
	check(strings.Replace(good, "on := 0", "on := 1", 1), ui.ExitViolated, "of the algorithm, translated anew: Off is false\n")
	check(strings.Replace(bad, "on := 1", "on := 0", 1), ui.ExitViolated, "VIOLATED      Off is false\n")
	check(strings.Replace(good, "on := 0", "on := 0 + 0", 1), ui.ExitHolds, "note: the translation is not what the PlusCal algorithm is translated to here")
	check(strings.Replace(good, "on := 0", "on := max", 1), ui.ExitInconclusive, "it holds of the translation in the file, but cannot be checked of the algorithm: ")
	check(strings.Replace(good, "variable on", "variable light", 1), ui.ExitHolds, "note: whether the translation is that of the PlusCal algorithm is not known: ")
}
