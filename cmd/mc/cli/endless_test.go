//go:build unix

package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestEndlessFile: of a plan or of settings no more is read than a file may
// have, so that /dev/zero does not fill the memory.
func TestEndlessFile(t *testing.T) {
	for flag, read := range map[string]func(name string) error{
		"--plan":   func(name string) error { _, _, err := readPlanFile(name, 3, time.Second); return err },
		"--config": func(name string) error { return (&nodeSettings{file: name}).readFile(nil) },
	} {
		pipe := filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		written := make(chan error)
		go func() { written <- os.WriteFile(pipe, make([]byte, 4*maxSweepBytes), 0o600) }()
		if err := read(pipe); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
			t.Errorf("%s: %v", flag, err)
		}
		if err := <-written; !errors.Is(err, syscall.EPIPE) {
			t.Errorf("%s reads a file of %d MiB to the end: %v", flag, 4*maxSweepBytes>>20, err)
		}
	}
}
