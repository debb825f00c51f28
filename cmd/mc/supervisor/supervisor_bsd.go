//go:build unix && !linux

package supervisor

import "syscall"

// dieWithParent asks for nothing: the second process notices that its pipe has ended.
func dieWithParent() *syscall.SysProcAttr { return nil }
