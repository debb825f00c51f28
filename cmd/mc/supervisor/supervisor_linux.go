package supervisor

import "syscall"

// dieWithParent has the system kill the second process when the first one ends.
func dieWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
