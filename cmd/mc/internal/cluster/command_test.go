package cluster

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// TestNewRunDir: runs that begin at the same moment have folders of their own.
func TestNewRunDir(t *testing.T) {
	within, at := filepath.Join(t.TempDir(), "runs"), time.Date(2026, 1, 2, 3, 4, 5, 678_900_000, time.UTC)
	const most = 16
	var all sync.WaitGroup
	for range most {
		all.Go(func() {
			if _, err := newRunDir(within, "bully/mended", at); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	dirs, err := os.ReadDir(within)
	if err != nil || len(dirs) != most || dirs[0].Name() != "bully-mended-20260102-030405.678" {
		t.Errorf("%v, %v", dirs, err)
	}
}
