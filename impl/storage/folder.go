package storage

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"interleave/internal/filelock"
)

const (
	memoryFile   = "memory"
	memoryMagic  = "interleave-memory-1"
	maxMemory    = 1 << 26 // size of a file in bytes
	newExtension = ".new"
)

// fileSystem is what a Folder needs of one folder, so that tests can
// crash it.
type fileSystem interface {
	Read(name string) ([]byte, error) // at most maxMemory+1 bytes
	Write(name string, b []byte) error
	Sync(name string) error // the contents of a file
	Rename(from, to string) error
	SyncFolder() error // the names in the folder
}

// Folder keeps a memory in one file of a folder. A new memory is written beside
// the old one, synced, and renamed over it; then the folder is synced. So a kill at any
// point leaves one of the two, whole. A checksum detects a file that something else has
// written or cut short.
type Folder struct {
	folder string
	files  fileSystem
	lock   *os.File
}

// Open returns the storage in a folder, which it creates if needed. It fails if
// another process uses the folder.
func Open(folder string) (*Folder, error) {
	if err := makeFolder(folder, syncFolder); err != nil {
		return nil, fmt.Errorf("stable storage: %w", err)
	}
	lock, err := filelock.Open(filepath.Join(folder, "lock"))
	if err != nil {
		return nil, fmt.Errorf("stable storage %s: %w", folder, err)
	}
	return &Folder{folder: folder, files: osFolder(folder), lock: lock}, nil
}

// makeFolder creates a folder, and those above it, if needed. Folders that got a new
// name are synced, so that the name survives a crash of the machine.
func makeFolder(folder string, sync func(folder string) error) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	var changed []string
	for at := folder; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
			break // it exists, or MkdirAll returns what else is wrong
		}
		changed = append(changed, filepath.Dir(at))
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for _, above := range changed {
		if err := sync(above); err != nil {
			return err
		}
	}
	return nil
}

// Load reads the memory.
func (s *Folder) Load() (Memory, error) {
	b, err := s.files.Read(memoryFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Memory{}, nil
	}
	if err != nil {
		return Memory{}, fmt.Errorf("stable storage: %w", err)
	}
	m, err := parseMemory(b)
	if err != nil {
		return Memory{}, fmt.Errorf("stable storage %s: %w", filepath.Join(s.folder, memoryFile), err)
	}
	return m, nil
}

// Save replaces the memory.
func (s *Folder) Save(m Memory) error {
	b, err := formatMemory(m)
	if err != nil {
		return fmt.Errorf("stable storage: %w", err)
	}
	for _, do := range []func() error{
		func() error { return s.files.Write(memoryFile+newExtension, b) },
		func() error { return s.files.Sync(memoryFile + newExtension) },
		func() error { return s.files.Rename(memoryFile+newExtension, memoryFile) },
		func() error { return s.files.SyncFolder() },
	} {
		if err := do(); err != nil {
			return fmt.Errorf("stable storage: %w", err)
		}
	}
	return nil
}

// Close lets others use the folder.
func (s *Folder) Close() error {
	if s.lock == nil {
		return nil
	}
	return s.lock.Close()
}

// formatMemory returns the file of a memory: a line with the magic word and the
// checksum of all that follows, then JSON.
func formatMemory(m Memory) ([]byte, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	b := fmt.Appendf(nil, "%s %s\n", memoryMagic, hex.EncodeToString(sum[:]))
	if b = append(b, text...); len(b) > maxMemory {
		return nil, fmt.Errorf("the memory takes %d bytes, at most %d are allowed", len(b), maxMemory)
	}
	return b, nil
}

// parseMemory reads what formatMemory returns, and nothing else.
func parseMemory(b []byte) (Memory, error) {
	if len(b) > maxMemory {
		return Memory{}, fmt.Errorf("%w: it is larger than %d bytes", ErrTorn, maxMemory)
	}
	first, text, found := bytes.Cut(b, []byte("\n"))
	magic, sum, _ := bytes.Cut(first, []byte(" "))
	if !found || string(magic) != memoryMagic {
		return Memory{}, fmt.Errorf("%w: it does not begin with %s, so it is another program's file, or was cut short", ErrTorn, memoryMagic)
	}
	if want := sha256.Sum256(text); string(sum) != hex.EncodeToString(want[:]) {
		return Memory{}, fmt.Errorf("%w: its checksum is wrong, so it is torn or was edited", ErrTorn)
	}
	var m Memory
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&m); err != nil {
		return Memory{}, fmt.Errorf("%w: %w", ErrTorn, err)
	}
	if again, err := formatMemory(m); err != nil || !bytes.Equal(again, b) {
		return Memory{}, fmt.Errorf("%w: it is not as this program would write it", ErrTorn)
	}
	return m, nil
}

// osFolder is a folder of the operating system.
type osFolder string

func (f osFolder) path(name string) string { return filepath.Join(string(f), name) }

func (f osFolder) Read(name string) ([]byte, error) {
	file, err := os.Open(f.path(name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxMemory+1))
}

func (f osFolder) Write(name string, b []byte) error { return os.WriteFile(f.path(name), b, 0o600) }

func (f osFolder) Sync(name string) error {
	file, err := os.OpenFile(f.path(name), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

func (f osFolder) Rename(from, to string) error { return os.Rename(f.path(from), f.path(to)) }

func (f osFolder) SyncFolder() error { return syncFolder(string(f)) }

func syncFolder(name string) error {
	folder, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
