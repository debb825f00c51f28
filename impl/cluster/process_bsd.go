//go:build unix && !linux

package cluster

import "syscall"

// apart makes a child that no Ctrl-C of ours reaches. If we are killed with
// kill -9 it stays.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// memory returns how many bytes of memory a process takes, 0 if nobody knows.
func memory(int) int64 { return 0 }
