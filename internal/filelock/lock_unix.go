//go:build unix

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Lock keeps every other process from locking a file that is open here. The kernel
// lets go of it when the process ends, however it does.
func Lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}
