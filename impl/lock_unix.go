//go:build unix

package impl

import (
	"errors"
	"os"
	"syscall"
)

// lockFile opens a file that no other process has opened so. The kernel lets go
// of it when the process ends, however it does.
func lockFile(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = errors.New("another process uses it: stop that, or take another folder")
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
