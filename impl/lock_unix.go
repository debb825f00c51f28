//go:build unix

package impl

import (
	"errors"
	"os"
	"syscall"
)

// lock keeps every other process from locking a file that is open here. The kernel
// lets go of it when the process ends, however it does.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}
