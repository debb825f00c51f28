//go:build unix && !solaris && !aix

package scratch

import (
	"os"
	"syscall"
)

// lock locks a file until it is closed, if nobody else has, and reports whether it did; known is
// whether that can be told here.
func lock(f *os.File) (done, known bool) {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil, true
}
