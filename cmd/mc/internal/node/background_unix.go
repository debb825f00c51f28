//go:build unix

package node

import (
	"os/signal"
	"syscall"
)

// background lets the process go on when it reads from a terminal in the background: the read fails, and
// the process is not stopped.
func background() { signal.Ignore(syscall.SIGTTIN) }
