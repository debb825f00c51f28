package list

import (
	"slices"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/names"
	"interleave/explore/ltl"
	"interleave/spec/catalog"
)

// TestOperators: help has a word about every operator, in each spelling.
func TestOperators(t *testing.T) {
	help := formulasHelp(names.New(catalog.Machines, nil))
	for i, o := range ltl.Operators {
		line := slices.IndexFunc(operatorHelp, func(h struct{ operator, form, meaning string }) bool { return h.operator == o })
		if line < 0 {
			t.Fatalf("no word about %s", o)
		}
		if f, err := ltl.Parse(operatorHelp[line].form); err != nil || f.String() != operatorHelp[line].form || !strings.Contains(f.String(), o) {
			t.Errorf("%d: %v is not of the form %s: %v", i, f, operatorHelp[line].form, err)
		}
		for _, spelling := range ltl.Spellings(o) {
			if !strings.Contains(help, " "+spelling) && !strings.Contains(help, spelling+"p") {
				t.Errorf("no word about %s", spelling)
			}
		}
	}
}
