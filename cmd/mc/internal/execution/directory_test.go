package execution

import (
	"os"
	"path/filepath"
	"testing"
)

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestIn: the name of a folder is no pattern.
func TestIn(t *testing.T) {
	for _, name := range []string{"a*b", "plain", "[a-z]?\\"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		file, log := filepath.Join(dir, "capture.pcapng"), filepath.Join(dir, "process-1.ndjson")
		put(t, file, "")
		put(t, log, "")
		if logs, capture, err := In(dir); err != nil || capture != file || len(logs) != 1 || logs[0] != log {
			t.Errorf("%s: %v, %s, %v", name, logs, capture, err)
		}
	}
}
