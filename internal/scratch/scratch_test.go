package scratch

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// old makes a file look as if it was made long ago.
func old(t *testing.T, name string) {
	t.Helper()
	then := time.Now().Add(-2 * abandoned)
	if err := os.Chtimes(name, then, then); err != nil {
		t.Fatal(err)
	}
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// TestFile: what was left over for a name is removed by the next, and no more than that.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "pass.cert")
	used, err := File(name)
	if err != nil {
		t.Fatal(err)
	}
	old(t, used.Name())
	left, err := File(name)
	if err != nil {
		t.Fatal(err)
	}
	other, err := File(filepath.Join(dir, "other"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*os.File{left, other} { // as where the process ends
		old(t, f.Name())
		f.Close()
	}
	next, err := File(name)
	if err != nil {
		t.Fatal(err)
	}
	if !exists(used.Name()) || exists(left.Name()) || !exists(other.Name()) || !exists(next.Name()) {
		t.Errorf("in use %v, left over %v, of another name %v, new %v", exists(used.Name()), exists(left.Name()), exists(other.Name()), exists(next.Name()))
	}
	used.Close()
	next.Close()
}

// TestFolder: a folder that was left over is removed with all in it; one in use stays, and so does
// one that is not of this package.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	used, err := NewFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	left, err := NewFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(dir, "interleave-notes")
	if err := os.MkdirAll(foreign, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(left.Path, "run"), []byte("states"), 0o600); err != nil {
		t.Fatal(err)
	}
	old(t, filepath.Join(used.Path, guard))
	old(t, filepath.Join(left.Path, guard))
	left.held.Close() // as where the process ends
	next, err := NewFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !exists(used.Path) || exists(left.Path) || !exists(foreign) || !exists(next.Path) {
		t.Errorf("in use %v, left over %v, foreign %v, new %v", exists(used.Path), exists(left.Path), exists(foreign), exists(next.Path))
	}
	for _, f := range []*Folder{used, next} {
		if err := f.Remove(); err != nil || exists(f.Path) {
			t.Errorf("%s is not removed: %v", f.Path, err)
		}
	}
}
