// Package scratch makes temporary files and folders that outlive no process for long: where one
// ended without removing its own, the next process that makes one like it removes them. What a
// living process has locked stays.
package scratch

import (
	"os"
	"path/filepath"
	"time"
)

// Where files cannot be locked, what was not changed for so long is left over. Where they can,
// it is long enough for a process to lock what it has just made.
const (
	abandoned = time.Hour
	fresh     = time.Second
)

// File makes a file in the folder of another one, whose name it is to get once it is whole. It
// removes those that were left over for the same name.
func File(name string) (*os.File, error) {
	dir, base := filepath.Split(name)
	prefix := ".mc-" + base[:min(len(base), 200)] + "-"
	for _, old := range like(dir, prefix) {
		if leftOver(old) {
			os.Remove(old) // if not, it is in nobody's way
		}
	}
	f, err := os.CreateTemp(filepath.Clean(dir), prefix+"*")
	if err == nil {
		lock(f)
	}
	return f, err
}

// Folder is a temporary folder.
type Folder struct {
	Path string
	held *os.File
}

// guard is the file in a folder that is locked as long as the folder is in use.
const guard = "interleave.lock"

// NewFolder makes a folder in another one, or where the system has temporary files if that is "".
// It removes those that were left over there.
func NewFolder(within string) (*Folder, error) {
	const prefix = "interleave-"
	if within == "" {
		within = os.TempDir()
	}
	for _, old := range like(within, prefix) {
		if leftOver(filepath.Join(old, guard)) {
			os.RemoveAll(old)
		}
	}
	path, err := os.MkdirTemp(within, prefix)
	if err != nil {
		return nil, err
	}
	held, err := os.Create(filepath.Join(path, guard))
	if err != nil {
		os.RemoveAll(path)
		return nil, err
	}
	lock(held)
	return &Folder{path, held}, nil
}

// Remove removes the folder and all that is in it.
func (f *Folder) Remove() error {
	f.held.Close()
	return os.RemoveAll(f.Path)
}

// like returns what is in a folder and has a name that begins so.
func like(dir, prefix string) (all []string) {
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if len(e.Name()) > len(prefix) && e.Name()[:len(prefix)] == prefix {
			all = append(all, filepath.Join(dir, e.Name()))
		}
	}
	return all
}

// leftOver reports whether no process has locked a file any more.
func leftOver(name string) bool {
	about, err := os.Lstat(name)
	if err != nil || !about.Mode().IsRegular() || time.Since(about.ModTime()) < fresh {
		return false
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	free, known := lock(f)
	return free && (known || time.Since(about.ModTime()) > abandoned)
}
