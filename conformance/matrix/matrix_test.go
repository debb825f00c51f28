package matrix

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"interleave/spec"
	"interleave/spec/catalog"
)

var update = flag.Bool("update", false, "write testdata anew")

// TestMatrix pins which layer kills which mutant of the catalogue.
func TestMatrix(t *testing.T) {
	if testing.Short() {
		t.Skip("it drives each mutant through several worlds")
	}
	texts := make([]string, len(catalog.Machines))
	t.Run("of", func(t *testing.T) {
		for i, m := range catalog.Machines {
			t.Run(m.Traits().Name, func(t *testing.T) {
				t.Parallel()
				texts[i] = killers(t, m)
			})
		}
	})
	got := strings.Join(texts, "")
	const file = "testdata/killers.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s is not as it was; go test -update writes it anew:\n%s", file, got)
	}
}

// killers tells who kills the mutants of an algorithm, a line for each.
func killers(t *testing.T, m spec.Machine) string {
	t.Helper()
	mutants := slices.DeleteFunc(slices.Clone(catalog.Mutants), func(mutant spec.Machine) bool {
		original, _ := spec.Original(mutant.Traits().Name)
		return original != m.Traits().Name
	})
	rows, err := Fill(t.Context(), m, mutants, Layers)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%s:", r.Mutant)
		for _, l := range Layers {
			if r.Killed[l.Name] != "" {
				fmt.Fprintf(&b, " %s", l.Name)
			}
		}
		if len(r.Killed) == 0 {
			fmt.Fprintf(&b, " none: %s", r.Survives)
		}
		b.WriteString("\n")
	}
	return b.String()
}
