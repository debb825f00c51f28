//go:build unix

package cli

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/internal/yaml"
)

// TestEndlessFile: of a plan or of settings no more is read than a file may
// have, so that /dev/zero does not fill the memory.
func TestEndlessFile(t *testing.T) {
	for _, command := range []string{"cluster bully --plan ", "node bully --config "} {
		pipe := filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		written := make(chan error)
		go func() { written <- os.WriteFile(pipe, make([]byte, 4*yaml.MaxBytes), 0o600) }()
		mc(t.Context(), command+pipe).expect(t, ui.ExitUsage, "larger than 1 MiB")
		if err := <-written; !errors.Is(err, syscall.EPIPE) {
			t.Errorf("%s reads a file of %d MiB to the end: %v", command, 4*yaml.MaxBytes>>20, err)
		}
	}
}
