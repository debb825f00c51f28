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
	var b strings.Builder
	for _, m := range catalog.Machines {
		name := m.Traits().Name
		mutants := slices.DeleteFunc(slices.Clone(catalog.Mutants), func(mutant spec.Machine) bool {
			original, _ := spec.Original(mutant.Traits().Name)
			return original != name
		})
		rows, err := Fill(t.Context(), m, mutants, Layers)
		if err != nil {
			t.Fatal(err)
		}
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
	}
	const file = "testdata/killers.txt"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != b.String() {
		t.Errorf("%s is not as it was; go test -update writes it anew:\n%s", file, b.String())
	}
}
