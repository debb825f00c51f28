// Package filelock has one process at a time use a file.
package filelock

import (
	"errors"
	"os"
)

// errLocked says that another process has locked a file.
var errLocked = errors.New("another process uses it: stop that, or name another")

// Open opens a file that no other process has opened so.
func Open(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := Lock(f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
