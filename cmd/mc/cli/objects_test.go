package cli

import (
	"path/filepath"
	"testing"

	"interleave/cmd/mc/internal/ui"
	"interleave/model/modeltest"
)

// TestReplayJudgesObjects: a run that is replayed is judged by what the algorithm is to its clients.
func TestReplayJudgesObjects(t *testing.T) {
	cached, file := modeltest.Register("x/cached", true), filepath.Join(t.TempDir(), "stale.json")
	mc(t.Context(), "verify x/cached --n 3 --property fresh --trace-out "+file, cached).expect(t, ui.ExitViolated, "VIOLATED")
	mc(t.Context(), "replay "+file, cached).expect(t, ui.ExitHolds, "3 requests, 3 answered; no order of the requests explains these answers: write 1 at process 2, step 1 to step 5, answered {Value:0}; read at process 3, step 7, answered {Value:0}")
}
