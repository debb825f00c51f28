package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/ui"
)

// TestNeverPossible: of a definition that is possible in part, the part that is not is
// told, unless nothing but an argument sets it apart.
func TestNeverPossible(t *testing.T) {
	t.Chdir(t.TempDir())
	many := make([]string, 300)
	for i := range many {
		many[i] = fmt.Sprintf("C(%d)", i)
	}
	module := `---- MODULE M ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
A(i) == x = i /\ x' = 1
B == \/ x = 5 /\ x' = 0
     \/ x = 1 /\ x' = 0
     \/ x = 6 /\ x' = 0
E(i) == A(i)
D == \/ x = 7 /\ x' = 0
     \/ x = 8 /\ x' = 0
C(i) == x = i /\ x' = IF x = 0 THEN 299 ELSE 0
Next == B \/ A(0) \/ A(3) \/ D \/ E(0) \/ E(4)
Many == ` + strings.Join(many, "\n        \\/ ") + "\n====\n"
	for name, text := range map[string]string{"M.tla": module, "M.cfg": "INIT Init NEXT Next", "Many.cfg": "INIT Init NEXT Many"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mc(t.Context(), "tla check M.tla").expect(t, ui.ExitHolds, `
never possible: B, the part at M.tla:6:15
never possible: B, the part at M.tla:8:15
never possible: A, the part at M.tla:5:15 as used at M.tla:13:22
never possible: D, M.tla:10:1

`)
	mc(t.Context(), "tla check M.tla --json").expect(t, ui.ExitHolds, `"never": [
    "B, the part at M.tla:6:15",
    "B, the part at M.tla:8:15",
    "A, the part at M.tla:5:15 as used at M.tla:13:22",
    "D"
  ]`)
	all := mc(t.Context(), "tla check M.tla --config Many.cfg")
	all.expect(t, ui.ExitHolds, "\nnever possible: C, the part at M.tla:12:15 as used at M.tla:312:12\n\nVERIFIED")
	if n := strings.Count(all.out, "never possible"); n != 298 {
		t.Errorf("%d parts are never possible, not 298", n)
	}
}
