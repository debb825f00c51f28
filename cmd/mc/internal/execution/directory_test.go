package execution

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestFiles: the name of a folder is no pattern.
func TestFiles(t *testing.T) {
	names := []string{"plain", "[a-z]"}
	if runtime.GOOS != "windows" { // which has no such names
		names = append(names, "a*b", "[a-z]?\\")
	}
	for _, name := range names {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		file, log := filepath.Join(dir, "capture.pcapng"), filepath.Join(dir, "process-1.ndjson")
		put(t, file, "")
		put(t, log, "")
		if logs, capture, err := Files(dir); err != nil || capture != file || len(logs) != 1 || logs[0] != log {
			t.Errorf("%s: %v, %s, %v", name, logs, capture, err)
		}
	}
}
