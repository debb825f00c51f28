package sweep

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
)

// TestExampleOfHelp: the file that the help shows is one, and comes out as it expects.
func TestExampleOfHelp(t *testing.T) {
	_, text, _ := strings.Cut(Command(&ui.UI{}, names.Table{}).Long, "\n\n")
	text, _, _ = strings.Cut(text, "\n\n")
	text = strings.ReplaceAll(text, "3..5", "3")
	file := filepath.Join(t.TempDir(), "example.yaml")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, "\n  ", "\n")[2:]), 0o600); err != nil {
		t.Fatal(err)
	}
	mc(t.Context(), "sweep "+file).expect(t, ui.ExitHolds, "2 configurations, 2 as expected")
}
