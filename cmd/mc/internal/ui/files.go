package ui

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"interleave/model"
)

// Writable refuses a file of a flag that could not be written, or that the command reads,
// before the work.
func Writable(flag, file string, read ...string) error {
	if file == "" {
		return nil
	}
	for _, name := range read {
		if sameFile(name, file) {
			return fmt.Errorf("%s: %s is what is read: name another file", flag, file)
		}
	}
	if dir, err := os.Stat(filepath.Dir(file)); err != nil || !dir.IsDir() {
		return Hint(fmt.Errorf("%s: there is no folder %s", flag, filepath.Dir(file)), "make the folder first")
	}
	switch f, err := os.Lstat(file); {
	case err == nil && f.IsDir():
		return fmt.Errorf("%s: %s is a folder: name a file", flag, file)
	case err == nil && !f.Mode().IsRegular():
		return fmt.Errorf("%s: %s is not a regular file: name another", flag, file)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w: name another file", flag, errors.Unwrap(err))
	}
	return WritableFolder(flag, filepath.Dir(file))
}

// OpenFile opens a file to read it. An error does not have the name.
func OpenFile(name string) (*os.File, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return nil, errFolder
	}
	return file, nil
}

var errFolder = errors.New("it is a folder: name a file")

// sameFile reports whether two names are of one file that there is.
func sameFile(name, other string) bool {
	a, errA := os.Stat(name)
	b, errB := os.Stat(other)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// SameName reports whether two names are of one file, which there need not be yet.
func SameName(name, other string) bool {
	return name != "" && other != "" && filepath.Base(name) == filepath.Base(other) && sameFile(filepath.Dir(name), filepath.Dir(other))
}

// WritableFolder refuses a folder of a flag in which nothing can be written.
func WritableFolder(flag, folder string) error {
	if folder == "" {
		return nil
	}
	switch dir, err := os.Stat(folder); {
	case err != nil:
		return Hint(fmt.Errorf("%s: there is no folder %s", flag, folder), "make the folder first")
	case !dir.IsDir():
		return fmt.Errorf("%s: %s is not a folder: name one", flag, folder)
	}
	probe, err := os.CreateTemp(folder, ".mc-*")
	if err != nil {
		return fmt.Errorf("%s: nothing can be written in the folder %s: %w", flag, folder, errors.Unwrap(err))
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// ReadFile returns the first bytes of a file.
func ReadFile(name string, most int64) ([]byte, error) {
	f, err := OpenFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	return text, nil
}

// WriteText writes a text to a file, in place of what was there.
func WriteText(file, text string) error {
	return model.WriteFile(file, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}
