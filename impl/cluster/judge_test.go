package cluster

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestClaimDir: one of many who begin in a folder at the same moment gets it.
func TestClaimDir(t *testing.T) {
	for range 50 {
		dir := filepath.Join(t.TempDir(), "runs", "run")
		var got, refused atomic.Int32
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				err := claimDir(dir, "plan.yaml", "version: 1\n")
				var input *InputError
				switch {
				case err == nil:
					got.Add(1)
				case errors.As(err, &input) && strings.Contains(err.Error(), "is not empty: name one that is"):
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if got.Load() != 1 || refused.Load() != 7 {
			t.Fatalf("%v have got it, and %v were refused", got.Load(), refused.Load())
		}
		if text, err := os.ReadFile(filepath.Join(dir, "plan.yaml")); err != nil || string(text) != "version: 1\n" {
			t.Errorf("%q, %v", text, err)
		}
	}
	var input *InputError
	dir := t.TempDir()
	if err := claimDir(dir, "plan.yaml", ""); err != nil {
		t.Errorf("an empty folder: %v", err)
	}
	if err := claimDir(dir, "another.yaml", ""); !errors.As(err, &input) {
		t.Errorf("a folder with a file in it: %v", err)
	}
}
