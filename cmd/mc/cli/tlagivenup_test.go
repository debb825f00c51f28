package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"interleave/cmd/mc/internal/ui"
)

// TestGivenUp: where an evaluation was given up, the run that leads there is called so, and is no
// violation's.
func TestGivenUp(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "M.tla", "---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = IF x < 3 THEN x + 1 ELSE CHOOSE y \\in 1..1000000000000 : FALSE\n====\n")
	put(t, "M.cfg", "INIT Init NEXT Next")
	var o outcome
	for patience := 100 * time.Millisecond; patience < time.Minute; patience *= 2 { // a slow machine takes longer to come there
		if o = mc(t.Context(), fmt.Sprintf("tla check M.tla --timeout %v", patience)); strings.Contains(o.out, "x: 2 → 3") {
			break
		}
	}
	o.expect(t, ui.ExitInconclusive, "\nevaluation INCONCLUSIVE: the run to the state where it was given up\n   0  initially\n")
	if strings.Contains(o.out, "a shortest run") {
		t.Error(o.out)
	}
}
