package matrix

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"interleave/internal/testsize"
	"interleave/spec"
	"interleave/spec/catalog"
)

// TestForgeries pins which layer sees which forgery: always, sometimes or never. What none sees has a
// reason why it may be true.
func TestForgeries(t *testing.T) {
	machines := slices.DeleteFunc(slices.Clone(catalog.Machines), func(m spec.Machine) bool {
		return !slices.ContainsFunc(catalog.Mutants, func(mutant spec.Machine) bool {
			original, _ := spec.Original(mutant.Traits().Name)
			return original == m.Traits().Name
		})
	})
	if !testsize.All() && !*update {
		machines = machines[:2]
	}
	var mu sync.Mutex
	var order []string
	sums, why := map[string]*Forged{}, map[string]map[string]bool{}
	t.Run("of", func(t *testing.T) {
		for _, m := range machines {
			t.Run(m.Traits().Name, func(t *testing.T) {
				t.Parallel()
				rows, err := Forge(t.Context(), m)
				if err != nil {
					t.Fatal(err)
				}
				mu.Lock()
				defer mu.Unlock()
				for _, r := range rows {
					if len(r.Holes) > 0 {
						t.Errorf("%s, and nobody sees it: %q", r.Forgery, r.Holes)
					}
					s := sums[r.Forgery]
					if s == nil {
						s, why[r.Forgery] = &Forged{Forgery: r.Forgery, Killed: map[string]int{}}, map[string]bool{}
						sums[r.Forgery], order = s, append(order, r.Forgery)
					}
					s.Places += r.Places
					for l, n := range r.Killed {
						s.Killed[l] += n
					}
					s.Unknown += r.Unknown
					for _, w := range r.Why {
						why[r.Forgery][w] = true
					}
				}
			})
		}
	})
	if !testsize.All() && !*update {
		return
	}
	var b strings.Builder
	for _, name := range order {
		s := sums[name]
		if s.Places == 0 {
			t.Errorf("there is no place for %s", name)
		}
		fmt.Fprintf(&b, "%s:", name)
		for _, l := range ForgedLayers() {
			if _, looks := s.Killed[l]; looks {
				fmt.Fprintf(&b, " %s %s", l, share(s.Killed[l], s.Places))
			}
		}
		b.WriteString("\n")
		if s.Unknown > 0 {
			b.WriteString("  there may be too many ways to look at\n")
		}
		for _, w := range slices.Sorted(maps.Keys(why[name])) {
			fmt.Fprintf(&b, "  may be true: %s\n", w)
		}
	}
	pinned(t, "testdata/forgeries.txt", b.String())
}

func share(part, all int) string {
	switch part {
	case 0:
		return "never"
	case all:
		return "always"
	}
	return "sometimes"
}

// TestPage: the page of the matrix shows what is pinned.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	pins, err := os.ReadFile("testdata/forgeries.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```\n"+string(pins)+"```\n") {
		t.Error("docs/conformance.md does not show testdata/forgeries.txt")
	}
}
